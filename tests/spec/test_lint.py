"""Rules between the parts of a domain, by one replacement in the library each."""

from __future__ import annotations

import pytest

from toolworld.spec.load import check_texts

from .samples import library, problems_after, problems_with

LOAN = "{tool: renew_loan, arguments: {loan_id: {$step: 1, path: items.0.loan_id}}}"
DOMAIN = [
    ("type: Member,", "type: Membr,", "unknown-type"),
    ("type: list of Fee", "type: list of Fe", "unknown-type"),
    ("type: FeeReason,", "type: FeeReson,", "unknown-type"),
    ("  Fee:\n    desc", "  Loan:\n    desc", "duplicate-name"),
    ("  Fee:\n    desc", "  LoanId:\n    desc", "duplicate-name"),
    ("  FeeReason:\n", "  Page:\n", "reserved-name"),
    ("  FeeReason:\n", "  Decimal:\n", "reserved-name"),
    ("  FeeReason:\n", "  Exception:\n", "reserved-name"),
    ("  Hold:\n", "  Page:\n", "reserved-name"),
    ("    table: holds", "    table: loans", "duplicate-name"),
    ("    table: holds", "    table: now", "reserved-name"),
    ("    table: holds", "    table: commit", "reserved-name"),
    ("    table: holds", "    table: class", "reserved-name"),
    ("    prefix: HLD", "    prefix: LOA", "duplicate-name"),
    ("    key: hold_id", "    key: hold", "key"),
    ("hold_id: {type: text,", "hold_id: {type: integer,", "key"),
    ("hold_id: {type: text,", "hold_id: {type: text, nullable: true,", "key"),
    ("    key: hold_id", "    key: isbn", "key"),
    ("joined_on: {type: date,", "joined_on: {type: date, match: semantic,", "match"),
    ("joined_on: {type: date,", "joined_on: {type: date, unit: days,", "unit"),
    ("blocked: {type: boolean,", "blocked: {type: boolean, unique: true,", "unique"),
    ("joined_on: {", "copy: {", "reserved-name"),
    ("joined_on: {", "json: {", "reserved-name"),
    ("joined_on: {", "schema: {", "reserved-name"),
    ("joined_on: {", "model_name: {", None),
    ("joined_on: {", "model_dump: {", "reserved-name"),
    ("joined_on: {", "class: {", "reserved-name"),
    ("joined_on: {", "replace: {", "reserved-name"),
    ("joined_on: {", "self: {", "reserved-name"),
    ("[late, damaged, lost]", "[late, damaged, lost, late]", "duplicate-value"),
    ("[late, damaged, lost]", '[late, damaged, lost, ""]', "bad-value"),
    ("amount: {type: money, unit: EUR", "amount: {type: Fee", "object-cycle"),
    ("name: fine_is_sum_of_fees", "name: returned_loans_say_when", "duplicate-name"),
    ("  holds: 6", "  hold: 6", "seed"),
]
SEED = [
    ("def seed_holds(db: Database, fake: Fake, count: int) -> None", "seed"),
    ("def seed_holds(db: Database, count: int, fake: Fake) -> None:", "seed"),
    ("def seed_holds(db: Database, fake: Fake) -> None:", "seed"),
    ("def seed_holds(db: Database, fake: Fake, count: int) -> int:", "seed"),
]
PHRASES = [
    ("  cancel_hold:", "  cancel_holds:", "unknown-tool"),
    ("  cancel_hold:", "  cancel_holds:", "missing-phrases"),
    ('    - "My card is under {{ email }}."\n', "", "missing-phrases"),
    ("  - {name: exact, says: You give dates and numbers in full.}\n", "", "personas"),
    ("name: exact", "name: brisk", "duplicate-name"),
    ("{{ email }}", "find_member {{ email }}", "names-tool"),
    ("{{ email }}", "LOA-00004", "internal-id"),
    ("  - {name: chatty,", "  - {name: chatty, opens: [find_member], ", "names-tool"),
    ("  Loan:\n    - ", "  Lone:\n    - ", "unknown-entity"),
    ('    - "the hold placed on {{ hold.placed_at | day }}"\n', "", None),
    ("{{ loan.book.title }}", "{{ loan.bok.title }}", "template"),
    ("{{ loan.book.title }}", "{{ loan.book.titel }}", "template"),
    ("{{ loan.book.title }}", "{{ member.name }}", "template"),
    ("{{ loan.book.title }}", "LOA-00004", "internal-id"),
    ("  Member:\n    joined_on: ", "  Membre:\n    joined_on: ", "unknown-type"),
    ("    joined_on: the day", "    joined: the day", "unknown-column"),
    ("joined_on: the day the card", "joined_on: the day {{ member.name }}", "template"),
    ("joined_on: the day the card", "joined_on: what find_member says", "names-tool"),
    ("  lend_book.note:", "  lend_book.notes:", "unknown-argument"),
    ("  lend_book.note:", "  lend_book.isbn:", "unknown-argument"),
    ("    - The jacket has a tear.\n", "", "missing-phrases"),
    ("The jacket has a tear.", "The spine is a little loose.", "duplicate-value"),
    ("The jacket has a tear.", '"{{ book.title }} has a tear."', "template"),
    ("{{ email }}", "{{ email }", "template"),
    ("{{ email }}", "{{ emial }}", "template"),
    ("{{ email }}", "{{ member.name }}", "template"),
    ("{{ book.title }}", "{{ book.titel }}", "template"),
    ("{{ fee.reason }}", "{{ fee.resaon }}", "template"),
    ("{{ email }}", "{{ email.__class__ }}", "template"),
    ("{{ email }}", "{{ email.upper() }}", "template"),
    ("{{ email }}", "{{ email['a'] }}", "template"),
    ("{{ email }}", "{{ range(9) }}", "template"),
    ("{{ email }}", "{{ email|attr('x') }}", "template"),
    ("{{ email }}", "{{ email|center(99999999) }}", "template"),
    ("{{ email }}", "{% include 'x' %}", "template"),
    ("{{ email }}", "{% import 'x' as y %}", "template"),
    ("{{ email }}", "{% set x = 1 %}", "template"),
    ("{{ email }}", "{% for x in email %}{{ x }}{% endfor %}", "template"),
    ("{{ email }}", "{{ 9 ** 99 }}", "template"),
    ("{{ email }}", "{{ email * 999 }}", "template"),
    ("{{ email }}", "{% if email %}{{ email|upper }}{% else %}none{% endif %}", None),
    ("{{ email }}", "{{ email if email is defined else 'none' }}", None),
]
TASKS = [
    ("id: next_due_date", "id: renew_all_loans", "duplicate-name"),
    ("tool: find_member", "tool: find_membr", "unknown-tool"),
    ("arguments: {email: greta", "arguments: {mail: greta", "unknown-argument"),
    ("arguments: {email: greta", "arguments: {mail: greta", "missing-argument"),
    ("arguments: {email: greta.novak7@example.com}", "arguments: {email: 7}", "wrong-type"),
    ("status: open}", "status: opne}", "unknown-value"),
    ("{$step: 1, path: items.0", "{$step: 2, path: items.0", "step"),
    ("{$step: 1, path: items.0", "{$step: 9, path: items.0", "step"),
    ("{$step: 1, path: items.0", "{$step: -1, path: items.0", "step"),
    ("{$step: 1, path: items.0", "{$step: one, path: items.0", "step"),
    ("{$step: 1, path: items.0.loan_id}", "{$step: 1}", "step"),
    ("{$step: 1, path: items.0.loan_id}", "{$step: 1, path: items.0.loan}", "step"),
    ("{$step: 1, path: items.0.loan_id}", "{$step: 1, path: loan_id}", "step"),
    ("{$step: 1, path: items.0.loan_id}", "{$step: 1, path: items.0.loan_id, x: 1}", "step"),
    ("{$step: 0, path: member_id}", "{$step: 0, path: members_id}", "step"),
    ('  answers: ["2026-03-05"]\n', "", "no-answers"),
    ('  answers: ["2026-03-05"]\n', '  answers: [""]\n', "no-answers"),
    ("    loans:\n      LOA", "    loan:\n      LOA", "unknown-table"),
    ("{due_on: ", "{due: ", "unknown-field"),
    ('{due_on: "2026-03-05"}', "{due_on: 5}", "wrong-type"),
    ('{due_on: "2026-03-05"}', '{due_on: "2026-13-05"}', "wrong-type"),
    ('{due_on: "2026-03-05"}', "{status: opne}", "unknown-value"),
    ('{due_on: "2026-03-05"}', "{loan_id: LOA-00001}", "key"),
    ('{due_on: "2026-03-05"}', "{due_on: null}", "wrong-type"),
    ('{due_on: "2026-03-05"}', "{note: null}", None),
    ("    Hello, I'm Greta", "    renew_loan, I'm Greta", "names-tool"),
    (f"    - {LOAN}\n", f"    - {LOAN}\n" * 13, "steps"),
]


def check(file: str, old: str, new: str, rule: str | None) -> None:
    text = library()[file]
    assert old in text
    found = problems_with(file, text.replace(old, new, 1))
    if rule is None:
        assert found == []
        return
    chosen = [problem for problem in found if problem.rule == rule]
    assert chosen, found
    assert all(problem.line > 0 for problem in chosen)


@pytest.mark.parametrize(("old", "new", "rule"), DOMAIN)
def test_domain(old: str, new: str, rule: str | None) -> None:
    if rule is None:  # seeds and tools no longer fit, but the name itself is fine
        found = problems_with("domain.yaml", library()["domain.yaml"].replace(old, new, 1))
        assert "reserved-name" not in {problem.rule for problem in found}
        return
    check("domain.yaml", old, new, rule)


@pytest.mark.parametrize(("head", "rule"), SEED)
def test_seed(head: str, rule: str) -> None:
    old = "def seed_holds(db: Database, fake: Fake, count: int) -> None:"
    new = (
        head
        if head.endswith(":")
        else "def seed_hold(db: Database, fake: Fake, count: int) -> None:"
    )
    check("seed.py", old, new, rule)


@pytest.mark.parametrize(("old", "new", "rule"), PHRASES)
def test_phrases(old: str, new: str, rule: str | None) -> None:
    check("phrases.yaml", old, new, rule)


@pytest.mark.parametrize(("old", "new", "rule"), TASKS)
def test_tasks(old: str, new: str, rule: str | None) -> None:
    check("tasks.yaml", old, new, rule)


def test_a_table_no_tool_uses_is_refused() -> None:
    domain = library()["domain.yaml"].replace(
        "  Hold:\n",
        "  Shelf:\n    table: shelves\n    key: shelf_id\n    description: A shelf.\n"
        "    columns:\n      shelf_id: {type: text, description: The shelf.}\n  Hold:\n",
    )
    (problem,) = problems_with("domain.yaml", domain)
    assert problem.rule == "unused-table"
    assert domain.splitlines()[problem.line - 1] == "    table: shelves"


def test_a_module_without_tools_is_refused() -> None:
    rules = {problem.rule for problem in problems_with("tools.py", "X = 1\n")}
    assert rules == {"no-tools"}


def test_a_step_that_is_rejected_gives_no_values() -> None:
    problems = problems_after(
        "tasks.yaml", "status: open}", "status: open}\n      expect: rejected"
    )
    assert {problem.rule for problem in problems} == {"step"}


def test_explanations_of_suspects_name_tools_there_are_once() -> None:
    one = "- {property: either_order, tools: [lend_bok], because: It is meant.}\n"
    _, problems = check_texts({**library(), "explained.yaml": one + one})
    found = [(problem.rule, problem.line) for problem in problems]
    assert found == [("unknown-tool", 1), ("unknown-tool", 2), ("duplicate-name", 2)]
    assert 'Did you mean "lend_book"?' in problems[0].mend
