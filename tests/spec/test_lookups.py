"""Texts that name a row by a unique column are found in the code, however they get there."""

from __future__ import annotations

import pytest

from .samples import tool_of

HEAD = '''
def probe_tool(db: Database, email: str, emails: list[str], note: str) -> Member:
    """Do something.

    Args:
        email: An address.
        emails: Addresses.
        note: A note.

    Raises:
        Rejected: It cannot be done.
    """
'''


def looked_up(body: str, helpers: str = "") -> tuple[str, ...]:
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    return tool_of(HEAD + lines + ("\n\n" + helpers if helpers else "")).effects.looks_up


@pytest.mark.parametrize(
    "body",
    [
        "return db.members.where(email=email)[0]",
        "return db.members.where(email=email.strip().lower())[0]",
        "return db.members.alike(email=email)[0]",
        "wanted = email.strip()\nfound = db.members.where(email=wanted)\nreturn found[0]",
        "if not db.members.where(email=email):\n    raise Rejected('No.')\n"
        "return db.members.all()[0]",
        "if db.members.where(email=email):\n    return db.members.all()[0]\nraise Rejected('No.')",
        "for one in [db.members.where(email=email)]:\n    return one[0]\nraise Rejected('No.')",
    ],
)
def test_a_parameter_compared_with_a_unique_column_names_a_row(body: str) -> None:
    assert looked_up(body) == ("email: Member.email",)


@pytest.mark.parametrize(
    "body",
    [
        "return db.members.where(name=email)[0]",
        "return db.members.where(email='a@example.com')[0]",
        "email = db.members.all()[0].email\nreturn db.members.where(email=email)[0]",
        "return db.members.where(email=f'{email}{note}')[0]",
        "if db.members.where(email=email):\n    raise Rejected('Taken.')\n"
        "return db.members.all()[0]",
        "if any(one.blocked for one in db.members.where(email=email)):\n"
        "    raise Rejected('Taken.')\nreturn db.members.all()[0]",
    ],
)
def test_other_columns_other_values_and_checks_that_it_is_free_are_no_look_up(body: str) -> None:
    assert looked_up(body) == ()


@pytest.mark.parametrize(
    "body",
    [
        "found = [db.members.where(email=one) for one in emails]\nreturn found[0][0]",
        "for one in emails:\n    return db.members.where(email=one.lower())[0]\n"
        "raise Rejected('None.')",
    ],
)
def test_items_of_a_list_are_told_by_their_path(body: str) -> None:
    assert looked_up(body) == ("emails.*: Member.email",)


def test_look_ups_come_through_helpers_under_the_caller_s_names() -> None:
    helpers = (
        "def _outer(db: Database, one: str) -> Member:\n    return _inner(db, two=one.lower())\n"
        "\n\ndef _inner(db: Database, two: str) -> Member:\n"
        "    return db.members.where(email=_clean(two))[0]\n"
        "\n\ndef _clean(text: str) -> str:\n    return text.strip()\n"
    )
    assert looked_up("return _outer(db, note)", helpers) == ("note: Member.email",)
