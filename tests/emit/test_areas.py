"""A domain whose tools stand in several files: its package has a module for each."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.several_files import split
from toolworld import emit
from toolworld.draft.coverage import Module
from toolworld.folders import read_files
from toolworld.packages import load_package

SOURCE = "src/toolworld_library"


@pytest.fixture(scope="module")
def spec(library_spec: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library's folder, its tools in three files."""
    return split(library_spec, tmp_path_factory.mktemp("spec") / "library")


@pytest.fixture(scope="module")
def several(spec: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its package."""
    folder = tmp_path_factory.mktemp("package") / "library"
    emit.build(spec, folder)
    return folder


@pytest.fixture(scope="module")
def single(library_spec: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package of the same domain with one file of tools."""
    folder = tmp_path_factory.mktemp("single") / "library"
    emit.build(library_spec, folder)
    return folder


def test_there_is_a_module_for_each_file(several: Path) -> None:
    names = {path for path in read_files(several) if path.startswith(f"{SOURCE}/tools")}
    assert names == {f"{SOURCE}/tools/{name}.py" for name in ("__init__", "desk", "fees", "holds")}


def test_only_what_is_about_the_modules_differs(several: Path, single: Path) -> None:
    ours, theirs = read_files(several), read_files(single)
    changed = {path for path in ours.keys() | theirs.keys() if ours.get(path) != theirs.get(path)}
    order = {
        "README.md",
        "manifest.json",
        f"{SOURCE}/calls/tools.json",
        f"{SOURCE}/calls/effects.json",
    }
    assert {path for path in changed if "/tools" not in path} - order == {
        "pyproject.toml",
        f"{SOURCE}/__init__.py",  # the digest of the spec
    }
    effects = [json.loads(files[f"{SOURCE}/calls/effects.json"]) for files in (ours, theirs)]
    assert effects[0] == effects[1]


def test_the_face_of_the_package_is_its_tools_in_order(several: Path) -> None:
    package = load_package(several)
    listed = json.loads((several / SOURCE / "calls" / "tools.json").read_text())
    assert package.module("tools").__all__ == [tool["name"] for tool in listed]
    assert [tool["name"] for tool in package.environment().tools] == package.module("tools").__all__


def test_each_module_opens_with_its_docstring_and_imports_what_it_uses(several: Path) -> None:
    text = (several / SOURCE / "tools" / "desk.py").read_text()
    assert text.startswith(
        '"""What is done at the desk: finding, lending, extending and returning."""'
    )
    assert "from .fees import LOAN_DAYS, _late_fee, _open_loan\n" in text
    assert "from ..errors import Rejected\n" in text
    assert "Hold," not in text


def test_tools_of_all_files_work(several: Path, single: Path) -> None:
    environments = [load_package(path).environment() for path in (several, single)]
    calls = [
        ("renew_loan", {"loan_id": "LOA-00004"}),
        ("return_loan", {"loan_id": "LOA-00004"}),
        ("place_hold", {"member_id": "M", "isbn": "9781000000002", "needed_by": "2026-03-05"}),
        ("charge_fee", {"loan_id": "LOA-00001", "fee": {}}),
    ]
    for name, arguments in calls:
        results = [environment.call(name, arguments) for environment in environments]
        assert results[0] == results[1]
    assert environments[0].digest() == environments[1].digest()


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", "--no-cache", "."],
        ["ruff", "format", "--no-cache", "--check", "."],
        ["mypy", "--cache-dir", "/dev/null", "src"],
        ["pytest", "-q", "-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-p", "no:faker"],
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_the_package_is_as_clean_as_any(several: Path, command: list[str]) -> None:
    run = subprocess.run(
        [sys.executable, "-m", *command], cwd=several, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_it_is_stale_when_a_file_changes(spec: Path, several: Path, tmp_path: Path) -> None:
    assert emit.stale(spec, several) == ""
    other = tmp_path / "library"
    other.mkdir()
    for path, text in read_files(spec).items():
        (other / path).parent.mkdir(exist_ok=True)
        (other / path).write_text(text.replace("LOAN_DAYS = 21", "LOAN_DAYS = 22"))
    assert "+LOAN_DAYS = 22" in emit.stale(other, several)


def test_a_docstring_of_a_file_cannot_escape(spec: Path, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    folder.mkdir()
    for path, text in read_files(spec).items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text)
    file = folder / "tools" / "holds.py"
    says = r"""'Holds \'\'\' """ + '""" C:\\\\new \\"quoted\\".' + "'"
    file.write_text(says + file.read_text().partition("\n")[2].join(["\n", ""]))
    emit.build(folder, tmp_path / "package")
    module = load_package(tmp_path / "package").module("tools.holds")
    assert module.__doc__ == "Holds ''' ''' C:\\new \"quoted\"."


def test_the_modules_of_a_package_are_told_in_one_place(several: Path, single: Path) -> None:
    modules = load_package(several).tools_modules()
    assert [module.file for module in modules] == [
        "tools/desk.py",
        "tools/fees.py",
        "tools/holds.py",
    ]
    assert [module.name for module in modules] == ["tools.desk", "tools.fees", "tools.holds"]
    assert modules[1].text == (several / SOURCE / "tools" / "fees.py").read_text()
    assert [one.file for one in load_package(single).tools_modules()] == ["tools.py"]


def test_drafting_reads_all_of_them(several: Path) -> None:
    module = Module.of(several)
    assert module.functions["place_hold"].startswith("def place_hold(")
    place = {"file": "tools/fees.py", "line": 1}
    assert module.line(place) == '"""Loans that are open, and what they cost."""'
