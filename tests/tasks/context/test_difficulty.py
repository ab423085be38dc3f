"""What makes a task hard is counted, and its level follows from published thresholds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from toolworld.packages import Package
from toolworld.tasks.context import LEVELS, Difficulty, Figures
from toolworld.tasks.context.difficulty import HARD_POINTS, MEDIUM_POINTS, THRESHOLDS
from toolworld.tasks.context.replay import GoldReplay

PLAIN = Figures(1, 1, 0, 1, 0, 0, 3)


def with_gold(*gold: Any) -> dict[str, Any]:
    return {"id": "measured", "instruction": "Please.", "gold": list(gold)}


def measured(library: Package, task: Any, near_miss_rows: int = 0) -> Figures:
    return Difficulty(library).of(GoldReplay(library).play(task), near_miss_rows)


def test_gold_is_measured_by_running_it(library: Package) -> None:
    tasks = {task["id"]: task for task in library.tasks()}
    renewing = measured(library, tasks["renew_all_loans"])
    assert (renewing.calls, renewing.dependent_writes) == (4, 1)  # two loans: neither builds
    assert renewing.compared >= 3  # the member and both loans
    assert measured(library, tasks["next_due_date"]).dependent_writes == 0


def test_writes_that_name_what_others_changed_depend_on_them(library: Package) -> None:
    lent = {"member_id": "MEM-00001", "isbn": "9781000000001"}
    gold = [
        {"tool": "lend_book", "arguments": lent},
        {"tool": "renew_loan", "arguments": {"loan_id": {"$step": 0, "path": "loan_id"}}},
    ]
    assert measured(library, with_gold(*gold)).dependent_writes == 2


def test_what_the_person_holds_back_and_how_they_behave_counts(library: Package) -> None:
    person = {
        "facts": {
            name: {"says": name, "value": name, "said": name == "email"}
            for name in ("email", "reason", "day")
        },
        "behaviours": ["insists"],
    }
    task = {**with_gold(), "person": person, "clauses": ["1.1", "2.3"]}
    found = measured(library, task, near_miss_rows=12)
    assert (found.held_back, found.behaviours, found.clauses) == (2, 1, 2)
    assert found.near_miss_rows == 12
    assert found.as_json() == {"level": found.level, "compared": 0, "dependent_writes": 0,
                               "near_miss_rows": 12, "clauses": 2, "held_back": 2,
                               "behaviours": 1, "calls": 0}  # fmt: skip


@pytest.mark.parametrize("name", THRESHOLDS)
def test_each_figure_gives_a_point_and_another(name: str) -> None:
    first, second = THRESHOLDS[name]
    points = [
        replace(PLAIN, **{name: number}).points for number in (first - 1, first, second - 1, second)
    ]
    lowest = points[0]
    assert points == [lowest, lowest + 1, lowest + 1 + (second - 1 < first), lowest + 2]


def test_the_level_follows_from_the_points() -> None:
    tasks = [PLAIN]
    for name, (_, second) in THRESHOLDS.items():
        tasks.append(replace(tasks[-1], **{name: second}))
    levels = [task.level for task in tasks]
    assert sorted(levels, key=LEVELS.index) == levels
    assert set(levels) == set(LEVELS)
    for task in tasks:
        assert (task.points >= HARD_POINTS) == (task.level == "hard")
        assert (task.points < MEDIUM_POINTS) == (task.level == "easy")


def test_gold_that_does_not_run_is_named(library: Package) -> None:
    gold = [{"tool": "find_member", "arguments": {"email": "nobody@example.com"}}]
    with pytest.raises(ValueError, match="Gold does not run"):
        measured(library, with_gold(*gold))
