"""Gold passes: each step has its expected outcome, and the end earns the reward for any seed."""

from __future__ import annotations

from toolworld.tasks.execute import Playthrough
from toolworld.tasks.verify.case import CertifiedCase
from toolworld.tasks.verify.flaw import Flaw

OTHER_SEEDS = (1, 2)
LONGEST_TEXT = 300


def gold_passes(case: CertifiedCase) -> Flaw | None:
    """Claim that gold's steps have their expected outcomes and earn the reward.

    The seed varies the keys of new rows and nothing else, so other seeds are run where there are
    any.
    """
    if not case.run.steps:
        return Flaw("empty_gold", "Gold has no steps.", "Give it steps.")
    flaw = _tools(case) or _passes(case, case.run) or _answers_are_fixed(case)
    case.count("gold.steps", len(case.run.steps))
    case.count("gold.seeds")
    if flaw is not None or case.run.first_minting is None:
        return flaw
    for seed in OTHER_SEEDS:
        case.count("gold.seeds")
        flaw = _passes(case, case.player.reseed(case.run, seed), f"With seed {seed}, ")
        if flaw is not None:
            return flaw
    return None


def _tools(case: CertifiedCase) -> Flaw | None:
    allowed = set(case.task.tools or case.package.surface.tools)
    for played in case.run.steps:
        tool = played.step.tool
        if tool and tool not in allowed:
            message = f"{played}: the task has no such tool."
            return Flaw("lacks_tool", message, "Add it to the task's tools.", played.index)
    return None


def _passes(case: CertifiedCase, run: Playthrough, where: str = "") -> Flaw | None:
    for played in run.steps:
        if not played.as_expected:
            expected = " ".join(filter(None, (played.step.expect, played.step.code)))
            found = " ".join(filter(None, (played.outcome, played.code)))
            message = f"{where}{played} is {found} instead of {expected}: {played.text}"
            mend = "Mend gold, or what it expects; refer to the results of earlier steps."
            return Flaw("unexpected_step", message[:LONGEST_TEXT], mend, played.index)
    grade = case.player.grade(run)
    if grade.reward != 1.0:
        message = f"{where}gold earns {grade.reward}: {' '.join(grade.reasons)}"
        return Flaw("gold_earns_nothing", message, "Make the goal from gold's run.")
    return None


def _answers_are_fixed(case: CertifiedCase) -> Flaw | None:
    """Return a flaw if an answer is the key of a new row: it varies with the seed."""
    new = {change.key for change in case.task.goal.changes if change.before is None}
    for wanted in case.task.goal.answers:
        for one in wanted if isinstance(wanted, list | tuple) else (wanted,):
            if one in new and case.run.first_minting is not None:
                message = f'The answer "{one}" is the key of a new row, and varies with the seed.'
                return Flaw("minted_answer", message, "Ask for something else of the row.")
    return None
