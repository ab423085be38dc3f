"""Hand-written tasks made whole: gold is run on the emitted package, and gives the goal.

A gold sequence that does not do what it says is an error, never a warning: the reward would be
wrong in silence.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolworld.emit.limited import Doing
from toolworld.errors import Problem, SpecError
from toolworld.packages import Package
from toolworld.spec import Spec
from toolworld.spec.drafts import GoldStep, TaskDraft

EASY_STEPS, MEDIUM_STEPS = 3, 7


class GoldFailed(Exception):  # noqa: N818 - becomes a Problem
    """A task cannot be kept; the text says why."""


@dataclass(frozen=True)
class GoldRun:
    """A gold sequence with the results of its run.

    Attributes:
        writes: The indexes of the steps that changed the state.
    """

    changes: Sequence[Any]
    writes: tuple[int, ...]


class GoldRunner:
    """Runs gold sequences on a package and a database."""

    def __init__(self, spec: Spec, package: Package, base: Any, doing: Doing) -> None:
        """Take the package's own environment, task and errors.

        Args:
            spec: The domain.
            package: The package emitted from it.
            base: The database that tasks start from.
            doing: Told what is being run.
        """
        self._doing = doing
        self._tools = [tool.name for tool in spec.tools]
        self._environment = package.modules.environment.Environment
        self._resolve = package.modules.task.resolve
        self._errors = package.modules.errors
        self._base = base

    def finish(self, draft: TaskDraft) -> dict[str, Any]:
        """Return a draft as a task with its goal, difficulty and certificate.

        Raises:
            GoldFailed: Gold does not behave as it says, or the task can be had for less.
        """
        task = self._whole(draft)
        try:
            run = self._play(task, draft.gold)
        except self._errors.PackageError as error:
            raise GoldFailed(str(error)) from error
        goal = {
            "changes": [change.as_json() for change in run.changes],
            "answers": list(draft.answers),
        }
        finished = {**task, "goal": goal, "difficulty": difficulty(draft)}
        self._check_rewards(finished, draft)
        self._check_necessary(finished, draft, run)
        return {
            **finished,
            "certificate": {
                "gold_passes": True,
                "nothing_fails": True,
                "necessary_writes": len(run.writes),
            },
        }

    def _whole(self, draft: TaskDraft) -> dict[str, Any]:
        task = draft.model_dump(mode="json", exclude={"answers"})
        return {**task, "tools": self._tools, "initial": self._patch(draft.initial)}

    def _patch(self, initial: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
        """Return a patch with each partial row filled up from the seed database."""
        return {
            table: {key: self._row(table, key, row) for key, row in rows.items()}
            for table, rows in initial.items()
        }

    def _row(self, table: str, key: str, row: Mapping[str, Any] | None) -> Any:
        if row is None or table not in self._base.tables:
            return row
        base = self._base.tables[table]
        before = base.rows.get(key)
        start = {base.schema.key: key} if before is None else before.model_dump(mode="json")
        return {**start, **row}

    def _play(self, task: Mapping[str, Any], gold: Sequence[GoldStep]) -> GoldRun:
        """Run gold.

        Raises:
            GoldFailed: A step does not have the outcome it expects.
            PackageError: A step cannot be made at all.
        """
        environment = self._environment(task, base=self._base)
        results: list[dict[str, Any]] = []
        writes = []
        for index, step in enumerate(gold):
            before = environment.digest()
            arguments = self._resolve(step.arguments, results)
            self._doing("tasks.yaml", f"task {task['id']}: {step.tool}")
            try:
                result = environment.call(step.tool, arguments)
            except (MemoryError, self._errors.PackageError):
                raise
            except Exception as error:
                raise GoldFailed(
                    f"Step {index}, {step.tool} {json.dumps(arguments)}, fails: "
                    f"{type(error).__name__}: {error}."
                ) from error
            if result.outcome != step.expect:
                raise GoldFailed(
                    f"Step {index}, {step.tool} {json.dumps(arguments)}, should be {step.expect} "
                    f"but is {result.outcome}: {result.text[:300]}"
                )
            results.append(result.structured)
            if environment.digest() != before:
                writes.append(index)
        return GoldRun(environment.diff(), tuple(writes))

    def _check_rewards(self, task: Mapping[str, Any], draft: TaskDraft) -> None:
        if self._environment(task, base=self._base).grade().reward == 1.0:
            raise GoldFailed(
                "Doing nothing solves it: gold changes nothing and no answer is asked."
            )
        if self._reward_without(task, draft, None) != 1.0:
            raise GoldFailed("Gold does not earn the reward of its own goal.")

    def _check_necessary(self, task: Mapping[str, Any], draft: TaskDraft, run: GoldRun) -> None:
        for index in run.writes:
            if self._reward_without(task, draft, index) == 1.0:
                tool = draft.gold[index].tool
                raise GoldFailed(
                    f"Step {index}, {tool}, can be dropped: the goal is still reached."
                )

    def _reward_without(
        self, task: Mapping[str, Any], draft: TaskDraft, dropped: int | None
    ) -> float:
        """Return the reward for gold without a step and the steps that depend on it."""
        environment = self._environment(task, base=self._base)
        results: list[dict[str, Any]] = []
        for index, step in enumerate(draft.gold):
            result: dict[str, Any] = {}
            if index != dropped:
                self._doing("tasks.yaml", f"task {task['id']}: {step.tool}")
                try:
                    arguments = self._resolve(step.arguments, results)
                    result = environment.call(step.tool, arguments).structured
                except MemoryError:
                    raise
                except Exception:  # noqa: BLE001 - what is dropped may be what a call rests on
                    result = {}
            results.append(result)
        answer = "; ".join(str(answer) for answer in draft.answers)
        return float(environment.grade(answer).reward)


def difficulty(draft: TaskDraft) -> dict[str, Any]:
    """Return how hard a task is: its steps, its different tools, and a word for them."""
    steps = len(draft.gold)
    level = "easy" if steps <= EASY_STEPS else "medium" if steps <= MEDIUM_STEPS else "hard"
    return {"level": level, "steps": steps, "tools": len({step.tool for step in draft.gold})}


def finish_tasks(spec: Spec, package: Package, base: Any, doing: Doing) -> list[dict[str, Any]]:
    """Return a spec's hand-written tasks with their goals.

    Raises:
        SpecError: Some cannot be kept; each is named.
    """
    runner = GoldRunner(spec, package, base, doing)
    tasks, problems = [], []
    for draft in spec.tasks:
        try:
            tasks.append(runner.finish(draft))
        except GoldFailed as error:
            problems.append(
                Problem(
                    "tasks.yaml", 0, "gold-failed", f"Task {draft.id}: {error}", "Mend its gold."
                )
            )
    if problems:
        raise SpecError(problems)
    return tasks


def tasks_text(tasks: Iterable[Mapping[str, Any]]) -> str:
    """Return tasks as the text of ``tasks.jsonl``."""
    return "".join(f"{json.dumps(task, ensure_ascii=False)}\n" for task in tasks)
