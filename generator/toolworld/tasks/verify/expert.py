"""What an expert shows of a task: one end in all wordings, one row that fits, no naive way."""

from __future__ import annotations

from toolworld.packages.task import wrong_values
from toolworld.tasks.scenarios.draws import NotDrawn, Situation
from toolworld.tasks.verify.case import CertifiedCase
from toolworld.tasks.verify.flaw import Flaw
from toolworld.tasks.wording.messages import Worded

MEND = "Mend the scenario, and make its tasks again."
RELAY = "naive.relaying_earns"


def expert_leads_to_gold(case: CertifiedCase) -> Flaw | None:
    """Claim that the expert, seeing only words and results, makes gold's calls."""
    if not case.task.scenario:
        return None
    situation, situated = case.situation, case.package.situated
    if situation is None:
        return Flaw("unknown_situation", f"{case.task.scenario} is not drawn so any more.", MEND)
    try:
        run = situated.experts.run(situation, situated.worded(case.task), case.task)
        situated.experts.finished(situation, run)
    except NotDrawn as error:
        return Flaw("expert_fails", f"The expert does not come to gold: {error.named}", MEND)
    case.count("expert.runs")
    case.branches = run.branches
    grade = situated.experts.grade()
    if run.outcome != case.task.outcome or grade.reward != 1.0:
        message = f"The expert ends in {run.outcome}: {' '.join(grade.reasons)}"
        return Flaw("expert_differs", message, MEND)
    return None


def every_wording_leads_there(case: CertifiedCase) -> Flaw | None:
    """Claim that each of the scenario's messages leads the expert to the same end."""
    situation = case.situation
    if situation is None:
        return None
    situated = case.package.situated
    own = situated.worded(case.task).said
    case.count("wordings.messages", len(situation.scenario.words.says))
    for worded in situated.other_words(situation, case.task.instruction, [own]):
        case.count("wordings.runs")
        said = {"instruction": worded.instruction, "person": worded.person}
        try:
            run = situated.experts.run(situation, worded, case.task.model_copy(update=said))
        except NotDrawn as error:
            return Flaw("wording_fails", f'With "{worded.instruction}": {error.named}', MEND)
        if run.outcome == case.task.outcome and [*run.changes] == [*case.task.goal.changes]:
            continue
        if run.outcome != case.task.outcome or not situated.experts.state_passes():
            reasons = situated.experts.grade().state.reasons
            message = f'"{worded.instruction}" leads to {run.outcome}: {reasons}'
            return Flaw("wording_differs", message, MEND)
    return None


def no_other_row_fits(case: CertifiedCase) -> Flaw | None:
    """Claim that each description of a row fits it alone, and a wrong one fits none."""
    situation = case.situation
    if situation is None:
        return None
    situated = case.package.situated
    told = list(situation.facts.described.values())
    case.count("unique.facts", len(told))
    database = case.player.start_database(case.run)
    if other := situated.uniqueness.other(database, told):
        return Flaw("ambiguous", f"{other}.", "Let the person say what tells them apart.")
    for name, value in wrong_values(case.task):
        case.count("unique.wrong")
        if situated.uniqueness.is_taken(str(value), database):
            return Flaw("wrong_value_fits", f'A row has "{value}", said first for {name}.', MEND)
    return None


def naive_agents_fail(case: CertifiedCase) -> Flaw | None:
    """Claim that an agent without the check that decides earns nothing."""
    situation = case.situation
    if situation is None:
        return None
    situated = case.package.situated
    worded = situated.worded(case.task)
    for agent in situated.naive(situation.scenario):
        if agent.decides is not None and agent.decides not in case.branches:
            continue
        case.count("naive.agents")
        with situated.making.code.using(agent.functions):
            earned, relayed = _earned(case, situation, worded)
        if earned and agent.decides is not None:
            message = f"An agent that never looks whether {agent.decides} earns the reward."
            return Flaw("naive_earns", message, MEND)
        if earned:
            case.count(f"naive.{agent.name.replace(' ', '_')}_earns")
        if relayed and agent.decides is not None:
            case.counts[RELAY] = 1
    return None


def _earned(case: CertifiedCase, situation: Situation, worded: Worded) -> tuple[bool, bool]:
    """Return whether a naive agent earns the reward, and whether relaying its error does.

    One that another check stops has done nothing wrong by leaving out the first.
    """
    experts = case.package.situated.experts
    try:
        run = experts.run(situation, worded, case.task)
        is_done = situation.scenario.words.outcomes[run.outcome].kind == "done"
        if not is_done or not experts.state_passes():
            return False, False
        experts.finished(situation, run)
        return experts.grade().reward == 1.0, False
    except NotDrawn as error:
        return False, bool(experts.grade(str(error)).reward == 1.0)
