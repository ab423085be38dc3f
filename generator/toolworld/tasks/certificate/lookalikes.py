"""Rows that the instruction does not tell apart from the ones gold goes on with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from toolworld.graph.knowledge import names_in
from toolworld.graph.values import at
from toolworld.prove.facts import leaves
from toolworld.tasks.certificate.arguments import leaves_of, references, replaced
from toolworld.tasks.certificate.knowable import is_choice
from toolworld.tasks.certificate.paths import Path, found_at, path_of, places_of
from toolworld.tasks.certificate.reasons import Reason
from toolworld.tasks.certificate.track import Ending, Step, Track
from toolworld.tasks.certificate.verdict import Flaw, Settings, Tally
from toolworld.tasks.certificate.words import Said

Json = Any
Row = Mapping[str, Json]

SUPERLATIVE = re.compile(
    r"\b(?:first|last|least|most|next|best|worst|recent(?:ly)?|[a-z]{3,}est)\b", re.IGNORECASE
)
NO_SUPERLATIVES = frozenset(
    "forest guest honest interest invest modest protest request rest suggest test west".split()
)
HOPS = 2
SMALL = 31
"""Whole numbers up to here stand anywhere by chance, so they do not show whose answer it is."""


@dataclass(frozen=True)
class Pick:
    """One item of a list in a look-up's result that gold goes on with, or answers from.

    Attributes:
        place: Where the list stands in the result.
        number: Which item it is.
        used: All items of the list that gold goes on with.
    """

    step: Step
    place: Path
    number: int
    used: frozenset[int]

    @property
    def items(self) -> list[Json]:
        """The whole list."""
        return list(found_at(self.step.result, self.place))

    @property
    def chosen(self) -> Json:
        """The item itself."""
        return self.items[self.number]


class LookAlikes:
    """Rows that gold's could be taken for, going by what the instruction says."""

    def __init__(self, track: Track, said: Said) -> None:
        """Take gold as it ran, and what the person says."""
        self._track, self._said = track, said
        self._facts = track.facts
        self._patch: Mapping[str, Mapping[str, Json]] = track.task.get("initial", {})
        self._shown = set(_values(step.result for step in track.steps)).intersection(
            answer for answer in track.task["goal"]["answers"] if _telling(answer)
        )
        words = (word.lower() for word in SUPERLATIVE.findall(said.whole))
        self._ranked = any(word not in NO_SUPERLATIVES for word in words)

    def check(self, settings: Settings, tally: Tally) -> None:
        """Go on with look-alikes instead of the rows gold goes on with.

        Raises:
            Flaw: Gold succeeds with one of them and leads elsewhere.
        """
        for pick in self._picks():
            for other in islice(self._alike(pick), settings.lookalikes):
                tally.count("ambiguity", "look-alikes")
                result = replaced(dict(pick.step.result), (*pick.place, pick.number), other)
                taken = self._track.taken(pick.step.index, result)
                if taken is not None and self._leads_elsewhere(*taken):
                    raise Flaw(
                        Reason.LOOKALIKE,
                        f"{pick.step}: the one with {_short(other)} fits what is said as well as "
                        f"the one with {_short(pick.chosen)}",
                    )

    def _leads_elsewhere(self, ending: Ending, results: Sequence[Row]) -> bool:
        """Whether a sequence misses the goal, or no longer shows an answer that gold shows."""
        return ending.reward < 1.0 or not self._shown <= set(_values(results))

    def _picks(self) -> Iterator[Pick]:
        used: dict[tuple[int, Path], dict[int, None]] = {}
        for index, path in (*self._referred(), *self._answered()):
            for number, part in enumerate(path):
                if isinstance(part, int):
                    used.setdefault((index, path[:number]), {})[part] = None
        for (index, place), numbers in used.items():
            for number in numbers:
                yield Pick(self._track.steps[index], place, number, frozenset(numbers))

    def _referred(self) -> Iterator[tuple[int, Path]]:
        """Yield where later steps take values from."""
        for step in self._track.steps:
            for reference in references(dict(step.given)):
                yield int(reference["$step"]), path_of(str(reference.get("path", "")))

    def _answered(self) -> Iterator[tuple[int, Path]]:
        """Yield where an answer stands, of those that stand in one place only."""
        for wanted in sorted(self._shown, key=str):
            places = [
                (step.index, place)
                for step in self._track.steps
                for place in places_of(step.result, wanted)
            ]
            if len(places) == 1:
                yield places[0]

    def _alike(self, pick: Pick) -> Iterator[Json]:
        """Yield the items that the instruction does not tell from the one gold goes on with."""
        if not isinstance(pick.chosen, Mapping):
            return
        taken = [pick.items[number] for number in pick.used]
        others = [item for item in self._items(pick) if item not in taken]
        if self._ranked and any(_extreme(one, [*others, *taken]) for one in taken):
            return
        told, elsewhere = self._told_of(pick, pick.chosen), self._elsewhere(pick)
        for other in others:
            mine, theirs = self._keys(pick, pick.chosen), self._keys(pick, other)
            joined = (mine - theirs) & elsewhere and not (theirs - mine) & elsewhere
            if told <= self._told_of(pick, other) and not joined:
                yield other

    def _keys(self, pick: Pick, item: Row) -> set[str]:
        entity = pick.step.tool.result
        return {key for way, named in self._ids(pick) if named == entity for key in at(item, way)}

    def _elsewhere(self, pick: Pick) -> set[Json]:
        """Return what look-ups show that do not go on from this one: they may tell rows apart."""
        after = {pick.step.index}
        for step in self._track.steps:
            if step.feeds_on & after:
                after.add(step.index)
        others = (step.result for step in self._track.steps if step.index not in after)
        return set(_values(others))

    def _items(self, pick: Pick) -> list[Json]:
        """Return the items of a look-up, without the filters that the instruction leaves open."""
        step = pick.step
        open_filters = {
            str(leaf.path[0])
            for leaf in leaves_of(step.tool, step.given)
            if is_choice(step, leaf) and not self._said.fixes(leaf)
        }
        left_out = {name for name in open_filters if not step.tool.parameters[name].required}
        if not left_out:
            return pick.items
        wide = {name: one for name, one in step.arguments.items() if name not in left_out}
        self._track.environment.restore(step.before)
        result = self._track.call(step.tool.name, wide)
        more = found_at(result.structured, pick.place) or []
        return [*pick.items, *(item for item in more if item not in pick.items)]

    def _told_of(self, pick: Pick, item: Row) -> frozenset[tuple[str, Json]]:
        """Return what the instruction says of an item, or of the rows it names."""
        return frozenset(
            (name, value)
            for row in self._rows_near(pick, item)
            for name, value in leaves(row)
            if self._said.tells(value)
        )

    def _rows_near(self, pick: Pick, item: Row) -> list[Row]:
        """Return an item with the rows it names, and those they name."""
        near, seen = [item], set[tuple[str, str]]()
        edge = [(entity, key) for way, entity in self._ids(pick) for key in at(item, way)]
        for _ in range(HOPS):
            places = [place for place in dict.fromkeys(edge) if place not in seen]
            seen.update(places)
            edge = []
            for entity, key in places:
                row = self._facts.rows_of(entity, self._patch).get(key)
                if row is not None:
                    near.append(row)
                    edge += names_in(self._facts.surface.entities[entity], row)
        return near

    def _ids(self, pick: Pick) -> Iterator[tuple[str, str]]:
        """Yield where in an item ids stand, and what they name."""
        start = ".".join([*map(str, pick.place), "*", ""])
        for way, entity in pick.step.tool.result_ids.items():
            if way.startswith(start):
                yield way.removeprefix(start), entity


def _telling(answer: Json) -> bool:
    return not isinstance(answer, int) or answer > SMALL


def _values(results: Iterator[Row] | Sequence[Row]) -> Iterator[Json]:
    return (value for result in results for _, value in leaves(dict(result)))


def _extreme(item: Json, items: Sequence[Json]) -> bool:
    """Whether an item is the first or last of all by anything that can be compared."""
    others = [one for one in items if one is not item and isinstance(one, Mapping)]
    for name, value in item.items():
        column: list[Json] = [one.get(name) for one in others]
        if column and isinstance(value, int | float | str):
            comparable = all(type(one) is type(value) for one in column)
            if comparable and (value < min(column) or value > max(column)):
                return True
    return False


def _short(row: Row) -> str:
    shown = [f"{name} {value}" for name, value in row.items() if not isinstance(value, list | dict)]
    return ", ".join(shown[:6])
