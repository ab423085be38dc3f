"""A chain of calls as it grows: each step was made, and knows where its arguments came from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from toolworld.chained.chains.actors import owners_of
from toolworld.chained.chains.stage import ChainStage
from toolworld.chained.episodes import CallGiven, EpisodeMoment
from toolworld.chained.outline import Mention, Place, Request, Role, Row
from toolworld.graph.knowledge import Lesson, lesson_of_result
from toolworld.graph.surface import ToolFacts

Json: TypeAlias = Any


class ResultPlace(NamedTuple):
    """A place in the result of an earlier step."""

    step: int
    path: str

    def as_json(self) -> dict[str, Json]:
        """Return it as gold says it."""
        return {"$step": self.step, "path": self.path}


RowsNow: TypeAlias = Mapping[Place, Row | None]
Sources: TypeAlias = Mapping[str, ResultPlace | None]
"""Where each id of a call comes from, by its place; None for one that the person says."""


@dataclass(frozen=True)
class ChainStep:
    """One call of a chain, as it was made.

    Attributes:
        values: The arguments.
        sources: Where the ids among them came from.
        made: The rows it added.
        changed: The rows that were not as at the start before it.
        ids: The rows that its arguments name, with where they stand.
        shows: The rows that its result names, with where they stand.
    """

    tool: ToolFacts
    values: Mapping[str, Json]
    sources: Sources
    result: Mapping[str, Json]
    made: tuple[Place, ...]
    changed: RowsNow
    ids: tuple[tuple[str, Place], ...]
    shows: tuple[tuple[str, Place], ...]

    @cached_property
    def lesson(self) -> Lesson:
        """What its result teaches."""
        return lesson_of_result(self.result, self.tool.result_names)

    @cached_property
    def about(self) -> list[Place]:
        """The rows it is about."""
        return rows_about(self.ids, self.shows)

    @property
    def says_something(self) -> bool:
        """Whether it has arguments that only a person can give."""
        given = [part for name, part in self.tool.parameters.items() if name in self.values]
        return any(not part.ids for part in given) or None in self.sources.values()

    def tells(self, path: str, key: str) -> bool:
        """Whether an agent can tell, by what is shown, that the id at a path is the one meant.

        It stands on its own, or is the key of a row of a listing that shows the row and all
        others. In any other list nothing tells one item from the next.
        """
        if not any(part.isdecimal() for part in path.split(".")):
            return True
        own = pattern_of(path) == f"items.*.{key}" and self.result.get("next_cursor") is None
        return own and self.tool.result == self.tool.result_ids.get(f"items.*.{key}")

    def items(self, path: str) -> list[Place]:
        """Return the rows that its result names at a path, in all items of its list."""
        pattern = pattern_of(path)
        return [place for way, place in self.shows if pattern_of(way) == pattern]

    def gold(self, own: Collection[Place] | None = None) -> dict[str, Json]:
        """Return it as a step of a task's gold.

        Args:
            own: The rows whose ids are taken from earlier results, others as they are; all
                unless given.
        """
        places = dict(self.ids)
        found = {
            way: source.as_json()
            for way, source in self.sources.items()
            if source and (own is None or places[way] in own)
        }
        arguments = {name: _placed(value, name, found) for name, value in self.values.items()}
        return {"tool": self.tool.name, "arguments": arguments, "expect": "ok"}


def _placed(value: Json, way: str, found: Mapping[str, Json]) -> Json:
    """Return a value with what is found at its places put in."""
    if way in found:
        return found[way]
    if isinstance(value, Mapping):
        return {name: _placed(part, f"{way}.{name}", found) for name, part in value.items()}
    if isinstance(value, list):
        return [_placed(part, f"{way}.{index}", found) for index, part in enumerate(value)]
    return value


class ChainMark(NamedTuple):
    """A moment of a chain, to go back to."""

    moment: EpisodeMoment
    steps: int
    rows: RowsNow


class Chain:
    """Calls made one after the other from a start.

    Attributes:
        steps: The calls.
        rows: The rows that are not as at the start, as they are; None for one taken away.
    """

    def __init__(self, stage: ChainStage, initial: Mapping[str, Json] | None = None) -> None:
        """Start with the seed database, or with a patch over it."""
        self.stage = stage
        self.initial: dict[str, Json] = dict(initial or {})
        self.steps: list[ChainStep] = []
        self.rows: RowsNow = {}
        self._episode = stage.open(self.initial)

    def mark(self) -> ChainMark:
        """Return the present moment."""
        return ChainMark(self._episode.now(), len(self.steps), self.rows)

    def back(self, mark: ChainMark) -> None:
        """Go back to a moment."""
        self._episode.go(mark.moment)
        del self.steps[mark.steps :]
        self.rows = mark.rows

    def peek(self, tool: ToolFacts, values: Mapping[str, Json]) -> CallGiven:
        """Return what a call would give, and leave the chain as it is."""
        return self._episode.peek(tool.name, values)

    def call(
        self, tool: ToolFacts, values: Mapping[str, Json], sources: Sources
    ) -> ChainStep | None:
        """Make a call; return it as a step, or None if it is refused."""
        given = self._episode.call(tool.name, values)
        if given.is_error:
            return None
        before, made = self.rows, tuple[Place, ...]()
        if not tool.read_only:
            entity = self.stage.surface.entity_of_table
            changes = {(entity(one.table), one.key): one for one in self.changes()}
            self.rows = {place: change.after for place, change in changes.items()}
            added = (place for place, change in changes.items() if change.before is None)
            made = tuple(place for place in added if place not in before)
        ids = tuple(self.stage.ids_in(tool, values))
        shows = tuple(self.stage.ids_out(tool, given.structured))
        step = ChainStep(tool, values, sources, given.structured, made, before, ids, shows)
        self.steps.append(step)
        return step

    def changes(self) -> Sequence[Any]:
        """Return the rows that differ from the start, as the package tells them."""
        return self._episode.diff()

    def found(self, place: Place, before: int | None = None) -> ResultPlace | None:
        """Return where an agent can tell a row's key: where it was seen first, on its own best.

        Args:
            place: The row.
            before: Look at no more than so many steps; all unless given.
        """
        key = self.stage.surface.entities[place[0]].key
        seen = [
            ResultPlace(number, way)
            for number, step in enumerate(self.steps[:before])
            for way, other in step.shows
            if other == place and step.tells(way, key)
        ]
        return min(seen, key=lambda one: "." in one.path) if seen else None

    def needed(self) -> int:
        """Count the steps that are needed: writes, and the look-ups that their ids come from."""
        return len(self.steps) - len(self.useless())

    def useless(self) -> set[int]:
        """Return the steps that only read, and serve nothing but one another."""
        gone, taken = set[int](), set[int]()
        for number in reversed(range(len(self.steps))):
            step = self.steps[number]
            if step.tool.read_only and number not in taken:
                gone.add(number)
                continue
            for way, place in step.ids:
                if step.sources.get(way) is not None:
                    first = self.found(place, number)
                    taken |= {first.step} if first else set()
        return gone

    def owners(self) -> set[Place]:
        """Return the actors whose business the rows are that calls name."""
        return self.owners_by(place for step in self.steps for place in step.about)

    def owners_by(self, places: Iterable[Place]) -> set[Place]:
        """Return the actors whose business some rows are."""
        return owners_of(places, self.stage.world, self.stage.actors, self.row)

    def seen(self) -> list[Place]:
        """Return the rows that results named, the latest last."""
        return list(dict.fromkeys(place for step in self.steps for _, place in step.shows))

    def row(self, place: Place) -> Row | None:
        """Return a row as it was at the start; one that is new, as it is."""
        entity, key = place
        table = self.stage.surface.entities[entity].table
        patched: Mapping[str, Row] = self.initial.get(table, {})
        if key in patched:
            return patched[key]
        known = self.stage.world.rows[entity].get(key)
        return known if known is not None else self.rows.get(place)

    def row_of(self, entity: str, key: str) -> Row | None:
        """Return a row by its entity and key, as ``row`` does."""
        return self.row((entity, key))

    def requests(self) -> list[Request]:
        """Return what a person says to have the calls made.

        Look-ups are spoken of where only the person can give what they take, or can tell which
        row of a listing they are about.
        """
        written = {place for step in self.steps if not step.tool.read_only for _, place in step.ids}
        requests: list[Request] = []
        for number, step in enumerate(self.steps):
            mentions = tuple(self._mentions(step))
            chosen = any(one.among and (one.entity, one.key) not in written for one in mentions)
            if not step.tool.read_only or step.says_something or chosen:
                role: Role = "knows" if step.tool.read_only else "does"
                requests.append(Request(number, step.tool.name, step.values, role, mentions))
        return requests

    def _mentions(self, step: ChainStep) -> Iterator[Mention]:
        """Yield the rows that a call names."""
        for way, place in step.ids:
            row = self.row(place)
            if row is not None:
                source = step.sources.get(way)
                is_new = any(place in other.made for other in self.steps)
                yield Mention(
                    path=way,
                    entity=place[0],
                    key=place[1],
                    row=row,
                    known_by_key=source is None,
                    among=self._among(place, source, is_new),
                    is_new=is_new,
                    now=step.changed.get(place),
                )

    def _among(self, place: Place, source: ResultPlace | None, is_new: bool) -> tuple[Row, ...]:
        """Return the rows that a row could be taken for: what is new, or stood beside it."""
        others: list[Place] = []
        if is_new:
            made = [other for step in self.steps for other in step.made]
            others += [other for other in made if other[0] == place[0]]
        elif source is not None:
            others += self.steps[source.step].items(source.path)
        rows = (self.row(other) for other in dict.fromkeys(others) if other != place)
        return tuple(row for row in rows if row is not None)

    def gold(self) -> list[dict[str, Json]]:
        """Return the steps as a task's gold."""
        return [step.gold() for step in self.steps]


def pattern_of(way: str) -> str:
    """Return the path that leads to a place, and to all that differ in their positions in lists."""
    return ".".join("*" if part.isdecimal() else part for part in way.split("."))


def rows_about(ids: Iterable[tuple[str, Place]], shows: Iterable[tuple[str, Place]]) -> list[Place]:
    """Return the rows a call is about: those it names, and those its result names on their own."""
    return [place for _, place in ids] + [place for way, place in shows if "." not in way]


def is_of_another(chain: Chain, tool: ToolFacts, values: Mapping[str, Json], result: Json) -> bool:
    """Whether a call that would give a result is the business of another actor than a chain."""
    stage = chain.stage
    about = rows_about(stage.ids_in(tool, values), stage.ids_out(tool, result))
    owners, before = chain.owners_by(about), chain.owners()
    return len(owners | before) > 1 and not owners <= before


def is_one_business(chain: Chain, before: Collection[Place] = ()) -> bool:
    """Whether a chain is about one actor, such as a customer, or about none but those before."""
    owners = chain.owners()
    return len(owners) < 2 or owners <= {*before}
