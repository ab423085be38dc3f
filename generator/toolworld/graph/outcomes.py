"""What calls come to at moments of an episode; no call is made twice at one moment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from toolworld.graph.guard import Guarded

Json = Any
Moment = Any
"""A snapshot; those of equal states are one object, see ``Moments``."""


class Moments:
    """Snapshots of an episode, one object for each state."""

    def __init__(self) -> None:
        """Start with none."""
        self._known: dict[str, list[Moment]] = {}

    def now(self, environment: Guarded) -> Moment:
        """Return the present moment."""
        snapshot = environment.snapshot()
        alike = self._known.setdefault(environment.digest(), [])
        for other in alike:
            if other == snapshot:
                return other
        alike.append(snapshot)
        return snapshot


class CallOutcome(NamedTuple):
    """What a call came to.

    Attributes:
        outcome: ``ok``, ``rejected`` and so on.
        text: A number that stands for its text, equal for equal texts.
    """

    outcome: str
    text: int


class Outcomes:
    """What calls came to, by moment, tool and arguments.

    Attributes:
        calls: How many calls were made.
    """

    def __init__(self, environment: Guarded) -> None:
        """Start with none."""
        self._environment = environment
        self._known: dict[tuple[int, str, str], CallOutcome] = {}
        self.calls = 0

    def of(self, moment: Moment, tool: str, arguments: Mapping[str, Json]) -> CallOutcome:
        """Return the outcome of a call at a moment."""
        known = self._known.get((id(moment), tool, repr(arguments)))
        if known is None:
            self.result(moment, tool, arguments)
            known = self._known[id(moment), tool, repr(arguments)]
        return known

    def result(self, moment: Moment, tool: str, arguments: Mapping[str, Json]) -> Json | None:
        """Make a call at a moment, and stay after it; return its result, or None if it fails."""
        place = (id(moment), tool, repr(arguments))
        if place in self._known and self._known[place].outcome != "ok":
            return None
        self._environment.restore(moment)
        self.calls += 1
        made = self._environment.call(tool, arguments)
        self._known[place] = CallOutcome(made.outcome, hash(made.text))
        return None if made.is_error else made
