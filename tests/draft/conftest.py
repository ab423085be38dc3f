"""A world made by ``toolworld new`` from a recording, which several tests look at."""

from __future__ import annotations

import contextlib
import json
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from tests.building import made_once
from tools.committed import REPOSITORY
from tools.docs.page import Page
from tools.docs.place import prepared
from toolworld.cli import app

TINY = Path(__file__).parent / "recordings" / "tiny.jsonl"
WISH = "a library that lends board games"
TUTORIAL = Page.read(REPOSITORY / "docs" / "tutorial.md")


def new(folder: Path, wish: str, model: str, *more: str) -> Result:
    """Run the command for a domain of four tools."""
    arguments = ["new", wish, "--model", model, "--out", str(folder), "--tools", "4", *more]
    return CliRunner().invoke(app, arguments)


@dataclass(frozen=True)
class Made:
    """What the command made.

    Attributes:
        command: The command, word by word.
        folder: What it was told to fill; nothing may be written into it.
        exit_code: How it ended.
        printed: What it printed.
        said: What it said to standard error.
    """

    command: list[str]
    folder: Path
    exit_code: int
    printed: str
    said: str

    @property
    def report(self) -> dict[str, Any]:
        """Its report."""
        return dict(json.loads((self.folder / "report.json").read_text("utf-8")))


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The world of the tutorial, made as it says."""
    command = next(
        shlex.split(block.text)
        for block in TUTORIAL.blocks
        if block.text.startswith("toolworld new ")
    )

    def make(folder: Path) -> None:
        folder.mkdir()
        with contextlib.chdir(prepared(folder)):
            result = CliRunner().invoke(app, command[1:])
        end = {"exit_code": result.exit_code, "printed": result.stdout, "said": result.stderr}
        (folder / "end.json").write_text(json.dumps(end), "utf-8")

    folder = made_once(tmp_path_factory, "tutorial", make)
    end = json.loads((folder / "end.json").read_text("utf-8"))
    return Made(command, folder / command[-1], **end)
