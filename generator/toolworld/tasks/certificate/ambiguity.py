"""Ambiguity: the goal for less than gold, and rows that the instruction does not tell apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any

from toolworld.graph.knowledge import names_in
from toolworld.prove.facts import leaves
from toolworld.tasks.certificate.arguments import leaves_of, references, replaced
from toolworld.tasks.certificate.knowable import is_choice
from toolworld.tasks.certificate.track import Ending, Step, Track, described
from toolworld.tasks.certificate.verdict import Flaw, Mend, Settings, Tally
from toolworld.tasks.certificate.words import Said

Json = Any
Path = tuple[str | int, ...]

SUPERLATIVE = re.compile(
    r"\b(?:first|last|least|most|next|best|worst|recent(?:ly)?|[a-z]{3,}est)\b", re.IGNORECASE
)
NO_SUPERLATIVES = frozenset({"request", "interest", "rest", "guest", "test", "west", "forest"})


@dataclass(frozen=True)
class Pick:
    """One item of a list in a look-up's result that gold goes on with.

    Attributes:
        place: Where the list stands in the result.
        number: Which item it is.
        used: All items of the list that gold goes on with.
    """

    step: Step
    place: Path
    number: int
    used: frozenset[int]


class LookAlikes:
    """Rows that gold's could be taken for, going by what the instruction says."""

    def __init__(self, track: Track, said: Said) -> None:
        """Take gold as it ran, and what the person says."""
        self._track, self._said = track, said
        self._facts = track.facts
        self._patch: Mapping[str, Mapping[str, Json]] = track.task.get("initial", {})
        everything = {
            value for step in track.steps for _, value in leaves(dict(step.result))
        }
        self._shown = everything.intersection(track.task["goal"]["answers"])
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
                    chosen = _at(pick.step.result, pick.place)[pick.number]
                    raise Flaw(
                        "another row fits the instruction as well",
                        f"{pick.step}: {_short(other)} fits what is said as well as "
                        f"{_short(chosen)}",
                    )

    def _leads_elsewhere(self, ending: Ending, results: Sequence[Mapping[str, Json]]) -> bool:
        """Whether a sequence misses the goal, or no longer shows an answer that gold shows."""
        if ending.reward < 1.0:
            return True
        shown = {value for result in results for _, value in leaves(dict(result))}
        return not self._shown <= shown

    def _picks(self) -> Iterator[Pick]:
        used: dict[tuple[int, Path], dict[int, None]] = {}
        for step in self._track.steps:
            for reference in references(dict(step.given)):
                path = _path(str(reference.get("path", "")))
                for at, part in enumerate(path):
                    if isinstance(part, int):
                        place = (int(reference["$step"]), path[:at])
                        used.setdefault(place, {})[part] = None
        for (index, place), numbers in used.items():
            for number in numbers:
                yield Pick(self._track.steps[index], place, number, frozenset(numbers))

    def _alike(self, pick: Pick) -> Iterator[Json]:
        """Yield the items that the instruction does not tell from the one gold goes on with."""
        items = self._items(pick)
        listed = _at(pick.step.result, pick.place)
        chosen = listed[pick.number]
        if not isinstance(chosen, Mapping):
            return
        taken = [listed[number] for number in pick.used]
        others = [item for item in items if item not in taken]
        if self._ranked and any(_extreme(one, [*others, *taken]) for one in taken):
            return
        told = self._told_of(self._rows_near(pick, chosen))
        for other in others:
            if told <= self._told_of(self._rows_near(pick, other)):
                yield other

    def _items(self, pick: Pick) -> list[Json]:
        """Return the items of a look-up, without the filters that the instruction leaves open."""
        step = pick.step
        items = list(_at(step.result, pick.place))
        chosen = {
            str(leaf.path[0])
            for leaf in leaves_of(step.tool, step.given)
            if not isinstance(leaf.value, Mapping)
            and is_choice(step, leaf)
            and not self._said.says(leaf.value)
            and not (isinstance(leaf.value, bool) and self._said.hints(leaf.name))
        }
        optional = {name for name in chosen if not step.tool.parameters[name].required}
        if not optional:
            return items
        wide = {name: one for name, one in step.arguments.items() if name not in optional}
        self._track.environment.restore(step.before)
        result = self._track.call(step.tool.name, wide)
        more = [] if result.is_error else _at(result.structured, pick.place) or []
        return [*items, *(item for item in more if item not in items)]

    def _rows_near(self, pick: Pick, item: Mapping[str, Json]) -> list[Mapping[str, Json]]:
        """Return an item with the rows it names, and those they name."""
        near, seen = [item], set[tuple[str, str]]()
        start = ".".join([*(str(part) for part in pick.place), "*"]) + "."
        ids = {
            path.removeprefix(start): entity
            for path, entity in pick.step.tool.result_ids.items()
            if path.startswith(start)
        }
        edge = [
            (entity, value) for path, entity in ids.items() for value in _along(item, path.split("."))
        ]
        for _ in range(2):
            rows = []
            for entity, key in dict.fromkeys(edge):
                row = self._facts.rows_of(entity, self._patch).get(key)
                if row is not None and (entity, key) not in seen:
                    seen.add((entity, key))
                    rows.append((entity, row))
            near += [row for _, row in rows]
            edge = [one for entity, row in rows for one in self._named(entity, row)]
        return near

    def _named(self, entity: str, row: Mapping[str, Json]) -> list[tuple[str, str]]:
        return names_in(self._facts.surface.entities[entity], row)

    def _told_of(self, rows: list[Mapping[str, Json]]) -> frozenset[tuple[str, Json]]:
        """Return the values of some rows that the instruction says."""
        return frozenset(
            (name, value)
            for row in rows
            for name, value in _plain(row)
            if self._said.says(value)
        )


class Shorter:
    """The search for the goal with fewer writes than gold's."""

    def __init__(self, track: Track) -> None:
        """Take gold as it ran."""
        self._track = track

    def check(self, settings: Settings, tally: Tally) -> None:
        """Drop several writes at once, and try others in their place.

        Raises:
            Flaw: The goal is reached for less.
        """
        writes = [step.index for step in self._track.writes]
        sets = (one for size in range(2, len(writes)) for one in combinations(writes, size))
        for dropped in islice(sets, settings.subsets):
            tally.count("ambiguity", "fewer writes")
            if self._track.without(dropped).reward == 1.0:
                detail = ", ".join(str(self._track.steps[index]) for index in dropped)
                mend = Mend("mended: needless writes are left out", steps=dropped)
                raise Flaw("several writes are not needed", detail, mend)
        self._search(settings, tally)

    def _search(self, settings: Settings, tally: Tally) -> None:
        """Look for a shorter way breadth-first, through writes that touch only goal rows.

        Raises:
            Flaw: There is one.
        """
        track, left = self._track, settings.search
        wanted = _touched(track.task["goal"]["changes"])
        calls = list(self._calls(wanted))
        edge: list[tuple[Any, tuple[str, ...]]] = [(track.steps[0].before, ())]
        for _ in range(len(track.writes) - 1):
            following = []
            for moment, way in edge:
                for tool, arguments in calls:
                    if left <= 0:
                        return
                    left -= 1
                    tally.count("ambiguity", "calls of a shorter way")
                    track.environment.restore(moment)
                    if track.call(tool, arguments).is_error:
                        continue
                    here = (*way, described(tool, arguments))
                    changes = [change.as_json() for change in track.environment.diff()]
                    if not changes or not _touched(changes) <= wanted:
                        continue
                    if track.ending().reward == 1.0:
                        raise Flaw("the goal can be had for less", ", then ".join(here))
                    following.append((track.environment.snapshot(), here))
            edge = following

    def _calls(self, wanted: frozenset[tuple[str, str]]) -> Iterator[tuple[str, Mapping[str, Json]]]:
        """Yield calls of writes that touch the goal's tables, with values gold has."""
        track = self._track
        tables = {table for table, _ in wanted}
        values = self._values()
        given = [(step.tool.name, step.arguments) for step in track.writes]
        for name in track.task["tools"] or track.facts.surface.tools:
            tool = track.facts.tool(name)
            if not tool.changed_tables & tables or any(name == used for used, _ in given):
                continue
            required = [part for part in tool.parameters.values() if part.required]
            found = {part.name: values.get(part.ids.get(part.name) or part.name) for part in required}
            if all(value is not None for value in found.values()):
                yield name, found
        yield from given

    def _values(self) -> dict[str, Json]:
        """Return the values gold gives, by the entity they name or the name they stand under."""
        values: dict[str, Json] = {}
        for step in self._track.steps:
            for leaf in leaves_of(step.tool, step.arguments):
                values.setdefault(leaf.entity or leaf.name, leaf.value)
        return values


def _touched(changes: list[Mapping[str, Json]]) -> frozenset[tuple[str, str]]:
    """Return the rows that changes touch; a new row goes by its table alone."""
    return frozenset(
        (change["table"], "" if change["before"] is None else change["key"]) for change in changes
    )


def _extreme(item: Json, items: list[Json]) -> bool:
    """Whether an item is the first or last of all by anything that can be compared."""
    if not isinstance(item, Mapping):
        return False
    for name, value in item.items():
        others = [one.get(name) for one in items if isinstance(one, Mapping) and one is not item]
        same = [one for one in others if type(one) is type(value) and one is not None]
        if same and isinstance(value, int | float | str) and len(same) == len(others):
            if value < min(same) or value > max(same):
                return True
    return False


def _plain(row: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    for name, value in row.items():
        if isinstance(value, Mapping):
            yield from _plain(value)
        elif isinstance(value, list):
            for part in value:
                yield from _plain(part if isinstance(part, Mapping) else {name: part})
        elif value is not None:
            yield name, value


def _path(text: str) -> Path:
    return tuple(int(part) if part.isdecimal() else part for part in text.split(".") if part)


def _at(value: Json, path: Path) -> Json:
    for part in path:
        value = value[part]
    return value


def _along(value: Json, parts: list[str]) -> Iterator[Json]:
    if not parts:
        if value is not None:
            yield value
    elif parts[0] == "*":
        for part in value if isinstance(value, list) else ():
            yield from _along(part, parts[1:])
    elif isinstance(value, Mapping) and parts[0] in value:
        yield from _along(value[parts[0]], parts[1:])


def _short(row: Mapping[str, Json]) -> str:
    return ", ".join(f"{name} {value}" for name, value in list(row.items())[:6])[:200]
