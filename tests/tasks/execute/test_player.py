"""The runner of gold: what steps give, and where gold leads with one thing changed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tasks.samples import FARID, GRETA, call, taken, written
from toolworld.packages import Package
from toolworld.packages.task import read_task
from toolworld.tasks.execute import Player, Playthrough

FEE = {"reason": "damaged", "amount": 4.5, "charged_on": "2026-03-02"}


@pytest.fixture(scope="module")
def player(library: Package) -> Player:
    return Player(library)


def played(library: Package, player: Player, *gold: Any, **more: Any) -> Playthrough:
    return player.play(read_task(library, written(library, "Please.", *gold, **more)))


@pytest.fixture
def swapped(library: Package, player: Player) -> Playthrough:
    """Farid gives up a hold and borrows another book."""
    return played(
        library,
        player,
        call("find_member", email=FARID),
        call("cancel_hold", hold_id="HLD-00005"),
        call("search_books", query="A Cedar Year"),
        call("lend_book", member_id=taken(0, "member_id"), isbn=taken(2, "items.0.isbn")),
    )


def test_it_tells_what_each_step_gave(player: Player, swapped: Playthrough) -> None:
    assert [step.outcome for step in swapped.steps] == ["ok"] * 4
    assert [step.wrote for step in swapped.steps] == [False, True, False, True]
    assert swapped.steps[3].arguments == {"member_id": "MEM-00006", "isbn": "9781000000007"}
    assert swapped.steps[3].structured["loan_id"] == "LOA-00027"
    assert player.grade(swapped).reward == 1.0


def test_it_keeps_apart_the_steps_that_make_a_difference(swapped: Playthrough) -> None:
    assert [step.index for step in swapped.writes] == [1, 3]
    assert swapped.needed == {0, 1, 2, 3}
    assert swapped.referred == {0, 2}
    assert swapped.first_minting == 3


def test_a_look_up_that_nothing_rests_on_is_not_needed(library: Package, player: Player) -> None:
    run = played(
        library,
        player,
        call("find_member", email=FARID),
        call("cancel_hold", hold_id="HLD-00005"),
    )
    assert run.needed == {1}
    assert run.first_minting is None


def test_without_a_write_the_goal_is_missed(player: Player, swapped: Playthrough) -> None:
    assert not player.without(swapped, 1).reached
    assert not player.without(swapped, 3).reached


def test_without_a_look_up_what_rests_on_it_cannot_be_called(
    player: Player, swapped: Playthrough
) -> None:
    assert not player.without(swapped, 0).reached


def test_with_other_arguments_it_ends_elsewhere(player: Player, swapped: Playthrough) -> None:
    ending = player.instead(swapped, 1, {"hold_id": "HLD-00001"})
    assert (ending.reached, ending.refused) == (False, False)


def test_with_the_same_arguments_it_ends_the_same(player: Player, swapped: Playthrough) -> None:
    assert player.instead(swapped, 1, {"hold_id": "HLD-00005"}).same


def test_a_refused_call_is_told(player: Player, swapped: Playthrough) -> None:
    assert player.instead(swapped, 1, {"hold_id": "HLD-99999"}).refused
    assert player.plus(swapped, "cancel_hold", {"hold_id": "HLD-00005"}).refused


def test_another_value_in_a_free_column_reaches_the_goal(
    player: Player, swapped: Playthrough
) -> None:
    arguments = {**swapped.steps[3].arguments, "desk": "children"}
    ending = player.instead(swapped, 3, arguments)
    assert (ending.reached, ending.same, ending.free) == (True, False, True)


def test_what_is_taken_from_a_changed_step_follows_it(library: Package, player: Player) -> None:
    run = played(
        library,
        player,
        call("return_loan", loan_id="LOA-00010"),
        call("charge_fee", loan_id=taken(0, "loan_id"), fee=FEE),
    )
    ending = player.instead(run, 0, {"loan_id": "LOA-00014"})
    assert (ending.reached, ending.refused) == (False, False)


def test_independent_steps_can_be_reordered(player: Player, swapped: Playthrough) -> None:
    ending = player.reorder(swapped, [1, 0, 2, 3])
    assert (ending.reached, ending.same) == (True, True)


def test_a_step_that_needs_an_earlier_one_strays(player: Player, swapped: Playthrough) -> None:
    ending = player.reorder(swapped, [0, 3, 1, 2])
    assert (ending.reached, ending.strayed) == (False, 3)


def test_one_more_write_misses_the_goal(player: Player, swapped: Playthrough) -> None:
    ending = player.plus(swapped, "cancel_hold", {"hold_id": "HLD-00001"})
    assert (ending.reached, ending.same, ending.refused) == (False, False, False)


def test_another_seed_varies_the_new_keys_alone(player: Player, swapped: Playthrough) -> None:
    other = player.reseed(swapped, 1)
    assert other.steps[:3] == swapped.steps[:3]
    assert other.steps[3].structured["loan_id"] != "LOA-00027"
    assert player.grade(other).reward == 1.0
    assert player.reseed(swapped, 0).steps[3].structured == swapped.steps[3].structured


def test_a_new_key_that_is_spelled_out_fails_with_another_seed(
    library: Package, player: Player
) -> None:
    run = played(
        library,
        player,
        call("lend_book", member_id="MEM-00006", isbn="9781000000007"),
        call("return_loan", loan_id="LOA-00027"),
    )
    assert player.grade(run).reward == 1.0
    assert player.reseed(run, 1).steps[1].outcome == "rejected"


@pytest.mark.parametrize(
    ("step", "outcome"),
    [
        (call("return_loan", loan_id=taken(0, "items.7.loan_id")), "unresolved"),
        (call("return_all_loans"), "unknown"),
        (call("return_loan", loan_id=3), "invalid"),
        (call("return_loan", loan_id="LOA-99999"), "rejected"),
    ],
)
def test_a_step_that_cannot_be_made_is_told(
    library: Package, player: Player, step: dict[str, Any], outcome: str
) -> None:
    gold = [call("find_member", email=GRETA), step]
    task = {"id": "odd", "instruction": "Please.", "gold": gold}
    found = player.play(read_task(library, task)).steps[1]
    assert found.outcome == outcome
    assert not found.as_expected
    assert str(found).startswith(f"step 1, {step['tool']}")


def test_a_tool_that_breaks_is_told(
    library: Package, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("no members")

    task = read_task(library, {"id": "x", "instruction": "", "gold": [call("cancel_hold")]})
    with monkeypatch.context() as patch:
        patch.setattr(player, "_environment", library.environment())
        patch.setattr(player._environment, "call", broken)
        found = player.play(task).steps[0]
    assert (found.outcome, found.text) == ("broken", "ZeroDivisionError: no members")


def test_a_patch_that_does_not_fit_is_an_error_of_the_package(
    library: Package, player: Player
) -> None:
    patch = {"loans": {"LOA-00010": {"loan_id": "LOA-00010"}}}
    task = read_task(library, {"id": "x", "instruction": "", "initial": patch})
    with pytest.raises(library.module("errors").BadTask):
        player.play(task)


def test_an_answer_is_graded_with_nothing_called(library: Package, player: Player) -> None:
    loans = call("list_member_loans", member_id="MEM-00007", status="open")
    run = played(library, player, loans, answers=["LOA-00014"])
    assert player.answered(run, "It is LOA-00014.").answers.passed
    assert not player.answered(run, "I cannot help.").answers.passed
    assert not player.answered(run, None).answers.passed


PERSON = {"facts": {"email": {"says": f"It's {FARID}.", "value": FARID, "topics": ["e-mail"]}}}


def test_messages_are_said_to_the_person(library: Package, player: Player) -> None:
    run = played(
        library,
        player,
        {"say": "Could you tell me your e-mail address?"},
        call("find_member", email=FARID),
        call("cancel_hold", hold_id="HLD-00005"),
        {"say": "Farid Moreau, you are out of the line."},
        person=PERSON,
        conversation=True,
        answers=["Farid Moreau"],
    )
    assert [step.outcome for step in run.steps] == ["said", "ok", "ok", "said"]
    assert FARID in run.steps[0].text
    assert all(step.as_expected for step in run.steps)
    assert player.grade(run).reward == 1.0
    assert run.needed == {2}
    assert not player.without(run, 2).reached
    assert player.instead(run, 2, {"hold_id": "HLD-00005"}).same
    assert not player.answered(run, None).answers.passed


def test_what_changes_by_itself_is_no_change_of_golds(library: Package, player: Player) -> None:
    change = {"table": "loans", "key": "LOA-00014", "columns": {"note": "wet"}, "after_writes": 2}
    run = played(
        library,
        player,
        call("return_loan", loan_id="LOA-00010"),
        call("cancel_hold", hold_id="HLD-00005"),
        person=PERSON,
        world_changes=[change],
    )
    assert [step.wrote for step in run.steps] == [True, True]
    assert {change.key for change in run.task.goal.changes} == {"LOA-00010", "HLD-00005"}
    assert player.grade(run).state.passed
    assert not player.without(run, 0).reached
    assert player.reorder(run, [1, 0]).reached


def test_earlier_runs_stay_good_after_another_task(
    library: Package, player: Player, swapped: Playthrough
) -> None:
    played(library, player, call("return_loan", loan_id="LOA-00010"))
    assert player.instead(swapped, 1, {"hold_id": "HLD-00005"}).same
    assert not player.without(swapped, 1).reached
