"""The proof itself, in a process of its own: cases first, then mutants, all in children."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from toolworld.emit.jobs import ChildEnd, Limits, Marker, run_all
from toolworld.packages import load_package
from toolworld.packages.made import is_made
from toolworld.prove.bench import Bench, CaseRun, too_slow
from toolworld.prove.cases import ProofCase
from toolworld.prove.checks import ToolFault
from toolworld.prove.generate import Corpus, Generator
from toolworld.prove.given import drafted_cases, gold_cases
from toolworld.prove.kill import Killed, Killer
from toolworld.prove.mutants import Mutant, mutants_of

Say = Callable[[str], None]
MOST_DEATHS = 20


@dataclass(frozen=True)
class ProofSettings:
    """How thoroughly a package is proven.

    Attributes:
        seed: Varies the made-up cases.
        only: The tools to prove; all if there are none.
        calls: How many calls are made up for each tool.
        seek: How many more at most for each tool with code that none has reached.
        search: How many more for each function with living mutants.
        mutants: Whether there are mutants: without them a proof says less, and sooner.
        workers: How many children at once.
        minutes: After how long a proof is given up.
    """

    seed: int = 0
    only: Sequence[str] = ()
    calls: int = 1000
    seek: int = 3000
    search: int = 400
    mutants: bool = True
    workers: int = 1
    minutes: float = 60.0
    limits: Limits = Limits()


@dataclass
class ProofFindings:
    """What a proof found, before it is made into a report."""

    corpora: dict[str, Corpus]
    mutants: dict[str, list[Mutant]]
    killed: dict[str, Killed]
    failures: list[ToolFault]


class Study:
    """One proof of one package."""

    def __init__(self, path: Path, settings: ProofSettings, say: Say) -> None:
        """Load the package."""
        self.bench = Bench(load_package(path), settings.limits)
        self._settings, self._say = settings, say
        tools = self.bench.code.tools
        self._tools = [name for name in tools if not settings.only or name in settings.only]
        self._banned: set[str] = set()
        self._failures: list[ToolFault] = []

    def findings(self) -> ProofFindings:
        """Return everything that is found."""
        given = self._given()
        corpora = self._corpora(given)
        corpora |= self._sought(corpora)
        wanted, code = self._settings.mutants, self.bench.code
        mutants = {name: mutants_of(code, name) if wanted else [] for name in self._reached_code()}
        runs = [run for corpus in corpora.values() for run in corpus.runs]
        killed = self._killed(mutants, runs)
        found = [failure for corpus in corpora.values() for failure in corpus.failures.values()]
        return ProofFindings(corpora, mutants, killed, [*self._failures, *found])

    def _reached_code(self) -> list[str]:
        """Return everything with mutants: tools, helpers, and constants with numbers or texts."""
        code = self.bench.code
        if self._settings.only:
            return code.reached_from(self._tools)
        return [*code.constants, *code.functions]

    def _given(self) -> list[ProofCase]:
        stage, limits, tools = self.bench.stage, self._settings.limits, self._tools
        # Made tasks' gold is the certificates' business: a proof is the same with and without.
        tasks = [task for task in self.bench.package.tasks() if not is_made(task)]
        works: list[Callable[[Marker], Any]] = [
            lambda marker: (gold_cases(stage, limits, tasks, tools, marker), []),
            lambda marker: drafted_cases(stage, limits, tools, marker),
        ]
        cases: list[ProofCase] = []
        for _, ended in run_all(works, limits, 1):
            if ended.death:
                self._ban(ended)
            else:
                cases += ended.value[0]
                self._failures += ended.value[1]
        return cases

    def _ban(self, ended: ChildEnd) -> None:
        """Name the tool that took a child along, and never call it again."""
        self._banned.add(ended.doing)
        failure = too_slow(ended.doing, self._settings.limits)
        if ended.death != failure.reason:
            failure = ToolFault(ended.doing, ended.death, "while it was called", failure.mend)
        self._failures.append(failure)

    def _corpora(self, given: list[ProofCase]) -> dict[str, Corpus]:
        corpora: dict[str, Corpus] = {}
        while waiting := [
            name for name in self._tools if name not in corpora and name not in self._banned
        ]:
            banned = frozenset(self._banned)
            works = [partial(self._generate, name, given, banned) for name in waiting]
            done = self._run(works, "cases", [*waiting])
            for name, ended in zip(waiting, done, strict=True):
                if not ended.death:
                    corpora[name] = ended.value
                elif ended.doing not in self._banned:
                    self._ban(ended)
        for name in self._banned:
            corpora.setdefault(name, Corpus())
        return {name: corpora[name] for name in self._tools}

    def _generate(
        self, tool: str, given: Iterable[ProofCase], banned: frozenset[str], marker: Marker
    ) -> Corpus:
        generator = Generator(self.bench, tool, self._settings.seed, banned)
        first = [case for case in given if case.tool == tool]
        return generator.corpus(first, self._settings.calls, marker)

    def _sought(self, corpora: dict[str, Corpus]) -> dict[str, Corpus]:
        """Return cases of tools that may reach unreached code, including new ones."""
        missing = self._missing(corpora)
        names = [name for name in missing if missing[name] and corpora[name].runs]
        works = [partial(self._seek, name, corpora[name], missing[name]) for name in names]
        found: dict[str, Corpus] = {}
        for name, ended in zip(names, self._run(works, "sought", names), strict=True):
            if ended.death:
                self._ban(ended)
            else:
                found[name] = ended.value
        return found

    def _missing(self, corpora: dict[str, Corpus]) -> dict[str, list[int]]:
        """Return by tool the branches and rejections of its code that no call has reached."""
        reached = set().union(*(corpus.sites for corpus in corpora.values()))
        missing = [
            (number, site.function)
            for number, site in enumerate(self.bench.probes.sites)
            if site.kind in ("branch", "rejection") and number not in reached
        ]
        functions = {name: self.bench.code.helpers_of(name) for name in corpora}
        return {
            name: [number for number, function in missing if function in functions[name]]
            for name in corpora
        }

    def _seek(self, tool: str, corpus: Corpus, missing: Sequence[int], marker: Marker) -> Corpus:
        generator = Generator(self.bench, tool, self._settings.seed, self._banned)
        return generator.seek(corpus, missing, self._settings.seek, marker)

    def _killed(self, mutants: dict[str, list[Mutant]], runs: list[CaseRun]) -> dict[str, Killed]:
        """Kill in two rounds: cases found for one function may kill mutants of another."""
        killed = self._round(mutants, runs, {name: set() for name in mutants}, 0)
        found = [run for one in killed.values() for run in one.runs]
        alive = {name: mutants[name] for name, one in killed.items() if one.alive}
        dead = {name: {*range(len(mutants[name]))} - {*killed[name].alive} for name in alive}
        for name, again in self._round(alive, [*found, *runs], dead, 1).items():
            killed[name] = Killed(again.alive, [*killed[name].runs, *again.runs])
        return killed

    def _round(
        self,
        mutants: dict[str, list[Mutant]],
        runs: list[CaseRun],
        dead: dict[str, set[int]],
        number: int,
    ) -> dict[str, Killed]:
        killed = {name: Killed() for name in mutants if not mutants[name]}
        deaths: dict[str, int] = dict.fromkeys(mutants, 0)
        while waiting := [name for name in mutants if name not in killed]:
            works = [
                partial(self._kill, mutants[name], runs, frozenset(dead[name]), number)
                for name in waiting
            ]
            for name, ended in zip(waiting, self._run(works, "mutants", waiting), strict=True):
                if not ended.death:
                    killed[name] = ended.value
                elif ended.doing.isdecimal() and deaths[name] < MOST_DEATHS:
                    deaths[name] += 1
                    dead[name].add(int(ended.doing))
                else:
                    alive = [n for n in range(len(mutants[name])) if n not in dead[name]]
                    killed[name] = Killed(alive)
        return killed

    def _kill(
        self,
        mutants: list[Mutant],
        runs: list[CaseRun],
        dead: frozenset[int],
        number: int,
        marker: Marker,
    ) -> Killed:
        killer = Killer(self.bench, mutants, marker)
        return killer.kill(runs, dead, self._settings.search, 2 * self._settings.seed + number)

    def _run(
        self, works: Sequence[Callable[[Marker], Any]], what: str, names: list[str]
    ) -> list[ChildEnd]:
        ended: dict[int, ChildEnd] = {}
        for number, end in run_all(works, self._settings.limits, self._settings.workers):
            ended[number] = end
            self._say(f"{what}: {len(ended)} of {len(works)}, {names[number]}")
        return [ended[number] for number in range(len(works))]
