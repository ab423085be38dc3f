"""What the auditing model answers: findings, each with calls or checks that show it.

A finding says how the package should behave. It is right if the package, when run, does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BeforeValidator, Field, StringConstraints, WithJsonSchema

from toolworld.draft.answers import Long, Short
from toolworld.llm.jsontext import LONGEST, as_text
from toolworld.llm.names import NAMES, Answer, ToolName

Must = Literal["equal", "differ", "contain", "lack", "at least", "at most"]
Severity = Literal["low", "medium", "high"]
Promise = Annotated[str, StringConstraints(min_length=8, max_length=400)]
Path = Annotated[str, StringConstraints(max_length=120)]
Value = Annotated[str, StringConstraints(max_length=400)]
Arguments = Annotated[
    str,
    BeforeValidator(as_text),
    StringConstraints(min_length=2, max_length=LONGEST),
    WithJsonSchema({"anyOf": [{"type": "object"}, {"type": "string"}]}),
]
"""A JSON object, or a text meant as one; a finding with another text cannot be run."""


def _one_of(kind: str) -> Any:
    return WithJsonSchema({"type": "string", NAMES: kind})


TableName = Annotated[str, StringConstraints(max_length=80), _one_of("table")]
TaskName = Annotated[str, StringConstraints(max_length=120), _one_of("task")]


class Check(Answer):
    """What must hold of a value.

    Attributes:
        path: Where it stands, such as ``items.0.status``; empty for all of it.
        value: As JSON; what is no JSON is a text.
    """

    path: Path = ""
    must: Must
    value: Value


class RowCheck(Check):
    """What must hold of a row once the calls are made; without a path, ``null`` means no row."""

    table: TableName
    id: Short


class AuditCall(Answer):
    """A call, and how it ends if the documentation is right.

    Attributes:
        arguments: A JSON object.
        checks: What must hold of the result, or of the refusal's message.
    """

    tool: ToolName
    arguments: Arguments
    expect: Literal["ok", "rejected"]
    checks: Annotated[list[Check], Field(max_length=6)] = []


Calls = Annotated[list[AuditCall], Field(max_length=8)]
Rows = Annotated[list[RowCheck], Field(max_length=8)]


class Finding(Answer):
    """Something that is wrong.

    Attributes:
        kind: In which way.
        claim: What, in words.
        calls: Made one after another in a fresh environment; the last one shows it.
        rows: Looked at after the calls.
    """

    kind: str
    severity: Severity
    claim: Long
    calls: Calls = []
    rows: Rows = []

    @property
    def subject(self) -> str:
        """The tool, table or task that the finding is about."""
        raise NotImplementedError

    @property
    def start(self) -> str:
        """The task whose start the calls are made on; empty for the seed data."""
        return ""

    @property
    def on_words(self) -> Sequence[Check]:
        """What must hold of the task itself."""
        return ()


class ToolFinding(Finding):
    """A tool that is not as its documentation says.

    Attributes:
        promise: The words of the documentation that are not kept.
        task: The task on whose start the calls are made; empty for the seed data.
    """

    kind: Literal[
        "does-not-do-what-it-says", "wrong-rejection", "missing-rejection", "unhelpful-rejection"
    ]
    tool: ToolName
    promise: Promise
    task: Annotated[str, StringConstraints(max_length=120)] = ""
    calls: Annotated[list[AuditCall], Field(min_length=1, max_length=8)]

    @property
    def subject(self) -> str:
        """The tool."""
        return self.tool

    @property
    def start(self) -> str:
        """The task whose start the calls are made on; empty for the seed data."""
        return self.task


class DataFinding(Finding):
    """Rows that are not as rows of such a business are."""

    kind: Literal["implausible-data", "contradicting-data"]
    table: TableName
    rows: Annotated[list[RowCheck], Field(min_length=1, max_length=8)]

    @property
    def subject(self) -> str:
        """The table."""
        return self.table


class TaskFinding(Finding):
    """A task that nobody would give, or whose gold calls are not what was asked for.

    Attributes:
        words: What must hold of the task itself: its instruction, persona, known_info and gold.
    """

    kind: Literal["odd-task", "unclear-task", "wrong-gold"]
    task: TaskName
    words: Annotated[list[Check], Field(max_length=4)] = []

    @property
    def subject(self) -> str:
        """The task."""
        return self.task

    @property
    def start(self) -> str:
        """The task whose start the calls are made on."""
        return self.task

    @property
    def on_words(self) -> Sequence[Check]:
        """What must hold of the task itself."""
        return self.words


FindingT = TypeVar("FindingT", bound=Finding)


class Findings(Answer, Generic[FindingT]):
    """What was found; nothing if all is well."""

    findings: Annotated[list[FindingT], Field(max_length=12)]
