"""The definitions clients see: valid, closed, self-contained, and as the code says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from toolworld.packages import load_package
from toolworld.spec import tool_definition
from toolworld.spec.descriptions import KEY_WIDTH

from .samples import DOMAINS, LIBRARY, library_spec, spec_of, tool_of

FOLDERS = sorted(path.parent for path in DOMAINS.glob("*/domain.yaml"))


def definition(name: str) -> dict[str, Any]:
    spec = library_spec()
    return tool_definition(spec, next(tool for tool in spec.tools if tool.name == name))


def nodes(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
        for value in schema.values():
            yield from nodes(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from nodes(value)


@pytest.mark.parametrize("folder", [LIBRARY, *FOLDERS], ids=lambda folder: folder.name)
def test_every_definition_is_valid_closed_and_self_contained(folder: Path) -> None:
    spec = spec_of(folder)
    for tool in spec.tools:
        found = tool_definition(spec, tool)
        for schema in (found["inputSchema"], found["outputSchema"]):
            Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"
            for node in nodes(schema):
                assert not {"$ref", "$defs", "oneOf", "allOf"} & set(node)
                assert not isinstance(node.get("type"), list)
                if node.get("type") == "object" and "properties" in node:
                    assert node["additionalProperties"] is False
        for argument in found["inputSchema"]["properties"].values():
            assert argument["description"]


def test_a_definition_has_all_its_parts() -> None:
    found = definition("lend_book")
    assert found["title"] == "Lend book"
    assert found["description"] == (
        "Lend a copy of a book to a member for three weeks.\n\n"
        "The member's own hold on the book, if there is one, is used up.\n\n"
        "Rejected when:\n"
        "- The member or the book is unknown.\n"
        "- The member is blocked or has too many open loans.\n"
        "- Every copy is out."
    )
    assert found["annotations"] == {
        "title": "Lend book",
        "readOnlyHint": False,
        "destructiveHint": True,
        "idempotentHint": False,
        "openWorldHint": False,
    }
    schema = found["inputSchema"]
    assert schema["required"] == ["member_id", "isbn"]
    assert schema["properties"]["member_id"]["maxLength"] == 200
    assert schema["properties"]["desk"]["default"] == "main"
    assert schema["properties"]["desk"]["maxLength"] == 10_000
    assert schema["properties"]["note"]["anyOf"][1] == {"type": "null"}
    assert schema["properties"]["note"]["default"] is None


def test_a_page_holds_items_a_cursor_and_a_total() -> None:
    found = definition("list_member_loans")
    schema = found["outputSchema"]
    assert schema["required"] == ["items", "next_cursor", "total"]
    row = schema["properties"]["items"]["items"]
    assert row["required"] == list(library_spec().domain.entities["Loan"].columns)
    assert row["properties"]["status"]["enum"] == ["open", "returned", "lost"]
    assert row["properties"]["lent_at"]["format"] == "date-time"
    assert row["properties"]["due_on"]["format"] == "date"
    limit = found["inputSchema"]["properties"]["limit"]
    assert (limit["minimum"], limit["maximum"], limit["default"]) == (1, 200, 50)


def test_money_and_units_are_described() -> None:
    row = definition("find_member")["outputSchema"]
    assert row["properties"]["blocked"]["type"] == "boolean"
    book = definition("search_books")["outputSchema"]["properties"]["items"]["items"]
    assert book["properties"]["price"]["description"].endswith("Two decimals, in EUR.")
    assert book["properties"]["rating"]["description"].endswith("In stars.")


def test_a_money_argument_takes_the_unit_of_the_column_it_is_named_after() -> None:
    code = '''
def set_price(db: Database, isbn: BookId, price: Money) -> Book:
    """Set what a lost copy costs.

    Args:
        isbn: The book.
        price: What a lost copy costs.

    Raises:
        Rejected: The book is unknown.
    """
    return db.books.update(isbn, price=money(price))
'''
    schema = tool_definition(library_spec(), tool_of(code))["inputSchema"]
    assert schema["properties"]["price"] == {
        "type": "number",
        "description": "What a lost copy costs. Two decimals, in EUR.",
    }


CHANGE = '''
def change_loan(
    db: Database,
    loan_id: LoanId,
    status: LoanStatus,
    days: int = 7,
    desk: str = "main hall",
    wait: bool = False,
    late: bool = True,
    note: str | None = None,
) -> Loan:
    """Change a loan such as LOA-7, never BOX-7.

    Args:
        loan_id: The loan, e.g. LOA-0012.
        status: returned or lost
        days: For how long.
        desk: Where it is
        wait: Whether to wait.
        late: Whether it is late, true by default.
        note: Why, e.g. "as LOA-000003 was".

    Raises:
        Rejected: There is no such loan.
    """
    return db.loans.update(loan_id, status=status)
'''


def described(code: str) -> dict[str, str]:
    """Return the descriptions of a tool's arguments, and the tool's own under its name."""
    found = tool_definition(library_spec(), tool_of(code))
    arguments = found["inputSchema"]["properties"]
    return {found["name"]: found["description"]} | {
        name: schema["description"] for name, schema in arguments.items()
    }


def test_descriptions_state_defaults_that_the_docstring_does_not() -> None:
    said = described(CHANGE)
    assert said["days"] == "For how long. Default: 7."
    assert said["desk"] == 'Where it is. Default: "main hall".'
    assert said["wait"] == "Whether to wait. Default: false."
    assert said["late"] == "Whether it is late, true by default."
    assert "Default" not in said["note"]
    page = definition("list_member_loans")["inputSchema"]["properties"]
    assert page["limit"]["description"].endswith(" Default: 50.")


def test_descriptions_name_the_values_that_a_list_of_some_leaves_out() -> None:
    assert described(CHANGE)["status"] == "returned or lost. Not taken: open."
    for text, said in {
        "New status: open, returned or lost.": "New status: open, returned or lost.",
        "The new one: open or lost.": "The new one: open or lost. Not taken: returned.",
        "Such as lost.": "Such as lost.",
        "lost": "lost",
        "open, if it is not lost.": "open, if it is not lost.",
    }.items():
        code = CHANGE.replace("returned or lost", text)
        assert described(code)["status"] == said


def test_ids_in_descriptions_have_the_form_of_the_data(golden_package: Path) -> None:
    said = described(CHANGE)
    assert said["loan_id"] == "The loan, e.g. LOA-00012."
    assert said["note"] == 'Why, e.g. "as LOA-00003 was".'
    assert said["change_loan"].startswith("Change a loan such as LOA-00007, never BOX-7.")
    assert load_package(golden_package).module("database.store").KEY_WIDTH == KEY_WIDTH
