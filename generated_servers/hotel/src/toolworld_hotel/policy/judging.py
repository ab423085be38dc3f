"""Judges the conduct of an episode: runs each clause's predicates at each event that matters.

A predicate runs only at calls that changed something and at messages of the agent. So reading
more than needed never counts against an agent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
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


def judge(task: Task, trace: Trace, database: Database) -> Judgement:
    """Return the clauses that an episode broke.

    Args:
        task: The task, for the person's role and what the opening message says.
        trace: What happened, the agent's final answer included.
        database: The state now. Each predicate reads it as it was right after its event; in the
            end it is as it is now.

    Raises:
        BrokenClause: A predicate raises an error.
    """
    clauses = conduct_clauses()
    if task.role not in roles():
        # The person's role is unknown, so nobody can say what may be done for them.
        return Judgement(unseen=tuple(clause.number for clause in clauses))
    talked = any(event.kind == "message" for event in trace)
    unseen = tuple(one.number for one in clauses if one.talk and not talked)
    predicates = [one for one in watched() if talked or not one.clause.talk]
    now = database.snapshot()
    try:
        broken = broken_in(task, list(trace), database, predicates)
    finally:
        database.restore(now)
    return Judgement(tuple(broken.items()), unseen)


def broken_in(
    task: Task, trace: list[TraceEvent], database: Database, predicates: Iterable[Watched]
) -> dict[Clause, str]:
    """Return the clauses that a trace breaks, each with the first event in words.

    The database goes back to the start, and then along with the events. A row that the world
    changed by itself, and no call, has that change from the start.

    Raises:
        BrokenClause: A predicate raises an error.
    """
    past = Past(task.role, task.told(), task.instruction)
    broken: dict[Clause, str] = {}
    for recorded in reversed(trace):
        for written in recorded.writes:
            database.put(written.table, written.key, written.before)
    for recorded in trace:
        for written in recorded.writes:
            database.put(written.table, written.key, written.after)
        past.now = event = Event(recorded, task.role)
        if event.is_message or event.changes:
            for clause in broken_at(event, past, database, predicates):
                broken.setdefault(clause, where(event))
        past.add(event)
    return broken


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
