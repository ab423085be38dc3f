"""The report of an audit: the data, its JSON form, and how people see it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Column, Table
from rich.text import Text

from toolworld.audit.sheet import Sheet
from toolworld.reports import JsonReport

STYLES = {"confirmed": "red", "refuted": "dim", "broken": "yellow"}
MOST_SHOWN = 300
SEVERITIES = ("high", "medium", "low")

Json = Any


@dataclass(frozen=True)
class AuditReport(JsonReport):
    """What an audit found. Printing it with rich shows a table.

    Attributes:
        content: The report as JSON values: ``package``, ``model``, ``seed``, ``tools``,
            ``tables`` and ``tasks`` (how many were looked at), ``asked`` (the questions, each
            with its subjects and why it has no answer, if so), ``confirmed``, ``refuted`` and
            ``broken`` (how many findings), ``findings`` and ``tokens``.
    """

    @classmethod
    def of(
        cls, package: str, model: str, seed: int, sheets: Iterable[Sheet], figures: Json
    ) -> AuditReport:
        """Return the report of some sheets, its findings sorted by status and severity."""
        sheets = list(sheets)
        findings = [one.as_json() for sheet in sheets for one in sheet.judged]
        findings.sort(key=_order)
        looked = {
            stage: sum(len(sheet.subjects) for sheet in sheets if sheet.topic.name == stage)
            for stage in ("tools", "data", "tasks")
        }
        return cls({
            "package": package,
            "model": model,
            "seed": seed,
            "tools": looked["tools"],
            "tables": looked["data"],
            "tasks": looked["tasks"],
            "asked": [_asked(sheet) for sheet in sheets],
            **{name: sum(one["status"] == name for one in findings) for name in STYLES},
            "findings": findings,
            "tokens": figures,
        })  # fmt: skip

    @property
    def failed(self) -> bool:
        """Whether a confirmed finding is of high severity, or a question has no answer."""
        return any(_is_grave(one) for one in self.content["findings"]) or any(
            one["trouble"] for one in self.content["asked"]
        )

    def __rich__(self) -> RenderableType:
        """Show the report as people read it."""
        content = self.content
        table = Table(Column("finding", no_wrap=True), Column("about", no_wrap=True), "", box=None)
        for one in content["findings"]:
            table.add_row(*(Text(text, STYLES[one["status"]]) for text in _row(one)))
        parts: list[RenderableType] = [table] if content["findings"] else []
        parts += [
            Text(f"no answer on {', '.join(one['subjects'])}: {one['trouble']}", "red")
            for one in content["asked"]
            if one["trouble"]
        ]
        return Group(*parts, Text(_total(content)))


def _asked(sheet: Sheet) -> dict[str, Json]:
    name = f"{sheet.topic.name}-{sheet.group}"
    return {"question": name, "subjects": list(sheet.subjects), "trouble": sheet.trouble}


def _order(finding: Mapping[str, Json]) -> tuple[int, int]:
    return [*STYLES].index(finding["status"]), SEVERITIES.index(finding["severity"])


def _is_grave(finding: Mapping[str, Json]) -> bool:
    return bool(finding["status"] == "confirmed" and finding["severity"] == "high")


def _row(finding: Mapping[str, Json]) -> tuple[str, str, str]:
    status, told = finding["status"], f"{finding['kind']}: {finding['claim']}"
    if status != "refuted":
        told = f"{told}\n{finding['why'][:MOST_SHOWN]}"
    return f"{status}, {finding['severity']}", finding["subject"], told


def _total(content: Mapping[str, Json]) -> str:
    tokens = content["tokens"]
    about = "about " if tokens["estimated"] else ""
    cost = "" if tokens["cost"] is None else f", ${tokens['cost']:.2f}"
    looked = f"{content['tools']} tools, {content['tables']} tables, {content['tasks']} tasks"
    found = f"{content['confirmed']} confirmed, {content['refuted']} refuted"
    used = f"{tokens['prompts']} prompts, {about}{tokens['tokens']:,} tokens{cost}"
    return f"{looked}: {found}, {content['broken']} broken findings. {used}."
