"""Finds what the proof of a drafted package has not reached, by tool."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolworld.packages import find_module
from toolworld.packages.tools_modules import tools_modules
from toolworld.prove import ProofReport
from toolworld.spec.findings import FileFindings
from toolworld.spec.source import parse_source

ENOUGH_KILLED = 0.9
MOST_SURVIVORS = 5
REFUSAL = "raise"
"""The beginning of a gap that is a refusal."""
SITES: dict[str, tuple[type[ast.AST], ...]] = {
    "refusals": (ast.Raise,),
    "branches": (ast.If, ast.IfExp, ast.For, ast.comprehension),
}
"""The parts that new code of a tool may not lose, by name."""


@dataclass(frozen=True)
class CoverageGap:
    """A line that no case has reached, or a mutant of it that no case has noticed.

    Attributes:
        function: The function it is in.
        source: The line's text.
        what: What was not reached or noticed.
        needed: Whether a case must reach it; a mutant may go unnoticed.
    """

    function: str
    source: str
    what: str
    needed: bool

    def __str__(self) -> str:
        """Return one line for a prompt."""
        return f"{self.what}, in `{self.source}`"


@dataclass(frozen=True)
class Module:
    """A package's tools as text, each function without its docstring.

    Attributes:
        lines: The lines of each file.
    """

    lines: Mapping[str, Sequence[str]]
    functions: Mapping[str, str]

    @classmethod
    def of(cls, package: Path) -> Module:
        """Read a package's tools."""
        texts = {one.file: one.text for one in tools_modules(find_module(package))}
        lines = {file: text.splitlines() for file, text in texts.items()}
        functions = {
            node.name: _without_docstring(node, lines[file])
            for file, text in texts.items()
            for node in ast.parse(text).body
            if isinstance(node, ast.FunctionDef)
        }
        return cls(lines, functions)

    def line(self, place: Mapping[str, Any]) -> str:
        """Return the text of the line that a proof names."""
        number: int = place["line"]
        return self.lines[place["file"]][number - 1].strip()

    def user_of(self, function: str, tools: Sequence[str]) -> str:
        """Return the tool that a function is, or the first one that leads to it; empty for none."""
        seen, waiting = {function}, [function]
        while waiting:
            name = waiting.pop(0)
            if name in tools:
                return name
            users = [one for one, text in self.functions.items()
                     if f"{name}(" in text and one not in seen]  # fmt: skip
            seen.update(users)
            waiting += users
        return ""


def _without_docstring(node: ast.FunctionDef, lines: Sequence[str]) -> str:
    """Return a function's text without its docstring."""
    end = node.end_lineno or node.lineno
    if ast.get_docstring(node) is None:
        return "\n".join(lines[node.lineno - 1 : end])
    said = node.body[0]
    head = lines[node.lineno - 1 : said.lineno - 1]
    return "\n".join([*head, *lines[(said.end_lineno or said.lineno) : end]])


def fewer_sites(old: str, new: str, gaps: Sequence[CoverageGap]) -> list[str]:
    """Return findings if new code of a tool leaves out more than what no case reached.

    Args:
        old: The present statements.
        new: The statements to replace them.
        gaps: What no case reached, and so may be left out.
    """
    needed = [gap for gap in gaps if gap.needed]
    refusals = sum(gap.what.startswith(REFUSAL) for gap in needed)
    branches = {gap.source for gap in needed if not gap.what.startswith(REFUSAL)}
    may_go = {"refusals": refusals, "branches": len(branches)}
    before, after = _sites(old), _sites(new)
    return [
        f"it has {after[what]} {what} of {before[what]}; leave out only what was not reached."
        for what in after
        if before[what] - after[what] > may_go[what]
    ]


def _sites(body: str) -> dict[str, int]:
    """Count the refusals and branches of some statements; empty if they cannot be read."""
    source = parse_source(textwrap.dedent(body), FileFindings("tools.py"))
    if source is None:
        return {}
    nodes = [*ast.walk(source.tree)]
    return {what: sum(isinstance(node, kinds) for node in nodes) for what, kinds in SITES.items()}


def gaps_of(report: ProofReport, module: Module) -> list[CoverageGap]:
    """Return what is not reached and, if too few mutants die, what is not noticed."""
    content = report.content
    found = [
        CoverageGap(one["function"], module.line(one), one["what"], True)
        for one in content["uncovered"]
    ]
    alive = [one for one in content["survivors"] if one["because"] is None]
    if content["mutants"] and content["killed"] / content["mutants"] < ENOUGH_KILLED:
        found += _unnoticed(alive)
    return list(dict.fromkeys(found))


def _unnoticed(survivors: Sequence[dict[str, Any]]) -> list[CoverageGap]:
    found: dict[str, list[CoverageGap]] = {}
    for one in survivors:
        gap = CoverageGap(
            one["function"], one["source"].strip(), f"not noticed: {one['change']}", False
        )
        found.setdefault(one["function"], []).append(gap)
    return [gap for gaps in found.values() for gap in gaps[:MOST_SURVIVORS]]
