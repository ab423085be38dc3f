"""Near misses are sound rows of the same person, and gold does the same among them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, NamedTuple

import pytest

from tests.tasks.context.conftest import rng
from tools.committed import SERVERS
from toolworld.packages import Package
from toolworld.tasks.context import Distractors, Meant, rows_added
from toolworld.tasks.context.replay import GoldReplay
from toolworld.tasks.context.start import RowKey

Json = Any
Patch = dict[str, dict[str, Any]]
Tasks = list[dict[str, Any]]

DENSITY = 2.0


def task_of(package: Package, name: str) -> dict[str, Json]:
    (found,) = (task for task in package.tasks() if task["id"] == name)
    return found


def calling(tool: str, **arguments: Json) -> dict[str, Json]:
    """Return a task whose gold is one call."""
    gold = [{"tool": tool, "arguments": arguments}]
    return {"id": "one_call", "instruction": "Please.", "initial": {}, "gold": gold}


def distracted(
    package: Package, task: Json, seed: int = 0, density: float = DENSITY, meant: Any = ()
) -> Patch:
    found: Any = Distractors(package).add(task, rng(seed), density, meant)
    return dict(found)


def added(task: Json, patch: Patch) -> Patch:
    return {
        table: {key: row for key, row in rows.items() if key not in task["initial"].get(table, {})}
        for table, rows in patch.items()
    }


def check_every_row(package: Package, initial: Patch) -> None:
    """Check every rule on every row of a package with a patch."""
    base = package.module("database.seed").default_base()
    database = package.module("database.models").Database(
        base, package.module("database.invariants").INVARIANTS
    )
    task = package.module("tasks.task").Task(id="all", instruction="", initial=initial)
    package.module("tasks.patches").apply_patch(database, task)
    for name, table in database.tables.items():
        for row in table.all():
            database.check(name, getattr(row, table.schema.key))


def test_every_row_keeps_every_rule_among_near_misses(
    library: Package, retail: Package, retail_tasks: Tasks
) -> None:
    for package, tasks in ((library, library.tasks()), (retail, retail_tasks[::3])):
        for task in tasks:
            check_every_row(package, distracted(package, task))


def test_gold_changes_the_same_rows_in_the_same_way(
    library: Package, retail: Package, retail_tasks: Tasks
) -> None:
    for package, tasks in ((library, library.tasks()), (retail, retail_tasks)):
        replay, distractors = GoldReplay(package), Distractors(package)
        for task in tasks:
            before = replay.play(task)
            after = replay.play({**task, "initial": distractors.add(task, rng(1), DENSITY)})
            assert replay.changes(after) == replay.changes(before)
            for one, other in zip(before.steps, after.steps, strict=True):
                assert (one.outcome, one.arguments) == (other.outcome, other.arguments)


def test_rows_are_added_and_none_is_changed(
    library: Package, retail: Package, retail_tasks: Tasks
) -> None:
    for package, task in [
        *((library, task) for task in library.tasks()),
        *((retail, task) for task in retail_tasks[::4]),
    ]:
        tables = package.module("database.seed").default_base().tables
        among = distracted(package, task)
        new = [(name, key) for name, rows in added(task, among).items() for key in rows]
        assert len(new) == rows_added(task["initial"], among)
        assert not [key for name, key in new if key in tables[name].rows]
        for table, rows in task["initial"].items():
            assert rows.items() <= among[table].items()


def test_a_near_miss_is_a_real_order_as_the_same_customer_s(
    retail: Package, retail_tasks: Tasks
) -> None:
    state = retail.environment().state()
    task = retail_tasks[3]
    customer = state["orders"][task["id"]]["customer_id"]
    among = distracted(retail, task, density=3)
    assert among["orders"]
    for order in among["orders"].values():
        assert order["customer_id"] == customer
        real = [one for one in state["orders"].values() if one["lines"] == order["lines"]]
        assert order["placed_at"] in [one["placed_at"] for one in real]
        home = {address["street"] for address in state["customers"][customer]["addresses"]}
        assert order["ship_to"]["street"] in home
        payments = [
            one for one in among["payments"].values() if one["order_id"] == order["order_id"]
        ]
        assert sum(one["amount"] for one in payments) == order["total"]
        for payment in payments:
            method = payment["payment_method_id"]
            assert method is None or state["payment_methods"][method]["customer_id"] == customer


def test_a_part_of_an_order_brings_an_order_of_its_own(retail: Package) -> None:
    task = calling("get_customer", customer_id="CUS-00029")
    state = retail.environment().state()
    (shipment, order), *_ = (
        (key, state["orders"][row["order_id"]]) for key, row in state["shipments"].items()
    )
    among = distracted(retail, task, meant=[Meant(RowKey("shipments", shipment))])
    for key, other in among["shipments"].items():
        assert among["orders"][other["order_id"]]["customer_id"] == order["customer_id"]
        assert other["tracking_number"] not in {
            one["tracking_number"] for one in state["shipments"].values()
        }
        assert key not in state["shipments"]


def test_no_row_fits_what_is_said(retail: Package) -> None:
    state = retail.environment().state()
    found = 0
    for key, order in islice(state["orders"].items(), 0, 400, 20):
        first = order["lines"][0]["quantity"]
        said = {("status",): order["status"], ("lines", "quantity"): first}
        task = calling("get_order", order_id=key)
        among = distracted(retail, task, meant=[Meant(RowKey("orders", key), said)])
        for other in among.get("orders", {}).values():
            found += 1
            quantities = [line["quantity"] for line in other["lines"]]
            assert other["status"] != order["status"] or first not in quantities
    assert found


def test_a_text_fits_by_its_words() -> None:
    order = RowKey("orders", "ORD-00001")
    meant = Meant(order, {("lines", "item"): "xl bike helmet", ("status",): "paid"})
    helmet: Json = {"status": "paid", "lines": [{"item": "Harvest Bike Helmet (green, XL)"}]}
    assert meant.fits(helmet)
    assert not meant.fits({**helmet, "status": "shipped"})
    assert not meant.fits({"status": "paid", "lines": [{"item": "Helmet bag"}]})
    assert not Meant(order).fits(helmet)


def test_a_near_miss_can_be_told_from_the_rows_gold_names(library: Package) -> None:
    task = task_of(library, "coffee_on_a_book")
    for seed in range(8):
        loans = list(distracted(library, task, seed).get("loans", {}).values())
        assert len({loan["lent_at"] for loan in loans}) == len(loans)
        assert len({loan["due_on"] for loan in loans}) == len(loans)


def test_more_density_means_more_rows(
    library: Package, retail: Package, retail_tasks: Tasks
) -> None:
    for package, tasks in ((library, library.tasks()), (retail, retail_tasks[::4])):
        rows = [
            sum(
                rows_added(task["initial"], distracted(package, task, density=density))
                for task in tasks
            )
            for density in (0, 1, 3)
        ]
        assert rows[0] == 0
        assert rows[1] < rows[2]


def test_facts_are_gathered_by_the_row_that_they_describe() -> None:
    facts = [
        Fact("blue", "variants", "VAR-1", ("options", "value")),
        Fact("paid", "orders", "ORD-1", ("status",)),
        Fact(12, "variants", "VAR-1", ("price",)),
    ]
    assert Meant.by(facts) == [
        Meant(RowKey("variants", "VAR-1"), {("options", "value"): "blue", ("price",): 12}),
        Meant(RowKey("orders", "ORD-1"), {("status",): "paid"}),
    ]


class Fact(NamedTuple):
    value: Any
    table: str
    key: str
    path: tuple[str, ...]


def test_everything_in_a_listing_stays_everything(library: Package) -> None:
    task = task_of(library, "renew_all_loans")
    replay = GoldReplay(library)
    before = replay.play(task)
    for seed in range(8):
        after = replay.play({**task, "initial": distracted(library, task, seed)})
        assert after.steps[1].text == before.steps[1].text


def test_an_answer_is_still_in_the_result_that_gave_it(library: Package) -> None:
    task = task_of(library, "next_due_date")
    for seed in range(8):
        among = {**task, "initial": distracted(library, task, seed)}
        assert "2026-03-05" in GoldReplay(library).play(among).steps[1].text


def test_messages_in_gold_are_no_calls(retail: Package, retail_tasks: Tasks) -> None:
    task = retail_tasks[3]
    first, *rest = task["gold"]
    said = {"say": "Which order is it?"}
    spoken = [first, said, *(shifted(step) for step in rest)]
    talk = {**task, "gold": spoken, "person": {"facts": {}}, "goal": {"answers": []}}
    assert distracted(retail, talk) == distracted(retail, task)


def shifted(step: Mapping[str, Json]) -> dict[str, Json]:
    """Return a step whose references count one step more."""
    arguments = {
        name: {**value, "$step": value["$step"] + 1 if value["$step"] else 0}
        if isinstance(value, dict) and "$step" in value
        else value
        for name, value in step["arguments"].items()
    }
    return {**step, "arguments": arguments}


def test_the_same_random_numbers_give_the_same_rows(retail: Package, retail_tasks: Tasks) -> None:
    task = retail_tasks[3]
    one, other = distracted(retail, task, 3), distracted(retail, task, 3)
    assert one == other
    assert one != distracted(retail, task, 4)


def test_gold_that_does_not_run_is_named(library: Package) -> None:
    with pytest.raises(ValueError, match="Gold does not run"):
        distracted(library, calling("find_member", email="nobody@example.com"))


@pytest.mark.parametrize(
    ("key", "copied"),
    [
        ("{10_432 + 7 * n}", True),  # a number
        ("R-2026-{10_432 + 7 * n}", True),
        ("{deck}{n + 100}", False),  # made of another column
        ("{'abcdefghij'[n // 10]}{'abcdefghij'[n % 10]}", False),  # nothing in it can be another
    ],
)
def test_keys_that_are_not_minted(ferry: Callable[[str], Package], key: str, copied: bool) -> None:
    package = ferry(key)
    bookings = package.environment().state()["bookings"]
    code, booking = next(iter(bookings.items()))
    rows = distracted(package, calling("cancel_booking", code=code))
    assert bool(rows.get("bookings")) == copied
    for other, row in rows.get("bookings", {}).items():
        assert row["passenger_id"] == booking["passenger_id"]
        assert row["code"] == other
        assert other not in bookings
        assert len(other) == len(code)


IN_A_PROCESS = """
import json, random, sys
from pathlib import Path
from toolworld.packages import load_package
from toolworld.tasks.context import Distractors
package = load_package(Path(sys.argv[1]))
found = Distractors(package)
tables = lambda task: {row["table"] for row in task["goal"]["changes"]}
for task in [one for one in package.tasks() if len(tables(one)) > 1][:40]:
    print(json.dumps(found.add(task, random.Random(0), 2.0)))
"""
"""Prints near misses of tasks whose gold changes rows of several tables."""


def test_every_process_finds_the_same_near_misses() -> None:
    """Sets are in another order in each process: the rows that gold changes stood in one."""
    found = [
        subprocess.run(
            [sys.executable, "-c", IN_A_PROCESS, str(SERVERS / "retail")],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "3")
    ]
    assert found[0] == found[1]
    assert found[0].count(b"\n") == 40
