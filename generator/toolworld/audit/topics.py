"""What an audit asks about: the tools, the data, and some tasks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolworld.audit.answers import DataFinding, Findings, TaskFinding, ToolFinding
from toolworld.audit.groups import fitted, groups_of
from toolworld.audit.views import shared_view, table_view, task_view, tool_view
from toolworld.llm.names import Names

MOST_TOOLS, MOST_TABLES, MOST_TASKS = 6, 40, 10

Json = Any
View = Callable[[Mapping[str, Json]], str]


@dataclass(frozen=True)
class Topic:
    """One kind of thing that is audited.

    Attributes:
        name: ``tools``, ``data`` or ``tasks``; the prompt is ``audit_<name>``.
        kind: The type of an answer.
        subjects: The evidence about each subject, by name.
        view: Returns a subject in words.
        more: Returns what several subjects need in addition, in words.
        most: The most subjects in a prompt.
        names: The names that an answer may use.
    """

    name: str
    kind: type[Findings[Any]]
    subjects: Mapping[str, Json]
    view: View
    more: Callable[[Sequence[Json]], str]
    most: int
    names: Names

    def groups(self) -> list[list[str]]:
        """Return the subjects in groups, one for each prompt."""
        return groups_of(list(self.subjects), self._text, self.most)

    def evidence(self, names: Sequence[str]) -> str:
        """Return the evidence about some subjects, as much as fits into a prompt."""
        return fitted(self._text(names))

    def _text(self, names: Sequence[str]) -> str:
        shown = [self.subjects[name] for name in names]
        return "\n\n".join([*map(self.view, shown), self.more(shown)]).strip()


def topics_of(evidence: Mapping[str, Json]) -> list[Topic]:
    """Return the topics to ask about for a package."""
    tools = {tool["name"]: tool for tool in evidence["tools"]}
    tables = {table["name"]: table for table in evidence["tables"]}
    tasks = {task["words"]["id"]: task for task in evidence["tasks"]}
    names = {"tool": list(tools), "table": list(tables), "task": list(tasks)}

    def shared(shown: Sequence[Json]) -> str:
        return shared_view(shown, evidence["shared"])

    return [
        Topic("tools", Findings[ToolFinding], tools, tool_view, shared, MOST_TOOLS, names),
        Topic("data", Findings[DataFinding], tables, table_view, _nothing, MOST_TABLES, names),
        Topic("tasks", Findings[TaskFinding], tasks, task_view, _nothing, MOST_TASKS, names),
    ]


def _nothing(_: Sequence[Json]) -> str:
    return ""
