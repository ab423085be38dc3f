"""What a model answers when it is asked for scenarios: their code, and what people say."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from toolworld.draft.answers import Code, Long, Short
from toolworld.llm.names import Answer, ClauseNumber, RoleName
from toolworld.spec.model import SnakeName
from toolworld.spec.scenarios import OutcomeKind

Said = Annotated[str, StringConstraints(min_length=1, max_length=900)]
Asked = Annotated[list[SnakeName], Field(max_length=8)]


class SayingAnswer(Answer):
    """Something that the person says, and the outcome values that its words ask for."""

    text: Said
    asks: Asked = []


class OutcomeAnswer(Answer):
    """One way in which a scenario ends.

    Attributes:
        tells: The values that the expert gives with it.
        question: What the person asks if a refusal leaves out what they want to know.
    """

    name: SnakeName
    kind: OutcomeKind
    clause: ClauseNumber
    tells: Asked
    reply: Long
    question: SayingAnswer | None = None


class FactAnswer(Answer):
    """How a fact is given when it is asked for, and the words that ask for it."""

    fact: SnakeName
    gives: Short
    topics: Annotated[list[Short], Field(min_length=1, max_length=8)]


class ReactionAnswer(Answer):
    """What the person says to an outcome that is not the wish's."""

    outcome: SnakeName
    says: Short


class ScenarioAnswer(Answer):
    """One scenario.

    Attributes:
        situation: The function ``name(db, draw)``.
        expert: The function ``solve_name(agent, given)``.
        openings: What the person may say first, each a whole message.
    """

    name: SnakeName
    role: RoleName
    situation: Code
    expert: Code
    outcomes: Annotated[list[OutcomeAnswer], Field(min_length=2, max_length=9)]
    openings: Annotated[list[SayingAnswer], Field(min_length=3, max_length=6)]
    facts: Annotated[list[FactAnswer], Field(max_length=14)]
    reactions: Annotated[list[ReactionAnswer], Field(max_length=9)] = []
    behaviours: Annotated[
        list[Literal["insists", "impatient", "off_topic"]], Field(max_length=3)
    ] = []


class HelperAnswer(Answer):
    """A function that situations or experts share."""

    name: Annotated[str, StringConstraints(pattern=r"^_[a-z][a-z0-9_]{1,40}$")]
    code: Code


class Scenarios(Answer):
    """Two or three scenarios of an area."""

    helpers: Annotated[list[HelperAnswer], Field(max_length=10)] = []
    scenarios: Annotated[list[ScenarioAnswer], Field(min_length=1, max_length=3)]
