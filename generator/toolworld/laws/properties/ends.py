"""No dead ends: what is under way can be brought on from every moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from toolworld.graph.evidence import Call
from toolworld.laws.properties.moment import Moment, Moments
from toolworld.laws.properties.suspect import Suspect
from toolworld.laws.properties.totals import Totals

ROWS = 2
"""How many rows are looked at at a moment."""
ROUNDS = 3
"""How often each tool is tried until nothing is expected to come."""
USUAL = 0.8
"""In which share of the moments a row goes on at which a tool would be missed."""
FEWEST = 10

Place = tuple[str, str, str]
"""An entity, a column of choices that tools change, and what it says."""


class NoDeadEnds:
    """Where rows with a status nearly always can be brought on, each of them can."""

    name = "no_dead_ends"

    def __init__(self, moments: Moments, totals: Totals) -> None:
        """Take where calls are played, and which columns count choices."""
        self._moments, self._totals = moments, totals
        self._went: Counter[Place] = Counter()
        self._stuck: dict[Place, list[tuple[str, tuple[Call, ...]]]] = {}

    def look(self, moment: Moment) -> Iterator[Suspect]:
        """Try to bring rows on; suspects come at the end."""
        for entity, column in self._choices(moment):
            for key in moment.known.ids(entity)[:ROWS]:
                self._look_at(moment, entity, column, key)
        yield from ()

    def end(self) -> Iterator[Suspect]:
        """Yield rows that stay as they are, where others with the same status do not."""
        for place, stuck in self._stuck.items():
            went = self._went[place]
            if went >= FEWEST and went >= USUAL * (went + len(stuck)):
                entity, column, said = place
                key, calls = min(stuck, key=lambda one: len(one[1]))
                says = f"No tool was found that changes {key}; {went} others went on."
                yield Suspect(self.name, (), f"{entity}.{column} {said}", says, calls)

    def _choices(self, moment: Moment) -> list[tuple[str, str]]:
        """Return the columns of choices that the tool of the first possible call changes."""
        surface, columns = self._moments.surface, self._totals.choices
        return [
            (surface.entity_of_table(table), column)
            for made in moment.possible[:1]
            for name in sorted(surface.tools[made.call.tool].writes)
            for table, _, column in [name.partition(".")]
            if column in columns[table]
        ]

    def _look_at(self, moment: Moment, entity: str, column: str, key: str) -> None:
        self._moments.restore(moment)
        row = self._moments.caller.row(entity, key)
        if row is None:
            return
        place = entity, column, getattr(row, column)
        if self._goes_on(moment, place, key):
            self._went[place] += 1
        else:
            self._stuck.setdefault(place, []).append((key, moment.before))

    def _goes_on(self, moment: Moment, place: Place, key: str) -> bool:
        """Return whether some call changes what a column says of a row."""
        entity, column, said = place
        caller, table = self._moments.caller, self._moments.surface.entities[entity].table
        changing = [tool for tool in caller.writers if f"{table}.{column}" in tool.writes]
        for tool in changing * ROUNDS:
            self._moments.restore(moment)
            caller.changing(tool, caller.about(entity, key, moment.known))
            if getattr(caller.row(entity, key), column, None) != said:
                return True
        return False
