"""The words of scenarios, as ``scenarios/*.yaml`` holds them beside situations and experts."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from toolworld.spec.model import MaybeSentence, Sentence, SnakeName, SpecPart

OutcomeKind = Literal["done", "refused", "capped", "offered", "declined"]
Theme = Literal[
    "stale_consent", "clauses_conflict", "partly_undone", "delegate", "earlier_promise",
    "own_error", "conduct_only",
]  # fmt: skip
Cell = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*(=.{1,60})?$")]
PrivateName = Annotated[str, Field(pattern=r"^_[a-z][a-z0-9_]{0,58}$")]
Number = Annotated[str, Field(pattern=r"^\d{1,2}\.\d{1,2}$")]


class Saying(SpecPart):
    """A message of the person that asks for something.

    Attributes:
        text: The message; ``{{ fact }}`` is filled in. Of a message that the person opens with,
            every other fact is held back.
        asks: What the person wants to be told: only that is graded.
    """

    text: Sentence
    asks: tuple[SnakeName, ...] = ()


class ChangeOfMind(SpecPart):
    """A wish that the person has otherwise in the end than in the opening.

    Attributes:
        fact: What changes.
        instead_of: What the opening may say instead; of a day, how many days off it is.
        says: How the person says so when first asked for a yes, with the fact as it is then.
    """

    fact: SnakeName
    instead_of: Annotated[tuple[int | Sentence, ...], Field(min_length=1)]
    says: Sentence


class OutcomeWords(SpecPart):
    """One way in which a scenario ends.

    Attributes:
        kind: Whether the wish is carried out, refused, carried out in part, met by something
            else, or dropped by the person.
        clause: The clause of the policy that decides it.
        tells: What there is to tell the person: names of the expert's outcome values.
        reply: What the agent says in the end.
        alternatives: For a value, other words that say the same.
        question: What the person asks if the agent, in refusing, leaves out what they want to know.
    """

    kind: OutcomeKind
    clause: Number | None = None
    tells: tuple[SnakeName, ...] = ()
    reply: Sentence
    alternatives: dict[SnakeName, tuple[Sentence, ...]] = Field(default_factory=dict)
    question: Saying | None = None


class ScenarioWords(SpecPart):
    """What the person of a scenario says, and how it may end.

    Attributes:
        role: Who the person is: a role of the domain.
        theme: What is special about it, if it is of a kind that few benchmarks have.
        outcomes: Each way in which it ends, by the name the expert gives it.
        says: Messages to open with.
        gives: What the person answers when asked for a fact, in other words than its value.
        topics: Words by which an agent may ask for a fact, the usual ones first.
        ways: For a fact, how people put each of its values.
        when: What the person answers to an outcome that is not what they wished.
        twins: Columns of which one cell may be turned, as ``table.column``, or to what, as
            ``table.column=value``; what is named first is tried first.
        breaches: Functions that do what the expert must not, by the clause that this breaks.
        behaviours: How the person may behave: each is put on some tasks, and so are the next three.
        wrong_first: Texts to look something up by, of which a message may say one with a slip that
            the person puts right later.
        changes_mind: What the person may want otherwise when first asked for a yes.
        wants_more: What the person may ask for in the end and cannot have, one of these.
    """

    role: SnakeName
    theme: Theme | None = None
    outcomes: Annotated[dict[SnakeName, OutcomeWords], Field(min_length=1)]
    says: Annotated[tuple[Saying, ...], Field(min_length=1)]
    gives: dict[SnakeName, Sentence] = Field(default_factory=dict)
    topics: dict[SnakeName, tuple[Sentence, ...]] = Field(default_factory=dict)
    ways: dict[SnakeName, dict[str, tuple[Sentence, ...]]] = Field(default_factory=dict)
    when: dict[SnakeName, MaybeSentence] = Field(default_factory=dict)
    twins: tuple[Cell, ...] = ()
    breaches: dict[Number, PrivateName] = Field(default_factory=dict)
    behaviours: tuple[SnakeName, ...] = ()
    wrong_first: tuple[SnakeName, ...] = ()
    changes_mind: ChangeOfMind | None = None
    wants_more: tuple[Sentence, ...] = ()


class Scenario(SpecPart):
    """A scenario: the names of its functions, and its words.

    Attributes:
        name: The situation's function; the expert is ``solve_<name>``.
        facts: The facts that the situation gives.
        file: The file of its functions, without its ending.
    """

    name: SnakeName
    facts: tuple[SnakeName, ...]
    file: SnakeName
    words: ScenarioWords

    @property
    def expert(self) -> str:
        """The name of the expert's function."""
        return f"solve_{self.name}"
