"""Runs the candidate edges of two tools until each has evidence, or the budget is spent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolworld.graph.arguments import ArgumentMaker
from toolworld.graph.candidates import Candidate
from toolworld.graph.evidence import Evidence, PlannedCall, record, shortened, shows
from toolworld.graph.examples import Example, Explorer
from toolworld.graph.model import Edge, RefusedCandidate
from toolworld.graph.strength import strength_of
from toolworld.graph.surface import ToolFacts
from toolworld.graph.values import at, holds, placed, places

Json = Any


@dataclass(frozen=True)
class Taken:
    """An id in the first tool's result that the second tool can take.

    Attributes:
        candidate: The edge it would show.
        way: Where in the result it stands.
    """

    candidate: Candidate
    way: str
    value: str

    def as_json(self) -> dict[str, str]:
        """Return it as evidence says it."""
        return {"from": self.way, "argument": self.candidate.argument, "value": self.value}


@dataclass
class CandidateTries:
    """What the tries for a data candidate came to."""

    outputs: int = 0
    fresh: int = 0


class PairProbe:
    """The open candidates between two tools.

    Half of the tries start from a successful call of the first tool and make up one of the
    second; the other half start from one of the second and make up one of the first.
    """

    def __init__(self, explorer: Explorer, open_candidates: list[Candidate], tries: int) -> None:
        """Take candidates that all have the same two tools."""
        first = open_candidates[0]
        self._explorer = explorer
        self._environment = explorer.environment
        self._outcomes = explorer.outcomes
        self._target: ToolFacts = explorer.surface.tools[first.target]
        self._source: ToolFacts = explorer.surface.tools[first.source]
        self._examples = explorer.examples[first.source]
        self._others = explorer.examples[first.target]
        self._open = {candidate.key: candidate for candidate in open_candidates}
        self._found: dict[str, Evidence] = {}
        self._trivial: Evidence | None = None
        self._seen = {key: CandidateTries() for key in self._open}
        self._given_out: dict[tuple[str, int], list[tuple[str, str]]] = {}
        self._done: set[tuple[int, str]] = set()
        self._succeeded = 0
        self._tries = tries
        rng = explorer.rng("probe", first.source, first.target)
        self._rng = rng
        self._maker = ArgumentMaker(explorer.world, explorer.clock, rng)

    def run(self) -> tuple[list[Edge], list[RefusedCandidate]]:
        """Return the candidates with evidence, and for the others the reason that there is none."""
        everything = dict(self._open)
        self._look_back()
        for number in range(self._tries if self._examples else 0):
            if not self._open or (number >= 2 * len(self._examples) and self._hopeless()):
                break
            if number % 2 and self._others:
                self._try_backward(self._others[number // 2 % len(self._others)])
            else:
                self._try(self._examples[number // 2 % len(self._examples)])
        if self._trivial and "enables" in self._open:
            self._keep("enables", self._trivial)
        edges = [self._edge(everything[key], found) for key, found in self._found.items()]
        refused = [RefusedCandidate(one, self._why(one)) for one in self._open.values()]
        return edges, refused

    def _edge(self, candidate: Candidate, evidence: Evidence) -> Edge:
        return Edge(candidate, evidence, strength_of(self._explorer.surface, candidate))

    def _hopeless(self) -> bool:
        """Whether nothing is open but ids that no result newly gives."""
        return self._feeds_only() and not any(self._seen[key].fresh for key in self._open)

    def _look_back(self) -> None:
        """See whether a call of the second tool needed one of the first in its setup."""
        for example in self._others:
            for number, call in enumerate(example.setup):
                if "enables" in self._open and call.tool == self._source.name:
                    setup = example.setup[:number] + example.setup[number + 1 :]
                    evidence = record(self._explorer.recorder, setup, call, example.call)
                    self._explorer.calls += len(setup) + 3
                    if shows("enables", evidence):
                        self._take_in("enables", evidence)

    def _try_backward(self, example: Example) -> None:
        """Look for a call of the first tool that returns an argument of the second's call."""
        if not any(one.label == "data" for one in self._open.values()):
            return
        environment, source = self._environment, self._source
        accepted = self._explorer.accepted[source.name]
        arguments = self._maker.make(source, example.known, accepted)
        place = (id(example), repr(arguments))
        if place in self._done:
            return
        self._done.add(place)
        result = self._outcomes.result(example.before, source.name, arguments)
        if result is None:
            return
        taken = self._needed(example.call, arguments, result.structured)
        if taken and not environment.call(example.call.tool, example.call.arguments).is_error:
            first = PlannedCall(source.name, arguments)
            for one in taken:
                evidence = record(
                    self._explorer.recorder, example.setup, first, example.call, one.as_json()
                )
                self._keep(one.candidate.key, evidence)

    def _needed(self, call: PlannedCall, arguments: Json, result: Json) -> list[Taken]:
        """Return the arguments of a call that a result shows first, at most one a candidate."""
        needed = []
        for candidate in [one for one in self._open.values() if one.label == "data"]:
            wanted = list(at(call.arguments, candidate.argument))[:1]
            for way, value in self._fresh(candidate, arguments, result):
                if [value] == wanted:
                    needed.append(Taken(candidate, way, value))
                    break
        return needed

    def _try(self, example: Example) -> None:
        """Call the second tool once after the first, and note the evidence."""
        target, taken = self._target, self._take(example)
        if taken is None and self._succeeded and self._feeds_only():
            return
        accepted = self._explorer.accepted[target.name]
        arguments = self._maker.make(target, example.known, accepted)
        if taken is not None:
            arguments = given(arguments, taken)
        after = self._outcomes.of(example.after, target.name, arguments)
        if after.outcome != "ok":
            return
        self._succeeded += 1
        call = PlannedCall(target.name, arguments)
        if taken is not None:
            self._show(taken.candidate.key, example, call, taken.as_json())
        if "enables" in self._open or "shared table" in self._open:
            self._compare(example, call, after.text)

    def _feeds_only(self) -> bool:
        """Whether only candidates that need a value of the first result are open."""
        return all(one.label == "data" for one in self._open.values())

    def _compare(self, example: Example, call: PlannedCall, text: int) -> None:
        before = self._outcomes.of(example.before, call.tool, call.arguments)
        if before.outcome == "rejected":
            self._show("enables", example, call)
        elif before.outcome == "ok" and before.text != text:
            self._show("shared table", example, call)

    def _show(
        self, key: str, example: Example, call: PlannedCall, taken: Mapping[str, str] | None = None
    ) -> None:
        if key in self._open:
            recorder = self._explorer.recorder
            self._take_in(key, record(recorder, example.setup, example.call, call, taken))

    def _take_in(self, key: str, evidence: Evidence) -> None:
        """Keep evidence; that a new row can be named enables only if nothing else does."""
        if key == "enables" and evidence.new_row:
            self._trivial = self._trivial or evidence
        else:
            self._keep(key, evidence)

    def _keep(self, key: str, evidence: Evidence) -> None:
        label = self._open.pop(key).label
        self._found[key] = shortened(self._explorer.recorder, label, evidence)

    def _take(self, example: Example) -> Taken | None:
        """Choose an id of the result that was not given to the first tool itself."""
        wanted = [one for one in self._open.values() if one.label == "data"]
        if not wanted:
            return None
        candidate = self._rng.choice(wanted)
        place = (candidate.key, id(example))
        if place not in self._given_out:
            self._given_out[place] = self._fresh(candidate, example.call.arguments, example.result)
        fresh = self._given_out[place]
        if not fresh:
            return None
        way, value = self._rng.choice(fresh)
        return Taken(candidate, way, value)

    def _fresh(self, candidate: Candidate, arguments: Json, result: Json) -> list[tuple[str, str]]:
        """Return the places of a result with ids that were not among the arguments."""
        outputs = [found for path in candidate.outputs for found in places(result, path.split("."))]
        fresh = [found for found in outputs if not holds(arguments, found[1])]
        seen = self._seen[candidate.key]
        seen.outputs += len(outputs)
        seen.fresh += len(fresh)
        return fresh

    def _why(self, candidate: Candidate) -> str:
        if not self._examples:
            return f"no successful call of {candidate.source} was found"
        seen = self._seen[candidate.key]
        if candidate.label == "data" and not seen.outputs:
            return f"no {candidate.fed} was in any result of {candidate.source}"
        if candidate.label == "data" and not seen.fresh:
            return f"{candidate.source} only gives back the {candidate.fed} it was given"
        if not self._succeeded:
            return f"no call of {candidate.target} succeeded in {self._tries} tries"
        missing = {
            "data": "with an id from that result",
            "enables": "that was rejected before",
            "shared table": "whose result differed from before",
        }[candidate.label]
        return f"no call {missing} was found in {self._tries} tries"


def given(arguments: Mapping[str, Json], taken: Taken) -> dict[str, Json]:
    """Return arguments with an id at its candidate's place."""
    path = taken.candidate.argument.split(".")
    made: dict[str, Json] = placed(arguments, path, taken.value)
    return made
