"""What tools do is computed from their code, helpers included."""

from __future__ import annotations

from textwrap import dedent

import pytest

from toolworld.spec.model import Effects

from .samples import library_spec, tool_of

HEAD = '''
def probe_tool(db: Database, loan_id: LoanId, note: str, day: date) -> Loan:
    """Do something.

    Args:
        loan_id: The loan.
        note: A note.
        day: A day.

    Raises:
        Rejected: It cannot be done.
    """
'''


def effects_of(body: str, helpers: str = "") -> Effects:
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    tool = tool_of(HEAD + lines + ("\n\n" + helpers if helpers else ""))
    return tool.effects


def effects(name: str) -> Effects:
    return {tool.name: tool.effects for tool in library_spec().tools}[name]


def test_a_reading_tool_reads_and_nothing_else() -> None:
    found = effects("list_member_loans")
    assert found.reads == ("loans", "loans.member_id", "loans.status", "members")
    assert found.requires == ("member_id: Member",)
    assert (found.read_only, found.destructive, found.idempotent) == (True, False, True)


def test_effects_come_through_helpers() -> None:
    found = effects("return_loan")
    assert found.requires == ("loan_id: Loan",)
    assert "loans.due_on" in found.reads
    assert found.writes == ("loans.fees", "loans.fine", "loans.returned_at", "loans.status")
    assert found.rejects == ("Loan {...} is {...}; only an open loan can be changed.",)
    assert (found.read_only, found.destructive, found.idempotent) == (False, True, False)


def test_codes_are_told_in_code_order_with_those_of_the_store() -> None:
    assert effects("list_member_loans").codes == ("unknown_member", "bad_limit", "bad_cursor")
    assert effects("find_member").codes == ("rejected",)
    assert effects("return_loan").codes == ("bad_amount", "unknown_loan", "rejected")


def test_a_code_and_its_message_are_told_apart() -> None:
    helpers = (
        "def _late(db: Database, loan_id: LoanId, day: date) -> Loan:\n"
        "    if db.loans.get(loan_id).due_on < day:\n"
        '        raise Rejected("too_late", f"It is {day} already.", day=day)\n'
        "    return db.loans.remove(loan_id)\n"
    )
    body = """
        if not note:
            raise Rejected("no_note", "Say why.")
        if note == "x":
            raise Rejected("Say more.")
        return _late(db, loan_id, day)
    """
    found = effects_of(dedent(body), helpers)
    assert found.codes == ("no_note", "rejected", "unknown_loan", "too_late")
    assert found.rejects == ("Say why.", "Say more.", "It is {...} already.")


def test_creating_and_deleting_are_told_apart() -> None:
    lend, hold = effects("lend_book"), effects("place_hold")
    assert (lend.creates, lend.deletes, lend.destructive) == (("loans",), ("holds",), True)
    assert (hold.creates, hold.deletes, hold.destructive) == (("holds",), (), False)
    assert effects("cancel_hold").requires == ("hold_id: Hold",)


def test_requirements_pass_through_two_helpers_and_other_names() -> None:
    helpers = (
        "def _outer(db: Database, one: LoanId) -> Loan:\n    return _inner(db, two=one)\n\n\n"
        "def _inner(db: Database, two: LoanId) -> Loan:\n    return db.loans.get(two)\n"
    )
    assert effects_of("return _outer(db, loan_id)", helpers).requires == ("loan_id: Loan",)


def test_a_parameter_given_another_value_is_no_requirement() -> None:
    assert effects_of("loan_id = note\nreturn db.loans.get(loan_id)").requires == ()


REPEATABLE = [
    "return db.loans.update(loan_id, note=note)",
    "return db.loans.update(loan_id, due_on=day, returned_at=db.now())",
    "text = note.strip().lower()\nreturn db.loans.update(loan_id, note=f'{text}!')",
    "loan = db.loans.get(loan_id)\nif loan.status != 'open':\n    raise Rejected('No.')\n"
    "return db.loans.update(loan.loan_id, note=note)",
    "loan = db.loans.get(loan_id)\nif loan.note == note:\n    return loan\n"
    "return db.loans.update(loan_id, note=note)",
    "if note == 'x':\n    return db.loans.update(loan_id, note=None)\n"
    "return db.loans.update(loan_id, note=note)",
    "for word in note.split():\n    db.loans.update(loan_id, note=word)\n"
    "return db.loans.get(loan_id)",
    "return db.loans.remove(loan_id)",
    "return charge_note(db, loan_id, note)",
    "_open_loan(db, loan_id)\nreturn db.loans.update(loan_id, due_on=db.today())",
]
UNREPEATABLE = [
    "loan = db.loans.get(loan_id)\nreturn db.loans.update(loan_id, renewals=loan.renewals + 1)",
    "n = db.loans.get(loan_id).renewals + 1\nreturn db.loans.update(loan_id, renewals=n)",
    "if db.loans.get(loan_id).note == 'b':\n    return db.loans.update(loan_id, note='a')\n"
    "return db.loans.update(loan_id, note='b')",
    "loan = db.loans.where(status='open')[0]\nreturn db.loans.update(loan.loan_id, note=note)",
    "for loan in db.loans.where(status='open'):\n    db.loans.update(loan.loan_id, note=note)\n"
    "return db.loans.get(loan_id)",
    "note = note + (db.loans.get(loan_id).note or '')\nreturn db.loans.update(loan_id, note=note)",
    "notes = [note]\nnotes.append(db.loans.get(loan_id).note or '')\n"
    "return db.loans.update(loan_id, note=notes[0])",
    "text = 'a'\nif db.loans.get(loan_id).note == 'a':\n    text = 'b'\n"
    "return db.loans.update(loan_id, note=text)",
    "text = 'a' if db.loans.get(loan_id).note == 'b' else 'b'\n"
    "return db.loans.update(loan_id, note=text)",
    "days = _late_fee(db.loans.get(loan_id), day)\nreturn db.loans.update(loan_id, fine=days)",
    "return renew_loan(db, loan_id)",
    "lend_book(db, db.loans.get(loan_id).member_id, note)\nreturn db.loans.get(loan_id)",
    "return [db.loans.update(l.loan_id, note=note) for l in db.loans.all()][0]",
    "return db.loans.get(loan_id) if db.loans.get(loan_id).note == 'a' "
    "else db.loans.update(loan_id, note='a')",
]
CHARGE_NOTE = (
    "def _charge_note(db: Database, loan_id: LoanId, text: str) -> Loan:\n"
    "    return db.loans.update(loan_id, note=text)\n"
)


@pytest.mark.parametrize("body", REPEATABLE)
def test_what_depends_on_arguments_only_is_idempotent(body: str) -> None:
    body = body.replace("charge_note", "_charge_note")
    assert effects_of(body, CHARGE_NOTE).idempotent


@pytest.mark.parametrize("body", UNREPEATABLE)
def test_what_depends_on_the_state_is_not(body: str) -> None:
    assert not effects_of(body).idempotent
