"""Calls of tools that may be broken: exceptions are noted, endless calls are stopped.

Work that calls tools runs in forked children. A tool that takes its child along, by hanging or
by eating memory, is named, and the work is done again without it.
"""

from __future__ import annotations

import re
import resource
import signal
import time
import traceback
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, TypeVar

from toolworld.emit.jobs import Limits, Marker, OutOfTime, run_all
from toolworld.errors import ToolworldError
from toolworld.packages.tools_modules import tools_file
from toolworld.prove.checks import TIME

T = TypeVar("T")

TICKS = 4
"""How often a call's time is looked at before it is over."""
LONGEST_TEXT = 200
ADDRESS = re.compile(r"\b0x[0-9a-f]+")


@dataclass(frozen=True)
class Broken:
    """A fault of a tool, and its mend."""

    reason: str
    mend: str

    def as_json(self) -> dict[str, str]:
        """Return it as JSON values."""
        return {"reason": self.reason, "mend": self.mend}

    def __str__(self) -> str:
        """One line."""
        return f"{self.reason}. {self.mend}"


MENDS = {"eats memory": "Bound what it collects, and reject what is larger."}


def died(death: str, limits: Limits) -> Broken:
    """Return the fault of a tool that ended its process."""
    if death in MENDS:
        return Broken(f"{death}: a call took more than {limits.memory} megabytes", MENDS[death])
    return Broken(f"{death}: a call took more than {limits.call:g} seconds", TIME)


def raised(error: Exception) -> Broken:
    """Return the fault of a tool that raised an unexpected exception."""
    text = ADDRESS.sub("0x...", f"{type(error).__name__}: {error}".strip())[:LONGEST_TEXT]
    frames = traceback.extract_tb(error.__traceback__)
    places = [(frame.lineno, tools_file(frame.filename)) for frame in frames]
    inside = [f" at line {line} of {file}" for line, file in places if file]
    where = inside[-1] if inside else ""
    return Broken(
        f"raises {text}{where}",
        "Reject what leads there; toolworld prove shows calls that do.",
    )


@dataclass(frozen=True)
class BrokenCall:
    """What a call of a broken tool gave: an error, as an environment's results are."""

    text: str
    outcome: str = "broken"
    is_error: bool = True
    structured: Mapping[str, Any] = field(default_factory=dict)


class Watch:
    """Looks after the calls of one piece of work.

    Attributes:
        banned: The tools that are not called.
        found: What is wrong with the tools that raised.
        tool: The tool that is being called, or was last.
    """

    def __init__(self, banned: Mapping[str, Broken] | None = None) -> None:
        """Start with the tools known to be broken."""
        self.banned = dict(banned or {})
        self.found: dict[str, Broken] = {}
        self.tool = ""
        self._marker: Marker | None = None
        self._inside = False
        self._calls = self._calls_seen = self._ticks = 0

    def enter(self, tool: str) -> None:
        """Note that a call begins."""
        self.tool = tool
        self._calls += 1
        self._inside = True
        if self._marker is not None:
            self._marker.set(tool)

    def leave(self) -> None:
        """Note that it has ended."""
        self._inside = False

    def note(self, error: Exception) -> None:
        """Note that it raised."""
        if self.tool not in self.found:
            self.found[self.tool] = raised(error)

    @contextmanager
    def limiting(self, seconds: float, marker: Marker) -> Iterator[None]:
        """Raise ``OutOfTime`` in a call that uses more processor time than this, for a while.

        One timer ticks for all calls, so that a call costs next to nothing more. The kernel
        ends the process if no tick gets through, as in one endless C call.
        """
        self._marker = marker
        tick = partial(self._tick, seconds)
        signal.signal(signal.SIGVTALRM, lambda *_: tick())
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds / TICKS, seconds / TICKS)
        _allow(seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            _, hard = resource.getrlimit(resource.RLIMIT_CPU)
            resource.setrlimit(resource.RLIMIT_CPU, (hard, hard))

    def _tick(self, seconds: float) -> None:
        if self._inside and self._calls == self._calls_seen:
            self._ticks += 1
            if self._ticks >= TICKS:
                raise OutOfTime
        else:
            self._calls_seen, self._ticks = self._calls, 0
            _allow(seconds)


class TrialWatch(Watch):
    """A watch on another's calls that does not count exceptions as faults."""

    def __init__(self, watch: Watch) -> None:
        """Look on together with a watch."""
        super().__init__(watch.banned)
        self._watch = watch

    def enter(self, tool: str) -> None:
        """Note that a call begins."""
        self._watch.enter(tool)

    def leave(self) -> None:
        """Note that it has ended."""
        self._watch.leave()

    def note(self, error: Exception) -> None:
        """Ignore the exception."""


def _allow(seconds: float) -> None:
    """Let the process go on for a call's time, and a little more for the timer to get through."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soon = int(time.process_time() + 2 * seconds) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (soon, hard))


class Guarded:
    """An episode whose calls are watched; everything else is the episode's own."""

    def __init__(
        self, environment: Any, watch: Watch, readers: Collection[str] = frozenset()
    ) -> None:
        """Wrap an episode.

        Args:
            environment: The episode.
            watch: What looks after the calls.
            readers: The tools that change nothing: after them, nothing needs to be restored.
        """
        self._environment = environment
        self._watch = watch
        self._readers = readers
        self._at: Any = None

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Any:
        """Call a tool; if it is broken, the result says so and nothing is changed."""
        watch = self._watch
        if tool in watch.banned:
            return BrokenCall(watch.banned[tool].reason)
        watch.enter(tool)
        try:
            result = self._environment.call(tool, arguments)
            if result.outcome == "ok" and tool not in self._readers:
                self._at = None
            return result
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a tool does, the others go on
            watch.note(error)
            return BrokenCall(type(error).__name__)
        finally:
            watch.leave()

    def restore(self, snapshot: Any) -> None:
        """Go to a moment, unless the episode is at it."""
        if snapshot is not self._at:
            self._environment.restore(snapshot)
            self._at = snapshot

    def reset(self) -> None:
        """Go back to the start."""
        self._environment.reset()
        self._at = None

    def of_base(self, base: Any) -> Guarded:
        """Return an episode that starts from another database, where tools may well break."""
        environment = type(self._environment)(None, 0, base)
        return Guarded(environment, TrialWatch(self._watch), self._readers)

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the episode."""
        return getattr(self._environment, name)


@dataclass(frozen=True)
class Done(Generic[T]):
    """What a piece of work came to.

    Attributes:
        value: What it returned.
        raised: What is wrong with tools that raised.
        banned: What is wrong with tools that could not be called any more.
        death: Why a tool had it stopped; empty if it was not.
    """

    value: T
    raised: Mapping[str, Broken]
    banned: Mapping[str, Broken]
    death: str = ""

    @property
    def broken(self) -> dict[str, Broken]:
        """What is wrong with any tool."""
        return {**self.raised, **self.banned}


def run_guarded(
    works: Sequence[Callable[[Watch], T]],
    banned: Mapping[str, Broken],
    limits: Limits,
    workers: int,
    on_done: Callable[[int], None],
) -> list[Done[T]]:
    """Run works in children; one that a tool takes along is run again without that tool.

    No work learns what another found, so the results do not depend on how many run at once.

    Args:
        works: What to do, each with a watch over its calls.
        banned: Tools that are not called at all.
        limits: What a child, and one call in it, may use.
        workers: How many children at once.
        on_done: Told the number of each work that is done.
    """
    done: dict[int, Done[T]] = {}
    bans = [dict(banned) for _ in works]
    while waiting := [number for number in range(len(works)) if number not in done]:
        jobs = [partial(_in_child, works[number], bans[number], limits) for number in waiting]
        for place, ended in run_all(jobs, limits, workers):
            number = waiting[place]
            death = ended.death or ended.value.death
            if death:
                _ban(bans[number], ended.doing, died(death, limits))
            else:
                done[number] = ended.value
                on_done(number)
    return [done[number] for number in range(len(works))]


def _in_child(
    work: Callable[[Watch], T], banned: Mapping[str, Broken], limits: Limits, marker: Marker
) -> Done[T | None]:
    watch = Watch(banned)
    try:
        with watch.limiting(limits.call, marker):
            return Done(work(watch), watch.found, banned)
    except OutOfTime:
        return Done(None, {}, banned, death="does not come back")


def _ban(banned: dict[str, Broken], tool: str, broken: Broken) -> None:
    if not tool or tool in banned:
        raise ToolworldError(
            f"Making the graph {broken.reason}, and no tool can be named. Give it more memory, "
            "or fewer --tries."
        )
    banned[tool] = broken
