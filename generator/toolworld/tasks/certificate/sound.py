"""The first questions: does doing nothing earn nothing, and is each step of gold needed?"""

from __future__ import annotations

from toolworld.prove.facts import leaves
from toolworld.tasks.certificate.reasons import Reason
from toolworld.tasks.certificate.track import Track
from toolworld.tasks.certificate.verdict import Flaw, Mend, Tally


def check_gold(track: Track) -> None:
    """Check that gold earns the reward.

    Raises:
        Flaw: It does not.
    """
    grade = track.goal.grade(track.episode.diff(), track.answer)
    if grade.reward != 1.0:
        raise Flaw(Reason.NO_REWARD, "; ".join(grade.reasons))


def check_nothing(track: Track) -> None:
    """Check that doing nothing earns nothing, whatever of the task's own texts is said back.

    Raises:
        Flaw: It earns the reward.
    """
    if not track.steps:
        raise Flaw(Reason.EMPTY, "the task asks for no call")
    task = track.task
    if track.goal.reward((), None) == 1.0:
        raise Flaw(Reason.NOTHING, "no change and no answer is wanted")
    known = [str(value) for _, value in leaves(task.get("known_info", {}))]
    if track.goal.reward((), "\n".join([task["instruction"], *known])) == 1.0:
        raise Flaw(Reason.PARROT, track.answer)
    track.tally.sequences += 2


def check_necessary(track: Track, tally: Tally) -> None:
    """Check that each write is needed, and each step that a later one refers to.

    Raises:
        Flaw: Gold reaches the goal without one of them.
    """
    reads_matter = bool(track.writes)
    for step in track.steps:
        idle = not step.tool.read_only and not step.wrote and step.expect == "ok"
        if idle and step.index not in track.feeding:
            mend = Mend("mended: a write that changes nothing is left out", steps=(step.index,))
            raise Flaw(Reason.NEEDLESS, f"{step} changes nothing", mend)
        if not step.wrote and not (reads_matter and step.index in track.feeding):
            continue
        if track.without({step.index}).reward == 1.0:
            if step.wrote:
                mend = Mend("mended: a needless write is left out", steps=(step.index,))
                raise Flaw(Reason.NEEDLESS, f"{step} can be left out", mend)
            tally.count("necessary", "look-ups for nothing")
            continue
        tally.count("necessary", "writes" if step.wrote else "look-ups")
