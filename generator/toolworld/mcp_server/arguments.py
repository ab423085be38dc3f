"""The arguments of each tool. An agent reads the descriptions of the fields."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

DEFAULT_WAIT, LONGEST_WAIT = 45.0, 600.0

World = Annotated[str, Field(description="The world's name, which is its folder's too.")]


class Arguments(BaseModel):
    """The arguments of a tool; unknown ones are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Nothing(Arguments):
    """A tool that takes nothing."""


class OneWorld(Arguments):
    """A tool about a world."""

    world: World


class StartDraft(Arguments):
    """A new draft."""

    world: Annotated[
        str,
        Field(
            pattern=r"^[a-z][a-z0-9_-]{0,39}$",
            description="A name for the new world, in lower case; a folder of it is made.",
        ),
    ]
    wish: Annotated[
        str,
        Field(
            min_length=1,
            max_length=6000,
            description="A keyword such as 'pet care', or a description in the user's words.",
        ),
    ]
    tools: Annotated[int, Field(ge=4, le=120, description="How many tools it gets.")] = 50
    source: Annotated[
        str,
        Field(
            description="Optionally, a file in the server's folder to start from: an OpenAPI "
            "document, a SQL schema, or a tools/list as JSON."
        ),
    ] = ""


class Work(OneWorld):
    """Work on a world that may take long."""

    wait_seconds: Annotated[
        float,
        Field(
            ge=0,
            le=LONGEST_WAIT,
            description="How long to wait; stay below your client's own limit.",
        ),
    ] = DEFAULT_WAIT


class SubmitAnswer(Work):
    """An answer to a prompt."""

    prompt: Annotated[str, Field(description="The prompt's id, such as 'plan.1'.")]
    answer: Annotated[
        dict[str, Any] | str,
        Field(description="The JSON object that the prompt's schema asks for, or its text."),
    ]


class MakeTasks(Work):
    """An order of tasks."""

    count: Annotated[int, Field(ge=1, le=2000, description="How many.")] = 100
    difficulty: Annotated[
        Literal["easy", "medium", "hard", "mixed"], Field(description="How hard.")
    ] = "mixed"
    seed: Annotated[int, Field(description="Varies the tasks.")] = 0


class ReplayPackage(Work):
    """A replay."""

    transport: Annotated[
        Literal["inproc", "memory", "stdio", "http"], Field(description="How to reach the server.")
    ] = "stdio"


class ReadMade(OneWorld):
    """A part of what was made."""

    what: Annotated[
        Literal["tasks", "survivors"],
        Field(
            description="'tasks': the tasks that make_tasks made. 'survivors': the mutants of the "
            "code that prove_package found nothing to tell from it."
        ),
    ]
    start: Annotated[int, Field(ge=0, description="The first one to return, from 0.")] = 0
    count: Annotated[int, Field(ge=1, le=50, description="How many to return at most.")] = 5
