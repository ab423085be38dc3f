"""Arguments for a tool, made from its schema: mostly sensible, some at the limits, some wild."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from toolworld.prove.facts import SeenValues

Json = Any
Schema = Mapping[str, Json]

WILD: tuple[Json, ...] = (
    None, True, False, 0, -1, 1, 1.5, 2**53, 2**70, -(10**40), 1e308, float("nan"), float("inf"),
    "", " ", "\x00", "null", "0", "1e999", "\ud800", "é́", "x" * 10_001, "x" * 1_000_000,
    [], {}, [[]], [None], {"": None}, {"$step": 0}, "9999-12-31", "2026-02-30",
    "9999-12-31T23:59:59Z", "' OR 1=1 --", "{}", "{0.__class__}", "%s%n", "../../etc/passwd",
)  # fmt: skip
TEXTS = (
    "",
    " ",
    "a",
    "zzzz",
    "é",
    "E",
    "😀",
    "x" * 10_000,
    "\x00",
    "line\nline",
    "\u202e",
    "%",
    "%d",
)
INTEGERS = (0, 1, 1, 2, 2, 3, 5, 10, -1, 31, 100, 1000, 10**6, 10**9, 2**53, -(2**53))
AMOUNTS = (0, 0.01, 1, 5, 9.99, 20, 50, 100, 250.5, 1000, -1, -0.01, 0.005, 99999.99, 10**13 - 0.01)
NUMBERS = (0, 0.5, 1, 3, 4.5, -1, 1e-9, 1e15, 1e308)
DAYS = (-400, -30, -7, -2, -1, 0, 0, 1, 1, 2, 3, 5, 7, 14, 30, 90, 365, 4000)
EXTREME_DAYS = ("0001-01-01", "1970-01-01", "9999-12-31")

WILDNESS = 0.02
OMITTED = 0.5
FROM_EXAMPLE = 0.3


@dataclass(frozen=True)
class Near:
    """Values near the numbers and texts in a tool's code, and values always tried."""

    lengths: Sequence[int]
    integers: Sequence[int]
    amounts: Sequence[float]
    texts: Sequence[str]


@lru_cache(typed=True)
def _near(values: tuple[object, ...]) -> Near:
    integers = _beside(values, int)
    return Near(
        [n for n in integers if 0 < n <= 600],
        [*INTEGERS, *integers],
        [*AMOUNTS, *_beside(values, float)],
        [*TEXTS, *(value for value in values if isinstance(value, str))],
    )


class CaseArguments:
    """Makes arguments from values of the database."""

    def __init__(
        self,
        facts: SeenValues,
        clock: datetime,
        rng: random.Random,
        values: Sequence[object] = (),
        wildness: float = WILDNESS,
    ) -> None:
        """Take the sources of values.

        Args:
            facts: Values of rows and results.
            clock: The world clock.
            rng: The source of chance.
            values: Numbers and texts the code speaks of.
            wildness: How often a value is one that nobody would give.
        """
        self._wildness = wildness
        near = _near(tuple(values))
        self._lengths, self._integers = near.lengths, near.integers
        self._amounts, self._texts = near.amounts, near.texts
        self._facts = facts
        self._clock = clock
        self._rng = rng
        self._makers: dict[str, Callable[[Schema, str], Json]] = {
            "string": self._text,
            "integer": self._integer,
            "number": self._number,
            "boolean": lambda schema, name: rng.random() < 0.5,
            "array": self._array,
            "object": lambda schema, name: self.arguments(schema),
            "null": lambda schema, name: None,
        }

    def arguments(
        self, schema: Schema, examples: Sequence[Mapping[str, Json]] = ()
    ) -> dict[str, Json]:
        """Return arguments for an object schema, at times close to an example."""
        rng, required = self._rng, schema["required"]
        like = rng.choice(examples) if examples and rng.random() < FROM_EXAMPLE else {}
        made = {
            name: like[name] if name in like and rng.random() < 0.8 else self.value(part, name)
            for name, part in schema["properties"].items()
            if name in required or name in like or rng.random() > OMITTED
        }
        if made and rng.random() < self._wildness / 2:
            made.pop(rng.choice(list(made)))
        if rng.random() < self._wildness / 2:
            made[rng.choice(("nope", "db", "self", ""))] = rng.choice(WILD)
        return made

    def value(self, schema: Schema, name: str) -> Json:
        """Return a value for a schema, the parameter or field of this name."""
        rng = self._rng
        if rng.random() < self._wildness:
            return rng.choice(WILD)
        if "anyOf" in schema:
            arm = rng.choice(schema["anyOf"])
            return self.value({"description": schema.get("description", ""), **arm}, name)
        if "enum" in schema:
            return rng.choice(schema["enum"])
        if rng.random() < 0.85:
            known = self._facts.about(name, schema.get("description", ""))
            fitting = [value for value in known if _fits(value, schema["type"])]
            if fitting and rng.random() < 0.85:
                return fitting[min(int(rng.expovariate(0.3)), len(fitting) - 1)]
        return self._makers[schema["type"]](schema, name)

    def _text(self, schema: Schema, name: str) -> str:
        rng = self._rng
        if schema.get("format") == "date":
            return self._day()
        if schema.get("format") == "date-time":
            minutes = rng.choice((0, 0, 0, rng.randrange(-3000, 3000)))
            return f"{self._day()}T{(minutes // 60) % 24:02d}:{minutes % 60:02d}:00Z"
        if self._lengths and rng.random() < 0.15:
            return (rng.choice(self._facts.texts or ["x"]) * 200)[: rng.choice(self._lengths)]
        if self._facts.texts and rng.random() < 0.6:
            text = rng.choice(self._facts.texts)
            start = rng.randrange(len(text) + 1)
            return rng.choice((text, text.upper(), text[start : start + 5]))
        return rng.choice(self._texts)

    def _day(self) -> str:
        rng = self._rng
        if rng.random() < 0.05:
            return rng.choice(EXTREME_DAYS)
        return (self._clock + timedelta(days=rng.choice(DAYS))).date().isoformat()

    def _integer(self, schema: Schema, name: str) -> int:
        low, high = schema.get("minimum"), schema.get("maximum")
        if low is not None and high is not None and self._rng.random() < 0.8:
            return self._rng.choice((low, high, self._rng.randint(low, high)))
        return self._rng.choice(self._integers)

    def _number(self, schema: Schema, name: str) -> float:
        return self._rng.choice(self._amounts if self._rng.random() < 0.9 else NUMBERS)

    def _array(self, schema: Schema, name: str) -> list[Json]:
        rng = self._rng
        size = rng.choice((0, 1, 1, 1, 2, 2, 3)) if rng.random() < 0.98 else 60
        singular = name.removesuffix("s")
        return [self.value(schema["items"], singular) for _ in range(size)]


def _beside(values: Sequence[object], kind: type[int] | type[float]) -> list[Json]:
    """Return numbers among plain values and their neighbours."""
    numbers = [value for value in values if type(value) in (int, float)]
    numbers += [float(value) for value in values if _is_decimal(value)]  # type: ignore[arg-type]
    steps = (0, 1, -1) if kind is int else (0, 0.01, -0.01)
    return [kind(round(number + step, 2)) for number in numbers for step in steps]  # type: ignore[operator]


def _is_decimal(value: object) -> bool:
    return isinstance(value, str) and value.replace(".", "", 1).isdecimal()


def _fits(value: Json, kind: str) -> bool:
    wanted: dict[str, tuple[type, ...]] = {
        "string": (str,),
        "integer": (int,),
        "number": (int, float),
        "boolean": (bool,),
    }
    return isinstance(value, wanted.get(kind, ())) and (
        isinstance(value, bool) == (kind == "boolean")
    )
