"""The results of the tools: objects at the root, so that every client can read the schemas."""

from __future__ import annotations

from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, SerializeAsAny

FindingT = TypeVar("FindingT", bound=BaseModel)
State = Literal["prompts_open", "checking", "drafted", "failed"]
Verdict = Literal["accepted", "to_mend", "checking"]
Count = int


class Result(BaseModel):
    """What a tool gives back."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class BundledDomain(Result):
    """A domain that ships with toolworld."""

    name: str
    title: str
    tools: Count
    things: Count


class ListedWorld(Result):
    """A world in the server's folder."""

    world: str
    wish: str
    tools: Count
    state: Literal["prompts_open", "checking", "drafted", "failed", "not_open", "broken"]
    has_package: bool


class ListedDomains(Result):
    """What there is."""

    bundled: list[BundledDomain]
    worlds: list[ListedWorld]


class Draft(Result):
    """How a draft stands.

    Attributes:
        message: What that means, and which tool goes on.
    """

    world: str
    state: State
    message: str


class OpenPrompt(Result):
    """A prompt that waits for an answer."""

    prompt: str = Field(description="Its id, for submit_answer.")
    rounds_left: Count = Field(description="How many answers there may be after the next one.")
    text: str
    answer_schema: dict[str, Any] = Field(description="The JSON schema of the answer.")


class Prompts(Draft):
    """The prompts that are open."""

    instructions: str = Field(description="What holds for every prompt.")
    prompts: list[OpenPrompt]


class JudgedAnswer(Result):
    """What became of an answer."""

    world: str
    prompt: str
    verdict: Verdict
    findings: list[str] = Field(description="What is wrong, each with what to do.")
    rounds_left: Count = Field(description="How many more answers there may be to this prompt.")
    message: str


class StageFigures(Result):
    """A stage of a draft, in figures."""

    stage: str
    prompts: Count
    tokens: Count
    passed: Count
    failed: Count


class DraftStatus(Draft):
    """How a draft stands, in figures."""

    wish: str
    tools: Count
    answered: Count
    tokens: Count
    open_prompts: list[str]
    stages: list[StageFigures]


class WorkStanding(Result, Generic[FindingT]):
    """How long work stands.

    Attributes:
        found: What it found; null while it goes on.
    """

    world: str
    state: Literal["done", "working"]
    message: str
    found: SerializeAsAny[FindingT] | None


class Built(Result):
    """A package that was built."""

    package: str = Field(description="Its folder.")
    tools: Count
    things: Count
    rows: Count
    tasks: Count
    connect: str = Field(description="The shell command that connects Claude Code to it.")


class Proven(Result):
    """What a proof found."""

    tools: Count
    branches: Count
    branches_covered: Count
    rejections: Count
    rejections_reached: Count
    mutants: Count
    killed: Count
    failures: list[str]
    not_reached: list[str]


class TasksMade(Result):
    """What came of making tasks."""

    asked: Count
    delivered: Count
    levels: dict[str, Count]
    dropped: dict[str, Count] = Field(description="Attempts that came to nothing, by reason.")
    advice: list[str]


class Replayed(Result):
    """What a replay found."""

    transport: str
    tasks: Count
    passed: Count
    failed: Count
    calls: Count
    failures: list[str]


class Line(Result):
    """A figure with its name."""

    name: str
    says: str


class WorldReport(Result):
    """A world's report, as far as things have come."""

    world: str
    failed: bool = Field(description="Whether anything in it did not pass.")
    lines: list[Line]
    files: list[str] = Field(description="Where the report, its page and the tool graph are.")
    content: dict[str, Any] = Field(description="All of it.")


class MadePage(Result):
    """A page of made tasks or survivors, in order."""

    world: str
    what: Literal["tasks", "survivors"]
    total: Count
    next: Count | None = Field(description="Where to go on; null if this was the rest.")
    items: list[dict[str, Any]]


class Discarded(Result):
    """What became of a draft's folder."""

    world: str
    removed: list[str] = Field(description="What was removed from it.")
    kept: list[str] = Field(description="What stays there, since toolworld did not make it.")
    message: str
