"""The small parts of an audit: checks of values, groups of evidence, words for columns."""

from __future__ import annotations

from typing import Any

import pytest

from toolworld.audit.answers import Check, Must
from toolworld.audit.checks import CannotTell, contradiction
from toolworld.audit.columns import summary
from toolworld.audit.groups import CUT, MOST_TOKENS, fitted, groups_of
from toolworld.audit.promises import is_promised
from toolworld.llm.prompts import estimate

DESCRIPTION = "Charges a late fee for each day.\n\nRejected when:\n- The fee is above 5 EUR."
RESULT = {"total": 2, "fine": 1.0, "open": True, "items": [{"id": "A", "note": None}]}


@pytest.mark.parametrize(
    ("path", "must", "value"),
    [
        ("total", "equal", "2"),
        ("fine", "equal", "1"),
        ("open", "equal", "true"),
        ("items.0.id", "equal", '"A"'),
        ("items.0.id", "equal", "A"),
        ("items.0.note", "equal", "null"),
        ("items.4.id", "equal", "null"),
        ("items.0.id", "differ", "B"),
        ("total", "at least", "2"),
        ("fine", "at most", "1.5"),
        ("items.0.id", "at most", '"B"'),
        ("items", "contain", "note"),
        ("", "lack", "closed"),
    ],
)
def test_a_check_that_holds(path: str, must: Must, value: str) -> None:
    assert contradiction(Check(path=path, must=must, value=value), RESULT, "it") == ""


@pytest.mark.parametrize(
    ("path", "must", "value"),
    [
        ("total", "equal", "3"),
        ("total", "equal", "true"),
        ("open", "equal", "1"),
        ("open", "differ", "true"),
        ("total", "at least", "2.5"),
        ("items.0.note", "at least", "1"),
        ("items.1", "contain", "A"),
        ("", "lack", "ITEMS"),
    ],
)
def test_a_check_that_does_not_hold(path: str, must: Must, value: str) -> None:
    told = contradiction(Check(path=path, must=must, value=value), RESULT, "it")
    assert told.startswith(f"{path} of it must" if path else "it must")


@pytest.mark.parametrize(
    ("path", "must", "value"),
    [
        ("totals", "equal", "2"),
        ("total.x", "equal", "2"),
        ("items.x", "equal", "2"),
        ("total", "at least", "many"),
        ("open", "at most", "3"),
    ],
)
def test_a_check_that_tells_nothing(path: str, must: Must, value: str) -> None:
    with pytest.raises(CannotTell):
        contradiction(Check(path=path, must=must, value=value), RESULT, "it")


@pytest.mark.parametrize(
    ("quoted", "stands"),
    [
        ("Rejected when: The fee is above 5 EUR.", True),
        ("charges a LATE fee\nfor each day", True),
        ("such as LOA-1", True),
        ("charges a fee for each day", False),
        ("harges a late fee", False),
    ],
)
def test_a_promise_is_found_by_its_words(quoted: str, stands: bool) -> None:
    definition: dict[str, Any] = {
        "description": DESCRIPTION,
        "inputSchema": {"properties": {"loan_id": {"description": 'The loan, such as "LOA-1".'}}},
    }
    assert is_promised(quoted, definition) is stands


def test_groups_hold_what_fits() -> None:
    sizes = {"a": 1, "b": 1, "c": 1, "large": MOST_TOKENS + 9, "d": MOST_TOKENS // 2, "e": 1}

    def text(names: Any) -> str:
        return "x" * 4 * sum(sizes[name] for name in names)

    assert groups_of(list(sizes), text, 2) == [["a", "b"], ["c"], ["large"], ["d", "e"]]
    assert fitted(text(["large"])).endswith(CUT)
    assert estimate(fitted(text(["large"]))) < MOST_TOKENS + 9
    assert fitted("short") == "short"


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ([3, 1, 2], "1 to 3, 3 different"),
        (["open", "open", "lost", None], '"lost" x1, "open" x2, 1 null'),
        (["2026-01-02", "2025-03-04"], "2025-03-04 to 2026-01-02, 2 different"),
        (["Ada", "Boris"], "2 different"),
        ([None, None], "always null"),
        ([], "always null"),
    ],
)
def test_a_column_in_a_few_words(values: list[Any], told: str) -> None:
    assert summary(values) == told
