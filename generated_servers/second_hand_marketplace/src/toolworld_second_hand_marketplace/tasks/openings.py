"""The states that tasks open at: a task's patch is read and checked once for a database."""

from __future__ import annotations

from weakref import WeakKeyDictionary, ref

from ..database.base import Base
from ..database.models import Database
from ..database.store import Snapshot
from .patches import apply_patch
from .task import Task


class Openings:
    """The opening states of one database, each kept as long as its task is in use."""

    def __init__(self) -> None:
        """Keep none yet."""
        self._kept: dict[int, tuple[ref[Task], Snapshot]] = {}

    def of(self, task: Task) -> Snapshot | None:
        """Return the state that a task opened at before; None if it was not opened."""
        kept = self._kept.get(id(task))
        return kept[1] if kept is not None and kept[0]() is task else None

    def keep(self, task: Task, state: Snapshot) -> None:
        """Keep the state that a task opens at."""
        number = id(task)
        self._kept[number] = ref(task, lambda _: self._kept.pop(number, None)), state


_OPENINGS: WeakKeyDictionary[Base, Openings] = WeakKeyDictionary()


def open_at(database: Database, task: Task) -> Snapshot:
    """Bring a database without changes to the start of a task, and return that state.

    Raises:
        BadTask: The task's patch names no table, misnames a row, or breaks a constraint.
    """
    openings = _OPENINGS.setdefault(database.base, Openings())
    state = openings.of(task)
    if state is not None:
        database.restore(state)
        return state
    apply_patch(database, task)
    state = database.snapshot()
    openings.keep(task, state)
    return state
