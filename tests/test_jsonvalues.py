"""JSON values and the paths inside them."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolworld.jsonvalues import JsonValue, at, leaves, pattern, replaced, spelled, texts

PLAIN = st.one_of(st.none(), st.booleans(), st.integers(), st.text())
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)
ORDER: JsonValue = {"id": "ORD-1", "lines": [{"sku": "A"}, {"sku": None}], "paid": True, "tags": []}


@given(VALUES)
def test_each_leaf_stands_at_its_path(value: JsonValue) -> None:
    for path, leaf in leaves(value):
        assert at(value, path) is leaf
        assert not isinstance(leaf, list | dict)


@given(VALUES, PLAIN)
def test_replacing_changes_one_leaf_and_not_the_value(value: JsonValue, new: JsonValue) -> None:
    before, found = copy.deepcopy(value), list(leaves(value))
    for path, _ in found:
        changed = replaced(value, path, new)
        assert list(leaves(changed)) == [(one, new if one == path else old) for one, old in found]
    assert value == before


@given(VALUES)
def test_paths_are_different(value: JsonValue) -> None:
    paths = [path for path, _ in leaves(value)]
    assert len(set(paths)) == len(paths)


@given(VALUES)
def test_texts_are_the_leaves_that_are_texts(value: JsonValue) -> None:
    assert list(texts(value)) == [leaf for _, leaf in leaves(value) if isinstance(leaf, str)]


def test_leaves_come_in_their_order() -> None:
    assert list(leaves(ORDER)) == [
        (("id",), "ORD-1"),
        (("lines", 0, "sku"), "A"),
        (("lines", 1, "sku"), None),
        (("paid",), True),
    ]


def test_a_path_can_lead_to_an_object() -> None:
    assert at(ORDER, ("lines", 0)) == {"sku": "A"}
    assert at(ORDER, ()) is ORDER


@pytest.mark.parametrize(
    "path", [("name",), ("lines", 2), ("id", 0), ("lines", "0"), ("paid", "x")]
)
def test_nothing_stands_where_nothing_stands(path: tuple[str | int, ...]) -> None:
    with pytest.raises(LookupError):
        at(ORDER, path)
    with pytest.raises(LookupError):
        replaced(ORDER, path, 1)


def test_paths_are_spelled_for_people_and_for_effects() -> None:
    assert spelled(("lines", 0, "sku")) == "lines.0.sku"
    assert pattern(("lines", 0, "sku")) == "lines.*.sku"
