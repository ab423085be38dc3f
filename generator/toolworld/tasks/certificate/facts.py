"""What a certificate needs to know of a package, read once: tools, rows and who names whom."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from toolworld.emit import Package
from toolworld.graph.knowledge import World, names_in
from toolworld.graph.surface import Surface, ToolFacts, surface_of
from toolworld.tasks.certificate.goal import Columns
from toolworld.tasks.differences import Rows
from toolworld.tasks.rows import Place, Row

Json = Any

MOST_WORDS = 1 << 16
"""How many texts' words are kept."""
MINTED_NUMBER = re.compile(r"-\d{5}")


class Keys(Sequence[str]):
    """The keys of a table under a patch, none of them looked at before it is asked for."""

    def __init__(
        self, rows: Mapping[str, Row], keys: Sequence[str], changed: Mapping[str, Json]
    ) -> None:
        """Take the rows there are, their keys in order, and the patch."""
        if any(row is None for row in changed.values()):
            keys = [key for key in keys if changed.get(key, rows[key]) is not None]
        self._keys = keys
        self._new = [key for key, row in changed.items() if row is not None and key not in rows]

    def __len__(self) -> int:
        """How many there are."""
        return len(self._keys) + len(self._new)

    def __getitem__(self, number: Any) -> Any:
        """Return a key by its place, the new ones last."""
        old = len(self._keys)
        return self._keys[number] if number < old else self._new[number - old]


class Facts:
    """A package, read once for all its tasks.

    Attributes:
        surface: Its tools and entities.
        world: The rows it starts with.
        clock: The time there.
        answers: Its module that compares texts.
        words: The words of a text, folded.
        resolve: What replaces the references in a gold argument.
        checked: What reads a task, and refuses one that is none.
        columns: The columns that grading compares to the letter.
        errors: Its module of errors.
    """

    def __init__(self, package: Package) -> None:
        """Read a package.

        Raises:
            PackageLoadError: It was built before packages told their effects.
        """
        self.package = package
        self.surface: Surface = surface_of(package)
        base = package.module("seed").default_base()
        self.clock: datetime = base.clock
        self.world = World(self.surface, package.environment().state())
        self.answers = package.module("answers")
        self.words = lru_cache(MOST_WORDS)(self._split)
        self.columns = Columns(package)
        self.errors = package.module("errors")
        self.checked = package.module("environment").as_task
        self.resolve = package.module("task").resolve
        self.entity_of_table = {one.table: name for name, one in self.surface.entities.items()}
        self._naming = self._who_names_whom()
        self._minted_id = self._minted_pattern()
        self._base = base
        self._state_digest = package.module("digest").StateDigest

    def _split(self, text: str) -> tuple[str, ...]:
        return tuple(self.answers.words(text.replace("_", " ")))

    def digest_of(self, changed: Rows) -> str:
        """Return the digest of a state, from the rows that are not as in the database.

        An environment's own would take in all rows that it has been led over on the way.
        """
        tables, digest = self._base.tables, self._state_digest()
        digest.touch((table, key) for table, rows in changed.items() for key in rows)
        found = digest.over(
            self._base.digest,
            before=lambda table, key: tables[table].rows.get(key),
            now=lambda table, key: changed[table][key],
        )
        return str(found)

    def ids_in(self, text: str) -> list[str]:
        """Return what looks like an id in a text; most hold no number like theirs."""
        return self._minted_id.findall(text) if MINTED_NUMBER.search(text) else []

    def tool(self, name: str) -> ToolFacts:
        """Return what is known of a tool."""
        return self.surface.tools[name]

    def is_write(self, name: str) -> bool:
        """Whether a tool may change rows."""
        return not self.surface.tools[name].read_only

    def keys_of(self, entity: str, patch: Mapping[str, Mapping[str, Json]]) -> Keys:
        """Return the keys of an entity's rows under a task's patch."""
        changed = patch.get(self.surface.entities[entity].table, {})
        return Keys(self.world.rows[entity], self.world.keys[entity], changed)

    def row_of(self, entity: str, key: str, patch: Mapping[str, Mapping[str, Json]]) -> Row | None:
        """Return a row under a task's patch."""
        changed = patch.get(self.surface.entities[entity].table, {})
        return changed[key] if key in changed else self.world.rows[entity].get(key)

    def siblings(self, entity: str, row: Row) -> Iterator[str]:
        """Yield the keys of rows that name what a row names; the rarer what they share, first."""
        groups = [
            self._naming.get((entity, place), ())
            for place in names_in(self.surface.entities[entity], row)
        ]
        for group in sorted(groups, key=len):
            yield from group

    def _who_names_whom(self) -> dict[tuple[str, Place], list[str]]:
        naming: dict[tuple[str, Place], list[str]] = {}
        for name, rows in self.world.rows.items():
            for key, row in rows.items():
                for place in names_in(self.surface.entities[name], row):
                    naming.setdefault((name, place), []).append(key)
        return naming

    def _minted_pattern(self) -> re.Pattern[str]:
        schemas = self.package.module("models").SCHEMAS.values()
        prefixes = "|".join(re.escape(one.prefix) for one in schemas if one.prefix) or r"(?!)"
        return re.compile(rf"\b(?:{prefixes})-\d{{5,}}\b", re.IGNORECASE)
