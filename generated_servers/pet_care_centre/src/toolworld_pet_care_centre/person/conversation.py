"""The person an agent talks to: a conversation whose whole state is one small frozen value.

The rules of ``acts`` read the agent's message, and the person's description decides the reply;
nothing is random. A reply is text and acts:

==================  ====================================================================
``gives``           a fact, with its value; ``corrects`` one that was given wrongly
``does_not_know``   a fact that was asked for; without a name, nothing more is known
``agrees``          yes to what the agent proposed; ``declines`` says no
``holds``           neither yes nor no: the person holds to what they asked for
``insists``         asks once more after a refusal; ``wants_more`` asks for another thing
``wants_to_know``   asks for what a refusal left out
``changes_mind``    wants another value for a fact, which is given
``unplaced``        no rule fits the agent's message
``leaves``          the conversation is over
==================  ====================================================================
"""

from __future__ import annotations

from datetime import date
from functools import lru_cache

from ..calls.trace import Act
from .acts import Listener
from .persona import Person
from .state import START, PersonState
from .turn import Reply, Turn

MOST_LISTENERS = 256

Words = tuple[tuple[str, tuple[str, ...]], ...]
"""Words by name, as a hashable value."""


@lru_cache(MOST_LISTENERS)
def listener_of(topics: Words, names: Words, today: date | None) -> Listener:
    """Return the listener for some words; cached, because making one is slow."""
    return Listener(dict(topics), dict(names), today)


class Conversation:
    """A conversation with one person; its whole state is one frozen value."""

    def __init__(
        self,
        person: Person,
        outcome: str = "",
        today: date | None = None,
        state: PersonState = START,
    ) -> None:
        """Begin a conversation, or go on with one.

        Args:
            person: The description of the person.
            outcome: The name of the task's outcome, which decides the reply to a refusal.
            today: The day of the world, from which days without a year are understood.
            state: The state to go on from.
        """
        self._person = person
        self._outcome = outcome
        topics, names = tuple(person.topics().items()), tuple(person.names().items())
        self._listener = listener_of(topics, names, today)
        self.state = state

    def understood(self, text: str) -> tuple[Act, ...]:
        """Return the acts of an agent's message to this person."""
        return self._listener.hear(text).acts

    def say(self, text: str, wrote: bool = False) -> Reply:
        """Answer a message of the agent.

        Args:
            text: The message.
            wrote: Whether the agent has changed anything since the person's last reply.
        """
        if self.state.left:
            return Reply("", ())
        turn = Turn(self._person, self._outcome, self.state, wrote, self._listener.hear(text))
        reply = turn.reply()
        self.state = turn.state
        return reply
