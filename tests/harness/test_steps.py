"""Arguments that refer to earlier results."""

from __future__ import annotations

from typing import Any

import pytest

from toolworld.harness.steps import Unresolved, resolve

RESULTS: dict[int, dict[str, Any]] = {
    0: {"id": "MEM-1", "lines": [{"sku": "a"}, {"sku": "b"}], "note": None},
    2: {"total": 3, "tags": {"0": "zero"}},
}


@pytest.mark.parametrize(
    ("value", "resolved"),
    [
        ({"$step": 0, "path": "id"}, "MEM-1"),
        ({"$step": 0, "path": "lines.1.sku"}, "b"),
        ({"$step": 0, "path": "note"}, None),
        ({"$step": 2, "path": "tags.0"}, "zero"),
        ({"$step": 2}, RESULTS[2]),
        ({"order": {"by": [{"$step": 0, "path": "id"}, 4]}}, {"order": {"by": ["MEM-1", 4]}}),
        ({"plain": [1, "two", None, {"path": "id"}]}, {"plain": [1, "two", None, {"path": "id"}]}),
    ],
)
def test_references_are_replaced_wherever_they_stand(value: Any, resolved: Any) -> None:
    assert resolve(value, RESULTS) == resolved


@pytest.mark.parametrize(
    "value",
    [
        {"$step": 1, "path": "id"},
        {"$step": "0", "path": "id"},
        {"$step": 0, "path": "lines.2.sku"},
        {"$step": 0, "path": "lines.-1.sku"},
        {"$step": 0, "path": "id.length"},
        {"$step": 0, "path": 3},
        {"$step": [0], "path": "id"},
        {"$step": 0, "path": "id", "default": 1},
    ],
)
def test_references_to_nothing_are_not_guessed(value: Any) -> None:
    with pytest.raises(Unresolved):
        resolve(value, RESULTS)
