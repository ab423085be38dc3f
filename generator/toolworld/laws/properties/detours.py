"""No detours: an end costs the same after a free change as without it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

from toolworld.laws.properties.property import Property
from toolworld.laws.properties.states import CallMade, EpisodeState
from toolworld.laws.properties.suspect import Suspect


class NoFreeDetour(Property):
    """What a call costs is not changed by a call on the same row that costs nothing.

    What is compared is money in other tables than that of the row, such as fees and refunds.
    """

    def look(self, state: EpisodeState) -> Iterator[Suspect]:
        """Yield pairs of calls in which a free first call changes the cost of the second."""
        for first, last in permutations(state.possible, 2):
            tables = _changed_rows(first) & _changed_rows(last)
            for table in sorted({table for table, _ in tables}):
                if not self._cost(table, first) and self._cost(table, last):
                    yield from self._compared(state, table, first, last)

    def _compared(
        self, state: EpisodeState, table: str, first: CallMade, last: CallMade
    ) -> Iterator[Suspect]:
        played = self._states.play(state, (first.call, last.call))
        made = [call for call in played if isinstance(call, CallMade)]
        if len(made) < 2:
            return
        alone, after = self._cost(table, last), self._cost(table, made[1])
        names = sorted(name for name in alone.keys() | after if alone.get(name) != after.get(name))
        if names:
            told = ", ".join(f"{n} {after.get(n, 0):+} for {alone.get(n, 0):+}" for n in names)
            says = f"The first is free, and changes what the other costs: {told}."
            tools = (first.call.tool, last.call.tool)
            more = sum(after.get(name, 0) - alone.get(name, 0) for name in names) > 0
            yield Suspect(
                tools, "more" if more else "less", says, (*state.before, first.call, last.call)
            )

    def _cost(self, table: str, made: CallMade) -> dict[str, Any]:
        """Return the amounts of money that a call moved in other tables."""
        moved = self._totals.money(made.writes)
        return {name: total for name, total in moved.items() if name.split(".")[0] != table}


def _changed_rows(made: CallMade) -> set[tuple[str, str]]:
    """Return the existing rows that a call changed."""
    return {(write.table, write.key) for write in made.writes if write.before is not None}
