"""A package seen from outside: it only ever runs in another process."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from toolworld.audit.sequences import Steps
from toolworld.errors import ToolworldError
from toolworld.packages import find_module
from toolworld.system.processes import tied
from toolworld.system.temporary import temporary_folder

SECONDS = 1800
LINES_SHOWN = 12

Json = Any


class Subject:
    """The package that is audited.

    Attributes:
        path: The package's folder.
    """

    def __init__(self, path: Path) -> None:
        """Take a package's folder.

        Raises:
            PackageLoadError: The folder holds no package.
        """
        self.path = path
        self._module = find_module(path)

    @property
    def digest(self) -> str:
        """A digest that tells its code and data from any other's."""
        digest = hashlib.sha256()
        for file in sorted(path for path in self._module.rglob("*") if path.is_file()):
            if file.suffix != ".pyc":
                digest.update(f"{file.relative_to(self._module).as_posix()}\n".encode())
                digest.update(hashlib.sha256(file.read_bytes()).digest())
        return digest.hexdigest()

    def evidence(self, seed: int) -> dict[str, Json]:
        """Return the evidence to judge the package by.

        Raises:
            ToolworldError: It cannot be run.
        """
        found: dict[str, Json] = self._run({"seed": seed})
        return found

    def run(self, sequences: Sequence[Steps]) -> list[Json]:
        """Make calls, each sequence in a fresh environment, and return their outcomes.

        Raises:
            ToolworldError: It cannot be run.
        """
        found: list[Json] = self._run({"sequences": [asdict(one) for one in sequences]})
        return found

    def _run(self, work: Json) -> Json:
        with temporary_folder() as name:
            asked, result = name / "work.json", name / "result.json"
            asked.write_text(json.dumps(work), encoding="utf-8")
            command = [sys.executable, "-m", "toolworld.audit"]
            self._check([*command, str(self.path), str(asked), str(result)])
            return json.loads(result.read_text("utf-8"))

    def _check(self, command: list[str]) -> None:
        """Run a command to its end, or raise an error that says why it failed."""
        try:
            subprocess.run(
                tied(command), check=True, capture_output=True, text=True, timeout=SECONDS
            )
        except subprocess.TimeoutExpired as error:
            raise ToolworldError(f"{self.path} took more than {SECONDS} seconds.") from error
        except subprocess.CalledProcessError as error:
            said = "\n".join(error.stderr.strip().splitlines()[-LINES_SHOWN:])
            raise ToolworldError(f"{self.path} cannot be audited: {said}") from error
