"""Reads at a start are made once, and nobody can tell."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tasks.samples import GRETA, call, written
from toolworld.packages import Package
from toolworld.packages.task import read_task
from toolworld.tasks.execute.reads import StartReads

CALLS = [
    ("find_member", {"email": GRETA}),
    ("find_member", {"email": "nobody@example.org"}),
    ("search_books", {"query": 7}),
    ("find_member", {"email": GRETA}),
    ("list_member_loans", {"member_id": "MEM-00006", "status": "open"}),
    ("lend_book", {"member_id": "MEM-00006", "isbn": "9781000000007"}),
    ("list_member_loans", {"member_id": "MEM-00006"}),
]
LOANS = ("list_member_loans", {"member_id": "MEM-00006"})


def told(environment: Any) -> list[Any]:
    """Return what calls give, and the trace that they leave."""
    results = [environment.call(name, arguments) for name, arguments in CALLS]
    return [*results, *environment.trace]


def task(package: Package, **more: Any) -> Any:
    return read_task(package, written(package, "Please.", call("find_member", email=GRETA), **more))


def test_they_give_and_leave_the_same_as_reads_made_anew(library: Package) -> None:
    plain, once = library.environment(task(library)), StartReads(library).environment()
    wanted = told(plain)
    for _ in range(2):
        once.reset(task(library))
        assert told(once) == wanted


def test_after_a_write_they_see_what_is_there_now(library: Package) -> None:
    once = StartReads(library).environment()
    once.reset(task(library))
    before = once.call(*LOANS)
    assert once.call("lend_book", {"member_id": "MEM-00006", "isbn": "9781000000007"}).text
    after = once.call(*LOANS)
    once.reset()
    assert before != after
    assert once.call(*LOANS) == before


def test_another_start_is_read_anew_in_whatever_environment(library: Package) -> None:
    reads = StartReads(library)
    one, other = reads.environment(), reads.environment()
    row = library.environment().state()["members"]["MEM-00006"]
    one.reset(task(library))
    other.reset(task(library, initial={"members": {"MEM-00006": {**row, "name": "Another"}}}))
    arguments = {"email": row["email"]}
    assert "Another" not in one.call("find_member", arguments).text
    assert "Another" in other.call("find_member", arguments).text
    assert "Another" not in one.call("find_member", arguments).text


def test_a_tool_that_a_task_has_not_is_unknown_all_the_same(library: Package) -> None:
    reads = StartReads(library)
    everything, less = reads.environment(), reads.environment()
    everything.reset(task(library))
    everything.call(*LOANS)
    unknown = library.module("errors").UnknownTool
    less.restore(everything.snapshot()._replace(task=task(library, tools=["find_member"])))
    with pytest.raises(unknown):
        less.call(*LOANS)
