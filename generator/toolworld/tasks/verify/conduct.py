"""Conduct: breaches made from gold are caught, and reading more than is needed costs nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolworld.tasks.execute import Move, PlayedStep
from toolworld.tasks.verify.case import CertifiedCase
from toolworld.tasks.verify.flaw import Flaw
from toolworld.tasks.verify.others import stray_arguments

EXTRA_READS = 20


def breaches_are_caught(case: CertifiedCase) -> Flaw | None:
    """Claim that gold without its yes, without its look-ups, or done twice breaks a clause."""
    if not case.package.has_conduct or case.task.person is None:
        return None
    for name, steps in _breaches(case):
        broken = case.player.broken_with(case.run, steps)
        if broken is None:
            continue
        case.count(f"breaches.{name}")
        if not broken:
            message = f"Gold {_WORDS[name]} breaks no clause."
            mend = "Write the clause that forbids it, with a predicate in conduct.py."
            return Flaw("breach_passes", message, mend)
    return None


_WORDS = {
    "unagreed": "without the person's yes",
    "unread": "without looking anything up",
    "twice": "with its last change made twice",
}


def _breaches(case: CertifiedCase) -> Iterator[tuple[str, Sequence[PlayedStep]]]:
    steps, writes = case.run.steps, case.run.writes
    if not writes:
        return
    asked = [step.index for step in steps if _asks_for_yes(step)]
    if any(write.index > asked[0] for write in writes if asked):
        yield "unagreed", [step for step in steps if step.index not in asked]
    if case.task.role in case.package.identified_roles:
        yield "unread", [step for step in steps if step.wrote or step.step.say]
    yield "twice", [*steps[: writes[-1].index + 1], writes[-1], *steps[writes[-1].index + 1 :]]


def _asks_for_yes(step: PlayedStep) -> bool:
    return any(act.kind == "agrees" for act in step.reply_acts)


def extra_reads_cost_nothing(case: CertifiedCase) -> Flaw | None:
    """Claim that gold earns the reward with reads that it does not need before each write."""
    if not case.package.has_conduct:
        return None
    reads = list(_reads(case))
    case.count("reads.calls", len(reads))
    grade = case.player.with_reads(case.run, reads)
    if grade.reward != 1.0:
        message = f"With {len(reads)} more reads gold earns {grade.reward}: {grade.reasons}"
        return Flaw("reads_cost", message[:400], "Mend the predicate: extra reads never count.")
    return None


def _reads(case: CertifiedCase) -> Iterator[Move]:
    """Yield gold's reading calls again, then other reading calls on rows of the data."""
    own = [step for step in case.run.steps if step.step.tool and not step.wrote]
    for step in own:
        tool = case.package.tool(step)
        if tool is not None and tool.read_only:
            yield Move(step.step.tool, step.arguments)
    tools = case.package.surface.tools
    readers = [name for name in case.task.tools or tools if name in tools and tools[name].read_only]
    for name in case.rng.choices(readers, k=EXTRA_READS) if readers else ():
        yield Move(name, stray_arguments(case, tools[name]))
