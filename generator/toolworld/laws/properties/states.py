"""States that episodes reach, and calls made from them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from toolworld.graph.evidence import PlannedCall
from toolworld.graph.knowledge import Knowledge
from toolworld.graph.surface import Surface, ToolFacts
from toolworld.laws.caller import RefusedCall, ToolCaller

MOST_BEFORE = 2
"""How many calls lead to a state at most."""
TRIED = 7
"""How many tools near the first are tried at a state."""


@dataclass(frozen=True)
class CallMade:
    """A call that was made.

    Attributes:
        result: What it gave, as JSON values.
        writes: What it changed.
    """

    call: PlannedCall
    result: dict[str, Any]
    writes: Sequence[Any]


@dataclass(frozen=True)
class EpisodeState:
    """Where an episode got to.

    Attributes:
        before: The calls that led there.
        snapshot: The state.
        known: What an agent could know.
        possible: Calls that change something there, each of another tool.
        refused: Calls that are refused there.
    """

    before: tuple[PlannedCall, ...]
    snapshot: Any
    known: Knowledge
    possible: tuple[CallMade, ...]
    refused: tuple[RefusedCall, ...]


class EpisodeStates:
    """Leads an episode to states, and plays calls there.

    Attributes:
        caller: Calls its tools.
        surface: What the package says of them.
        rng: Chooses tools.
    """

    def __init__(self, caller: ToolCaller, rng: random.Random) -> None:
        """Take the caller of the tools."""
        self.caller, self.rng = caller, rng
        self.surface: Surface = caller.surface
        self._environment = caller.environment

    def next(self) -> EpisodeState:
        """Return another state."""
        first = self.rng.choice(self.caller.writers)
        known, before = self.caller.start(first), []
        for _ in range(self.rng.randint(0, MOST_BEFORE)):
            call = self.caller.changing(self._near(first), known)
            before += [call] if call is not None else []
        snapshot = self._environment.snapshot()
        possible, refused = self._tried(first, snapshot, known)
        return EpisodeState(tuple(before), snapshot, known, possible, refused)

    def restore(self, state: EpisodeState) -> None:
        """Go back to a state."""
        self._environment.restore(state.snapshot)

    def play(
        self, state: EpisodeState, calls: Sequence[PlannedCall]
    ) -> list[CallMade | RefusedCall]:
        """Return the outcomes of calls at a state, up to the first refusal."""
        self.restore(state)
        played: list[CallMade | RefusedCall] = []
        for call in calls:
            played.append(self.call(call))
            if isinstance(played[-1], RefusedCall):
                break
        return played

    def call(self, call: PlannedCall) -> CallMade | RefusedCall:
        """Return the outcome of a call at the present state."""
        refusal = self.caller.call(call)
        return refusal or CallMade(call, self.caller.result, self.caller.writes)

    def _near(self, tool: ToolFacts) -> ToolFacts:
        return self.rng.choice(self.caller.near[tool.name])

    def _tried(
        self, first: ToolFacts, snapshot: Any, known: Knowledge
    ) -> tuple[tuple[CallMade, ...], tuple[RefusedCall, ...]]:
        """Return the outcomes of some tools at a state."""
        possible: list[CallMade] = []
        refused: list[RefusedCall] = []
        near = self.caller.near[first.name]
        others = self.rng.sample(near, min(TRIED, len(near)))
        for tool in [first, *(other for other in others if other is not first)]:
            self._environment.restore(snapshot)
            call = self.caller.changing(tool, known.copy())
            refused += self.caller.refusals
            if call is not None:
                possible.append(CallMade(call, self.caller.result, self.caller.writes))
        return tuple(possible), tuple(refused)
