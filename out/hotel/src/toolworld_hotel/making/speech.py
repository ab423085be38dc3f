"""What an expert says to the person, in words that the rules of ``acts`` understand."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from ..tasks.task import Task


def wondering(task: Task, name: str) -> str:
    """Return the question for a fact."""
    fact = task.person.facts.get(name) if task.person else None
    topic = fact.topics[0] if fact is not None and fact.topics else name.replace("_", " ")
    return f"Could you tell me the {topic}, please?"


def finding_none(task: Task, name: str, value: Any) -> str:
    """Return a message that nothing matches a fact's value, which asks for the fact again."""
    return f"I find nothing under {spoken(value)}. {wondering(task, name)}"


def telling(values: dict[str, Any], ask: bool = False) -> str:
    """Return a message that states values; with ``ask``, it also asks for a yes."""
    parts = [f"the {name.replace('_', ' ')} is {spoken(value)}" for name, value in values.items()]
    text = f"{'; '.join(parts)}." if parts else ""
    text = text[:1].upper() + text[1:]
    return f"{text} Shall I go ahead?".strip() if ask else text


def offering(name: str, values: dict[str, Any]) -> str:
    """Return an offer in words."""
    parts = [f"{key.replace('_', ' ')}: {spoken(value)}" for key, value in values.items()]
    more = f" ({', '.join(parts)})" if parts else ""
    return f"I can offer you this instead: {name.replace('_', ' ')}{more}. Would you like that?"


def spoken(value: Any) -> str:
    """Return a value as an agent writes it: amounts with cents, days as ISO dates."""
    if isinstance(value, Decimal):
        return f"{value:.2f}"
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M")
    if isinstance(value, date):
        return value.isoformat()
    return str(value)
