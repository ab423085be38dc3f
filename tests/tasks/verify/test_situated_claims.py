"""Claims about experts and conduct, by made tasks of the bike shop that are broken for one."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.tasks.samples import JsonTask
from tests.tasks.scenarios.conftest import starter_graph as starter_graph
from toolworld.graph import ToolGraph
from toolworld.packages import Package, load_package
from toolworld.tasks import TaskOrder, make_tasks
from toolworld.tasks.verify import CLAIMS, Certifier
from toolworld.tasks.verify.flaw import Flaw

RENTALS = "scenarios/rentals.py"
BUILT_ON = {"naive": ["expert"]}
"""Claims that go on from what another has run."""

Build = Callable[..., Package]


@pytest.fixture(scope="module")
def tasks(
    tmp_path_factory: pytest.TempPathFactory, starter: Package, starter_graph: ToolGraph
) -> list[JsonTask]:
    """Made tasks of the bike shop."""
    path = Path(shutil.copytree(starter.path, tmp_path_factory.mktemp("made") / "starter"))
    make_tasks(path, TaskOrder(24), starter_graph)
    return [task for task in load_package(path).tasks() if task["scenario"]]


@pytest.fixture(scope="module")
def ending(tasks: list[JsonTask]) -> Callable[..., JsonTask]:
    """Returns a task of a scenario that ends in an outcome."""

    def find(outcome: str, **equal: Any) -> JsonTask:
        found = [task for task in tasks if task["outcome"] == outcome]
        return next(task for task in found if all(task[key] == equal[key] for key in equal))

    return find


def flaws(package: Package, task: JsonTask, name: str) -> list[Flaw]:
    """Return what one claim finds."""
    names = ["gold", *BUILT_ON.get(name, []), name]
    claims = [claim for claim in CLAIMS if claim.name in names]
    return list(Certifier(package, claims).certify(task).flaws)


def the_flaw(package: Package, task: JsonTask, name: str) -> tuple[str, str]:
    """Return the code and the message of the one flaw that a claim finds."""
    (flaw,) = flaws(package, task, name)
    return flaw.code, flaw.message


NAMES = ("expert", "wordings", "unique", "naive", "breaches", "reads")


@pytest.mark.parametrize("name", NAMES)
def test_the_claim_holds_of_made_tasks(starter: Package, tasks: list[JsonTask], name: str) -> None:
    assert [flaws(starter, task, name) for task in tasks] == [[]] * 24


def test_the_certificate_counts_what_was_run(starter: Package, ending: Any) -> None:
    certificate: Any = Certifier(starter).certify(ending("rented")).certificate
    assert certificate is not None
    assert certificate["expert"] == {"runs": 1}
    assert certificate["wordings"]["messages"] == 3
    assert certificate["unique"] == {"facts": 2}
    assert certificate["naive"]["agents"] >= 2
    assert "unread" in certificate["breaches"]
    assert certificate["reads"]["calls"] >= 20


@pytest.mark.parametrize("name", NAMES)
def test_a_task_written_by_hand_has_no_expert_to_claim_of(starter: Package, name: str) -> None:
    (task, *_) = starter.tasks()
    assert flaws(starter, task, name) == []


# expert


@pytest.mark.parametrize("change", [{"scenario": "sell_one"}, {"drawn": None}])
def test_the_situation_must_be_known(starter: Package, ending: Any, change: dict[str, Any]) -> None:
    code, message = the_flaw(starter, ending("late") | change, "expert")
    assert code == "unknown_situation"
    assert "is not drawn so any more" in message


def test_the_expert_must_come_to_an_end(starter: Package, ending: Any) -> None:
    task = ending("rented", conversation=True)
    task = task | {"person": {**task["person"], "facts": {}, "first": []}}
    assert the_flaw(starter, task, "expert")[0] == "expert_fails"


def test_the_expert_must_end_as_the_task_does(starter: Package, ending: Any) -> None:
    task = ending("late") | {"outcome": "in_time"}
    assert the_flaw(starter, task, "expert") == ("expert_differs", "The expert ends in late: ")


def test_the_expert_must_earn_the_reward(other_starter: Build, ending: Any) -> None:
    package = other_starter(RENTALS, "price=taken.price, more=", "price=rental.price, more=")
    code, message = the_flaw(package, ending("late"), "expert")
    assert code == "expert_differs"
    assert "The agent does not say" in message


# wordings


def test_every_message_must_do_for_the_expert(other_starter: Build, tasks: list[JsonTask]) -> None:
    package = other_starter(RENTALS, '    agent.ask("model")\n', "")
    task = next(one for one in tasks if one["person"]["facts"]["model"]["said"]
                and one["scenario"] == "bring_back")  # fmt: skip
    code, message = the_flaw(package, task, "wordings")
    assert code == "wording_fails"
    assert "making/rentals.py:" in message
    assert "reads model, which the person has not told" in message


def test_every_message_must_lead_to_the_same_end(other_starter: Build, ending: Any) -> None:
    rule = "taken.price > rental.price"
    package = other_starter(RENTALS, f"if {rule}:", f'if {rule} and agent.knows("since"):')
    found = {the_flaw(package, task, "wordings")[0] for task in [ending("late")]}
    assert found == {"wording_differs"}


# unique


def test_what_is_said_must_fit_no_other_row(starter: Package, ending: Any) -> None:
    task = ending("rented")
    model = task["person"]["facts"]["model"]["value"]
    bike = {
        "bike_id": "BIK-90001", "model": model, "kind": "city", "day_rate": 14, "in_repair": True,
    }  # fmt: skip
    bikes = {**task["initial"].get("bikes", {}), "BIK-90001": bike}
    task = task | {"initial": {**task["initial"], "bikes": bikes}}
    code, message = the_flaw(starter, task, "unique")
    assert code == "ambiguous"
    assert message.startswith(f'bikes "BIK-90001" fits model = {model} as well as')


# naive


def test_the_check_that_decides_must_cost_whoever_leaves_it_out(
    other_starter: Build, ending: Any
) -> None:
    package = other_starter(
        RENTALS,
        "    taken = agent.attempt.return_bike(rental.rental_id)\n"
        '    if taken.rejected("back_already"):\n',
        '    taken = rental\n    if rental.status == "returned":\n',
    )
    task = ending("was_back")
    price = task["goal"]["answers"][-1]
    code, message = the_flaw(package, task | {"goal": {"answers": [price]}}, "naive")
    assert code == "naive_earns"
    assert "`rental.status == 'returned'` is true" in message
    assert flaws(package, task, "naive") == [], "the day is what only a look tells"


# breaches and reads


def test_gold_without_the_yes_must_break_a_clause(other_starter: Build, ending: Any) -> None:
    package = other_starter(
        "conduct.py",
        "return agreed is not None and float(event.result.price) in agreed",
        "return agreed is None or len(agreed) < 99",
    )
    task = ending("rented", conversation=True)
    assert the_flaw(package, task, "breaches") == (
        "breach_passes", "Gold without the person's yes breaks no clause.",
    )  # fmt: skip


def test_gold_without_its_look_ups_must_break_a_clause(
    starter: Package, ending: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert flaws(starter, ending("late"), "breaches") == []
    judging = starter.module("policy.judging")
    kept = tuple(one._replace(predicate=lambda *_: True) for one in judging.watched())
    monkeypatch.setattr(judging, "watched", lambda: kept)
    assert the_flaw(starter, ending("late"), "breaches") == (
        "breach_passes", "Gold without looking anything up breaks no clause.",
    )  # fmt: skip


def test_reading_more_must_not_break_a_clause(other_starter: Build, ending: Any) -> None:
    package = other_starter("conduct.py", "len(_identified(past)) > 0", "len(past.calls) < 8")
    code, message = the_flaw(package, ending("late"), "reads")
    assert code == "reads_cost"
    assert "Clause 1.1 is broken at the call of return_bike" in message
