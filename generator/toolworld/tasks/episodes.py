"""Episodes that remember: a call that was made at this moment before is not run again.

What a call gives depends on nothing but the state and its arguments; what a look-up gives, on
nothing of the state but the tables that it reads. While one task is made, its gold is run many
times from the same start, and the same look-ups are made over and over.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from pydantic_core import from_json, to_json

from toolworld.emit import Package
from toolworld.graph.surface import surface_of
from toolworld.tasks.differences import Difference, Differences, Rows

Json = Any
Arguments = Mapping[str, Json]
Patch = Mapping[str, Mapping[str, Mapping[str, Json] | None]]

MOST_STARTS = 16
"""How many starts are remembered: more than the making of one task goes back to."""
MOST_CALLS = 1_000
"""How many calls of one moment are remembered."""
MOST_LOOKS = 10_000
"""How many look-ups of all moments are remembered."""
MOST_READ = 256
"""How many results are remembered as JSON values: calls of one task often give the same."""

_read = lru_cache(MOST_READ)(from_json)


@dataclass(frozen=True)
class Given:
    """What a call gave, as the package says it."""

    outcome: str
    text: str

    @property
    def is_error(self) -> bool:
        """Whether the call did nothing."""
        return self.outcome != "ok"

    @cached_property
    def structured(self) -> Mapping[str, Json]:
        """The result as JSON values, which nobody may change; empty unless ok."""
        found: Mapping[str, Json] = {} if self.is_error else _read(self.text)
        return found


class Moment:
    """A state in which episodes of one start have been, and what is known of it.

    Attributes:
        snapshot: How to get there.
        calls: What calls gave there, and the moments they led to.
        changes: The rows that differ from the start, once somebody asked.
    """

    __slots__ = ("calls", "changes", "snapshot")

    def __init__(self, snapshot: Any) -> None:
        """Know nothing yet."""
        self.snapshot = snapshot
        self.calls: dict[Place, Called] = {}
        self.changes: Sequence[Any] | None = None

    @property
    def rows(self) -> Rows:
        """The rows that are not as in the database."""
        rows: Rows = self.snapshot.state.changes
        return rows


Place = tuple[str, bytes]
"""A tool, and arguments for it."""
Called = tuple[Given, Moment | None]
"""What a call gave, and the moment after it; None for the same, so that no moment holds itself."""


class Looks:
    """What look-ups gave, by the rows of the tables they read that are not as in the database."""

    def __init__(self, package: Package) -> None:
        """Find out which tools only look, and where."""
        tools = surface_of(package).tools.values()
        self._tables = {tool.name: sorted(tool.read_tables) for tool in tools if tool.read_only}
        self._known: dict[Hashable, tuple[Called, Any]] = {}

    def __contains__(self, tool: str) -> bool:
        """Whether a tool only looks."""
        return tool in self._tables

    def key(self, moment: Moment, place: Place) -> Hashable:
        """Return what a look-up depends on: where it is made, and the rows that it may see."""
        tool, _ = place
        seen = [
            (table, key, id(row))
            for table in self._tables[tool]
            for key, row in moment.rows.get(table, {}).items()
        ]
        return place, tuple(seen)

    def known(self, key: Hashable) -> Called | None:
        """Return what a look-up gives, if that is known."""
        found = self._known.get(key)
        return found[0] if found else None

    def keep(self, key: Hashable, called: Called, moment: Moment) -> None:
        """Keep what a look-up gave at a moment."""
        if len(self._known) >= MOST_LOOKS:
            self._known.clear()
        # With the snapshot, so that no other row can come to have the identity of one of these.
        self._known[key] = called, moment.snapshot


class Episodes:
    """Opens episodes of a package; all of them know what one of them has seen.

    Attributes:
        package: The package.
    """

    def __init__(self, package: Package) -> None:
        """Take the package: calls are made in one environment of it."""
        self.package = package
        self.differences = Differences(package)
        self._environment = package.environment()
        self._looks = Looks(package)
        self._start = lru_cache(MOST_STARTS)(self._opened)
        self._here = self._start(to_json({}))

    def open(self, initial: Patch | None = None) -> Episode:
        """Return an episode that starts from a patch over the seed database.

        Raises:
            PackageError: The package's own: the patch does not fit the database.
        """
        return Episode(self, self._start(to_json(initial or {})))

    def _opened(self, initial: bytes) -> Moment:
        task = {"id": "start", "instruction": "", "initial": from_json(initial)}
        self._environment.reset(task)
        self._here = Moment(self._environment.snapshot())
        return self._here

    def at(self, moment: Moment) -> Any:
        """Return the environment, at a moment."""
        if self._here is not moment:
            self._environment.restore(moment.snapshot)
            self._here = moment
        return self._environment

    def call(self, moment: Moment, tool: str, arguments: Arguments) -> tuple[Given, Moment]:
        """Return what a call at a moment gives, and the moment after it."""
        place = tool, to_json(arguments)
        known = moment.calls.get(place)
        if known is None:
            if len(moment.calls) >= MOST_CALLS:
                moment.calls.clear()
            known = moment.calls[place] = self._found(moment, place, arguments)
        given, after = known
        return given, after or moment

    def _found(self, moment: Moment, place: Place, arguments: Arguments) -> Called:
        tool, looks = place[0], self._looks
        if tool not in looks:
            return self._made(moment, tool, arguments)
        key = looks.key(moment, place)
        known = looks.known(key)
        if known is None:
            known = self._made(moment, tool, arguments)
            looks.keep(key, known, moment)
        return known

    def _made(self, moment: Moment, tool: str, arguments: Arguments) -> Called:
        environment = self.at(moment)
        result = environment.call(tool, arguments)
        given = Given(result.outcome, result.text)
        if given.is_error or tool in self._looks:
            return given, None
        after = environment.snapshot()
        if after == moment.snapshot:
            return given, None
        self._here = Moment(after)
        return given, self._here


class Episode:
    """One way through the moments that follow a start.

    Attributes:
        start: The first of them.
    """

    def __init__(self, episodes: Episodes, start: Moment) -> None:
        """Begin at the start."""
        self._episodes = episodes
        self.start = self._now = start

    def call(self, tool: str, arguments: Arguments) -> Given:
        """Make a call and go on from after it.

        Raises:
            UnknownTool: The package's own: it has no such tool.
            Exception: Whatever a broken tool raises; the episode stays where it is.
        """
        given, self._now = self._episodes.call(self._now, tool, arguments)
        return given

    def peek(self, tool: str, arguments: Arguments) -> Given:
        """Return what a call would give, and stay."""
        return self._episodes.call(self._now, tool, arguments)[0]

    def now(self) -> Moment:
        """Return the present moment, to go back to."""
        return self._now

    def go(self, moment: Moment) -> None:
        """Go to another moment of the same start."""
        self._now = moment

    def diff(self) -> Sequence[Any]:
        """Return the rows that differ from the start, as the package does."""
        now = self._now
        if now.changes is None:
            found = self._episodes.differences.changes(self.start.rows, now.rows)
            now.changes = tuple(found)
        return now.changes

    def since(self, moment: Moment) -> Iterator[Difference]:
        """Yield the rows that differ from another moment, in no order."""
        return self._episodes.differences.between(moment.rows, self._now.rows)

    def is_as_at(self, moment: Moment) -> bool:
        """Whether no row differs from another moment."""
        return next(self.since(moment), None) is None
