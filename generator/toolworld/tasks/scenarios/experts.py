"""Experts run on situations: what an expert does is gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from toolworld.packages.task import TaskModel
from toolworld.tasks.execute.grade_parts import broken_clauses, state_passes
from toolworld.tasks.scenarios.code import Branch, place_of
from toolworld.tasks.scenarios.draws import NotDrawn, Situation
from toolworld.tasks.scenarios.making import Making
from toolworld.tasks.wording.messages import Worded, Wording


@dataclass(frozen=True, eq=False)
class ExpertRun:
    """What an expert did.

    Attributes:
        outcome: How it ended.
        values: What there is to tell.
        branches: The branches it took.
        agent: The agent that it worked through, whose steps are its calls and messages.
        environment: Where it ran, and others may have run since.
        moment: The environment as it was then.
        reply: What the agent says in the end; empty until it is said.
    """

    outcome: str
    values: dict[str, Any]
    branches: frozenset[Branch]
    agent: Any
    environment: Any
    moment: Any
    reply: str = ""

    @cached_property
    def changes(self) -> Sequence[Any]:
        """The rows that differ from the start; for most runs nobody asks."""
        self.environment.restore(self.moment)
        return tuple(self.environment.diff())

    @property
    def steps(self) -> Sequence[Any]:
        """Its calls and messages, as the package has them."""
        return tuple(self.agent.steps)

    @property
    def trace(self) -> Any:
        """What happened."""
        return self.moment.progress.trace


class Experts:
    """Runs the experts of a package."""

    def __init__(self, making: Making, wording: Wording, environment: Any) -> None:
        """Take the package's scenarios and words, and the environment for experts."""
        self._making, self._wording = making, wording
        package = making.package
        self._task = package.modules.task.Task
        self._agent = making.package.modules.agent.Agent
        self._failed = making.package.modules.agent.ExpertFailed
        self._redraw = making.package.modules.language.Redraw
        self._broken = package.modules.errors.PackageError
        self._moment = package.modules.environment.EnvironmentSnapshot
        self._environment = environment

    def grade(self, answer: str | None = None) -> Any:
        """Return the package's grade of the last run, which had a task.

        Args:
            answer: What the agent says in the end beside what it said.
        """
        return self._environment.grade(answer)

    def state_passes(self) -> bool:
        """Return whether the last run made exactly the changes that its task wants."""
        return state_passes(self._making.package, self._environment)

    def broken(self) -> frozenset[str]:
        """Return the numbers of the clauses that the last run broke."""
        return broken_clauses(self._making.package, self._environment)

    def start(self, situation: Situation, worded: Worded) -> Any:
        """Return the task that a situation in words begins with: no gold, no goal."""
        scenario = situation.scenario
        return self._task(
            id=f"{scenario.name}-{situation.number}",
            instruction=worded.instruction,
            scenario=scenario.name,
            role=scenario.words.role,
            person=worded.person,
            initial=situation.initial,
            world_changes=situation.later,
        )

    def run(self, situation: Situation, worded: Worded, task: TaskModel | None = None) -> ExpertRun:
        """Run the expert, or the mutant that replaces it, on a situation in words.

        Args:
            situation: The situation.
            worded: What the person says first, and how it answers.
            task: The task made of these, to be graded by; None if there is none yet.

        Raises:
            NotDrawn: The rows do not allow it, or the expert fails.
        """
        environment, making = self._environment, self._making
        run = making.code.function(situation.scenario.expert)
        try:
            self._open(task or self.start(situation, worded), situation.opening)
            agent = self._agent(environment, situation.facts, worded.said)
            with making.code.noting() as taken:
                outcome = agent.work(run)
            agent.close()
        except self._redraw as error:
            raise NotDrawn(str(error)) from error
        except self._failed as error:
            raise self._fault(situation, str(error), error) from error
        except self._broken as error:
            raise self._fault(situation, f"the task cannot be run: {error}", error) from error
        except RecursionError as error:
            raise self._fault(situation, "the expert does not come back") from error
        except Exception as error:
            reason = f"the expert fails: {type(error).__name__}: {error}"
            raise self._fault(situation, reason, error) from error
        if outcome.name not in situation.scenario.words.outcomes:
            raise self._fault(situation, f"the words declare no outcome {outcome.name}")
        branches, moment = frozenset(taken), environment.snapshot()
        return ExpertRun(outcome.name, outcome.values, branches, agent, environment, moment)

    def finished(self, situation: Situation, run: ExpertRun) -> ExpertRun:
        """Return a run at whose end the person is told how it ends.

        Most runs only show how they end, and a person takes long to understand a message.
        """
        self._environment.restore(run.moment)
        text = situation.scenario.words.outcomes[run.outcome].reply
        reply = self._wording.reply(text, run.values)
        try:
            run.agent.finish(reply)
        except self._broken as error:
            raise self._fault(situation, f"the reply cannot be told: {error}", error) from error
        return replace(run, moment=self._environment.snapshot(), reply=reply)

    def _open(self, start: Any, opening: Any) -> None:
        """Go to the start of a task: to lay its rows again takes a third of a run."""
        if opening is None:
            self._environment.reset(start)
        else:
            self._environment.restore(self._moment.beginning(start, opening))

    def _fault(self, situation: Situation, reason: str, error: Exception | None = None) -> NotDrawn:
        """Return the place to mend: the expert's failing line, or its first line."""
        where = place_of(error) if error is not None else ""
        where = where or self._making.code.place(situation.scenario.expert)
        return NotDrawn(reason, is_fault=True, where=where)
