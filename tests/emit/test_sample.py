"""The README of a package shows a call that works, whether or not the package has tasks."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from toolworld import emit
from toolworld.emit.documents import Documents
from toolworld.emit.render import documents_of
from toolworld.emit.sample import WorkingCall, choose_sample
from toolworld.packages import load_package
from toolworld.spec import Spec, load_spec


@pytest.fixture(scope="module")
def spec(library_spec: Path) -> Spec:
    return load_spec(library_spec)


@pytest.fixture(scope="module")
def untasked(library_spec: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library with other rows, and so without tasks."""
    out = tmp_path_factory.mktemp("sample") / "library"
    emit.build(library_spec, out, rows=40)
    return out


def printed(readme: Path) -> str:
    (code,) = re.findall(r"^```python\n(.*?)^```$", readme.read_text(), re.MULTILINE | re.DOTALL)
    command = [sys.executable, "-c", code]
    environment = {"PYTHONPATH": str(readme.parent / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True
    ).stdout


def test_the_sample_of_a_package_with_tasks_begins_one(golden_package: Path) -> None:
    assert printed(golden_package / "README.md").startswith("ok ")
    assert 'Environment(task="' in (golden_package / "README.md").read_text()


def test_the_sample_of_a_package_without_tasks_works_too(untasked: Path) -> None:
    readme = (untasked / "README.md").read_text()
    assert printed(untasked / "README.md").startswith("ok ")
    assert "Environment()" in readme
    assert "-d '{}'" in readme  # an episode without a task


def test_a_tool_is_asked_until_it_shows_something(spec: Spec, untasked: Path) -> None:
    package = load_package(untasked)
    base = package.module("database.seed").default_base()
    asked: list[str] = []
    tools = tuple(tool for tool in spec.tools if tool.name != "find_member")
    rest = spec.model_copy(update={"tools": tools})
    sample = choose_sample(rest, package, base, [], lambda _, what: asked.append(what))
    assert sample is not None
    assert asked[-1] == f"{sample.tool}, for the README,"
    result = package.environment().call(sample.tool, sample.arguments)
    assert result.outcome == "ok" and result.structured["items"]


def test_gold_that_begins_with_a_refusal_is_no_sample(spec: Spec, untasked: Path) -> None:
    package = load_package(untasked)
    base = package.module("database.seed").default_base()
    gold = [{"tool": "find_member", "arguments": {"email": "nobody"}, "expect": "rejected"}]
    sample = choose_sample(spec, package, base, [{"id": "one", "gold": gold}], lambda *_: None)
    assert sample is not None and sample.task == "" and sample.arguments["email"] != "nobody"


def test_without_a_sample_the_readme_lists_the_tools(spec: Spec) -> None:
    documents: Documents = documents_of(spec)
    assert "environment.call" not in documents.example
    shown = replace(documents, sample=WorkingCall("find_member", {"email": "a@example.com"}))
    assert "environment.call('find_member', {'email': 'a@example.com'})" in shown.example
    assert "grade()" not in shown.example
