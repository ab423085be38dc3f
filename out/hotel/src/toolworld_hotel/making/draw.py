"""Drawing a situation: picks rows, or changes the data, in an episode of its own."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NoReturn, TypeVar

from ..calls.results import result_of
from ..database.seed import default_base
from ..environment import Environment
from ..person.answers import words
from ..tasks.task import WorldChange
from ..values import Row
from .facts import TABLES
from .language import Redraw, fits

ItemT = TypeVar("ItemT")

MOST_PICKS = 300
"""The most rows tried to find one; a bound that does not grow with the table."""


class Draw:
    """The random choices of one situation, and the changes it makes to the data.

    Attributes:
        changes: Changes of the world that happen later in the episode.
        turns: The cells to change for a twin: table, key, column and new value.
    """

    def __init__(self, environment: Environment, rng: random.Random) -> None:
        """Draw in an environment that is open at the seed database."""
        self._environment = environment
        self._rng = rng
        self.changes: list[WorldChange] = []
        self.turns: list[tuple[str, str, str, Any]] = []

    def one(self, items: Iterable[ItemT]) -> ItemT:
        """Return a random item; redraw the situation if there is none."""
        found = list(items)
        if not found:
            self._redraw("there is nothing to draw from")
        return self._rng.choice(found)

    def some(self, items: Iterable[ItemT], count: int) -> list[ItemT]:
        """Return ``count`` random items in their order; redraw if there are too few."""
        found = list(items)
        if len(found) < count:
            self._redraw(f"there are {len(found)} to draw {count} from")
        places = sorted(self._rng.sample(range(len(found)), count))
        return [found[place] for place in places]

    def chance(self, share: float) -> bool:
        """Return True in this share of cases."""
        return self._rng.random() < share

    def integer(self, least: int, most: int) -> int:
        """Return a random whole number between two, both included."""
        return self._rng.randint(least, most)

    def need(self, condition: object) -> None:
        """Redraw the situation unless a condition holds."""
        if not condition:
            self._redraw("a condition does not hold")

    def row(self, table: str, /, **equal: Any) -> Any:
        """Return a random row whose columns have these values; a tuple allows any value in it.

        Redraws the situation if ``MOST_PICKS`` picks find none.
        """
        keys, rows = keys_of(table), self._environment._database.tables[table]
        for _ in range(MOST_PICKS):
            row = rows.find(self._rng.choice(keys)) if keys else None
            if row is not None and _matches(row, equal):
                return row
        self._redraw(f"no row of {table} fits")

    def name(self, text: str, among: Iterable[str] = ()) -> str:
        """Return a short name that fits one thing and none of the others.

        Args:
            text: The whole name, such as ``Juniper Backpack (burgundy, 60 L)``.
            among: The whole names of all things, this one included.
        """
        others = [other for other in among if other != text]
        good = [short for short in short_names(text) if not any(fits(short, o) for o in others)]
        return self._rng.choice(good[:2] or [text])

    def call(self, tool: str, /, **arguments: Any) -> Any:
        """Call a tool on the data of the situation; redraw if the tool refuses."""
        database = self._environment._database
        database.commit()
        result = self._environment.call(tool, as_json(arguments))
        if result.is_error:
            self._redraw(f"{tool} refuses: {result.text[:200]}")
        return result_of(tool, result.text)

    def later(
        self, row: Row, /, after_writes: int = 0, after_act: str = "", **columns: Any
    ) -> None:
        """Change columns of a row later in the episode, as if someone else did it.

        Args:
            row: The row.
            after_writes: How many of the agent's calls must have changed something by then.
            after_act: The act of the person after which it happens, such as ``agrees``.
            columns: The new values.
        """
        schema = TABLES[type(row)]
        change = WorldChange(
            table=schema.name,
            key=getattr(row, schema.key),
            columns=as_json(columns),
            after_writes=after_writes,
            after_act=after_act,
        )
        self.changes.append(change)

    def turn(self, row: Row, /, **columns: Any) -> None:
        """Name cells of a row that may change, one at a time, to make a twin.

        Args:
            row: The row, as it is at the start.
            columns: The new value of each cell. The tools must be able to reach that state, and the
                same wish must end otherwise in it.
        """
        schema = TABLES[type(row)]
        key = getattr(row, schema.key)
        self.turns += [(schema.name, key, column, value) for column, value in columns.items()]

    def _redraw(self, reason: str) -> NoReturn:
        raise Redraw(reason)


@cache
def keys_of(table: str) -> Sequence[str]:
    """Return the keys of a table's seed rows, in order."""
    return list(default_base().tables[table].rows)


def short_names(text: str) -> list[str]:
    """Return ways to name a thing, the shortest first.

    ``Juniper Backpack (burgundy, 60 L)`` is a backpack, a Juniper Backpack, a burgundy backpack.
    """
    plain, _, options = text.rstrip(")").partition(" (")
    parts = plain.split()
    short = " ".join(parts[1:]).lower() or plain
    forms = [short, plain]
    for option in options.split(", ") if options else []:
        forms += [f"{option} {short}" if words(option)[:1] != words(short)[:1] else short]
        forms += [f"{plain} in {option}"]
    return [*dict.fromkeys(forms), text]


def as_json(value: Any) -> Any:
    """Return a value in the JSON form that a caller of tools would write."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if isinstance(value, dict):
        return {name: as_json(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(part) for part in value]
    if hasattr(value, "quantize"):
        return float(value)
    if hasattr(value, "tzinfo"):
        return value.isoformat().replace("+00:00", "Z")
    return value.isoformat() if hasattr(value, "isoformat") else value


def _matches(row: Any, equal: dict[str, Any]) -> bool:
    return all(
        getattr(row, column) in value
        if isinstance(value, tuple | set | frozenset | list)
        else getattr(row, column) == value
        for column, value in equal.items()
    )
