"""Money is conserved between rows, and an act costs what its quote says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from itertools import combinations

from toolworld.graph.evidence import PlannedCall
from toolworld.graph.surface import ToolFacts
from toolworld.laws.properties.agreements import Agreements, Disagreement
from toolworld.laws.properties.property import Property
from toolworld.laws.properties.states import CallMade, EpisodeState, EpisodeStates
from toolworld.laws.properties.suspect import Suspect
from toolworld.laws.properties.totals import Totals


class Conserved(Property):
    """Two columns of numbers that a tool moves by the same sum are always moved so."""

    def __init__(self, states: EpisodeStates, totals: Totals) -> None:
        """Take what counts."""
        super().__init__(states, totals)
        self._agreements = Agreements()

    def look(self, state: EpisodeState) -> Iterator[Suspect]:
        """Note the amounts that calls moved; suspects come at the end."""
        for made in state.possible:
            moved = self._totals.money(made.writes)
            for one, other in combinations(sorted(moved), 2):
                self._agreements.note(
                    (made.call.tool,),
                    {one: moved[one]},
                    {other: moved[other]},
                    (*state.before, made.call),
                )
        yield from ()

    def end(self) -> Iterator[Suspect]:
        """Yield calls that changed two columns by amounts that break the usual balance."""
        yield from _by_episode(
            Suspect(one.key, " and ".join(one.names), _differ(one), one.calls)
            for one in self._agreements.disagreements()
        )


class QuoteIsAct(Property):
    """A quoting tool states the same amount as the acting tool charges."""

    def __init__(self, states: EpisodeStates, totals: Totals) -> None:
        """Take where calls are played, and what counts."""
        super().__init__(states, totals)
        self._agreements = Agreements()
        self._quoting = [
            tool
            for tool in states.surface.tools.values()
            if tool.read_only and not tool.paged and not tool.shows_rows
        ]

    def look(self, state: EpisodeState) -> Iterator[Suspect]:
        """Note the quote before each call; suspects come at the end."""
        for made in state.possible:
            for tool in self._quoting:
                call = _quoting(tool, made.call)
                quoted = self._states.play(state, [call])[0] if call is not None else None
                if call is not None and isinstance(quoted, CallMade):
                    self._agreements.note(
                        (tool.name, made.call.tool),
                        _money(quoted.result),
                        self._totals.money(made.writes),
                        (*state.before, call, made.call),
                    )
        yield from ()

    def end(self) -> Iterator[Suspect]:
        """Yield calls that did something else than was quoted."""
        yield from _by_episode(
            Suspect(one.key, " and ".join(one.names), _differ(one), one.calls)
            for one in self._agreements.disagreements()
        )


def _differ(one: Disagreement) -> str:
    (name, other), (value, compared) = one.names, one.values
    same = f"{one.agreed} times they were the same"
    return f"{name} is {value:+} and {other} {compared:+}; {same}."


def _quoting(tool: ToolFacts, act: PlannedCall) -> PlannedCall | None:
    """Return a call of a quoting tool with an act's arguments; None if it needs others."""
    shared = {name: value for name, value in act.arguments.items() if name in tool.parameters}
    named = any(tool.parameters[name].names for name in shared)
    lacks = any(part.required and part.name not in shared for part in tool.parameters.values())
    return PlannedCall(tool.name, shared) if named and not lacks else None


def _money(result: Mapping[str, object]) -> dict[str, Decimal]:
    """Return the numbers with a fraction that a result tells."""
    return {name: Decimal(str(value)) for name, value in result.items() if isinstance(value, float)}


def _by_episode(suspects: Iterable[Suspect]) -> Iterator[Suspect]:
    """Yield one suspect for all that the same tools did at once."""
    groups: dict[str, list[Suspect]] = {}
    for one in suspects:
        groups.setdefault(repr((one.tools, one.calls)), []).append(one)
    for alike in groups.values():
        about = ", ".join(dict.fromkeys(one.about for one in alike))
        yield replace(alike[0], about=about)
