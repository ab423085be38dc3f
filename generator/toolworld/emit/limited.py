"""A domain's own code run under limits: no recipe, rule or gold call can hang a build.

It takes Linux to limit a process; elsewhere the work runs in this one, without limits.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar, cast

from toolworld.errors import Problem, SpecError, ToolworldError

ResultT = TypeVar("ResultT")
Progress = Callable[[str], None]
Doing = Callable[[str, str], None]
"""Told whose code runs next: the file, and what of it."""

SECONDS = 60.0
"""Processor time for each thing that is done."""
MEGABYTES = 4096
MEND = "Bound its loops and lists."


def limited(
    work: Callable[[Doing], ResultT],
    seconds: float,
    megabytes: int,
    progress: Progress,
    mend: str = MEND,
) -> ResultT:
    """Run work in a limited child and return its result.

    Args:
        work: Says what it does before it does it.
        seconds: Processor time for each thing it does.
        megabytes: Memory on top of what there is.
        progress: Told what is being done.
        mend: What is to be done about something that breaks a limit.

    Raises:
        SpecError: Something does not come back, or eats memory.
        ToolworldError: Whatever the work raises.
    """
    if sys.platform != "linux":
        return work(lambda _, what: progress(f"Running {what}"))

    from toolworld.emit.jobs import Limits, Marker, allow, run_one

    def child(marker: Marker) -> ResultT | ToolworldError:
        def doing(file: str, what: str) -> None:
            marker.set(f"{file} {what}")
            allow(seconds)

        try:
            return work(doing)
        except ToolworldError as error:
            return error

    limits = Limits(job=float("inf"), memory=megabytes)
    ended = run_one(child, limits, lambda text: progress(f"Running {text.partition(' ')[2]}"))
    if ended.death:
        file, _, what = ended.doing.partition(" ")
        raise SpecError([Problem(file, 0, "out-of-limits", f"{what} {ended.death}.", mend)])
    if isinstance(ended.value, ToolworldError):
        raise ended.value
    return cast("ResultT", ended.value)
