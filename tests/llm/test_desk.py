"""A question is asked until its answer passes, and told each time exactly what was wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import anyio
import pytest

from tests.draft.scripted import Scripted
from toolworld.draft.answers import Policy
from toolworld.errors import BudgetSpent, ModelError
from toolworld.llm.desk import AnswerVerdict, Desk, ModelLimits, Question
from toolworld.llm.journal import Journal
from toolworld.llm.kept import journal_of

GOOD = {
    "role": "You serve the shop.",
    "sections": [{"title": "One", "rules": ["Be kind."]}, {"title": "Two", "rules": ["Be brief."]}],
}


def question() -> Question[Policy]:
    async def judge(answer: Policy, number: int) -> AnswerVerdict:
        return AnswerVerdict(["It shouts."] if "!" in answer.role else [])

    return Question(
        "policy", "", Policy, "policy", lambda: {"outline": "A shop.", "tools": ""}, dict, judge
    )


def desk(folder: Path, answers: Mapping[str, str], limits: ModelLimits | None = None) -> Desk:
    limits = limits or ModelLimits()
    return Desk(Scripted(answers), Journal(folder / "journal.jsonl"), limits, lambda _: None)


def ask(folder: Path, *answers: str, limits: ModelLimits | None = None) -> tuple[Desk, list[str]]:
    opened = desk(folder, {f"policy.{n}": text for n, text in enumerate(answers, 1)}, limits)
    return opened, list(anyio.run(opened.ask, question()))


def test_a_good_answer_is_taken_at_once(tmp_path: Path) -> None:
    opened, left = ask(tmp_path, json.dumps(GOOD))
    assert left == []
    assert opened.ledger.prompts == 1
    assert opened.ledger.estimated
    assert opened.ledger.as_json()["cost"] is None


def test_a_code_fence_around_the_answer_does_not_matter(tmp_path: Path) -> None:
    assert ask(tmp_path, f"```json\n{json.dumps(GOOD)}\n```")[1] == []


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("Of course! Here it is:", "Invalid JSON"),
        ("", "Invalid JSON"),
        ('{"role": "You serve."}', "sections: Field required"),
        (json.dumps({**GOOD, "more": 1}), "more: Extra inputs are not permitted"),
        (json.dumps({**GOOD, "role": "Serve!"}), "It shouts."),
        (json.dumps([GOOD]), "should be an object"),
    ],
)
def test_what_is_wrong_comes_back_with_the_answer(tmp_path: Path, bad: str, said: str) -> None:
    opened, left = ask(tmp_path, bad, json.dumps(GOOD))
    assert left == []
    assert isinstance(opened.backend, Scripted)
    again = opened.backend.asked[1].text
    assert said in again
    assert "was not accepted" in again
    assert said in " ".join(opened.backend.findings["policy.1"])
    assert opened.backend.findings["policy.2"] == []


def test_after_the_last_round_what_is_wrong_is_returned(tmp_path: Path) -> None:
    opened, left = ask(tmp_path, "no", "no", "no")
    assert opened.ledger.prompts == 3
    assert len(left) == 1
    assert "Invalid JSON" in left[0]


def test_answers_are_kept_and_not_asked_for_again(tmp_path: Path) -> None:
    ask(tmp_path, "no", json.dumps(GOOD))
    opened, left = ask(tmp_path)
    assert left == []
    assert isinstance(opened.backend, Scripted)
    assert opened.backend.asked == []
    assert opened.ledger.prompts == 2


def test_an_answer_that_could_name_other_things_is_asked_for_anew(tmp_path: Path) -> None:
    ask(tmp_path, json.dumps(GOOD))
    path = tmp_path / "journal.jsonl"
    path.write_text(path.read_text("utf-8").replace('"role"', '"part"', 1), "utf-8")
    opened, left = ask(tmp_path, json.dumps(GOOD))
    assert left == []
    assert isinstance(opened.backend, Scripted)
    assert [prompt.id for prompt in opened.backend.asked] == ["policy.1"]


def test_a_journal_cut_off_in_a_line_goes_on_before_it(tmp_path: Path) -> None:
    ask(tmp_path, "no", json.dumps(GOOD))
    path = tmp_path / "journal.jsonl"
    path.write_bytes(path.read_bytes()[:-40])
    opened = desk(tmp_path, {"policy.2": json.dumps(GOOD)})
    assert anyio.run(opened.ask, question()) == []
    assert isinstance(opened.backend, Scripted)
    assert [prompt.id for prompt in opened.backend.asked] == ["policy.2"]
    assert len(Journal(path)) == 2


@pytest.mark.parametrize("line", ["{", "[]", '{"prompt": 1}', '{"prompt": "a", "answer": "b"}'])
def test_what_is_no_journal_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_text(line + "\n", "utf-8")
    with pytest.raises(ModelError, match="journal.jsonl:1 "):
        Journal(path)


def test_a_spent_budget_stops_before_the_next_prompt(tmp_path: Path) -> None:
    with pytest.raises(BudgetSpent, match="has used [0-9,]+ tokens of 10"):
        ask(tmp_path, "no", json.dumps(GOOD), limits=ModelLimits(tokens=10))
    opened, left = ask(tmp_path, "no", json.dumps(GOOD))
    assert left == []
    assert isinstance(opened.backend, Scripted)
    assert len(opened.backend.asked) == 1


@pytest.mark.parametrize("kept", ["{", "", "[" * 9999])
def test_kept_work_that_is_broken_is_refused(tmp_path: Path, kept: str) -> None:
    (tmp_path / "audit.json").write_text(kept, "utf-8")
    with (
        pytest.raises(ModelError, match="audit.json is broken"),
        journal_of("audit", {"seed": 0}, tmp_path, resume=True),
    ):
        pass
