"""What happened in an episode, in order: calls, the agent's messages and the person's replies.

A trace is kept only where there is a task, for the part of a grade that looks at conduct. It
holds each result as the text that the call gave, shared and not copied.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from ..database.store import Written

MOST_EVENTS = 10_000

NOTHING: Mapping[str, object] = {}


class Act(NamedTuple):
    """What a message does, by the rules of ``acts`` or of the person.

    Attributes:
        kind: Of an agent: ``asks``, ``states``, ``offers``, ``refuses``, ``asks_yes``,
            ``closes``. Of a person: ``gives``, ``agrees``, ``declines``, ``corrects``,
            ``insists``, ``holds``, ``wants_to_know``, ``does_not_know``, ``changes_mind``,
            ``leaves``, ``unplaced``.
        name: The fact it is about; empty if none.
        value: The value it states or gives.
    """

    kind: str
    name: str = ""
    value: object = None


class TraceEvent(NamedTuple):
    """One thing that happened.

    Attributes:
        kind: A call, a message of the agent, or a reply of the person.
        text: What the call gave back, or what was said.
        code: The code of a rejection.
        values: The values of a rejection.
        writes: The rows that a call changed.
        acts: What a message or reply does.
    """

    kind: Literal["call", "message", "reply"]
    text: str
    tool: str = ""
    arguments: Mapping[str, object] = NOTHING
    outcome: str = ""
    code: str = ""
    values: Mapping[str, object] = NOTHING
    writes: tuple[Written, ...] = ()
    acts: tuple[Act, ...] = ()


class Trace:
    """Events in order; never changes, and shares them with the traces that go on from it."""

    __slots__ = ("_events", "_length")

    def __init__(self, events: list[TraceEvent] | None = None, length: int = 0) -> None:
        """Take the first events of a list; by default there are none yet."""
        self._events: list[TraceEvent] = events if events is not None else []
        self._length = length

    def added(self, event: TraceEvent) -> Trace:
        """Return a trace with one more event; past ``MOST_EVENTS`` the text is dropped."""
        events, length = self._events, self._length
        if length > MOST_EVENTS:
            return self
        if len(events) != length:
            # Another trace went on from here: it keeps its list.
            events = events[:length]
        events.append(event)
        return Trace(events, length + 1)

    @property
    def is_full(self) -> bool:
        """Whether more happened than a trace holds."""
        return self._length > MOST_EVENTS

    def __len__(self) -> int:
        """Count the events."""
        return self._length

    def __iter__(self) -> Iterator[TraceEvent]:
        """Yield the events in order."""
        return iter(self._events[: self._length])
