"""Proofs of a sound package and of packages with planted bugs."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from toolworld import emit
from toolworld.bundled import start_domain
from toolworld.cli import app
from toolworld.emit.jobs import Limits
from toolworld.errors import PackageLoadError, SpecError, ToolworldError
from toolworld.packages.made import made_id
from toolworld.prove import ProofReport, ProofSettings, prove
from toolworld.prove.given import MOST_GOLD
from toolworld.spec import load_spec

CASES = """
- name: blocked_member
  rows: {members: {MEM-00001: {blocked: true}}}
  call: {tool: lend_book, arguments: {member_id: MEM-00001, isbn: "9781000000000"}}
  expect: {rejected: is blocked}
- name: wrong_rejection
  rows: {members: {MEM-00001: {blocked: true}}}
  call: {tool: lend_book, arguments: {member_id: MEM-00001, isbn: "9781000000000"}}
  expect: {rejected: is unknown}
- name: fee_after_a_fee
  calls:
    - tool: charge_fee
      arguments: {loan_id: LOA-00004, fee: {reason: damaged, amount: 1.5, charged_on: "2026-03-02"}}
  call:
    tool: charge_fee
    arguments: {loan_id: LOA-00004, fee: {reason: damaged, amount: 1.5, charged_on: "2026-03-02"}}
  expect: {changes: {loans: {LOA-00004: {fine: 3.0}}}}
"""

SURVIVORS = """
- function: LARGEST_FEE
  line: LARGEST_FEE = Decimal("500.00")
  change: "'500.00' became '501.0'"
  because: No case charges 500 yet.
- function: MOST_RENEWALS
  line: MOST_RENEWALS = 2
  change: 2 became 4
  because: The code was another once.
"""

NONE_MADE = ProofSettings(calls=0, seek=0, search=0)
FEW = ProofSettings(calls=60, seek=0, search=0, limits=Limits(call=0.3, memory=128))


BAD_TOOL = '''

def {name}(db: Database, rental_id: RentalId, number: int) -> Rental:
    """Do something with a rental.

    Args:
        rental_id: The rental, such as "REN-00007".
        number: How often, or for how many.

    Raises:
        Rejected: The rental is unknown.
    """
    rental = db.rentals.get(rental_id)
    {body}
    return rental
'''
BAD_TOOLS = {
    "count_days": "sum(a * b for a in range(1_000_000) for b in range(1_000_000))",
    "list_days": "len([n for n in range(len('a') * 1_000_000_000)])",
    "share_price": "return db.rentals.update(rental_id, price=money(rental.price / number))",
}


@pytest.fixture(scope="module")
def few(golden_package: Path) -> ProofReport:
    """The library package, proven with few calls."""
    return prove(golden_package, FEW)


def append(file: Path, text: str) -> None:
    file.write_text(file.read_text() + text)


def printed(proof: ProofReport) -> str:
    console = Console(width=200)
    with console.capture() as capture:
        console.print(proof)
    return capture.get()


def test_everything_of_a_sound_package_is_reached(library_proof: ProofReport) -> None:
    content = library_proof.content
    assert content["failures"] == content["uncovered"] == []
    assert content["branches_covered"] == content["branches"] > 30
    assert content["rejections_reached"] == content["rejections"] > 20
    assert content["killed"] >= 0.95 * content["mutants"]
    assert content["tools"] == 9


def test_a_report_adds_up_and_can_be_shown(library_proof: ProofReport, tmp_path: Path) -> None:
    content = library_proof.content
    for name in ("branches", "rejections", "mutants", "killed", "explained", "cases"):
        assert content[name] == sum(row[name] for row in content["by_tool"])
    rows = {row["name"]: row for row in content["by_tool"]}
    assert rows["return_loan"]["with_helpers"]["mutants"] == sum(
        rows[name]["mutants"] for name in ("return_loan", "_late_fee", "LATE_FEE_A_DAY")
    )
    assert len(content["survivors"]) == content["mutants"] - content["killed"]
    library_proof.write(tmp_path / "report.json")
    assert json.loads((tmp_path / "report.json").read_text()) == content
    assert library_proof.__rich__() is not None
    with pytest.raises(ToolworldError, match="cannot be written"):
        library_proof.write(tmp_path / "nowhere" / "report.json")


def test_a_proof_is_the_same_again(golden_package: Path, few: ProofReport) -> None:
    assert prove(golden_package, FEW).content == few.content


def test_mutants_survive_when_no_case_sees_them(golden_package: Path) -> None:
    content = prove(golden_package, NONE_MADE).content
    found = [one for one in content["survivors"] if one["function"] == "charge_fee"]
    assert any("LARGEST_FEE" in one["change"] for one in found)
    assert all(one["line"] > 0 for one in found)
    assert content["uncovered"]


def test_one_tool_is_proven_with_its_helpers_and_constants(golden_package: Path) -> None:
    content = prove(golden_package, replace(FEW, only=("return_loan",))).content
    assert content["tools"] == 1
    names = {row["name"] for row in content["by_tool"]}
    assert names == {"return_loan", "_open_loan", "_late_fee", "LATE_FEE_A_DAY"}
    assert {one["function"] for one in content["uncovered"]} <= names
    with pytest.raises(ToolworldError, match='no tool return_lone. Did you mean "return_loan"?'):
        prove(golden_package, ProofSettings(only=("return_lone",)))


def test_survivors_are_explained_and_what_explains_none_is_stale(
    library_spec: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(library_spec, tmp_path / "spec")
    (folder / "survivors.yaml").write_text(SURVIVORS)
    emit.build(folder, tmp_path / "library")
    proof = prove(tmp_path / "library", NONE_MADE)
    content = proof.content
    explained = [one for one in content["survivors"] if one["because"] is not None]
    assert [(one["source"], one["because"]) for one in explained] == [
        ('LARGEST_FEE = Decimal("500.00")', "No case charges 500 yet.")
    ]
    assert [one["function"] for one in content["stale_explanations"]] == ["MOST_RENEWALS"]
    assert content["explained"] == 1
    rows = {row["name"]: row["explained"] for row in content["by_tool"]}
    assert rows["LARGEST_FEE"] == 1 and rows["charge_fee"] == 0
    shown = printed(proof)
    assert "stale explanation: MOST_RENEWALS 2 became 4, in: MOST_RENEWALS = 2" in shown
    assert "survivor: charge_fee" in shown and "survivor: LARGEST_FEE" not in shown


def test_problems_of_explanations_are_named(library_spec: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(library_spec, tmp_path / "spec")
    one = "- {function: lend_bok, line: a < b, change: < became >, because: They are the same.}\n"
    (folder / "survivors.yaml").write_text(one + one)
    with pytest.raises(SpecError) as caught:
        load_spec(folder)
    problems = caught.value.problems
    assert [(problem.line, problem.rule) for problem in problems] == [
        (1, "unknown-function"), (2, "duplicate-name"), (2, "unknown-function"),
    ]  # fmt: skip
    assert problems[0].mend == 'Did you mean "lend_book"?'


def test_a_tool_that_never_returns_is_named_and_the_rest_kept(planted: Any) -> None:
    planted.code(
        "    found = db.members.where(email=email.strip().lower())\n",
        "    for number in range(10**12):\n        number += 1\n    found = db.members.all()\n",
    )
    both = ("find_member", "return_loan")
    settings = replace(FEW, only=both, limits=Limits(call=0.05, memory=128))
    content = planted.proof(settings).content
    (failure,) = [one for one in content["failures"] if one["tool"] == "find_member"]
    assert failure["reason"] == "does not come back"
    assert "Bound the loops" in failure["mend"]
    rows = {row["name"]: row for row in content["by_tool"]}
    assert rows["return_loan"]["branches_covered"] and rows["return_loan"]["killed"]


def test_a_tool_that_never_leaves_one_c_call_is_named_as_well(planted: Any) -> None:
    planted.code(
        "    found = db.members.where(email=email.strip().lower())\n",
        "    found = db.members.all()\n    sum(range(10**14))\n",
    )
    only = replace(FEW, only=("find_member",), mutants=False)
    assert planted.failures(only) == {"find_member": ["does not come back"]}


def test_a_tool_that_hangs_where_few_calls_lead_is_named(planted: Any) -> None:
    planted.code("    if member.blocked:\n", "    if member.blocked:\n        sum(range(10**14))\n")
    by_chance = replace(FEW, calls=0, only=("lend_book",), mutants=False)
    assert planted.failures(by_chance) == {}
    assert planted.failures(replace(by_chance, seek=200)) == {"lend_book": ["does not come back"]}


def test_a_tool_that_eats_memory_is_named(planted: Any) -> None:
    planted.code(
        "    found = db.members.where(email=email.strip().lower())\n",
        "    found = db.members.all()\n    sorted([0] * 10**9)\n",
    )
    only = replace(FEW, only=("find_member",), mutants=False)
    assert planted.failures(only) == {"find_member": ["eats memory"]}


def test_bad_tools_of_a_new_domain_are_named_and_the_rest_is_proven(tmp_path: Path) -> None:
    start_domain("shop", tmp_path / "shop")
    for name, body in BAD_TOOLS.items():
        code = BAD_TOOL.format(name=name, body=body)
        append(tmp_path / "shop" / "tools.py", code)
    emit.build(tmp_path / "shop", tmp_path / "package")
    content = prove(tmp_path / "package", FEW).content
    assert {one["tool"]: one["reason"] for one in content["failures"]} == {
        "count_days": "does not come back",
        "list_days": "eats memory",
        "share_price": "unexpected error",
    }
    assert all(one["mend"].endswith("reject what is larger.") for one in content["failures"][:2])
    rows = {row["name"]: row for row in content["by_tool"]}
    for name in ("find_customer", "list_rentals", "rent_bike", "return_bike", "share_price"):
        assert rows[name]["rejections_reached"] == rows[name]["rejections"]
        assert rows[name]["killed"] >= 0.8 * rows[name]["mutants"]


def test_an_unexpected_error_is_a_failure_with_its_call(planted: Any) -> None:
    planted.code(
        "    member = db.members.get(member_id)\n    book = db.books.get(isbn)\n    if member",
        "    member = db.members.get(member_id)\n    book = db.books.get(isbn)\n"
        "    assert desk == 'main'\n    if member",
    )
    (failure,) = planted.proof().content["failures"]
    assert (failure["tool"], failure["reason"]) == ("lend_book", "unexpected error")
    assert failure["detail"].startswith("AssertionError")
    assert failure["case"]["arguments"]["desk"] != "main"


def test_a_rule_broken_for_a_row_that_was_not_touched_is_found(planted: Any) -> None:
    planted.code(
        "<= db.books.get(loan.isbn).copies",
        "<= 99 + db.books.get(loan.isbn).copies",
        "database/invariants",
    )
    planted.code('status="open")) >= book.copies:', 'status="open")) > book.copies:')
    (failure,) = planted.proof().content["failures"]
    assert (failure["tool"], failure["reason"]) == ("lend_book", "breaks an invariant elsewhere")
    isbn = failure["case"]["arguments"]["isbn"]
    assert failure["detail"].startswith(f'books "{isbn}" breaks the rule book_copies_cover_loans')
    assert "state the rule at the entity that changes" in failure["mend"]


@pytest.mark.parametrize(
    ("hint", "reason"),
    [("readOnlyHint", "not read-only"), ("idempotentHint", "not idempotent")],
)
def test_a_false_hint_is_found(planted: Any, hint: str, reason: str) -> None:
    planted.hint("renew_loan", hint, True)
    assert planted.failures() == {"renew_loan": [reason]}


def test_a_result_that_breaks_its_schema_is_found(planted: Any) -> None:
    file = planted.source / "calls" / "tools.json"
    definitions = json.loads(file.read_text())
    definitions[0]["outputSchema"]["properties"]["name"]["type"] = "integer"
    file.write_text(json.dumps(definitions))
    assert planted.failures() == {"find_member": ["bad output"]}


def test_what_is_no_package_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PackageLoadError):
        prove(tmp_path)


def test_drafted_cases_are_run_and_compared(library_spec: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(library_spec, tmp_path / "spec")
    (folder / "cases.yaml").write_text(CASES)
    emit.build(folder, tmp_path / "library")
    content = prove(tmp_path / "library", replace(NONE_MADE, mutants=False)).content
    assert [(one["tool"], one["reason"]) for one in content["failures"]] == [
        ("lend_book", "drafted case differs")
    ]
    assert content["failures"][0]["detail"].startswith("wrong_rejection: the rejection does not")


def test_a_package_without_tasks_is_proven(library_spec: Path, tmp_path: Path) -> None:
    emit.build(library_spec, tmp_path / "library", seed=1)
    content = prove(tmp_path / "library", replace(FEW, mutants=False)).content
    assert content["failures"] == []
    assert content["branches_covered"] > 30


def test_many_tasks_do_not_make_a_proof_long(planted: Any) -> None:
    file = planted.source / "tasks" / "tasks.jsonl"
    tasks = [json.loads(line) for line in file.read_text().splitlines()]
    many = [{**task, "id": f"{task['id']}_{n}"} for n in range(200) for task in tasks]
    file.write_text("".join(f"{json.dumps(task)}\n" for task in many))
    called = {call["tool"] for task in tasks for call in task["gold"]}
    content = planted.proof(replace(NONE_MADE, mutants=False)).content
    assert {row["name"]: row["cases"] for row in content["by_tool"] if row["cases"]} == (
        dict.fromkeys(called, MOST_GOLD)
    )


def test_what_few_calls_reach_is_sought_beside_those_that_came_near(
    golden_package: Path, few: ProofReport
) -> None:
    chance = few.content["uncovered"]
    settings = replace(FEW, seek=500, mutants=False)
    sought = prove(golden_package, settings).content["uncovered"]
    assert len(chance) >= 8
    assert len(sought) <= 3
    assert all(one in chance for one in sought)


def test_made_tasks_change_nothing_of_a_proof(planted: Any) -> None:
    file = planted.source / "tasks" / "tasks.jsonl"
    settings = ProofSettings(calls=20, seek=0, search=0, only=("renew_loan", "list_member_loans"))
    before = planted.proof(settings).content
    by_hand = [json.loads(line) for line in file.read_text().splitlines()]
    made = [{**task, "id": made_id(number)} for number, task in enumerate(by_hand, 1)]
    file.write_text("".join(f"{json.dumps(task)}\n" for task in [*by_hand, *made]))
    assert planted.proof(settings).content == before


def test_problems_of_drafted_cases_are_named(library_spec: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(library_spec, tmp_path / "spec")
    (folder / "cases.yaml").write_text(
        "- {name: a, call: {tool: lend_bok}, expect: {rejected: x, changes: {lons: {}}}}\n"
        "- {name: a, call: {tool: lend_book}, rows: {memberz: {}}}\n"
    )
    with pytest.raises(SpecError) as caught:
        load_spec(folder)
    assert [problem.rule for problem in caught.value.problems] == [
        "bad-case", "unknown-table", "unknown-tool", "duplicate-name", "unknown-table",
    ]  # fmt: skip


def test_a_proof_that_takes_too_long_is_given_up(golden_package: Path) -> None:
    with pytest.raises(ToolworldError, match="more than 0 minutes"):
        prove(golden_package, ProofSettings(minutes=0))


def test_the_command_says_what_it_found(planted: Any, tmp_path: Path) -> None:
    planted.hint("renew_loan", "readOnlyHint", True)
    file = tmp_path / "proof.json"
    arguments = ["prove", str(planted.path), "--calls", "30", "--json", str(file)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 1
    assert "FAILURE: renew_loan: not read-only" in result.stdout
    assert json.loads(file.read_text())["failures"][0]["tool"] == "renew_loan"
