"""Two calls at one state: either order ends the same, and guards hold in both orders."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from toolworld.jsonvalues import leaves
from toolworld.laws.caller import RefusedCall
from toolworld.laws.properties.property import Property
from toolworld.laws.properties.states import CallMade, EpisodeState
from toolworld.laws.properties.suspect import Suspect


class EitherOrder(Property):
    """Two calls leave the same sums and counts in either order.

    Calls that set the same column of a row to an argument are not compared: the last stands.
    """

    def look(self, state: EpisodeState) -> Iterator[Suspect]:
        """Yield pairs of calls that end in different states in the two orders."""
        for one, other in permutations(state.possible, 2):
            if one.call.tool <= other.call.tool and not _set(one) & _set(other):
                yield from self._compared(state, one, other)

    def _compared(self, state: EpisodeState, one: CallMade, other: CallMade) -> Iterator[Suspect]:
        there = self._left(state, one, other)
        back = self._left(state, other, one) if there is not None else None
        if there is None or back is None or there == back:
            return
        names = sorted(name for name in there.keys() | back if there.get(name) != back.get(name))
        told = ", ".join(f"{n} {there.get(n, 0):+} or {back.get(n, 0):+}" for n in names)
        calls = (*state.before, one.call, other.call)
        yield Suspect(
            (one.call.tool, other.call.tool),
            "",
            f"In the other order of the last two it leaves other sums: {told}.",
            calls,
        )

    def _left(
        self, state: EpisodeState, one: CallMade, other: CallMade
    ) -> dict[str, object] | None:
        """Return the sums and counts after two calls; None if one is refused."""
        played = self._states.play(state, (one.call, other.call))
        made = [call for call in played if isinstance(call, CallMade)]
        if len(made) < 2:
            return None
        return dict(self._totals.of(write for call in made for write in call.writes))


class GuardBothWays(Property):
    """If B is refused because of A, then A after B is refused or repairs B.

    What minds it is refused, changes a row that the call changed, or changes something else than
    it would have without that call.
    """

    def look(self, state: EpisodeState) -> Iterator[Suspect]:
        """Yield pairs of calls of which one order is refused, and the other succeeds unchecked."""
        for one, other in permutations(state.possible, 2):
            refused = self._states.play(state, (one.call, other.call))[-1]
            if isinstance(refused, RefusedCall) and self._unseen(state, other, one):
                yield Suspect(
                    (other.call.tool, one.call.tool),
                    refused.code,
                    f"The other way round it is refused: {refused.text}",
                    (*state.before, other.call, one.call),
                )

    def _unseen(self, state: EpisodeState, first: CallMade, second: CallMade) -> bool:
        """Return whether the second call ignores the first one's changes."""
        played = self._states.play(state, (first.call, second.call))
        made = [call for call in played if isinstance(call, CallMade)]
        if len(made) < 2 or _columns(made[1]) != _columns(second):
            return False
        rows = [{(write.table, write.key) for write in call.writes} for call in made]
        return not rows[0] & rows[1]


def _set(made: CallMade) -> set[tuple[str, str, str]]:
    """Return each table, key and column that a call set to one of its arguments."""
    given = {str(value) for _, value in leaves(dict(made.call.arguments))}
    return {
        (write.table, write.key, name)
        for write in made.writes
        if write.before is not None and write.after is not None
        for name in type(write.after).model_fields
        if (value := getattr(write.after, name)) != getattr(write.before, name)
        and str(value) in given
    }


def _columns(made: CallMade) -> list[tuple[str, str]]:
    """Return the columns that a call changed, once for each row."""
    return sorted(
        (write.table, name)
        for write in made.writes
        for name in type(write.after or write.before).model_fields
        if getattr(write.after, name, None) != getattr(write.before, name, None)
    )
