"""Each write of gold is necessary: without it the goal is missed."""

from __future__ import annotations

from toolworld.tasks.verify.case import CertifiedCase
from toolworld.tasks.verify.flaw import Flaw

MEND = "Leave it out."


def writes_are_necessary(case: CertifiedCase) -> Flaw | None:
    """Claim that gold misses the goal without any one of its writes, and that each does something.

    A write that changes nothing may still give what a later step refers to.
    """
    surface, run = case.package.surface, case.run
    for played in run.steps:
        tool = surface.tools.get(played.step.tool)
        if tool is None or tool.read_only or played.outcome != "ok":
            continue
        case.count("necessary.writes")
        if case.player.without(run, played.index).reached:
            return Flaw("needless_write", f"{played} can be left out.", MEND, played.index)
    return None
