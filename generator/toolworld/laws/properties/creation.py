"""Tools that create rows, asked to create those of the seed data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple

from toolworld.graph.guard import Guarded
from toolworld.jsonvalues import JsonObject
from toolworld.laws.properties.property import Property
from toolworld.laws.properties.states import EpisodeState, EpisodeStates
from toolworld.laws.properties.suspect import Suspect
from toolworld.laws.properties.totals import Totals

FEWEST, MOST = 3, 30
"""How many rows a tool must have created before it is known what it puts where, and how many are
looked at."""
MOST_ROWS = 300
"""How many rows of a table are tried."""
ACCEPTED, SELDOM = 10, 0.1
"""How many of them a tool must accept, and how many it may refuse of what is wrong, as a share."""


class Created(NamedTuple):
    """A row that a call created."""

    arguments: Mapping[str, Any]
    row: Any


class SeedAccepted(Property):
    """What a tool refuses to create is not in the seed data.

    Each row is created again without itself, at the time that it says it was created at. A reason
    for which most rows are refused is about what came after them, and is none to suspect them.
    """

    def __init__(self, states: EpisodeStates, totals: Totals) -> None:
        """Start from the seed data."""
        super().__init__(states, totals)
        self._episode: Guarded = states.caller.environment
        self._base = self._episode._database.base
        self._created: dict[tuple[str, str], list[Created]] = defaultdict(list)

    def look(self, state: EpisodeState) -> Iterator[Suspect]:
        """Note what tools create; suspects come at the end."""
        for made in state.possible:
            for write in made.writes:
                created = self._created[made.call.tool, write.table]
                if write.before is None and len(created) < MOST:
                    created.append(Created(made.call.arguments, write.after))
        yield from ()

    def end(self) -> Iterator[Suspect]:
        """Yield the reasons for which a tool refuses a few rows of a table that it adds to."""
        for (tool, table), created in self._created.items():
            columns = self._columns(tool, created) if len(created) >= FEWEST else None
            if columns is not None:
                yield from self._refused(tool, table, columns, self._times(created))

    def _columns(self, tool: str, created: Sequence[Created]) -> dict[str, str] | None:
        """Return the column of each argument; None if a needed argument has none."""
        found: dict[str, str] = {}
        for name, part in self._states.surface.tools[tool].parameters.items():
            column = _column_of(name, created)
            if column is not None:
                found[name] = column
            elif part.required:
                return None
        return found

    def _times(self, created: Sequence[Created]) -> list[str]:
        """Return the columns that say when a row was created."""
        columns = type(created[0].row).model_fields
        now = self._base.clock
        return [name for name in columns if all(getattr(one.row, name) == now for one in created)]

    def _refused(
        self, tool: str, table: str, columns: Mapping[str, str], times: Sequence[str]
    ) -> Iterator[Suspect]:
        refused: dict[str, list[str]] = defaultdict(list)
        texts: dict[str, str] = {}
        accepted = 0
        for key, row in islice(self._base.tables[table].rows.items(), MOST_ROWS):
            arguments = self._arguments(tool, columns, row)
            if arguments is None:
                continue
            at = getattr(row, times[0]) if times else self._base.clock
            result = self._without(table, key, at).call(tool, arguments)
            accepted += not result.is_error
            # Without a row the others may not add up: that says nothing of the tool.
            if result.is_error and result.outcome != "broken":
                code = getattr(result, "code", "") or result.outcome
                refused[code].append(key)
                texts.setdefault(code, result.text)
        for code, keys in refused.items():
            if accepted >= ACCEPTED and len(keys) <= SELDOM * accepted:
                says = f"{len(keys)} rows of {table} would be refused, first {keys[0]}: "
                yield Suspect((tool,), code, says + texts[code], ())

    def _arguments(self, tool: str, columns: Mapping[str, str], row: Any) -> JsonObject | None:
        """Return the arguments that would create a row; None if a needed one is missing."""
        plain = row.model_dump(mode="json")
        given = {name: plain[column] for name, column in columns.items()}
        parameters = self._states.surface.tools[tool].parameters
        if any(value is None and parameters[name].required for name, value in given.items()):
            return None
        return {name: value for name, value in given.items() if value is not None}

    def _without(self, table: str, key: str, at: datetime) -> Guarded:
        """Return an episode of the seed data without a row, at a time."""
        tables = dict(self._base.tables)
        whole = tables[table]
        rows = [row for other, row in whole.rows.items() if other != key]
        tables[table] = type(whole)(whole.schema, rows)
        return self._episode.of_base(type(self._base)(at, tables))


def _column_of(name: str, created: Sequence[Created]) -> str | None:
    """Return the column that always holds an argument; of several, the one of the same name."""
    given = [
        (one.arguments[name], one.row.model_dump(mode="json"))
        for one in created
        if name in one.arguments
    ]
    fitting = [
        column
        for column in type(created[0].row).model_fields
        if len(given) >= FEWEST and all(value == row[column] for value, row in given)
    ]
    various = len({str(value) for value, _ in given}) > 1
    return name if name in fitting else fitting[0] if fitting and various else None
