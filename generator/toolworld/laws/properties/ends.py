"""No dead ends: every open row can be changed further from every state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from toolworld.laws.properties.property import Property
from toolworld.laws.properties.states import EpisodeState, EpisodeStates
from toolworld.laws.properties.suspect import Suspect
from toolworld.laws.properties.totals import Totals

ROWS = 2
"""How many rows are looked at at a state."""
ROUNDS, MORE_ROUNDS = 3, 30
"""How often each tool is tried until nothing is expected to come, and before it is told."""
ANY_KIND = 0.5
"""How often a tool is tried on a row unlike those that it took before."""
MOST = 12
"""How many rows of a kind are tried as often."""
USUAL = 0.8
"""In which share of the states a row goes on at which a tool would be missed."""
FEWEST = 10

Place = tuple[str, str, str]
"""An entity, a column of choices that tools change, and what it says."""


class NoDeadEnds(Property):
    """Where rows with a status nearly always can be brought on, each of them can."""

    def __init__(self, states: EpisodeStates, totals: Totals) -> None:
        """Take where calls are played, and which columns count choices."""
        super().__init__(states, totals)
        self._went: Counter[Place] = Counter()
        self._moved: set[tuple[Place, str]] = set()
        self._stuck: dict[Place, list[tuple[str, EpisodeState]]] = {}

    def look(self, state: EpisodeState) -> Iterator[Suspect]:
        """Try to bring rows on; suspects come at the end."""
        for entity, column in self._choices(state):
            for key in state.known.ids(entity)[:ROWS]:
                self._look_at(state, entity, column, key)
        yield from ()

    def end(self) -> Iterator[Suspect]:
        """Yield rows that no call changes, though other rows with the same status change."""
        for place, stuck in self._stuck.items():
            went = self._went[place]
            if went < max(FEWEST, USUAL * (went + len(stuck))):
                continue
            for key, state in self._likely(place, stuck):
                if not self._goes_on(state, place, key, MORE_ROUNDS):
                    entity, column, said = place
                    says = f"No call was found that brings {key} on; {went} others went on."
                    yield Suspect((), f"{entity}.{column} {said}", says, state.before)
                    break

    def _choices(self, state: EpisodeState) -> list[tuple[str, str]]:
        """Return the columns of choices that the tool of the first possible call changes."""
        surface, columns = self._states.surface, self._totals.choices
        return [
            (surface.entity_of_table(table), column)
            for made in state.possible[:1]
            for name in sorted(surface.tools[made.call.tool].writes)
            for table, _, column in [name.partition(".")]
            if column in columns[table]
        ]

    def _look_at(self, state: EpisodeState, entity: str, column: str, key: str) -> None:
        self._states.restore(state)
        said = getattr(self._states.caller.row(entity, key), column, None)
        if said is None:
            return
        place = entity, column, said
        if self._goes_on(state, place, key, ROUNDS):
            self._went[place] += 1
            self._moved.add((place, key))
        else:
            self._stuck.setdefault(place, []).append((key, state))

    def _likely(
        self, place: Place, stuck: Sequence[tuple[str, EpisodeState]]
    ) -> list[tuple[str, EpisodeState]]:
        """Return some rows that did not go on: first those that never did, each once."""
        order = sorted(stuck, key=lambda one: ((place, one[0]) in self._moved, len(one[1].before)))
        return list({key: (key, state) for key, state in reversed(order)}.values())[::-1][:MOST]

    def _goes_on(self, state: EpisodeState, place: Place, key: str, rounds: int) -> bool:
        """Return whether any tool that writes a column changes a row, or one that names it.

        Every other time something else of such rows is changed before.
        """
        entity, column, _ = place
        caller, table = self._states.caller, self._states.surface.entities[entity].table
        changing = [tool for tool in caller.writers if f"{table}.{column}" in tool.writes]
        before = [tool for tool in caller.writers if table in tool.changed_tables]
        for number, tool in enumerate(changing * rounds):
            self._states.restore(state)
            about = caller.about(entity, key, state.known)
            if number % 2:
                caller.changing(self._states.rng.choice(before), about)
            call = caller.changing(tool, about, explored=ANY_KIND)
            if call is not None and any(_is_about(write, key) for write in caller.writes):
                return True
        return False


def _is_about(write: Any, key: str) -> bool:
    """Return whether a changed row has a given key, or names it."""
    row = write.after or write.before
    return key in (getattr(row, name) for name in type(row).model_fields)
