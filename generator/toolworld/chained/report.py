"""What came of making tasks from chains: the data, its JSON form, and how people see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text


@dataclass(frozen=True)
class ChainedReport:
    """What came of making tasks. Printing it with rich shows a table.

    Attributes:
        content: The report as JSON values: ``asked``, ``delivered``, ``dropped`` (how often, by
            reason), ``seconds``, ``tools_used``, ``edges_used``, ``tools`` and ``edges`` (how
            many there are), ``levels``, ``attempts``, ``replaced`` (how many tasks made before
            these took the place of), ``unused_tools``, ``unknowable`` (arguments that no one can
            know) and ``advice``.
    """

    content: Mapping[str, Any]

    @property
    def short(self) -> int:
        """How many tasks are missing."""
        return int(self.content["asked"] - self.content["delivered"])

    def __rich__(self) -> RenderableType:
        """Show the report as people read it."""
        content = self.content
        table = Table(box=None, show_header=False)
        levels = ", ".join(f"{count} {level}" for level, count in content["levels"].items())
        table.add_row("tasks", f"{content['delivered']} of {content['asked']} ({levels})")
        if content["replaced"]:
            table.add_row("replaced", f"{content['replaced']} tasks made before")
        table.add_row("tools used", f"{content['tools_used']} of {content['tools']}")
        table.add_row("edges used", f"{content['edges_used']} of {content['edges']}")
        table.add_row("attempts", f"{content['attempts']} in {content['seconds']} s")
        parts: list[RenderableType] = [table]
        parts += [Text(f"dropped: {why}: {count}") for why, count in content["dropped"].items()]
        parts += [Text(text) for text in content["advice"]]
        return Group(*parts)
