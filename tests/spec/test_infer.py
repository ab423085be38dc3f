"""Names, columns, values and types that the domain does not have are found in code."""

from __future__ import annotations

import pytest

from toolworld.spec.load import check_texts

from .samples import helper, library, problems_of_code, rules_of

WRONG = [
    ("x = loan.statuss", "unknown-column", '"status"'),
    ("x = db.loanz.all()", "unknown-table", '"loans"'),
    ("x = db.loans.al()", "attribute", '"all"'),
    ("db.loans.update(text, statuss='open')", "unknown-column", '"status"'),
    ("x = db.loans.where(staus='open')", "unknown-column", '"status"'),
    ("x = loan.status == 'opne'", "unknown-value", '"open"'),
    ("x = 'opne' != loan.status", "unknown-value", '"open"'),
    ("x = loan.status in ('open', 'lots')", "unknown-value", '"lost"'),
    ("x = loan.status not in {'opn'}", "unknown-value", '"open"'),
    ("db.loans.update(text, status='opn')", "unknown-value", '"open"'),
    ("db.loans.update(text, status='opn' if n else 'lost')", "unknown-value", '"open"'),
    ("s = 'open'\nif n:\n    s = 'opn'\ndb.loans.update(text, status=s)", "unknown-value", "open"),
    ("x = db.loans.where(status='opn')", "unknown-value", '"open"'),
    ("x = Fee(reason='lat', amount=money(1), charged_on=db.today())", "unknown-value", '"late"'),
    ("x = Fee(reason='late', amont=money(1), charged_on=db.today())", "unknown-field", '"amount"'),
    ("x = Fee(reason='late')", "missing-field", "every field"),
    ("x = Fee('late', money(1), db.today())", "arguments", "Fee(field=value"),
    ("x = loan.fees[0].amout", "unknown-field", '"amount"'),
    ("for fee in loan.fees:\n    x = fee.amout", "unknown-field", '"amount"'),
    ("x = [fee.amout for fee in loan.fees]", "unknown-field", '"amount"'),
    ("x = sum((f.amout for f in loan.fees), Decimal(0))", "unknown-field", '"amount"'),
    ("x = max(loan.fees, key=lambda f: f.amout)", "unknown-field", '"amount"'),
    ("x = loan.fees[0].replace(amout=money(1))", "unknown-field", '"amount"'),
    ("x = loan.replace(desk=text)", "unknown-column", "It has"),
    ("x = rows[0].statuss", "unknown-column", '"status"'),
    ("x = sorted(rows, key=lambda r: r.statuss)", "unknown-column", '"status"'),
    ("x = {r.loan_id: r for r in rows}[text].statuss", "unknown-column", '"status"'),
    ("for i, r in enumerate(rows):\n    x = r.statuss", "unknown-column", '"status"'),
    ("for a, b in zip(rows, rows):\n    x = b.statuss", "unknown-column", '"status"'),
    ("d = {}\nd[text] = loan\nx = d[text].statuss", "unknown-column", '"status"'),
    ("d = []\nd.append(loan)\nx = d[0].statuss", "unknown-column", '"status"'),
    ("x = db.loans.get(text)\ny = x.statuss", "unknown-column", '"status"'),
    ("x = db.members.get(loan.member_id).nam", "unknown-column", '"name"'),
    ("x = _open_loan(db, text).statuss", "unknown-column", '"status"'),
    ("x = _open_loan(db, text, text)", "arguments", "It takes"),
    ("x = _open_loan(db)", "arguments", "It takes"),
    ("x = _open_loan(db, loan=text)", "arguments", '"loan_id"'),
    ("db.members.add(name=text)", "missing-column", "not nullable"),
    ("db.loans.update(text, loan_id=text)", "key-update", "new key"),
    ("db.loans.update(text)", "arguments", "Name the columns"),
    ("x = db.members.alike()", "arguments", "Name the columns"),
    ("x = db.members.alike(nam=text)", "unknown-column", '"name"'),
    ("x = db.members.alike(name=n)", "wrong-type", "a text"),
    ("x = db.loans.alike(renewals=text)", "wrong-type", "where(renewals=...)"),
    ("x = db.members.alike(name=text)[0].nam", "unknown-column", '"name"'),
    ("db.loans.get()", "arguments", "db.table.get"),
    ("db.loans.add(loan)", "arguments", "db.table.get"),
    ("db.loans.get(text, desk=text)", "arguments", "Leave"),
    ("x = db.members.get(loan.loan_id)", "wrong-type", "id of a Member"),
    ("x = db.loans.where(member_id=loan.isbn)", "wrong-type", "id of a Member"),
    ("x = loan.member_id == loan.isbn", "wrong-type", "one entity"),
    ("db.loans.update(text, fine=3.5)", "wrong-type", "Decimal"),
    ("db.loans.update(text, renewals=text)", "wrong-type", "whole number"),
    ("db.loans.update(text, due_on='2026-03-01')", "wrong-type", "a date"),
    ("db.loans.update(text, due_on=db.now())", "wrong-type", "a date"),
    ("db.loans.update(text, status=text)", "wrong-type", "LoanStatus"),
    ("db.loans.update(text, status=loan.fees[0].reason)", "wrong-type", "LoanStatus"),
    ("db.loans.update(text, fees=loan.fees[0])", "wrong-type", "a list"),
    ("db.loans.update(text, fees=[loan])", "wrong-type", "a list"),
    ("x = _late_fee(loan, db.now())", "wrong-type", "a date"),
    ("x = loan.fine * 0.5", "mixed-money", 'Decimal("0.10")'),
    ("x = loan.fine + 0.5", "mixed-money", "money"),
    ("x = loan.due_on + 3", "wrong-type", "Convert"),
    ("x = loan.desk + 3", "wrong-type", "Convert"),
    ("x = loan.due_on < db.now()", "wrong-type", "one kind"),
    ("x = loan.due_on == '2026-03-01'", "wrong-type", "one kind"),
    ("x = loan.renewals == '3'", "wrong-type", "one kind"),
    ("x = loan.status == loan.fees[0]", "wrong-type", "one kind"),
    ("x = loan['status']", "subscript", "row.column"),
    ("x = n.strip()", "unknown-attribute", ""),
    ("x = loan.due_on.strip()", "unknown-attribute", ""),
    ("x = loan.due_on.hour", "unknown-attribute", ""),
    ("x = {a for a in text}\ny = list(x)", "unordered", "sorted"),
    ("x = {a for a in text}\nfor a in x:\n    pass", "unordered", "sorted"),
    ("x = [a for a in set(text)]", "unordered", "sorted"),
    ("x = ', '.join(set(text))", "unordered", "sorted"),
    ("x = f'{set(text)}'", "unordered", "sorted"),
    ("x = set(text).pop()", "unordered", "sorted"),
    ("x = [*set(text)]", "unordered", "sorted"),
    ("for x in rows:\n    pass\nfor x in db.books.all():\n    pass", "name-changes-type", "own"),
    ("x: Lon = loan", "unknown-type", ""),
    ("x: LoanStatus = 'opn'", "unknown-value", '"open"'),
]  # fmt: skip

RIGHT = [
    "x = loan.status == 'open' and loan.fees[0].reason in ('late', 'lost')",
    "x = loan.note or ''\ny = x.strip()",
    "x = loan.returned_at\nif x is not None and x > loan.lent_at:\n    n = x.hour",
    "x = sorted({f.reason for f in loan.fees})",
    "x = len(set(text)) + sum({1, 2})",
    "x = any(a == 'b' for a in set(text))",
    "x = money(loan.fine * 3) + Decimal('0.1') * loan.renewals - max(loan.fine, Decimal(0))",
    "x = (db.today() - loan.due_on).days / 2 + 0.5",
    "x = db.now() - timedelta(days=2) * 3 > loan.lent_at",
    "x = timedelta(days=3) / timedelta(hours=1) + (timedelta(days=1) // 2).days",
    "x = {}\nfor r in rows:\n    x.setdefault(r.isbn, []).append(r)",
    "x = {r.isbn: r.fine for r in rows}\ny = sorted(x.items(), key=lambda p: (p[1], p[0]))",
    "x = page(rows, None, n)\ny = x.items[0].status",
    "x = [r for r in rows]\nx = [loan]",
    "x = None\nfor r in rows:\n    x = r\nif x is not None:\n    n = x.renewals",
    "x = db.loans.where(status='open', returned_at=None)",
    "db.loans.update(text, fees=[*loan.fees, loan.fees[0].replace(reason='lost')])",
    "reason = 'late' if n else 'lost'\nx = loan.fees[0].replace(reason=reason)",
    "x = {'late': 1, 'damaged': 2, 'lost': 3}[loan.fees[0].reason]",
    "a, (b, c) = n, (text, loan)\nx = c.status",
    "x = db.members.where(email=text)[0].name",
    "x = db.books.find(loan.isbn)\ny = x.title if x is not None else ''",
    "x = 'late' if loan.status == 'lost' else loan.fees[0].reason",
    "x = min((f.charged_on for f in loan.fees), default=loan.due_on) + timedelta(days=1)",
    "x = f'{loan.desk.title()}'",
]


@pytest.mark.parametrize(("body", "rule", "mend"), WRONG)
def test_what_cannot_be_meant_is_found(body: str, rule: str, mend: str) -> None:
    found = [problem for problem in problems_of_code(helper(body)) if problem.rule == rule]
    assert found, rules_of(body)
    assert any(mend in problem.mend for problem in found), found


@pytest.mark.parametrize("body", RIGHT)
def test_what_is_meant_passes(body: str) -> None:
    assert problems_of_code(helper(body)) == []


def test_a_wider_enum_takes_a_narrower_one() -> None:
    domain = library()["domain.yaml"].replace(
        "enums:\n", "enums:\n  Short: {description: Two., values: [late, lost]}\n"
    )
    code = library()["tools.py"] + (
        "\n\ndef _probe(fee: Fee, short: Short) -> Fee:\n    return fee.replace(reason=short)\n"
    )
    assert check_texts({**library(), "domain.yaml": domain, "tools.py": code})[1] == []
