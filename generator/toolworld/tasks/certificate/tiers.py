"""The same gold over every transport: the same results, the same states, the same reward."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from itertools import chain, tee

import anyio

from toolworld.emit import Package
from toolworld.harness import Transport
from toolworld.harness.connect import TRANSPORTS
from toolworld.tasks.certificate.reference import Reference
from toolworld.tasks.certificate.track import described
from toolworld.tasks.certificate.wire import Outcome, Run, Wire
from toolworld.tasks.certificate.wire_http import http_wire
from toolworld.tasks.certificate.wire_memory import memory_wire
from toolworld.tasks.certificate.wire_stdio import stdio_wire

Opener = Callable[[Package], AbstractAsyncContextManager[Wire]]

AHEAD = 8
"""How many tasks are asked for before the answers to the first of them are read."""


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
    package: Package, golds: Iterable[Reference], transports: Sequence[Transport] = TRANSPORTS
) -> dict[str, Agreement]:
    """Run gold over several transports and compare what came of it with in process.

    One server is started for each transport that needs one, as its users start it. The servers
    work side by side.

    Args:
        package: The package.
        golds: Gold of tasks as it ran in process; more may come while some run.
        transports: Which to compare; in process is what the others are compared with.

    Returns:
        By the names of the golds, in order, the digests, or what differs.

    Raises:
        LaunchError: A server cannot be started, or is lost.
    """
    openers = {tier: opener for tier, opener in WIRES.items() if tier in transports}
    return anyio.run(_compared, package, golds, openers)


async def _compared(
    package: Package, golds: Iterable[Reference], openers: Mapping[Transport, Opener]
) -> dict[str, Agreement]:
    agreements = {}
    async with AsyncExitStack() as stack:
        wires = {
            tier: await stack.enter_async_context(opener(package))
            for tier, opener in openers.items()
        }
        for due, asked in _ahead(golds):
            if asked is not None:
                for wire in wires.values():
                    wire.ask(asked.run)
            if due is not None:
                agreements[due.name] = await _agreement(due, wires)
    return agreements


def _ahead(
    golds: Iterable[Reference],
) -> Iterator[tuple[Reference | None, Reference | None]]:
    """Yield each to be asked for with the one whose answers are due by then, some before it.

    So a server always has something to do, and nobody wakes up for each single answer.
    """
    nobody = (None,) * AHEAD
    asked, due = tee(golds)
    return zip(chain(nobody, due), chain(asked, nobody), strict=True)


async def _agreement(reference: Reference, wires: Mapping[Transport, Wire]) -> Agreement:
    """Return whether the transports, all asked for a run, agree with what came of it in process."""
    expected = reference.expected
    agreement = Agreement({"inproc": expected.end})
    for tier, wire in wires.items():
        mismatch = _mismatch(reference.run, expected, await wire.outcome(reference.run))
        if mismatch:
            agreement.mismatch = agreement.mismatch or f"{tier}: {mismatch}"
        else:
            agreement.digests[tier] = expected.end
    return agreement


def _mismatch(run: Run, expected: Outcome, found: Outcome) -> str:
    """Return the first thing in which an outcome differs; empty if nothing does."""
    if found.start != expected.start:
        return "the episode starts in another state"
    for number, call in enumerate(run.calls):
        said, wanted = found.said[number], expected.said[number]
        if said != wanted:
            where = f"step {number}, {described(call.tool, call.arguments)}"
            return f"{where}: gives {said.text[:200]} instead of {wanted.text[:200]}"
    if found.end != expected.end:
        return "gold leads to another state"
    return "" if found.reward == expected.reward else f"gold earns {found.reward:g}"


WIRES: Mapping[Transport, Opener] = {
    "memory": memory_wire,
    "stdio": stdio_wire,
    "http": http_wire,
}
