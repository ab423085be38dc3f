"""The files of an emitted package that the generator writes or reads."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolworld.errors import PackageLoadError

SOURCE, MAKING = "src", "making"
TASKS, SEED = "tasks/tasks.jsonl", "database/seed.json"
TOOLS, EFFECTS = "calls/tools.json", "calls/effects.json"
POLICY, POLICY_TEXT = "policy/policy.json", "policy/policy.md"
CASES, LAWS = "proof/cases.json", "proof/laws.py"
EXPLAINED, SURVIVORS = "proof/explained.json", "proof/survivors.json"
SCENARIOS, PHRASES = f"{MAKING}/scenarios.json", f"{MAKING}/phrases.json"
MEND = "Build the package again: toolworld build DOMAIN --out DIR"


@dataclass(frozen=True)
class PackageFiles:
    """The files under the module of a package.

    Attributes:
        module: The module's folder.
    """

    module: Path

    @property
    def source(self) -> Path:
        """The folder to import the package from."""
        return self.module.parent

    @property
    def making(self) -> Path:
        """The folder with the scenarios and the code that runs them."""
        return self.module / MAKING

    @property
    def tasks(self) -> Path:
        """The tasks, one a line."""
        return self.module / TASKS

    @property
    def seed(self) -> Path:
        """The seed database, one row a line."""
        return self.module / SEED

    @property
    def cases(self) -> Path:
        """The cases that each tool is proven on."""
        return self.module / CASES

    @property
    def tools(self) -> Path:
        """The tools as clients see them."""
        return self.module / TOOLS

    @property
    def effects(self) -> Path:
        """What each tool does to the rows."""
        return self.module / EFFECTS

    @property
    def phrases(self) -> Path:
        """How people speak of rows and tools."""
        return self.module / PHRASES

    @property
    def explained(self) -> Path:
        """Why suspects of the search for broken laws are meant."""
        return self.module / EXPLAINED

    @property
    def survivors(self) -> Path:
        """Why mutants that survive the proof are no faults."""
        return self.module / SURVIVORS

    @property
    def scenarios(self) -> Path:
        """The scenarios that tasks are made from."""
        return self.module / SCENARIOS

    @property
    def laws(self) -> Path:
        """The laws, as code."""
        return self.module / LAWS

    @property
    def policy(self) -> Path:
        """The policy, as agents read it."""
        return self.module / POLICY_TEXT


def read_json(path: Path) -> Any:
    """Return the content of a file of a package.

    Raises:
        PackageLoadError: It is not there, or no JSON.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise PackageLoadError(f"{path} cannot be read: {error}. {MEND}") from error


def read_json_if_there(path: Path) -> list[Any]:
    """Return the list in a file that not every package has; an empty one without it.

    Raises:
        PackageLoadError: It is no JSON.
    """
    return list(read_json(path)) if path.is_file() else []
