"""An episode: transactions, resets that are total, forks, seeds, patches, and errors."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.fuzz.episode import Call, Fuzzer
from toolworld.packages import Package

MEMBER, OPEN_LOAN, FREE_BOOK = "MEM-00001", "LOA-00004", "9781000000002"
BLOCKED = "MEM-00009"
NO_BOOK = {"title": "", "author": "", "copies": 1}


@pytest.fixture
def environment(library: Package) -> Any:
    return library.environment()


@pytest.fixture(scope="module")
def errors(library: Package) -> Any:
    return library.module("errors")


@pytest.fixture(scope="module")
def fuzzer(library: Package) -> Fuzzer:
    return Fuzzer(library)


def face(environment: Any) -> str:
    """Return everything an episode shows, as one text."""
    shown = {
        "state": environment.state(),
        "digest": environment.digest(),
        "diff": [change.as_json() for change in environment.diff()],
        "tools": environment.tools,
        "task": environment.task and environment.task.id,
    }
    return json.dumps(shown, sort_keys=True)


def lend(environment: Any, **more: object) -> Any:
    return environment.call("lend_book", {"member_id": MEMBER, "isbn": FREE_BOOK, **more})


def minimal_task(**parts: object) -> dict[str, object]:
    return {"id": "mine", "instruction": "Do it.", **parts}


# Calls


def test_a_call_gives_its_row_and_changes_the_state(environment: Any) -> None:
    before = environment.digest()
    result = lend(environment, note="Torn.")
    assert (result.outcome, result.is_error) == ("ok", False)
    row = result.structured
    assert environment.state()["loans"][row["loan_id"]] == row == json.loads(result.text)
    assert environment.digest() != before
    (change,) = environment.diff()
    assert change.as_json() == {
        "table": "loans", "key": row["loan_id"], "before": None, "after": row,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("tool", "arguments", "outcome", "says"),
    [
        ("lend_book", {"member_id": BLOCKED, "isbn": FREE_BOOK}, "rejected", "blocked"),
        ("renew_loan", {"loan_id": "LOA-99999"}, "rejected", 'No loan has the loan_id "LOA-99999"'),
        ("renew_loan", {"loan_id": "x" * 200}, "rejected", "x" * 60 + '"'),
        ("renew_loan", {}, "invalid", "loan_id"),
        ("renew_loan", {"loan_id": 4}, "invalid", "loan_id"),
        ("renew_loan", None, "invalid", "loan_id"),
    ],
)
def test_a_call_that_fails_changes_nothing(
    environment: Any, tool: str, arguments: Any, outcome: str, says: str
) -> None:
    before = face(environment)
    result = environment.call(tool, arguments)
    assert (result.outcome, result.is_error, result.structured) == (outcome, True, {})
    assert says in result.text
    assert face(environment) == before


def broken_tool(then: Callable[[Any], object]) -> Callable[..., object]:
    """Return a tool that writes to three tables and then goes wrong."""

    def renew_loan(db: Any, loan_id: str) -> object:
        db.holds.remove(db.holds.all()[0].hold_id)
        db.members.update(MEMBER, name="Nobody")
        db.loans.add(**{**db.loans.get(loan_id).__dict__, "loan_id": "LOA-77777"})
        return then(db)

    return renew_loan


@pytest.mark.parametrize(
    ("then", "error"),
    [
        (lambda db: 1 / 0, ZeroDivisionError),
        (lambda db: exec("raise KeyboardInterrupt"), KeyboardInterrupt),  # noqa: S102
        (lambda db: db.loans.update("LOA-77777", nope=1), "IntegrityError"),
        (lambda db: db.loans.update("LOA-77777", isbn="nope"), "IntegrityError"),
        (
            lambda db: db.members.update("MEM-00002", email="ada.brook1@example.com"),
            "IntegrityError",
        ),
        (lambda db: db.books.remove(FREE_BOOK), "IntegrityError"),
        (lambda db: db.loans.update("LOA-77777", fine=7), "IntegrityError"),
        (lambda db: db.loans.add(loan_id="LOA-77777"), "IntegrityError"),
        (lambda db: object(), "PydanticSerializationError"),
    ],
)
def test_a_tool_that_breaks_leaves_no_trace(
    environment: Any, monkeypatch: pytest.MonkeyPatch, then: Any, error: Any
) -> None:
    monkeypatch.setitem(environment._tools, "renew_loan", broken_tool(then))
    before = face(environment)
    with pytest.raises(BaseException) as raised:
        environment.call("renew_loan", {"loan_id": OPEN_LOAN})
    assert raised.type is error or raised.type.__name__ == error
    assert face(environment) == before
    assert lend(environment).structured["loan_id"] == "LOA-00027"


def test_an_unknown_tool_is_an_error_of_its_own(environment: Any, errors: Any) -> None:
    names: list[object] = ["nope", "", "_open_loan", "money", "x" * 1_000_000, {}, [1], None, 7]
    for name in names:
        with pytest.raises(errors.UnknownTool) as raised:
            environment.call(name, {})
        assert len(str(raised.value)) < 200


def test_reads_leave_no_trace(environment: Any) -> None:
    before, moment = face(environment), environment.snapshot()
    for tool, arguments in (
        ("find_member", {"email": "ada.brook1@example.com"}),
        ("search_books", {"query": "the"}),
        ("list_member_loans", {"member_id": MEMBER}),
    ):
        assert environment.call(tool, arguments).outcome == "ok"
    assert face(environment) == before
    assert environment.snapshot() == moment


def test_what_an_episode_gives_out_is_not_the_state(environment: Any) -> None:
    task_before = environment.task
    result = lend(environment)
    moment, before = environment.snapshot(), face(environment)
    result.structured["fees"].append("mine")
    result.structured.clear()
    state = environment.state()
    state["loans"][OPEN_LOAN]["fees"].append("mine")
    state.clear()
    environment.diff()[0].after["status"] = "lost"
    for tool in environment.tools:
        tool["inputSchema"]["properties"].clear()
        tool.clear()
    environment.tools.clear()
    assert face(environment) == before
    assert environment.snapshot() == moment and environment.task is task_before


def test_rows_are_not_to_be_changed(environment: Any) -> None:
    row = environment._database.loans.get(OPEN_LOAN)
    for change in (
        lambda: setattr(row, "status", "lost"),
        lambda: setattr(row, "nope", 1),
        lambda: delattr(row, "status"),
        lambda: row.fees.append(1),
    ):
        with pytest.raises((AttributeError, ValueError)):
            change()


# Resets


steps = st.lists(
    st.tuples(
        st.sampled_from(
            ["lend_book", "renew_loan", "return_loan", "charge_fee", "place_hold", "cancel_hold"]
        ),
        st.integers(0, 2**32 - 1),
    ),
    max_size=12,
)


def play(environment: Any, calls: list[Call]) -> list[str]:
    return [environment.call(tool, arguments).text for tool, arguments in calls]


@settings(max_examples=40)
@given(steps=steps, chosen=st.sampled_from([None, "next_due_date"]), seed=st.integers(-3, 10**6))
def test_a_reset_is_total(fuzzer: Fuzzer, steps: Any, chosen: str | None, seed: int) -> None:
    """Whatever was done, the next episode in the same instance is as a new one."""
    calls = fuzzer.run(steps).calls
    fresh = fuzzer.package.environment(chosen, seed)
    start, texts = face(fresh), play(fresh, calls)
    end = face(fresh)

    pooled = fuzzer.package.environment(chosen and "wait_for_a_book", 5)
    play(pooled, calls)
    pooled.reset(task=chosen, seed=seed)
    assert face(pooled) == start
    assert (play(pooled, calls), face(pooled)) == (texts, end)
    pooled.reset()
    assert face(pooled) == start
    assert (play(pooled, calls), face(pooled)) == (texts, end)


@settings(max_examples=25)
@given(first=steps, second=steps, third=steps)
def test_forks_and_snapshots_are_apart(fuzzer: Fuzzer, first: Any, second: Any, third: Any) -> None:
    one = fuzzer.package.environment("next_due_date", 3)
    play(one, fuzzer.run(first).calls)
    at_fork, moment = face(one), one.snapshot()
    other = one.fork()
    assert face(other) == at_fork
    play(other, fuzzer.run(second).calls)
    assert face(one) == at_fork
    other_face = face(other)
    calls = fuzzer.run(third).calls
    texts = play(one, calls)
    assert face(other) == other_face
    other.restore(moment)
    assert face(other) == at_fork
    assert play(other, calls) == texts
    assert face(other) == face(one)


def test_a_snapshot_keeps_its_moment(environment: Any) -> None:
    moment = environment.snapshot()
    kept = copy.deepcopy(moment.state.changes)
    lend(environment)
    environment.restore(moment)
    lend(environment)
    assert moment.state.changes == kept


def test_a_reset_that_cannot_be_done_changes_nothing(environment: Any, errors: Any) -> None:
    lend(environment)
    before = face(environment)
    for task, error in (
        ("nope", errors.UnknownTask),
        (minimal_task(initial={"nope": {}}), errors.BadTask),
        (minimal_task(initial={"loans": {OPEN_LOAN: {"status": "lost"}}}), errors.BadTask),
        (minimal_task(tools=["nope"]), errors.BadTask),
        ({"id": "mine"}, errors.BadTask),
    ):
        with pytest.raises(error):
            environment.reset(task=task, seed=9)
        assert face(environment) == before
    assert lend(environment, member_id="MEM-00002").structured["loan_id"] == "LOA-00028"


# Seeds


def test_a_seed_varies_new_keys_and_nothing_else(library: Package) -> None:
    plain = library.environment()
    rows = []
    for seed in range(5):
        environment = library.environment(None, seed)
        assert (environment.state(), environment.digest()) == (plain.state(), plain.digest())
        rows.append(lend(environment).structured)
    keys = [row.pop("loan_id") for row in rows]
    assert keys[0] == "LOA-00027" and len(set(keys)) == 5
    assert all(row == rows[0] for row in rows)


def test_a_failed_call_uses_up_no_key(environment: Any) -> None:
    assert environment.call("lend_book", {"member_id": BLOCKED, "isbn": FREE_BOOK}).is_error
    assert lend(environment).structured["loan_id"] == "LOA-00027"


# Tasks


def test_a_task_starts_where_its_patch_says(library: Package) -> None:
    row = library.environment().state()["holds"]["HLD-00001"]
    start = {"holds": {"HLD-00001": None, "HLD-00099": {**row, "hold_id": "HLD-00099"}}}
    environment = library.environment(minimal_task(initial=start))
    holds = environment.state()["holds"]
    assert "HLD-00001" not in holds and holds["HLD-00099"]["isbn"] == row["isbn"]
    assert environment.diff() == []
    environment.call("cancel_hold", {"hold_id": "HLD-00099"})
    (change,) = environment.diff()
    assert (change.key, change.before["isbn"], change.after) == ("HLD-00099", row["isbn"], None)
    environment.reset()
    assert environment.state()["holds"] == holds


def test_new_keys_are_not_those_of_the_patch(library: Package) -> None:
    row = library.environment().state()["loans"]["LOA-00001"]
    start = {"loans": {"LOA-00027": {**row, "loan_id": "LOA-00027"}}}
    environment = library.environment(minimal_task(initial=start))
    assert lend(environment).structured["loan_id"] == "LOA-00028"


@pytest.mark.parametrize(
    ("initial", "says"),
    [
        ({"nope": {}}, "nope"),
        ({"loans": {OPEN_LOAN: {"status": "lost"}}}, "Field required"),
        ({"members": {MEMBER: None}}, "still names it"),
        ({"members": {"MEM-99999": None}}, "MEM-99999"),
        ({"books": {"1": {"isbn": "2", **NO_BOOK, "price": 1}}}, "isbn"),
        ({"books": {"1": {"isbn": "1", **NO_BOOK, "price": "1"}}}, "price"),
        ({"members": {"M": {"member_id": "M", "name": "", "email": "ada.brook1@example.com",
                            "joined_on": "2020-01-01", "blocked": False}}}, "email"),
    ],
)  # fmt: skip
def test_a_patch_that_does_not_fit_is_refused(
    library: Package, errors: Any, initial: Any, says: str
) -> None:
    with pytest.raises(errors.BadTask) as raised:
        library.environment(minimal_task(initial=initial))
    assert says in str(raised.value) and '"mine"' in str(raised.value)


def test_a_task_may_leave_tools_out(library: Package, errors: Any) -> None:
    environment = library.environment(minimal_task(tools=["renew_loan", "find_member"]))
    assert [tool["name"] for tool in environment.tools] == ["find_member", "renew_loan"]
    with pytest.raises(errors.UnknownTool):
        lend(environment)
    assert environment.call("renew_loan", {"loan_id": "x"}).outcome == "rejected"


@pytest.mark.parametrize("task", ["nope", "", "x" * 1_000_000])
def test_an_unknown_task_is_an_error_of_its_own(library: Package, errors: Any, task: str) -> None:
    with pytest.raises(errors.UnknownTask) as raised:
        library.environment(task)
    assert len(str(raised.value)) < 200


@pytest.mark.parametrize(
    "task",
    [
        {},
        {"id": "mine"},
        minimal_task(nope=1),
        minimal_task(gold=[{"tool": "renew_loan", "expect": "maybe"}]),
        minimal_task(tools=["nope"]),
        minimal_task(initial=[]),
    ],
)
def test_a_task_that_is_none_is_refused(library: Package, errors: Any, task: Any) -> None:
    with pytest.raises(errors.BadTask):
        library.environment(task)


def test_without_a_task_there_is_no_grade(environment: Any, errors: Any) -> None:
    with pytest.raises(errors.BadTask):
        environment.grade("Done.")


def test_changes_are_in_table_and_key_order(library: Package) -> None:
    row = library.environment().state()["books"][FREE_BOOK]
    keys = ["9", "10", "2"]
    start = {"books": {key: {**row, "isbn": key} for key in keys}}
    environment = library.environment(minimal_task(initial=start))
    environment._database.books.remove("10")
    environment._database.books.update("9", copies=2)
    environment._database.books.remove("2")
    environment._database.loans.remove("LOA-00001")
    environment._database.commit()
    changed = [(change.table, change.key) for change in environment.diff()]
    assert changed == [("books", "2"), ("books", "9"), ("books", "10"), ("loans", "LOA-00001")]
