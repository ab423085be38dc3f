"""Rules between ``domain.yaml`` and the functions of ``tools.py`` and ``seed.py``."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable

from toolworld.spec.code import CodeParts
from toolworld.spec.effects import whole_facts
from toolworld.spec.findings import FileFindings, suggest
from toolworld.spec.model import DomainFile, Parameter, Tool
from toolworld.spec.reading import Notes
from toolworld.spec.rules import MODEL_ATTRIBUTES, RESERVED_TOOLS, is_keyword
from toolworld.spec.shapes import DATABASE, FAKE, INTEGER, NONE
from toolworld.spec.signatures import Signature

TOOL_NAME = re.compile(r"[a-z][a-z0-9_]{2,39}")
PARAMETER_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
SEED_SHAPES = (DATABASE, FAKE, INTEGER)
MOST_SUMMARY = 200


def lint_tools(domain: DomainFile, code: CodeParts, findings: FileFindings, notes: Notes) -> None:
    """Check the tools' names and documentation, and that every table is used."""
    if not code.tools:
        findings.add(0, "no-tools", "There is no tool.", "Write a public function.")
    whole = whole_facts(code.facts)
    for tool in code.tools:
        _lint_name(tool, findings)
        for parameter in tool.parameters:
            _lint_parameter(tool, parameter, findings)
        if tool.paged:
            _lint_page(tool, findings)
        if whole[tool.name].codes and not tool.rejections and tool.summary:
            findings.add(
                tool.line, "undocumented-rejection", f"{tool.name} can reject but does not say so.",
                "Add `Raises:` with a line `Rejected: ...` for each way.",
            )  # fmt: skip
    _lint_unused_tables(domain, code, notes)


def is_reserved(name: str) -> bool:
    """Return whether a tool cannot have a name because it means something else."""
    return name in RESERVED_TOOLS or is_keyword(name) or name in dir(builtins)


def _lint_name(tool: Tool, findings: FileFindings) -> None:
    if not TOOL_NAME.fullmatch(tool.name):
        findings.add(
            tool.line, "tool-name", f"The tool name {tool.name} is not allowed.",
            "Use 3 to 40 lower-case letters, digits and _, a letter first.",
        )  # fmt: skip
    if is_reserved(tool.name):
        findings.add(
            tool.line, "reserved-name", f"The tool name {tool.name} is reserved.",
            "Say what it does to what, such as cancel_order.",
        )  # fmt: skip
    if len(tool.summary) > MOST_SUMMARY:
        findings.add(
            tool.line, "summary", f"The summary of {tool.name} is {len(tool.summary)} long.",
            "Keep it to one line, and put the rest after an empty line.",
        )  # fmt: skip


def _lint_parameter(tool: Tool, parameter: Parameter, findings: FileFindings) -> None:
    name = parameter.name
    if not PARAMETER_NAME.fullmatch(name) or name in MODEL_ATTRIBUTES:
        findings.add(
            tool.line, "reserved-name", f"{tool.name} cannot have a parameter {name}.",
            "Use lower-case letters, digits and _, and not a name of pydantic's.",
        )  # fmt: skip


def _lint_page(tool: Tool, findings: FileFindings) -> None:
    given = {parameter.name: parameter for parameter in tool.parameters}
    cursor, limit = given.get("cursor"), given.get("limit")
    if cursor is None or cursor.type != "text" or cursor.required:
        findings.add(
            tool.line, "page-parameters", f"{tool.name} returns a page but takes no cursor.",
            "Add `cursor: str | None = None`.",
        )  # fmt: skip
    if limit is None or limit.type != "integer" or limit.required:
        findings.add(
            tool.line, "page-parameters", f"{tool.name} returns a page but takes no limit.",
            "Add `limit: int = 50`.",
        )  # fmt: skip


def _lint_unused_tables(domain: DomainFile, code: CodeParts, notes: Notes) -> None:
    used: set[str] = set()
    for tool in code.tools:
        effects = tool.effects
        names = [*effects.reads, *effects.writes, *effects.creates, *effects.deletes]
        used |= {name.split(".")[0] for name in names}
    for name, entity in domain.entities.items():
        if entity.table not in used:
            notes.add(
                ("entities", name, "table"), "unused-table",
                f"No tool reads or writes {entity.table}.", "Write one, or drop the entity.",
            )  # fmt: skip


def lint_seed(
    domain: DomainFile, seeds: Iterable[Signature], findings: FileFindings, notes: Notes
) -> None:
    """Check that ``seed:`` and the functions of ``seed.py`` name each other."""
    found = {seed.name: seed for seed in seeds if not seed.is_helper}
    wanted = {f"seed_{name}" for name in domain.seed}
    for name in domain.seed:
        if f"seed_{name}" not in found:
            notes.add(
                ("seed", name), "seed", f"seed.py has no function seed_{name}.",
                suggest(f"seed_{name}", found),
            )  # fmt: skip
    for name, seed in found.items():
        if name not in wanted:
            findings.add(
                seed.node, "seed", f"{name} is not under `seed:` in domain.yaml.",
                "Add it there with a count, or make it a helper, `_name`.",
            )  # fmt: skip
        shapes = tuple(slot.shape for slot in seed.slots)
        if shapes != SEED_SHAPES or seed.result != NONE:
            findings.add(
                seed.node, "seed", f"{name} has the wrong parameters or result.",
                "Write `(db: Database, fake: Fake, count: int) -> None`.",
            )  # fmt: skip
