"""The reference is what the code says, and its examples are in the format that it describes."""

from __future__ import annotations

import pytest
import yaml
from pydantic import BaseModel

from tools.docs.page import Page
from tools.docs.reference import FORMAT, MODELS, descriptions, keys_of, pages
from toolworld.harness.calls import ExpectedCall
from toolworld.spec.drafts import CaseDraft, Explanation, SuspectExplanation
from toolworld.spec.model import Column

EXAMPLES: dict[str, type[BaseModel]] = {
    "cases.yaml": CaseDraft,
    "survivors.yaml": Explanation,
    "explained.yaml": SuspectExplanation,
}


def test_the_committed_reference_is_what_the_code_says() -> None:
    stale = [str(path) for path, text in pages().items() if path.read_text("utf-8") != text]
    assert stale == [], "if this is meant: make docs"


@pytest.mark.parametrize("name", MODELS)
def test_every_key_is_described(name: str) -> None:
    told = descriptions(MODELS[name])
    assert [key for key, text in told.items() if not text] == []


def test_every_model_is_in_the_reference() -> None:
    text = "".join(pages().values())
    assert [name for name in MODELS if f"<!-- keys of: {name} -->" not in text] == []


def test_a_table_tells_types_and_defaults() -> None:
    column, call = keys_of(Column).splitlines(), keys_of(ExpectedCall).splitlines()
    (match,) = (row for row in column if row.startswith("| `match` |"))
    assert "| `exempt`, `hard`, `semantic` | `hard` |" in match
    assert any(row.startswith("| `unit` | text |  | The currency") for row in column)
    assert call[2].startswith("| `tool` | text | required |")
    assert call[3].startswith("| `arguments` | any value, by name |")


@pytest.mark.parametrize("file", EXAMPLES)
def test_an_example_of_the_reference_is_valid(file: str) -> None:
    (text,) = (block.text for block in Page.read(FORMAT).blocks if block.file == file)
    for entry in yaml.safe_load(text):
        EXAMPLES[file].model_validate(entry)
