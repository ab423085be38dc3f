"""Conversations with one usual person, who may differ in some parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolworld.packages import Package

FACTS: dict[str, dict[str, Any]] = {
    "email": {"says": "It's jo@example.com.", "value": "jo@example.com", "topics": ["e-mail"]},
    "postcode": {"says": "04112.", "value": "04112", "topics": ["zip code", "postcode"]},
    "item": {"says": "The oak lamp.", "value": "oak lamp", "topics": ["item"], "said": True},
    "card": {"topics": ["card number"]},
}
WHEN = {"too_late": "Oh. Then I'll keep it.", "offered": "No, that's no use to me."}
WRONG = {"kind": "wrong_first", "fact": "postcode", "says": "04221.", "value": "04221"}
CHANGES = {"kind": "changes_mind", "fact": "item", "says": "No, the chair.", "value": "chair"}
ALL: list[Any] = [
    "insists", "impatient", WRONG, CHANGES,
    {"kind": "off_topic", "says": "Lovely weather."},
    {"kind": "wants_more", "says": "And a voucher?"},
]  # fmt: skip

ASKS_YES = "The fee is $6.95. Shall I go ahead?"
REFUSES = "I'm sorry, it cannot be returned."
CLOSES = "Your return is set up. Is there anything else?"

Talk = Callable[..., Any]


def beginner(library: Package) -> Talk:
    """Return what begins a conversation with a person who differs from the usual one."""
    persona, person = library.module("person.persona"), library.module("person.conversation")

    def begin(outcome: str = "too_late", **parts: Any) -> Any:
        described = persona.Person.model_validate({"facts": FACTS, "when": WHEN, **parts})
        return person.Conversation(described, outcome)

    return begin


def kinds(reply: Any) -> list[str]:
    """Return what a reply does: the kind of each act, and its name if it has one."""
    return [f"{act.kind} {act.name}".strip() for act in reply.acts]
