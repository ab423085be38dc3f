"""Tools read from functions, and what is said of functions that make no tool."""

from __future__ import annotations

import pytest

from toolworld.spec.model import Parameter

from .samples import problems_of_code, rules_of_code, tool_of

TOOL = '''
def add_note({parameters}) -> {result}:
    """Write a note on a loan.

    It replaces the note before.
    Nobody is told.

    A second paragraph.

    Args:
        loan_id: The loan, such as "LOA-00004",
            on two lines.
        note: What is written.

    Raises:
        Rejected: The loan is unknown.
        Rejected: The note
            is empty.
    """
    return db.loans.update(loan_id, note=note)
'''
GOOD = "db: Database, loan_id: LoanId, note: str"


def tool(parameters: str = GOOD, result: str = "Loan") -> str:
    return TOOL.format(parameters=parameters, result=result)


def test_a_tool_is_read_whole() -> None:
    found = tool_of(tool())
    assert found.name == "add_note"
    assert found.summary == "Write a note on a loan."
    assert found.details == ("It replaces the note before. Nobody is told.\n\nA second paragraph.")
    assert found.parameters == (
        Parameter(
            name="loan_id", type="Loan", description='The loan, such as "LOA-00004", on two lines.'
        ),
        Parameter(name="note", type="text", description="What is written."),
    )
    assert found.rejections == ("The loan is unknown.", "The note is empty.")
    assert (found.result, found.paged) == ("Loan", False)


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ("str", ("text", False, True, None)),
        ("int = 3", ("integer", False, False, 3)),
        ("int = -3", ("integer", False, False, -3)),
        ("float = 0.5", ("number", False, False, 0.5)),
        ("bool = False", ("boolean", False, False, False)),
        ("Money", ("money", False, True, None)),
        ("date | None = None", ("date", True, False, None)),
        ("datetime", ("datetime", False, True, None)),
        ('LoanStatus = "open"', ("LoanStatus", False, False, "open")),
        ("BookId | None = None", ("Book", True, False, None)),
        ("Fee", ("Fee", False, True, None)),
        ("list[Fee]", ("list of Fee", False, True, None)),
        ("list[list[int]]", ("list of list of integer", False, True, None)),
        ("list[BookId] | None = None", ("list of Book", True, False, None)),
    ],
)
def test_types_and_defaults_of_parameters(annotation: str, expected: object) -> None:
    code = tool(f"db: Database, loan_id: LoanId, note: {annotation}").replace(
        "note=note", "desk=''"
    )
    found = tool_of(code).parameters[1]
    assert (found.type, found.nullable, found.required, found.default) == expected


@pytest.mark.parametrize(
    ("parameters", "rule"),
    [
        ("db: Database, loan_id: LoanId, note", "untyped-parameter"),
        ("loan_id: LoanId, db: Database, note: str", "first-parameter"),
        ("db: Database, loan_id: LoanId, note: Strng", "unknown-type"),
        ("db: Database, loan_id: LoanId, note: LonId", "unknown-type"),
        ("db: Database, loan_id: LoanId, note: dict[str, int]", "parameter-type"),
        ("db: Database, loan_id: LoanId, note: Loan", "parameter-type"),
        ("db: Database, loan_id: LoanId, note: timedelta", "parameter-type"),
        ("db: Database, loan_id: LoanId, note: list[str | None]", "parameter-type"),
        ("db: Database, loan_id: LoanId, note: str | None", "default"),
        ("db: Database, loan_id: LoanId, note: str = None", "default"),
        ("db: Database, loan_id: LoanId, note: str = 3", "default"),
        ("db: Database, loan_id: LoanId, note: int = True", "default"),
        ("db: Database, loan_id: LoanId, note: Money = 0", "default"),
        ("db: Database, loan_id: LoanId, note: str, more: str", "undocumented-parameter"),
        ("db: Database, loan_id: LoanId", "unknown-parameter"),
        ("db: Database, loan_id: LoanId, note: str, schema: str", "reserved-name"),
        ("db: Database, loan_id: LoanId, note: str, Note: str", "reserved-name"),
        ('db: Database, loan_id: LoanId, note: LoanStatus = "shut"', "default"),
    ],
)
def test_bad_parameters_are_refused(parameters: str, rule: str) -> None:
    code = tool(parameters).replace("note=note", "desk=''")
    assert rule in rules_of_code(code, lint=True)


@pytest.mark.parametrize(
    ("result", "rule"),
    [
        ("None", "result-type"),
        ("str", "result-type"),
        ("dict[str, int]", "result-type"),
        ("list[Loan]", "result-type"),
        ("Loan | None", "result-type"),
        ("Page[str]", "result-type"),
        ("Page", "unknown-type"),
        ("Lon", "unknown-type"),
        ("Book", "wrong-type"),
        ("Page[Loan]", "page-parameters"),
    ],
)
def test_bad_results_are_refused(result: str, rule: str) -> None:
    assert rule in rules_of_code(tool(result=result), lint=True)


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("Write a note on a loan.", "", "no-docstring"),
        ("Write a note on a loan.", "Write a note on a loan", "summary"),
        ("Write a note on a loan.", "Write a note. " * 20, "summary"),
        ("Rejected: The note", "ValueError: The note", "raises"),
        ("    note: What is written.\n", "", "undocumented-parameter"),
        ("    Raises:", "    Notes:", "undocumented-rejection"),
        ("-> Loan", "", "untyped-result"),
        ("return db", "db", "no-result"),
        ("def add_note", "def reset", "reserved-name"),
        ("def add_note", "def id", "tool-name"),
        ("def add_note", "def " + "a" * 41, "tool-name"),
        ("def add_note", "def print", "reserved-name"),
    ],
)
def test_bad_functions_are_refused(old: str, new: str, rule: str) -> None:
    code = tool()
    assert old in code
    assert rule in rules_of_code(code.replace(old, new, 1), lint=True)


def test_an_unknown_type_has_a_suggestion() -> None:
    code = tool("db: Database, loan_id: LonId, note: str")
    (problem,) = [p for p in problems_of_code(code) if p.rule == "unknown-type"]
    assert problem.mend.startswith('Did you mean "LoanId"?')


def test_a_block_that_returns_on_all_paths_is_whole() -> None:
    code = "def _sign(n: int) -> int:\n    if n > 0:\n        return 1\n"
    assert "no-result" in rules_of_code(code)
    assert rules_of_code(code + "    else:\n        return 0\n") == set()
    assert rules_of_code(code + "    raise Rejected('Too small.')\n") == set()
