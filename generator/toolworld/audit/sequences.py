"""Makes calls one after another in a fresh environment, and returns what they did.

It runs in the process that holds the package, each sequence in a child process of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from toolworld.emit.jobs import ChildEnd, Limits, Marker, OutOfTime, run_all, timed
from toolworld.prove.cases import CallEnd, CaseEnvironments, DoesNotFit, Patch

Json = Any
HANGS = "does not come back"
UNRESOLVED = "unresolved"
"""The end of a call that refers to a value that the earlier result does not hold."""


@dataclass(frozen=True)
class Steps:
    """Calls to be made one after another.

    Attributes:
        start: The task whose start they are made on; empty for the seed data.
        calls: Tools and arguments, in which ``{"$step": 0, "path": ...}`` stands for a value
            from an earlier result.
        rows: Tables and keys of the rows to look at afterwards.
    """

    start: str
    calls: Sequence[tuple[str, Mapping[str, Json]]]
    rows: Sequence[tuple[str, str]] = ()


def run_sequences(
    stage: CaseEnvironments, every: Iterable[Steps], starts: Mapping[str, Patch], limits: Limits
) -> list[Json]:
    """Run sequences and return the outcome of each, in order.

    Args:
        stage: Opens environments and makes calls.
        every: The sequences.
        starts: The rows that each task puts over the seed data.
        limits: The limits of each call and each sequence.
    """
    works = [partial(_run, stage, steps, starts.get(steps.start, {}), limits) for steps in every]
    ran = {number: ended for number, ended in run_all(works, limits, 1)}
    return [_value(ran[number]) for number in range(len(works))]


def nothing_ran() -> dict[str, Json]:
    """Return the outcome of no calls."""
    return {"ends": [], "rows": [], "changes": [], "death": ""}


def _value(ended: ChildEnd) -> Json:
    """Return the outcome of a sequence, or which tool ended its process."""
    if not ended.death:
        return ended.value
    return {**nothing_ran(), "death": f"{ended.doing or 'the start'} {ended.death}"}


def _run(
    stage: CaseEnvironments, steps: Steps, initial: Patch, limits: Limits, marker: Marker
) -> Json:
    try:
        environment = stage.open(initial)
    except DoesNotFit as error:
        return {**nothing_ran(), "death": f"the start does not fit the database: {error}"}
    ends = _ends(stage, environment, steps, limits, marker)
    state = environment.state() if steps.rows else {}
    rows = [state.get(table, {}).get(key) for table, key in steps.rows]
    changes = [change.as_json() for change in environment.diff()]
    return {"ends": ends, "rows": rows, "changes": changes, "death": ""}


def _ends(
    stage: CaseEnvironments, environment: Any, steps: Steps, limits: Limits, marker: Marker
) -> list[Json]:
    """Make the calls until one fails, or refers to a value that does not exist."""
    resolve = stage.package.modules.task.resolve
    bad_task = stage.package.modules.errors.BadTask
    results: list[Json] = []
    ends: list[Json] = []
    for tool, given in steps.calls:
        marker.set(tool)
        try:
            arguments = resolve(given, results)
            with timed(limits.call):
                seen = stage.call(environment, tool, arguments)
        except bad_task as error:
            ends.append({"tool": tool, "arguments": given, "end": UNRESOLVED, "text": str(error)})
            break
        except OutOfTime:
            seen = CallEnd("failed", HANGS, "")
        ends.append(_end(tool, arguments, seen))
        if seen.end == "failed":
            break
        results.append(json.loads(seen.text) if seen.end == "ok" else {})
    return ends


def _end(tool: str, arguments: Mapping[str, Json], seen: CallEnd) -> dict[str, Json]:
    return {"tool": tool, "arguments": arguments, "end": seen.end, "text": seen.text}
