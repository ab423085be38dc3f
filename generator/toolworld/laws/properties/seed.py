"""The seed data: its rows are like those that tools write, and none is unlike all others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from toolworld.laws.properties.patterns import Pattern, choices_of, patterns_of
from toolworld.laws.properties.property import Property
from toolworld.laws.properties.states import EpisodeState, EpisodeStates
from toolworld.laws.properties.suspect import Suspect
from toolworld.laws.properties.totals import Totals

FEWEST = 40
"""How many rows must show a pattern, if none breaks it."""
MANY, SELDOM = 50, 0.03
"""How many rows must show it where some break it, and how many may, as a share of those."""


class SeedPatterns(Property):
    """Rows that tools write keep every pattern of the seed data.

    None of those is unlike nearly all others, and each choice is made by some.
    """

    def __init__(self, states: EpisodeStates, totals: Totals) -> None:
        """Look for patterns in the rows of the start."""
        super().__init__(states, totals)
        self._database = states.caller.environment._database
        self._patterns: dict[str, list[Pattern]] = {name: [] for name in self._database.tables}
        self._at_start: list[Suspect] = []
        for table, patterns in self._patterns.items():
            self._at_start += _missing(self._database.tables[table])
            for pattern, found in patterns_of(table, self._database):
                if found[True] >= FEWEST and not found[False]:
                    patterns.append(pattern)
                elif found[True] >= MANY and found[False] <= SELDOM * found[True]:
                    self._at_start.append(self._unlike(table, pattern, found))

    def look(self, state: EpisodeState) -> Iterator[Suspect]:
        """Yield calls that write a row unlike all of the seed data."""
        for made in state.possible:
            self._states.play(state, [made.call])
            for write in made.writes:
                for pattern in self._patterns[write.table]:
                    if self._is_new(pattern, write):
                        says = f"{write.key} is unlike every row of the seed data."
                        tools, calls = (made.call.tool,), (*state.before, made.call)
                        yield Suspect(tools, pattern.says, says, calls)

    def end(self) -> Iterator[Suspect]:
        """Yield outliers among the rows of the seed data, and enum values that no row has."""
        yield from self._at_start

    def _is_new(self, pattern: Pattern, write: Any) -> bool:
        """Return whether a row does not fit a pattern, and did not break it before."""
        before, after = [
            pattern.holds(row, self._database) if row is not None else None
            for row in (write.before, write.after)
        ]
        return after is False and before is not False

    def _unlike(self, table: str, pattern: Pattern, found: Counter[bool | None]) -> Suspect:
        rows = self._database.tables[table]
        row = next(one for one in rows.all() if pattern.holds(one, self._database) is False)
        key = getattr(row, rows.schema.key)
        says = f"{key} is unlike {found[True]} others; {found[False]} are so."
        return Suspect((), pattern.says, says, ())


def _missing(table: Any) -> Iterator[Suspect]:
    """Yield the choices that no row of a large table makes."""
    rows = table.all()
    for column, values in choices_of(table.schema.row).items() if len(rows) >= MANY else ():
        made = {getattr(row, column) for row in rows}
        missing = [value for value in values if value not in made]
        if missing:
            says = f"No row of the seed data says {', '.join(missing)}."
            yield Suspect((), f"{table.schema.name}.{column}", says, ())
