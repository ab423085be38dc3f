"""What an agent's message does to the person, by published rules: its acts, in order.

The rules know English only. They take time in proportion to the message and use no model.

==============  ===========================================================================
``asks``        a fact is asked for, by its topics; without a name, something else is asked
``states``      a value is said: an amount, a day, a number, a percentage, an id
``offers``      something other than what was asked for is proposed
``refuses``     what was asked for is not done
``asks_yes``    the person's agreement is sought
``closes``      something is said to be done, or leave is taken, and nothing is asked
``finds_none``  nothing was found under what the person said
``waits``       the agent asks for time or says what it does next, and does nothing else
==============  ===========================================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from datetime import date
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from ..calls.trace import Act
from .talk.asking import asked, asked_in_list, goes_back, is_about_it
from .talk.consent import asks_yes, goes_on, wishes
from .talk.ending import ends, is_done
from .talk.sentences import Phrase, phrases_of
from .talk.stated import Stated, values_in
from .talk.telling import finds_none, gives_reason, offers, pauses, refuses, waits
from .talk.topics import Topics, named

ASKS_ANYTHING = Act("asks")
ASKS_AGAIN = Act("asks", value="what was named")
"""A request for "those details"; it counts only if the message asks for nothing else."""
OFFERS, REFUSES, ASKS_YES = Act("offers"), Act("refuses"), Act("asks_yes")
CLOSES, FINDS_NONE, WAITS = Act("closes"), Act("finds_none"), Act("waits")
ASKING = ("asks", "asks_yes")
RECEIVED = "what the person receives"
RECEIVING = ("refund", "refunded", "credit", "credited", "back", "receive", "get")
"""Words of agents for sums that the person receives."""


def acts_of(
    text: str,
    topics: Mapping[str, Sequence[str]],
    values: Mapping[str, Sequence[str]] | None = None,
    today: date | None = None,
) -> tuple[Act, ...]:
    """Return the acts of an agent's message, each once, in the order of the text.

    Args:
        text: The message; no more than its first 10,000 characters count.
        topics: The words by which each of the person's facts may be asked for.
        values: The words that name other values, such as ``{"fee": ["fee", "charge"]}``.
        today: A day without a year is the nearest one to this; without it, ``--03-05``.
    """
    return Listener(topics, values or {}, today).hear(text).acts


MOST_MESSAGES = 512
Named: TypeAlias = list[tuple[Stated, str]]
"""The values of a phrase, each with its name or none."""


class HeardMessage(NamedTuple):
    """A message, and what it does.

    Attributes:
        acts: Its acts, each once, in the order of the text.
        kinds: Their kinds.
        amounts: The sums that it says the person would pay, each with its name if any; no sums that
            the person receives, and no plain numbers without a name.
        takes_leave: Whether it ends the talk, rather than only saying that something was done.
        gives_reason: Whether it says something that could be the reason for a refusal.
    """

    text: str
    acts: tuple[Act, ...]
    kinds: frozenset[str]
    amounts: tuple[tuple[str, float], ...]
    takes_leave: bool
    gives_reason: bool


class Listener:
    """The rules with the topics of one person, for any number of messages.

    Attributes:
        hear: Returns a message with what it does.
    """

    def __init__(
        self,
        topics: Mapping[str, Sequence[str]],
        values: Mapping[str, Sequence[str]],
        today: date | None,
    ) -> None:
        """Prepare the topics, and the words that name values."""
        self._topics = Topics(topics)
        own = {word for words in values.values() for word in words}
        received = [word for word in RECEIVING if word not in own]
        self._values = Topics({**values, RECEIVED: received})
        self._today = today
        # Cached: certificates repeat the same messages, and reading one takes longer than
        # everything else that an episode does with it.
        self.hear = lru_cache(MOST_MESSAGES)(self._hear)

    def _hear(self, text: str) -> HeardMessage:
        said = [(phrase, self._named(phrase)) for phrase in phrases_of(text)]
        takes_leave = any(ends(phrase) for phrase, _ in said)
        goes_on = bool(said) and pauses(said[-1][0]) and not takes_leave
        acts = self._acts(said, goes_on)
        return HeardMessage(
            text=text,
            acts=acts,
            kinds=frozenset(act.kind for act in acts),
            amounts=tuple(_amounts(said)),
            takes_leave=takes_leave,
            gives_reason=any(gives_reason(phrase) for phrase, _ in said),
        )

    def _acts(self, said: Sequence[tuple[Phrase, Named]], goes_on: bool) -> tuple[Act, ...]:
        found: dict[Act, None] = {}
        for act in self._all(said):
            found.setdefault(act)
        if goes_on or any(act.kind in ASKING for act in found):
            found.pop(CLOSES, None)
        if any(act.kind not in ("states", "waits") for act in found):
            found.pop(WAITS, None)
        if ASKS_AGAIN in found:
            found.pop(ASKS_AGAIN)
            if not any(act.kind in ASKING for act in found):
                found[ASKS_ANYTHING] = None
        return tuple(found)

    def _all(self, said: Sequence[tuple[Phrase, Named]]) -> Iterator[Act]:
        """Yield the acts of each phrase; a line that opens a list is read with the list's items."""
        waiting: list[Act] = []
        before: set[Act] = set()
        sought: list[str] = []
        for phrase, stated in said:
            yield from _states(stated)
            wanted = self._asks_in_list(phrase) if phrase.opener else []
            if wanted and any(act.name for act in wanted):
                waiting = []
            elif not phrase.opener and not phrase.opens:
                yield from waiting
                waiting = []
            found = wanted or list(self._of(phrase, before))
            if FINDS_NONE in found:
                sought = self._topics.names(phrase.plain)
            elif sought and is_about_it(phrase):
                about = dict.fromkeys(sought + self._topics.names(phrase.plain))
                found = [Act("asks", name) for name in about]
            before.update(found)
            if phrase.opens:
                waiting += [act for act in found if act in (ASKS_ANYTHING, ASKS_YES)]
            yield from (act for act in found if act not in waiting)
        yield from waiting

    def _named(self, phrase: Phrase) -> Named:
        """Return the values of a phrase, each with its name or none."""
        values = values_in(phrase.written, self._today)
        if not values:
            return []
        names = named(values, phrase.written, phrase.plain, self._topics, self._values)
        return list(zip(values, names, strict=True))

    def _asks_in_list(self, phrase: Phrase) -> list[Act]:
        names = asked_in_list(phrase, self._topics)
        return [] if names is None else [Act("asks", name) for name in names] or [ASKS_ANYTHING]

    def _of(self, phrase: Phrase, before: Set[Act]) -> Iterator[Act]:
        """Yield the acts of a phrase, except for the values it states.

        Args:
            phrase: A phrase; an item of a list only if the list's opening line asks nothing.
            before: The acts of the phrases before it in the message.
        """
        if ends(phrase):
            yield CLOSES
            return
        names = asked(phrase, self._topics)
        if finds_none(phrase):
            yield FINDS_NONE
        elif refuses(phrase):
            yield REFUSES
        offered = not names and self._offers(phrase, REFUSES in before)
        if offered:
            yield OFFERS
        if asks_yes(phrase, self._topics):
            yield ASKS_YES
        elif names is None or offered:
            yield from self._tells(phrase, REFUSES in before)
        elif names:
            yield from (Act("asks", name) for name in names)
        else:
            yield ASKS_AGAIN if goes_back(phrase) else ASKS_ANYTHING

    def _offers(self, phrase: Phrase, refused: bool) -> bool:
        """Return whether a phrase offers; after a refusal, asking for a wish is an offer, too."""
        if offers(phrase, refused):
            return True
        asks = wishes(phrase) or asks_yes(phrase, self._topics)
        return refused and asks and not goes_on(phrase)

    def _tells(self, phrase: Phrase, refused: bool) -> Iterator[Act]:
        if is_done(phrase, refused) and not finds_none(phrase) and not refuses(phrase):
            yield CLOSES
        elif waits(phrase):
            yield WAITS


def _states(values: Named) -> Iterator[Act]:
    for stated, name in values:
        yield Act("states", "" if name == RECEIVED else name, stated.value)


def _amounts(said: Iterable[tuple[Phrase, Named]]) -> Iterator[tuple[str, float]]:
    for stated, name in (one for _, values in said for one in values):
        is_sum = stated.kind == "amount" or (stated.kind == "number" and name)
        if is_sum and isinstance(stated.value, float) and name != RECEIVED:
            yield name, stated.value
