"""Plausible wrong sequences: another row, another value, a write that nobody asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from toolworld.graph.arguments import ArgumentMaker
from toolworld.graph.knowledge import Knowledge
from toolworld.tasks.certificate.arguments import Leaf, fixed, replaced
from toolworld.tasks.certificate.other import Others
from toolworld.tasks.certificate.reasons import Reason
from toolworld.tasks.certificate.track import Ending, Step, Track, described
from toolworld.tasks.certificate.verdict import Flaw, Mend, Settings, Tally

Json = Any


class Wrong(NamedTuple):
    """Gold with one call made otherwise.

    Attributes:
        kind: ``rows``, ``values`` or ``added``.
        argument: The argument that is another.
        arguments: All arguments of the call.
    """

    step: Step
    kind: str
    argument: str
    arguments: Mapping[str, Json]


class WrongSequences:
    """Runs what an agent could do wrong, and wants none of it to earn the reward."""

    def __init__(
        self,
        track: Track,
        settings: Settings,
        tally: Tally,
        never: Collection[str] = (),
    ) -> None:
        """Take gold as it ran, and the tools that are not worth trying."""
        self._track, self._settings, self._tally = track, settings, tally
        self._never = never
        self._others = Others(track)

    def check(self) -> None:
        """Run wrong sequences.

        Raises:
            Flaw: One earns the reward.
        """
        for wrong in self._chosen():
            ending = self._track.instead(wrong.step.index, wrong.arguments)
            self._tally.count("wrong", wrong.kind)
            if ending is None:
                self._tally.count("wrong", "refused calls")
            elif ending.reward == 1.0:
                self._judge(wrong, ending)
        self._check_strays()

    def _chosen(self) -> list[Wrong]:
        """Return as many of the wrong calls as the budget allows, in turn over the steps."""
        lists = [list(self._of(step)) for step in self._track.writes]
        everything = [wrong for found in lists for wrong in found]
        most = self._settings.wrong
        if len(everything) <= most:
            return everything
        picked = sorted(self._track.rng.sample(range(len(everything)), most))
        return [everything[number] for number in picked]

    def _of(self, step: Step) -> Iterator[Wrong]:
        settings = self._settings
        for leaf in step.leaves:
            if leaf.entity:
                kind, found = "rows", self._others.rows(step, leaf, settings.rows)
            else:
                kind, found = "values", self._others.values(leaf, settings.values)
            for value in found:
                arguments = replaced(dict(step.arguments), leaf.path, value)
                yield Wrong(step, kind, leaf.place, arguments)
        yield from self._left_out(step)
        for name, value in self._others.added(step, settings.added):
            yield Wrong(step, "added", name, {**step.arguments, name: value})

    def _left_out(self, step: Step) -> Iterator[Wrong]:
        for name in step.arguments:
            if name in step.tool.parameters and not step.tool.parameters[name].required:
                schema = step.tool.schema["properties"].get(name, {})
                if not fixed(Leaf((name,), step.arguments[name], schema, "")):
                    rest = {key: one for key, one in step.arguments.items() if key != name}
                    yield Wrong(step, "left out", name, rest)

    def _judge(self, wrong: Wrong, ending: Ending) -> None:
        """Tell a value that is free, or makes no difference, from a reward that is wrong."""
        where = f"{wrong.step.tool.name}.{wrong.argument.partition('.')[0]}"
        if not ending.same:
            self._tally.count("free", where)
            return
        if wrong.kind not in ("rows", "values"):
            self._tally.count("wrong", "as good as gold")
            return
        raise self._matters_not(wrong, where)

    def _matters_not(self, wrong: Wrong, where: str) -> Flaw:
        name = wrong.argument.partition(".")[0]
        mend = None
        if not wrong.step.tool.parameters[name].required:
            mend = Mend(
                "mended: a value that does not matter is left out",
                argument=(wrong.step.index, name),
            )
        detail = (
            f"{where}: {wrong.step}; the same state comes of "
            f"{described(wrong.step.tool.name, wrong.arguments)}"
        )
        return Flaw(Reason.NO_MATTER, detail, mend)

    def _check_strays(self) -> None:
        """Make writes after gold that nobody asked for.

        Raises:
            Flaw: One is not noticed.
        """
        track, settings = self._track, self._settings
        names = track.task["tools"] or list(track.facts.surface.tools)
        writers = [
            track.facts.tool(name)
            for name in names
            if track.facts.is_write(name) and name not in self._never
        ]
        if not writers:
            return
        maker = ArgumentMaker(track.facts.world, track.facts.clock, self._track.rng)
        known, given = self._known(), [step.arguments for step in track.writes]
        found = 0
        track.episode.go(track.end)
        for _ in range(settings.stray_calls):
            tool = self._track.rng.choice(writers)
            arguments = maker.make(tool, known, ())
            if track.call(tool.name, arguments).is_error:
                continue
            ending = track.ending()
            track.tally.sequences += 1
            if ending.reward == 1.0 and not ending.same and arguments not in given:
                self._tally.count("free", tool.name)
            found += not ending.same
            track.episode.go(track.end)
            if found >= settings.strays:
                break
        self._tally.count("wrong", "stray writes", found)

    def _known(self) -> Knowledge:
        """Return what an agent has seen on the way of gold."""
        known = Knowledge(self._track.facts.world)
        for step in self._track.steps:
            known.learn_result(dict(step.result), step.tool.result_ids)
        return known
