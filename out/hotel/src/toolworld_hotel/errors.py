"""Every error this package raises on purpose.

PackageError
├── Rejected          a tool refuses a call: the message says what to do
├── InvalidArguments  a call's arguments do not fit the tool's schema
├── UnknownTool       no tool has that name
├── UnknownTask       no task has that id
├── BadTask           a task cannot be opened on this database
├── BrokenClause      a predicate of conduct fails: a defect of it
├── UnknownEpisode    no open episode of the server has that id
├── UnknownSnapshot   the episode has no snapshot of that name
├── BadParameters     the parameters of a control operation do not fit it
└── IntegrityError    a change would break the database: a defect of the tool
"""

from __future__ import annotations

GENERAL_CODE = "rejected"
"""The code of a rejection that has none of its own."""


class PackageError(Exception):
    """The root of the family."""


class Rejected(PackageError):
    """A tool refuses a call and changes nothing; the message says what to do.

    Attributes:
        code: The kind of rejection, for programs; ``rejected`` by default.
        values: What a person would want to know about it, such as the day or the fee.
    """

    def __init__(self, first: str, message: str | None = None, /, **values: object) -> None:
        """Take a message alone, or a code, a message and values."""
        super().__init__(first if message is None else message)
        self.code = GENERAL_CODE if message is None else first
        self.values = values


class InvalidArguments(PackageError):
    """A call's arguments do not fit the tool's schema."""


class UnknownTool(PackageError):
    """No tool of this environment has that name."""


class UnknownTask(PackageError):
    """No task of this package has that id."""


class BadTask(PackageError):
    """A task cannot be opened on this database."""


class BrokenClause(PackageError):
    """A predicate of conduct raises an error: a defect of the predicate."""


class UnknownEpisode(PackageError):
    """No open episode of the server has that id."""


class UnknownSnapshot(PackageError):
    """The episode has no snapshot of that name."""


class LimitReached(PackageError):
    """There are too many episodes or snapshots; the text says how many there may be."""


class BadParameters(PackageError):
    """The parameters of a control operation do not fit it."""


class IntegrityError(PackageError):
    """A change would break the database: a defect of the tool that made it."""
