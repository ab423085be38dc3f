"""Makes small mistakes in a module of the generator, and runs tests on each.

``python -m tools.mutation graph/chains.py tests/graph/test_chains.py`` says which mistakes no test
notices. The mistakes are those of ``toolworld prove``. The files stay as they are: tests run on a
copy. Without a module it tries those of ``CHOSEN``.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tools.committed import REPOSITORY
from toolworld.prove.mutants import edits_of
from toolworld.system.temporary import temporary_folder

CHOSEN = {
    "graph/chains.py": ["tests/graph/test_chains.py"],
    "packages/tasks_file.py": ["tests/packages"],
    "prove/explanations.py": ["tests/prove/test_explanations.py"],
    "prove/mutants.py": ["tests/prove/test_parts.py", "tests/prove/test_mutants.py"],
    "tasks/quota.py": ["tests/tasks/scenarios/test_quota.py"],
}
SOURCES = Path("generator") / "toolworld"
SECONDS = 40
WORKERS = 2
NOT_NOTICED = 0
PYTEST = ("-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist")


@dataclass(frozen=True)
class Mistake:
    """A module's text with one mistake in it."""

    line: int
    change: str
    text: str


def mistakes_in(text: str) -> Iterator[Mistake]:
    """Yield each mistake that can be made in a module; docstrings and messages are left alone."""
    tree = ast.parse(text)
    for index, node in enumerate(ast.walk(tree)):
        if index not in _worth_it(tree):
            continue
        for kind, change, edit in edits_of(node):
            other = copy.deepcopy(tree)
            edit(list(ast.walk(other))[index])
            yield Mistake(getattr(node, "lineno", 0), f"{kind}: {change}", ast.unparse(other))


def _worth_it(tree: ast.Module) -> set[int]:
    """Return the positions in a walk of the code of functions, without docstrings and raises."""
    found: set[int] = set()
    nodes = {id(node): index for index, node in enumerate(ast.walk(tree))}
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for statement in function.body[ast.get_docstring(function) is not None :]:
                found |= {nodes[id(node)] for node in _without_raises(statement)}
    return found


def _without_raises(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Raise | ast.FunctionDef):
        return
    yield node
    for part in ast.iter_child_nodes(node):
        yield from _without_raises(part)


def not_noticed(module: str, tests: Sequence[str], workers: int) -> tuple[list[Mistake], int]:
    """Return the mistakes that the tests do not notice, and how many were made."""
    mistakes = list(mistakes_in((REPOSITORY / SOURCES / module).read_text("utf-8")))
    with temporary_folder() as folder:
        copies = [folder / str(number) for number in range(workers)]
        for one in copies:
            shutil.copytree(REPOSITORY / "generator", one / "generator")
        shares = [mistakes[number::workers] for number in range(workers)]

        def alive(number: int) -> list[Mistake]:
            return [one for one in shares[number] if passes(copies[number], module, one, tests)]

        with ThreadPoolExecutor(workers) as pool:
            found = [one for part in pool.map(alive, range(workers)) for one in part]
    return sorted(found, key=lambda one: one.line), len(mistakes)


def passes(folder: Path, module: str, mistake: Mistake, tests: Sequence[str]) -> bool:
    """Return whether tests pass on a copy of the generator, in a folder, with a mistake in it."""
    (folder / SOURCES / module).write_text(mistake.text, "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(folder / "generator")}
    try:
        ended = subprocess.run(
            [sys.executable, *PYTEST, *tests], cwd=REPOSITORY, env=environment, timeout=SECONDS,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return False
    return ended.returncode == NOT_NOTICED


def main() -> int:
    """Try a module with its tests, or all those of ``CHOSEN``."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutation", description=__doc__)
    parser.add_argument("module", nargs="?", help="such as graph/chains.py")
    parser.add_argument("tests", nargs="*", help="files or folders of tests")
    parser.add_argument("--workers", type=int, default=WORKERS)
    options = parser.parse_args()
    chosen = {options.module: options.tests} if options.module else CHOSEN
    alive = 0
    for module, tests in chosen.items():
        found, made = not_noticed(module, tests, options.workers)
        print(f"{module}: {made - len(found)} of {made} mistakes are noticed", flush=True)
        for one in found:
            print(f"  {module}:{one.line}: {one.change[:150]}", flush=True)
        alive += len(found)
    return int(alive > 0)


if __name__ == "__main__":
    raise SystemExit(main())
