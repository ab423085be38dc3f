"""The functions tools may use: money, pages and text; and the one form each value has."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolworld.packages import Package


@pytest.fixture(scope="module")
def values(library: Package) -> Any:
    return library.module("values")


@pytest.fixture(scope="module")
def rejected(library: Package) -> Any:
    return library.module("errors").Rejected


@pytest.mark.parametrize(
    ("amount", "cents"),
    [
        (0.125, "0.13"),
        (-0.125, "-0.13"),
        (2.675, "2.68"),
        (1.005, "1.01"),
        ("1.005", "1.01"),
        (Decimal("1.0049999"), "1.00"),
        (3, "3.00"),
        (1e-9, "0.00"),
        (10**12, "1000000000000.00"),
    ],
)
def test_money_rounds_half_up(values: Any, amount: Any, cents: str) -> None:
    assert str(values.money(amount)) == cents


@pytest.mark.parametrize(
    "amount", [math.nan, math.inf, -math.inf, 1e300, "x", "", "nan", Decimal("sNaN"), 10**4000]
)
def test_what_is_no_money_is_rejected(values: Any, rejected: Any, amount: Any) -> None:
    with pytest.raises(rejected):
        values.money(amount)


@settings(max_examples=200)
@given(size=st.integers(0, 30), limit=st.integers(1, 12))
def test_pages_hold_everything_once(values: Any, size: int, limit: int) -> None:
    items, seen, cursor = list(range(size)), [], None
    while True:
        part = values.page(items, cursor, limit)
        assert part.total == size and len(part.items) <= limit
        seen += part.items
        cursor = part.next_cursor
        if cursor is None:
            break
        assert len(part.items) == limit
    assert seen == items


@pytest.mark.parametrize("cursor", ["", "0", "-1", "3", "99", "1.5", " 1", "١", "x" * 9999, "1\n"])
def test_a_bad_cursor_is_rejected(values: Any, rejected: Any, cursor: str) -> None:
    with pytest.raises(rejected, match="cursor"):
        values.page([1, 2, 3], cursor, 2)


@pytest.mark.parametrize("limit", [0, -1, 201, 2**53])
def test_a_bad_limit_is_rejected(values: Any, rejected: Any, limit: int) -> None:
    with pytest.raises(rejected, match="limit"):
        values.page([1, 2, 3], None, limit)


@pytest.mark.parametrize(
    ("text", "query", "found"),
    [
        ("The Glass House", "glass h", True),
        ("José Müller", "JOSE mu", True),
        ("Straße", "STRASSE", True),
        ("a  b", "a b", True),
        ("anything", "", True),
        ("", "x", False),
        ("glass", "grass", False),
        ("a.b", "a?b", False),
    ],
)
def test_contains(values: Any, text: str, query: str, found: bool) -> None:
    assert values.contains(text, query) is found


@pytest.mark.parametrize(
    ("text", "clear"),
    [
        ("José O'Neil", True),
        ("", True),
        ("Jo\u00adsé", False),
        ("Jo\u200bsé", False),
        ("Jo\u3164sé", False),
        ("José\ufe0f", False),
        ("José\U000e0100", False),
        ("José\n", False),
        ("M\u0435gan", False),
        ("Meg\u0251n", False),
        ("\u0410\u043d\u043d\u0430", True),
        ("\u5c71\u7530 \u306f\u306a", True),
    ],
    ids=ascii,
)
def test_a_text_is_clear_if_it_is_what_it_looks_like(values: Any, text: str, clear: bool) -> None:
    assert values.is_clear(text) is clear


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("O'Neil", "ONeil"),
        ("O\u02bcNeil", "o neil"),
        ("Anne-Marie", "Anne Marie"),
        ("Chang.", '"Chang"'),
        ("Łukasz Sørensen", "Lukasz Sorensen"),
        ("José", "Jose\u0301"),
    ],
)
def test_signs_make_no_other_name(values: Any, one: str, other: str) -> None:
    assert values.letters_of(one) == values.letters_of(other)


def test_vowel_signs_make_another_name(values: Any) -> None:
    assert values.letters_of("\u0915\u093e") != values.letters_of("\u0915\u094b")


def test_equal_values_have_one_form(library: Package) -> None:
    loan = library.module("database.models").Loan
    row = library.environment().state()["loans"]["LOA-00001"]
    fees = [{"reason": "late", "amount": 1.5, "charged_on": "2026-01-01"}]
    forms: list[dict[str, Any]] = [
        {"fine": 1, "lent_at": "2026-01-01T10:00:00Z"},
        {"fine": 1.0, "lent_at": "2026-01-01T10:00:00+00:00"},
        {"fine": Decimal("1.00"), "lent_at": "2026-01-01T12:00:00+02:00"},
        {"fine": Decimal("1"), "lent_at": "2026-01-01T10:00Z"},
    ]
    rows = [loan.model_validate({**row, "fees": fees, **form}) for form in forms]
    assert all(one == rows[0] for one in rows)
    digest = library.module("database.digest").row_digest
    assert len({digest("loans", one) for one in rows}) == 1
    assert len({one.model_dump_json() for one in rows}) == 1
    negative = [loan.model_validate({**row, "fine": fine}) for fine in (0, -0.0, Decimal("-0.00"))]
    assert len({digest("loans", one) for one in negative}) == 1


def test_a_value_changes_by_copy_only(library: Package) -> None:
    fee_type = library.module("database.models").Fee
    fee = fee_type(reason="late", amount=Decimal("1.50"), charged_on="2026-01-01")
    other = fee.replace(amount=Decimal("2.50"))
    assert (fee.amount, other.amount, other.reason) == (Decimal("1.50"), Decimal("2.50"), "late")
    for wrong in ({"amount": "2.50"}, {"reason": "nope"}, {"nope": 1}, {"amount": 1.005}):
        with pytest.raises(ValueError):
            fee.replace(**wrong)


@pytest.mark.parametrize(
    ("typeset", "typed"),
    [
        ("O\u2019Brien", "o'brien"),
        ("Anne\u2011Marie", "anne-marie"),
        ("\u201cZo\u00eb\u201d  \u2013 ", '"zoe" -'),
    ],
)
def test_typeset_signs_are_those_of_a_keyboard(values: Any, typeset: str, typed: str) -> None:
    assert values.fold(typeset) == typed
