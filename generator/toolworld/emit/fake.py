"""Made-up values for seed data: the same from the same seed, on every machine.

People, places and words come from Faker; choices and numbers from one random generator. Neither
touches the process's global random state.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import TypeVar

from faker import Faker

ItemT = TypeVar("ItemT")

FAKER_METHODS = (
    "city",
    "color_name",
    "company",
    "country_code",
    "ean13",
    "first_name",
    "iban",
    "job",
    "last_name",
    "license_plate",
    "name",
    "paragraph",
    "phone_number",
    "postcode",
    "sentence",
    "state_abbr",
    "street_address",
    "user_name",
    "word",
)
"""What a seed recipe may ask Faker for, as ``fake.<name>()``: each gives a text."""


class Fake:
    """The source of everything made up in seed data."""

    def __init__(self, seed: int) -> None:
        """Start at a seed."""
        self._random = random.Random(seed)  # noqa: S311 - made-up data guards nothing
        faker = Faker("en_US")
        faker.seed_instance(seed)
        for method in FAKER_METHODS:
            setattr(self, method, getattr(faker, method))

    def pick(self, items: Sequence[ItemT]) -> ItemT:
        """Return one of the items, all alike likely."""
        return self._random.choice(items)

    def picks(self, items: Sequence[ItemT], count: int) -> list[ItemT]:
        """Return that many different items, or all of them if there are fewer."""
        return self._random.sample(items, min(count, len(items)))

    def weighted(self, weights: Mapping[ItemT, float]) -> ItemT:
        """Return one of the keys, as likely as its weight says."""
        return self._random.choices(list(weights), list(weights.values()))[0]

    def chance(self, probability: float) -> bool:
        """Return true as often as the probability, from 0 to 1, says."""
        return self._random.random() < probability

    def integer(self, low: int, high: int) -> int:
        """Return a whole number from low to high, both included."""
        return self._random.randint(low, high)

    def number(self, low: float, high: float) -> float:
        """Return a number from low to high."""
        return self._random.uniform(low, high)

    def money(self, low: Decimal | int, high: Decimal | int) -> Decimal:
        """Return an amount from low to high, to the cent."""
        return Decimal(self._random.randint(round(low * 100), round(high * 100))) / 100

    def moment(self, start: datetime, end: datetime) -> datetime:
        """Return a time from start to end, to the second; start when end is earlier."""
        seconds = max(0, int((end - start).total_seconds()))
        return start + timedelta(seconds=self._random.randint(0, seconds))

    def day(self, start: date, end: date) -> date:
        """Return a day from start to end, both included; start when end is earlier."""
        return start + timedelta(days=self._random.randint(0, max(0, (end - start).days)))
