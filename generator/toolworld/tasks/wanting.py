"""What no task uses yet: tools and clauses, and chains of calls that lead there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from toolworld.graph import ToolGraph, chains_to
from toolworld.packages import Package


def wanting(package: Package, graph: ToolGraph, tasks: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a line for each tool, edge and clause that wants a scenario."""
    used = Counter(
        name
        for task in tasks
        for name in {step["tool"] for step in task["gold"] if step.get("tool")}
    )
    clauses = {number for task in tasks for number in task["clauses"]}
    kept_by_tools = (one for one in package.modules.clauses.all_clauses() if one.kept_by == "tools")
    idle = [one.number for one in kept_by_tools if one.number not in clauses]
    unused = [name for name in graph.tools if not used[name]]
    lines = [f"no scenario uses: {', '.join(unused)}"] if unused else []
    lines += [f"no task turns on clause: {', '.join(idle)}"] if idle else []
    chains = chains_to(graph, unused, used)
    return lines + [f"a chain that wants a purpose: {' -> '.join(chain)}" for chain in chains]
