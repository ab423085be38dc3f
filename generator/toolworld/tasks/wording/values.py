"""Values in words: as people say them, and as an agent writes them."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
NOTHING_TO_PAY = ("no fee", "free", "nothing", "no charge", "no cost", "no extra", "not cost")
PLURAL_LIKE = ("series", "species")
SINGULAR_ENDINGS = ("ss", "us", "is")


class Spoken(str):
    """A value in the words it is said in; filters see the value behind it.

    Attributes:
        value: The value.
        currency: The unit of money.
    """

    value: Any
    currency: str

    @classmethod
    def of(cls, value: Any, currency: str, way: str = "") -> Spoken:
        """Return a value in words; ``way`` is how this person puts it."""
        spoken = cls(way or in_words(value, currency))
        spoken.value, spoken.currency = value, currency
        return spoken


def in_words(value: Any, currency: str) -> str:
    """Return a value as a person says it: ``June 10``, ``$38.50``, ``a, b and c``."""
    if isinstance(value, datetime):
        return f"{day_in_words(value.date())}, {value:%H:%M}"
    if isinstance(value, date):
        return day_in_words(value)
    if isinstance(value, Decimal):
        return amount(value, currency)
    if isinstance(value, list | tuple):
        parts = [in_words(part, currency) for part in value]
        return " and ".join([", ".join(parts[:-1]), parts[-1]]) if parts[1:] else "".join(parts)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def day_in_words(day: date) -> str:
    """Return a day without its year."""
    return f"{MONTHS[day.month - 1]} {day.day}"


def amount(value: Decimal, currency: str) -> str:
    """Return an amount of money with its sign and, unless they are none, its cents."""
    figure = f"{value:,.2f}"
    return f"{SIGNS[currency]}{figure}" if currency in SIGNS else f"{figure} {currency}".strip()


def full(spoken: Any) -> str:
    """Return a day with its year; any other value as usual."""
    value = getattr(spoken, "value", spoken)
    if isinstance(value, datetime):
        return f"{day_in_words(value.date())}, {value.year}, {value:%H:%M}"
    return f"{day_in_words(value)}, {value.year}" if isinstance(value, date) else str(spoken)


def cents(spoken: Any) -> str:
    """Return an amount without its sign."""
    value = getattr(spoken, "value", spoken)
    return f"{value:.2f}" if isinstance(value, Decimal) else str(spoken)


def capital(spoken: Any) -> str:
    """Return a text that begins in a capital."""
    text = str(spoken)
    return text[:1].upper() + text[1:]


def sentence(spoken: Any) -> str:
    """Return a text as a sentence of its own."""
    text = capital(spoken)
    return text if text.endswith((".", "!", "?")) else f"{text}."


def plural(spoken: Any, many: str, one: str) -> str:
    """Return the first word if a thing is said in the plural, else the second.

    ``my earbuds are``, ``my tent is``.
    """
    plain = str(spoken).partition("(")[0].strip().lower()
    last = plain.partition(" in ")[0].split()[-1:] or [""]
    word = last[0]
    is_plural = word.endswith("s") and not word.endswith(SINGULAR_ENDINGS)
    return many if is_plural and word not in PLURAL_LIKE else one


FILTERS = {
    "full": full, "cents": cents, "capital": capital, "sentence": sentence, "plural": plural,
    "lower": lambda spoken: str(spoken).lower(),
}  # fmt: skip


def answers_to(value: Any) -> list[str | int | float]:
    """Return a value as a goal's wanted answer, with its synonyms."""
    if isinstance(value, Decimal):
        return [float(value), *(NOTHING_TO_PAY if value == 0 else ())]
    if isinstance(value, datetime):
        return [value.date().isoformat()]
    if isinstance(value, date):
        return [value.isoformat()]
    if isinstance(value, bool):
        return ["yes" if value else "no"]
    return [value if isinstance(value, int | float) else str(value)]
