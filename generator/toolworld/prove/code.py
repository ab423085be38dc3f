"""The tools' code as a tree: its functions, and the sites that calls can reach.

A *site* is one thing that running the code can do: take a branch one way, evaluate an operand
to true, run a statement, refuse a call. Sites are found in the syntax tree, not in line numbers,
so a comprehension's condition or a conditional expression counts as a branch like any other.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from toolworld.prove.lookups import LookUps, end_of
from toolworld.spec.tree_walk import walk

Kind = Literal["branch", "rejection", "condition", "statement"]
Function = ast.FunctionDef
Assignment = ast.Assign | ast.AnnAssign
Position = tuple[int, int]


@dataclass(frozen=True)
class Site:
    """One thing the code can do.

    Attributes:
        function: The tool or helper it belongs to.
        does: What happens there, in a few words.
        position: Line and column.
    """

    function: str
    kind: Kind
    does: str
    position: Position

    @property
    def line(self) -> int:
        """The line, counted as ``Code`` counts them."""
        return self.position[0]


class Code:
    """The parsed tools of a package: one file, or several of one namespace.

    Lines are counted through all files, so that each has a number of its own; ``place`` says
    where they are.

    Attributes:
        lines: The lines of all files.
        functions: Tools and helpers by name, in file order.
        constants: The assignments of module constants by name, those that others use first.
    """

    def __init__(self, files: Mapping[str, str]) -> None:
        """Parse the texts of files, given by their names."""
        self.lines: list[str] = []
        self._starts: dict[str, int] = {}
        body: list[ast.stmt] = []
        for file, text in files.items():
            self._starts[file] = len(self.lines)
            body += ast.increment_lineno(ast.parse(text), len(self.lines)).body
            # Not splitlines(): Python counts fewer characters as the end of a line.
            self.lines += text.split("\n")
        self.functions = {node.name: node for node in body if isinstance(node, Function)}
        self.constants = _in_order_of_use(_constants(body))
        parts: dict[str, ast.stmt] = {**self.constants, **self.functions}
        self._names = {name: names_in(node) for name, node in parts.items()}
        self._values = {name: [*plain_values(node)] for name, node in parts.items()}
        self._look_ups = LookUps(self.functions)

    def place(self, line: int) -> tuple[str, int]:
        """Return the file of a line, and its number there."""
        file = [one for one, start in self._starts.items() if start < line][-1]
        return file, line - self._starts[file]

    def file_of(self, name: str) -> str:
        """Return the file that a function or constant stands in."""
        node: ast.stmt = self.functions[name] if name in self.functions else self.constants[name]
        return self.place(node.lineno)[0]

    @property
    def tools(self) -> list[str]:
        """The public functions."""
        return [name for name in self.functions if not name.startswith("_")]

    def helpers_of(self, name: str) -> set[str]:
        """Return a function's name and those of all helpers it runs."""
        found: set[str] = set()
        waiting = [name]
        while waiting:
            here = waiting.pop()
            if here not in found:
                found.add(here)
                waiting += self.functions.keys() & self._names[here]
        return found

    def reached_from(self, tools: Collection[str]) -> list[str]:
        """Return the constants and functions that make up some tools, in file order."""
        functions = {name for tool in tools for name in self.helpers_of(tool)}
        used = {name for function in functions for name in self._names[function]}
        constants: set[str] = set()
        while used := (used & self.constants.keys()) - constants:
            constants |= used
            used = {name for constant in used for name in self._names[constant]}
        return [
            *(name for name in self.constants if name in constants),
            *(name for name in self.functions if name in functions),
        ]

    def alone(self, tools: Iterable[str]) -> dict[str, list[str]]:
        """Return each tool with the helpers and constants that no other tool uses."""
        reached = {tool: self.reached_from([tool]) for tool in self.tools}
        users = Counter(name for names in reached.values() for name in names)
        return {tool: [name for name in reached[tool] if users[name] == 1] for tool in tools}

    def can_miss(self, call: ast.Call) -> bool:
        """Return whether a call looks up a row that the caller of a tool can misname."""
        return end_of(call) in self._look_ups.that_miss

    def values_of(self, function: str) -> list[object]:
        """Return the plain values that a function, its helpers and constants speak of."""
        functions = sorted(self.helpers_of(function))
        named = {name for one in functions for name in self._names[one]}
        parts = [*functions, *sorted(named & self.constants.keys())]
        return list(dict.fromkeys(value for one in parts for value in self._values[one]))


def _constants(body: Iterable[ast.stmt]) -> dict[str, Assignment]:
    found: dict[str, Assignment] = {}
    for node in body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] = node
    return found


def _in_order_of_use(constants: Mapping[str, Assignment]) -> dict[str, Assignment]:
    """Return constants with those that others are computed from before them."""
    done: dict[str, Assignment] = {}

    def visit(name: str) -> None:
        used = names_in(constants[name]) - {name}
        for other in [one for one in constants if one in used and one not in done]:
            visit(other)
        done[name] = constants[name]

    for name in constants:
        if name not in done:
            visit(name)
    return done


def names_in(node: ast.AST) -> set[str]:
    """Return every name in a tree."""
    return {part.id for part in walk(node) if isinstance(part, ast.Name)}


def plain_values(node: ast.AST) -> Iterator[object]:
    """Yield the numbers and short texts in a tree."""
    for part in walk(node):
        if isinstance(part, ast.Constant):
            value = part.value
            if type(value) in (int, float) or (isinstance(value, str) and len(value) <= 30):
                yield value
