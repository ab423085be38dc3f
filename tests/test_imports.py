"""No module needs itself: imports, those inside functions included, never come back."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import networkx as nx
import pytest

PROGRAMS = (
    "generator/toolworld",
    "tools",
    "tests/golden/package/library/src/toolworld_library",
    "generated_servers/retail/src/toolworld_retail",
)


def modules(folder: Path) -> dict[str, Path]:
    """Return the files of a program by the names of their modules."""
    found = {}
    for file in folder.rglob("*.py"):
        parts = file.relative_to(folder.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


def imported(module: str, file: Path, known: dict[str, Path]) -> Iterator[str]:
    """Yield the modules that a module imports, now or when one of its functions runs."""
    inside = module.split(".") if file.stem == "__init__" else module.split(".")[:-1]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            base = inside[: len(inside) - node.level + 1] if node.level else []
            source = ".".join([*base, *filter(None, [node.module])])
            for alias in node.names:
                name = f"{source}.{alias.name}"
                yield name if name in known else source


def imports_in(folder: Path) -> list[tuple[str, str]]:
    """Return which module of a program imports which other."""
    known = modules(folder)
    return [
        (module, other)
        for module, file in known.items()
        for other in imported(module, file, known)
        if other in known and other != module
    ]


def circles(pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Return the groups of names of which each leads to each."""
    graph = nx.DiGraph((one, other) for one, other in pairs if one != other)
    return [sorted(found) for found in nx.strongly_connected_components(graph) if len(found) > 1]


@pytest.mark.parametrize("program", PROGRAMS)
def test_imports_never_come_back(repository: Path, program: str) -> None:
    pairs = imports_in(repository / program)
    assert len(pairs) > 20
    assert circles(pairs) == []


@pytest.mark.parametrize("program", PROGRAMS)
def test_folders_never_need_each_other(repository: Path, program: str) -> None:
    pairs = imports_in(repository / program)
    assert (
        circles(
            (one.split(".")[1], other.split(".")[1])
            for one, other in pairs
            if "." in one and "." in other
        )
        == []
    )


@pytest.mark.parametrize("program", PROGRAMS[2:])
def test_rooms_of_a_package_have_at_most_eight_modules(repository: Path, program: str) -> None:
    rooms: dict[Path, int] = {}
    for file in (repository / program).rglob("*.py"):
        if file.stem not in {"__init__", "__main__"} and file.parent.name not in {
            "tools",
            "making",
        }:
            rooms[file.parent] = rooms.get(file.parent, 0) + 1
    assert len(rooms) > 5
    assert {room.name: count for room, count in rooms.items() if count > 8} == {}
