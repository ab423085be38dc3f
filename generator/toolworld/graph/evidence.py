"""Evidence of an edge: the calls that show it, and running them again."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from toolworld.graph.candidates import Label
from toolworld.graph.values import at, holds

Json = Any

LONGEST_MESSAGE = 300


@dataclass(frozen=True)
class PlannedCall:
    """A call to make."""

    tool: str
    arguments: Mapping[str, Json]


@dataclass(frozen=True)
class CallOnRecord:
    """A call that was made.

    Attributes:
        message: What a refusal said; empty when ok.
        result: A digest of what it gave.
        state: The state's digest after it.
    """

    tool: str
    arguments: Mapping[str, Json]
    outcome: str
    message: str
    result: str
    state: str


@dataclass(frozen=True)
class Evidence:
    """The calls that show an edge, from the package's seed database.

    Attributes:
        setup: Calls that lead to the state it starts from.
        before: The second tool's call, made and undone before the first tool's.
        source: The first tool's call.
        target: The second tool's call, after it: the same call as ``before``.
        taken: For a data edge, where in the first result the value stood, the argument it
            became, and the value.
        new_row: The id of a row that the first call added and the second names; empty if none.
    """

    setup: tuple[PlannedCall, ...]
    before: CallOnRecord
    source: CallOnRecord
    target: CallOnRecord
    taken: Mapping[str, str] = field(default_factory=dict)
    new_row: str = ""

    def as_json(self) -> dict[str, Json]:
        """Return it as JSON values."""
        return asdict(self)

    @classmethod
    def from_json(cls, said: Mapping[str, Json]) -> Evidence:
        """Return the evidence that ``as_json`` gave."""
        return cls(
            setup=tuple(PlannedCall(**call) for call in said["setup"]),
            before=CallOnRecord(**said["before"]),
            source=CallOnRecord(**said["source"]),
            target=CallOnRecord(**said["target"]),
            taken=said["taken"],
            new_row=said["new_row"],
        )


def make(environment: Any, tool: str, arguments: Mapping[str, Json]) -> CallOnRecord:
    """Make a call and note its result."""
    result = environment.call(tool, arguments)
    return CallOnRecord(
        tool=tool,
        arguments=arguments,
        outcome=result.outcome,
        message=result.text[:LONGEST_MESSAGE] if result.is_error else "",
        result=hashlib.sha256(result.text.encode()).hexdigest()[:16],
        state=environment.digest(),
    )


def record(
    environment: Any,
    setup: Sequence[PlannedCall],
    source: PlannedCall,
    target: PlannedCall,
    taken: Mapping[str, str] | None = None,
) -> Evidence:
    """Return the evidence that two calls give, made from the seed database.

    Args:
        environment: An episode without a task; it is reset.
        setup: Calls to make first.
        source: The first tool's call.
        target: The second tool's call.
        taken: What the second call takes from the first.
    """
    environment.reset()
    for call in setup:
        environment.call(call.tool, call.arguments)
    start, there = environment.snapshot(), added(environment)
    before = make(environment, target.tool, target.arguments)
    environment.restore(start)
    first = make(environment, source.tool, source.arguments)
    rows = [key for key in added(environment) if key not in there]
    second = make(environment, target.tool, target.arguments)
    new = next((key for key in rows if holds(target.arguments, key)), "")
    return Evidence(tuple(setup), before, first, second, dict(taken or {}), new)


def added(environment: Any) -> list[str]:
    """Return the ids of the rows added since the start."""
    return [change.key for change in environment.diff() if change.before is None]


def run_again(environment: Any, evidence: Evidence) -> bool:
    """Make all calls of some evidence again, and return whether they give exactly the same."""
    return _recorded(environment, evidence, evidence.setup) == evidence


def _recorded(environment: Any, evidence: Evidence, setup: Sequence[PlannedCall]) -> Evidence:
    source = PlannedCall(evidence.source.tool, evidence.source.arguments)
    target = PlannedCall(evidence.target.tool, evidence.target.arguments)
    return record(environment, setup, source, target, evidence.taken)


def shortened(environment: Any, label: Label, evidence: Evidence) -> Evidence:
    """Return the evidence without the calls of its setup that it does not need."""
    for number in reversed(range(len(evidence.setup))):
        setup = evidence.setup[:number] + evidence.setup[number + 1 :]
        shorter = _recorded(environment, evidence, setup)
        # An id must still come from the result it came from.
        same = label != "data" or shorter.source.result == evidence.source.result
        if same and shows(label, shorter):
            evidence = shorter
    return evidence


def shows(label: Label, evidence: Evidence) -> bool:
    """Whether evidence supports an edge of its label."""
    before, source, target = evidence.before, evidence.source, evidence.target
    if source.outcome != "ok" or target.outcome != "ok":
        return False
    if label == "enables":
        return before.outcome == "rejected"
    if label == "shared table":
        return before.outcome == "ok" and before.result != target.result
    value = evidence.taken["value"]
    given = at(target.arguments, evidence.taken["argument"])
    return value in given and not holds(source.arguments, value)
