"""All that is run to find a graph, in children: first calls that succeed, then pairs of tools."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from toolworld.emit.jobs import Limits
from toolworld.graph.candidates import Candidate, candidates
from toolworld.graph.examples import Example, Explorer
from toolworld.graph.guard import Broken, Done, Watch, run_guarded
from toolworld.graph.model import Edge, RefusedCandidate
from toolworld.graph.probe import PairProbe
from toolworld.packages import Package

T = TypeVar("T")

PARTS = 20
"""How many children the second tools are shared out to, however many run at once."""

Ends = tuple[str, str]
Verdict = tuple[list[Edge], list[RefusedCandidate]]
Tried = tuple[dict[Ends, Verdict], int]


class Survey:
    """The runs behind one graph.

    Attributes:
        explorer: The package, and the calls that were found.
        broken: The tools that did what no tool may.
        edges: The candidates that were shown.
        refused: The others.
    """

    def __init__(
        self, package: Package, seed: int, tries: int, workers: int, limits: Limits
    ) -> None:
        """Open the package."""
        self.explorer = Explorer(package, seed)
        self.broken: dict[str, Broken] = {}
        self.edges: list[Edge] = []
        self.refused: list[RefusedCandidate] = []
        self._tries, self._workers, self._limits = tries, workers, limits

    def run(self, progress: Callable[[str], None]) -> None:
        """Find calls that succeed, and try all candidates with them."""
        explorer = self.explorer
        progress("Finding calls that succeed")
        (explored,) = self._run([partial(_explore, explorer)], {}, lambda _: None)
        explorer.adopt(*explored.value)
        explorer.warm_up()  # once here rather than in every child
        pairs = _pairs(explorer)
        targets = list(dict.fromkeys(target for _, target in pairs))
        parts = [targets[number::PARTS] for number in range(min(PARTS, len(targets)))]
        tried = self._run(
            [partial(_try_before, explorer, self._tries, pairs, part) for part in parts],
            explored.banned,
            lambda number: progress(f"Tried what leads to {', '.join(parts[number])}"),
        )
        explorer.calls += sum(done.value[1] for done in tried)
        verdicts = {ends: verdict for done in tried for ends, verdict in done.value[0].items()}
        self.edges = [edge for ends in pairs for edge in verdicts[ends][0]]
        self.refused = [refused for ends in pairs for refused in verdicts[ends][1]]

    def _run(
        self,
        works: Sequence[Callable[[Watch], T]],
        banned: Mapping[str, Broken],
        on_done: Callable[[int], None],
    ) -> list[Done[T]]:
        done = run_guarded(works, banned, self._limits, self._workers, on_done)
        for one in done:
            self.broken = {**one.broken, **self.broken}
        return done


def _explore(explorer: Explorer, watch: Watch) -> tuple[dict[str, list[Example]], int]:
    explorer.watch_by(watch)
    explorer.explore()
    return explorer.examples, explorer.calls


def _pairs(explorer: Explorer) -> dict[Ends, list[Candidate]]:
    pairs: dict[Ends, list[Candidate]] = {}
    for one in candidates(explorer.surface):
        pairs.setdefault((one.source, one.target), []).append(one)
    return pairs


def _try_before(
    explorer: Explorer,
    tries: int,
    pairs: Mapping[Ends, list[Candidate]],
    targets: Collection[str],
    watch: Watch,
) -> Tried:
    """Try each tool before some others; return each pair's outcome and the number of calls made."""
    explorer.watch_by(watch)
    before = explorer.calls
    verdicts: dict[Ends, Verdict] = {}
    for ends, pair in pairs.items():
        if ends[1] in targets:
            bad = [name for name in ends if name in watch.banned]
            verdicts[ends] = (
                ([], _refused(pair, bad[0], watch.banned))
                if bad
                else PairProbe(explorer, pair, tries).run()
            )
    return verdicts, explorer.calls + explorer.outcomes.calls - before


def _refused(
    pair: Iterable[Candidate], tool: str, banned: Mapping[str, Broken]
) -> list[RefusedCandidate]:
    return [RefusedCandidate(one, f"{tool} {banned[tool].reason}") for one in pair]
