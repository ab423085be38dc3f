"""The workbench of a proof: a package, its code with and without probes, and its rows."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from toolworld.emit import Package
from toolworld.prove.cases import Case, DoesNotFit, Seen, Stage
from toolworld.prove.checks import TIME, Checker, Failure
from toolworld.prove.code import Code
from toolworld.prove.facts import World
from toolworld.prove.jobs import Limits, Marker, OutOfTime, timed
from toolworld.prove.mutants import Mutant
from toolworld.prove.probes import FUTURE, Probes


@dataclass(frozen=True, eq=False)
class Run:
    """A case that was run, and the sites it reached."""

    case: Case
    seen: Seen
    sites: frozenset[int]


class Bench:
    """Everything the parts of a proof share.

    Attributes:
        stage: Where cases are run.
        checker: What must hold of each call.
        code: The tools' code.
        probes: The same code, noting what is reached.
        world: The seed rows.
        clock: The world clock.
    """

    def __init__(self, package: Package, limits: Limits) -> None:
        """Read the package's code and rows."""
        module = package.module("tools")
        with open(module.__file__, encoding="utf-8") as file:  # noqa: PTH123 - a module's own path
            self.code = Code(file.read())
        self.package, self.limits = package, limits
        self.stage = Stage(package)
        self.checker = Checker(self.stage)
        self.probes = Probes(self.code, package.module("errors").Rejected)
        self._names: dict[str, Any] = module.__dict__
        self._probed = self.probes.functions(self._names)
        self.world = World(self.stage.open({}).state())
        self.clock = package.module("seed").default_base().clock

    @contextmanager
    def using(self, changed: Mapping[str, Any]) -> Iterator[None]:
        """Put other functions or constants into the tools' module for a while."""
        before = {name: self._names[name] for name in changed}
        self._names.update(changed)
        try:
            yield
        finally:
            self._names.update(before)

    def probing(self) -> Any:
        """Let calls note the sites they reach for a while."""
        return self.using(self._probed)

    def made(self, mutant: Mutant) -> dict[str, Any]:
        """Return what a mutant changes in the tools' module.

        A mutated constant is followed by those computed from it.
        """
        body: list[ast.stmt] = [mutant.tree]
        if mutant.function in self.code.constants:
            names = list(self.code.constants)
            after = names[names.index(mutant.function) + 1 :]
            body += [self.code.constants[name] for name in after]
        tree = ast.Module(body, [])
        names_now = dict(self._names)
        exec(compile(tree, "<mutant>", "exec", flags=FUTURE, dont_inherit=True), names_now)  # noqa: S102 - the package's own checked code
        if isinstance(mutant.tree, ast.FunctionDef):
            return {mutant.function: rebound(names_now[mutant.function], self._names)}
        return {name: names_now[name] for name in self.code.constants}

    def run(self, case: Case, marker: Marker) -> tuple[Run, Failure | None]:
        """Run a case with probes, under the time limit, and check it.

        Raises:
            DoesNotFit: Its rows break a rule.
        """
        with self.probing():
            environment = self.stage.open(case.initial)
            return self.run_in(environment, case, marker)

    def run_in(self, environment: Any, case: Case, marker: Marker) -> tuple[Run, Failure | None]:
        """Run a case in an environment that is open and in its state."""
        marker.set(case.tool)
        before = environment.digest()
        self.probes.seen.clear()
        try:
            with timed(self.limits.call):
                seen = self.stage.call(environment, case.tool, case.arguments)
        except OutOfTime:
            seen = Seen("failed", "OutOfTime", before)
            sites = frozenset(self.probes.seen)
            return Run(case, seen, sites), too_slow(case.tool, self.limits, case)
        sites = frozenset(self.probes.seen)
        failure = self.checker.failure(case, environment, before, seen)
        return Run(case, seen, sites), failure


def rebound(function: Callable[..., Any], names: dict[str, Any]) -> Callable[..., Any]:
    """Return a function that looks names up in another module's names."""
    made = type(function)(
        function.__code__,  # type: ignore[attr-defined]
        names,
        function.__name__,
        function.__defaults__,  # type: ignore[attr-defined]
    )
    made.__annotations__ = function.__annotations__
    return made


def too_slow(tool: str, limits: Limits, case: Case | None = None) -> Failure:
    """Return the failure of a tool that does not come back."""
    return Failure(
        tool,
        "does not come back",
        f"a call took more than {limits.call:g} seconds",
        TIME,
        None if case is None else case.as_json(),
    )


__all__ = ["Bench", "DoesNotFit", "Run", "rebound", "too_slow"]
