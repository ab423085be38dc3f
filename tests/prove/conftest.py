"""A package to prove, and ways to plant bugs in it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from toolworld.emit.jobs import Limits
from toolworld.prove import ProofReport, ProofSettings, prove

FAST = ProofSettings(
    calls=60, seek=0, search=0, mutants=False, limits=Limits(call=0.3, memory=128)
)  # fmt: skip


class Planted:
    """A copy of the library package with bugs in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.source = path / "src" / "toolworld_library"

    def code(self, old: str, new: str, module: str = "tools") -> None:
        """Replace text that stands once in a module."""
        file = self.source / f"{module}.py"
        text = file.read_text()
        assert text.count(old) == 1
        file.write_text(text.replace(old, new))

    def hint(self, tool: str, name: str, value: bool) -> None:
        """Set an annotation of a tool."""
        file = self.source / "calls" / "tools.json"
        definitions = json.loads(file.read_text())
        (definition,) = (one for one in definitions if one["name"] == tool)
        definition["annotations"][name] = value
        file.write_text(json.dumps(definitions))

    def cases(self, drafts: list[dict[str, Any]]) -> None:
        """Write drafted cases."""
        (self.source / "proof" / "cases.json").write_text(json.dumps(drafts))

    def proof(self, settings: ProofSettings = FAST) -> ProofReport:
        """Prove it."""
        return prove(self.path, settings)

    def failures(self, settings: ProofSettings = FAST) -> dict[str, list[str]]:
        """Prove it and return the reasons of all failures, by tool."""
        found: dict[str, list[str]] = {}
        for failure in self.proof(settings).content["failures"]:
            found.setdefault(failure["tool"], []).append(failure["reason"])
        return found


@pytest.fixture
def planted(golden_package: Path, tmp_path: Path) -> Planted:
    """A library package that a test may spoil."""
    return Planted(shutil.copytree(golden_package, tmp_path / "library"))


@pytest.fixture(scope="session")
def library_proof(golden_package: Path) -> ProofReport:
    """The library package, proven with a seed that soon reaches everything."""
    return prove(golden_package, ProofSettings(seed=4, calls=300, seek=1000))
