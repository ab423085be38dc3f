"""Rows that the instruction does not tell apart from the ones gold goes on with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from toolworld.graph.values import at
from toolworld.prove.facts import leaves
from toolworld.tasks.certificate.arguments import leaves_of, references, replaced
from toolworld.tasks.certificate.knowable import is_choice
from toolworld.tasks.certificate.paths import Path, found_at, path_of, places_of
from toolworld.tasks.certificate.reasons import Reason
from toolworld.tasks.certificate.telling import Telling, Values, by_name
from toolworld.tasks.certificate.track import Ending, Step, Track
from toolworld.tasks.certificate.verdict import Flaw, Settings, Tally
from toolworld.tasks.certificate.words import Said
from toolworld.tasks.rows import Row

Json = Any

HOPS = 2
NOTHING = frozenset[Json]()
SMALL = 31
"""Whole numbers up to here stand anywhere by chance, so they do not show whose answer it is."""


@dataclass(frozen=True)
class Pick:
    """One item of a list in a look-up's result that gold goes on with, or answers from.

    Attributes:
        place: Where the list stands in the result.
        number: Which item it is.
        foreign: Where in the item the id stands, if it is taken for the sake of the row it names:
            then that row is meant, and not the item.
        apart: The foreign ids that gold takes from the list besides.
        used: All items of the list of which gold takes the same.
    """

    step: Step
    place: Path
    number: int
    foreign: Path
    apart: frozenset[Path]
    used: frozenset[int]

    @cached_property
    def items(self) -> list[Json]:
        """The whole list."""
        return list(found_at(self.step.result, self.place))

    @cached_property
    def chosen(self) -> Json:
        """The item itself."""
        return self.items[self.number]

    def instead(self, other: Row) -> Row:
        """Return the look-up's result with another row in the place of the one meant."""
        if self.foreign:
            item: Row = replaced(self.chosen, self.foreign, found_at(other, self.foreign))
        else:
            item = dict(other)
            for path in self.apart:
                item = replaced(item, path, found_at(self.chosen, path))
        result: Row = replaced(dict(self.step.result), (*self.place, self.number), item)
        return result


class LookAlikes:
    """Rows that gold's could be taken for, going by what the instruction says."""

    def __init__(self, track: Track, said: Said) -> None:
        """Take gold as it ran, and what the person says."""
        self._track, self._said = track, said
        self._facts = track.facts
        self._patch: Mapping[str, Mapping[str, Json]] = track.task.get("initial", {})
        self._shown = {
            answer
            for answer in track.task["goal"]["answers"]
            if _telling(answer) and any(answer in step.values for step in track.steps)
        }
        self._telling = Telling(track.facts, said, track.task)
        self._shown_elsewhere: dict[int, frozenset[Json]] = {}

    def check(self, settings: Settings, tally: Tally) -> None:
        """Go on with look-alikes instead of the rows gold goes on with.

        Raises:
            Flaw: Gold succeeds with one of them and leads elsewhere.
        """
        for pick in self._picks():
            for other in islice(self._alike(pick), settings.lookalikes):
                tally.count("ambiguity", "look-alikes")
                taken = self._track.taken(pick.step.index, pick.instead(other))
                if taken is not None and self._leads_elsewhere(*taken):
                    raise Flaw(
                        Reason.LOOKALIKE,
                        f"{pick.step}: the one with {_short(other)} fits what is said as well as "
                        f"the one with {_short(pick.chosen)}",
                    )

    def _leads_elsewhere(self, ending: Ending, results: Sequence[Row]) -> bool:
        """Whether a sequence misses the goal, or no longer shows an answer that gold shows."""
        shown = {value for result in results for _, value in leaves(dict(result))}
        return ending.reward < 1.0 or not self._shown <= shown

    def _picks(self) -> Iterator[Pick]:
        used: dict[tuple[int, Path], dict[Path, dict[int, None]]] = {}
        for index, path in (*self._referred(), *self._answered()):
            for depth, part in enumerate(path):
                if isinstance(part, int):
                    foreign = self._foreign(index, path[:depth], path[depth + 1 :])
                    groups = used.setdefault((index, path[:depth]), {})
                    groups.setdefault(foreign, {})[part] = None
        for (index, place), groups in used.items():
            for foreign, numbers in groups.items():
                apart, step = frozenset(groups) - {(), foreign}, self._track.steps[index]
                for number in numbers:
                    yield Pick(step, place, number, foreign, apart, frozenset(numbers))

    def _foreign(self, index: int, place: Path, tail: Path) -> Path:
        """Return a value's place in an item, if it is the id of another row than the item is."""
        step = self._track.steps[index]
        named = step.tool.result_ids.get(_way((*place, 0, *tail)), step.tool.result)
        return tail if self._lists_rows(step, place) and named != step.tool.result else ()

    def _lists_rows(self, step: Step, place: Path) -> bool:
        """Whether the items of a list are rows, not parts of one or made up for the result."""
        return place == ("items",) and step.tool.result in self._facts.surface.entities

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
                if wanted in step.values
                for place in places_of(step.result, wanted)
            ]
            if len(places) == 1 and not self._is_of_all(*places[0]):
                yield places[0]

    def _is_of_all(self, index: int, path: Path) -> bool:
        """Whether a value is the highest or lowest of a whole list, and such was asked for."""
        if path[:1] != ("items",) or len(path) < 3 or not self._telling.ranks_columns:
            return False
        result = self._track.steps[index].result
        column = [found_at(item, path[2:]) for item in result["items"]]
        value = found_at(result, path)
        same = [one for one in column if type(one) is type(value)]
        return value in (min(same), max(same))

    def _alike(self, pick: Pick) -> Iterator[Json]:
        """Yield the items that the instruction does not tell from the one gold goes on with."""
        if not isinstance(pick.chosen, Mapping):
            return
        taken = [self._meant(pick, pick.items[number]) for number in pick.used]
        others = [one for one in self._items(pick) if self._meant(pick, one) not in taken]
        if self._telling.ranks and any(
            _extreme(row, [*others, *(pick.items[number] for number in pick.used)]) for row in taken
        ):
            return
        row, elsewhere = self._meant(pick, pick.chosen), self._elsewhere(pick.step.index)
        meant, near = [by_name(row)], self._rows_near(pick, pick.chosen)
        if pick.foreign or not self._lists_rows(pick.step, pick.place):
            meant = near  # a part is what it is made of, and an id leads to what is described
        told = self._telling.told(meant, near)
        for other in others:
            that = self._meant(pick, other)
            joined = self._key(pick, row) in elsewhere and self._key(pick, that) not in elsewhere
            if not joined and not self._telling.apart(told, self._told_by(pick, other, that)):
                yield other

    def _told_by(self, pick: Pick, item: Row, meant: Row) -> list[Values]:
        """Return the values of an item, of the row that is meant by it and of those it names."""
        near = self._rows_near(pick, item)
        return near if meant is item else [by_name(meant), *near]

    def _meant(self, pick: Pick, item: Row) -> Row:
        """Return the row that is meant: the item, or what its foreign id names."""
        if not pick.foreign:
            return item
        entity = pick.step.tool.result_ids[_way((*pick.place, 0, *pick.foreign))]
        row = self._facts.row_of(entity, found_at(item, pick.foreign), self._patch)
        return item if row is None else row

    def _key(self, pick: Pick, row: Row) -> Json:
        """Return the key of the row that is meant."""
        way = (*pick.place, 0, *pick.foreign)
        named = pick.step.tool.result_ids.get(_way(way)) if pick.foreign else None
        entity = self._facts.surface.entities.get(named or pick.step.tool.result)
        return row.get(entity.key) if entity is not None else None

    def _elsewhere(self, index: int) -> frozenset[Json]:
        """Return what look-ups show that do not go on from this one: they may tell rows apart."""
        if index not in self._shown_elsewhere:
            after = {index}
            for step in self._track.steps:
                if step.feeds_on & after:
                    after.add(step.index)
            others = [step.values for step in self._track.steps if step.index not in after]
            self._shown_elsewhere[index] = NOTHING.union(*others)
        return self._shown_elsewhere[index]

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
        self._track.episode.go(step.before)
        result = self._track.call(step.tool.name, wide)
        more = found_at(result.structured, pick.place) or []
        return [*pick.items, *(item for item in more if item not in pick.items)]

    def _rows_near(self, pick: Pick, item: Row) -> list[Values]:
        """Return the values of an item, of the rows it names, and of those they name."""
        near, seen = [by_name(item)], set[tuple[str, str]]()
        edge = [(entity, key) for way, entity in self._ids(pick) for key in at(item, way)]
        for _ in range(HOPS):
            places = [place for place in dict.fromkeys(edge) if place not in seen]
            seen.update(places)
            edge = []
            for entity, key in places:
                row = self._facts.row_of(entity, key, self._patch)
                if row is not None:
                    lesson = self._facts.world.lesson(entity, row)
                    near.append(lesson.values)
                    edge += lesson.named
        return near

    def _ids(self, pick: Pick) -> Iterator[tuple[str, str]]:
        """Yield where in an item ids stand, and what they name."""
        start = _way((*pick.place, 0)) + "."
        for way, entity in pick.step.tool.result_ids.items():
            if way.startswith(start):
                yield way.removeprefix(start), entity


def _way(path: Path) -> str:
    """Return a path as effects spell it."""
    return ".".join("*" if isinstance(part, int) else part for part in path)


def _telling(answer: Json) -> bool:
    return not isinstance(answer, int) or answer > SMALL


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
