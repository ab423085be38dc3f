"""Seed, conduct and laws in folders of files: the same domain as with one file each."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from toolworld import emit
from toolworld.errors import SpecError
from toolworld.spec import load_spec, save_spec

MODULES = ("seed", "conduct", "laws")
FIRST = '"""What comes first."""\n\n'
REST = '"""The rest."""\n\n'


def split(file: Path, at: str) -> None:
    """Put a module into a folder of two files, the second from a line on."""
    text = file.read_text()
    start = text.index(at)
    before = text[:start].removeprefix(text.partition("\n")[0] if text.startswith('"') else "")
    folder = file.with_suffix("")
    folder.mkdir()
    (folder / "first.py").write_text(FIRST + before.strip() + "\n")
    (folder / "rest.py").write_text(REST + text[start:])
    file.unlink()


@pytest.fixture
def folder(starter_spec: Path, tmp_path: Path) -> Path:
    """The bike shop, its seed, conduct and laws in two files each."""
    shop = Path(shutil.copytree(starter_spec, tmp_path / "shop"))
    for module in MODULES:
        file = shop / f"{module}.py"
        last = [line for line in file.read_text().splitlines() if line.startswith("def ")][-1]
        split(file, last)
    return shop


def test_folders_say_the_same_as_files(folder: Path, starter_spec: Path, tmp_path: Path) -> None:
    emit.build(folder, tmp_path / "of_folders")
    emit.build(starter_spec, tmp_path / "of_files")
    ones, others = (next((tmp_path / name).glob("src/*")) for name in ("of_folders", "of_files"))
    for file in ("database/seed.json", "policy/conduct.py", "proof/laws.py"):
        assert (ones / file).read_text() == (others / file).read_text()


def test_folders_are_saved_as_they_were(folder: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    save_spec(load_spec(folder), saved)
    assert load_spec(saved) == load_spec(folder)
    assert not any((saved / f"{module}.py").exists() for module in MODULES)
    for module in MODULES:
        (saved / f"{module}.py").write_text("")
    save_spec(load_spec(folder), saved)
    assert load_spec(saved) == load_spec(folder)


@pytest.mark.parametrize("module", MODULES)
def test_problems_are_told_with_their_file_and_line(folder: Path, module: str) -> None:
    file = folder / module / "rest.py"
    lines = file.read_text().rstrip().count("\n") + 1
    file.write_text(file.read_text().rstrip() + "\n\n\nimport os\n")
    with pytest.raises(SpecError) as caught:
        load_spec(folder)
    assert {(one.file, one.line) for one in caught.value.problems} == {
        (f"{module}/rest.py", lines + 3)
    }


def test_a_recipe_that_fails_is_told_with_its_file_and_line(
    folder: Path, tmp_path: Path, spoil: Callable[[Path, str, str], int]
) -> None:
    line = spoil(folder / "seed" / "rest.py", "for ", "    bikes = [db.bikes.all()[9999]]\n")
    with pytest.raises(SpecError) as caught:
        emit.build(folder, tmp_path / "package")
    (problem,) = caught.value.problems
    assert (problem.file, problem.line, problem.rule) == ("seed/rest.py", line, "seed-failed")


@pytest.fixture
def spoil() -> Callable[[Path, str, str], int]:
    """Put a line before the first that begins in some way; return its number."""

    def put(file: Path, begins: str, line: str) -> int:
        lines = file.read_text().splitlines(keepends=True)
        place = next(n for n, text in enumerate(lines) if text.strip().startswith(begins))
        file.write_text("".join([*lines[:place], line, *lines[place:]]))
        return place + 1

    return put


@pytest.mark.parametrize("module", MODULES)
def test_a_module_stands_in_one_place(folder: Path, module: str) -> None:
    (folder / f"{module}.py").write_text("")
    with pytest.raises(SpecError) as caught:
        load_spec(folder)
    found = {(problem.file, problem.rule) for problem in caught.value.problems}
    assert (f"{module}.py", "two-places") in found
