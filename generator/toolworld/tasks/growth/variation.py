"""What of a table's rows may be varied, so that a clone is another row than the first."""

from __future__ import annotations

import random
import re
from datetime import date
from functools import cached_property
from typing import Any

from toolworld.tasks.growth.start import Row, Worlds

Json = Any

DAY = re.compile(r"\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?")
CODE = re.compile(r"\S*\d\S*")


class Variation:
    """What of a table's rows may be varied."""

    def __init__(self, worlds: Worlds, table: str) -> None:
        """Take the table's columns and rules."""
        self._schema = worlds.schemas[table]
        self._rules = worlds.rules.get(table, ())
        self._named = {reference.path[0] for reference in self._schema.references}
        self._bound = {column for rule in self._rules for column in rule.columns}

    def apply(self, row: Row, rng: random.Random) -> Row:
        """Return a row with its codes, and unique texts, varied."""
        return {
            column: other_code(value, rng) if self._may_vary(column, value) else value
            for column, value in row.items()
        }

    def _may_vary(self, column: str, value: Json) -> bool:
        """Whether a value is a code that no other row and no rule looks at."""
        if not isinstance(value, str) or column == self._schema.key or column in self._named:
            return False
        if column in self._schema.unique:
            return not day_of(value)
        return column not in self._bound and bool(CODE.fullmatch(value)) and not day_of(value)

    @cached_property
    def groups(self) -> list[tuple[str, ...]]:
        """The columns that can be taken over from another row together, by themselves.

        Columns of one rule stay together; those of rules over other rows stay as they are.
        """
        fixed = {self._schema.key, *self._schema.unique, *self._named}
        groups = [{column} for column in self._schema.row.model_fields]
        for rule in self._rules:
            together = [group for group in groups if group & rule.columns]
            groups = [group for group in groups if group not in together]
            groups.append(set().union(*together))
            if rule.tables:
                fixed |= rule.columns
        return [tuple(sorted(group)) for group in groups if not group & fixed]


def day_of(value: Json) -> date | None:
    """Return the day a text stands for, as a date or a time; None for other values."""
    if isinstance(value, str) and value[4:5] == "-" and DAY.fullmatch(value):
        return date.fromisoformat(value[:10])
    return None


def other_code(code: str, rng: random.Random) -> str:
    """Return a code or an address with other digits, or with some if it had none."""
    if re.search(r"\d", code):
        return re.sub(r"\d", lambda found: _other_digit(found[0], rng), code)
    name, at, rest = code.partition("@")
    return f"{name}{'' if at else '-'}{rng.randrange(10, 100)}{at}{rest}"


def _other_digit(digit: str, rng: random.Random) -> str:
    # A leading or lone 0 often has a meaning, such as padding.
    return digit if digit == "0" else str(rng.randrange(1, 10))
