"""What a search for broken laws found: the data, and how people see it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.text import Text

from toolworld.artifacts import write_report
from toolworld.jsonvalues import JsonObject
from toolworld.laws.law import Law
from toolworld.laws.search import Breach


@dataclass(frozen=True)
class LawsReport:
    """What a search found. Printing it with rich shows it as people read it.

    Attributes:
        content: The report as JSON values: ``package``, ``laws``, ``calls``, ``findings`` (each
            with its law, sentence, clause, the row of the seed data that breaks it, or the calls
            that do), ``failed`` (laws that fail, and why), ``idle`` (laws that were never asked),
            ``broken`` (tools that do what none may), ``unreached`` (tools of which no call
            changed anything) and, if they were run, ``mutants``: how many there are and were
            caught, the ``survivors``, and the written laws that none breaks, as ``unbroken``;
            none is run where there are findings or broken tools.
    """

    content: Mapping[str, Any]

    @property
    def passed(self) -> bool:
        """Whether every law was asked, held and did not fail, and no tool did what none may."""
        return not any(self.content[name] for name in ("findings", "failed", "idle", "broken"))

    def write(self, path: Path) -> None:
        """Write the report as JSON.

        Raises:
            ToolworldError: The file cannot be written.
        """
        write_report(path, self.content)

    def __rich__(self) -> RenderableType:
        """Show the report as people read it."""
        return Group(*(Text.from_markup(line) for line in _lines(self.content)))


def finding_of(law: Law, breach: Breach) -> JsonObject:
    """Return a broken law as the report tells it."""
    return {
        "law": law.name,
        "sentence": law.sentence,
        "clause": law.clause,
        "row": breach.row,
        "calls": [{"tool": one.tool, "arguments": dict(one.arguments)} for one in breach.calls],
    }


def _lines(content: Mapping[str, Any]) -> Iterator[str]:
    laws, findings = content["laws"], content["findings"]
    yield f"{content['package']}: {laws} laws, {content['calls']:,} calls, {len(findings)} findings"
    for one in findings:
        clause = f" (clause {one['clause']})" if one["clause"] else ""
        yield f"\n[red]{one['law']}[/red]{clause}: {escape(one['sentence'])}"
        yield from _episode(one)
    for name, reason in content["failed"].items():
        yield f"[red]{name} fails[/red]: {escape(reason)}. Mend the law or the rule."
    for name in content["idle"]:
        yield f"[yellow]{name} was never asked[/yellow]: no call changed what it is about."
    for name, reason in content["broken"].items():
        yield f"[red]{name}[/red] {escape(reason)}"
    if "mutants" in content:
        yield from _mutants(content["mutants"])
    if content["unreached"]:
        yield f"No call of these changed anything: {', '.join(content['unreached'])}"


def _mutants(found: Mapping[str, Any]) -> Iterator[str]:
    yield f"\n{found['caught']} of {found['mutants']} mutants of the tools are caught."
    yield from (f"  alive: {escape(one)}" for one in found["survivors"])
    if found["unbroken"]:
        yield f"No mutant breaks these laws: {', '.join(found['unbroken'])}"


def _episode(finding: Mapping[str, Any]) -> Sequence[str]:
    if not finding["calls"]:
        return [f"  The seed data break it{': ' + finding['row'] if finding['row'] else ''}."]
    return [
        f"  {number}. {one['tool']} {escape(json.dumps(one['arguments'], ensure_ascii=False))}"
        for number, one in enumerate(finding["calls"], 1)
    ]
