"""The code of a package's scenarios, with probes that note which branches an expert takes.

All files are one namespace, as the spec has it, so a function that is replaced by a mutant is
replaced for every caller.
"""

from __future__ import annotations

import ast
import pickle
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from toolworld.packages import Package
from toolworld.spec.tree_walk import walk

Function: TypeAlias = ast.FunctionDef

PROBE = "_taken"
FOLDER = "making/"
OWN_MODULES = ("__init__", "agent", "draw", "facts", "language", "speech")


@dataclass(frozen=True)
class Branch:
    """One way that a condition of an expert, or of a helper of one, can go.

    Attributes:
        function: The expert or helper.
        file: The file it is in.
        text: The condition.
        way: Whether it holds.
    """

    function: str
    file: str
    line: int
    text: str
    way: bool

    def __str__(self) -> str:
        """The branch in words."""
        way = "true" if self.way else "false"
        return f"{FOLDER}{self.file}.py:{self.line}: `{self.text}` is {way}"


class ExpertCode:
    """The functions of all scenarios of a package.

    Attributes:
        trees: Each function's syntax tree, by name, in file order.
        files: The file that each function is in, by the function's name.
        branches: Every branch of every expert and helper.
    """

    def __init__(self, package: Package) -> None:
        """Read and compile the files under ``making``."""
        self.trees: dict[str, Function] = {}
        self.files: dict[str, str] = {}
        self.branches: list[Branch] = []
        self._places: dict[tuple[str, int, int], int] = {}
        self._taken: set[Branch] = set()
        self._names: dict[str, Any] = {PROBE: self._note}
        for path in sorted(package.files.making.glob("*.py")):
            if path.stem not in OWN_MODULES:
                self._names.update(vars(package.modules.of_making(path.stem)))
                self._read(path)
        for name, tree in self.trees.items():
            self._run(self._probed(name, tree))

    def function(self, name: str) -> Callable[..., Any]:
        """Return a situation or expert by name; an expert comes with probes."""
        found: Callable[..., Any] = self._names[name]
        return found

    def place(self, name: str) -> str:
        """Return the file and line that a function begins at."""
        return f"{FOLDER}{self.files[name]}.py:{self.trees[name].lineno}"

    def callees(self, name: str) -> list[str]:
        """Return a function's name, and those of all functions it calls, directly or not."""
        found: dict[str, None] = {}
        waiting = [name]
        while waiting:
            here = waiting.pop()
            if here not in found:
                found[here] = None
                names = {node.id for node in walk(self.trees[here]) if isinstance(node, ast.Name)}
                waiting += sorted(names & self.trees.keys())
        return list(found)

    def tools_of(self, name: str, tools: Collection[str]) -> set[str]:
        """Return the tools that a function and its helpers call."""
        nodes = (node for callee in self.callees(name) for node in walk(self.trees[callee]))
        return {
            node.attr for node in nodes if isinstance(node, ast.Attribute) and node.attr in tools
        }

    def branches_of(self, expert: str) -> list[Branch]:
        """Return the branches of an expert and its helpers."""
        functions = set(self.callees(expert))
        return [branch for branch in self.branches if branch.function in functions]

    @contextmanager
    def noting(self) -> Iterator[set[Branch]]:
        """Note the branches that are taken in a block."""
        before, self._taken = self._taken, set()
        try:
            yield self._taken
        finally:
            self._taken = before

    @contextmanager
    def using(self, changed: Mapping[str, Callable[..., Any]]) -> Iterator[None]:
        """Replace functions of the namespace for a block; unused names have no effect."""
        before = {name: self._names[name] for name in changed if name in self._names}
        self._names.update(changed)
        try:
            yield
        finally:
            self._names.update(before)

    def compiled(self, tree: Function) -> Callable[..., Any]:
        """Return a changed function, compiled without probes."""
        before = self._names[tree.name]
        try:
            self._run(tree)
            return self.function(tree.name)
        finally:
            self._names[tree.name] = before

    def _read(self, path: Path) -> None:
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, Function):
                self.trees[node.name], self.files[node.name] = node, path.stem

    def _probed(self, name: str, tree: Function) -> Function:
        """Return an expert with a probe around each condition; a situation unchanged."""
        if not any(argument.arg == "agent" for argument in tree.args.args):
            return tree
        probed = copied(tree)
        for node in walk(probed):
            if isinstance(node, ast.If | ast.IfExp):
                self._probe(name, node)
        return ast.fix_missing_locations(probed)

    def _probe(self, name: str, node: ast.If | ast.IfExp) -> None:
        number, text = len(self.branches), ast.unparse(node.test)
        for way in (True, False):
            self.branches.append(Branch(name, self.files[name], node.test.lineno, text, way))
        probe = ast.Name(PROBE, ast.Load())
        node.test = ast.Call(probe, [ast.Constant(number), node.test], [])

    def _note(self, number: int, value: Any) -> Any:
        self._taken.add(self.branches[number if value else number + 1])
        return value

    def _run(self, tree: Function) -> None:
        _execute(tree, f"{FOLDER}{self.files[tree.name]}.py", self._names)


def _execute(tree: Function, file: str, names: dict[str, Any]) -> None:
    # The code of a package's own folder: it passed the subset check before it was emitted.
    exec(compile(ast.Module([tree], []), file, "exec"), names)  # noqa: S102


def place_of(error: Exception) -> str:
    """Return the file and line of a scenario that an error came from; empty if it is none."""
    trace, place = error.__traceback__, ""
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file.startswith(FOLDER):
            place = f"{file}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


def copied(tree: Function) -> Function:
    """Return a copy of a function: it takes half as long as ``copy.deepcopy``."""
    found: Function = pickle.loads(pickle.dumps(tree))  # noqa: S301 - what was just pickled
    return found
