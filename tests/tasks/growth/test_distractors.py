"""Distractors are sound rows off the gold path, and gold does the same among them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from toolworld.emit import Package
from toolworld.tasks.chains.stage import rng_for
from toolworld.tasks.episodes import Episodes, Patch
from toolworld.tasks.growth.distractors import Distracted, Distractors
from toolworld.tasks.growth.settings import LEVELS, Level
from toolworld.tasks.growth.trial import Played, Spoilt, Trial

Json = Any


def task_of(package: Package, name: str) -> dict[str, Json]:
    (found,) = (task for task in package.tasks() if task["id"] == name)
    return found


def distracted(package: Package, task: Json, level: Level = "medium", seed: int = 0) -> Distracted:
    return Distractors(package).add(task, level, rng_for(seed))


def added(before: Patch, after: Patch) -> dict[str, dict[str, Json]]:
    return {
        table: {key: row for key, row in rows.items() if key not in before.get(table, {})}
        for table, rows in after.items()
    }


def check_every_row(package: Package, initial: Patch) -> None:
    """Check every rule on every row of a package with a patch."""
    environment, base = package.module("environment"), package.module("seed").default_base()
    database = package.module("models").Database(base, package.module("invariants").INVARIANTS)
    task = package.module("task").Task(id="all", instruction="", initial=initial)
    environment.apply_patch(database, task)
    for name, table in database.tables.items():
        for row in table.all():
            database.check(name, getattr(row, table.schema.key))


def test_every_row_keeps_every_rule_among_distractors(library: Package, retail: Package) -> None:
    for package, tasks in ((library, library.tasks()), (retail, retail.tasks()[9:42:4])):
        for task in tasks:
            check_every_row(package, distracted(package, task, "hard").initial)


def test_gold_changes_the_same_rows_in_the_same_way(library: Package, retail: Package) -> None:
    for package in (library, retail):
        trial = Trial(Episodes(package))
        for task in package.tasks()[::2]:
            before = trial.play(task["gold"], task["initial"])
            among = distracted(package, task, "hard")
            after = trial.play(among.gold, among.initial)
            assert before and after
            assert after.changes == before.changes
            assert [call.arguments for call in after.calls] == [
                call.arguments for call in before.calls
            ]


def test_rows_are_added_and_none_is_changed(retail: Package) -> None:
    task = task_of(retail, "found_it_cheaper")
    among = distracted(retail, task)
    tables = retail.module("seed").default_base().tables
    new = [(name, key) for name, rows in added({}, among.initial).items() for key in rows]
    assert len(new) == among.rows
    assert not [key for name, key in new if key in tables[name].rows]


def test_a_near_miss_is_another_paid_order_of_the_same_customer(retail: Package) -> None:
    among = distracted(retail, task_of(retail, "found_it_cheaper"))
    (order,) = among.initial["orders"].values()
    assert order
    assert (order["customer_id"], order["status"]) == ("CUS-00029", "paid")
    (payment,) = among.initial["payments"].values()
    assert payment
    assert (payment["order_id"], payment["amount"]) == (order["order_id"], order["total"])


def test_a_clone_can_be_told_from_the_rows_gold_names(library: Package) -> None:
    task = task_of(library, "coffee_on_a_book")
    loans = library.module("seed").default_base().tables["loans"].rows
    mine = next(row for row in loans.values() if row.member_id == "MEM-00002")
    for seed in range(8):
        among = distracted(library, task, "hard", seed)
        for loan in among.initial.get("loans", {}).values():
            assert loan
            assert loan["lent_at"] != mine.model_dump(mode="json")["lent_at"]


def test_harder_tasks_have_more(library: Package, retail: Package) -> None:
    for package in (library, retail):
        rows = {
            level: sum(distracted(package, task, level).rows for task in package.tasks()[::4])
            for level in LEVELS
        }
        assert 0 < rows["easy"] < rows["medium"] < rows["hard"]


def test_everything_in_a_listing_stays_everything(library: Package) -> None:
    task = task_of(library, "renew_all_loans")
    trial = Trial(Episodes(library))
    before = trial.play(task["gold"], {})
    for seed in range(8):
        among = distracted(library, task, "hard", seed)
        after = trial.play(among.gold, among.initial)
        assert before and after
        assert after.calls[1].result == before.calls[1].result


def test_a_closed_step_gives_the_same_to_the_last_row(retail: Package) -> None:
    task = task_of(retail, "found_it_cheaper")
    distractors, trial = Distractors(retail), Trial(Episodes(retail))
    before = trial.play(task["gold"], {})
    among = distractors.add(task, "hard", rng_for(0), closed={1})
    after = trial.play(among.gold, among.initial)
    assert before and after
    assert after.calls[1].result == before.calls[1].result
    assert among.rows > 0


def test_a_row_that_has_moved_in_a_listing_is_still_the_one(library: Package) -> None:
    task = task_of(library, "coffee_on_a_book")
    episodes = Episodes(library)
    trial = Trial(episodes)
    before = trial.play(task["gold"], {})
    assert before
    mine = before.calls[1].result["items"][0]
    earlier: Mapping[str, Json] = {
        **mine,
        "loan_id": "LOA-00000",
        "isbn": another_book(library, mine),
    }
    after = trial.replay(before, {"loans": {"LOA-00000": earlier}})
    assert isinstance(after, Played)
    assert after.gold[2]["arguments"] == {"loan_id": {"$step": 1, "path": "items.1.loan_id"}}
    assert after.changes == before.changes
    spoilt = trial.replay(before, {"loans": {"LOA-00000": earlier}}, closed={1})
    assert isinstance(spoilt, Spoilt)
    assert "LOA-00000" in spoilt.said


def another_book(package: Package, loan: Mapping[str, Json]) -> str:
    books = package.module("seed").default_base().tables["books"].rows
    return str(next(isbn for isbn in books if isbn != loan["isbn"]))


def test_a_row_that_makes_gold_do_something_else_is_refused(library: Package) -> None:
    task = task_of(library, "coffee_on_a_book")
    episodes = Episodes(library)
    trial = Trial(episodes)
    before = trial.play(task["gold"], {})
    assert before
    mine = before.calls[1].result["items"][0]
    returned = {**mine, "status": "returned", "returned_at": mine["lent_at"]}
    assert episodes.open({"loans": {mine["loan_id"]: returned}})  # sound, by itself
    assert isinstance(trial.replay(before, {"loans": {mine["loan_id"]: returned}}), Spoilt)


def test_the_same_random_numbers_give_the_same_rows(retail: Package) -> None:
    task = task_of(retail, "found_it_cheaper")
    one, other = distracted(retail, task, seed=3), distracted(retail, task, seed=3)
    assert one == other
    assert one != distracted(retail, task, seed=4)


def test_rows_of_the_task_s_own_patch_stay(library: Package) -> None:
    task = task_of(library, "next_due_date")
    among = distracted(library, task, "hard")
    assert task["initial"]["loans"].items() <= among.initial["loans"].items()


def test_gold_that_does_not_run_is_named(library: Package) -> None:
    gold = [{"tool": "find_member", "arguments": {"email": "nobody@example.com"}, "expect": "ok"}]
    with pytest.raises(ValueError, match="Gold does not run"):
        distracted(library, {"gold": gold, "initial": {}})
