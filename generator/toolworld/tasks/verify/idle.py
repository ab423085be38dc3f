"""Doing nothing, refusing, and repeating known texts earn nothing."""

from __future__ import annotations

from toolworld.packages.task import spoken
from toolworld.tasks.verify.case import CertifiedCase
from toolworld.tasks.verify.flaw import Flaw

REFUSALS = (
    "",
    "I am sorry, but I cannot help you with that.",
    "No. That is not possible under our policy.",
)
LONGEST_ANSWER = 1_000
"""Answers may count only in messages shorter than this, whatever a package says of itself."""

NOT_ASKED = "Ask for a change, or for an answer that only a look-up gives."


def idling_fails(case: CertifiedCase) -> Flaw | None:
    """Claim that an agent that calls nothing earns nothing, whether silent or refusing.

    Where the goal is another state than the start, no answer makes up for it.
    """
    for answer in (None, *REFUSALS):
        case.count("idle.answers")
        grade = case.player.answered(case.run, answer)
        if not grade.state.passed:
            return None
        if grade.answers.passed:
            said = "says nothing" if answer is None else f'says "{answer}"'
            message = f"An agent that calls no tool and {said} earns the reward."
            return Flaw("idling_earns", message, NOT_ASKED)
    return None


def answers_are_not_given_away(case: CertifiedCase) -> Flaw | None:
    """Claim that the answers are not in the person's own messages."""
    if not case.task.goal.answers:
        return None
    parrot = "\n".join(spoken(case.task))[: LONGEST_ANSWER - 1]
    case.count("parrot.answers")
    if case.player.answered(case.run, parrot).answers.passed:
        message = "What the person says has every answer."
        return Flaw("answers_given_away", message, "Ask for what is not said already.")
    return None


def pasting_fails(case: CertifiedCase) -> Flaw | None:
    """Claim that an answer which pastes all results earns nothing."""
    if not case.task.goal.answers:
        return None
    paste = "\n".join(played.text for played in case.run.steps)
    while len(paste) < LONGEST_ANSWER:
        paste += f"\n{paste}\n."
    case.count("paste.answers")
    if case.player.answered(case.run, paste).answers.passed:
        message = f"An answer of {len(paste)} characters that pastes all results is taken."
        return Flaw("pasting_earns", message, "Build the package again: answers are short there.")
    return None
