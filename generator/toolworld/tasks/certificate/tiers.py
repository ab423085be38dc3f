"""The same gold over every transport: the same results, the same states, the same reward."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any

import anyio

from toolworld.emit import Package
from toolworld.harness import Transport
from toolworld.harness.connect import TRANSPORTS
from toolworld.tasks.certificate.track import described
from toolworld.tasks.certificate.verdict import Task
from toolworld.tasks.certificate.wire import Wire
from toolworld.tasks.certificate.wire_http import http_wire
from toolworld.tasks.certificate.wire_memory import memory_wire
from toolworld.tasks.certificate.wire_stdio import stdio_wire

Json = Any
Opener = Callable[[Package], AbstractAsyncContextManager[Wire]]


@dataclass(frozen=True)
class Made:
    """A call of gold, and what came of it in process.

    Attributes:
        digest: The digest of the state after it.
        looked_at: Whether the state is compared after it: if it may write, or is the last. What a
            look-up did to the state would show in the next digest.
    """

    tool: str
    arguments: Mapping[str, Json]
    is_error: bool
    text: str
    digest: str
    looked_at: bool


@dataclass(frozen=True)
class Reference:
    """Gold of a task as it ran in process."""

    task: Task
    start: str
    calls: Sequence[Made]
    answer: str

    @property
    def end(self) -> str:
        """The digest after the last call."""
        return self.calls[-1].digest if self.calls else self.start


@dataclass
class Agreement:
    """Whether all transports agree on a task.

    Attributes:
        digests: The digest after gold, by transport.
        mismatch: The first thing that differs; empty if nothing does.
    """

    digests: dict[str, str] = field(default_factory=dict)
    mismatch: str = ""


def certify_tiers(
    package: Package, tasks: Sequence[Task], transports: Sequence[Transport] = TRANSPORTS
) -> dict[str, Agreement]:
    """Run the gold of tasks over several transports and compare each call with in process.

    One server is started for each transport that needs one, as its users start it. The transports
    are run side by side.

    Args:
        package: The package.
        tasks: Tasks whose gold runs in process.
        transports: Which to compare; in process is what the others are compared with.

    Returns:
        By task, in order, the digests, or what differs.

    Raises:
        LaunchError: A server cannot be started, or is lost.
    """
    references = list(_references(package, tasks))
    agreements = {str(one.task["id"]): Agreement() for one in references}
    with ThreadPoolExecutor(max_workers=len(TRANSPORTS)) as pool:
        runs = {
            tier: pool.submit(_run_tier, opener, package, references)
            for tier, opener in WIRES.items()
            if tier in transports
        }
        found = {tier: run.result() for tier, run in runs.items()}
    for one, agreement in zip(references, agreements.values(), strict=True):
        agreement.digests["inproc"] = one.end
        for tier, mismatches in found.items():
            mismatch = mismatches.get(str(one.task["id"]), "")
            if mismatch:
                agreement.mismatch = agreement.mismatch or f"{tier}: {mismatch}"
            else:
                agreement.digests[tier] = one.end
    return agreements


def _references(package: Package, tasks: Sequence[Task]) -> Iterator[Reference]:
    resolve = package.module("task").resolve
    environment = package.environment()
    writers = {
        str(tool["name"]) for tool in environment.tools if not tool["annotations"]["readOnlyHint"]
    }
    for task in tasks:
        environment.reset(task)
        start, calls = environment.digest(), list[Made]()
        results: list[Mapping[str, Json]] = []
        for number, step in enumerate(task["gold"], 1):
            arguments = {name: resolve(value, results) for name, value in step["arguments"].items()}
            result = environment.call(step["tool"], arguments)
            results.append(result.structured)
            looked_at = step["tool"] in writers or number == len(task["gold"])
            calls.append(
                Made(
                    step["tool"],
                    arguments,
                    result.is_error,
                    result.text,
                    environment.digest(),
                    looked_at,
                )
            )
        yield Reference(task, start, calls, "\n".join(map(str, task["goal"]["answers"])))


def _run_tier(opener: Opener, package: Package, references: Sequence[Reference]) -> dict[str, str]:
    """Return, of the tasks that differ over a transport, what does."""
    return anyio.run(_compared, opener, package, references)


async def _compared(
    opener: Opener, package: Package, references: Sequence[Reference]
) -> dict[str, str]:
    async with opener(package) as wire:
        found = [(str(one.task["id"]), await _mismatch(wire, one)) for one in references]
    return {task: mismatch for task, mismatch in found if mismatch}


async def _mismatch(wire: Wire, reference: Reference) -> str:
    """Return the first thing in which gold differs from in process; empty if nothing does."""
    if await wire.open(reference.task) != reference.start:
        return "the episode starts in another state"
    for number, made in enumerate(reference.calls):
        where = f"step {number}, {described(made.tool, made.arguments)}"
        is_error, text = await wire.call(made.tool, made.arguments)
        if (is_error, text) != (made.is_error, made.text):
            return f"{where}: gives {text[:200]} instead of {made.text[:200]}"
        if made.looked_at and await wire.digest() != made.digest:
            return f"{where}: leads to another state"
    reward = await wire.reward(reference.answer)
    return "" if reward == 1.0 else f"gold earns {reward:g}"


WIRES: Mapping[Transport, Opener] = {
    "memory": memory_wire,
    "stdio": stdio_wire,
    "http": http_wire,
}
