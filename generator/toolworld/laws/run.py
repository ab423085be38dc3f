"""The laws of a package asked in many episodes, in children under limits."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from toolworld.emit.jobs import Limits
from toolworld.errors import ToolworldError
from toolworld.graph.evidence import PlannedCall
from toolworld.graph.guard import Broken, Done, Watch, run_guarded
from toolworld.graph.surface import ToolFacts, surface_of
from toolworld.jsonvalues import JsonValue
from toolworld.laws.checker import LawChecker
from toolworld.laws.episode import EpisodeShortener, episode_of
from toolworld.laws.explained import explanations_of, reason_of, stale
from toolworld.laws.law import Law, laws_of
from toolworld.laws.mutants import run_mutants, tool_mutants
from toolworld.laws.properties import PROPERTIES, find_suspects
from toolworld.laws.report import LawsReport, calls_of, finding_of, suspect_of
from toolworld.laws.search import Breach, EpisodeSearch, Searched
from toolworld.packages import Package, load_package

Progress = Callable[[str], None]

PARTS = 8
"""How many children the calls are shared out to, however many run at once."""


@dataclass(frozen=True)
class LawSearch:
    """What is searched.

    Attributes:
        calls: How many calls are made in all, about.
        seed: Varies the episodes.
        workers: How many processes at once; what is found does not depend on it.
        limits: What a process, and one call or law in it, may use.
        suspects: How many calls each property that needs no author gets; 0 to leave them out.
        mutants: How many calls each mutant of the tools gets at most; 0 to run none. None is run
            where the package itself breaks a law: each would seem to be caught.
    """

    calls: int = 200_000
    seed: int = 0
    workers: int = 1
    limits: Limits = field(default_factory=Limits)
    suspects: int = 0
    mutants: int = 0


def prove_laws(path: Path, search: LawSearch, progress: Progress | None = None) -> LawsReport:
    """Search for episodes that break laws of a package; the same search finds the same.

    Args:
        path: The package's folder.
        search: What is searched.
        progress: Told what is being done.

    Raises:
        PackageLoadError: The folder holds no package.
    """
    say = progress or _silent
    package = load_package(path)
    laws = laws_of(package)
    say("Asking the laws of the seed data")
    works: list[Callable[[Watch], Searched]] = [partial(_at_start, package, laws)]
    works += [
        partial(_part, package, laws, f"{search.seed}/{number}", search.calls // PARTS)
        for number in range(PARTS)
    ]
    done = run_guarded(
        works, {}, search.limits, search.workers, lambda number: say(f"Part {number} of {PARTS}")
    )
    content = _content(package, laws, done)
    if search.suspects:
        suspects = _suspects(package, search, say)
        content |= {**suspects, "broken": {**suspects["broken"], **content["broken"]}}
    if search.mutants and not (content["findings"] or content["broken"]):
        content["mutants"] = _mutants(package, laws, search, say)
    return LawsReport(content)


def _suspects(package: Package, search: LawSearch, say: Progress) -> dict[str, Any]:
    """Return the suspects by properties that need no author, with explanations.

    Tools that did what none may on the way are ``broken``.
    """
    names = list(PROPERTIES)
    works = [
        partial(find_suspects, package, name, f"{search.seed}/{name}", search.suspects)
        for name in names
    ]
    done = run_guarded(
        works, {}, search.limits, search.workers, lambda number: say(f"Looked for {names[number]}")
    )
    found = {name: one.value for name, one in zip(names, done, strict=True)}
    explanations, surface = explanations_of(package), surface_of(package)
    return {
        "suspects": [
            suspect_of(name, one, surface, reason_of(explanations, name, one))
            for name, suspects in found.items()
            for one in suspects
        ],
        "stale_explanations": stale(explanations, found),
        "broken": {
            name: {"says": str(broken), "calls": []}
            for one in done
            for name, broken in one.broken.items()
        },
    }


def _mutants(
    package: Package, laws: Sequence[Law], search: LawSearch, say: Progress
) -> dict[str, Any]:
    """Return how many mutants break a law, the survivors, and the laws that none breaks."""
    mutants = tool_mutants(package)
    ends = []
    for end in run_mutants(package.path, mutants, search.mutants, search.workers):
        ends.append(end)
        say(f"Ran {len(ends)} of {len(mutants)} mutants")
    broken = {name for end in ends for name in end.broken}
    return {
        "mutants": len(ends),
        "caught": sum(bool(end.broken) for end in ends),
        "survivors": sorted(str(end.mutant) for end in ends if not end.broken),
        "unbroken": [law.name for law in laws if law.line and law.name not in broken],
    }


def _at_start(package: Package, laws: Sequence[Law], watch: Watch) -> Searched:
    checker = LawChecker(package, laws, watch)
    found = checker.broken_at_start(episode_of(package, watch))
    breaches = [Breach(law.name, (), row) for law, row in found]
    return Searched(breaches, set(), checker.failed, 0, set(), set(), {})


def _part(package: Package, laws: Sequence[Law], seed: str, calls: int, watch: Watch) -> Searched:
    return EpisodeSearch(package, laws, seed, watch).run(calls)


def still_broken(path: Path, report: Mapping[str, Any]) -> list[tuple[str, bool]]:
    """Make the episodes of a report again; return each law, and whether it is broken still.

    Args:
        path: The package's folder.
        report: What ``LawsReport.write`` wrote.

    Raises:
        PackageLoadError: The folder holds no package.
        ToolworldError: It is no such report.
    """
    work = partial(_again, load_package(path), _episodes(report))
    (done,) = run_guarded([work], {}, Limits(), 1, lambda _: None)
    return done.value


def _again(
    package: Package, episodes: Sequence[tuple[str, Sequence[PlannedCall]]], watch: Watch
) -> list[tuple[str, bool]]:
    laws = {law.name: law for law in laws_of(package)}
    environment = episode_of(package, watch)
    checker = LawChecker(package, list(laws.values()), watch)
    shortener = EpisodeShortener(environment, checker)
    broken = {law.name for law, _ in checker.broken_at_start(environment)}
    return [
        (name, name in broken or (name in laws and bool(shortener.breaks(laws[name], calls))))
        for name, calls in episodes
    ]


def read_report(path: Path) -> Mapping[str, Any]:
    """Read a report that was written before.

    Raises:
        ToolworldError: There is no such file, or it holds no report.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ToolworldError(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise ToolworldError(f"{path} holds no report: it is no JSON.") from error
    if not isinstance(content, dict):
        raise ToolworldError(f"{path} holds no report of laws.")
    return content


def _episodes(report: Mapping[str, Any]) -> list[tuple[str, list[PlannedCall]]]:
    try:
        return [
            (one["law"], [PlannedCall(call["tool"], call["arguments"]) for call in one["calls"]])
            for one in report["findings"]
        ]
    except (KeyError, TypeError) as error:
        raise ToolworldError(
            "This is no report of laws. Write one: toolworld laws PATH --json FILE"
        ) from error


def _content(
    package: Package, laws: Sequence[Law], done: Sequence[Done[Searched]]
) -> dict[str, Any]:
    by_name = {law.name: law for law in laws}
    parts = [one.value for one in done]
    banned = {name: broken for one in done for name, broken in one.broken.items()}
    asked = set().union(*(part.asked for part in parts))
    failed = {name: reason for part in parts for name, reason in part.failed.items()}
    failed |= {name: str(banned[name]) for name in by_name if name in banned}
    breaches = _shortest(breach for part in parts for breach in part.breaches)
    reached = set().union(*(part.reached for part in parts))
    surface = surface_of(package)
    writers = [tool.name for tool in surface.tools.values() if not tool.read_only]
    return {
        "package": package.name,
        "laws": len(laws),
        "calls": sum(part.calls for part in parts),
        "findings": [finding_of(by_name[one.law], one, surface) for one in breaches],
        "contradicting": _contradicting(breaches, parts),
        "failed": failed,
        "idle": [
            law.name
            for law in laws
            if law.name not in asked and law.name not in failed and _can_break(law, surface.tools)
        ],
        "broken": {
            name: {"says": str(broken), "calls": calls_of(_broke(parts, name))}
            for name, broken in _tools(banned, by_name).items()
        },
        "unreached": [name for name in writers if name not in reached],
    }


def _contradicting(
    breaches: Sequence[Breach], parts: Sequence[Searched]
) -> dict[str, list[JsonValue]]:
    """Return, by tool, the laws such that each call of the tool breaks one of them."""
    lawful = set().union(*(part.lawful for part in parts))
    broken: dict[str, list[JsonValue]] = {}
    for one in breaches:
        if one.calls and one.tools[-1] not in lawful:
            broken.setdefault(one.tools[-1], []).append(one.law)
    return {tool: laws for tool, laws in broken.items() if len(laws) > 1}


def _broke(parts: Sequence[Searched], tool: str) -> tuple[PlannedCall, ...]:
    """Return the shortest episode that shows a broken tool; empty if the tool hung."""
    return min((part.broke[tool] for part in parts if tool in part.broke), key=len, default=())


def _can_break(law: Law, tools: Mapping[str, ToolFacts]) -> bool:
    """Return whether a law is a written one, or a rule on columns that tools change."""
    return bool(law.line) or any(law.reads & tool.changed_tables for tool in tools.values())


def _tools(banned: Mapping[str, Broken], laws: Mapping[str, Law]) -> dict[str, Broken]:
    return {name: broken for name, broken in banned.items() if name not in laws}


def _shortest(breaches: Iterable[Breach]) -> list[Breach]:
    """Return one breach for each law and tool that breaks it last, the shortest."""
    best: dict[tuple[str, str], Breach] = {}
    for one in breaches:
        key = one.law, one.tools[-1] if one.calls else ""
        if key not in best or len(one.calls) < len(best[key].calls):
            best[key] = one
    return [best[key] for key in sorted(best)]


def _silent(_: str) -> None:
    return
