"""A chain of calls as it grows: each step was made, and knows where its arguments came from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

from toolworld.graph.knowledge import Lesson, lesson_of_result
from toolworld.graph.surface import ToolFacts
from toolworld.graph.values import at
from toolworld.tasks.chains.actors import owners_of
from toolworld.tasks.chains.stage import Stage
from toolworld.tasks.episodes import Given, Moment
from toolworld.tasks.outline import Ask, Mention, Request, Role
from toolworld.tasks.rows import Place, Row

Json = Any
Expect = Literal["ok", "rejected"]


class Reference(NamedTuple):
    """A place in the result of an earlier step."""

    step: int
    path: str

    def as_json(self) -> dict[str, Json]:
        """Return it as gold says it."""
        return {"$step": self.step, "path": self.path}


Sources = Mapping[str, Reference | None]
"""Where each id of a call comes from, by its place; None for one that the person says."""


@dataclass(frozen=True)
class Step:
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
    text: str
    expect: Expect
    made: tuple[Place, ...]
    changed: Mapping[Place, Row]
    ids: Sequence[tuple[str, Place]]
    shows: Sequence[tuple[str, Place]]

    @cached_property
    def lesson(self) -> Lesson:
        """What its result teaches."""
        return lesson_of_result(self.result, self.tool.result_names)

    @cached_property
    def about(self) -> list[Place]:
        """The rows it is about."""
        return rows_about(self.ids, self.shows)

    def shown_at(self, path: str) -> list[Place]:
        """Return the rows that its result names at a path, in all items of its lists."""
        entity = self.tool.result_ids.get(path)
        return [(entity, str(key)) for key in at(self.result, path)] if entity else []

    @cached_property
    def gold(self) -> dict[str, Json]:
        """It as a step of a task's gold, which nobody may change."""
        found = {way: source.as_json() for way, source in self.sources.items() if source}
        arguments = {name: _placed(value, name, found) for name, value in self.values.items()}
        return {"tool": self.tool.name, "arguments": arguments, "expect": self.expect}


def _placed(value: Json, way: str, found: Mapping[str, Json]) -> Json:
    """Return a value with what is found at its places put in."""
    if way in found:
        return found[way]
    if isinstance(value, Mapping):
        return {name: _placed(part, f"{way}.{name}", found) for name, part in value.items()}
    if isinstance(value, list):
        return [_placed(part, f"{way}.{index}", found) for index, part in enumerate(value)]
    return value


class Mark(NamedTuple):
    """A moment of a chain, to go back to."""

    moment: Moment
    steps: int
    requests: int


class Chain:
    """Calls made one after the other from a start.

    Attributes:
        episode: Where they are made.
        steps: The calls.
        requests: What a person says to have them made.
    """

    def __init__(self, stage: Stage, initial: Mapping[str, Json] | None = None) -> None:
        """Start with the seed database, or with a patch over it."""
        self.stage = stage
        self.initial: dict[str, Json] = dict(initial or {})
        self.episode = stage.episodes.open(self.initial)
        self.steps: list[Step] = []
        self.requests: list[Request] = []
        self._found: dict[Place, list[Reference]] = {}
        self._owners: list[set[Place]] = []

    def mark(self) -> Mark:
        """Return the present moment."""
        return Mark(self.episode.now(), len(self.steps), len(self.requests))

    def back(self, mark: Mark) -> None:
        """Go back to a moment."""
        self.episode.go(mark.moment)
        for step in reversed(self.steps[mark.steps :]):
            self._forget(step)
        del self.steps[mark.steps :]
        del self._owners[mark.steps :]
        del self.requests[mark.requests :]

    def _forget(self, step: Step) -> None:
        """Undo what the last step showed."""
        for _, place in step.shows:
            references = self._found[place]
            references.pop()
            if not references:
                del self._found[place]

    def peek(self, tool: ToolFacts, values: Mapping[str, Json]) -> Given:
        """Return what a call would give, and leave the chain as it is."""
        return self.episode.peek(tool.name, values)

    def call(
        self, tool: ToolFacts, values: Mapping[str, Json], sources: Sources, expect: Expect = "ok"
    ) -> Step | None:
        """Make a call; return it as a step, or None if it does not end as expected."""
        there = self.changed()
        given = self.episode.call(tool.name, values)
        if given.outcome != expect:
            return None
        made = tuple(one for one in self.added() if one not in there) if not tool.read_only else ()
        ids = tuple(self.stage.ids_in(tool, values))
        shows = tuple(self.stage.ids_out(tool, given.structured))
        step = Step(
            tool, values, sources, given.structured, given.text, expect, made, there, ids, shows
        )
        for way, place in shows:
            self._found.setdefault(place, []).append(Reference(len(self.steps), way))
        self.steps.append(step)
        return step

    def changed(self) -> dict[Place, Row]:
        """Return the rows that are not as at the start, as they are."""
        entity = self.stage.surface.entity_of_table
        return {
            (entity(change.table), change.key): change.after
            for change in self.episode.diff()
            if change.after is not None
        }

    def added(self) -> list[Place]:
        """Return the rows that are new since the start."""
        entity = self.stage.surface.entity_of_table
        return [
            (entity(change.table), change.key)
            for change in self.episode.diff()
            if change.before is None
        ]

    def found(self, place: Place) -> Reference | None:
        """Return where a row's key was seen last, on its own rather than in a list."""
        references = self._found.get(place)
        return min(reversed(references), key=_is_in_list) if references else None

    def idle(self) -> set[int]:
        """Return the steps that only read, that nothing is taken from and nothing is asked of."""
        taken = {one.step for step in self.steps for one in step.sources.values() if one}
        asked = {request.step for request in self.requests if request.asks}
        reads = {number for number, step in enumerate(self.steps) if step.tool.read_only}
        return reads - taken - asked

    def needed(self) -> set[int]:
        """Return the steps that are needed: writes, questions, and the look-ups they build on.

        Where an id was seen several times the first counts, so look-ups on a detour do not.
        What is idle is going to be asked for.
        """
        asked = {request.step for request in self.requests if request.asks}
        left = (
            asked
            | self.idle()
            | {n for n, step in enumerate(self.steps) if not step.tool.read_only}
        )
        needed: set[int] = set()
        while left:
            number = left.pop()
            needed.add(number)
            step = self.steps[number]
            for way, place in step.ids:
                if step.sources.get(way) is not None:
                    left |= {self._found[place][0].step} - needed
        return needed

    def useless(self) -> set[int]:
        """Return the steps that only read, and serve nothing but one another."""
        asked = {request.step for request in self.requests if request.asks}
        gone, taken = set[int](), set[int]()
        for number in reversed(range(len(self.steps))):
            step = self.steps[number]
            if step.tool.read_only and number not in asked and number not in taken:
                gone.add(number)
            else:
                taken |= {source.step for source in step.sources.values() if source}
        return gone

    def owners(self) -> set[Place]:
        """Return the actors whose business the rows are that calls name."""
        for step in self.steps[len(self._owners) :]:
            self._owners.append(self.owners_by(step.about))
        return set[Place]().union(*self._owners)

    def owners_by(self, places: Iterable[Place]) -> set[Place]:
        """Return the actors whose business some rows are."""
        return owners_of(places, self.stage.world, self.stage.actors, self.row)

    def seen(self) -> list[Place]:
        """Return the rows that results named, the latest last."""
        return list(self._found)

    def row(self, place: Place) -> Row | None:
        """Return a row as it was at the start; one that is new, as it is."""
        entity, key = place
        table = self.stage.surface.entities[entity].table
        patched = self.initial.get(table)
        if patched is not None and key in patched:
            return patched[key]  # type: ignore[no-any-return]
        known = self.stage.world.rows[entity].get(key)
        return known if known is not None else self._new_row(table, key)

    def row_of(self, entity: str, key: str) -> Row | None:
        """Return a row by its entity and key, as ``row`` does."""
        return self.row((entity, key))

    def _new_row(self, table: str, key: str) -> Row | None:
        for change in self.episode.diff():
            if (change.table, change.key) == (table, key):
                return change.after  # type: ignore[no-any-return]
        return None

    def request(self, role: Role, asks: Sequence[Ask] = ()) -> Request:
        """Return what a person says to have the last step made, and keep it."""
        made = self.request_for(len(self.steps) - 1, role, asks)
        self.requests.append(made)
        return made

    def request_for(self, number: int, role: Role, asks: Sequence[Ask] = ()) -> Request:
        """Return what a person says to have a step made."""
        step = self.steps[number]
        return Request(
            step=number,
            tool=step.tool.name,
            arguments=step.values,
            role=role,
            mentions=tuple(self.mentions(step)),
            asks=tuple(asks),
            expect=step.expect,
        )

    def mentions(self, step: Step) -> Iterable[Mention]:
        """Yield the rows that a call names."""
        for way, place in step.ids:
            row = self.row(place)
            if row is not None:
                source, maker = step.sources.get(way), self._maker(place)
                yield Mention(
                    path=way,
                    entity=place[0],
                    key=place[1],
                    row=row,
                    known_by_key=source is None,
                    among=self._among(place, source, maker),
                    made_by=maker,
                    now=step.changed.get(place),
                )

    def first_mention(self, entity: str, key: str) -> Mention | None:
        """Return a row as the first call that names it does."""
        for step in self.steps:
            for mention in self.mentions(step):
                if (mention.entity, mention.key) == (entity, key):
                    return mention
        return None

    def _maker(self, place: Place) -> int | None:
        return next((n for n, step in enumerate(self.steps) if place in step.made), None)

    def _among(self, place: Place, source: Reference | None, maker: int | None) -> tuple[Row, ...]:
        """Return what stood beside a row where it was found."""
        if source is None:
            return ()
        if maker is not None:
            others = [other for other in self.steps[maker].made if other[0] == place[0]]
        else:
            others = self.steps[source.step].shown_at(pattern_of(source.path))
        rows = (self.row(other) for other in dict.fromkeys(others) if other != place)
        return tuple(row for row in rows if row is not None)

    def gold(self) -> list[dict[str, Json]]:
        """Return the steps as a task's gold."""
        return [step.gold for step in self.steps]

    def touched(self) -> set[tuple[str, str]]:
        """Return the tables and keys of the rows that differ from the start."""
        return {(change.table, change.key) for change in self.episode.diff()}


def _is_in_list(reference: Reference) -> bool:
    return any(part.isdecimal() for part in reference.path.split("."))


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
