"""The reward: match policies, new keys up to renaming, strays, misses, and partial scores."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolworld.packages import Package

Change = tuple[str, str, dict[str, Any] | None, dict[str, Any] | None]


class Grader:
    """Grades changes of a small database: carts and lines that name each other."""

    def __init__(self, package: Package) -> None:
        schema, self._task = package.module("database.schema"), package.module("tasks.task")
        reference, row = schema.Reference, package.module("values").Row
        self._grade = package.module("tasks.grading").grade
        self._kept = package.module("tasks.grading").GradePart(passed=True)
        self._schemas = {
            "carts": schema.TableSchema(
                "carts",
                row,
                "cart_id",
                "cart",
                prefix="CAR",
                references=(reference(("best", "line_id"), "lines"),),
                policies={"cart_id": "exempt", "seen": "exempt", "note": "semantic"},
            ),
            "lines": schema.TableSchema(
                "lines",
                row,
                "line_id",
                "line",
                prefix="LIN",
                references=(reference(("cart_id",), "carts"), reference(("after",), "lines")),
                policies={"line_id": "exempt"},
            ),
            "shops": schema.TableSchema("shops", row, "name", "shop"),
        }

    def __call__(
        self,
        wanted: Sequence[Change],
        actual: Sequence[Change],
        answers: Sequence[object] = (),
        answer: str | None = None,
    ) -> Any:
        goal = self._task.Goal(changes=self._changes(wanted), answers=tuple(answers))
        messages = [] if answer is None else [answer]
        return self._grade(goal, self._changes(actual), messages, self._kept, self._schemas)

    def _changes(self, changes: Sequence[Change]) -> tuple[Any, ...]:
        return tuple(
            self._task.Change(table=table, key=key, before=before, after=after)
            for table, key, before, after in copy.deepcopy(list(changes))
        )


@pytest.fixture(scope="module")
def grade(library: Package) -> Grader:
    return Grader(library)


def cart(number: int, best: Sequence[int] = (), **columns: object) -> Change:
    row = {
        "cart_id": f"CAR-{number}", "shop": "x", "note": None, "seen": 0, "paid": 1.5,
        "best": [{"line_id": f"LIN-{line}", "why": "good"} for line in best],
    }  # fmt: skip
    return "carts", f"CAR-{number}", None, row | columns


def line(number: int, cart: int, after: int | None = None, **columns: object) -> Change:
    row = {
        "line_id": f"LIN-{number}", "cart_id": f"CAR-{cart}", "item": "tea",
        "after": after and f"LIN-{after}",
    }  # fmt: skip
    return "lines", f"LIN-{number}", None, row | columns


def updated(change: Change, **columns: object) -> Change:
    table, key, _, row = change
    assert row is not None
    return table, key, row, row | columns


def removed(change: Change) -> Change:
    table, key, _, row = change
    return table, key, row, None


SHOP: Change = ("shops", "x", {"name": "x", "open": True}, {"name": "x", "open": False})


# Match policies


@pytest.mark.parametrize(
    ("columns", "reward"),
    [
        ({}, 1.0),
        ({"seen": 7}, 1.0),
        ({"note": "leave at the DOOR!"}, 1.0),
        ({"note": "Leave it at the door, please"}, 1.0),
        ({"note": "Ring twice."}, 0.0),
        ({"note": None}, 0.0),
        ({"shop": "y"}, 0.0),
        ({"paid": 1.51}, 0.0),
        ({"paid": None}, 0.0),
    ],
)
def test_match_policies(grade: Grader, columns: dict[str, Any], reward: float) -> None:
    wanted = cart(1, note="Leave at the door.")
    assert grade([wanted], [cart(1, **{"note": "Leave at the door.", **columns})]).reward == reward
    before = cart(1)
    goal = [updated(before, note="Leave at the door.", paid=2.0)]
    done = {"note": "Leave at the door.", "paid": 2.0, **columns}
    assert grade(goal, [updated(before, **done)]).reward == reward


def test_a_change_of_exempt_columns_alone_is_none(grade: Grader) -> None:
    touched = updated(cart(1), seen=7)
    assert grade([SHOP], [SHOP, touched]).reward == 1.0
    assert grade([SHOP, touched], [SHOP]).reward == 1.0
    assert grade([SHOP], [SHOP, updated(cart(1), seen=7, paid=2.0)]).reward == 0.0


def test_a_key_the_caller_names_is_compared(grade: Grader) -> None:
    one: Change = ("shops", "new", None, {"name": "new", "open": True})
    other: Change = ("shops", "other", None, {"name": "other", "open": True})
    assert grade([one], [one]).reward == 1.0
    assert grade([one], [other]).reward == 0.0


# New keys, up to renaming


def test_new_keys_may_differ(grade: Grader) -> None:
    assert grade([cart(1), line(1, 1)], [cart(8), line(9, 8)]).reward == 1.0


def test_references_to_new_rows_must_agree(grade: Grader) -> None:
    wanted = [cart(1), cart(2, paid=9.0), line(1, 1, item="tea"), line(2, 2, item="jam")]
    assert grade(wanted, wanted).reward == 1.0
    swapped = [cart(1), cart(2, paid=9.0), line(1, 2, item="tea"), line(2, 1, item="jam")]
    assert grade(wanted, swapped).reward == 0.0


def test_a_reference_to_an_old_row_is_not_renamed(grade: Grader) -> None:
    assert grade([line(1, 77)], [line(5, 77)]).reward == 1.0
    assert grade([line(1, 77)], [line(5, 78)]).reward == 0.0
    assert grade([cart(1), line(1, 77)], [cart(1), line(1, 1)]).reward == 0.0
    assert grade([cart(1), line(1, 1)], [cart(1), line(1, 77)]).reward == 0.0


def test_a_new_key_does_not_stand_for_an_old_row(grade: Grader) -> None:
    assert grade([cart(1), line(1, 1)], [line(1, 77)]).score == 0.0


def test_rows_that_name_each_other(grade: Grader) -> None:
    wanted = [cart(1, [1]), line(1, 1)]
    assert grade(wanted, [cart(5, [6]), line(6, 5)]).reward == 1.0
    two = [cart(1, [1]), cart(2, [2]), line(1, 1), line(2, 2)]
    assert grade(two, [cart(3, [8]), cart(4, [7]), line(7, 4), line(8, 3)]).reward == 1.0
    assert grade(two, [cart(3, [7]), cart(4, [8]), line(7, 4), line(8, 3)]).reward == 0.0


def test_a_row_may_name_itself(grade: Grader) -> None:
    assert grade([line(1, 77, after=1)], [line(2, 77, after=2)]).reward == 1.0
    assert grade([line(1, 77, after=1)], [line(2, 77, after=1)]).reward == 0.0


def test_chains_in_any_order(grade: Grader) -> None:
    chain = [line(1, 77), line(2, 77, after=1), line(3, 77, after=2), line(4, 77, after=3)]
    backwards = [line(9, 77), line(8, 77, after=9), line(7, 77, after=8), line(6, 77, after=7)]
    assert grade(chain, backwards[::-1]).reward == 1.0
    broken = [line(9, 77), line(8, 77, after=9), line(7, 77, after=9), line(6, 77, after=7)]
    assert grade(chain, broken).reward == 0.0


def test_references_nested_in_lists_keep_their_order(grade: Grader) -> None:
    wanted = [cart(1, [1, 2]), line(1, 1, item="tea"), line(2, 1, item="jam")]
    assert grade(wanted, [cart(4, [6, 5]), line(5, 4, item="jam"), line(6, 4)]).reward == 1.0
    assert grade(wanted, [cart(4, [5, 6]), line(5, 4, item="jam"), line(6, 4)]).reward == 0.0
    assert grade(wanted, [cart(4, [6]), line(5, 4, item="jam"), line(6, 4)]).reward == 0.0


def test_two_rows_do_not_share_a_name(grade: Grader) -> None:
    wanted = [cart(1), cart(2), line(1, 1), line(2, 2)]
    assert grade(wanted, [cart(1), cart(2), line(1, 1), line(2, 1)]).reward == 0.0
    same = [cart(1), cart(2), line(1, 1), line(2, 1)]
    assert grade(same, [cart(1), cart(2), line(1, 2), line(2, 2)]).reward == 1.0


@pytest.mark.parametrize("size", [12, 40])
def test_many_like_rows_are_told_apart_by_what_names_them(grade: Grader, size: int) -> None:
    numbers = range(1, size + 1)
    parents = [cart(n) for n in numbers]
    wanted = [*parents, *(line(n, n, item=f"item {n}") for n in numbers)]
    shuffled = [*parents, *(line(n, size + 1 - n, item=f"item {n}") for n in numbers)]
    assert grade(wanted, shuffled).reward == 1.0
    mixed = [*parents, *(line(n, max(1, n - 1), item=f"item {n}") for n in numbers)]
    assert grade(wanted, mixed).reward == 0.0
    children = [cart(n, [n], paid=float(n)) for n in numbers] + [line(n, 77) for n in numbers]
    crossed = [cart(n, [size + 1 - n], paid=float(n)) for n in numbers]
    crossed += [line(n, 77) for n in numbers]
    assert grade(children, crossed).reward == 1.0


def test_a_hopeless_search_ends(grade: Grader) -> None:
    """One ring of twelve is not two rings of six, though each row of them looks the same."""
    ring = [line(n, 77, after=n % 12 + 1) for n in range(1, 13)]
    rings = [line(n, 77, after=n + 1 if n % 6 else n - 5) for n in range(1, 13)]
    graded = grade(ring, rings)
    assert graded.reward == 0.0 and 0.0 < graded.score < 1.0
    assert grade(ring, ring[5:] + ring[:5]).reward == 1.0


# Strays, misses and scores


def test_doing_nothing(grade: Grader) -> None:
    nothing = grade([SHOP, cart(1)], [], [4], None)
    assert (nothing.reward, nothing.score) == (0.0, 0.0)
    assert len(nothing.reasons) == 3
    assert grade([], []).reward == 1.0


def test_reasons_name_what_is_missing_and_what_is_stray(grade: Grader) -> None:
    wanted = [SHOP, removed(cart(3)), cart(1, paid=2.0)]
    done = [updated(cart(4), paid=7.0, shop="z"), removed(cart(5)), line(9, 77), cart(1, paid=2.0)]
    graded = grade(wanted, done, ["the sky"], "the sea")
    assert graded.reasons == (
        'Missing: shops "x" changed: open = False.',
        'Missing: carts "CAR-3" removed.',
        "Not asked for: carts \"CAR-4\" changed: shop = 'z', paid = 7.0.",
        'Not asked for: carts "CAR-5" removed.',
        'Not asked for: lines "LIN-9" added.',
        'The agent does not say "the sky".',
    )
    assert graded.reward == 0.0
    assert graded.score == pytest.approx(1 / 7)


def test_reasons_name_what_an_added_row_has_otherwise(grade: Grader) -> None:
    wanted, done = [cart(1, paid=2.0), line(1, 1)], [cart(8, seen=4, shop="z"), line(9, 8)]
    assert grade(wanted, [*done, cart(9, paid=3.0)]).reasons[:1] == (
        'Missing: carts "CAR-1" added with paid = 2.0.',
    )


def test_removed_rows(grade: Grader) -> None:
    assert grade([removed(cart(1))], [removed(cart(1))]).reward == 1.0
    assert grade([removed(cart(1))], [removed(cart(2))]).reward == 0.0
    assert grade([removed(cart(1))], [updated(cart(1), paid=0.0)]).reward == 0.0
    assert grade([updated(cart(1), paid=0.0)], [removed(cart(1))]).reward == 0.0
    assert grade([cart(1)], [removed(cart(1))]).reward == 0.0


def test_partial_scores(grade: Grader) -> None:
    wanted = [SHOP, cart(1), line(1, 1)]
    assert grade(wanted, [SHOP]).score == pytest.approx(1 / 3)
    assert grade(wanted, [SHOP, cart(7)]).score == pytest.approx(2 / 3)
    assert grade(wanted, [SHOP, cart(7), line(7, 7), line(8, 7)]).score == pytest.approx(3 / 4)
    assert grade(wanted, wanted, ["yes"], "no").score == pytest.approx(3 / 4)
    assert grade(wanted, wanted, ["yes"], "yes").score == 1.0


def test_a_surplus_row_does_not_hide_what_was_done(grade: Grader) -> None:
    """With one change too many there is no full match, yet each wanted row finds its own."""
    wanted = [cart(1), cart(2), line(1, 1, item="a"), line(2, 2, item="b")]
    done = [cart(1), cart(2), line(1, 2, item="a"), line(2, 1, item="b"), SHOP]
    assert grade(wanted, done).reasons == ('Not asked for: shops "x" changed: open = False.',)


small = st.integers(1, 3)
changes = st.lists(
    st.one_of(
        st.builds(cart, small, st.lists(small, max_size=2), paid=st.sampled_from([1.5, 2.0])),
        st.builds(line, small, small, after=st.none() | small),
        st.builds(lambda n: removed(cart(n + 3)), small),
        st.builds(
            lambda n, paid: updated(cart(n + 6), paid=paid), small, st.sampled_from([2.0, 3.0])
        ),
        st.just(SHOP),
    ),
    max_size=6,
    unique_by=lambda change: change[:2],
)


def renamed(changes: Sequence[Change], names: Mapping[str, str]) -> list[Change]:
    """Return changes with keys replaced everywhere."""

    def put(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: put(part) for key, part in value.items()}
        if isinstance(value, list):
            return [put(part) for part in value]
        return names.get(value, value) if isinstance(value, str) else value

    return [(table, put(key), put(old), put(new)) for table, key, old, new in changes]


@settings(max_examples=200)
@given(wanted=changes, done=changes)
def test_scores_are_shares_and_whole_only_with_the_reward(
    grade: Grader, wanted: list[Change], done: list[Change]
) -> None:
    graded = grade(wanted, done)
    assert 0.0 <= graded.score <= 1.0
    assert (graded.score == 1.0) == (graded.reward == 1.0) == (graded.reasons == ())


@settings(max_examples=200)
@given(wanted=changes, data=st.data())
def test_any_renaming_in_any_order_is_as_good(
    grade: Grader, wanted: list[Change], data: st.DataObject
) -> None:
    added = [key for _, key, before, _ in wanted if before is None]
    fresh = data.draw(st.permutations([f"{key[:3]}-{n + 100}" for n, key in enumerate(added)]))
    carts = [key for key in fresh if key.startswith("CAR")]
    lines = [key for key in fresh if key.startswith("LIN")]
    names = {key: (carts if key.startswith("CAR") else lines).pop() for key in added}
    done = data.draw(st.permutations(renamed(wanted, names)))
    assert grade(wanted, done).reward == 1.0
    if done:
        lost = data.draw(st.integers(0, len(done) - 1))
        assert grade(wanted, done[:lost] + done[lost + 1 :]).reward == 0.0
