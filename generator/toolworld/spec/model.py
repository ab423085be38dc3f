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
    """Return what the row behind a reference is called: ``order_id`` leads to ``order``."""
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
        """Return what an innermost type name stands for.

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
        """Whether the tool leaves every table as it was."""
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


class Persona(SpecPart):
    """A way of speaking that a simulated user takes on.

    Attributes:
        opens: What they may say first, empty for nothing; left out, the usual greetings.
        closes: What they may say last, empty for nothing; left out, the usual thanks.
    """

    name: SnakeName
    says: Sentence
    opens: tuple[MaybeSentence, ...] = ()
    closes: tuple[MaybeSentence, ...] = ()


class Phrases(SpecPart):
    """How people speak of each row, value and tool, without naming the tool.

    Attributes:
        personas: How people speak, one for each task.
        known_ids: The entities whose minted ids people have at hand, as on a letter or a bill.
        rows: By entity, noun phrases for a row.
        asks: By entity or object and column, a noun phrase for the value.
        values: By ``tool.argument``, what people say for a free text.
        tools: By tool, ways to ask for it.
    """

    personas: Annotated[tuple[Persona, ...], Field(min_length=1)]
    known_ids: tuple[ClassName, ...] = ()
    rows: dict[ClassName, tuple[Sentence, ...]] = Field(default_factory=dict)
    asks: dict[ClassName, dict[SnakeName, Sentence]] = Field(default_factory=dict)
    values: dict[str, tuple[Sentence, ...]] = Field(default_factory=dict)
    tools: dict[SnakeName, tuple[Sentence, ...]]


class GoldStep(SpecPart):
    """One call of a task's gold sequence.

    Attributes:
        tool: The tool.
        arguments: Values, or ``{$step: 1, path: items.0.rental_id}`` for a value in the result of
            an earlier step, counted from 0.
        expect: Whether the tool is expected to do it or to reject it.
    """

    tool: SnakeName
    arguments: dict[str, object] = Field(default_factory=dict)
    expect: Literal["ok", "rejected"] = "ok"


class TaskDraft(SpecPart):
    """A hand-written task, its goal not yet computed.

    Attributes:
        id: What the task is called.
        persona: How the person speaks.
        instruction: What the person asks for, in the first person.
        role: Who the person is: a role of the domain; without it, conduct is not judged.
        known_info: What the person knows, and tells when asked.
        initial: Rows over the seed data, by table and key: a whole new row, some columns of one
            that is there, or null to remove it.
        gold: The calls that do what is asked.
        answers: Texts, dates and numbers that the final answer must contain; a task that changes
            nothing needs some.
    """

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9_]{1,80}$")]
    persona: Sentence
    instruction: Sentence
    role: SnakeName | Literal[""] = ""
    known_info: dict[str, object] = Field(default_factory=dict)
    initial: dict[str, dict[str, dict[str, object] | None]] = Field(default_factory=dict)
    gold: Annotated[tuple[GoldStep, ...], Field(min_length=1)]
    answers: tuple[str | int | float, ...] = ()


class CaseCall(SpecPart):
    """A call of a drafted case."""

    tool: SnakeName
    arguments: dict[str, object] = Field(default_factory=dict)


class CaseExpected(SpecPart):
    """How a drafted case ends: with changed rows, or rejected.

    Attributes:
        changes: Columns of rows by table and key, None for a row that is gone; no other row
            may change.
        rejected: A part of the rejection's message.
    """

    changes: dict[str, dict[str, dict[str, object] | None]] = Field(default_factory=dict)
    rejected: str | None = None


class CaseDraft(SpecPart):
    """A hand-written case of ``cases.yaml``: one call, and what it must do.

    Attributes:
        name: What reports call it.
        rows: Rows put over the seed data first, as in a task's ``initial``.
        calls: Calls made first, each with ``tool`` and ``arguments``.
        call: The call that the case is about.
        expect: How that call ends.
    """

    name: Annotated[str, StringConstraints(pattern=r"^[a-z0-9_]{1,80}$")]
    rows: dict[str, dict[str, dict[str, object] | None]] = Field(default_factory=dict)
    calls: tuple[CaseCall, ...] = ()
    call: CaseCall
    expect: CaseExpected = CaseExpected()


class Explanation(SpecPart):
    """Why a mutant survives, in ``survivors.yaml``.

    Attributes:
        function: The tool, helper or constant it is in.
        line: The text of the line that is mutated.
        change: The mistake, as a proof prints it.
        because: Why no case can tell it from the real code, or which case is missing.
    """

    function: Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
    line: Sentence
    change: Sentence
    because: Sentence

    @property
    def mutant(self) -> tuple[str, str, str]:
        """What names the mutant, or several alike."""
        return self.function, self.line, self.change


class SuspectExplanation(SpecPart):
    """Why something that looks wrong is meant, in ``explained.yaml``.

    Attributes:
        property: The property that does not hold, as ``toolworld laws`` prints it.
        tools: The tools that it does not hold for.
        about: What differs, or a part of it; empty for whatever it is.
        because: Why that is meant.
    """

    property: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z_]{1,40}$")]
    tools: tuple[str, ...] = ()
    about: str = ""
    because: Sentence


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
