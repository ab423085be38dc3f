"""A scenario's words filled with the facts of one situation."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from jinja2 import StrictUndefined, Template, meta
from jinja2.sandbox import SandboxedEnvironment

from toolworld.errors import ToolworldError
from toolworld.jsonvalues import JsonObject, JsonValue
from toolworld.spec.filling import MOST_FILLED, TooMuchText, filled
from toolworld.spec.scenarios import OutcomeWords, Saying, Scenario, ScenarioWords
from toolworld.tasks.wording.behaviours import DrawnBehaviour, drawn
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
MOST_TEMPLATES = 5_000


@dataclass(frozen=True)
class Worded:
    """A situation in words.

    Attributes:
        number: Which of the scenario's messages it is.
        instruction: What the person says first.
        said: The facts that this tells, be it otherwise than they are in the end.
        asks: What the person wants to be told.
        person: How the person answers, as the package has it.
        spoken: The facts as they are said in the end.
    """

    number: int
    instruction: str
    said: frozenset[str]
    asks: tuple[str, ...]
    person: Any
    spoken: Mapping[str, Spoken] = field(default_factory=dict)

    def question(self, ending: OutcomeWords) -> Saying | None:
        """Return the person's question when an agent ends without a wanted answer."""
        asked = ending.question
        return asked and asked.model_copy(update={"text": fill(asked.text, self.spoken)})


class Wording:
    """Puts the situations of a package into words."""

    def __init__(
        self,
        currency: str,
        as_json: Callable[[Any], JsonValue],
        person_of: Callable[[JsonObject], Any],
        is_taken: Callable[[str], bool],
    ) -> None:
        """Take the words of a package.

        Args:
            currency: The unit of money.
            as_json: Turns a value into JSON.
            person_of: Reads a person's description.
            is_taken: Whether a text stands in the data.
        """
        self._currency, self._as_json, self._is_taken = currency, as_json, is_taken
        self._person_of = person_of

    def worded(
        self, scenario: Scenario, facts: Any, number: int, rng: random.Random, plain: bool = False
    ) -> Worded:
        """Return a situation in the words of one message.

        Args:
            scenario: The scenario.
            facts: The facts of the situation, as the package has them.
            number: Which of the messages.
            rng: Chooses how a value is put where people put it in several ways.
            plain: Whether the person only answers, whatever the scenario allows.
        """
        words, saying = scenario.words, scenario.words.says[number]
        spoken = self._spoken(words, facts.values, rng)
        said = self.told(scenario, facts, number)
        one = DrawnBehaviour() if plain else drawn(words, facts.values, said, rng, self._is_taken)
        opening = spoken | self._spoken(words, {one.fact: one.first} if one.fact else {}, rng)
        # Who makes a slip knows better; who changes their mind does so later.
        known = opening if one.kind == "changes_mind" else spoken
        person = self._person(words, facts, known, said) | {
            "when": {name: fill(text, spoken) for name, text in words.when.items()},
            "behaviours": self._described(words, one, spoken, opening),
        }
        text = fill(saying.text, opening)
        return Worded(number, text, said, saying.asks, self._person_of(person), spoken)

    def told(self, scenario: Scenario, facts: Any, number: int) -> frozenset[str]:
        """Return the facts that one of a scenario's messages tells."""
        return frozenset(names_in(scenario.words.says[number].text) & facts.values.keys())

    def reply(self, text: str, values: Mapping[str, Any]) -> str:
        """Return an agent's final message."""
        spoken = {name: Spoken.of(value, self._currency) for name, value in values.items()}
        return fill(text, spoken)

    def _spoken(self, words: ScenarioWords, values: Any, rng: random.Random) -> dict[str, Spoken]:
        found = {}
        for name, value in values.items():
            ways = words.ways.get(name, {}).get(str(value), ())
            found[name] = Spoken.of(value, self._currency, rng.choice(ways) if ways else "")
        return found

    def _person(
        self, words: ScenarioWords, facts: Any, known: Mapping[str, Spoken], said: frozenset[str]
    ) -> dict[str, JsonValue]:
        return {
            "facts": {
                name: {
                    "says": gives(words, name, known),
                    "value": self._as_json(value.value),
                    "topics": list(words.topics.get(name) or topics_of(name)),
                    "said": name in said,
                }
                for name, value in known.items()
            },
            "agrees": self._as_json(facts.agrees),
            "takes_offer": facts.accepts,
        }

    def _described(
        self, words: ScenarioWords, one: DrawnBehaviour, spoken: Mapping[str, Spoken], first: Any
    ) -> list[JsonValue]:
        """Return how a person behaves, as the package's tasks hold it."""
        found: dict[str, JsonValue] = {"kind": one.kind}
        if one.says:
            found["says"] = fill(one.says, spoken)
        if one.kind == "wrong_first":
            found |= {"fact": one.fact, "says": gives(words, one.fact, first), "value": one.first}
        elif one.fact:
            found |= {"fact": one.fact, "value": self._as_json(spoken[one.fact].value)}
        return [found] if one.kind else []


def gives(words: ScenarioWords, name: str, spoken: Mapping[str, Spoken]) -> str:
    """Return a person's answer when asked for a fact."""
    return fill(words.gives[name], spoken) if name in words.gives else answer(spoken[name])


def answer(spoken: Spoken) -> str:
    """Return a value as the whole of an answer: a phrase is a sentence, anything else bare."""
    return sentence(spoken) if " " in spoken else str(spoken)


def topics_of(name: str) -> tuple[str, ...]:
    """Return the default words by which an agent may ask for a fact."""
    return TOPICS.get(name, (name.replace("_", " "),))


def fill(text: str, values: Mapping[str, Any]) -> str:
    """Return a text with its holes filled, its white space folded.

    Raises:
        ToolworldError: It gets too long to be said.
    """
    try:
        whole = filled(_template(text), values) if "{" in text else text
    except TooMuchText as error:
        raise ToolworldError(
            f"A text of a scenario gets longer than {MOST_FILLED:,} characters: {text[:80]!r}. "
            "Let it say shorter facts."
        ) from error
    return " ".join(whole.split())


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
    environment.filters = dict(FILTERS)
    environment.globals.clear()
    return environment


_ENVIRONMENT = _environment()
