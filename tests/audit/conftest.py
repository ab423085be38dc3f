"""A package to audit, bugs to plant in it, and a model that says what a test tells it to."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from toolworld.audit import AuditReport, Settings, audit
from toolworld.draft import Prompt, Reply

NOTHING = '{"findings": []}'


class Auditor:
    """Answers by prompt id, and finds nothing where it has no answer."""

    name = "auditor"

    def __init__(self, answers: Mapping[str, str] | None = None) -> None:
        self.answers = dict(answers or {})
        self.prompts: dict[str, Prompt] = {}
        self.told: dict[str, Sequence[str]] = {}

    async def answer(self, prompt: Prompt) -> Reply:
        self.prompts[prompt.id] = prompt
        return Reply.to(prompt, self.answers.get(prompt.id, NOTHING))

    def judged(self, prompt: Prompt, findings: Sequence[str]) -> None:
        self.told[prompt.id] = findings

    def audit(self, path: Path, settings: Settings | None = None) -> AuditReport:
        """Audit a package."""
        return audit(path, self, settings)


class Planted:
    """A copy of the library package with bugs in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.source = path / "src" / "toolworld_library"

    def code(self, old: str, new: str) -> None:
        """Replace text that stands once in the tools' code."""
        self.replace("tools.py", old, new)

    def replace(self, name: str, old: str, new: str) -> None:
        """Replace text that stands once in a file."""
        file = self.source / name
        text = file.read_text()
        assert text.count(old) == 1
        file.write_text(text.replace(old, new))

    def describe(self, tool: str, old: str, new: str) -> None:
        """Replace words in a tool's description."""
        file = self.source / "data" / "tools.json"
        definitions = json.loads(file.read_text())
        (definition,) = (one for one in definitions if one["name"] == tool)
        assert old in definition["description"]
        definition["description"] = definition["description"].replace(old, new)
        file.write_text(json.dumps(definitions))


@pytest.fixture
def planted(golden_package: Path, tmp_path: Path) -> Planted:
    """A library package that a test may spoil."""
    return Planted(shutil.copytree(golden_package, tmp_path / "library"))


def finding(tool: str, promise: str, *calls: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a finding about a tool."""
    return {
        "kind": "does-not-do-what-it-says",
        "severity": "high",
        "claim": "It is not so.",
        "tool": tool,
        "promise": promise,
        "calls": list(calls),
        **more,
    }


def call(tool: str, expect: str, checks: Sequence[Any] = (), **arguments: Any) -> dict[str, Any]:
    """Return a call of a finding."""
    text = json.dumps(arguments)
    return {"tool": tool, "arguments": text, "expect": expect, "checks": list(checks)}


def check(path: str, must: str, value: Any, **row: str) -> dict[str, Any]:
    """Return a check of a result, or of a row."""
    return {"path": path, "must": must, "value": json.dumps(value), **row}


def answer(*findings: dict[str, Any]) -> str:
    """Return an answer."""
    return json.dumps({"findings": findings})


Found = Callable[..., dict[str, Any]]


@pytest.fixture
def found(golden_package: Path) -> Found:
    """Audits a package with one finding, and returns what came of it."""

    def of(one: dict[str, Any], path: Path = golden_package, prompt: str = "tools-1.1") -> Any:
        report = Auditor({prompt: answer(one)}).audit(path)
        (came,) = report.content["findings"]
        return came

    return of
