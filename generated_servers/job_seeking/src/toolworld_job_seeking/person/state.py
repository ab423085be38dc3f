"""How far a conversation with the person has come."""

from __future__ import annotations

from typing import NamedTuple


class PersonState(NamedTuple):
    """How far a conversation has come.

    Attributes:
        given: The facts that were given.
        played: The kinds of behaviours that have had their turn.
        owed: Whether the person agreed to something that has not been done.
        served: Whether the agent has changed, refused, offered or stated anything.
        reminders: How often the person asked for what was agreed to, or for anything at all.
        refused: Whether something was refused.
        known: The positions of the answers to the person's question that were told.
        asked: Whether the question was asked.
        told: The amounts that the agent stated last, before it asked for a yes.
        unplaced: How many messages fitted no rule.
        left: Whether the person has left.
    """

    given: frozenset[str] = frozenset()
    played: frozenset[str] = frozenset()
    owed: bool = False
    served: bool = False
    reminders: int = 0
    refused: bool = False
    known: frozenset[int] = frozenset()
    asked: bool = False
    told: tuple[tuple[str, float], ...] = ()
    unplaced: int = 0
    left: bool = False


START = PersonState()
