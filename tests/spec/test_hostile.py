"""Escapes from the subset that have worked elsewhere; each must be refused, none may run."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolworld.errors import Problem
from toolworld.spec.findings import FileFindings
from toolworld.spec.load import check_texts
from toolworld.spec.source import parse_source
from toolworld.spec.subset import Vocabulary, check_module

from .samples import helper, library, library_spec, problems_of_code, problems_with

ESCAPES = [
    "x = ''.__class__.__mro__[1].__subclasses__()",
    "x = '{0.__class__.__init__.__globals__}'.format(loan)",
    "x = '{a.__class__}'.format_map({'a': loan})",
    "x = f'{loan.__class__}'",
    "x = f'{loan!r:{loan.__class__}}'",
    "x = f'{(lambda: 1)()}'",
    "x = f'{[y for y in ().__class__.__bases__]}'",
    "x = (r for r in rows).gi_frame.f_back.f_globals",
    "x = [r for r in rows].gi_frame",
    "x = sum(r.gi_frame.f_builtins for r in rows)",
    "x = _late_fee.__globals__",
    "x = _late_fee.func_globals",
    "x = money.f_globals",
    "x = type(loan)",
    "x = type('X', (), {})",
    "x = vars()",
    "x = globals()['__builtins__']",
    "x = locals()",
    "x = object()",
    "x = super().mro()",
    "x = exec('import os')",
    "x = compile('1', '', 'eval')",
    "x = open('/etc/passwd').read()",
    "x = input()",
    "x = breakpoint()",
    "x = setattr(loan, 'desk', 1)",
    "x = delattr(loan, 'desk')",
    "x = [getattr(loan, a) for a in ['__class__']]",
    "x = {k: v for k, v in __builtins__.items()}",
    "x = [y for y in rows if print(y)]",
    "x = [z := 1 for y in rows]",
    "x = sorted(rows, key=eval)",
    "x = sorted(['1'], key=text.format)",
    "x = sorted(rows, key=lambda a, b=print(1): a)",
    "x = sorted(rows, key=lambda a: (yield))",
    "x = max(rows, key=loan.__class__)",
    "x = (lambda f: f(f))(lambda f: f(f))",
    "x = rows.sort.__self__",
    "x = text.join.__call__(rows)",
    "x = ｇｅｔａｔｔｒ(loan, 'desk')",
    "x = loan.＿＿class＿＿",
    "x: print('hi') = 1",
    "x: __import__('os').system('true') = 1",
    "@print\ndef f() -> None:\n    pass",
    "raise loan.__class__",
    "raise Rejected(eval('1'))",
    "import os as sum",
    "from __future__ import annotations",
    "x = db.__init__.__globals__",
    "x = db.loans.__class__",
    "x = db.loans._database",
    "x = db._tables",
    "x = db.commit()",
    "x = db.rollback()",
    "x = db.loans.parse({})",
    "x = db.tables['loans'].changes",
    "x = db.loans.changes",
    "x = db.snapshot()",
    "x = loan.model_dump()",
    "x = loan.model_fields",
    "x = loan.copy(update={'desk': 1})",
    "x = loan.model_construct(desk=1)",
    "x = Fee.model_validate({})",
    "x = Fee.model_rebuild()",
    "x = dict(__class__=1)",
    "x = Decimal('1').sqrt(context=loan)",
    "x = 9**9**9",
    "x = 1 << 99999999",
    "x = 'a' * 10**9",
    "x = [[0] * 99999] * 99999",
    "x = f'{n:>999999999}'",
    "x = text.center(10**9)",
    "x = text.expandtabs(10**9)",
    "x = int('9' * 10**8)",
    "x = math.factorial(99999999)",
    "x = math.perm(99999999)",
    "x = Decimal('1e999999999')",
    "while True:\n    pass",
    "for row in rows:\n    rows.append(row)",
    "for row in rows:\n    rows.extend([row])",
    "x = help",
    "x = exit()",
    "x = quit",
    "x = credits.__class__",
    "x = copyright",
    "x = Rejected.__init__",
    "x = Rejected('a').args",
    "x = Rejected('a').with_traceback(None)",
    "x = Rejected('a').__traceback__.tb_frame",
    "x = page(rows, None, 50).__class__",
    "x = timedelta.__doc__",
    "x = datetime.now().ctime()",
    "x = datetime.fromtimestamp(0)",
    "x = db.now().time().now()",
    "match loan:\n    case object(__class__=c):\n        pass",
    "def f[T: print('hi')](x: T) -> None:\n    pass",
    "type X = print('hi')",
    "try:\n    pass\nexcept* Exception:\n    pass",
    "with open('x') as f:\n    pass",
    "async for x in rows:\n    pass",
    "x = await rows",
    "x = [y async for y in rows]",
    "lambda: 1",
    "print(1)",
    "x = 0 if print(1) else 1",
    "x = not __name__",
    "x = __file__",
    "del db",
    "nonlocal db",
    "global db\ndb = 1",
    "for db in rows:\n    pass",
    "for loan.desk in rows:\n    pass",
    "for rows[0] in rows:\n    pass",
    "[loan.desk for loan.desk in rows]",
    "x = [1 for loan.desk in rows]",
    "loan.desk += 'a'",
    "LATE_FEE_A_DAY += 1",
    "x = LATE_FEE_A_DAY.__class__",
]  # fmt: skip

FILES = [
    b"\x00",
    b"# -*- coding: utf-7 -*-\n+AGEAPQAx-\n",
    b"\n# vim: set fileencoding=latin-1 :\n",
    "x = '\u202e\u2066'".encode(),
    b"def _a() -> int:\n\x0c    return 1\n",
    b"(" * 100_000,
    b"-" * 100_000 + b"1",
    b"X = " + b"1+" * 50_000 + b"1",
    b"X = " + b"[" * 90 + b"]" * 90,
    b"X = '" + b"a" * 399_000 + b"'",
    b"X = 1\n" * 70_000,
    b"X = " + b"9" * 10_000,
]


def refusals_of(code: str) -> list[Problem]:
    """Return what the syntax check alone refuses; inference may not be needed for safety."""
    findings = FileFindings("tools.py")
    source = parse_source(library()["tools.py"] + code, findings)
    if source is not None:
        check_module(source, Vocabulary.of(library_spec().domain), findings)
    return findings.problems


@pytest.mark.parametrize("body", ESCAPES)
def test_an_escape_is_refused(body: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert refusals_of(helper(body))
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("content", FILES, ids=range(len(FILES)))
@pytest.mark.parametrize("file", ["tools.py", "seed.py"])
def test_a_hostile_file_is_refused(file: str, content: bytes) -> None:
    assert problems_with(file, content.decode())


def test_defaults_annotations_and_decorators_do_not_run(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    call = f"open({str(mark)!r}, 'w')"
    code = f"@{call}\ndef _a(x: {call} = {call}) -> {call}:\n    return {call}\n"
    code += f"\n\nX: {call} = {call}\n"
    assert problems_of_code(code)
    assert not mark.exists()


@pytest.mark.parametrize("column", ["gi_frame", "f_globals", "tb_frame", "mro", "model_fields"])
def test_a_column_cannot_open_a_way_out(column: str) -> None:
    domain = library()["domain.yaml"]
    more = f"      {column}: {{type: text, description: A way out.}}\n      joined_on:"
    found = problems_with("domain.yaml", domain.replace("      joined_on:", more, 1))
    assert "reserved-name" in {problem.rule for problem in found}


def test_a_column_named_like_a_method_does_not_make_it_callable() -> None:
    texts = library()
    more = "      format: {type: text, nullable: true, description: Hard or soft.}\n      author:"
    texts["domain.yaml"] = texts["domain.yaml"].replace("      author:", more, 1)
    texts["tools.py"] += "\n\ndef _a(book: Book) -> str:\n    return '{0}'.format(book)\n"
    rules = {problem.rule for problem in check_texts(texts)[1]}
    assert "attribute" in rules


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=200))
def test_any_text_gives_problems_or_nothing_but_no_crash(text: str) -> None:
    problems_with("tools.py", text)
    problems_with("seed.py", "X = 1\n" + text)


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_damaged_files_never_crash_the_checker(data: st.DataObject) -> None:
    texts = library()
    name = data.draw(st.sampled_from(sorted(texts)))
    start = data.draw(st.integers(0, len(texts[name])))
    end = data.draw(st.integers(start, min(len(texts[name]), start + 60)))
    put = data.draw(
        st.sampled_from(["", " ", "\n", ":", "{", "*", "db", "None", "0", "- a", "x.y"])
    )
    texts[name] = texts[name][:start] + put + texts[name][end:]
    check_texts(texts)


def library_with(code: str) -> dict[str, str]:
    texts = library()
    return {**texts, "tools.py": f"{texts['tools.py']}\n\n{code}"}


def test_nested_calls_are_looked_at_once() -> None:
    nested = "list(" * 40 + "db.books.all()" + ")" * 40
    code = f"def _every(db: Database) -> list[Book]:\n    return {nested}\n"
    assert rules_of(library_with(code)) <= {"unused"}


def test_helpers_that_meet_again_are_looked_at_once() -> None:
    body = "def _at{}(n: int) -> int:\n    return _at{}(n) + _at{}(n + 1)\n"
    code = "\n\n".join(body.format(n, n + 1, n + 1) for n in range(60))
    end = "def _at60(n: int) -> int:\n    return n\n"
    assert rules_of(library_with(f"{code}\n\n{end}")) <= {"unused"}


def test_a_long_chain_of_helpers_is_no_recursion() -> None:
    body = "def _at{}(n: int) -> int:\n    return _at{}(n)\n"
    code = "\n\n".join(body.format(n, n + 1) for n in range(1_600))
    end = "def _at1600(n: int) -> int:\n    return {}\n"
    assert rules_of(library_with(f"{code}\n\n{end.format('n')}")) <= {"unused"}
    assert "recursion" in rules_of(library_with(f"{code}\n\n{end.format('_at7(n)')}"))


def test_of_very_many_problems_the_first_are_told_and_the_rest_counted() -> None:
    body = "def _wrong{}(db: Database) -> int:\n    return db.nothing{} + nope\n"
    _, problems = check_texts(library_with("\n\n".join(body.format(n, n) for n in range(900))))
    assert len(problems) == 201
    (more,) = [one for one in problems if one.rule == "more-problems"]
    assert "more problems in this file" in more.message


def rules_of(texts: dict[str, str]) -> set[str]:
    return {problem.rule for problem in check_texts(texts)[1]}
