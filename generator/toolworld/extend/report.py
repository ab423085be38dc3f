"""The report of extending a domain: the data, its JSON form, and how people see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from toolworld.extend.drafting import STAGE, AreaDraft
from toolworld.jsonvalues import JsonObject
from toolworld.reports import JsonReport

LONGEST = 400


@dataclass(frozen=True)
class ExtendReport(JsonReport):
    """What a model added to a domain. Printing it with rich shows a table.

    Attributes:
        content: The report as JSON values: ``domain``, ``model``, ``areas`` (each with its
            chains, tools, the scenarios that passed, and what is wrong with those that did not),
            ``passed_by_round`` and ``tokens``.
    """

    @classmethod
    def of(
        cls, domain: str, model: str, drafts: Sequence[AreaDraft], figures: Mapping[str, Any]
    ) -> ExtendReport:
        """Return the report of the areas' drafts and the ledger's figures."""
        stage = figures["by_stage"].get(STAGE, {})
        return cls({
            "domain": domain,
            "model": model,
            "areas": {one.area.name: _area(one) for one in drafts},
            "passed_by_round": stage.get("passed_by_round", {}),
            "tokens": dict(figures),
        })  # fmt: skip

    @property
    def failed(self) -> bool:
        """Whether an area has no scenario that passed."""
        return not all(one["passed"] for one in self.content["areas"].values())

    def __rich__(self) -> RenderableType:
        """Show the report as people read it."""
        content, table = self.content, Table(box=None, show_header=False)
        rounds = ", ".join(f"{n} at answer {k}" for k, n in content["passed_by_round"].items())
        passed = sum(len(one["passed"]) for one in content["areas"].values())
        table.add_row("scenarios", f"{passed}: {rounds}" if passed else "none")
        for name, one in content["areas"].items():
            table.add_row(name, ", ".join(one["passed"]) or "nothing passed")
        tokens = content["tokens"]
        table.add_row("prompts", f"{tokens['prompts']}, {tokens['tokens']:,} tokens")
        dropped = [
            Text(f"dropped: {name}: {texts[0]}"[:LONGEST])
            for one in content["areas"].values()
            for name, texts in one["dropped"].items()
        ]
        return Group(table, *dropped)


def _area(draft: AreaDraft) -> JsonObject:
    return {
        "chains": [list(chain) for chain in draft.area.chains],
        "tools": list(draft.area.tools),
        "passed": list(draft.passed),
        "dropped": {name: list(draft.wrong.get(name, ())) for name in draft.open},
    }
