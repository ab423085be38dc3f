"""The types of a model's answers, by stage, with bounds on every list and text."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints, WithJsonSchema, create_model

from toolworld.llm.jsontext import object_text, object_text_or_null
from toolworld.llm.names import Answer, ResultText, TextArgument, ThingName, ToolName, TypeText
from toolworld.spec.model import ClassName, MatchPolicy, SnakeName

Brief = Annotated[str, StringConstraints(min_length=1, max_length=90)]
Short = Annotated[str, StringConstraints(min_length=1, max_length=240)]
Long = Annotated[str, StringConstraints(min_length=1, max_length=600)]
Code = Annotated[str, StringConstraints(min_length=1, max_length=8000)]
JsonObject = Annotated[
    str,
    BeforeValidator(object_text),
    WithJsonSchema({"anyOf": [{"type": "object"}, {"type": "string"}]}),
]
"""A JSON object, or the text of one; kept as text."""
JsonColumns = Annotated[
    str,
    BeforeValidator(object_text_or_null),
    WithJsonSchema({"anyOf": [{"type": "object"}, {"type": "string"}, {"type": "null"}]}),
]
"""A JSON object, the text of one, or null; kept as text."""
Prefix = Annotated[str, StringConstraints(pattern=r"^[A-Z]{2,5}$")]


class Actor(Answer):
    """Someone who has something done."""

    name: Short
    wants: Long


class Thing(Answer):
    """A kind of row.

    Attributes:
        table: Its plural in snake_case.
        prefix: What its ids start with.
    """

    name: ClassName
    table: SnakeName
    prefix: Prefix
    says: Short


class Outline(Answer):
    """What the business is and does."""

    name: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{1,30}$")]
    title: Short
    summary: Long
    today: date
    actors: Annotated[list[Actor], Field(min_length=1, max_length=5)]
    everyday: Annotated[list[Short], Field(min_length=3, max_length=14)]
    awkward: Annotated[list[Short], Field(min_length=2, max_length=12)]
    things: Annotated[list[Thing], Field(min_length=3, max_length=22)]


class Choice(Answer):
    """A closed set of texts."""

    name: ClassName
    says: Short
    values: Annotated[
        list[Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,29}$")]],
        Field(min_length=2, max_length=12),
    ]


class Area(Answer):
    """A part of the work: the tools for some things.

    Attributes:
        tools: The names of its tools.
    """

    name: SnakeName
    says: Short
    things: Annotated[list[ThingName], Field(min_length=1, max_length=12)]
    tools: Annotated[list[SnakeName], Field(min_length=1, max_length=14)]


class Plan(Answer):
    """How the work is divided."""

    choices: Annotated[list[Choice], Field(min_length=1, max_length=30)]
    areas: Annotated[list[Area], Field(min_length=1, max_length=12)]


def plan_in_one_area(tools: int) -> type[Plan]:
    """Return the type of a plan with one area of exactly ``tools`` tools.

    A model that is held to the schema cannot miscount; small models otherwise do.
    """
    names = Annotated[list[SnakeName], Field(min_length=tools, max_length=tools)]
    area: Any = create_model("Area", __base__=Area, tools=(names, ...))
    areas = Annotated[list[area], Field(min_length=1, max_length=1)]
    return create_model("Plan", __base__=Plan, areas=(areas, ...))


class Argument(Answer):
    """A parameter of a tool."""

    name: SnakeName
    type: TypeText
    says: Short
    optional: bool = False


class Part(Answer):
    """A value in a result that is no row."""

    name: SnakeName
    type: TypeText
    says: Short
    nullable: bool = False


class Change(Answer):
    """What a tool does to rows of a kind."""

    does: Literal["adds", "changes", "removes"]
    thing: ThingName


class ToolPlan(Answer):
    """A tool's signature, with its conditions.

    Attributes:
        refuses: When a call is refused, apart from unknown ids: its pre-conditions.
        changes: All it does to rows; empty for a tool that only looks.
        then: What holds after it: its post-conditions.
        returns: A thing, a page of things, or ``summary`` for fields of its own.
    """

    name: ToolName
    does: Brief
    arguments: Annotated[list[Argument], Field(max_length=10)]
    returns: ResultText
    fields: Annotated[list[Part], Field(max_length=14)] = []
    refuses: Annotated[list[Short], Field(max_length=8)]
    changes: Annotated[list[Change], Field(max_length=6)]
    then: Annotated[list[Short], Field(max_length=5)] = []


class ToolPlans(Answer):
    """The tools of an area."""

    tools: Annotated[list[ToolPlan], Field(min_length=1, max_length=14)]


class ColumnPlan(Answer):
    """A column; the key is there already."""

    name: SnakeName
    type: TypeText
    says: Short
    nullable: bool = False
    unique: bool = False
    match: MatchPolicy = "hard"
    unit: Annotated[str, StringConstraints(max_length=12)] | None = None


class Rule(Answer):
    """An invariant."""

    name: SnakeName
    says: Short
    rule: Long


class ThingPlan(Answer):
    """The columns and rules of a thing.

    Attributes:
        rows: How many to seed.
    """

    name: ThingName
    columns: Annotated[list[ColumnPlan], Field(min_length=1, max_length=20)]
    rules: Annotated[list[Rule], Field(max_length=6)]
    rows: Annotated[int, Field(ge=3, le=400)]


class ThingPlans(Answer):
    """Some things' columns."""

    things: Annotated[list[ThingPlan], Field(min_length=1, max_length=8)]


class Constant(Answer):
    """A constant of a module."""

    name: Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9_]{0,60}$")]
    value: Long


class Helper(Answer):
    """A whole private function."""

    name: Annotated[str, StringConstraints(pattern=r"^_[a-z][a-z0-9_]{0,50}$")]
    code: Code


class SeedBody(Answer):
    """The statements that make one thing's rows."""

    thing: ThingName
    body: Code


class Seeds(Answer):
    """Part of the seed recipe."""

    constants: Annotated[list[Constant], Field(max_length=20)] = []
    seeds: Annotated[list[SeedBody], Field(min_length=1, max_length=8)]


class ToolBody(Answer):
    """The statements of one tool."""

    tool: ToolName
    body: Code


class Bodies(Answer):
    """The code of some tools."""

    constants: Annotated[list[Constant], Field(max_length=12)] = []
    helpers: Annotated[list[Helper], Field(max_length=8)] = []
    tools: Annotated[list[ToolBody], Field(min_length=1, max_length=14)]


class Section(Answer):
    """A part of the policy."""

    title: Short
    rules: Annotated[list[Long], Field(min_length=1, max_length=8)]


class Policy(Answer):
    """What an agent must and must not do."""

    role: Long
    sections: Annotated[list[Section], Field(min_length=2, max_length=8)]


class PersonaPlan(Answer):
    """A way to speak."""

    name: SnakeName
    says: Long


class RowWords(Answer):
    """Noun phrases for a row: one with its id, two or more without."""

    thing: ThingName
    phrases: Annotated[list[Short], Field(min_length=2, max_length=4)]


class ColumnWords(Answer):
    """A noun phrase for a value."""

    thing: ThingName
    column: SnakeName
    words: Short


class People(Answer):
    """How people speak of themselves, of rows and of values."""

    personas: Annotated[list[PersonaPlan], Field(min_length=6, max_length=10)]
    known_ids: Annotated[list[ThingName], Field(max_length=8)]
    rows: Annotated[list[RowWords], Field(min_length=1, max_length=24)]
    asks: Annotated[list[ColumnWords], Field(max_length=60)]


class Requests(Answer):
    """How a person asks for a tool."""

    tool: ToolName
    phrases: Annotated[list[Long], Field(min_length=2, max_length=4)]


class Sayings(Answer):
    """What people say for a free text argument."""

    argument: TextArgument
    texts: Annotated[list[Short], Field(min_length=6, max_length=10)]


class Asking(Answer):
    """How people ask for some tools."""

    tools: Annotated[list[Requests], Field(min_length=1, max_length=16)]
    values: Annotated[list[Sayings], Field(max_length=160)] = []


class Row(Answer):
    """A row put over the seed data; ``columns`` is a JSON object, ``null`` takes the row away."""

    thing: ThingName
    id: Short
    columns: JsonColumns


class Call(Answer):
    """A call; ``arguments`` is a JSON object."""

    tool: ToolName
    arguments: JsonObject


class Case(Answer):
    """One call, and how it must end.

    Attributes:
        rejected: A part of the refusal's message; empty when the call succeeds.
    """

    name: Annotated[str, StringConstraints(pattern=r"^[a-z0-9_]{1,80}$")]
    rows: Annotated[list[Row], Field(max_length=12)] = []
    before: Annotated[list[Call], Field(max_length=6)] = []
    call: Call
    rejected: Annotated[str, StringConstraints(max_length=200)] = ""
    changed: Annotated[list[Row], Field(max_length=12)] = []


class Cases(Answer):
    """Cases for what no case has reached, or new code without what none can reach."""

    cases: Annotated[list[Case], Field(max_length=24)]
    tools: Annotated[list[ToolBody], Field(max_length=8)] = []
