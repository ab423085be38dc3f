"""Whether a person's description of a row fits no other row of the start state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from toolworld.packages import Package

Told = Any
"""A fact that describes a row, as the package has it: value, table, key and path."""


class WordIndex:
    """Some texts by the words that are in them."""

    def __init__(self, values: Iterable[object], language: Any) -> None:
        """Read the texts among some values once.

        Args:
            values: The values.
            language: The package's module that says what words a name has.
        """
        self._needed_words = language.needed_words
        self._texts = frozenset(value for value in values if isinstance(value, str))
        self._by_word: dict[str, set[str]] = defaultdict(set)
        for text in self._texts:
            for word in language.words(text):
                self._by_word[word].add(text)

    def that_fit(self, said: str) -> frozenset[str]:
        """Return the texts that have each word of a name."""
        found = [self._by_word.get(word, set()) for word in self._needed_words(said)]
        return self._texts.intersection(*sorted(found, key=len))


class Uniqueness:
    """Looks for other rows that fit a description, in indexes and in an episode's own rows."""

    def __init__(self, package: Package) -> None:
        """Take a package."""
        self._schemas = package.modules.models.SCHEMAS
        self._language = package.modules.language
        self._values_at = package.modules.schema.values_at
        self._leaves = package.modules.past.leaves
        self._base = package.modules.seed.default_base
        self._word_indexes: dict[tuple[str, tuple[str, ...]], WordIndex] = {}

    def other(self, database: Any, told: Iterable[Told]) -> str:
        """Return another row that fits the whole description; empty if there is none.

        Args:
            database: The start state, with everything laid over it.
            told: The facts that describe rows.
        """
        by_row: dict[tuple[str, str], list[Told]] = {}
        for fact in told:
            by_row.setdefault((fact.table, fact.key), []).append(fact)
        for (table, key), facts in by_row.items():
            for row in self._fitting(database, table, key, facts, by_row):
                found = getattr(row, self._schemas[table].key)
                if found != key:
                    said = ", ".join(f"{'.'.join(one.path)} = {one.value}" for one in facts)
                    return f'{table} "{found}" fits {said} as well as "{key}" does'
        return ""

    def is_taken(self, text: str, database: Any = None) -> bool:
        """Return whether a text occurs in a row of the seed data or of the task's patch."""
        tables = database.tables.values() if database is not None else ()
        wanted = text.casefold()
        return wanted in self._texts or wanted in self._texts_in(one.changes for one in tables)

    @cached_property
    def _texts(self) -> frozenset[str]:
        return self._texts_in(table.rows for table in self._base().tables.values())

    def _texts_in(self, tables: Iterable[Mapping[str, Any]]) -> frozenset[str]:
        rows = [row.model_dump() for table in tables for row in table.values() if row is not None]
        return frozenset(str(one).casefold() for one in self._leaves(rows))

    def _fitting(
        self,
        database: Any,
        table: str,
        key: str,
        facts: list[Told],
        meant: Mapping[tuple[str, str], list[Told]],
    ) -> Iterator[Any]:
        row = database.tables[table].find(key)
        owners = dict(self._owners(table, row, meant))
        for other in self._candidates(database, table, facts, owners):
            if all(getattr(other, column) == owner for column, owner in owners.items()):
                if all(self._holds(other, fact) for fact in facts):
                    yield other

    def _owners(
        self, table: str, row: Any, meant: Mapping[tuple[str, str], list[Told]]
    ) -> Iterator[tuple[str, str]]:
        """Yield the columns of a row that name other rows the person means."""
        for reference in self._schemas[table].references:
            if len(reference.path) == 1:
                value = getattr(row, reference.path[0])
                if (reference.table, value) in meant:
                    yield reference.path[0], value

    def _candidates(
        self, database: Any, table: str, facts: list[Told], owners: Mapping[str, str]
    ) -> Iterable[Any]:
        rows = database.tables[table]
        if owners:
            found: Iterable[Any] = rows.where(**dict(list(owners.items())[:1]))
            return found
        return self._by_index(rows, facts)

    def _by_index(self, rows: Any, facts: list[Told]) -> Iterator[Any]:
        """Yield the rows that fit the fact that the fewest fit, and all changed ones."""
        pools = (self._pool(rows.base, fact) for fact in facts)
        key = rows.schema.key
        for row in min(pools, key=len):
            if getattr(row, key) not in rows.changes:
                yield row
        yield from (row for row in rows.changes.values() if row is not None)

    def _pool(self, base: Any, fact: Told) -> list[Any]:
        """Return the rows of the base that fit a fact."""
        index = base.index(fact.path)
        values = self._texts_at(base, fact.path).that_fit(str(fact.value)) | {fact.value}
        return [row for value in sorted(values, key=str) for row in index.get(value, ())]

    def _texts_at(self, base: Any, path: tuple[str, ...]) -> WordIndex:
        place = base.schema.name, path
        if place not in self._word_indexes:
            self._word_indexes[place] = WordIndex(base.index(path), self._language)
        return self._word_indexes[place]

    def _holds(self, row: Any, fact: Told) -> bool:
        for value in self._values_at(row, fact.path):
            if value == fact.value:
                return True
            if isinstance(value, str) and self._language.fits(str(fact.value), value):
                return True
        return False
