"""Kills mutants: runs cases that reach the mutated code, and compares the results."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from toolworld.emit.jobs import Marker, OutOfTime, timed
from toolworld.prove.bench import Bench, CaseRun
from toolworld.prove.cases import CallEnd, DoesNotFit
from toolworld.prove.code import Position
from toolworld.prove.mutants import Mutant
from toolworld.prove.variation import Variation, chance, pick

MOST_TRIED = 1_000


@dataclass
class Killed:
    """What became of the mutants of a function.

    Attributes:
        alive: The numbers of those no case told from the real code.
        runs: Further cases that were needed to kill some.
    """

    alive: list[int] = field(default_factory=list)
    runs: list[CaseRun] = field(default_factory=list)


class Killer:
    """Runs cases against the mutants of one function or constant."""

    def __init__(self, bench: Bench, mutants: Sequence[Mutant], marker: Marker) -> None:
        """Take the mutants."""
        self._bench, self._mutants, self._marker = bench, mutants, marker
        self._sites: dict[Position, int] = {
            site.position: number
            for number, site in enumerate(bench.probes.sites)
            if site.kind == "statement"
        }
        self._needed = [
            {self._sites[place] for place in mutant.statements if place in self._sites}
            for mutant in mutants
        ]

    def kill(self, runs: Sequence[CaseRun], dead: Collection[int], extra: int, seed: int) -> Killed:
        """Return the mutants that survive all runs, and further runs made to kill them.

        Args:
            runs: The kept cases of every tool.
            dead: Mutants known to be dead: they took their process along.
            extra: How many further cases to try.
            seed: Varies the further cases.
        """
        wanted = set().union(*self._needed)
        near = [run for run in runs if run.sites & wanted]
        near.sort(key=lambda run: len(run.case.initial))
        killed = Killed()
        for number in range(len(self._mutants)):
            if number not in dead and not self._dies(number, near):
                killed.alive.append(number)
        if killed.alive and near:
            self._search(killed, near, extra, seed)
        return killed

    def _dies(self, number: int, runs: Sequence[CaseRun]) -> bool:
        self._marker.set(str(number))
        try:
            changed = self._bench.made(self._mutants[number])
        except Exception:  # noqa: BLE001 - a module that cannot be loaded is noticed
            return True
        tried = (run for run in runs if run.sites & self._needed[number])
        for _, run in zip(range(MOST_TRIED), tried, strict=False):
            with self._bench.using(changed):
                if self._see(run) != run.seen:
                    return True
        return False

    def _see(self, run: CaseRun) -> CallEnd:
        try:
            environment = self._bench.stage.open(run.case.initial)
            with timed(self._bench.limits.call):
                return self._bench.stage.call(environment, run.case.tool, run.case.arguments)
        except OutOfTime:
            return CallEnd("failed", "OutOfTime", "")

    def _search(self, killed: Killed, near: list[CaseRun], extra: int, seed: int) -> None:
        """Try cases beside those that meet the survivors; keep each that kills one."""
        rng = chance(seed, self._mutants[0].function, "search")
        variations: dict[str, Variation] = {}
        pool = [run for run in near if any(run.sites & self._needed[n] for n in killed.alive)]
        for _ in range(extra if pool else 0):
            if not killed.alive:
                return
            start: CaseRun = pick(pool, rng)
            case = start.case
            if case.tool not in variations:
                variations[case.tool] = Variation(self._bench, case.tool, rng)
            try:
                run, _ = self._bench.run(variations[case.tool].varied(start), self._marker)
            except DoesNotFit:
                continue
            if run.seen.end not in ("ok", "rejected"):
                continue
            meets = [number for number in killed.alive if run.sites & self._needed[number]]
            dying = [number for number in meets if self._dies(number, [run])]
            if dying and self._bench.is_sound(run.case):
                killed.alive = [number for number in killed.alive if number not in dying]
                killed.runs.append(run)
                pool.append(run)
