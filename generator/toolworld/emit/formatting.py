"""Emitted Python put into one shape by the pinned formatter, with the imports it needs."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from ruff import find_ruff_bin  # type: ignore[import-untyped]

from toolworld.errors import BuildError
from toolworld.system.temporary import temporary_folder

SETTINGS = ("--isolated", "--quiet", "--config", "line-length=100", "--target-version", "py311")


def formatted(files: Mapping[str, str], package: str) -> dict[str, str]:
    """Return files with all Python formatted, also inside Markdown.

    Args:
        files: Texts by path.
        package: The module's name, which its tests import.

    Raises:
        BuildError: The formatter is missing or cannot read the code.
    """
    with temporary_folder() as root:
        holding = [path for path in files if path.endswith((".py", ".md"))]
        for path in holding:
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(files[path], encoding="utf-8")
        if any(path.endswith(".py") for path in holding):
            first_party = f"lint.isort.known-first-party=['{package}']"
            _ruff(root, "check", "--select", "I,F401", "--fix", *SETTINGS, "--config", first_party)
        _ruff(root, "format", *SETTINGS)
        done = {path: (root / path).read_text(encoding="utf-8") for path in holding}
    return {**files, **done}


def _ruff(root: Path, *arguments: str) -> None:
    try:
        command = [find_ruff_bin(), *arguments, "--no-cache", "."]
    except FileNotFoundError as error:
        raise BuildError("The formatter is missing; install toolworld again.") from error
    result = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if result.returncode:
        raise BuildError(f"The formatter failed on emitted code:\n{result.stderr or result.stdout}")
