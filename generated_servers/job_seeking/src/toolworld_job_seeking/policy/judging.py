"""Judges the conduct of an episode: runs each clause's predicates at each event that matters.

A predicate runs only at calls that changed something and at messages of the agent. So reading
more than needed never counts against an agent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from ..calls.trace import Trace, TraceEvent
from ..database.models import Database
from ..errors import BrokenClause
from ..tasks.task import Task
from . import conduct
from .clauses import Clause, conduct_clauses, roles
from .past import Event, Past

Predicate = Callable[[Database, Past, Event], bool]

MOST_TOLD = 200


class Judgement(NamedTuple):
    """The verdict on the conduct of an episode.

    Attributes:
        broken: The clauses that were broken, each with the event in words.
        unseen: The numbers of the clauses that cannot be checked without messages, or without
            knowing who speaks.
    """

    broken: tuple[tuple[Clause, str], ...] = ()
    unseen: tuple[str, ...] = ()


def judge(task: Task, trace: Trace, database: Database, answer: str | None) -> Judgement:
    """Return the clauses that an episode broke.

    Args:
        task: The task, for the person's role and what the opening message says.
        trace: What happened.
        database: The state now. Each predicate reads it as it was right after its event.
        answer: The agent's final answer, if it was not told to the person.

    Raises:
        BrokenClause: A predicate raises an error.
    """
    clauses = conduct_clauses()
    if task.role not in roles():
        # The person's role is unknown, so nobody can say what may be done for them.
        return Judgement(unseen=tuple(clause.number for clause in clauses))
    talked = any(event.kind == "message" for event in trace)
    seen = [one for one in watched() if talked or not one.clause.talk]
    past = Past(task.role, task.told(), task.instruction)
    broken: dict[Clause, str] = {}
    for recorded, then in at_each(with_answer(trace, answer if talked else None), database):
        past.now = event = Event(recorded, task.role)
        if event.is_message or event.changes:
            for clause in broken_at(event, past, then, seen):
                broken.setdefault(clause, where(event))
        past.add(event)
    unseen = tuple(one.number for one in clauses if one.talk and not talked)
    return Judgement(tuple(broken.items()), unseen)


def with_answer(trace: Trace, answer: str | None) -> list[TraceEvent]:
    """Return the events of a trace, then the final answer as one more message."""
    return [*trace, TraceEvent("message", answer)] if answer else [*trace]


def at_each(
    events: Sequence[TraceEvent], database: Database
) -> Iterator[tuple[TraceEvent, Database]]:
    """Yield each event, and the database as it was right after it.

    A row that the world changed by itself, and no call, has that change from the start.
    """
    then = database.copy()
    for event in reversed(events):
        for written in event.writes:
            then.put(written.table, written.key, written.before)
    for event in events:
        for written in event.writes:
            then.put(written.table, written.key, written.after)
        yield event, then


class Watched(NamedTuple):
    """A predicate and the clause that it checks."""

    clause: Clause
    name: str
    predicate: Predicate


def broken_at(
    event: Event, past: Past, database: Database, predicates: Iterable[Watched]
) -> Iterator[Clause]:
    """Yield the clauses that an event breaks.

    Raises:
        BrokenClause: A predicate raises an error.
    """
    for clause, name, predicate in predicates:
        try:
            kept = predicate(database, past, event)
        except Exception as error:
            raise BrokenClause(
                f"The predicate {name} of clause {clause.number} fails: "
                f"{type(error).__name__}: {error}. Mend it in conduct.py."
            ) from error
        if not kept:
            yield clause


@cache
def watched() -> tuple[Watched, ...]:
    """Return the predicates of ``conduct``, in the order of the clauses that they check."""
    return tuple(
        Watched(clause, name, getattr(conduct, name))
        for clause in conduct_clauses()
        for name in clause.names
    )


def where(event: Event) -> str:
    """Return in words at which event something happened."""
    if event.is_call:
        return f"at the call of {event.tool}"
    return f'at the message "{event.recorded.text[:MOST_TOLD]}"'
