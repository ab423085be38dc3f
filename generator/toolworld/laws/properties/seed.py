"""The seed data: tools write rows like its own, and none of them is unlike all others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from toolworld.laws.properties.moment import Moment, Moments
from toolworld.laws.properties.patterns import Pattern, choices_of, patterns_of
from toolworld.laws.properties.suspect import Suspect
from toolworld.laws.properties.totals import Totals

FEWEST = 20
"""How many rows must show a pattern, if none breaks it."""
MANY, SELDOM = 50, 0.03
"""How many rows must show it where some break it, and how many may, as a share of those."""


class SeedPatterns:
    """What all rows of the seed data have in common, the rows that tools write have, too."""

    def __init__(self, moments: Moments, totals: Totals) -> None:
        """Look for patterns in the rows of the start."""
        self._database = moments.caller.environment._database
        self._patterns = {
            table: [
                pattern
                for pattern, found in patterns_of(table, self._database)
                if found[True] >= FEWEST and not found[False]
            ]
            for table in self._database.tables
        }
        self._moments = moments

    def look(self, moment: Moment) -> Iterator[Suspect]:
        """Yield calls that write a row unlike all of the seed data."""
        for made in moment.possible:
            self._moments.play(moment, [made.call])
            for write in made.writes:
                for pattern in self._patterns[write.table]:
                    if self._is_new(pattern, write):
                        says = f"{write.key} is unlike every row of the seed data."
                        tools, calls = (made.call.tool,), (*moment.before, made.call)
                        yield Suspect(tools, pattern.says, says, calls)

    def end(self) -> Iterator[Suspect]:
        """Yield nothing more."""
        yield from ()

    def _is_new(self, pattern: Pattern, write: Any) -> bool:
        """Return whether a row does not fit a pattern, and did not break it before."""
        fits = [
            pattern.holds(row, self._database) if row is not None else None
            for row in (write.before, write.after)
        ]
        return fits[1] is False and fits[0] is not False


class SeedData:
    """No row of the seed data is unlike nearly all others, and each choice is made somewhere."""

    def __init__(self, moments: Moments, totals: Totals) -> None:
        """Take the rows of the start."""
        self._database, self._caller = moments.caller.environment._database, moments.caller
        self._caller.environment.reset()

    def look(self, moment: Moment) -> Iterator[Suspect]:
        """Yield nothing: no call is needed."""
        yield from ()

    def end(self) -> Iterator[Suspect]:
        """Yield rows unlike the others, and choices that no row makes."""
        self._caller.environment.reset()
        for table in self._database.tables:
            yield from self._unlike(table)
            yield from self._missing(table)

    def _unlike(self, table: str) -> Iterator[Suspect]:
        rows = self._database.tables[table]
        for pattern, found in patterns_of(table, self._database):
            if found[True] >= MANY and 0 < found[False] <= SELDOM * found[True]:
                row = next(one for one in rows.all() if pattern.holds(one, self._database) is False)
                key = getattr(row, rows.schema.key)
                says = f"{key} is unlike {found[True]} others; {found[False]} are so."
                yield Suspect((), pattern.says, says, ())

    def _missing(self, table: str) -> Iterator[Suspect]:
        rows = self._database.tables[table]
        for column, values in choices_of(rows.schema.row).items():
            made = Counter(getattr(row, column) for row in rows.all())
            missing = [value for value in values if not made[value]]
            if missing and len(rows.all()) >= MANY:
                says = f"No row of the seed data says {', '.join(missing)}."
                yield Suspect((), f"{table}.{column}", says, ())
