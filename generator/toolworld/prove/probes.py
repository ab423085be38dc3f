"""Probes in the tools' code: which sites a call reaches.

The syntax tree is rebuilt with calls that note what happens and change nothing else. Unlike a
line tracer it tells the branches of one line apart, works the same on every Python, and costs
little where nothing is to be noted.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from toolworld.prove.code import Code, Function, Kind, Site
from toolworld.prove.lookups import called

PREFIX = "toolworld_saw_"
MOST_COMPARED = 60
NEAR = 6
NOTHING = object()
ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)


class Probes:
    """The sites of some code, and the code rebuilt so that it notes reaching them.

    Attributes:
        sites: Every site; a call notes their numbers.
        seen: The numbers noted since the start of the call.
        compared: The values last compared, by site and place.
    """

    def __init__(self, code: Code, rejected: type[Exception]) -> None:
        """Rebuild the code.

        Args:
            code: The tools.
            rejected: The package's error for a refused call.
        """
        self.sites: list[Site] = []
        self.seen: set[int] = set()
        self.compared: dict[tuple[int, int], Any] = {}
        self._rejected = rejected
        self._trees = [
            _Rebuilder(code, name, self.sites).rebuilt(node)
            for name, node in code.functions.items()
        ]

    def functions(self, home: Callable[[str], dict[str, Any]]) -> dict[str, Callable[..., Any]]:
        """Return the rebuilt functions.

        Args:
            home: Returns the names of the module that a function stands in: it is made there,
                and looks names up there.
        """
        return {tree.name: self._function(tree, home(tree.name)) for tree in self._trees}

    def _function(self, tree: Function, names: dict[str, Any]) -> Callable[..., Any]:
        for name in ("hit", "test", "loop", "call", "value"):
            names[PREFIX + name] = getattr(self, f"_{name}")
        before = names[tree.name]
        run_code(ast.fix_missing_locations(ast.Module([tree], [])), names)
        made: Callable[..., Any] = names[tree.name]
        names[tree.name] = before
        return made

    def clear(self) -> None:
        """Forget the sites noted: a call begins."""
        self.seen.clear()
        self.compared.clear()

    def pairs(self) -> tuple[tuple[Any, Any], ...]:
        """Return the values that were compared with each other, as JSON values, both ways."""
        found: dict[tuple[Any, Any], None] = {}
        for (site, place), value in list(self.compared.items())[:MOST_COMPARED]:
            if place and (site, place - 1) in self.compared:
                pair = plain(self.compared[site, place - 1]), plain(value)
                if None not in pair:
                    found[pair] = found[pair[::-1]] = None
        return tuple(found)

    def _value(self, site: int, place: int, value: Any) -> Any:
        before = self.compared.get((site, place - 1), NOTHING)
        if before == value:
            self.seen.add(site)
        elif type(before) is int and type(value) is int and abs(before - value) < NEAR:
            self.seen.add(site + abs(before - value))
        self.compared[site, place] = value
        return value

    def _hit(self, site: int) -> None:
        self.seen.add(site)

    def _test(self, site: int, value: Any) -> Any:
        self.seen.add(site if value else site + 1)
        return value

    def _loop(self, site: int, items: Iterable[Any]) -> Iterator[Any]:
        for item in items:
            self.seen.add(site)
            yield item
        self.seen.add(site + 1)

    def _call(self, site: int, function: Callable[..., Any], *args: Any, **named: Any) -> Any:
        try:
            return function(*args, **named)
        except self._rejected:
            self.seen.add(site)
            raise


def plain(value: Any) -> Any:
    """Return a compared value as JSON; None if it is no plain value."""
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return float(value)
    return value if isinstance(value, str | int | float) else None


def run_code(tree: ast.Module, names: dict[str, Any]) -> None:
    """Run a changed piece of the package's own code among its module's names."""
    code = compile(tree, "<tools>", "exec", flags=FUTURE, dont_inherit=True)
    exec(code, names)  # noqa: S102 - it was checked when the package was built


FUTURE = annotations.compiler_flag


class _Rebuilder(ast.NodeTransformer):
    """Puts probes into one function."""

    def __init__(self, code: Code, function: str, sites: list[Site]) -> None:
        self._code, self._function, self._sites = code, function, sites

    def rebuilt(self, node: Function) -> Function:
        """Return a copy of the function with probes."""
        made = copy.deepcopy(node)
        made.body = self._block(made.body)
        return made

    def _site(self, node: Any, kind: Kind, does: str) -> int:
        position = (node.lineno, node.col_offset)
        self._sites.append(Site(self._function, kind, does, position))
        return len(self._sites) - 1

    def _probe(self, node: ast.expr | ast.stmt, name: str, site: int, *args: ast.expr) -> ast.Call:
        call = ast.Call(ast.Name(PREFIX + name, ast.Load()), [ast.Constant(site), *args], [])
        return ast.copy_location(call, node)

    def _test(self, node: ast.expr, kind: Kind, what: str) -> ast.expr:
        site = self._site(node, kind, f"{what} is true")
        self._site(node, kind, f"{what} is false")
        return self._probe(node, "test", site, self.visit(node))

    def _block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for node in body:
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                continue
            site = self._site(node, "statement", "runs")
            made.append(ast.copy_location(ast.Expr(self._probe(node, "hit", site)), node))
            if isinstance(node, ast.Raise):
                site = self._site(node, "rejection", "raise Rejected")
                made.append(ast.copy_location(ast.Expr(self._probe(node, "hit", site)), node))
            made.append(self.visit(node))
        return made or [ast.Pass()]

    def visit_If(self, node: ast.If) -> ast.If:
        node.test = self._test(node.test, "branch", "if")
        node.body = self._block(node.body)
        node.orelse = self._block(node.orelse) if node.orelse else []
        return node

    def visit_For(self, node: ast.For) -> ast.For:
        site = self._site(node, "branch", "the loop runs")
        self._site(node, "branch", "the loop comes to its end")
        node.iter = self._probe(node.iter, "loop", site, self.visit(node.iter))
        node.body = self._block(node.body)
        node.orelse = self._block(node.orelse) if node.orelse else []
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.IfExp:
        node.test = self._test(node.test, "branch", "condition")
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        node.iter = self.visit(node.iter)
        node.ifs = [self._test(part, "branch", "filter") for part in node.ifs]
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.BoolOp:
        node.values = [self._test(part, "condition", "operand") for part in node.values]
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.Compare:
        self.generic_visit(node)
        if all(isinstance(operator, ORDERED) for operator in node.ops):
            site = self._site(node, "condition", "both sides are equal")
            for apart in range(1, NEAR):
                self._site(node, "condition", f"the sides are {apart} apart")
            parts: list[ast.expr] = [node.left, *node.comparators]
            probed: list[ast.expr] = [
                self._probe(part, "value", site, ast.Constant(place), part)
                for place, part in enumerate(parts)
            ]
            node.left, node.comparators = probed[0], probed[1:]
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        does = self._refusal(node)
        self.generic_visit(node)
        if not does:
            return node
        site = self._site(node, "rejection", does)
        probe = self._probe(node, "call", site, node.func, *node.args)
        probe.keywords = node.keywords
        return probe

    def _refusal(self, node: ast.Call) -> str:
        """Return how a call of the store or a page refuses, if the caller can bring it about."""
        if called(node) == "page":
            return "page(...) refuses"
        if self._code.can_miss(node):
            return f"{ast.unparse(node.func)}(...) finds nothing"
        return ""
