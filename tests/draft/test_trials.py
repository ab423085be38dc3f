"""What is found while a draft is tried: at its own stage, of its own tools, and never a crash."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.draft.scripted import Scripted
from tests.draft.settled import (
    BODIES,
    GROUP,
    MENDED,
    RECORDED,
    asked,
    changed,
    with_code,
    with_seeds,
    with_tools,
)  # fmt: skip
from tests.draft.test_draft import BRIEF
from toolworld.draft import draft, open_draft, run, trial
from toolworld.draft.answers import Bodies, Call, Case, Cases, Constant, Helper, ToolBody
from toolworld.draft.blueprint import Blueprint, GroupCode
from toolworld.draft.coverage import CoverageGap, fewer_sites
from toolworld.draft.owners import Blame, users_of
from toolworld.draft.stages import bodies as bodies_stage
from toolworld.draft.stages import cases as cases_stage
from toolworld.draft.stages import seeds as seeds_stage
from toolworld.draft.stages.tools import tools
from toolworld.draft.trial import Fault, reason, try_seeds, try_tools
from toolworld.errors import DraftError, ModelError, ToolworldError
from toolworld.llm.desk import Desk

SEEDS = "seeds-1.1"
BREAKS = "X cannot be proven: Traceback (most recent call last):\n  File ...\nIndexError: no row"


def seeded(**body_by_thing: str) -> Blueprint:
    """Return the recorded domain with other seeds of some things."""
    made = with_seeds()
    [part] = made.seeds
    bodies = [one.model_copy(update={"body": body_by_thing.get(one.thing, one.body)})
              for one in part.seeds]  # fmt: skip
    made.seeds = [part.model_copy(update={"seeds": bodies})]
    return made


def games(rows: str, least: int = 1) -> str:
    return (
        f"for n in range({rows}):\n"
        f'    db.games.add(title=f"G{{n}}", kind="party", least_players={least}, most_players=2)'
    )


def failing(error: Exception) -> Callable[..., Any]:
    def fail(*_: Any) -> Any:
        raise error

    return fail


def test_rows_that_are_not_as_many_as_asked_for_are_found_with_the_seeds() -> None:
    found = try_seeds(seeded(Game=games("3 * count"), Loan="return"))
    assert [(fault.owner, fault.text) for fault in found] == [
        ("seed_games", "it makes 60 rows of db.games; add `count` rows, which are 20."),
        ("seed_loans", "it makes 0 rows of db.loans; add `count` rows, which are 36."),
    ]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("db.lones.add(fee=1)", 'no table lones. Did you mean "loans"?'),
        ('db.loans.add(memberid="x")', 'no column memberid. Did you mean "member_id"?'),
        ("db.loans.add(fee=fake.rate())", "rate"),
        ("lone = lookup(count)", "The name lookup is not known here. It has: "),
    ],
)
def test_names_that_are_not_there_are_told_with_those_that_are(body: str, said: str) -> None:
    found = try_seeds(seeded(Loan=body))
    assert found
    assert said in " ".join(fault.text for fault in found)


def test_what_seeds_cannot_mend_is_not_asked_of_them() -> None:
    told = seeds_stage._told(Fault("", "[seed-unsound] No. Mend the recipe, or the rule."))
    assert told == "seed data: [seed-unsound] No. Mend the recipe."
    told = seeds_stage._told(Fault("", "[rule-failed] It fails.", "domain.yaml"))
    assert told.endswith("(settled with the columns: give rows that suit it)")


def test_a_proof_that_breaks_is_told_of_the_tools_that_break_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def proven(_: Path, names: Any) -> list[Fault]:
        if "lend_game" in names:
            raise ToolworldError(BREAKS)
        return []

    monkeypatch.setattr(trial, "_proven", proven)
    monkeypatch.setattr(trial, "_linted", lambda _: [])
    [found] = try_tools(with_code(), ["lend_game", "list_loans"])
    assert found.owner == "lend_game"
    assert found.text.startswith("could not be tried: IndexError: no row")


def test_a_proof_that_takes_too_long_is_no_more_than_a_finding(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trial, "MINUTES", 0.0)
    monkeypatch.setattr("toolworld.prove.run.GRACE", 0.0)
    monkeypatch.setattr(trial, "_linted", lambda _: [])
    [found] = try_tools(with_code(), ["list_loans"])
    assert found.owner == "list_loans"
    assert "could not be tried: it took more than" in found.text


def test_a_type_checker_that_is_killed_passes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed = tmp_path / "python"
    killed.write_text("#!/bin/sh\nkill -9 $$\n")
    killed.chmod(0o755)
    monkeypatch.setattr(trial, "PYTHON", str(killed))
    [found] = try_tools(with_code(), ["list_loans"])
    assert found.text.startswith("could not be tried: ruff ended with -9")


def test_a_reason_has_no_traceback_and_no_path() -> None:
    assert reason(ToolworldError(BREAKS)) == "IndexError: no row"
    assert reason(ToolworldError("")) == "no more is known."


def test_a_defect_is_told_in_a_line_and_costs_one_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seeds_stage, "try_seeds", failing(IndexError("no such row")))
    with pytest.raises(DraftError) as caught:
        asked(tmp_path, seeds_stage.seeds, with_tools(), {f"seeds-1.{n}": RECORDED[SEEDS]
                                                         for n in (1, 2, 3)})  # fmt: skip
    assert "It could not be judged" in str(caught.value)
    assert "IndexError: no such row, in fail of test_trials.py:" in str(caught.value)


def test_a_machine_that_fails_stops_the_draft_with_what_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(seeds_stage, "try_seeds", failing(OSError(28, "No space left on device")))
        with pytest.raises(ModelError, match=r"seeds-1\.1 cannot be judged here: .* No space left"):
            asked(tmp_path, seeds_stage.seeds, with_tools(), {SEEDS: RECORDED[SEEDS]})
    monkeypatch.setattr(seeds_stage, "try_seeds", lambda _: [])
    made = with_tools()
    assert asked(tmp_path, seeds_stage.seeds, made, {}).asked == []
    assert made.seeds == with_seeds().seeds


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (KeyError("tables"), r"There is a defect of toolworld \(KeyError: 'tables', in fail"),
        (ToolworldError("It cannot be built."), "It cannot be built"),
    ],
)
def test_a_defect_between_questions_stops_the_draft_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    async def stage(_: Desk, __: Blueprint) -> None:
        raise error

    stage.__name__ = "fail"
    monkeypatch.setattr(run, "STAGES", (stage,))
    open_draft(tmp_path / "draft", BRIEF, resume=False)
    with pytest.raises(DraftError, match=said.replace("in fail", "in stage")):
        draft(tmp_path / "draft", BRIEF, Scripted({}))


def test_a_finding_in_a_part_of_an_answer_names_it(tmp_path: Path) -> None:
    def plant(answer: Any) -> None:
        answer["tools"][1]["returns"] = "Lone"

    made = with_tools()
    made.tools = {}
    with pytest.raises(DraftError) as caught:
        asked(tmp_path, tools, made, {f"tools-lending.{n}": changed("tools-lending.1", plant)
                                      for n in (1, 2, 3)})  # fmt: skip
    wanted = 'tools.1 (lend_game).returns: Value error, there is no result "Lone". Did you mean'
    assert f'{wanted} "Loan"?' in str(caught.value)


CODE = GroupCode(
    {"MOST": Constant(name="MOST", value="3"), "MOST_OUT": Constant(name="MOST_OUT", value="3")},
    {"_pay": Helper(name="_pay", code="def _pay() -> int:\n    return MOST\n")},
    {"lend_game": "return _pay()", "list_loans": "return _payment(MOST_OUT)", "list_games": "x"},
)


def test_a_fault_in_a_part_is_of_the_tools_that_lead_to_it() -> None:
    names = ["lend_game", "list_loans", "list_games"]
    assert users_of("_pay", names, CODE) == ["lend_game"]
    assert users_of("MOST", names, CODE) == ["lend_game"]
    assert users_of("MOST_OUT", names, CODE) == ["list_loans"]


def test_a_fault_in_a_part_that_no_tool_uses_takes_it_out() -> None:
    code, blame = GroupCode({"LEFT": Constant(name="LEFT", value="lookup(3)")}), Blame()
    code.bodies = {"list_games": "return 1"}
    blame.spread([Fault("LEFT", "is wrong.")], ["list_games"], code, with_code())
    assert (blame.wrong, code.constants) == ({}, {})


def test_what_an_earlier_stage_settled_costs_no_round_of_the_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tried(_: Blueprint, names: Any) -> list[Fault]:
        faults = [Fault("LoanStatus", "has no such value.", "domain.yaml")]
        return faults if "list_loans" in names else []

    monkeypatch.setattr(bodies_stage, "try_tools", tried)
    made = with_seeds()
    [mended] = json.loads(RECORDED[MENDED])["tools"]
    whole = changed(BODIES, lambda answer: answer["tools"].append(mended))
    backend = asked(tmp_path, bodies_stage.bodies, made, {BODIES: whole})
    assert [prompt.id for prompt in backend.asked] == [BODIES]
    assert [*made.dropped] == ["list_loans"]
    assert made.dropped["list_loans"] == (
        "list_loans: has no such value. In domain.yaml: it was settled by an earlier stage and "
        "cannot be mended here."
    )


def test_a_mend_that_breaks_what_was_accepted_does_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trial, "_linted", lambda _: [])
    made = with_code()
    code = made.code[GROUP]
    returned, kept = code.bodies.pop("return_game"), code.helpers["_is_here"]
    worse = kept.code.replace("db.loans", "db.lones")
    group = bodies_stage._Group(None, made, GROUP, [*made.tools], ["Loan"])  # type: ignore[arg-type]
    answer = Bodies.model_construct(
        constants=[],
        helpers=[Helper(name="_is_here", code=worse)],
        tools=[ToolBody.model_construct(tool="return_game", body=returned)],
    )
    blame = group._tried(answer, code)
    assert (blame.wrong, blame.beyond) == ({}, {})
    assert code.helpers["_is_here"] == kept


@pytest.mark.parametrize(
    ("new", "said"),
    [
        ("if a:\n    raise Rejected('x')\nreturn a", []),
        ("if b:\n    raise Rejected('y')\nreturn a", []),
        ("return a", ["it has 0 refusals of 2; leave out only what was not reached.",
                      "it has 0 branches of 2; leave out only what was not reached."]),
    ],
)  # fmt: skip
def test_new_code_that_leaves_out_more_than_nothing_reached_is_refused(
    new: str, said: list[str]
) -> None:
    old = "if a:\n    raise Rejected('x')\nif b:\n    raise Rejected('y')\nreturn a"
    gaps = [
        CoverageGap("find", "if b:", "if is true", True),
        CoverageGap("find", "raise Rejected('y')", "raise Rejected", True),
        CoverageGap("find", "if a:", "not noticed: if a is gone", False),
    ]
    assert fewer_sites(old, new, gaps) == said


def test_no_case_is_lost_to_another_of_its_name() -> None:
    case = Case.model_construct(
        name="x" * 80, rows=[], before=[], rejected="", changed=[],
        call=Call.model_construct(tool="list_games", arguments="{}"),
    )  # fmt: skip
    gaps = cases_stage._Gaps(None, with_code(), None, {}, "again-1", {"list_games": []})  # type: ignore[arg-type]
    named = gaps._named([case, case.model_copy(update={"rejected": "late"})], 2)
    assert len({one.name for one in named}) == 2
    assert all(len(one.name) <= 80 for one in named)


def test_cases_that_cannot_be_tried_leave_everything_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = with_code()
    gap = CoverageGap("list_loans", "if status:", "if is true", True)
    gaps = cases_stage._Gaps(None, made, None, {}, "1", {"list_loans": [gap]})  # type: ignore[arg-type]
    old = made.code[GROUP].bodies["list_loans"]
    monkeypatch.setattr(cases_stage, "try_tools", lambda *_: [])
    monkeypatch.setattr(cases_stage, "unlike", lambda *_: [])
    monkeypatch.setattr(gaps, "_look_again", failing(ToolworldError(BREAKS)))
    body = "if status:\n    pass\nreturn page([one for one in ()], cursor, limit)"
    new = ToolBody.model_construct(tool="list_loans", body=body)
    [found] = gaps._tried(Cases.model_construct(cases=[], tools=[new]), 1)
    assert found.startswith("These cases could not be tried: IndexError: no row")
    assert made.code[GROUP].bodies["list_loans"] == old
    assert gaps.open == {"list_loans": [gap]}


def test_a_case_that_breaks_the_prover_is_named_and_the_others_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gaps = cases_stage._Gaps(None, with_code(), None, {}, "1", {"list_games": []})  # type: ignore[arg-type]

    def proven(some: list[Case]) -> dict[str, Any]:
        if any(case.name == "bad" for case in some):
            raise ToolworldError(BREAKS)
        return {"failures": []}

    monkeypatch.setattr(gaps, "_proof_of", proven)
    call = Call.model_construct(tool="list_games", arguments="{}")
    good, bad, other = (Case(name=name, call=call) for name in ("good", "bad", "other"))
    sound, wrong = gaps._sound([good, bad, other])
    assert sound == [good, other]
    assert wrong == ["the case bad: it could not be tried: IndexError: no row"]
