"""The report of a draft and its package: the data, its JSON and HTML, how people see it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from toolworld import bundled
from toolworld.artifacts import write_whole
from toolworld.draft.run import Drafted
from toolworld.errors import ToolworldError
from toolworld.reports import JsonReport

Json = Any


NAME = "report.json"
LONG = ("by_tool", "by_package", "survivors", "advice", "stale_explanations")
"""Lists that a report leaves out."""
HANGS_ON = {"build": ("proof", "graph", "tasks", "replay"), "tasks": ("replay",)}
"""The parts of a report that no longer hold once a step is taken again."""


@dataclass(frozen=True)
class DraftReport(JsonReport):
    """What was made of a keyword. Printing it with rich shows a table.

    Attributes:
        content: The report as JSON values, as far as steps were taken: ``domain``, ``model``,
            ``tools`` (asked, delivered, passed by round, dropped), ``tokens`` (in all, by stage,
            by task), ``proof``, ``graph``, ``tasks``, ``replay`` and ``seconds``.
    """

    @classmethod
    def of(cls, drafted: Drafted, model: str) -> DraftReport:
        """Start a report with a draft."""
        return cls({
            "domain": drafted.name,
            "model": model,
            "tools": drafted.tools,
            "tokens": {**drafted.figures, "by_task": None},
            "seconds": {},
        })  # fmt: skip

    @staticmethod
    def is_in(folder: Path) -> bool:
        """Whether a folder has a report."""
        return (folder / NAME).is_file()

    @classmethod
    def read(cls, folder: Path) -> DraftReport:
        """Return a folder's report.

        Raises:
            ToolworldError: There is none, or it is broken.
        """
        path = folder / NAME
        try:
            content = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise ToolworldError(f"{path} cannot be read as a report: {error}") from error
        if not isinstance(content, dict) or not isinstance(content.get("seconds"), dict):
            raise ToolworldError(f"{path} is no report; take it away and build the package again.")
        return cls(content)

    def noted(self, step: str, seconds: float, **parts: Mapping[str, Json] | str) -> DraftReport:
        """Return the report after one more step.

        Args:
            step: The step's name.
            seconds: How long it took.
            parts: What it found.
        """
        gone = HANGS_ON.get(step, ())
        kept = {name: value for name, value in self.content.items() if name not in gone}
        kept |= {name: _short(part) for name, part in parts.items()}
        kept["seconds"] = {**self.content["seconds"], step: seconds}
        if "tokens" in kept:
            delivered = kept["tasks"]["delivered"] if "tasks" in kept else 0
            by_task = round(kept["tokens"]["tokens"] / delivered) if delivered else None
            kept["tokens"] = {**kept["tokens"], "by_task": by_task}
        return DraftReport(kept)

    @property
    def failed(self) -> bool:
        """Whether tools were dropped, tasks are missing, or something did not pass."""
        tools, proof, tasks, replay = map(self.content.get, ("tools", "proof", "tasks", "replay"))
        return bool(
            (tools and tools["dropped"])
            or (proof and proof["failures"])
            or (tasks and tasks["asked"] > tasks["delivered"])
            or (replay and replay["failed"])
        )

    def write_pages(self, folder: Path) -> None:
        """Write ``report.json`` and ``report.html``.

        Raises:
            ToolworldError: They cannot be written.
        """
        self.write(folder / NAME)
        page = folder / "report.html"
        try:
            write_whole(page, self.as_html())
        except OSError as error:
            raise ToolworldError(f"The report cannot be written to {page}: {error}") from error

    def as_html(self) -> str:
        """Return the report as one page that needs no network."""
        environment = Environment(
            loader=FileSystemLoader(bundled.templates() / "report"),
            undefined=StrictUndefined,
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        return environment.get_template("page.html.jinja").render(self.content, lines=self.lines())

    def lines(self) -> list[tuple[str, str]]:
        """Return the figures that matter most, each with its name."""
        return [
            line
            for name, lines in LINES.items()
            if name in self.content
            for line in lines(self.content[name])
        ]

    def __rich__(self) -> RenderableType:
        """Show the report as people read it."""
        table = Table(box=None, show_header=False)
        for name, text in self.lines():
            table.add_row(name, text)
        dropped = self.content.get("tools", {}).get("dropped", {})
        return Group(
            table, *(Text(f"dropped: {name}: {why}"[:400]) for name, why in dropped.items())
        )


def _tools(tools: Json) -> list[tuple[str, str]]:
    passed = ", ".join(f"{n} at answer {k}" for k, n in tools["passed_by_round"].items())
    return [("tools", f"{tools['delivered']} of {tools['asked']}: {passed}")]


def _tokens(tokens: Json) -> list[tuple[str, str]]:
    about = "about " if tokens["estimated"] else ""
    used = f"{about}{tokens['tokens']:,}"
    if tokens["by_task"] is not None:
        used += f", {tokens['by_task']:,} a task"
    if tokens["cost"] is not None:
        used += f", ${tokens['cost']:.2f}"
    prompts = f"{tokens['prompts']}, the largest of {tokens['largest_prompt']:,} tokens"
    return [("prompts", prompts), ("tokens", used)]


def _proof(proof: Json) -> list[tuple[str, str]]:
    return [
        ("branches", f"{proof['branches_covered']} of {proof['branches']} reached"),
        ("rejections", f"{proof['rejections_reached']} of {proof['rejections']} reached"),
        ("mutants", f"{proof['killed']} of {proof['mutants']} caught"),
    ]


def _graph(graph: Json) -> list[tuple[str, str]]:
    return [("graph", f"{graph['edges']} edges")]


def _tasks(tasks: Json) -> list[tuple[str, str]]:
    return [("tasks", f"{tasks['delivered']} of {tasks['asked']}, certified")]


def _replay(replay: Json) -> list[tuple[str, str]]:
    passed = f"{replay['passed']} of {replay['tasks']} passed over {replay['transport']}"
    return [("replay", passed)]


LINES: Mapping[str, Callable[[Json], list[tuple[str, str]]]] = {
    "tools": _tools,
    "tokens": _tokens,
    "proof": _proof,
    "graph": _graph,
    "tasks": _tasks,
    "replay": _replay,
}
"""Returns the lines of each part of a report, in the order of the parts."""


def _short(part: Mapping[str, Json] | str) -> Json:
    """Return a part without its long lists."""
    if isinstance(part, str):
        return part
    return {name: value for name, value in part.items() if name not in LONG}
