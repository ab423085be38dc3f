"""Gold plus one write that nobody asked for misses the goal.

Which writes are tried depends on the package and the task alone: not on what is known of tools
from elsewhere, so that whoever certifies a task finds the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from toolworld.jsonvalues import JsonObject
from toolworld.tasks.verify.case import CertifiedCase
from toolworld.tasks.verify.flaw import Flaw
from toolworld.tasks.verify.others import stray_arguments

CALLS = 8
FOUND = 2


def stray_writes_fail(case: CertifiedCase) -> Flaw | None:
    """Claim that gold misses the goal with one write more.

    Calls are made until two changed the state, or eight were made: a package may have tools of
    which no call succeeds.
    """
    found = 0
    for tool, arguments in islice(_calls(case), CALLS):
        case.count("stray.calls")
        ending = case.player.plus(case.run, tool, arguments)
        if ending.refused or ending.same:
            continue
        if ending.free:
            case.count("stray.free")
        elif ending.reached:
            message = f"The goal is reached with {tool} {arguments} after gold, too."
            return Flaw("stray_write_passes", message, "Mend the columns' match policies.")
        else:
            case.count("stray.writes")
            found += 1
        if found == FOUND:
            break
    return None


def _calls(case: CertifiedCase) -> Iterator[tuple[str, JsonObject]]:
    """Yield gold's last write again, then calls of the task's other tools."""
    for played in case.run.writes[-1:]:
        yield played.step.tool, played.arguments
    tools = case.package.surface.tools
    names = case.task.tools or list(tools)
    writers = [name for name in names if name in tools and not tools[name].read_only]
    for name in case.rng.sample(writers, len(writers)) * 2:
        yield name, stray_arguments(case, tools[name])
