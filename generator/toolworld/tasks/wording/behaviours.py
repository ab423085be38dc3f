"""Behaviours of people beyond answering, drawn for a task from those its scenario allows."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import islice, pairwise
from typing import Any, NamedTuple

from toolworld.spec.scenarios import ScenarioWords

BEHAVIOUR_SHARE = 0.35
ASIDES = (
    "Sorry, the dog is barking, one moment. Right.",
    "It is so hot here today, I can hardly think.",
    "My daughter says hello, by the way.",
    "I am on the train, so I may drop out for a bit.",
    "You sound just like a friend of mine.",
)
"""What people say beside the point."""


class DrawnBehaviour(NamedTuple):
    """How a person behaves.

    Attributes:
        kind: What it is called; empty for nothing special.
        says: What the person says then, a template; empty for what they always say.
        fact: The fact that the opening says otherwise than it is in the end.
        first: What the opening says of it.
    """

    kind: str = ""
    says: str = ""
    fact: str = ""
    first: Any = None


def drawn(
    words: ScenarioWords,
    values: Mapping[str, Any],
    said: Collection[str],
    rng: random.Random,
    is_taken: Callable[[str], bool],
) -> DrawnBehaviour:
    """Return how a person behaves: in one of the ways that a scenario allows, or in none.

    Args:
        words: What the scenario allows.
        values: The facts.
        said: The facts that the opening says: only of these it can say something else.
        rng: Chooses.
        is_taken: Whether a text stands in the data: a slip must not.
    """
    changes = words.changes_mind
    own = [one for one in words.wrong_first if one in said and isinstance(values[one], str)]
    own += ["wants_more"] if words.wants_more else []
    own += ["changes_mind"] if changes is not None and changes.fact in said else []
    # What only some scenarios have goes before what may be put on any.
    allowed = own or words.behaviours
    if not allowed or rng.random() >= BEHAVIOUR_SHARE:
        return DrawnBehaviour()
    kind = rng.choice(allowed)
    if kind == "changes_mind" and changes is not None:
        first = list(_others(values[changes.fact], changes.instead_of))
        what = DrawnBehaviour(kind, changes.says, changes.fact)
    elif kind in words.wrong_first:
        ways = list(slips(values[kind]))
        free = (one for one in rng.sample(ways, len(ways)) if not is_taken(one))
        first = list(islice(free, 1))
        what = DrawnBehaviour("wrong_first", fact=kind)
    else:
        says = {"off_topic": ASIDES, "wants_more": words.wants_more}.get(kind)
        return DrawnBehaviour(kind, rng.choice(says) if says else "")
    return what._replace(first=rng.choice(first)) if first else DrawnBehaviour()


def _others(value: Any, listed: Sequence[int | str]) -> Iterator[Any]:
    """Yield wrong values of a fact: listed ones, or days shifted by listed numbers."""
    for one in listed:
        if isinstance(value, date) and isinstance(one, int):
            yield value + timedelta(days=one)
        elif type(one) is type(value) and one != value:
            yield one


def slips(text: str) -> Iterator[str]:
    """Yield a text with one slip: two neighbours turned, or a small letter left out.

    Words keep their first letter. Of an e-mail address, what stands before the @ has the slip.
    """
    name, at, rest = text.partition("@")
    for place, (one, other) in enumerate(pairwise(name)):
        before, after = name[:place], name[place + 2 :]
        are_letters = place > 0 and one.islower() and other.islower()
        if one != other and (are_letters or f"{one}{other}".isdigit()):
            yield f"{before}{other}{one}{after}{at}{rest}"
        if are_letters:
            yield f"{before}{one}{after}{at}{rest}"
