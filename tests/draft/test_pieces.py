"""Headers of tools follow from their signatures, and no text of a model can leave its place."""

from __future__ import annotations

import ast
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolworld.draft.answers import Argument, Change, Outline, Thing, ToolPlan
from toolworld.draft.blueprint import Blueprint, Brief
from toolworld.draft.pieces import body_of, header, is_one_function, renamed
from toolworld.errors import DraftError


def blueprint() -> Blueprint:
    outline = Outline.model_construct(
        name="clinic",
        title="Clinic",
        summary="A clinic.",
        today=date(2026, 3, 2),
        things=[Thing(name="Pet", table="pets", prefix="PET", says="A pet.")],
    )
    return Blueprint(Brief("pets"), outline)


def tool(does: str = "Rename a pet", says: str = "The new name") -> ToolPlan:
    return ToolPlan.model_construct(
        name="rename_pet",
        does=does,
        arguments=[
            Argument.model_construct(name="note", type="text", says="Why", optional=True),
            Argument.model_construct(name="pet_id", type="Pet", says="The pet", optional=False),
            Argument.model_construct(name="names", type="list of text", says=says, optional=False),
        ],
        returns="page of Pet",
        fields=[],
        refuses=["The name is taken"],
        changes=[Change.model_construct(does="changes", thing="Pet")],
        then=[],
    )


def test_a_header_has_types_conditions_and_paging() -> None:
    text = header(tool(), blueprint())
    assert "def rename_pet(db: Database, pet_id: PetId, names: list[str]" in text
    assert "note: str | None = None, cursor: str | None = None, limit: int = 50" in text
    assert "-> Page[Pet]:" in text
    assert "Rejected: There is no such pet." in text
    assert "Rejected: The name is taken." in text
    assert "Rejected: The cursor or limit is bad." in text


@given(st.text(max_size=60), st.text(max_size=300))
def test_no_text_ends_its_docstring(does: str, says: str) -> None:
    text = header(tool(does, says), blueprint()) + body_of("return db.pets.all()")
    [function] = ast.parse(text.replace("\x00", "")).body
    assert isinstance(function, ast.FunctionDef)
    assert len(function.body) == 2


@pytest.mark.parametrize("body", ["return (", "x = 1\n  y = 2", 'x = """', "def f():"])
def test_a_body_that_python_cannot_read_is_no_function(body: str) -> None:
    assert not is_one_function("def rename_pet():\n" + body_of(body), "rename_pet")


def test_a_body_cannot_leave_its_function() -> None:
    text = "def rename_pet():\n" + body_of("return 1\nimport os\ndef other():\n    pass")
    assert len(ast.parse(text).body) == 1


def test_two_functions_are_not_one() -> None:
    assert is_one_function("def _a():\n    pass\n", "_a")
    assert not is_one_function("def _a():\n    pass\n\n\ndef _b():\n    pass\n", "_a")
    assert not is_one_function("import os\n", "os")


def test_names_are_changed_as_whole_words_only() -> None:
    code = "_free(db) + db._free + a_free + MOST"
    changed = renamed(code, {"_free": "_free_2", "MOST": "MOST_2"})
    assert changed == "_free_2(db) + db._free + a_free + MOST_2"


@pytest.mark.parametrize("wish", ["", "   ", "?!", "12 34"])
def test_a_wish_that_says_nothing_is_refused(wish: str) -> None:
    with pytest.raises(DraftError, match="says nothing to draft from"):
        Brief(wish)


@pytest.mark.parametrize("wish", ["Tierarztpraxis für Exoten", "ペットケア", "سوق السلع المستعملة"])
def test_a_wish_may_be_in_any_language(wish: str) -> None:
    assert Brief(wish).wish == wish


def test_a_wish_that_is_too_long_is_refused() -> None:
    with pytest.raises(DraftError, match="has 7,000 characters"):
        Brief("a" * 7000)
