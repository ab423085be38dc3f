"""A package to audit, bugs to plant in it, and a model that says what a test tells it to."""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from toolworld.audit import AuditReport, AuditSettings, audit
from toolworld.audit.answers import DataFinding, Finding, TaskFinding, ToolFinding
from toolworld.audit.apart import Subject
from toolworld.audit.reproduce import Reproducer
from toolworld.llm import ModelReply, Prompt

KINDS: dict[str, type[Finding]] = {
    "tool": ToolFinding, "table": DataFinding, "task": TaskFinding,
}  # fmt: skip
NOTHING = '{"findings": []}'


class Auditor:
    """Answers by prompt id, and finds nothing where it has no answer."""

    name = "auditor"

    def __init__(self, answers: Mapping[str, str] | None = None) -> None:
        self.answers = dict(answers or {})
        self.prompts: dict[str, Prompt] = {}
        self.told: dict[str, Sequence[str]] = {}

    async def answer(self, prompt: Prompt) -> ModelReply:
        self.prompts[prompt.id] = prompt
        return ModelReply.to(prompt, self.answers.get(prompt.id, NOTHING))

    def judged(self, prompt: Prompt, findings: Sequence[str]) -> None:
        self.told[prompt.id] = findings

    def audit(self, path: Path, settings: AuditSettings | None = None) -> AuditReport:
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
        file = self.source / "calls" / "tools.json"
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


@pytest.fixture(scope="session")
def gathered() -> dict[tuple[str, int], Any]:
    """The evidence of packages, by their digests and seeds."""
    return {}


@pytest.fixture
def gather_once(gathered: dict[tuple[str, int], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the evidence of each package gathered once, for tests of what is made of it."""
    gather = Subject.evidence

    def remembered(subject: Subject, seed: int) -> Any:
        place = subject.digest, seed
        if place not in gathered:
            gathered[place] = gather(subject, seed)
        return copy.deepcopy(gathered[place])

    monkeypatch.setattr(Subject, "evidence", remembered)


@pytest.fixture(scope="session")
def evidence(golden_package: Path) -> Any:
    """What an audit of the library package goes by."""
    return Subject(golden_package).evidence(0)


Found = Callable[..., Any]


@pytest.fixture(scope="session")
def all_found(golden_package: Path, evidence: Any) -> Found:
    """Runs findings on a package, all in one process, and returns what came of each."""

    def of(many: Sequence[dict[str, Any]], path: Path = golden_package) -> list[Any]:
        (file,) = path.glob("src/*/calls/tools.json")
        definitions = {tool["name"]: tool for tool in json.loads(file.read_text())}
        tools = [{"name": name, "definition": definitions[name]} for name in definitions]
        findings = [
            KINDS[next(name for name in KINDS if name in one)].model_validate(
                one, context={"tool": list(definitions)}
            )
            for one in many
        ]
        reproducer = Reproducer(Subject(path), {**evidence, "tools": tools})
        return [judged.as_json() for judged in reproducer.tried(findings, 1)]

    return of


@pytest.fixture(scope="session")
def found(all_found: Found, golden_package: Path) -> Found:
    """Runs a finding on a package, and returns what came of it."""

    def of(one: dict[str, Any], path: Path = golden_package) -> Any:
        return all_found([one], path)[0]

    return of
