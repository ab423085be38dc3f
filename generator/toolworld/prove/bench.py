"""The workbench of a proof: a package, its code with and without probes, and its rows."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from toolworld.emit.jobs import Limits, Marker, OutOfTime, timed
from toolworld.packages import Package
from toolworld.prove.cases import CallEnd, CaseEnvironments, DoesNotFit, ProofCase, merged
from toolworld.prove.checks import TIME, Before, Checker, ToolFault
from toolworld.prove.code import Code
from toolworld.prove.facts import SeedRows
from toolworld.prove.mutants import Mutant
from toolworld.prove.namespace import Namespace
from toolworld.prove.probes import Probes


@dataclass(frozen=True, eq=False)
class CaseRun:
    """A case that was run.

    Attributes:
        sites: The sites it reached.
        compared: Pairs of values that the code compared.
    """

    case: ProofCase
    seen: CallEnd
    sites: frozenset[int]
    compared: tuple[tuple[Any, Any], ...] = ()


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
        self.code = Code({module.file: module.text for module in package.tools_modules()})
        self.package, self.limits = package, limits
        self.stage = CaseEnvironments(package)
        self.checker = Checker(self.stage)
        self.probes = Probes(self.code, package.modules.errors.Rejected)
        self._names = Namespace(package, self.code)
        self._probed = self.probes.functions(self._names.home)
        schemas = package.modules.models.SCHEMAS
        unique = [(name, column) for name, schema in schemas.items() for column in schema.unique]
        self.world = SeedRows(self.stage.open({}).state(), references_of(package), unique)
        self.clock = package.modules.seed.default_base().clock

    @contextmanager
    def using(self, changed: Mapping[str, Any]) -> Iterator[None]:
        """Put other functions or constants into the tools' modules for a while."""
        before = self._names.get(changed)
        self._names.put(changed)
        try:
            yield
        finally:
            self._names.put(before)

    def probing(self) -> Any:
        """Let calls note the sites they reach for a while."""
        return self.using(self._probed)

    def made(self, mutant: Mutant) -> dict[str, Any]:
        """Return the definitions that a mutant changes in the tools' modules.

        A mutated constant is followed by those computed from it.
        """
        trees: dict[str, ast.stmt] = {mutant.function: mutant.tree}
        if mutant.function in self.code.constants:
            names = list(self.code.constants)
            later = names[names.index(mutant.function) + 1 :]
            trees |= {name: self.code.constants[name] for name in later}
        before = self._names.get(trees)
        try:
            for name, tree in trees.items():
                self._names.run(name, tree)
            return self._names.get(trees)
        finally:
            self._names.put(before)

    def is_sound(self, case: ProofCase) -> bool:
        """Return whether a case's rows break no rule of the rows around them either."""
        if not case.patched:
            return True
        try:
            self.stage.open(merged(self.world.neighbours(case.initial), case.initial))
        except DoesNotFit:
            return False
        return True

    def run(self, case: ProofCase, marker: Marker) -> tuple[CaseRun, ToolFault | None]:
        """Run a case with probes, under the time limit, and check it.

        Raises:
            DoesNotFit: Its rows break a rule.
        """
        with self.probing():
            environment = self.stage.open(case.initial)
            return self.run_in(environment, case, marker)

    def run_in(
        self, environment: Any, case: ProofCase, marker: Marker
    ) -> tuple[CaseRun, ToolFault | None]:
        """Run a case in an environment that is open and in its state."""
        marker.set(case.tool)
        before = Before.of(environment)
        self.probes.clear()
        try:
            with timed(self.limits.call):
                seen = self.stage.call(environment, case.tool, case.arguments)
        except OutOfTime:
            seen = CallEnd("failed", "OutOfTime", before.digest)
            sites = frozenset(self.probes.seen)
            return CaseRun(case, seen, sites), too_slow(case.tool, self.limits, case)
        sites, compared = frozenset(self.probes.seen), self.probes.pairs()
        failure = self.checker.failure(case, environment, before, seen)
        return CaseRun(case, seen, sites, compared), failure


def references_of(package: Package) -> list[tuple[str, str, str]]:
    """Return the columns of a package that name rows, by table, with the tables they name."""
    schemas = package.modules.models.SCHEMAS
    return [
        (name, reference.path[0], reference.table)
        for name, schema in schemas.items()
        for reference in schema.references
        if len(reference.path) == 1
    ]


def too_slow(tool: str, limits: Limits, case: ProofCase | None = None) -> ToolFault:
    """Return the failure of a tool that does not come back."""
    return ToolFault(
        tool,
        "does not come back",
        f"a call took more than {limits.call:g} seconds",
        TIME,
        None if case is None else case.as_json(),
    )
