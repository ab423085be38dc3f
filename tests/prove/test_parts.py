"""Mutants, probes and limited children, each by itself."""

from __future__ import annotations

import ast
import time
from datetime import UTC, datetime
from typing import Any

import pytest

from toolworld.emit.jobs import ChildEnd, ChildError, Limits, Marker, run_all
from toolworld.prove.arrange import Arranger, beside, replaced
from toolworld.prove.code import Code
from toolworld.prove.facts import SeedRows
from toolworld.prove.lookups import LookUps
from toolworld.prove.mutants import mutants_of
from toolworld.prove.probes import Probes
from toolworld.prove.variation import chance

SOURCE = '''
MOST = 5

def _twice(value):
    return value * 2

def tool(db, item_id, count):
    """Says what it does."""
    row = db.items.get(item_id)
    if count < 1 or count > MOST:
        raise ValueError(f"{count} is not 1 to 5")
    db.items.update(item_id, count=_twice(count))
    return [n for n in range(count) if n != 3]
'''


ONE_LINE = "def tool(db, number):\n    return [n for n in range(number) if n > 1]\n"


def changes(name: str, kind: str) -> list[str]:
    return [m.change for m in mutants_of(Code({"tools.py": SOURCE}), name) if m.kind == kind]


def test_every_kind_of_mistake_is_made() -> None:
    assert changes("MOST", "constant") == ["5 became 6"]
    assert changes("_twice", "arithmetic") == ["* became + in: value * 2"]
    assert len(changes("tool", "comparison")) == 3
    assert len(changes("tool", "boundary")) == 2
    assert len(changes("tool", "dropped check")) == 1
    assert len(changes("tool", "dropped statement")) == 1
    assert len(changes("tool", "boolean operator")) == 1


def test_mutants_leave_docstrings_and_messages_alone() -> None:
    trees = [ast.unparse(mutant.tree) for mutant in mutants_of(Code({"tools.py": SOURCE}), "tool")]
    assert all("Says what it does." in tree for tree in trees)
    assert all("is not 1 to 5" in tree for tree in trees)
    assert len(set(trees)) == len(trees)


def test_a_constant_is_met_where_it_is_used() -> None:
    (mutant,) = mutants_of(Code({"tools.py": SOURCE}), "MOST")
    assert {line for line, _ in mutant.statements} == {10}


def test_probes_tell_the_branches_of_one_line_apart() -> None:
    code = Code({"tools.py": ONE_LINE})
    probes = Probes(code, ValueError)
    names: dict[str, Any] = {}
    exec(ast.unparse(code.functions["tool"]), names)  # noqa: S102 - text of this test
    tool = probes.functions(lambda _: names)["tool"]
    assert tool(None, 2) == []
    reached = {probes.sites[number].does for number in probes.seen}
    assert "filter is false" in reached
    assert "filter is true" not in reached
    assert tool(None, 3) == [2]
    assert "filter is true" in {probes.sites[number].does for number in probes.seen}
    assert (1, 2) in probes.pairs() or (2, 1) in probes.pairs()


LOOK_UPS = """
def _stock(db, item_id, count):
    row = db.items.get(item_id)
    db.items.update(item_id, count=row.count + count)

def _open(db, order_id):
    order = db.orders.get(order_id)
    if order.status != "open":
        raise ValueError("closed")
    return order

def restock(db, item_id, count):
    db.items.get(item_id)
    _stock(db, item_id, count)

def close(db, order_id, ids):
    order = _open(db, order_id)
    for item_id in ids:
        {first}
        _stock(db, item_id, 1)
    _stock(db, order.item_id, 1)
    db.orders.get(order_id)
"""


def lines_that_miss(source: str) -> list[int]:
    return sorted(line or 0 for line, _ in LookUps(Code({"tools.py": source}).functions).that_miss)


def test_a_look_up_that_every_caller_has_made_cannot_miss() -> None:
    assert lines_that_miss(LOOK_UPS.format(first="db.items.get(item_id)")) == [7, 13, 19]


def test_a_look_up_that_one_caller_has_not_made_can_miss() -> None:
    for first in ("pass", "db.orders.get(item_id)", "if ids[0]: db.items.get(item_id)"):
        assert 3 in lines_that_miss(LOOK_UPS.format(first=first))


def test_what_is_removed_or_named_anew_can_miss_again() -> None:
    looked_up = "def tool(db, item_id):\n    db.items.get(item_id)\n"
    for between in ("db.items.remove(item_id)", "item_id = item_id.strip()"):
        assert lines_that_miss(f"{looked_up}    {between}\n    db.items.get(item_id)") == [2, 4]
    assert lines_that_miss(f"{looked_up}    db.items.get(item_id)") == [2]


def ended(work: object, limits: Limits | None = None) -> ChildEnd:
    ((_, end),) = run_all([work], limits or Limits(), 1)  # type: ignore[list-item]
    return end


def test_a_child_gives_its_result_and_says_what_it_did() -> None:
    def work(marker: Marker) -> str:
        marker.set("thinking")
        return "done"

    assert ended(work) == ChildEnd("done", doing="thinking")


def test_a_child_over_its_limits_is_ended() -> None:
    assert ended(lambda _: time.sleep(60), Limits(job=0.2)).death == "does not come back"
    assert ended(lambda _: bytearray(10**10), Limits(memory=64)).death == "eats memory"


def test_an_error_of_our_own_is_raised() -> None:
    with pytest.raises(ChildError, match="ZeroDivisionError"):
        ended(lambda _: 1 // 0)


def test_a_value_is_put_in_the_place_of_another() -> None:
    row = {"at": "2026-03-02T09:00:00Z", "lines": [{"price": 5}]}
    assert replaced(row, 5, 6) == ({**row, "lines": [{"price": 6}]}, True)
    moved, done = replaced(row, "2026-03-02", "2026-04-01")
    assert done and moved["at"] == "2026-04-01T09:00:00Z"
    assert replaced(row, "other", "x") == (row, False)
    assert {beside(3, chance(seed)) for seed in range(20)} == {2, 3, 4}


def test_a_value_gives_way_to_another_of_its_column_two_names_away() -> None:
    users = {
        key: {"user_id": key, "role": "active", "status": status, "visits": 3}
        for key, status in (("USR-1", "active"), ("USR-2", "blocked"))
    }
    orders = {"ORD-1": {"order_id": "ORD-1", "user_id": "USR-1"}}
    world = SeedRows({"users": users, "orders": orders})
    arranger = Arranger(world, datetime(2026, 3, 2, tzinfo=UTC), [], chance(0))
    changed = {"users": {"USR-1": {**users["USR-1"], "status": "blocked"}}}
    assert arranger.unlike({"order_id": "ORD-1"}, {}, "active") == changed
    assert arranger.unlike({"order_id": "ORD-1"}, changed, "active") == {}
    assert arranger.unlike({"order_id": "ORD-2"}, {}, "active") == {}
