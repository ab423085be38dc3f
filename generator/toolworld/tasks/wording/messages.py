"""A scenario's words filled with the facts of one situation."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from jinja2 import StrictUndefined, Template, meta
from jinja2.sandbox import SandboxedEnvironment

from toolworld.jsonvalues import JsonValue
from toolworld.spec.scenarios import Saying, Scenario
from toolworld.tasks.wording.values import FILTERS, Spoken, sentence

TOPICS = {
    "email": ("e-mail address", "email", "e-mail", "mail"),
    "name": ("name", "full name"),
    "first_name": ("first name", "name"),
    "last_name": ("last name", "surname", "family name", "name"),
    "postcode": ("postcode", "ZIP code", "zip", "postal code"),
    "phone": ("phone number", "telephone", "phone"),
    "reason": ("reason", "why"),
}
"""Words by which agents ask for facts that many domains have."""
BEHAVIOUR_SHARE = 0.35
ASIDES = (
    "Sorry, the dog is barking, one moment. Right.",
    "It is so hot here today, I can hardly think.",
    "My daughter says hello, by the way.",
    "I am on the train, so I may drop out for a bit.",
    "You sound just like a friend of mine.",
)
"""What people say beside the point."""
MOST_TEMPLATES = 5_000


@dataclass(frozen=True)
class Worded:
    """A situation in words.

    Attributes:
        number: Which of the scenario's messages it is.
        instruction: What the person says first.
        said: The facts that this tells.
        asks: What the person wants to be told.
        questions: By outcome, what they ask if the agent leaves out what they want to know.
        person: How the person answers, as the package's tasks hold it.
    """

    number: int
    instruction: str
    said: frozenset[str]
    asks: tuple[str, ...]
    person: Any
    questions: Mapping[str, Saying] = field(default_factory=dict)


class Wording:
    """Puts the situations of a package into words."""

    def __init__(self, currency: str, as_json: Any) -> None:
        """Take the unit of money, and what turns a value into JSON."""
        self._currency, self._as_json = currency, as_json

    def worded(self, scenario: Scenario, facts: Any, number: int, rng: random.Random) -> Worded:
        """Return a situation in the words of one message.

        Args:
            scenario: The scenario.
            facts: The facts of the situation, as the package has them.
            number: Which of the messages.
            rng: Chooses how a value is put where people put it in several ways.
        """
        saying = scenario.words.says[number]
        spoken = self._spoken(scenario, facts, rng)
        said = frozenset(names_in(saying.text) & spoken.keys())
        return Worded(
            number,
            fill(saying.text, spoken),
            said,
            saying.asks,
            self._person(scenario, facts, spoken, said, rng),
            {
                outcome: question.model_copy(update={"text": fill(question.text, spoken)})
                for outcome, words in scenario.words.outcomes.items()
                if (question := words.question) is not None
            },
        )

    def reply(self, text: str, values: Mapping[str, Any]) -> str:
        """Return what an agent says in the end."""
        spoken = {name: Spoken.of(value, self._currency) for name, value in values.items()}
        return fill(text, spoken)

    def _spoken(self, scenario: Scenario, facts: Any, rng: random.Random) -> dict[str, Spoken]:
        found = {}
        for name, value in facts.values.items():
            ways = scenario.words.ways.get(name, {}).get(str(value), ())
            found[name] = Spoken.of(value, self._currency, rng.choice(ways) if ways else "")
        return found

    def _person(
        self,
        scenario: Scenario,
        facts: Any,
        spoken: Mapping[str, Spoken],
        said: frozenset[str],
        rng: random.Random,
    ) -> dict[str, JsonValue]:
        words = scenario.words
        return {
            "facts": {
                name: {
                    "says": fill(words.gives[name], spoken)
                    if name in words.gives
                    else answer(value),
                    "value": self._as_json(value.value),
                    "topics": list(words.topics.get(name) or topics_of(name)),
                    "said": name in said,
                }
                for name, value in spoken.items()
            },
            "agrees": self._as_json(facts.agrees),
            "takes_offer": facts.accepts,
            "when": {name: fill(text, spoken) for name, text in words.when.items()},
            "behaviours": behaviours(words.behaviours, rng),
        }


def answer(spoken: Spoken) -> str:
    """Return a value as the whole of an answer: a phrase is a sentence, anything else bare."""
    return sentence(spoken) if " " in spoken else str(spoken)


def behaviours(allowed: Sequence[str], rng: random.Random) -> list[JsonValue]:
    """Return how a person behaves beyond answering: one of what a scenario allows, or nothing."""
    if not allowed or rng.random() >= BEHAVIOUR_SHARE:
        return []
    kind = rng.choice(allowed)
    return [{"kind": kind, "says": rng.choice(ASIDES)} if kind == "off_topic" else kind]


def topics_of(name: str) -> tuple[str, ...]:
    """Return the words by which an agent may ask for a fact, unless the author says others."""
    return TOPICS.get(name, (name.replace("_", " "),))


def fill(text: str, values: Mapping[str, Any]) -> str:
    """Return a text with its holes filled, its white space folded."""
    return " ".join(_template(text).render(values).split())


@lru_cache(MOST_TEMPLATES)
def names_in(text: str) -> frozenset[str]:
    """Return the names that a text fills in."""
    return frozenset(meta.find_undeclared_variables(_ENVIRONMENT.parse(text)))


@lru_cache(MOST_TEMPLATES)
def _template(text: str) -> Template:
    return _ENVIRONMENT.from_string(text)


def _environment() -> SandboxedEnvironment:
    # Messages are plain text, not HTML.
    environment = SandboxedEnvironment(undefined=StrictUndefined)
    environment.filters |= FILTERS
    return environment


_ENVIRONMENT = _environment()
