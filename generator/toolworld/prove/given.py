"""The cases a package brings along: its tasks' gold calls, and the drafted ones."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from toolworld.emit.jobs import Limits, Marker, OutOfTime, timed
from toolworld.packages.files import read_json_if_there
from toolworld.prove.cases import CaseEnvironments, DoesNotFit, Patch, ProofCase, changes_of, merged
from toolworld.prove.checks import ToolFault

MOST_GOLD = 20
MEND = "Mend the tool, or the case if it expects what is not so."


def gold_cases(
    stage: CaseEnvironments,
    limits: Limits,
    tasks: Iterable[Mapping[str, Any]],
    tools: Iterable[str],
    marker: Marker,
) -> list[ProofCase]:
    """Return calls of tasks' gold sequences as cases of their own, so many of each tool.

    They are taken in file order; a task none of whose calls is wanted any more is not run.
    """
    room = Counter(dict.fromkeys(tools, MOST_GOLD))
    cases: list[ProofCase] = []
    for task in tasks:
        if not any(room[call["tool"]] for call in task["gold"]):
            continue
        source = f"task {task['id']}"
        for case in _calls_of(stage, limits, marker, source, task["initial"], task["gold"]):
            if room[case.tool]:
                room[case.tool] -= 1
                cases.append(case)
    return cases


def _calls_of(
    stage: CaseEnvironments, limits: Limits, marker: Marker, source: str, initial: Any, calls: Any
) -> list[ProofCase]:
    environment = stage.open(initial)
    cases: list[ProofCase] = []
    resolve = stage.package.modules.task.resolve
    bad_task = stage.package.modules.errors.BadTask
    results: list[dict[str, Any]] = []
    for call in calls:
        try:
            arguments = resolve(call.get("arguments", {}), results)
        except bad_task:
            # A call before it did not give what it should: it is a case and tells why itself.
            return cases
        state = merged(initial, changes_of(environment))
        cases.append(ProofCase(call["tool"], arguments, state, source))
        marker.set(call["tool"])
        try:
            with timed(limits.call):
                seen = stage.call(environment, call["tool"], arguments)
        except OutOfTime:
            return cases
        results.append(json.loads(seen.text) if seen.end == "ok" else {})
    return cases


def drafted_cases(
    stage: CaseEnvironments, limits: Limits, tools: Collection[str], marker: Marker
) -> tuple[list[ProofCase], list[ToolFault]]:
    """Return the drafted cases that call some tools, with their failed expectations."""
    drafts = read_json_if_there(stage.package.files.cases)
    drafts = [one for one in drafts if not _tools_of(one).isdisjoint(tools)]
    cases: list[ProofCase] = []
    failures: list[ToolFault] = []
    state = stage.open({}).state() if drafts else {}
    for draft in drafts:
        rows = _whole(draft["rows"], state)
        try:
            calls = [*draft["calls"], draft["call"]]
            made = _calls_of(stage, limits, marker, f"drafted {draft['name']}", rows, calls)
        except DoesNotFit as error:
            wrong = f"its rows do not fit the database: {error}"
            failures.append(_differs(draft, wrong))
            continue
        cases += made
        wrong = _wrong(stage, draft, made, limits)
        if wrong:
            failures.append(_differs(draft, wrong))
    return cases, failures


def _tools_of(draft: Any) -> set[str]:
    return {call["tool"] for call in [*draft["calls"], draft["call"]]}


def _whole(patch: Patch, state: Patch) -> Patch:
    """Return a patch with columns of rows that are there made whole rows."""
    return {
        table: {
            key: None if row is None else {**state.get(table, {}).get(key, {}), **row}
            for key, row in rows.items()
        }
        for table, rows in patch.items()
    }


def _differs(draft: Any, what: str) -> ToolFault:
    tool = draft["call"]["tool"]
    return ToolFault(tool, "drafted case differs", f"{draft['name']}: {what}", MEND)


def _wrong(stage: CaseEnvironments, draft: Any, made: list[ProofCase], limits: Limits) -> str:
    """Return how a drafted call ended otherwise than expected, or nothing."""
    if len(made) <= len(draft["calls"]):
        return "a call before it does not come back"
    case, expect = made[-1], draft["expect"]
    environment = stage.open(case.initial)
    try:
        with timed(limits.call):
            seen = stage.call(environment, case.tool, case.arguments)
    except OutOfTime:
        return "it does not come back"
    wanted = "ok" if expect["rejected"] is None else "rejected"
    if seen.end != wanted:
        return f"{seen.end} instead of {wanted}: {seen.text[:300]}"
    if wanted == "rejected":
        part = expect["rejected"]
        return "" if part in seen.text else f"the rejection does not say {part!r}: {seen.text}"
    return _differing(expect["changes"], changes_of(environment))


def _differing(wanted: Any, found: Any) -> str:
    """Return the differences from the expected changes; only the named columns are compared."""
    rows = {(table, key) for patch in (wanted, found) for table in patch for key in patch[table]}
    for table, key in sorted(rows):
        if key not in wanted.get(table, {}):
            return f"{table} {key} was changed too"
        if key not in found.get(table, {}):
            return f"{table} {key} was not changed"
        want, row = wanted[table][key], found[table][key]
        if want is None or row is None:
            if want is not row:
                return f"{table} {key} is {row}, not {want}"
            continue
        for name, value in want.items():
            if row.get(name) != value:
                return f"{table} {key}: {name} is {row.get(name)!r}, not {value!r}"
    return ""
