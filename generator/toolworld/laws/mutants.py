"""Mutants of tools that a single call hardly shows: a write, a column or a check left out."""

from __future__ import annotations

import ast
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from toolworld.emit.jobs import Limits, Marker, run_all
from toolworld.graph.guard import Watch
from toolworld.graph.surface import surface_of
from toolworld.laws.law import laws_of
from toolworld.laws.search import EpisodeSearch
from toolworld.packages import Package, load_package
from toolworld.prove.code import Code
from toolworld.system.temporary import temporary_folder

SECONDS = 300.0
LONGEST_LINE = 100


@dataclass(frozen=True)
class ToolMutant:
    """One thing left out of a tool or a helper.

    Attributes:
        file: The module it is in, as ``tools/orders.py``.
        function: The tool or helper.
        line: Where.
        change: What was left out, in words.
        text: The whole module with the change.
        tools: The tools that it may show in.
    """

    file: str
    function: str
    line: int
    change: str
    text: str
    tools: frozenset[str]

    def __str__(self) -> str:
        """The change in words, with its place."""
        return f"{self.file}:{self.line} {self.function}: {self.change}"


@dataclass(frozen=True)
class MutantEnd:
    """What the search made of a mutant.

    Attributes:
        broken: The laws that it breaks; if there are none, the tools that then do what none may,
            or how its process ended.
    """

    mutant: ToolMutant
    broken: tuple[str, ...]


def tool_mutants(package: Package) -> list[ToolMutant]:
    """Return the mutants of a package's tools that change something, in file order."""
    texts = {one.file: one.text for one in package.tools_modules()}
    trees = {file: ast.parse(text) for file, text in texts.items()}
    users = _users(Code(texts))
    writers = {one.name for one in surface_of(package).tools.values() if not one.read_only}
    return [
        ToolMutant(file, function.name, line, change, text, users[function.name])
        for file, tree in trees.items()
        for function in _functions(tree)
        if users[function.name] & writers
        for line, change, text in _changed(tree, function)
    ]


def run_mutants(
    path: Path, mutants: Sequence[ToolMutant], calls: int, workers: int
) -> Iterator[MutantEnd]:
    """Search each mutant for broken laws, and yield the result.

    Args:
        path: The package's folder; nothing is written into it.
        mutants: The mutants.
        calls: How many calls each gets at most; the first broken law ends its search.
        workers: How many processes at once.
    """
    works = [_work(path, mutant, calls) for mutant in mutants]
    for number, ended in run_all(works, Limits(job=SECONDS), workers):
        found = ended.value if not ended.death else (ended.death,)
        yield MutantEnd(mutants[number], found)


def _work(path: Path, mutant: ToolMutant, calls: int) -> Callable[[Marker], tuple[str, ...]]:
    def search(_: Marker) -> tuple[str, ...]:
        with temporary_folder() as folder:
            copy = folder / "package"
            shutil.copytree(path, copy)
            module = next(copy.glob("src/*/")) / mutant.file
            module.write_text(mutant.text, encoding="utf-8")
            package, watch = load_package(copy), Watch()
            episodes = EpisodeSearch(package, laws_of(package), "mutants", watch, mutant.tools)
            found = episodes.run(calls, only_one=True)
        return tuple(one.law for one in found.breaches) or tuple(sorted(watch.found))

    return search


def _users(code: Code) -> dict[str, frozenset[str]]:
    """Return the tools that each function is run by."""
    helpers = {tool: code.helpers_of(tool) for tool in code.tools}
    return {
        name: frozenset(tool for tool, names in helpers.items() if name in names)
        for name in code.functions
    }


def _functions(tree: ast.Module) -> list[ast.FunctionDef]:
    return [node for node in tree.body if isinstance(node, ast.FunctionDef)]


def _changed(tree: ast.Module, function: ast.FunctionDef) -> Iterator[tuple[int, str, str]]:
    """Yield each change of a function: its line, what is left out, and the module with it."""
    for node in ast.walk(function):
        for name in ("body", "orelse"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                yield from _without_statements(tree, block)
        if isinstance(node, ast.Call) and _is_update(node) and len(node.keywords) > 1:
            yield from _without_columns(tree, node)


def _without_statements(tree: ast.Module, block: list[ast.stmt]) -> Iterator[tuple[int, str, str]]:
    for place, statement in enumerate(block):
        if _is_left_out(statement):
            block[place] = ast.copy_location(ast.Pass(), statement)
            yield statement.lineno, f"without `{_line(statement)}`", ast.unparse(tree)
            block[place] = statement


def _without_columns(tree: ast.Module, call: ast.Call) -> Iterator[tuple[int, str, str]]:
    for place, word in enumerate(list(call.keywords)):
        call.keywords.pop(place)
        yield call.lineno, f"`{word.arg}` is not updated", ast.unparse(tree)
        call.keywords.insert(place, word)


def _is_left_out(statement: ast.stmt) -> bool:
    """Return whether a statement only writes, or only rejects because of other rows."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Call)
    if not isinstance(statement, ast.If) or statement.orelse:
        return False
    refuses = len(statement.body) == 1 and isinstance(statement.body[0], ast.Raise)
    return refuses and "db" in {
        node.id for node in ast.walk(statement.test) if isinstance(node, ast.Name)
    }


def _is_update(call: ast.Call) -> bool:
    """Return whether a call changes columns of a row."""
    return isinstance(call.func, ast.Attribute) and call.func.attr == "update"


def _line(statement: ast.stmt) -> str:
    return ast.unparse(statement).split("\n")[0][:LONGEST_LINE]
