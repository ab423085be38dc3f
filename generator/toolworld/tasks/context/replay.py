"""Gold run from a start, to see whether added rows change its results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from toolworld.jsonvalues import texts
from toolworld.packages import Package
from toolworld.packages.task import TaskModel, first_answers, read_task
from toolworld.tasks.context.start import Patch, RowKey
from toolworld.tasks.execute import PlayedStep, Player, Playthrough, StateComparison


class GoldReplay:
    """Runs gold of a package's tasks.

    Attributes:
        surface: The package's tools and entities.
    """

    def __init__(self, package: Package) -> None:
        """Take the package that gold is run on."""
        self._package, self._player = package, Player(package)
        self.surface = self._player.surface
        self._comparison = StateComparison(package)
        self._contains = package.modules.answers.contains_answer
        self._error: type[Exception] = package.modules.errors.PackageError

    def play(self, task: TaskModel | Mapping[str, object]) -> Playthrough:
        """Run gold from the task's start.

        Raises:
            ValueError: A step does not turn out as it expects, or this is no task.
        """
        try:
            run = self._player.play(read_task(self._package, task))
        except self._error as error:
            raise ValueError(f"Gold does not run: {error}") from error
        for step in run.steps:
            if not step.as_expected:
                raise ValueError(f"Gold does not run from the task's start: {step}: {step.text}")
        return run

    def bears(self, run: Playthrough, initial: Patch) -> bool:
        """Whether gold does the same from a bigger start.

        Each step must turn out as before with the same arguments, and each result that said an
        answer must still say it; the same rows must have changed in the same way.
        """
        task: Any = run.task
        try:
            other = self.play(task.model_copy(update={"initial": initial}))
        except ValueError:
            return False
        emptied = _emptied(run.steps)
        return self.changes(run) == self.changes(other) and all(
            before.arguments == after.arguments
            and before.code == after.code
            and (before.text == after.text or before.index not in emptied)
            and self._still_says(run.task, before, after)
            for before, after in zip(run.steps, other.steps, strict=True)
        )

    def _still_says(self, task: TaskModel, before: PlayedStep, after: PlayedStep) -> bool:
        return before.text == after.text or all(
            self._contains(after.text, wanted)
            for wanted in first_answers(task)
            if self._contains(before.text, wanted)
        )

    def changes(self, run: Playthrough) -> dict[RowKey, tuple[Any, Any]]:
        """Return the rows that gold changed, before and after."""
        found = self._comparison.differing(run.start_rows, run.end_rows)
        return {RowKey(one.table, one.key): (one.one, one.other) for one in found}


def _emptied(steps: Sequence[PlayedStep]) -> set[int]:
    """Return the listings from which later calls name several items: all may be meant."""
    emptied: set[int] = set()
    for step in steps:
        items = step.structured.get("items")
        if isinstance(items, list):
            later = {text for one in steps[step.index + 1 :] for text in texts(one.arguments)}
            shown = [later.intersection(texts(item)) for item in items]
            times = Counter(text for named in shown for text in named)
            if sum(any(times[text] == 1 for text in named) for named in shown) > 1:
                emptied.add(step.index)
    return emptied
