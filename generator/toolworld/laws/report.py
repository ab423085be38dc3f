"""What a search for broken laws found: the data, and how people see it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.text import Text

from toolworld.graph.evidence import PlannedCall
from toolworld.graph.surface import Surface, ToolFacts
from toolworld.jsonvalues import JsonObject, JsonValue
from toolworld.laws.law import Law
from toolworld.laws.properties import Suspect
from toolworld.laws.search import Breach
from toolworld.reports import JsonReport

MEND_SEED = "Mend the recipe in seed.py, or the law."


@dataclass(frozen=True)
class LawsReport(JsonReport):
    """What a search found. Printing it with rich shows it as people read it.

    Attributes:
        content: The report as JSON values: ``package``, ``laws``, ``calls``, ``findings`` (each
            with its law, sentence, clause, severity, the row of the seed data that breaks it, or
            the calls that do, and what would mend it), ``contradicting`` (by tool, laws of which
            each call breaks one), ``failed`` (laws that fail, and why),
            ``idle`` (laws that were never asked), ``broken`` (tools that do what
            none may, and the calls that show it) and
            ``unreached`` (tools of which no call changed anything). If they were looked for,
            ``suspects`` has what looks wrong by a property that needs no author (each with its
            property, severity, tools, what differs, the calls, and ``because``, why it is meant),
            and ``stale_explanations`` those of ``explained.yaml`` that fit none. If they were
            run, ``mutants`` has how many there are and were caught, the ``survivors``, and the
            written laws that none breaks, as ``unbroken``; none is run where there are findings
            or broken tools.
    """

    @property
    def passed(self) -> bool:
        """Whether every law was checked and held, none failed, and no tool is broken."""
        return not any(self.content[name] for name in ("findings", "failed", "idle", "broken"))

    def __rich__(self) -> RenderableType:
        """Show the report as people read it."""
        return Group(*(Text.from_markup(line) for line in _lines(self.content)))


def finding_of(law: Law, breach: Breach, surface: Surface) -> JsonObject:
    """Return a broken law as the report tells it.

    Args:
        law: The law.
        breach: An episode that breaks it.
        surface: What the package says of its tools.
    """
    last = surface.tools[breach.tools[-1]] if breach.calls else None
    return {
        "law": law.name,
        "sentence": law.sentence,
        "clause": law.clause,
        "severity": _severity(breach.tools[-1:], surface),
        "row": breach.row,
        "calls": calls_of(breach.calls),
        "mend": _mend(law, last) if last is not None else MEND_SEED,
    }


def suspect_of(name: str, suspect: Suspect, surface: Surface, because: str | None) -> JsonObject:
    """Return a suspect as the report shows it.

    Args:
        name: The property that does not hold.
        suspect: What was found.
        surface: What the package says of its tools.
        because: Why it is meant; None if nobody says.
    """
    return {
        "property": name,
        "severity": _severity(suspect.tools, surface),
        "tools": list(suspect.tools),
        "about": suspect.about,
        "says": suspect.says,
        "calls": calls_of(suspect.calls),
        "because": because,
    }


def _severity(tools: Sequence[str], surface: Surface) -> str:
    """Return ``high`` if one of some tools can move money or add such rows, else ``medium``."""
    sums = {
        (entity.table, column)
        for entity in surface.entities.values()
        for column, kind in entity.columns.items()
        if kind == "money"
    }
    tables = {table for table, _ in sums}
    written = {f"{table}.{column}" for table, column in sums}
    facts = [surface.tools[name] for name in tools]
    moves = any(tool.writes & written or tool.creates & tables for tool in facts)
    return "high" if moves else "medium"


def _mend(law: Law, tool: ToolFacts) -> str:
    """Return the mend for a broken law."""
    unseen = sorted(law.reads - tool.read_tables)
    looks = f" It never looks at {', '.join(unseen)}." if unseen else ""
    return f"Let {tool.name} refuse it, or change with it what the law is about.{looks}"


def calls_of(calls: Sequence[PlannedCall]) -> list[JsonValue]:
    """Return an episode as the report tells it."""
    return [{"tool": one.tool, "arguments": dict(one.arguments)} for one in calls]


def _lines(content: Mapping[str, Any]) -> Iterator[str]:
    laws, findings = content["laws"], content["findings"]
    yield f"{content['package']}: {laws} laws, {content['calls']:,} calls, {len(findings)} findings"
    for one in findings:
        clause = f" (clause {one['clause']})" if one["clause"] else ""
        yield f"\n[red]{one['law']}[/red]{clause}: {escape(one['sentence'])}"
        yield from _episode(one)
        yield f"  {escape(one['mend'])}"
    for tool, names in content["contradicting"].items():
        yield f"[red]{', '.join(names)}[/red] may contradict: each call of {tool} breaks one."
    yield from _suspects(content.get("suspects", ()), content.get("stale_explanations", ()))
    for name, reason in content["failed"].items():
        yield f"[red]{name} fails[/red]: {escape(reason)}. Mend the law or the rule."
    for name in content["idle"]:
        yield f"[yellow]{name} was never asked[/yellow]: no call changed what it is about."
    for name, broken in content["broken"].items():
        yield f"[red]{name}[/red] {escape(broken['says'])}"
        yield from _episode(broken) if broken["calls"] else ()
    if "mutants" in content:
        yield from _mutants(content["mutants"])
    if content["unreached"]:
        yield f"No call of these changed anything: {', '.join(content['unreached'])}"


def _suspects(suspects: Sequence[Mapping[str, Any]], stale: Sequence[str]) -> Iterator[str]:
    meant = [one for one in suspects if one["because"] is not None]
    if suspects:
        yield f"\n{len(suspects)} suspects, of which explained.yaml explains {len(meant)}."
    for one in suspects:
        if one["because"] is None:
            tools = ", ".join(one["tools"])
            yield f"\n[yellow]{one['property']}[/yellow] {tools} ({escape(one['about'])})"
            yield f"  {escape(one['says'])}"
            yield from _episode(one)
    yield from (f"[yellow]explained.yaml[/yellow]: nothing is like {escape(one)}" for one in stale)


def _mutants(found: Mapping[str, Any]) -> Iterator[str]:
    yield f"\n{found['caught']} of {found['mutants']} mutants of the tools are caught."
    yield from (f"  alive: {escape(one)}" for one in found["survivors"])
    if found["unbroken"]:
        yield f"No mutant breaks these laws: {', '.join(found['unbroken'])}"


def _episode(finding: Mapping[str, Any]) -> Sequence[str]:
    if not finding["calls"]:
        return [f"  The seed data show it{': ' + finding['row'] if finding.get('row') else ''}."]
    return [
        f"  {number}. {one['tool']} {escape(json.dumps(one['arguments'], ensure_ascii=False))}"
        for number, one in enumerate(finding["calls"], 1)
    ]
