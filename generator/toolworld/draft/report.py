"""What a draft took and gave: the data, its JSON and HTML, and how people see it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from toolworld import bundled
from toolworld.draft.run import Drafted
from toolworld.errors import ToolworldError

Json = Any


@dataclass(frozen=True)
class DraftReport:
    """What a keyword was made into. Printing it with rich shows a table.

    Attributes:
        content: The report as JSON values: ``domain``, ``model``, ``tools`` (asked, delivered,
            passed by round, dropped), ``tokens`` (in all, by stage, a task), ``proof``,
            ``graph``, ``tasks``, ``replay`` and ``seconds``.
    """

    content: Mapping[str, Json]

    @classmethod
    def of(
        cls, drafted: Drafted, model: str, parts: Mapping[str, Json], seconds: Mapping[str, float]
    ) -> DraftReport:
        """Put a report together from what each step found."""
        delivered = parts["tasks"]["delivered"] if "tasks" in parts else 0
        used = drafted.figures
        return cls({
            "domain": drafted.name,
            "model": model,
            "tools": drafted.tools,
            "tokens": {**used, "by_task": round(used["tokens"] / delivered) if delivered else None},
            **{name: _short(part) for name, part in parts.items()},
            "seconds": dict(seconds),
        })  # fmt: skip

    @property
    def failed(self) -> bool:
        """Whether tools were dropped, tasks are missing, or something did not pass."""
        content = self.content
        tasks, replay = content.get("tasks"), content.get("replay")
        return bool(
            content["tools"]["dropped"]
            or content["proof"]["failures"]
            or (tasks and tasks["asked"] > tasks["delivered"])
            or (replay and replay["failed"])
        )

    def write(self, folder: Path) -> None:
        """Write ``report.json`` and ``report.html``.

        Raises:
            ToolworldError: They cannot be written.
        """
        _write(folder / "report.html", self.as_html())
        self.write_json(folder / "report.json")

    def write_json(self, path: Path) -> None:
        """Write the report as JSON.

        Raises:
            ToolworldError: It cannot be written.
        """
        _write(path, json.dumps(self.content, indent=2, ensure_ascii=False) + "\n")

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
        content = self.content
        tools, tokens, proof = content["tools"], content["tokens"], content["proof"]
        passed = ", ".join(f"{n} at answer {k}" for k, n in tools["passed_by_round"].items())
        lines = [
            ("tools", f"{tools['delivered']} of {tools['asked']}: {passed}"),
            ("prompts", f"{tokens['prompts']}, the largest of {tokens['largest_prompt']:,} tokens"),
            ("tokens", _tokens(tokens)),
            ("branches", f"{proof['branches_covered']} of {proof['branches']} reached"),
            ("rejections", f"{proof['rejections_reached']} of {proof['rejections']} reached"),
            ("mutants", f"{proof['killed']} of {proof['mutants']} caught"),
            ("graph", f"{content['graph']['edges']} edges"),
        ]
        if "tasks" in content:
            tasks, replay = content["tasks"], content["replay"]
            lines.append(("tasks", f"{tasks['delivered']} of {tasks['asked']}, certified"))
            lines.append(("replay", f"{replay['passed']} of {replay['tasks']} passed over stdio"))
        return lines

    def __rich__(self) -> RenderableType:
        """Show the report as people read it."""
        table = Table(box=None, show_header=False)
        for name, text in self.lines():
            table.add_row(name, text)
        dropped = self.content["tools"]["dropped"]
        return Group(
            table, *(Text(f"dropped: {name}: {why}"[:400]) for name, why in dropped.items())
        )


def _write(path: Path, text: str) -> None:
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    except OSError as error:
        raise ToolworldError(f"The report cannot be written to {path}: {error}") from error


def _tokens(tokens: Mapping[str, Json]) -> str:
    about = "about " if tokens["estimated"] else ""
    text = f"{about}{tokens['tokens']:,}"
    if tokens["by_task"] is not None:
        text += f", {tokens['by_task']:,} a task"
    return text if tokens["cost"] is None else f"{text}, ${tokens['cost']:.2f}"


def _short(part: Mapping[str, Json]) -> dict[str, Json]:
    """Return a report without its long lists."""
    long = ("by_tool", "by_package", "survivors", "advice", "stale_explanations")
    return {name: value for name, value in part.items() if name not in long}
