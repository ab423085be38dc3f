"""What is known of a database: its rows, who names whom, and values by their names."""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

Json = Any
Row = Mapping[str, Json]

MINTED = re.compile(r"\b([A-Z]{2,5})-\d{5,}\b")
MOST_KEPT = 40
NEIGHBOURS = 6
MOST_NEAR = 40
HOPS = 2
PLAIN = frozenset({str, int, float, bool})


def leaves(value: Json, name: str = "") -> list[tuple[str, Json]]:
    """Return each plain value in a JSON value with the nearest name above it."""
    found: list[tuple[str, Json]] = []
    _gather(value, name, found)
    return found


def _gather(value: Json, name: str, found: list[tuple[str, Json]]) -> None:
    # One list for all depths: nothing is called more often, and generators would be slower.
    if isinstance(value, dict):
        for pair in value.items():
            part = pair[1]
            if part.__class__ in PLAIN:  # most by far, found fastest
                found.append(pair)
            elif part is not None:
                _gather(part, pair[0], found)
    elif isinstance(value, list):
        for part in value:
            _gather(part, name, found)
    elif value is not None:
        found.append((name, value))


class SeedRows:
    """The rows of a package's start state, indexed by the rows they name.

    Attributes:
        tables: Rows by table and key.
        table_of: The table of each key.
        key_of: The name of each table's key column.
        target_of: The table that a table's column names rows of.
        refers: The tables and columns that name rows of a table.
    """

    def __init__(
        self,
        state: Mapping[str, Mapping[str, Row]],
        references: Iterable[tuple[str, str, str]] = (),
        unique: Iterable[tuple[str, str]] = (),
    ) -> None:
        """Look through a state once.

        Args:
            state: All rows.
            references: Tables, columns and the tables they name, used or not.
            unique: Tables and columns whose values name a row as well as its key does.
        """
        self.tables = {table: dict(rows) for table, rows in state.items()}
        self.rows = [list(rows.values()) for rows in state.values() if rows]
        self.table_of = {key: table for table, rows in state.items() for key in rows}
        self.key_of = {
            table: next(name for name, value in row.items() if value == key)
            for table, rows in state.items()
            for key, row in list(rows.items())[:1]
        }
        self._naming: dict[str, list[tuple[str, str]]] = {}
        self.refers: dict[str, list[tuple[str, str]]] = {}
        self.target_of: dict[tuple[str, str], str] = {}
        self._key_by: dict[Json, str] = {
            row[column]: key
            for table, column in unique
            for key, row in state[table].items()
            if isinstance(row[column], str)
        }
        for table, column, target in references:
            self.target_of[table, column] = target
            self.refers.setdefault(target, []).append((table, column))
        for table, rows in state.items():
            for key, row in rows.items():
                for name, value in leaves(row):
                    if isinstance(value, str) and value != key and value in self.table_of:
                        self._naming.setdefault(value, []).append((table, key))
                        columns = self.refers.setdefault(self.table_of[value], [])
                        if name in row and (table, name) not in columns:
                            columns.append((table, name))

    def around(self, rng: random.Random) -> list[Row]:
        """Return a random row and some rows that share a reference with it."""
        row = rng.choice(rng.choice(self.rows))
        near = [row]
        for _, value in leaves(row):
            if isinstance(value, str) and value in self.table_of:
                pairs = self._naming.get(value, [])
                pairs = rng.sample(pairs, min(NEIGHBOURS, len(pairs)))
                near += [self.tables[table][key] for table, key in pairs]
                near.append(self.tables[self.table_of[value]][value])
        return near

    def row_of(self, table: str, rng: random.Random) -> Row:
        """Return any row of a table."""
        return rng.choice(list(self.tables[table].values()))

    def values_of(self, table: str, column: str) -> set[str]:
        """Return the texts that stand in a column."""
        values = (row[column] for row in self.tables[table].values())
        return {value for value in values if isinstance(value, str)}

    def named(
        self, values: Collection[str], patch: Mapping[str, Mapping[str, Json]]
    ) -> list[tuple[str, str, Json]]:
        """Return the rows with these keys or unique values, with a patch applied."""
        found = []
        for value in sorted({*values, *(self._key_by.get(value, value) for value in values)}):
            for table, rows in patch.items():
                if rows.get(value) is not None and table in self.key_of:
                    found.append((table, value, rows[value]))
            table = self.table_of.get(value, "")
            if table and value not in patch.get(table, {}):
                found.append((table, value, self.tables[table][value]))
        return found

    def neighbours(self, patch: Mapping[str, Mapping[str, Json]]) -> dict[str, dict[str, Json]]:
        """Return the rows that patched rows name, and those that name them.

        Put under the patch they are checked with it: a rule of theirs may be what it breaks.
        """
        touched = {key for rows in patch.values() for key in rows}
        near = set(touched)
        for _ in range(HOPS):
            rows = self.named(sorted(near), patch)
            near |= {value for *_, row in rows for _, value in leaves(row) if value in self}
            near |= {
                key for one in sorted(near) for _, key in self._naming.get(one, [])[:MOST_NEAR]
            }
        found: dict[str, dict[str, Json]] = {}
        for key in sorted(near - touched):
            table = self.table_of[key]
            found.setdefault(table, {})[key] = self.tables[table][key]
        return found

    def __contains__(self, key: object) -> bool:
        """Return whether a seed row has this key."""
        return isinstance(key, str) and key in self.table_of

    def naming(self, keys: Iterable[str], rng: random.Random) -> list[tuple[str, str, Json]]:
        """Return some rows that name these keys."""
        found = []
        for key in keys:
            pairs = self._naming.get(key, [])
            pairs = rng.sample(pairs, min(NEIGHBOURS, len(pairs)))
            found += [(table, other, self.tables[table][other]) for table, other in pairs]
        return found


class SeenValues:
    """Values that an agent could have seen, the latest first.

    Far more is learned than is asked for, so it is put in order only when it is asked for.
    """

    def __init__(self) -> None:
        """Start with none."""
        self._by_name: dict[str, list[Json]] = {}
        self._texts: list[str] = []
        self._latest: dict[tuple[str, str], list[Json]] = {}

    def learn(self, value: Json) -> None:
        """Take in a row or a result."""
        self._latest.clear()
        by_name, texts = self._by_name, self._texts
        for name, leaf in leaves(value):
            if name in by_name:
                by_name[name].append(leaf)
            else:
                by_name[name] = [leaf]
            if isinstance(leaf, str):
                texts.append(leaf)

    @property
    def texts(self) -> list[str]:
        """The texts, whatever their names."""
        return self._kept("text", "", self._texts)

    @property
    def numbers(self) -> list[Json]:
        """Every number, whatever its name."""
        return [
            value
            for name in self._by_name
            for value in self._named(name)
            if type(value) in (int, float)
        ]

    def about(self, name: str, description: str) -> list[Json]:
        """Return values that fit a parameter by its name, or by an example in its description."""
        prefix = MINTED.search(description)
        minted = self._minted(prefix[1]) if prefix else []
        if minted:
            return minted
        if name in self._by_name:
            return self._named(name)
        ending = [known for known in self._by_name if name.endswith(f"_{known}")]
        return self._named(max(ending, key=len)) if ending else []

    def _named(self, name: str) -> list[Json]:
        return self._kept("name", name, self._by_name[name])

    def _minted(self, prefix: str) -> list[Json]:
        start = f"{prefix}-"
        texts = (text for text in self._texts if text.startswith(start) and MINTED.fullmatch(text))
        return self._kept("prefix", prefix, texts)

    def _kept(self, kind: str, name: str, values: Iterable[Json]) -> list[Json]:
        """Return the latest of some values, each once."""
        latest = self._latest.get((kind, name))
        if latest is None:
            latest = list(dict.fromkeys(reversed([*values])))[:MOST_KEPT]
            self._latest[kind, name] = latest
        return latest
