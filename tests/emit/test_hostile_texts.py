"""Texts of a spec come out as they are, in code that is valid and passes the linter."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from toolworld import emit
from toolworld.emit.context import without_docstring
from toolworld.emit.docstrings import heading, literal
from toolworld.packages import Package, load_package

TEXTS = {
    "triple quotes": 'Ends """ here""" and \'\'\' there"""',
    "a quote at the end": 'He said "yes"',
    "quotes only": '"""',
    "backslashes": "C:\\new\\table \\N{DASH} \\x41 \\",
    "a backslash and quotes": '\\"""',
    "Jinja": "{{ 7 * 7 }} {% for x in y %} {# gone #} {{ spec }}",
    "format braces": "{0.__class__} %s %(x)s {}",
    "newlines": "First.\n\n  Second:\n  - third\n\n\n    import os\n",
    "a long sentence": "This sentence is rather long " * 60 + "and ends here.",
    "a long word": "x" * 500,
    "long words": ("y" * 150 + ". ") * 5,
    "many sentences": "Yes. No? Well! e.g. this. " * 40,
    "unicode": "日本語 🚲 ñ \u202e evil \u200b \u00a0 \u2028 \ufeff end",
    "code": '""")\nimport os\nos.abort()  # noqa\nx = ("""',
    "Markdown and HTML": "| a | `b` | </table><script>alert(1)</script> | [x](javascript:y) ```",
    "comments": "# noqa: E501 # type: ignore # fmt: off",
    "one letter": "x",
    "punctuation": "...",
    "a section": "Args:\n    nope: Not a parameter.\n\nRaises:\n    ValueError: Never.",
    "lower case": "a description without a capital or a full stop",
}


POLICY = "An agent asks who it talks to before it changes anything. " * 5


def with_text(domain: Any, text: str) -> Any:
    """Return a domain that says a text wherever it may say anything."""
    if isinstance(domain, dict):
        said = {"title", "summary", "description", "says"}
        return {
            key: text if key in said and isinstance(value, str) else with_text(value, text)
            for key, value in domain.items()
        }
    return [with_text(part, text) for part in domain] if isinstance(domain, list) else domain


def short(text: str) -> str:
    """Return what an enum may have of a text as a value."""
    return " ".join(text.split())[:30].strip()


@pytest.fixture(params=list(TEXTS))
def text(request: pytest.FixtureRequest) -> str:
    return TEXTS[request.param]


@pytest.fixture
def package(tmp_path: Path, library_spec: Path, text: str) -> Iterator[Package]:
    """The library, saying a hostile text everywhere."""
    spec = Path(shutil.copytree(library_spec, tmp_path / "spec"))
    file = spec / "domain.yaml"
    domain = with_text(yaml.safe_load(file.read_text("utf-8")), text)
    domain["clock"] = domain["clock"].isoformat()
    domain["enums"]["FeeReason"]["values"].append(short(text))
    domain["entities"]["Book"]["columns"]["price"]["unit"] = short(text)
    file.write_text(yaml.safe_dump(domain, sort_keys=False), encoding="utf-8")
    (spec / "policy.md").write_text(POLICY + text, encoding="utf-8", newline="")
    tasks = yaml.safe_load((spec / "tasks.yaml").read_text("utf-8"))
    for task in tasks:
        task["persona"] = task["instruction"] = text
    (spec / "tasks.yaml").write_text(yaml.safe_dump(tasks), encoding="utf-8")
    emit.build(spec, tmp_path / "package")
    yield load_package(tmp_path / "package")


def test_hostile_texts_come_out_as_they_are(package: Package, text: str) -> None:
    environment = package.environment("wait_for_a_book")
    assert environment.task.instruction == environment.task.persona == text
    assert environment.call("find_member", {"email": "greta.novak7@example.com"}).outcome == "ok"
    charge = next(tool for tool in environment.tools if tool["name"] == "charge_fee")
    fee = charge["inputSchema"]["properties"]["fee"]
    assert fee["properties"]["reason"]["enum"][-1] == short(text)
    assert fee["properties"]["charged_on"]["description"] == text
    assert package.module("about").TITLE == text
    loan = package.module("database.models").Loan
    assert squeezed(text) in squeezed(loan.__doc__)
    rule = package.module("database.invariants").INVARIANTS["books"][0]
    assert rule.says == text and squeezed(text) in squeezed(rule.holds.__doc__)
    policy = package.path / "src" / package.module_name / "policy" / "policy.md"
    assert policy.read_bytes().decode().split() == (POLICY + text).split()
    for name in ("server.json", "manifest.json"):
        assert json.loads((package.path / name).read_text("utf-8"))
    assert tomllib.loads((package.path / "pyproject.toml").read_text("utf-8"))
    check_lint(package.path)


def squeezed(text: str) -> str:
    """Return a text without what a docstring may change: spaces, quotes, a capital, controls."""
    return "".join(text.replace('"""', "'''").replace("\u202e", "").split()).lower()


def check_lint(folder: Path) -> None:
    for arguments in (["check"], ["format", "--check"]):
        command = [sys.executable, "-m", "ruff", *arguments, "--no-cache", "src", "tests"]
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("text", [*TEXTS.values(), "", " ", "\n" * 300, "日本" * 300])
def test_a_literal_is_the_text_in_short_lines(text: str) -> None:
    assert eval(literal(text)) == text  # noqa: S307
    assert all(len(line) < 90 for line in literal(text).split("\n"))


@pytest.mark.parametrize("text", [*TEXTS.values(), "日本" * 300])
def test_a_heading_fits_into_a_line(text: str) -> None:
    line = heading(text)
    assert "\n" not in line and '"""' not in line and "\\" not in line and len(line) <= 29
    assert heading("Town library") == "Town library"


def test_the_docstring_of_a_spec_is_left_out() -> None:
    rest = "\n\nX = 1\n"
    for docstring in ('"""One."""', '"""One.\n\nTwo.\n"""', '"""One\u2028two\x0cthree."""'):
        assert without_docstring(f"{docstring}{rest}") == "X = 1\n"
    assert without_docstring("X = 1\n") == "X = 1\n"
