"""What happened in an episode, in order: calls, the agent's messages and the person's replies.

Only an episode with a task keeps a trace, for the part of the grade that judges conduct. A
trace shares the text of each result and copies none.
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
    """One event of a trace.

    Attributes:
        kind: A call, a message of the agent, or a reply of the person.
        text: The result of the call, or the words of the message or reply.
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
    """An immutable sequence of events, which it shares with the traces that extend it."""

    __slots__ = ("_events", "_length")

    def __init__(self, events: list[TraceEvent] | None = None, length: int = 0) -> None:
        """Take the first ``length`` events of a list; by default none."""
        self._events: list[TraceEvent] = events if events is not None else []
        self._length = length

    def added(self, event: TraceEvent) -> Trace:
        """Return a trace with one more event; a full trace drops the event."""
        events, length = self._events, self._length
        if length > MOST_EVENTS:
            return self
        if len(events) != length:
            # Another trace extended this list: leave the list to it.
            events = events[:length]
        events.append(event)
        return Trace(events, length + 1)

    @property
    def is_full(self) -> bool:
        """Whether more events happened than a trace holds."""
        return self._length > MOST_EVENTS

    def __len__(self) -> int:
        """Count the events."""
        return self._length

    def __iter__(self) -> Iterator[TraceEvent]:
        """Yield the events in order."""
        return iter(self._events[: self._length])
