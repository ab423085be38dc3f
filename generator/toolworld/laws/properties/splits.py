"""One call and two that add up to it: they leave the same, and a cap on one holds for both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from toolworld.graph.evidence import PlannedCall
from toolworld.jsonvalues import JsonValue
from toolworld.laws.caller import RefusedCall
from toolworld.laws.properties.property import Property
from toolworld.laws.properties.states import CallMade, EpisodeState
from toolworld.laws.properties.suspect import Suspect
from toolworld.laws.properties.totals import Totals

TIMES = (2, 3, 5)
"""How many times as much is asked for at once, to meet a cap."""


class TwoForOne(Property):
    """Two calls with parts of a number end as one call with the whole."""

    def look(self, state: EpisodeState) -> Iterator[Suspect]:
        """Yield calls that leave something else when they are made in two parts."""
        for made in state.possible:
            for name, one, other in _parts(made, self._totals):
                calls = [_with(made.call, name, part) for part in (one, other)]
                yield from self._compared(state, made, name, calls)

    def _compared(
        self, state: EpisodeState, whole: CallMade, name: str, calls: list[PlannedCall]
    ) -> Iterator[Suspect]:
        played = self._states.play(state, calls)
        made = [call for call in played if isinstance(call, CallMade)]
        if len(made) < 2:
            return
        at_once, in_two = self._totals.moved(whole.writes), self._totals.moved(_writes(made))
        names = at_once.keys() | in_two.keys()
        differ = sorted(key for key in names if at_once.get(key) != in_two.get(key))
        if differ:
            told = ", ".join(f"{n} {in_two.get(n, 0):+} or {at_once.get(n, 0):+}" for n in differ)
            says = f"One call with {whole.call.arguments[name]} leaves other sums: {told}."
            yield Suspect((whole.call.tool,), name, says, (*state.before, *calls))


class CapsOfAll(Property):
    """What is refused at once is refused in parts, too."""

    def look(self, state: EpisodeState) -> Iterator[Suspect]:
        """Yield calls that can be repeated, and are refused with the sum of their numbers."""
        for made in state.possible:
            for name, number in _amounts(made, self._totals):
                yield from self._repeated(state, made.call, name, number)

    def _repeated(
        self, state: EpisodeState, call: PlannedCall, name: str, number: float
    ) -> Iterator[Suspect]:
        for times in TIMES:
            refused = self._states.play(state, [_with(call, name, number * times)])[-1]
            if not isinstance(refused, RefusedCall) or refused.code in ("", "invalid"):
                continue
            played = self._states.play(state, [call] * times)
            if all(isinstance(one, CallMade) for one in played):
                says = f"With {name} {number * times} at once it is refused: {refused.text}"
                about = f"{name} {refused.code}"
                calls = (*state.before, *[call] * times)
                yield Suspect((call.tool,), about, says, calls)
            return


def _parts(made: CallMade, totals: Totals) -> Iterator[tuple[str, float, float]]:
    """Yield each amount among the arguments of a call with two parts of it."""
    for name, number in _amounts(made, totals):
        one = number // 2 if isinstance(number, int) else round(number / 2, 2)
        other = round(number - one, 2)
        if one > 0 and other > 0:
            yield name, one, other


def _amounts(made: CallMade, totals: Totals) -> Iterator[tuple[str, float]]:
    """Yield the arguments that are amounts: some column of rows there were moved by as much.

    A number that tells which one is meant, such as ``line_number``, is none.
    """
    moved = {abs(float(total)) for total in totals.moved(made.writes).values()}
    for name, value in made.call.arguments.items():
        counts = isinstance(value, int | float) and not isinstance(value, bool)
        if counts and value in moved and not name.endswith("number"):
            yield name, value


def _writes(made: Sequence[CallMade]) -> Iterator[Any]:
    return (write for call in made for write in call.writes)


def _with(call: PlannedCall, name: str, value: JsonValue) -> PlannedCall:
    return PlannedCall(call.tool, {**call.arguments, name: value})
