"""What a draft has settled so far, and the names that follow from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from graphlib import TopologicalSorter

from toolworld.draft.answers import (
    Area,
    Asking,
    Bodies,
    Case,
    Constant,
    Helper,
    Outline,
    People,
    Plan,
    Policy,
    Seeds,
    Thing,
    ThingPlan,
    ToolPlan,
)
from toolworld.errors import DraftError
from toolworld.llm.names import PAGE_PREFIX, Names, type_names
from toolworld.spec.model import LIST_PREFIX, snake

LONGEST_WISH = 6000
SUMMARY = "summary"
"""The result of a tool that returns fields of its own."""


@dataclass(frozen=True)
class Brief:
    """What a user asks for.

    Attributes:
        wish: A keyword or a description.
        tools: How many tools.
        source: A document to start from, in a few lines; empty for none.
    """

    wish: str
    tools: int = 50
    source: str = ""

    def __post_init__(self) -> None:
        """Check the wish.

        Raises:
            DraftError: The wish is empty, has no letters, or is too long.
            TypeError: A value has the wrong type; it may come from a file.
        """
        if not (isinstance(self.wish, str) and isinstance(self.source, str)):
            raise TypeError("wish and source are not texts")
        if not isinstance(self.tools, int):
            raise TypeError("tools is no number")
        if not any(character.isalpha() for character in self.wish):
            raise DraftError(
                f'"{self.wish}" says nothing to draft from; give a keyword such as "pet care", or '
                "a description."
            )
        if len(self.wish) > LONGEST_WISH:
            raise DraftError(
                f"The description has {len(self.wish):,} characters; give at most "
                f"{LONGEST_WISH:,}: what matters, in your own words."
            )


@dataclass
class GroupCode:
    """The code of a group of tools: bodies by tool, with the helpers and constants they use."""

    constants: dict[str, Constant] = field(default_factory=dict)
    helpers: dict[str, Helper] = field(default_factory=dict)
    bodies: dict[str, str] = field(default_factory=dict)

    def take(self, answer: Bodies) -> None:
        """Add an answer's parts; they replace parts of the same name."""
        self.constants |= {one.name: one for one in answer.constants}
        self.helpers |= {one.name: one for one in answer.helpers}
        self.bodies |= {one.tool: one.body for one in answer.tools}

    def unlike(self, later: GroupCode) -> list[str]:
        """Return the constants and helpers that later code lacks or has changed."""
        parts = {**self.constants, **self.helpers}
        now = {**later.constants, **later.helpers}
        return [name for name, part in parts.items() if now.get(name) != part]


@dataclass
class Blueprint:
    """The parts of a domain that the stages have settled; parts still to come are empty.

    Attributes:
        tools: Signatures by tool.
        things: Columns and rules by thing.
        code: The code of each group of tools, by group.
        dropped: Why a tool is not in the domain, by tool.
    """

    brief: Brief
    outline: Outline | None = None
    plan: Plan | None = None
    tools: dict[str, ToolPlan] = field(default_factory=dict)
    things: dict[str, ThingPlan] = field(default_factory=dict)
    seeds: list[Seeds] = field(default_factory=list)
    code: dict[str, GroupCode] = field(default_factory=dict)
    policy: Policy | None = None
    people: People | None = None
    asking: list[Asking] = field(default_factory=list)
    cases: dict[str, Case] = field(default_factory=dict)
    dropped: dict[str, str] = field(default_factory=dict)

    @property
    def world(self) -> Outline:
        """The outline, once it is settled.

        Raises:
            DraftError: It is not settled yet.
        """
        if self.outline is None:
            raise DraftError("Nothing can be drafted before the outline.")
        return self.outline

    @property
    def kinds(self) -> dict[str, Thing]:
        """The things of the outline by name."""
        return {thing.name: thing for thing in self.outline.things} if self.outline else {}

    @property
    def areas(self) -> Sequence[Area]:
        """The areas of the plan."""
        return self.plan.areas if self.plan else ()

    @property
    def names(self) -> Names:
        """The names that later answers may use."""
        things = [*self.kinds]
        choices = [choice.name for choice in self.plan.choices] if self.plan else []
        return {
            "thing": things,
            "type": type_names(choices, things),
            "result": [*things, SUMMARY],
            "tool": [name for area in self.areas for name in area.tools],
            "argument": [*self.free_texts(self.tools)],
        }

    def free_texts(self, tools: Iterable[str]) -> list[str]:
        """Return the text arguments of tools, as ``tool.argument``."""
        return [
            f"{name}.{argument.name}"
            for name in tools
            for argument in self.tools[name].arguments
            if argument.type == "text"
        ]

    def seed_order(self) -> list[str]:
        """Return the things, each after the things it must refer to.

        Raises:
            CycleError: Things must refer to each other.
        """
        needs = {
            name: {
                column.type
                for column in plan.columns
                if column.type in self.kinds and column.type != name and not column.nullable
            }
            for name, plan in self.things.items()
        }
        return [name for name in TopologicalSorter(needs).static_order() if name in self.things]


def key_of(thing: str) -> str:
    """Return the name of a thing's key column."""
    return f"{snake(thing)}_id"


def class_of(tool: str) -> str:
    """Return a tool's name in the form of a class name."""
    return "".join(word.capitalize() for word in tool.split("_"))


def result_of(tool: ToolPlan) -> tuple[str, bool]:
    """Return the entity or object that a tool returns, and whether it returns a page of it."""
    name = tool.returns.removeprefix(PAGE_PREFIX)
    if name == SUMMARY:
        name = class_of(tool.name) + "Result"
    return name, tool.returns.startswith(PAGE_PREFIX)


def things_of(tool: ToolPlan, kinds: Iterable[str]) -> list[str]:
    """Return the things that a tool's signature names, in the order of ``kinds``."""
    types = [one.type for one in tool.arguments] + [one.type for one in tool.fields]
    named = {text.removeprefix(LIST_PREFIX) for text in types}
    named |= {result_of(tool)[0], *(change.thing for change in tool.changes)}
    return [name for name in kinds if name in named]
