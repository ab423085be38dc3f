"""Checks the laws in an episode on the rows that each call changed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from toolworld.graph.guard import Watch
from toolworld.laws.law import Law
from toolworld.packages import Package

ROLE = "staff"
"""Who speaks in an episode of the search: one who may ask for any tool."""
HOPS = 2
"""How many references up from a row that changed the laws of rows are asked."""

Place = tuple[str, str]

Asked = tuple[Law, tuple[Any, ...]]
"""A law, and what it is asked about besides the database."""


class LawChecker:
    """Checks the laws of a package in an episode.

    Attributes:
        asked: The names of the laws that were asked about something.
        failed: What each law raised that failed, by its name; it is not asked again.
    """

    def __init__(self, package: Package, laws: Sequence[Law], watch: Watch | None = None) -> None:
        """Take the laws.

        Args:
            package: The package.
            laws: Its laws.
            watch: What looks after laws that do not come back.
        """
        self._laws = laws
        self._watch = watch or Watch()
        self._of_rows: dict[str, list[Law]] = {}
        for law in laws:
            if law.kind == "row":
                self._of_rows.setdefault(law.table, []).append(law)
        self._schemas = package.modules.models.SCHEMAS
        self._values_at = package.modules.schema.values_at
        past = package.modules.past
        self._past, self._event = past.Past, past.Event
        self._rejected = package.modules.errors.Rejected
        self.asked: set[str] = set()
        self.failed: dict[str, str] = {}

    def broken_at_start(self, environment: Any) -> Iterator[tuple[Law, str]]:
        """Yield the laws that the seed data breaks, with the key of a row."""
        database = environment._database
        for law in self._laws:
            if law.kind == "state" and not self._holds(law, database):
                yield law, ""
            for row in database.tables[law.table].all() if law.kind == "row" else ():
                if not self._holds(law, database, row):
                    yield law, str(getattr(row, self._schemas[law.table].key))
                    break

    def broken(self, environment: Any, wanted: Collection[str]) -> list[Law]:
        """Return the laws that the last call of an episode broke.

        Of a call that changed nothing only those are asked that name its tool or rejection.

        Args:
            environment: The episode, which has a task so that it keeps a trace.
            wanted: The names of the laws to ask.
        """
        database, events = environment._database, list(environment.trace)
        asked = self._asked(database, events) if events[-1].writes else self._naming(events)
        broken = (
            law
            for law, given in asked
            if law.name in wanted and not self._holds(law, database, *given)
        )
        return list(dict.fromkeys(broken))

    def _asked(self, database: Any, events: Sequence[Any]) -> Iterator[Asked]:
        """Yield the laws to check after a call that changed something, each with its arguments."""
        changed = {one.table for one in events[-1].writes}
        yield from self._of_rows_near(database, events[-1].writes)
        yield from self._of_events(events)
        yield from ((law, ()) for law in self._laws if law.kind == "state" and law.reads & changed)

    def _naming(self, events: Sequence[Any]) -> Iterator[Asked]:
        """Yield the laws that name the last call's rejection or, if it was ok, its tool."""
        named = events[-1].tool if events[-1].outcome == "ok" else events[-1].code
        laws = [law for law in self._laws if named in law.names]
        told = self._told(events) if laws else ()
        yield from ((law, told) for law in laws)

    def _of_rows_near(self, database: Any, writes: Sequence[Any]) -> Iterator[Asked]:
        """Yield the laws of rows, each with a row that a call changed or that is near one."""
        changed = {one.table for one in writes}
        for table, keys in self._near(database, writes).items():
            laws = [law for law in self._of_rows.get(table, ()) if law.reads & changed]
            for key in keys if laws else ():
                row = database.tables[table].find(key)
                yield from ((law, (row,)) for law in laws)

    def _of_events(self, events: Sequence[Any]) -> Iterator[Asked]:
        """Yield the laws of events, each with the last event and the past before it."""
        told = self._told(events)
        yield from ((law, told) for law in self._laws if law.kind == "event")

    def _told(self, events: Sequence[Any]) -> tuple[Any, Any]:
        """Return the past and the last event, as laws see them."""
        seen = [self._event(event, ROLE) for event in events]
        past = self._past(ROLE, {}, now=seen[-1])
        for event in seen[:-1]:
            past.add(event)
        return past, seen[-1]

    def _near(self, database: Any, writes: Sequence[Any]) -> dict[str, dict[str, None]]:
        """Return the rows that changed and still are there, and those that they refer to."""
        found: dict[str, dict[str, None]] = {}
        edge: list[tuple[str, Any]] = [
            (one.table, row) for one in writes for row in (one.after, one.before) if row is not None
        ]
        for _ in range(HOPS + 1):
            above: list[tuple[str, Any]] = []
            for table, row in edge:
                key = getattr(row, self._schemas[table].key)
                if key in found.get(table, {}):
                    continue
                if database.tables[table].find(key) is not None:
                    found.setdefault(table, {})[key] = None
                above += self._above(database, table, row)
            edge = above
        return found

    def _above(self, database: Any, table: str, row: Any) -> Iterator[tuple[str, Any]]:
        """Yield the rows that a row refers to."""
        for reference in self._schemas[table].references:
            for key in self._values_at(row, reference.path):
                other = database.tables[reference.table].find(key)
                if other is not None:
                    yield reference.table, other

    def _holds(self, law: Law, *given: Any) -> bool:
        """Return whether a law is kept; one that fails is noted, and taken as kept."""
        if law.name in self.failed or law.name in self._watch.banned:
            return True
        self.asked.add(law.name)
        self._watch.enter(law.name)
        try:
            return bool(law.holds(*given))
        except MemoryError:
            raise
        except self._rejected:
            # It looks for a row that is not there: the store takes that for a broken rule, too.
            return False
        except Exception as error:  # noqa: BLE001 - a law may be wrong in any way
            self.failed[law.name] = f"{type(error).__name__}: {error}"
            return True
        finally:
            self._watch.leave()
