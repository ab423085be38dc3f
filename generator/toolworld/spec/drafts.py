"""What stands beside a domain's code: how people speak, tasks, cases, and explanations."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from toolworld.spec.model import ClassName, MaybeSentence, Sentence, SnakeName, SpecPart


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
