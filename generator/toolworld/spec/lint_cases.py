"""Rules for ``cases.yaml``: cases call tools there are, on tables there are, and expect one end."""

from __future__ import annotations

from toolworld.spec.drafts import CaseDraft
from toolworld.spec.findings import suggest
from toolworld.spec.model import DomainFile, Tool
from toolworld.spec.reading import Notes
from toolworld.spec.yamltext import Path


def lint_cases(
    domain: DomainFile, tools: tuple[Tool, ...], cases: tuple[CaseDraft, ...], notes: Notes
) -> None:
    """Check every drafted case against the domain and its tools."""
    seen: set[str] = set()
    for number, case in enumerate(cases):
        if case.name in seen:
            notes.add(
                (number, "name"), "duplicate-name", f"The case {case.name} stands here twice.",
                "Rename one of them.",
            )  # fmt: skip
        seen.add(case.name)
        _lint_names(domain, {tool.name: tool for tool in tools}, case, number, notes)
        if case.expect.rejected is not None and case.expect.changes:
            notes.add(
                (number, "expect"), "bad-case", "A rejected call changes nothing.",
                "Expect changes or a rejection.",
            )  # fmt: skip


def _lint_names(
    domain: DomainFile, tools: dict[str, Tool], case: CaseDraft, number: int, notes: Notes
) -> None:
    calls = [((number, "calls", index), call) for index, call in enumerate(case.calls)]
    places: list[tuple[Path, str]] = [(path, call.tool) for path, call in calls]
    for path, tool in [*places, ((number, "call"), case.call.tool)]:
        if tool not in tools:
            notes.add(
                (*path, "tool"), "unknown-tool", f"There is no tool {tool}.",
                suggest(tool, tools, "The domain has"),
            )  # fmt: skip
    tables = {entity.table for entity in domain.entities.values()}
    for key, rows in (("rows", case.rows), ("expect", case.expect.changes)):
        for table in sorted(rows.keys() - tables):
            notes.add(
                (number, key), "unknown-table", f"There is no table {table}.",
                suggest(table, tables, "The domain has"),
            )  # fmt: skip
