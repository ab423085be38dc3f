"""A task replayed: gold gets the reward, doing nothing does not, and no write can be dropped.

On every transport the same checks run; on all but in process, gold is also played in process and
must give the same results and the same state after each call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from toolworld.harness.connect import Connection
from toolworld.harness.diff import Change, describe, difference, indent, short
from toolworld.harness.reply import Reply
from toolworld.harness.report import Failure
from toolworld.harness.steps import Step, Task, Unresolved, resolve


@dataclass(frozen=True)
class Played:
    """One call with its arguments and result.

    Attributes:
        index: Its place in gold.
        digest: The digest of the state after it.
        wrote: Whether it changed the state.
        changes: The rows that differ from the start after it; kept in process only.
    """

    index: int
    step: Step
    arguments: Mapping[str, Any]
    reply: Reply
    digest: str
    wrote: bool
    changes: Sequence[Change] = ()

    def _what(self) -> str:
        if self.step.say:
            return f"message: {self.step.say}"
        return f"call: {self.step.tool} {short(self.arguments)}"

    def describe(self) -> str:
        """Return the step and its result in words."""
        return (
            f"{self._what()}\n"
            f"expected: {self.step.expect}\n"
            f"got: {self.reply.outcome}: {short(self.reply.text)}"
        )


@dataclass
class Trace:
    """What playing gold did.

    Attributes:
        start: The digest of the state before the first call.
        played: The calls made, in order.
    """

    start: str
    played: list[Played] = field(default_factory=list)

    @property
    def end(self) -> str:
        """The digest after the last call."""
        return self.played[-1].digest if self.played else self.start


class Mismatch(Exception):  # noqa: N818 - a finding on its way to the report, not an error
    """The first thing that is wrong with a task."""

    def __init__(self, reason: str, step: int | None = None, detail: str = "") -> None:
        """Keep the text for the report."""
        super().__init__(reason)
        self.reason, self.step, self.detail = reason, step, detail

    def failure(self, task: str) -> Failure:
        """Return it as a row of the report."""
        return Failure(task, self.reason, self.step, self.detail)


class TaskReplay:
    """The checks of one task over one connection.

    Attributes:
        calls: The tool calls made so far.
        step: The step of gold at work; None between sequences.
    """

    def __init__(
        self, connection: Connection, definition: Mapping[str, Any], read_only: frozenset[str]
    ) -> None:
        """Take a connection, a task, and the tools that say they change nothing.

        Raises:
            ValidationError: The task lacks what a replay needs.
        """
        self._connection = connection
        self._definition = definition
        self._task = Task.model_validate(definition)
        self._read_only = read_only
        self.calls = 0
        self.step: int | None = None

    async def check(self, reference: Trace | None = None) -> Trace:
        """Run every check, and return gold's trace.

        Args:
            reference: What gold did in process, to compare with.

        Raises:
            Mismatch: A check fails.
            Refused: The package cannot open or grade the task.
            LaunchError: The server is gone or does not answer.
        """
        trace = await self.gold(reference)
        await self._start_again(trace)
        await self._must_fail("Doing nothing already gets the reward.", None, None)
        for played in trace.played:
            if self._is_write(played):
                await self._start_again(trace)
                await self._without(played.index)
        return trace

    async def gold(self, reference: Trace | None = None) -> Trace:
        """Play gold from the start, and check every step, the state and the reward.

        Raises:
            Mismatch: A step or the end is not as expected.
        """
        trace = Trace(await self._connection.open(self._definition))
        if reference is not None and trace.start != reference.start:
            digests = f"digest in process: {reference.start}\ndigest here: {trace.start}"
            raise Mismatch("The episode does not start as in process.", None, digests)
        for index, step in enumerate(self._task.gold):
            self.step = index
            played = await self._play(index, step, trace)
            if reference is None:
                played = replace(played, changes=await self._connection.diff())
            trace.played.append(played)
            await self._check_step(played)
            if reference is not None:
                await self._compare(played, reference.played[index])
        self.step = None
        await self._must_pass()
        return trace

    async def _play(self, index: int, step: Step, trace: Trace) -> Played:
        results = {
            played.index: played.reply.structured
            for played in trace.played
            if played.reply.outcome == "ok"
        }
        try:
            arguments = resolve(step.arguments, results)
        except Unresolved as error:
            call = f"call: {step.tool} {short(step.arguments)}\n{error}"
            raise Mismatch(f"{step.tool} cannot be called.", index, call) from error
        reply = await self._take(step, arguments)
        digest = await self._connection.digest()
        return Played(index, step, arguments, reply, digest, wrote=digest != trace.end)

    async def _take(self, step: Step, arguments: Mapping[str, Any]) -> Reply:
        """Make the call of a step, or tell its message."""
        if step.say:
            return await self._connection.say(step.say)
        self.calls += 1
        return await self._connection.call(step.tool, arguments)

    async def _check_step(self, played: Played) -> None:
        tool, outcome = played.step.name, played.reply.outcome
        if outcome != played.step.expect:
            reason = f"{tool}: {played.step.expect} was expected, but the outcome is {outcome}."
            raise await self._mismatch(reason, played)
        if played.wrote and outcome != "ok":
            raise await self._mismatch(f"{tool} was rejected, yet changed the state.", played)
        if played.wrote and tool in self._read_only:
            raise await self._mismatch(f"{tool} says it only reads, yet changed the state.", played)

    async def _compare(self, played: Played, reference: Played) -> None:
        mine, theirs = played.reply, reference.reply
        tool, call = played.step.name, f"call: {played.step.name} {short(played.arguments)}"
        if mine.text != theirs.text or mine.structured != theirs.structured:
            answers = (
                f"in process: {theirs.outcome}: {short(theirs.text)}\n"
                f"here: {mine.outcome}: {short(mine.text)}"
            )
            reason = f"{tool} gives another result than in process."
            raise Mismatch(reason, played.index, f"{call}\n{answers}")
        if played.digest != reference.digest:
            rows = difference(reference.changes, await self._connection.diff())
            reason = f"The state after {tool} is not the one in process."
            raise Mismatch(reason, played.index, f"{call}\n{rows}")

    async def _mismatch(self, reason: str, played: Played) -> Mismatch:
        return Mismatch(reason, played.index, f"{played.describe()}\n{await self._changes()}")

    async def _must_pass(self) -> None:
        verdict = await self._connection.grade(self._task.answer)
        if verdict.reward < 1:
            reason = f"Gold does not reach the goal: its score is {verdict.score:.2f}."
            detail = [*verdict.reasons, await self._changes()]
            raise Mismatch(reason, None, "\n".join(detail))

    async def _start_again(self, trace: Trace) -> None:
        start = await self._connection.reset()
        if start != trace.start:
            detail = f"digest before: {trace.start}\ndigest after the reset: {start}"
            raise Mismatch("A reset does not lead back to the start.", None, detail)

    def _is_write(self, played: Played) -> bool:
        """Whether a call changed the state, or was meant to.

        When the agent talks, the world may change by itself: that is no write of its own.
        """
        tool = played.step.tool
        meant = played.reply.outcome == "ok" and tool not in self._read_only
        return bool(tool) and (played.wrote or meant)

    async def _without(self, dropped: int) -> None:
        """Play gold without one step and without the steps that depend on it."""
        results: dict[int, Mapping[str, Any]] = {}
        for index, step in enumerate(self._task.gold):
            if index == dropped:
                continue
            self.step = index
            try:
                arguments = resolve(step.arguments, results)
            except Unresolved:
                continue  # its argument came from the dropped step
            reply = await self._take(step, arguments)
            if reply.outcome == "ok":
                results[index] = reply.structured
        self.step = None
        tool = self._task.gold[dropped].tool
        reason = f"{tool} can be dropped: gold gets the reward without it."
        await self._must_fail(reason, dropped, self._task.answer)

    async def _must_fail(self, reason: str, step: int | None, answer: str | None) -> None:
        verdict = await self._connection.grade(answer)
        if verdict.reward >= 1:
            raise Mismatch(reason, step, await self._changes())

    async def _changes(self) -> str:
        return f"changed since the start:\n{indent(describe(await self._connection.diff()))}"


def read_only_tools(definitions: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    """Return the names of the tools that say they change nothing."""
    return frozenset(
        str(tool["name"])
        for tool in definitions
        if (tool.get("annotations") or {}).get("readOnlyHint") is True
    )
