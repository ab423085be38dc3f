"""What a domain is: enums, value objects, entities with columns, and the tools over them.

These models hold the facts of ``domain.yaml`` and the signatures found in the tools' code. They
check shapes only; rules that span several parts live in ``lint``.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints

MatchPolicy = Literal["exempt", "hard", "semantic"]

SCALARS = ("text", "integer", "number", "money", "boolean", "date", "datetime")
LIST_PREFIX = "list of "

SnakeName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
ClassName = Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Za-z0-9]{0,39}$")]
TypeName = Annotated[str, StringConstraints(pattern=r"^(list of )*[A-Za-z][A-Za-z0-9]*$")]
Sentence = Annotated[str, StringConstraints(min_length=1, max_length=2000)]
MaybeSentence = Annotated[str, StringConstraints(max_length=2000)]


def snake(name: str) -> str:
    """Return a class name in snake_case: ``GiftCard`` becomes ``gift_card``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def row_name(column: str, entity: str) -> str:
    """Return the name of the row behind a reference: ``order_id`` gives ``order``."""
    return column.removesuffix("_id") if column.endswith("_id") else snake(entity)


class SpecPart(BaseModel):
    """A frozen piece of a spec; unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ObjectField(SpecPart):
    """A field of a value object.

    Attributes:
        type: A scalar, or the name of an enum, object or entity, or ``list of`` one of these.
        description: What it holds; agents read it.
        nullable: Whether it may be null.
        unit: The currency of money, the unit of a number.
    """

    type: TypeName
    description: Sentence
    nullable: bool = False
    unit: str | None = None

    @property
    def is_list(self) -> bool:
        """Whether the outermost type is a list."""
        return self.type.startswith(LIST_PREFIX)

    @property
    def item_type(self) -> str:
        """The innermost type's name, with every ``list of`` taken off."""
        return self.type.rsplit(" ", 1)[-1]


class Column(ObjectField):
    """A column of an entity.

    Attributes:
        unique: No two rows share a value (null apart).
        match: How a task's goal compares it; the minted key is always exempt.
    """

    unique: bool = False
    match: MatchPolicy = "hard"


class Enum(SpecPart):
    """A named, closed set of texts.

    Attributes:
        description: What is chosen from.
        values: The texts.
    """

    description: Sentence
    values: Annotated[tuple[str, ...], Field(min_length=1)]


class ValueObject(SpecPart):
    """A named group of fields that lives inside rows, arguments and results.

    Attributes:
        description: What it is.
        fields: Its fields.
    """

    description: Sentence
    fields: Annotated[dict[SnakeName, ObjectField], Field(min_length=1)]


class Invariant(SpecPart):
    """A rule every row keeps after every call.

    Attributes:
        name: What reports call it.
        says: The rule in words, shown when it is broken.
        rule: One expression of the subset over the row and ``db``.
    """

    name: SnakeName
    says: Sentence
    rule: Sentence


class Entity(SpecPart):
    """A kind of row.

    Attributes:
        table: The table's name, plural; ``db.<table>`` in code.
        key: The primary key column, always text.
        prefix: Given, keys are minted as ``PREFIX-00001``; else the caller names them.
        description: What such a row is; agents read it.
        columns: Its columns, the key among them.
        invariants: Rules that every row keeps.
    """

    table: SnakeName
    key: SnakeName
    prefix: Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9]{0,7}$")] | None = None
    description: Sentence
    columns: Annotated[dict[SnakeName, Column], Field(min_length=1)]
    invariants: tuple[Invariant, ...] = ()


class Role(SpecPart):
    """Who a person can be that speaks to an agent.

    Attributes:
        description: Who that is.
        tools: The tools that only this role may ask for; all others are for everybody.
    """

    description: Sentence
    tools: tuple[SnakeName, ...] = ()


class DomainFile(SpecPart):
    """The content of ``domain.yaml``.

    Attributes:
        name: What the domain is called in paths and module names.
        title: What people call it.
        summary: What happens in it, in a sentence or two.
        clock: The world's time, such as ``2026-03-02T09:00:00Z``; it stands still.
        enums: Closed sets of texts.
        objects: Groups of fields that live inside rows, arguments and results, as an address.
        entities: Kinds of rows.
        seed: How many rows ``seed.py`` makes, by the name of its function.
        roles: Who may speak to the agent.
    """

    name: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{1,30}$")]
    title: Sentence
    summary: Sentence
    clock: AwareDatetime
    enums: dict[ClassName, Enum] = Field(default_factory=dict)
    objects: dict[ClassName, ValueObject] = Field(default_factory=dict)
    entities: Annotated[dict[ClassName, Entity], Field(min_length=1)]
    seed: Annotated[dict[SnakeName, Annotated[int, Field(ge=1)]], Field(min_length=1)]
    roles: dict[SnakeName, Role] = Field(default_factory=dict)

    def kind(self, type_name: str) -> Literal["scalar", "enum", "object", "reference"]:
        """Return the kind of an innermost type name.

        Raises:
            KeyError: Nothing of the domain has that name.
        """
        if type_name in SCALARS:
            return "scalar"
        if type_name in self.enums:
            return "enum"
        if type_name in self.objects:
            return "object"
        if type_name in self.entities:
            return "reference"
        raise KeyError(type_name)


class Parameter(SpecPart):
    """One parameter of a tool, as its signature and docstring give it.

    Attributes:
        type: As in ``ObjectField.type``; a reference is an entity's name.
        default: The literal default; meaningful only when not required.
    """

    name: SnakeName
    type: TypeName
    description: str
    nullable: bool = False
    required: bool = True
    default: str | int | float | bool | None = None


class Effects(SpecPart):
    """What a tool does to the world, computed from its code.

    Attributes:
        reads: ``table`` or ``table.column`` names looked at.
        writes: ``table.column`` names updated in place.
        creates: Tables rows are added to.
        deletes: Tables rows are removed from.
        requires: Parameters that must name an existing row, as ``parameter: Entity``.
        looks_up: Texts that name a row by a unique column, as ``path: Entity.column``.
        rejects: The messages of its rejections, f-string holes as ``{...}``.
        codes: The codes of its rejections, those of the store included.
    """

    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    creates: tuple[str, ...] = ()
    deletes: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    looks_up: tuple[str, ...] = ()
    rejects: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    idempotent: bool = False

    @property
    def read_only(self) -> bool:
        """Whether the tool changes no table."""
        return not (self.writes or self.creates or self.deletes)

    @property
    def destructive(self) -> bool:
        """Whether the tool overwrites or removes anything, rather than only adding."""
        return bool(self.writes or self.deletes)


class Tool(SpecPart):
    """A tool: its signature, documentation and effects.

    Attributes:
        summary: The docstring's first line.
        details: The docstring's text between the summary and its sections.
        result: The name of the entity or object returned.
        paged: Whether the result is a page of those.
        rejections: The docstring's ``Raises: Rejected`` entries.
        line: Where its ``def`` stands in ``Spec.tools_code``.
    """

    name: SnakeName
    summary: str
    details: str = ""
    parameters: tuple[Parameter, ...]
    result: str
    paged: bool = False
    rejections: tuple[str, ...] = ()
    effects: Effects = Effects()
    line: int


class CodeFile(SpecPart):
    """One file of a folder of code, ``tools`` or ``scenarios``.

    Attributes:
        folder: The folder.
        name: What its area is called; the file has the ending ``.py``.
        text: All of it.
        docstring: What it says of itself.
        code: The text with the docstring blanked out: what was checked.
        uses: The names it uses of other files, by what these are called.
    """

    folder: SnakeName
    name: SnakeName
    text: str
    docstring: str
    code: str
    uses: dict[str, tuple[str, ...]] = Field(default_factory=dict)

    @property
    def file(self) -> str:
        """Its path in the domain folder."""
        return f"{self.folder}/{self.name}.py"
