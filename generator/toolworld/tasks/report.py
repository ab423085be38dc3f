"""What came of making tasks: the data, its JSON form, and how people see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from toolworld.graph import ToolGraph
from toolworld.jsonvalues import JsonObject
from toolworld.packages import Package
from toolworld.reports import JsonReport
from toolworld.tasks.make import ScenarioTasks
from toolworld.tasks.scenarios.making import Making
from toolworld.tasks.scenarios.measure import MutantCount
from toolworld.tasks.verify.breaches import BreachCount
from toolworld.tasks.wanting import wanting

MOST_SHOWN = 6


@dataclass(frozen=True)
class TasksReport(JsonReport):
    """What came of making tasks. Printing it with rich shows a table.

    Attributes:
        content: The report as JSON values: ``asked``, ``delivered``, ``seconds``, ``replaced``
            (how many tasks made before these took the place of), ``levels``, ``kinds`` (tasks by
            how they end), ``conversations``, ``twins``, ``bare_words``, ``relayed``,
            ``scenarios`` (outcomes, branches, what was dropped and what is to be mended, by
            name), ``wanting`` (what no scenario uses, and chains that lead there); with mutants
            ``mutants`` (how many there are), ``survivors`` and ``earning`` as ``MutantCount`` has
            them, ``breaches`` (in how many scenarios an agent that errs breaks each clause kept by
            conduct), ``unbroken`` (the clauses that none breaks) and ``wrong_breaches``.
    """

    @property
    def short(self) -> int:
        """How many tasks are missing."""
        return max(0, int(self.content["asked"] - self.content["delivered"]))

    @property
    def faulty(self) -> bool:
        """Whether a scenario or a breach has something that its author must mend."""
        wrong = bool(self.content.get("wrong_breaches"))
        scenarios = self.content["scenarios"].values()
        return wrong or any(one["faults"] or one["missed"] for one in scenarios)

    def __rich__(self) -> RenderableType:
        """Show the report as people read it."""
        content = self.content
        table = Table(box=None, show_header=False)
        levels = ", ".join(f"{count} {level}" for level, count in content["levels"].items())
        table.add_row("tasks", f"{content['delivered']} of {content['asked']} ({levels})")
        kinds = ", ".join(f"{count} {kind}" for kind, count in content["kinds"].items())
        table.add_row("ends", kinds)
        table.add_row("with a conversation", str(content["conversations"]))
        table.add_row("with a twin", str(content["twins"]))
        if "mutants" in content:
            differ = content["mutants"] - len(content["survivors"])
            earn = len(content["earning"])
            told = f"{differ} of {content['mutants']}, of which {earn} earn every reward"
            table.add_row("mutants that end otherwise", told)
        table.add_row("seconds", str(content["seconds"]))
        parts: list[RenderableType] = [table]
        for name, one in content["scenarios"].items():
            parts += [Text(line) for line in _lines(name, one)]
        parts += [Text(f"a mutant lives: {what}") for what in content.get("survivors", ())]
        parts += [Text(f"to mend: {what}") for what in content.get("wrong_breaches", ())]
        parts += [
            Text(f"policy.md: no agent that errs breaks clause {number}: write a breach of it.")
            for number in content.get("unbroken", ())
        ]
        parts += [Text(line) for line in content["wanting"]]
        return Group(*parts)


def _lines(name: str, one: Mapping[str, Any]) -> list[str]:
    """Return the lines about a scenario; none if all is well."""
    lines = [f"{name}: to mend: {fault} ({count} times)" for fault, count in one["faults"].items()]
    lines += [f"{name}: never taken: {branch}" for branch in one["missed"]]
    dropped = list(one["dropped"].items())[:MOST_SHOWN]
    lines += [f"{name}: dropped: {why} ({count} times)" for why, count in dropped if "[" in why]
    return lines


def content_of(
    package: Package,
    graph: ToolGraph,
    tasks: Sequence[JsonObject],
    made: Sequence[ScenarioTasks],
    mutants: MutantCount | None = None,
    breaches: BreachCount | None = None,
) -> dict[str, Any]:
    """Return a report's content about tasks and their scenarios."""
    scenarios = {scenario.name: scenario.words.outcomes for scenario in Making(package).scenarios}
    kinds = Counter(scenarios[str(one["scenario"])][str(one["outcome"])].kind for one in tasks)
    return {
        "delivered": len(tasks),
        "levels": dict(Counter(_level(task) for task in tasks)),
        "kinds": dict(kinds.most_common()),
        "conversations": sum(bool(task["conversation"]) for task in tasks),
        "twins": sum(bool(task["twin"]) for task in tasks),
        "bare_words": sum(_is_bare_word(task) for task in tasks),
        "relayed": sum(one.relayed for one in made),
        "scenarios": {one.scenario: _of_scenario(one) for one in made},
        **(_of_mutants(mutants) if mutants else {}),
        **(_of_breaches(breaches) if breaches else {}),
        "wanting": wanting(package, graph, tasks),
    }


def _of_mutants(mutants: MutantCount) -> JsonObject:
    return {
        "mutants": mutants.mutants,
        "survivors": [*mutants.survivors],
        "earning": [*mutants.earning],
    }


def _of_breaches(breaches: BreachCount) -> JsonObject:
    counts: JsonObject = dict(breaches.scenarios)
    return {
        "breaches": counts,
        "unbroken": [*breaches.unbroken],
        "wrong_breaches": [*breaches.wrong],
    }


def _of_scenario(one: ScenarioTasks) -> JsonObject:
    return {
        "tasks": len(one.tasks),
        "outcomes": dict(Counter(str(task["outcome"]) for task in one.tasks)),
        "drawn": dict(one.outcomes),
        "draws": one.draws,
        "branches": one.branches,
        "missed": list(one.missed),
        "faults": dict(one.faults.most_common(MOST_SHOWN)),
        "dropped": dict(one.dropped.most_common(2 * MOST_SHOWN)),
    }


def _level(task: Mapping[str, Any]) -> str:
    return str(task["difficulty"]["level"])


def _is_bare_word(task: Mapping[str, Any]) -> bool:
    """Return whether all that a task asks for is a word without a figure."""
    goal = task["goal"]
    firsts = [one[0] if isinstance(one, list) else one for one in goal["answers"]]
    return not goal["changes"] and all(
        isinstance(one, str) and not any(letter.isdigit() for letter in one) for one in firsts
    )
