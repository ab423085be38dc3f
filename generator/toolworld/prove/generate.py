"""Cases of one tool, guided: a call that reaches something new is kept and built upon."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from toolworld.emit.jobs import Marker
from toolworld.prove.bench import Bench, CaseRun
from toolworld.prove.cases import DoesNotFit, ProofCase, changes_of
from toolworld.prove.checks import ToolFault
from toolworld.prove.code import Site
from toolworld.prove.facts import SeenValues
from toolworld.prove.variation import Variation, chance, pick

MOST_PATHS = 80
WALK = 12
LONGEST_KEPT = 20_000
VALUES = re.compile(r""""[^"]*"|'[^']*'|[\d.]+""")


@dataclass
class Corpus:
    """The cases of a tool that are worth keeping.

    Attributes:
        runs: The kept cases, each of which reached a site or a path first.
        sites: All sites reached.
        ends: How many calls ended how.
        failures: What went wrong, once for each kind.
    """

    runs: list[CaseRun] = field(default_factory=list)
    sites: set[int] = field(default_factory=set)
    ends: dict[str, int] = field(default_factory=dict)
    failures: dict[str, ToolFault] = field(default_factory=dict)
    paths: set[frozenset[int]] = field(default_factory=set)

    def wants(self, run: CaseRun, failure: ToolFault | None) -> bool:
        """Return whether a run shows anything new."""
        if failure is not None:
            return kind_of(failure) not in self.failures
        if run.seen.end in ("invalid", "failed") or len(str(run.case.arguments)) > LONGEST_KEPT:
            return False
        path = run.sites not in self.paths and len(self.paths) < MOST_PATHS
        return path or not run.sites <= self.sites or run.case.source != "made"

    def take(self, run: CaseRun, failure: ToolFault | None) -> None:
        """Keep a useful run, and its fault."""
        if failure is not None:
            self.failures[kind_of(failure)] = failure
            return
        self.sites |= run.sites
        self.paths.add(run.sites)
        self.runs.append(run)

    @property
    def stopped(self) -> bool:
        """Whether the tool must not be called again: it hangs or eats memory."""
        return any(
            failure.reason in ("does not come back", "eats memory")
            for failure in self.failures.values()
        )


def nearest(runs: Sequence[CaseRun], missing: int, sites: Sequence[Site]) -> list[CaseRun]:
    """Return the runs that came furthest on the way to a site in its function; all if none did."""
    on_the_way = takewhile(
        lambda number: sites[number].function == sites[missing].function, range(missing, -1, -1)
    )
    came = ([run for run in runs if number in run.sites] for number in on_the_way)
    return next(filter(None, came), list(runs))


def kind_of(failure: ToolFault) -> str:
    """Return a key under which repeated failures are reported once."""
    return f"{failure.reason} {VALUES.sub('', failure.detail)[:60]}"


class Generator:
    """Looks for cases of one tool."""

    def __init__(self, bench: Bench, tool: str, seed: int, banned: Collection[str]) -> None:
        """Start with no cases.

        Args:
            bench: The package.
            tool: The tool.
            seed: Varies the cases.
            banned: Tools that must not be called on the way.
        """
        self._bench, self._tool = bench, tool
        self._rng: random.Random = chance(seed, tool)
        self._variation = Variation(bench, tool, self._rng)
        self._walkers = [
            Variation(bench, name, self._rng)
            for name, definition in bench.checker.definitions.items()
            if name not in banned
            and (name == tool or not definition["annotations"]["readOnlyHint"])
        ]

    def corpus(self, first: Sequence[ProofCase], calls: int, marker: Marker) -> Corpus:
        """Return the cases worth keeping out of so many calls, the given ones first."""
        corpus = Corpus()
        for case in first:
            self._try(case, corpus, marker)
        for _ in range(calls):
            if corpus.stopped:
                break
            chosen = self._rng.random()
            if corpus.runs and chosen < 0.65:
                self._try(self._variation.varied(pick(corpus.runs, self._rng)), corpus, marker)
            elif chosen < 0.97:
                self._try(self._variation.fresh(), corpus, marker)
            else:
                self._walk(corpus, marker)
        return corpus

    def seek(self, corpus: Corpus, missing: Sequence[int], calls: int, marker: Marker) -> Corpus:
        """Look for sites that nothing has reached: vary the cases that came nearest to one.

        Args:
            corpus: The cases so far; those that are found are added.
            missing: The sites.
            calls: How many calls to make at most.
            marker: Told which tool is called.
        """
        for _ in range(calls):
            wanted = [site for site in missing if site not in corpus.sites]
            if not wanted or corpus.stopped:
                break
            near = nearest(corpus.runs, self._rng.choice(wanted), self._bench.probes.sites)
            self._try(self._beside(pick(near, self._rng)), corpus, marker)
        return corpus

    def _beside(self, run: CaseRun) -> ProofCase:
        chosen = self._rng.random()
        if chosen < 0.45:
            return self._variation.turned(run)
        return self._variation.varied(run) if chosen < 0.9 else self._variation.fresh()

    def _try(self, case: ProofCase, corpus: Corpus, marker: Marker) -> None:
        try:
            run, failure = self._bench.run(case, marker)
        except DoesNotFit:
            return
        corpus.ends[run.seen.end] = corpus.ends.get(run.seen.end, 0) + 1
        if corpus.wants(run, failure) and self._bench.is_sound(case):
            corpus.take(run, failure)

    def _walk(self, corpus: Corpus, marker: Marker) -> None:
        """Call other tools about the same rows, and this one in between."""
        bench, facts, cases = self._bench, SeenValues(), list[ProofCase]()
        for row in bench.world.around(self._rng):
            facts.learn(row)
        environment = bench.stage.open({})
        for number in range(WALK):
            walker = self._rng.choice(self._walkers) if number % 2 == 0 else self._variation
            case = walker.fresh(facts, changes_of(environment))
            if case.tool == self._tool:
                cases.append(case)
            run, _ = bench.run_in(environment, case, marker)
            if run.seen.end == "failed":
                break
            if run.seen.end == "ok":
                facts.learn(json.loads(run.seen.text))
        # Again, each by itself: a case is its rows and its call, not what led there.
        for case in cases:
            self._try(case, corpus, marker)
