"""Packages of the bike shop with something changed, to be searched for broken laws."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from toolworld import emit
from toolworld.laws import LawSearch, LawsReport, prove_laws
from toolworld.laws import run as run_module

Changed = Callable[..., Path]
FEW = LawSearch(calls=2_400)


@pytest.fixture
def changed(tmp_path: Path, starter_spec: Path) -> Changed:
    """Build the bike shop with texts of its files replaced, or with more laws."""

    def build(*edits: tuple[str, str, str], laws: str = "") -> Path:
        folder = tmp_path / "domain"
        # Without tasks written by hand, whose gold would have to fit what is changed.
        shutil.copytree(starter_spec, folder, ignore=shutil.ignore_patterns("tasks.yaml"))
        for file, old, new in edits:
            text = (folder / file).read_text("utf-8")
            assert old in text, old
            (folder / file).write_text(text.replace(old, new), "utf-8")
        with (folder / "laws.py").open("a", encoding="utf-8") as file_of_laws:
            file_of_laws.write(laws)
        emit.build(folder, tmp_path / "package")
        return tmp_path / "package"

    return build


@pytest.fixture
def search(changed: Changed, monkeypatch: pytest.MonkeyPatch) -> Callable[..., LawsReport]:
    """Build a changed bike shop, and search it in few parts: each takes time to begin."""
    monkeypatch.setattr(run_module, "PARTS", 2)

    def run(*edits: tuple[str, str, str], laws: str = "") -> LawsReport:
        return prove_laws(changed(*edits, laws=laws), FEW)

    return run
