"""Tool graphs that were found once, kept among the user's caches: a package is not tried twice.

A kept graph is for one package as it is and this code as it is: a change of either is tried anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from platformdirs import user_cache_path
from pydantic import TypeAdapter, ValidationError

from toolworld.artifacts import write_whole
from toolworld.graph.build import build_graph
from toolworld.graph.model import ToolGraph
from toolworld.packages import find_module
from toolworld.packages.files import TASKS

GRAPHS = TypeAdapter(ToolGraph)
MOST_KEPT = 20
COMPILED = ".pyc"
OWN_CODE = Path(__file__).parents[1]


def kept_graph(path: Path, say: Callable[[str], None], workers: int = 1) -> ToolGraph:
    """Return the tool graph of a package, found with the usual seed and tries or kept.

    Args:
        path: The package's folder.
        say: Told what is being done.
        workers: How many processes try at once.

    Raises:
        PackageLoadError: The folder holds no package, or an old one without effects.
    """
    module = find_module(path)
    file = _folder() / f"{_digest([*_files(module), *_files(OWN_CODE)])}.json"
    with suppress(OSError, ValidationError):
        return GRAPHS.validate_json(file.read_bytes())
    found = build_graph(path, on_progress=say, workers=workers)
    with suppress(OSError):
        _keep(file, found)
    return found


def _folder() -> Path:
    return user_cache_path("toolworld", appauthor=False) / "graphs"


def _files(folder: Path) -> list[Path]:
    """Return a digest of everything a graph depends on: code and data, not tasks."""
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != COMPILED and path.name != Path(TASKS).name
    )


def _digest(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.name}\n".encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _keep(file: Path, graph: ToolGraph) -> None:
    """Write a graph, and remove those that were kept the longest ago."""
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, GRAPHS.dump_json(graph).decode())
    latest = sorted(file.parent.glob("*.json"), key=lambda one: one.stat().st_mtime, reverse=True)
    for old in latest[MOST_KEPT:]:
        old.unlink(missing_ok=True)
