"""Each rule of the subset, by code that breaks it and code that does not."""

from __future__ import annotations

from textwrap import indent

import pytest

from .samples import helper, library, problems_of_code, problems_with, rules_of, rules_of_code

STATEMENTS = [
    ("import os", "import"),
    ("from os import path", "import"),
    ("while n:\n    n = n - 1", "while"),
    ("try:\n    n = 1\nexcept ValueError:\n    n = 2", "try"),
    ("with text as t:\n    pass", "with"),
    ("class Thing:\n    pass", "class"),
    ("def inner() -> None:\n    pass", "nested-function"),
    ("async def inner() -> None:\n    pass", "async"),
    ("yield n", "yield"),
    ("x = yield", "yield"),
    ("yield from rows", "yield"),
    ("global LOAN_DAYS", "global"),
    ("nonlocal n", "global"),
    ("del n", "del"),
    ("assert n", "assert"),
    ("match n:\n    case 1:\n        pass", "match"),
    ("if (m := n):\n    pass", "walrus"),
    ("x = n ** 2", "power"),
    ("x = 2\nx **= 2", "power"),
    ("x = n << 2", "shift"),
    ("x = n >> 2", "shift"),
    ("x = n ^ 1", "operator"),
    ("x = ~n", "operator"),
    ("x = n @ n", "operator"),
    ("x = max(*rows)", "star-arguments"),
    ("x = dict(**{})", "star-arguments"),
    ("x = lambda y: y", "lambda"),
    ("x = sorted(rows, key=lambda a, b: a)", "lambda"),
    ("x = (r for r in rows)", "generator"),
    ("x = print", "unknown-name"),
    ("x = eval('1')", "unknown-name"),
    ("x = getattr(loan, 'desk')", "unknown-name"),
    ("x = __import__('os')", "underscore"),
    ("x = __builtins__", "underscore"),
    ("x = loan.__class__", "underscore"),
    ("x = loan._desk", "underscore"),
    ("_x = 1", "underscore"),
    ("for _ in rows:\n    x = _", "underscore"),
    ("x = text.format(n)", "attribute"),
    ("x = text.format_map({})", "attribute"),
    ("x = text.encode()", "attribute"),
    ("x = text.ljust(99)", "attribute"),
    ("x = text.zfill(9)", "attribute"),
    ("x = loan.gi_frame", "unknown-column"),
    ("x = text.gi_frame", "attribute"),
    ("x = db.now().now()", "attribute"),
    ("x = db.today().today()", "attribute"),
    ("x = date.today()", "attribute"),
    ("x = datetime.now()", "attribute"),
    ("x = datetime.utcnow()", "attribute"),
    ("x = math.factorial(n)", "attribute"),
    ("x = math.inf", "attribute"),
    ("x = db.now().astimezone()", "attribute"),
    ("x = text.lower", "method-value"),
    ("x = sum", "function-value"),
    ("x = str.lower(text)", "function-value"),
    ("x = Decimal.from_float(1.5)", "function-value"),
    ("x = dict.fromkeys(text)", "function-value"),
    ("x = db", "service"),
    ("x = db.loans", "service"),
    ("x = [db]", "service"),
    ("x = len(db)", "service"),
    ("x = math", "service"),
    ("x = fake.word()", "service"),
    ("x = Loan", "type-value"),
    ("x = LoanId(text)", "type-value"),
    ("x = Page", "type-value"),
    ("x = rows[0](1)", "call"),
    ("x = text()", "call"),
    ("x = (lambda: 1)()", "call"),
    ("x = [sum][0](rows)", "call"),
    ("sum = 1", "shadowing"),
    ("money = n", "shadowing"),
    ("db = n", "shadowing"),
    ("Loan = n", "shadowing"),
    ("renew_loan = n", "shadowing"),
    ("LOAN_DAYS = 3", "shadowing"),
    ("for date in rows:\n    pass", "shadowing"),
    ("x = [page for page in rows]", "shadowing"),
    ("loan.desk = text", "assignment"),
    ("loan.fees[0] = n", "assignment"),
    ("loan.fees.append(n)", "assignment"),
    ("loan.fees.sort()", "assignment"),
    ("rows[0:1] = []", "assignment"),
    ("a, *b = rows", "assignment"),
    ("raise ValueError(text)", "raise"),
    ("raise Rejected", "raise"),
    ("raise", "raise"),
    ("raise Rejected('a', 'b', 'c')", "raise"),
    ("raise Rejected(message='a')", "raise"),
    ("raise Rejected('a b', 'c')", "rejection-code"),
    ("raise Rejected('Over', 'c')", "rejection-code"),
    ("raise Rejected(text, 'c')", "rejection-code"),
    ("raise Rejected(f'over', 'c')", "rejection-code"),
    ("raise Rejected('c', day=n)", "rejection-code"),
    ("raise Rejected('over', text)", "raise"),
    ("raise Rejected('over', 'c', **{})", "star-arguments"),
    ("raise Rejected('over', 'c', _day=n)", "underscore"),
    ("raise Rejected('over', 'c', Day=n)", "rejection-value"),
    ("raise Rejected('over', 'c', of=db)", "service"),
    ("raise Rejected('over', 'c', of=loan)", "rejection-value"),
    ("raise Rejected('over', 'c', of=rows)", "rejection-value"),
    ("raise Rejected('over', 'c', of=set([n]))", "rejection-value"),
    ("raise Rejected('over', 'c', of={'n': n})", "rejection-value"),
    ("raise Rejected('over', 'c', of=loan.nonsense)", "unknown-column"),
    ("raise Rejected('a') from None", "raise"),
    ("raise Rejected(text)", "raise"),
    ("n + 1", "no-effect"),
    ("x = b'bytes'", "literal"),
    ("x = 1j", "literal"),
    ("x = 1e999", "literal"),
    ("x = 99999999999999999999", "literal"),
    ("x = ...", "literal"),
    (f"x = '{'a' * 10_001}'", "literal"),
    ("x = Decimal('1e999999')", "literal"),
    ("x = Decimal('NaN')", "literal"),
    ("x = f'{n:1000000000d}'", "format"),
    ("x = f'{n:{n}}'", "format"),
    ("x = f'{text:>9999}'", "format"),
    ("x = db.now().strftime(text)", "format"),
    ("x = db.now().strftime('%999999d')", "format"),
    ("x = 'a' * 1000000", "text-arithmetic"),
    ("x = [0] * n", "text-arithmetic"),
    ("x = text * n", "text-arithmetic"),
    ("x = '%1000000000d' % n", "text-arithmetic"),
    ("x = text % n", "text-arithmetic"),
    ("for row in rows:\n    rows.append(row)", "endless-loop"),
    ("for i, row in enumerate(rows):\n    rows += [row]", "endless-loop"),
    ("x = unknown", "unknown-name"),
    ("x = [y for y in rows]\nz = y", "unknown-name"),
]  # fmt: skip

ALLOWED = [
    "x = [a for a in rows if a.status == 'open']",
    "x = {a.loan_id: a for a in rows}",
    "x = sorted(rows, key=lambda a: (a.due_on, a.loan_id), reverse=True)",
    "x = sum((f.amount for f in loan.fees), Decimal(0))",
    "x = any(a.desk == text for a in rows)",
    "x = max((a.renewals for a in rows), default=0)",
    "x = f'{n:05d} {n:,} {n:.2f} {db.today():%d.%m.%Y} {text!r}'",
    "x = [*rows, loan]",
    "x = {**{'a': 1}, 'b': 2}",
    "x: dict[str, int] = {}\nx[text] = x.get(text, 0) + 1",
    "x = []\nfor a in rows:\n    x.append(a)\nx.sort(key=lambda a: a.loan_id)",
    "for _ in range(n):\n    n += 1",
    "a, b = n, text",
    "x = text.strip().lower().replace('a', 'b').split(',')",
    "x = ', '.join(a.loan_id for a in rows)",
    "x = math.floor(math.sqrt(n)) + math.pi",
    "x = date.fromisoformat('2026-03-01') + timedelta(days=n)",
    "x = datetime(2026, 3, 1, 9, 0, tzinfo=db.now().tzinfo)",
    "x = loan.fees[0].replace(amount=money(3))",
    "if n in (1, 2) and not text or n == -1:\n    pass\nelse:\n    pass",
    "x = 1 if n else 2",
    "x = {1, 2} | {3}\ny = sorted(x)",
    "raise Rejected('a' 'b')",
    "raise Rejected('over', f'{text} is wrong.')",
    "raise Rejected('over', 'c', day=loan.due_on, fine=loan.fine, id=loan.loan_id, most=3)",
    "raise Rejected('over', 'c', at=loan.returned_at, open=loan.status == 'open', all=['a', 'b'])",
    "raise Rejected(f'{text} is wrong. ' + 'Do it right.')",
    "x = LOAN_DAYS + 1",
    "x = _late_fee(loan, db.today())",
    "x = renew_loan(db, loan.loan_id)",
    "for a in rows[:n]:\n    if a.desk:\n        continue\n    break",
    "x = Fee(reason='late', amount=Decimal('1.50'), charged_on=db.today())",
    "x = list(zip(rows, range(n)))",
    "x = db.loans.find(text)\nif x is not None:\n    n = x.renewals",
]

MODULES = [
    ("print('hi')", "top-level"),
    ("for x in [1]:\n    pass", "top-level"),
    ("if True:\n    X = 1", "top-level"),
    ("import os", "import"),
    ("class A:\n    pass", "class"),
    ("X = Y = 1", "top-level"),
    ("X, Y = 1, 2", "top-level"),
    ("small = 1", "name"),
    ("X = [n for n in (1, 2)]", "constant"),
    ("X = open('/etc/passwd')", "constant"),
    ("X = LATER", "constant"),
    ("X = {'a': [1]}", "constant"),
    ("X = 2 ** 9", "power"),
    ("X = 'a' * 100", "text-arithmetic"),
    ("X = 1\nX = 2", "duplicate-name"),
    ("X: (lambda: 1)() = 1", "annotation"),
    ("X = Decimal('inf')", "literal"),
    ("def _a() -> int:\n    return 1\n\n\ndef _a() -> int:\n    return 1", "duplicate-name"),
    ("@staticmethod\ndef _a(x: int) -> int:\n    return x", "decorator"),
    ("def _a(*x: int) -> int:\n    return 1", "star-arguments"),
    ("def _a(**x: int) -> int:\n    return 1", "star-arguments"),
    ("def _a(x: int, /) -> int:\n    return 1", "star-arguments"),
    ("def _a(*, x: int) -> int:\n    return 1", "star-arguments"),
    ("def _a(x: int = sum([1])) -> int:\n    return x", "default"),
    ("def _a(x: list[int] = []) -> int:\n    return 1", "default"),
    ("def _a(x: print('x')) -> int:\n    return 1", "annotation"),
    ("def _a(x: 'Loan') -> int:\n    return 1", "annotation"),
    ("def _a(x: int) -> [y for y in ()]:\n    return 1", "annotation"),
    ("def _a(sum: int) -> int:\n    return 1", "shadowing"),
    ("def _a(_x: int) -> int:\n    return 1", "underscore"),
    ("def _a(database: Database) -> int:\n    return 1", "service"),
    ("def _a(db: int) -> int:\n    return 1", "service"),
    ("def _a(fake: Fake) -> int:\n    return 1", "service"),
    ("def _a(x: int) -> int:\n    return _a(x)", "recursion"),
    ("def _a() -> int:\n    return _b()\n\n\ndef _b() -> int:\n    return _a()", "recursion"),
    ("def money(x: int) -> int:\n    return x", "shadowing"),
    ("def __a(x: int) -> int:\n    return x", "name"),
    ("def _a(x: int) -> int:\n    return (", "syntax"),
    ("def _a(x: int) -> int:\n    return '\\d'", "syntax"),
    ("X = 1\x00", "odd-character"),
    ("X = '\u202e'", "odd-character"),
    ("X = '\u2066'", "odd-character"),
    ("X = " + "(" * 300 + ")" * 300, "syntax"),
    ("X = " + "-" * 99 + "1", "too-deep"),
    ("X = " + "+".join("1" * 500), "too-deep"),
]  # fmt: skip

CONSTANTS = [
    ("x = WORDS", "constant-use"),
    ("WORDS.append('a')", "constant-use"),
    ("WORDS[0] = 'a'", "constant-use"),
    ("WORDS += ['a']", "shadowing"),
    ("x = [WORDS]", "constant-use"),
    ("x = max(WORDS, WORDS)", "constant-use"),
    ("x = sum([], WORDS)", "constant-use"),
    ("x = WORDS or []", "constant-use"),
    ("x = _fees(WORDS)", "constant-use"),
    ("x = fake.pick([WORDS])", "constant-use"),
]
CONSTANTS_READ = [
    "x = WORDS[0]",
    "x = [w for w in WORDS]",
    "x = fake.pick(WORDS)",
    "x = 'a' in WORDS",
    "x = list(WORDS) + [*WORDS]",
    "x = len(WORDS) + WORDS.index('Salt')",
    "for w in WORDS:\n    pass",
    "for w, s in zip(WORDS, SHAPES):\n    pass",
]


@pytest.mark.parametrize(("body", "rule"), STATEMENTS)
def test_a_broken_rule_is_named(body: str, rule: str) -> None:
    assert rule in rules_of(body)


@pytest.mark.parametrize("body", ALLOWED)
def test_what_is_allowed_passes(body: str) -> None:
    assert problems_of_code(helper(body)) == []


@pytest.mark.parametrize(("code", "rule"), MODULES)
def test_the_top_level_is_bounded_too(code: str, rule: str) -> None:
    assert rule in rules_of_code(code)


@pytest.mark.parametrize(("body", "rule"), CONSTANTS)
def test_constants_cannot_be_changed(body: str, rule: str) -> None:
    code = "def _probe(db: Database, fake: Fake) -> None:\n" + indent(body, "    ")
    assert rule in rules_of_code(code, seed=True)


@pytest.mark.parametrize("body", CONSTANTS_READ)
def test_constants_can_be_read(body: str) -> None:
    code = "def _probe(db: Database, fake: Fake) -> None:\n" + indent(body, "    ")
    assert problems_of_code(code, seed=True) == []


def test_a_seed_may_nest_lists_in_constants_and_tools_may_not() -> None:
    code = "SIZES = ['S', 'M']\nGOODS = [('shirt', SIZES), ('sock', ['L'])]"
    assert rules_of_code(code, seed=True) == set()
    assert rules_of_code(code) == {"constant"}


def test_every_refusal_has_line_rule_message_and_mend() -> None:
    before = library()["tools.py"].count("\n") + 2
    for body, rule in STATEMENTS:
        for problem in problems_of_code(helper(body)):
            assert problem.file == "tools.py"
            assert problem.line > before or rule == "odd-character"
            assert problem.message.endswith((".", "?"))
            assert problem.mend.endswith((".", "?", "!", "`")) or "Did you" in problem.mend


def test_a_rule_is_an_expression_of_the_subset() -> None:
    domain = library()["domain.yaml"]
    old = "rule: loan.fine == sum((fee.amount for fee in loan.fees), Decimal(0))"
    for rule, code in {
        "db.loans.remove(loan.loan_id)": "write-in-rule",
        "loan.fine ** 2": "power",
        "loan.__class__": "underscore",
        "loan.fin == 3": "unknown-column",
        "member.name": "unknown-name",
        "open('x')": "unknown-name",
        "loan.fine ==": "syntax",
        "x = 1": "syntax",
        "loan.status == 'shut'": "unknown-value",
    }.items():
        found = problems_with("domain.yaml", domain.replace(old, f"rule: {rule!a}"))
        assert code in {problem.rule for problem in found}, rule
        assert {domain.splitlines()[problem.line - 1].strip() for problem in found} == {old}
