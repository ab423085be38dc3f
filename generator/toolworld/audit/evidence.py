"""Gathers the evidence of an audit: definitions, code, fresh runs, rows and tasks of a package.

It runs in the process that holds the package; everything it returns is plain JSON.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from toolworld.audit.columns import summary
from toolworld.audit.runs import Sample, samples_of
from toolworld.audit.sequences import Steps, run_sequences
from toolworld.emit.jobs import run_all
from toolworld.prove.bench import Bench
from toolworld.prove.code import Code
from toolworld.prove.variation import chance

ROWS_A_TABLE = 4
MOST_TASKS = 6
TASK_WORDS = ("id", "instruction", "persona", "known_info", "gold")

Json = Any


def gather(bench: Bench, seed: int) -> dict[str, Json]:
    """Return a package's evidence; the same package and seed give the same evidence."""
    about, tasks = bench.package.modules.about, bench.package.tasks()
    return {
        "title": about.TITLE,
        "summary": about.SUMMARY,
        "now": bench.clock.isoformat(),
        "tools": _tools(bench, seed),
        "shared": _shared(bench.code),
        "tables": [_table(bench, name, seed) for name in bench.world.tables],
        "tasks": _tasks(bench, tasks, seed),
        "starts": [task["id"] for task in tasks],
    }


def _tools(bench: Bench, seed: int) -> list[dict[str, Json]]:
    runs = _runs(bench, seed)
    return [
        {
            "name": name,
            "definition": definition,
            "code": _code(bench.code, name),
            "uses": [one for one in bench.code.reached_from([name]) if one != name],
            "runs": [one.as_json() for one in runs[name]],
        }
        for name, definition in bench.checker.definitions.items()
    ]


def _runs(bench: Bench, seed: int) -> dict[str, list[Sample]]:
    names = list(bench.checker.definitions)
    runs: dict[str, list[Sample]] = {}
    works = [partial(samples_of, bench, name, seed) for name in names]
    for number, ended in run_all(works, bench.limits, 1):
        dead = Sample({}, "a made-up call", "failed", ended.death, [])
        runs[names[number]] = [dead] if ended.death else ended.value
    return runs


def _code(code: Code, name: str) -> str:
    """Return the source of a function without its docstring."""
    node = code.functions[name]
    lines = code.lines[node.lineno - 1 : node.end_lineno]
    if ast.get_docstring(node) is not None:
        first = node.body[0]
        start, end = first.lineno - node.lineno, (first.end_lineno or 0) - node.lineno + 1
        lines = lines[:start] + lines[end:]
    return "\n".join(lines).rstrip()


def _shared(code: Code) -> dict[str, str]:
    """Return the code of all constants and helpers, by name."""
    constants = {name: ast.unparse(node) for name, node in code.constants.items()}
    helpers = {name: _code(code, name) for name in code.functions if name.startswith("_")}
    return {**constants, **helpers}


def _table(bench: Bench, name: str, seed: int) -> dict[str, Json]:
    schema = bench.package.modules.models.SCHEMAS[name]
    rows = list(bench.world.tables[name].values())
    columns = list(rows[0]) if rows else []
    return {
        "name": name,
        "key": schema.key,
        "says": schema.row.__doc__ or "",
        "rows": len(rows),
        "columns": {column: summary([row[column] for row in rows]) for column in columns},
        "sample": _spread(rows, ROWS_A_TABLE, chance(seed, "audit", name)),
    }


def _spread(items: Sequence[Json], most: int, rng: random.Random) -> list[Json]:
    """Return some items, picked by chance, in their order."""
    if len(items) <= most:
        return list(items)
    return [items[number] for number in sorted(rng.sample(range(len(items)), most))]


def _tasks(bench: Bench, every: Sequence[Json], seed: int) -> list[dict[str, Json]]:
    tasks = _spread(every, MOST_TASKS, chance(seed, "audit", "tasks"))
    starts = {task["id"]: task["initial"] for task in tasks}
    gold = [
        Steps(task["id"], [(call["tool"], call["arguments"]) for call in task["gold"]])
        for task in tasks
    ]
    ran = run_sequences(bench.stage, gold, starts, bench.limits)
    return [
        {"words": _words(task), "ends": one["ends"], "changes": one["changes"]}
        for task, one in zip(tasks, ran, strict=True)
    ]


def _words(task: Mapping[str, Json]) -> dict[str, Json]:
    """Return what people see of a task, its gold calls and the answers it wants."""
    return {**{name: task[name] for name in TASK_WORDS}, "answers": task["goal"]["answers"]}
