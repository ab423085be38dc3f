"""A domain's text is checked in a child under limits, with the results of a check without."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.spec import starter
from toolworld.emit import checking
from toolworld.errors import SpecError
from toolworld.spec import load_spec
from toolworld.spec.load import check_texts


def test_a_limited_check_finds_what_a_check_finds() -> None:
    texts = starter.texts()
    assert checking.check_limited(texts) == check_texts(texts)
    texts["tools.py"] += "\n\nLIMIT = 1 / 0\n"
    texts.pop("tasks.yaml")
    assert checking.check_limited(texts) == check_texts(texts)


def test_a_limited_check_of_a_folder_reads_what_a_check_reads(tmp_path: Path) -> None:
    assert checking.load_limited(starter.STARTER) == load_spec(starter.STARTER)
    with pytest.raises(SpecError, match="no such folder"):
        checking.load_limited(tmp_path / "nothing")


def test_a_check_that_eats_memory_is_a_problem_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def eats(texts: Any, unfinished: Any, reading: Callable[[str], None]) -> Any:
        reading("tasks.yaml")
        return bytearray(2**28)

    monkeypatch.setattr(checking, "MEGABYTES", 16)
    monkeypatch.setattr(checking, "check_texts", eats)
    spec, (problem,) = checking.check_limited(starter.texts())
    assert spec is None
    assert (problem.file, problem.rule) == ("tasks.yaml", "out-of-limits")
    assert problem.message == "The check of tasks.yaml eats memory."
