"""The person of a task, as data: what they know, what they agree to and how they behave."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from .answers import WantedAnswer

NAMES = {
    "fee": ("fee", "charge", "deduction"),
    "price": ("price", "cost", "total"),
}
"""The words for a value where the description has none."""


class PersonPart(BaseModel):
    """A frozen piece of a person's description."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Fact(PersonPart):
    """Something an agent may ask the person for.

    Attributes:
        says: What the person answers when asked for it.
        value: What it is; None when the person does not know.
        topics: Words by which an agent may ask for it.
        said: Whether the opening message says it.
    """

    says: str = ""
    value: object = None
    topics: tuple[str, ...] = ()
    said: bool = False

    @model_validator(mode="after")
    def _known_is_sayable(self) -> Self:
        if self.value is not None and not self.says:
            raise ValueError("a fact with a value needs words to say it")
        return self

    @property
    def is_known(self) -> bool:
        """Whether the person knows it."""
        return self.value is not None


class OpenQuestion(PersonPart):
    """What the person asks when a refusal leaves out what they want to know.

    Attributes:
        says: How they ask.
        answers: What they want to be told; of alternatives, any one.
    """

    says: str
    answers: tuple[WantedAnswer, ...]


class Insists(PersonPart):
    """Asks once more after the first refusal."""

    kind: Literal["insists"] = "insists"
    says: str = "Are you sure? Please look at it once more."


class ChangesMind(PersonPart):
    """Wants another value for a fact than before.

    Attributes:
        fact: The fact that changes.
        says: How the person says so, the new value included.
        value: The new value.
        at: Instead of the first yes; when the agent next speaks without having done what was
            agreed to; or when it next speaks after having done it.
    """

    kind: Literal["changes_mind"] = "changes_mind"
    fact: str
    says: str
    value: object
    at: Literal["yes", "after_yes", "after_write"] = "yes"


class WrongFirst(PersonPart):
    """Gives a wrong value for a fact, and corrects it when it fails or is said back.

    Attributes:
        fact: The fact that is given wrongly. If the opening says it, it says the wrong value.
        says: How the person says the wrong value.
        value: The wrong value.
    """

    kind: Literal["wrong_first"] = "wrong_first"
    fact: str
    says: str
    value: object


class Impatient(PersonPart):
    """Speaks shortly, and hurries in the first reply."""

    kind: Literal["impatient"] = "impatient"
    says: str = "I'm in a hurry."


class OffTopic(PersonPart):
    """Adds something beside the point to the first reply."""

    kind: Literal["off_topic"] = "off_topic"
    says: str


class WantsMore(PersonPart):
    """Asks for something that cannot be had, before leaving.

    Attributes:
        says: What the person asks for.
        refused: What the person answers to the refusal.
    """

    kind: Literal["wants_more"] = "wants_more"
    says: str
    refused: str = "Never mind, then."


AnyBehaviour = Insists | ChangesMind | WrongFirst | Impatient | OffTopic | WantsMore


def _by_name(behaviour: object) -> object:
    return {"kind": behaviour} if isinstance(behaviour, str) else behaviour


Behaviour = Annotated[
    Annotated[AnyBehaviour, Field(discriminator="kind")], BeforeValidator(_by_name)
]
"""A behaviour with its parameters, or only its name where all of them may be left out."""


class Person(PersonPart):
    """Who an agent talks to.

    Attributes:
        facts: What the person may be asked for, by name.
        agrees: Whether the person says yes to what is asked for; or by the name of a value the
            most it may be; None for one who holds to the wish, and says neither.
        takes_offer: Whether the person says yes to something else that is offered; None for one
            who takes a yes that is sought with it for one to the wish.
        when: What the person answers: to a refusal under the task's outcome or ``refused``, to an
            offer under ``offered``, to a yes that is sought in vain under ``declined``.
        sums: The amounts that a good agent tells before a yes: where an agent tells some of them
            among others, only these are measured by what ``agrees`` allows.
        first: Facts that the person brings up before saying yes, unless they gave them.
        question: What the person asks once if a refusal, or what they decline, leaves it out.
        called: Words by which an agent names a value, such as ``{"fee": ["fee", "charge"]}``.
        behaviours: How the person behaves beyond that, at most one of each kind.
    """

    facts: dict[str, Fact] = Field(default_factory=dict)
    agrees: bool | dict[str, float] | None = True
    takes_offer: bool | None = False
    when: dict[str, str] = Field(default_factory=dict)
    sums: tuple[float, ...] = ()
    first: tuple[str, ...] = ()
    question: OpenQuestion | None = None
    called: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    behaviours: tuple[Behaviour, ...] = ()

    @model_validator(mode="after")
    def _behaviours_fit(self) -> Self:
        kinds = [behaviour.kind for behaviour in self.behaviours]
        if len(set(kinds)) < len(kinds):
            raise ValueError("each behaviour may be there once")
        for name in self.first:
            if name not in self.facts:
                raise ValueError(f'"{name}" is no fact of the person')
        for behaviour in self.behaviours:
            if isinstance(behaviour, ChangesMind | WrongFirst) and not (
                behaviour.fact in self.facts and self.facts[behaviour.fact].is_known
            ):
                raise ValueError(f'"{behaviour.fact}" is no fact that the person knows')
        return self

    def opens_with(self) -> dict[str, object]:
        """Return the facts of the opening message, by name, as it says them; one may be wrong."""
        wrong = {one.fact: one.value for one in self.behaviours if isinstance(one, WrongFirst)}
        return {name: wrong.get(name, fact.value) for name, fact in self.facts.items() if fact.said}

    def topics(self) -> dict[str, tuple[str, ...]]:
        """Return the words by which each fact may be asked for."""
        return {name: fact.topics for name, fact in self.facts.items()}

    def names(self) -> dict[str, tuple[str, ...]]:
        """Return the words by which an agent names a value, for each value that has a name."""
        limits = self.agrees if isinstance(self.agrees, dict) else ()
        own = {name: NAMES.get(name, (name.replace("_", " "),)) for name in limits}
        return NAMES | own | self.called
