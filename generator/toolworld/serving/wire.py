"""The shape of requests to a host, and of its answers."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

MOST_STEPS = 10_000

Outcome = Literal["ok", "rejected", "invalid", "failed"]
Key = Annotated[str, Field(max_length=200)]


class Wire(BaseModel):
    """Any message body; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class OpenRequest(Wire):
    """Asks for an episode."""

    domain: str = Field(description="One of those that GET /domains lists.")
    task: str | dict[str, Any] | None = Field(
        None, description="A task or its id; none for the plain seed database."
    )
    seed: int = Field(0, strict=True, description="Varies the ids of new rows.")


class Opened(Wire):
    """An episode that was opened."""

    id: str = Field(description="What the control API calls it.")
    domain: str
    url: str = Field(description="Where an MCP client connects to.")
    token: str = Field(description="What an MCP client shows: Authorization: Bearer TOKEN.")
    task: str | None
    digest: str


class CallRequest(Wire):
    """Asks for a call of a tool."""

    tool: str
    arguments: dict[str, Any] = {}
    key: Key = Field("", description="A call repeated with the same key is made once.")


class Called(Wire):
    """What came of a call."""

    outcome: Outcome
    text: str = Field(description="What an agent reads; JSON if the outcome is ok.")
    code: str = Field(description="Which rejection it is.")
    values: dict[str, Any] = Field(description="What the rejection tells, for programs.")


class EpisodeCall(CallRequest):
    """A call in one of many episodes."""

    episode: str


class StepRequest(Wire):
    """Asks for many calls; those of one episode are made in their order."""

    steps: list[EpisodeCall] = Field(max_length=MOST_STEPS)


class Ask(Wire):
    """Something that an agent may not do, in one of many episodes."""

    episode: str
    operation: str
    parameters: dict[str, Any] = {}


class AskRequest(Wire):
    """Asks many episodes for something."""

    steps: list[Ask] = Field(max_length=MOST_STEPS)


class OpenManyRequest(Wire):
    """Asks for many episodes."""

    steps: list[OpenRequest] = Field(max_length=MOST_STEPS)


class Failed(Wire):
    """Why a call could not be made."""

    error: str


class Stepped(Wire):
    """What came of many calls, in their order."""

    results: list[Called | Failed]


class Asked(Wire):
    """What came of asking many episodes, in their order; of one that could not, why."""

    results: list[dict[str, Any]]


class OpenedMany(Wire):
    """The episodes that were opened, in the order asked for; of one that could not, why."""

    results: list[Opened | Failed]


class DomainHeld(Wire):
    """A domain whose episodes can be opened."""

    domain: str
    tools: int
    tasks: int


class Domains(Wire):
    """The domains that can be opened, and the packages that could not be loaded."""

    domains: list[DomainHeld]
    broken: dict[str, str] = Field(description="Why a package could not be loaded, by its folder.")


class Tasks(Wire):
    """The tasks of a domain."""

    tasks: list[dict[str, Any]]


class Episodes(Wire):
    """The ids of the open episodes."""

    episodes: list[str]


class Health(Wire):
    """Whether the host answers."""

    status: Literal["ok"]
    episodes: int
    domains: int
