"""Reads what was made of a world, a few items at a time, and clears a draft's folder."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from toolworld.draft import BRIEF
from toolworld.draft.run import DOMAIN
from toolworld.errors import ToolworldError
from toolworld.llm.journal import FILE as JOURNAL
from toolworld.mcp_server.arguments import ReadMade
from toolworld.mcp_server.results import Discarded, MadePage
from toolworld.packages import files_of
from toolworld.packages.made import made_in
from toolworld.pipeline.world import PACKAGE, PROOF

FILES = ("report.json", "report.html", "graph.json", "graph.html")
OURS = (BRIEF, JOURNAL, DOMAIN, PACKAGE, PROOF, *FILES)
"""What toolworld makes in a world's folder; it is removed in reverse, the brief last."""


def read_made(folder: Path, package: Path, asked: ReadMade) -> MadePage:
    """Return some of a world's made tasks or surviving mutants.

    Raises:
        ToolworldError: There are none yet, or they cannot be read.
    """
    every = _tasks(package) if asked.what == "tasks" else _survivors(folder)
    end = asked.start + asked.count
    return MadePage(
        world=asked.world,
        what=asked.what,
        total=len(every),
        next=end if end < len(every) else None,
        items=list(every[asked.start : end]),
    )


def _tasks(package: Path) -> Sequence[dict[str, Any]]:
    file = files_of(package).tasks
    try:
        return [json.loads(line) for line in made_in(file.read_text("utf-8")).splitlines()]
    except (OSError, ValueError) as error:
        raise ToolworldError(f"{file} cannot be read as tasks: {error}.") from error


def _survivors(folder: Path) -> Sequence[dict[str, Any]]:
    file = folder / PROOF
    if not file.is_file():
        raise ToolworldError(f"{folder.name} has no proof; prove_package makes one.")
    try:
        survivors: list[dict[str, Any]] = json.loads(file.read_text("utf-8"))["survivors"]
    except (OSError, ValueError, KeyError) as error:
        raise ToolworldError(f"{file} cannot be read as a proof: {error}.") from error
    return survivors


def discard(folder: Path) -> Discarded:
    """Remove toolworld's files from a draft's folder, and the folder if it is then empty.

    Raises:
        ToolworldError: It holds no draft, or something cannot be removed.
    """
    if not (folder / BRIEF).is_file():
        raise ToolworldError(f"{folder.name} holds no draft; list_domains shows which there are.")
    removed = [name for name in OURS if (folder / name).exists()]
    try:
        for name in reversed(removed):  # without its brief a folder is no draft any more
            _remove(folder / name)
        kept = sorted(path.name for path in folder.iterdir())
        if not kept:
            folder.rmdir()
    except OSError as error:
        raise ToolworldError(f"{folder} cannot be cleared: {error}.") from error
    rest = "What toolworld did not make stays." if kept else "Its name is free again."
    return Discarded(world=folder.name, removed=removed, kept=kept, message=rest)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()
