"""A world made by ``toolworld new`` from a recording, which several tests look at."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from toolworld.cli import app

TINY = Path(__file__).parent / "recordings" / "tiny.jsonl"
WISH = "a library that lends board games"


def new(folder: Path, wish: str, model: str, *more: str) -> Result:
    """Run the command for a domain of four tools."""
    arguments = ["new", wish, "--model", model, "--out", str(folder), "--tools", "4", *more]
    return CliRunner().invoke(app, arguments)


@dataclass(frozen=True)
class Made:
    """What the command made.

    Attributes:
        folder: What it was told to fill; nothing may be written into it.
        result: How it ended.
    """

    folder: Path
    result: Result

    @property
    def report(self) -> dict[str, Any]:
        """Its report."""
        return dict(json.loads((self.folder / "report.json").read_text("utf-8")))


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A world made from a copy of the recording, without tasks."""
    folder = tmp_path_factory.mktemp("made")
    copy = shutil.copy(TINY, folder / "recording.jsonl")
    return Made(folder / "out", new(folder / "out", WISH, f"replay:{copy}", "--tasks", "0"))
