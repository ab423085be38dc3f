"""A task's patch is read once: each later opening of the task is the same, and its own."""

from __future__ import annotations

import gc
from typing import Any

import pytest

from toolworld.packages import Package

LOAN = "LOA-00001"


@pytest.fixture
def task(library: Package) -> Any:
    """A task that starts with a loan gone."""
    loans = library.environment().state()["loans"]
    initial = {"loans": {LOAN: {**loans[LOAN], "renewals": 1}}}
    return library.modules.task.Task(id="renewed", instruction="", initial=initial)


def test_a_task_opened_again_starts_at_the_same_state(library: Package, task: Any) -> None:
    first, second = library.environment(task), library.environment(task)
    assert first.state()["loans"][LOAN]["renewals"] == 1
    assert second.state() == first.state()
    assert second.digest() == first.digest() != library.environment().digest()
    assert second.diff() == []


def test_what_an_episode_changes_is_not_in_the_next(library: Package, task: Any) -> None:
    first, second = library.environment(task), library.environment(task)
    before = second.digest()
    table = first._database.loans
    table.update(LOAN, renewals=0)
    first._database.commit()
    assert [change.key for change in first.diff()] == [LOAN]
    assert second.digest() == library.environment(task).digest() == before
    first.reset(task)
    assert first.digest() == before


def test_another_database_has_openings_of_its_own(library: Package, task: Any) -> None:
    library.environment(task)
    own = library.module("database.seed").default_base()
    other = type(own)(own.clock, {**own.tables, "loans": type(own.tables["loans"])(
        own.tables["loans"].schema,
        [row.changed({"renewals": 2}) for row in own.tables["loans"].rows.values()],
    )})  # fmt: skip
    loans = library.modules.environment.Environment(task, base=other).state()["loans"]
    assert loans.pop(LOAN)["renewals"] == 1
    assert {loan["renewals"] for loan in loans.values()} == {2}


def test_nothing_is_kept_of_a_task_that_is_gone(library: Package, task: Any) -> None:
    openings = library.module("tasks.openings").Openings()
    database = library.environment(task)._database
    copy = task.model_copy()
    openings.keep(copy, database.snapshot())
    assert openings.of(copy) is not None and openings.of(task) is None
    del copy
    gc.collect()
    assert not openings._kept
