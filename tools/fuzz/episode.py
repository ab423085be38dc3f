"""Fuzzes one episode: makes up calls, makes them, and checks what they give."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from typing import Any

import jsonschema

from tools.fuzz import gold
from toolworld.packages import Package
from toolworld.prove.arguments import CaseArguments
from toolworld.prove.facts import SeedRows, SeenValues

LONGEST_CHECKED = 20_000
REFOCUS = 0.25
AT_TASKS = 0.6
SAID = ""
"""Stands for a tool when something is said to the person."""

Call = tuple[str, dict[str, Any]]


class Defect(AssertionError):
    """A tool did what no tool may do; the text holds the call."""


class Fuzzer:
    """A package being fuzzed.

    Attributes:
        outcomes: How often each tool ended in each way.
    """

    def __init__(self, package: Package) -> None:
        """Read the package's tools and rows."""
        self.package = package
        environment = package.environment()
        self.definitions = {tool["name"]: tool for tool in environment.tools}
        self.tools = list(self.definitions)
        self.world = SeedRows(environment.state())
        self.outcomes: Counter[tuple[str, str]] = Counter()
        self.base = package.modules.seed.default_base()
        self.tasks = list(package.modules.task.all_tasks().values())
        self.examples = gold.examples_of(package, random.Random(0))  # noqa: S311 - guards nothing

    @property
    def calls(self) -> int:
        """How many calls were made."""
        return self.outcomes.total()

    @cached_property
    def outputs(self) -> dict[str, jsonschema.Draft202012Validator]:
        """The validator of each tool's results."""
        return {
            name: jsonschema.Draft202012Validator(tool["outputSchema"])
            for name, tool in self.definitions.items()
        }

    def run(self, steps: Iterable[tuple[str, int]]) -> FuzzedEpisode:
        """Run an episode of tools, each with the seed of its arguments, and check all rows.

        Raises:
            Defect: Something that must hold does not.
        """
        episode = FuzzedEpisode(self)
        for tool, seed in steps:
            episode.call(tool, random.Random(seed))  # noqa: S311 - made-up calls guard nothing
        episode.check_all_rows()
        episode.check()
        return episode

    def stray(self, rng: random.Random, calls: int) -> None:
        """Run an episode of made-up calls, which at times begins with the gold of a committed task.

        Raises:
            Defect: Something that must hold does not.
        """
        task = rng.choice(self.tasks) if rng.random() < AT_TASKS else None
        episode = FuzzedEpisode(self, task)
        if task is not None:
            gold.play(episode, self.package, task, rng)
        tools = (task and list(task.tools)) or self.tools
        for _ in range(calls):
            episode.call(rng.choice(tools), rng)
        episode.check()


class FuzzedEpisode:
    """One episode of a package, with the values seen in it."""

    def __init__(self, fuzzer: Fuzzer, task: Any = None) -> None:
        """Open the episode, at a task or at none."""
        self._fuzzer = fuzzer
        self._environment = fuzzer.package.environment(task)
        self._digest = self._environment.digest()
        self._facts = SeenValues()
        self.calls: list[Call] = []
        self.texts: list[str] = []

    def call(self, tool: str, rng: random.Random) -> None:
        """Make up a call, make it, and check what it gives."""
        if not self.calls or rng.random() < REFOCUS:
            for row in self._fuzzer.world.around(rng):
                self._facts.learn(row)
        maker = CaseArguments(self._facts, self._fuzzer.base.clock, rng)
        schema = self._fuzzer.definitions[tool]["inputSchema"]
        self.make(tool, maker.arguments(schema, self._fuzzer.examples.get(tool, ())))

    def make(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Make a call, check what it gives, and return its structured result.

        Raises:
            Defect: It ends in an error, changes what it may not, or breaks its schema.
        """
        self.calls.append((tool, arguments))
        try:
            result = self._environment.call(tool, arguments)
        except Exception as error:
            raise self.defect(f"{type(error).__name__}: {error}") from error
        self.texts.append(result.text)
        self._fuzzer.outcomes[tool, result.outcome] += 1
        digest, before = self._environment.digest(), self._digest
        self._digest = digest
        if digest != before and (result.is_error or self._reads(tool)):
            raise self.defect(f"{result.outcome}, yet the state changed")
        if result.is_error:
            if len(result.text) > LONGEST_CHECKED:
                raise self.defect("The message is far too long")
        elif len(result.text) < LONGEST_CHECKED:
            self._learn(tool, result)
        return dict(result.structured)

    def say(self, text: str) -> None:
        """Tell the person something.

        Raises:
            Defect: It ends in an error.
        """
        self.calls.append((SAID, {"text": text}))
        try:
            self.texts.append(self._told(SAID, {"text": text}))
        except Exception as error:
            raise self.defect(f"{type(error).__name__}: {error}") from error
        self._digest = self._environment.digest()

    def _told(self, tool: str, arguments: dict[str, Any]) -> str:
        """Return the text of a call, or the reply to what is said."""
        if tool == SAID:
            return str(self._environment.say(**arguments).text)
        return str(self._environment.call(tool, arguments).text)

    def _learn(self, tool: str, result: Any) -> None:
        structured = result.structured
        wrong = next(self._fuzzer.outputs[tool].iter_errors(structured), None)
        if wrong is not None:
            raise self.defect(f"The result breaks its schema: {wrong.message[:300]}")
        self._facts.learn(structured)

    def _reads(self, tool: str) -> bool:
        return bool(self._fuzzer.definitions[tool]["annotations"]["readOnlyHint"])

    def check_all_rows(self) -> None:
        """Check every constraint on every row: some seconds for a large package.

        Raises:
            Defect: A constraint is broken.
        """
        package, state = self._fuzzer.package, self._environment.state()
        rows = {name: list(table.values()) for name, table in state.items()}
        clock = self._fuzzer.base.clock.isoformat()
        seed = package.modules.seed
        try:
            seed.check_base(seed.base_from_json({"clock": clock, "tables": rows}))
        except package.modules.errors.IntegrityError as error:
            raise self.defect(f"In the end: {error}") from error

    def check(self) -> None:
        """Check the rows that were written, and that the same calls give the same results again.

        Raises:
            Defect: A constraint is broken, or the package is not deterministic.
        """
        try:
            for change in self._environment.diff():
                if change.after is not None:
                    self._environment._database.check(change.table, change.key)
        except self._fuzzer.package.modules.errors.IntegrityError as error:
            raise self.defect(f"In the end: {error}") from error
        self._environment.reset()
        again = [self._told(tool, arguments) for tool, arguments in self.calls]
        if again != self.texts or self._environment.digest() != self._digest:
            raise self.defect("The same calls after a reset gave something else")

    def defect(self, what: str) -> Defect:
        """Return an error that names the last call."""
        tool, arguments = self.calls[-1]
        shown = json.dumps(arguments)
        return Defect(f"{tool} {shown[:2000]}: {what}")
