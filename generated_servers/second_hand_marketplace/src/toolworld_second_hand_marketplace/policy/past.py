"""What the predicates of ``conduct`` are given: one event, and all that came before it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import lru_cache
from typing import Any

from pydantic_core import from_json

from ..calls.arguments import arguments_of
from ..calls.results import result_of
from ..calls.trace import TraceEvent
from ..person.answers import day_of, says, words
from .clauses import tools_of_others

DIGITS = frozenset("0123456789")
FEWEST_DIGITS = 5
"""The number of a thing has as many digits, or more."""
MOST_RESULTS = 1_000
TELLING = ("gives", "corrects", "changes_mind")
"""The acts of a reply that tell a fact."""
WITHDRAWS = ("corrects", "changes_mind")
"""The acts of a reply after which an earlier yes is none any more."""
DECIDES = ("agrees", "declines", *WITHDRAWS)
"""The acts of a reply that answer what was said before."""
FIRST_YEAR, LAST_YEAR = 2000, 2999
"""The years from which days are counted."""
SENTENCE_END = re.compile(r"[.!?;\n]+")
MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}T")
"""The beginning of a point in time; whoever saw one also saw its day."""


class Event:
    """One event as a predicate sees it.

    Attributes:
        role: The person's role in the domain.
        is_call: Whether the agent called a tool.
        is_message: Whether the agent said something to the person.
        tool: The tool called; empty for a message.
        ok: Whether the call was neither rejected nor invalid.
        code: The code of the rejection; empty if there is none.
        changes: The rows that the call changed: ``table``, ``key``, ``before`` and ``after``.
        kinds: The kinds of the acts of a message or reply.
    """

    __slots__ = (
        "changes", "code", "is_call", "is_message", "kinds", "ok", "recorded", "role", "tool"
    )  # fmt: skip

    def __init__(self, recorded: TraceEvent, role: str = "") -> None:
        """Take what the trace has, and the person's role."""
        self.recorded, self.role = recorded, role
        self.is_call, self.is_message = recorded.kind == "call", recorded.kind == "message"
        self.tool, self.code, self.changes = recorded.tool, recorded.code, recorded.writes
        self.ok = recorded.outcome == "ok"
        self.kinds = {act.kind for act in recorded.acts}

    @property
    def result(self) -> Any:
        """What the call returned, for a page the tuple of its rows; None unless it was ok."""
        return result_of(self.tool, self.recorded.text) if self.is_call and self.ok else None

    def argument(self, name: str) -> Any:
        """Return an argument of the call as JSON; None if it was left out."""
        return self.recorded.arguments.get(name)

    def repeats(self, other: Event) -> bool:
        """Return whether a call has the tool and the arguments of another one, left out or not."""
        if not self.is_call or self.tool != other.tool:
            return False
        complete = arguments_of(self.tool).complete
        return complete(self.recorded.arguments) == complete(other.recorded.arguments)

    def does(self, kind: str) -> bool:
        """Return whether a message or reply has an act of a kind."""
        return kind in self.kinds

    def names(self, kind: str) -> list[str]:
        """Return the facts that the acts of a kind are about."""
        return [act.name for act in self.recorded.acts if act.kind == kind]

    def values(self, kind: str) -> list[Any]:
        """Return the values of the acts of a kind."""
        return [act.value for act in self.recorded.acts if act.kind == kind]

    def texts(self, kind: str) -> list[str]:
        """Return the values of the acts of a kind that are no amounts, such as days."""
        return [value for value in self.values(kind) if isinstance(value, str)]


@dataclass(eq=False)
class Past:
    """What came before an event.

    Attributes:
        role: The person's role in the domain.
        told: What the person said in the opening message, and each fact given since, by name.
        now: The event whose past this is; None if no event is judged.
    """

    role: str
    told: dict[str, Any]
    opening: str = ""
    events: list[Event] = field(default_factory=list)
    now: Event | None = None
    _calls: list[Event] = field(default_factory=list)
    _known: set[object] = field(default_factory=set)
    _read: int = 0

    @property
    def calls(self) -> list[Event]:
        """The calls so far that were ok."""
        return list(self._calls)

    @property
    def messages(self) -> list[Event]:
        """The agent's messages so far."""
        return [event for event in self.events if event.is_message]

    @property
    def replies(self) -> list[Event]:
        """The person's replies so far."""
        return [event for event in self.events if event.recorded.kind == "reply"]

    def called(self, tools: str | Collection[str]) -> list[Event]:
        """Return the successful calls of one or more tools."""
        wanted = (tools,) if isinstance(tools, str) else tools
        return [event for event in self._calls if event.tool in wanted]

    def saw(self, value: object) -> bool:
        """Return whether a value was in a result, or was said by the person."""
        plain = _plain(value)
        if self.read(value) or any(plain == _plain(one) for one in self.told.values()):
            return True
        return isinstance(plain, str) and plain in self._texts()

    def read(self, value: object) -> bool:
        """Return whether a value was in a result."""
        return _plain(value) in self._seen()

    def unseen(self, texts: Iterable[str]) -> list[str]:
        """Return those texts that are days or numbers of things, and were not seen.

        A telephone number was seen if its digits were, however they were written.
        """
        unknown = [text for text in texts if not _is_plain(text) and not self.saw(text)]
        if len(unknown) == 0:
            return unknown
        known = {_digits(one) for one in (*self._seen(), *self.told.values())}
        return [text for text in unknown if _has_letters(text) or _digits(text) not in known]

    def counted_from(self, text: str, counts: Iterable[int], days: Collection[str] = ()) -> bool:
        """Return whether a text is a day so many days after one that was seen or is among days.

        The day before or after it counts, too, as in "until the 13th" or "from the 14th".
        """
        day = day_of(text)
        if day is None or not FIRST_YEAR <= day.year <= LAST_YEAR:
            return False
        nearby = [day + timedelta(days=one - count) for count in (0, *counts) for one in (-1, 0, 1)]
        return any(self.saw(str(near)) or str(near) in days for near in nearby)

    def said(self, name: str) -> str:
        """Return what the person said under a name, in lower case; nothing if they did not."""
        return str(self.told.get(name) or "").strip().lower()

    def said_in_words(self, text: str) -> bool:
        """Return whether the person said each sentence of a text, signs and case aside."""
        told = [str(value) for value in self.told.values()]
        spoken = [self.opening, *told, *(event.recorded.text for event in self.replies)]
        sentences = [one for one in SENTENCE_END.split(text) if words(one)]
        return all(any(says(one, sentence) for one in spoken) for sentence in sentences)

    def may(self, tool: str) -> bool:
        """Return whether the person may ask for a tool."""
        return tool not in tools_of_others(self.role)

    def agreed(self) -> bool:
        """Return whether the person said yes, and the yes is not used up."""
        return self.yes_to() is not None

    def yes_to(self) -> list[Any] | None:
        """Return the values stated in the messages that the person said yes to.

        These are all messages since the last decision or change before the yes. A yes covers
        several calls in a row, and adds to an earlier yes. It is used up once the agent speaks
        after a call that changed something. It does not cover a call that repeats one made since,
        with the same arguments.

        Returns:
            None if there was no yes, it was used up, or the person said no or something else since.
        """
        spoke, agreed = False, None
        for place in range(len(self.events) - 1, -1, -1):
            event = self.events[place]
            spoke = spoke or event.is_message
            if event.changes and (spoke or (self.now is not None and event.repeats(self.now))):
                break
            if self._withdraws(place):
                break
            if event.does("agrees"):
                agreed = [*(agreed or []), *self._stated_before(place)]
        return agreed

    def agreed_so_far(self, giving: Collection[str] = ()) -> list[Any]:
        """Return the values stated before any yes so far, whatever was changed since then.

        Another wish, or a no to more than an offer, ends what was agreed to and told before.

        Args:
            giving: Facts whose telling is a yes as well, such as the card to pay with.
        """
        agreed = self._agreed_messages(giving)
        return [value for message in agreed for value in message.values("states")]

    def agreed_in_words(self, texts: Iterable[str], giving: Collection[str] = ()) -> bool:
        """Return whether a message agreed to so far has one of some words, or words in a row.

        Args:
            texts: The words.
            giving: Facts whose telling is a yes as well.
        """
        agreed = [message.recorded.text for message in self._agreed_messages(giving)]
        return any(says(message, text) for text in texts for message in agreed)

    def _agreed_messages(self, giving: Collection[str]) -> list[Event]:
        """Return the messages that came before any yes so far, and after another wish."""
        agreed: list[Event] = []
        told: list[Event] = []
        for place, event in enumerate(self.events):
            told += [event] if event.is_message else []
            if self._withdraws(place):
                agreed, told = [], []
            if event.does("agrees") or any(name in giving for name in event.names("gives")):
                agreed, told = [*agreed, *told], []
        return agreed

    def done_since_yes(self) -> list[Event]:
        """Return the calls that changed something since the person last said yes."""
        done: list[Event] = []
        for event in reversed(self.events):
            if event.does("agrees"):
                break
            done += [event] if event.changes else []
        return done[::-1]

    def _withdraws(self, place: int) -> bool:
        """Return whether a reply takes a yes back: a no to a mere offer does not."""
        event = self.events[place]
        if not event.does("declines"):
            return not event.kinds.isdisjoint(WITHDRAWS)
        before = self.events[place - 1]
        return before.does("asks_yes") or not before.does("offers")

    def _stated_before(self, place: int) -> list[Any]:
        """Return the values stated since the last decision or change before a reply."""
        stated: list[Any] = []
        for event in reversed(self.events[:place]):
            if event.changes or not event.kinds.isdisjoint(DECIDES):
                break
            stated += event.values("states") if event.is_message else []
        return stated

    def refused(self) -> bool:
        """Return whether the agent's last message was a refusal that the person let pass."""
        for event in reversed(self.events):
            if not event.kinds.isdisjoint(("agrees", *TELLING)):
                return False
            if event.is_message:
                return event.does("refuses") and not event.does("offers")
        return False

    def add(self, event: Event) -> None:
        """Add an event to the past."""
        self.events.append(event)
        if event.is_call and event.ok:
            self._calls.append(event)
        for act in event.recorded.acts:
            if event.recorded.kind == "reply" and act.kind in TELLING:
                self.told[act.name] = act.value

    def _seen(self) -> set[object]:
        """Return every value of the results so far; they are read when first needed."""
        for event in self.events[self._read :]:
            if event.is_call and event.ok:
                self._known |= values_of(event.recorded.text)
            elif event.is_call:
                # The values of a rejection, such as the last day, count as seen, too.
                self._known.update(in_values(event.recorded.values))
        self._read = len(self.events)
        return self._known

    def _texts(self) -> str:
        replies = [event.recorded.text for event in self.replies]
        return "\n".join([self.opening, *replies]).lower()


@lru_cache(MOST_RESULTS)
def values_of(text: str) -> frozenset[object]:
    """Return the values in a result, each in the form used for comparison."""
    return frozenset(in_values(from_json(text)))


def in_values(value: object) -> set[object]:
    """Return each value in JSON in the form used for comparison, and the day of each moment."""
    found = leaves(value)
    moments = [leaf for leaf in found if isinstance(leaf, str) and MOMENT.match(leaf)]
    return {*map(_plain, found), *(moment[:10] for moment in moments)}


def leaves(value: object) -> list[object]:
    """Return each value in JSON that is neither a list nor an object."""
    found: list[object] = []
    left = [value]
    while left:
        value = left.pop()
        if isinstance(value, list | tuple):
            left.extend(value)
        # Most are texts and numbers; the test for a mapping is the slowest.
        elif isinstance(value, str | int | float) or not isinstance(value, Mapping):
            found.append(value)
        else:
            left.extend(value.values())
    return found


def _is_plain(text: str) -> bool:
    """Return whether a text is no day and no number of a thing: a count, a name, a code."""
    # Digits alone are a part of a telephone number, or of a card's; a code SUNNY25 has few.
    return text.isdigit() or (len(_digits(text)) < FEWEST_DIGITS and "@" not in text)


def _digits(value: object) -> str:
    """Return the digits of a text; nothing of another value."""
    return "".join(one for one in value if one in DIGITS) if isinstance(value, str) else ""


def _has_letters(text: str) -> bool:
    return any(letter.isalpha() for letter in text)


def _plain(value: object) -> object:
    """Return a value in the form used for comparison: texts in lower case, numbers as floats."""
    if isinstance(value, str):
        return value.strip().lower()
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        return float(value)
    return _plain(_as_json(value))


def _as_json(value: Any) -> object:
    if isinstance(value, Iterable):
        return str(value)
    return float(value) if hasattr(value, "quantize") else value.isoformat()
