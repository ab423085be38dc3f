"""Explanations of survivors are matched by function, line and change, wherever the line is now."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from toolworld.packages import load_package
from toolworld.prove.explanations import explained, explanations_of, stale

ONE = {"function": "lend", "source": "    if fee > 0:", "change": "> became >="}
OTHER = {"function": "lend", "source": "return fee", "change": "dropped"}
WHY = {"function": "lend", "line": "if fee > 0:", "change": "> became >=", "because": "It is so."}


def test_a_survivor_has_the_reason_of_its_own_explanation() -> None:
    assert explained([ONE, OTHER], [WHY]) == [
        {**ONE, "because": "It is so."},
        {**OTHER, "because": None},
    ]


@pytest.mark.parametrize("differs", ["function", "line", "change"])
def test_an_explanation_of_something_else_explains_nothing_and_is_stale(differs: str) -> None:
    elsewhere = {**WHY, differs: "another"}
    assert explained([ONE], [elsewhere])[0]["because"] is None
    assert stale([ONE], [elsewhere]) == [elsewhere]


def test_an_explanation_that_fits_a_survivor_is_not_stale() -> None:
    assert stale([ONE], [WHY]) == []
    assert stale([], [WHY]) == [WHY]


def test_only_explanations_of_the_functions_asked_for_are_read(
    golden_package: Path, tmp_path: Path
) -> None:
    package = load_package(Path(shutil.copytree(golden_package, tmp_path / "library")))
    package.files.survivors.write_text(json.dumps([WHY, {**WHY, "function": "give"}]), "utf-8")
    assert explanations_of(package, {"lend"}) == [WHY]
    package.files.survivors.unlink()
    assert explanations_of(package, {"lend"}) == []
