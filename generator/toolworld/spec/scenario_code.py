"""The functions of scenarios as one namespace: situations, experts and their helpers."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property

from toolworld.spec.callorder import callees_first
from toolworld.spec.findings import FileFindings
from toolworld.spec.source import Source
from toolworld.spec.tree_walk import walk

OWN_FACTS = frozenset({"agrees", "accepts"})


@dataclass(frozen=True)
class ScenarioCode:
    """The functions of all scenarios of a domain, as one namespace.

    Attributes:
        source: The code of all files.
        findings: Where problems of it go.
    """

    source: Source
    findings: FileFindings

    @cached_property
    def functions(self) -> dict[str, ast.FunctionDef]:
        """The functions by name."""
        return {function.name: function for function in self.source.functions}

    @cached_property
    def situations(self) -> dict[str, ast.FunctionDef]:
        """The situations by the scenario's name."""
        return {
            name: node
            for name, node in self.functions.items()
            if not name.startswith(("_", "solve_"))
        }

    def facts_of(self, function: ast.FunctionDef) -> tuple[str, ...]:
        """Return the facts that a situation returns, its helpers' included."""
        return tuple(name for name in self._facts[function.name] if name not in OWN_FACTS)

    @cached_property
    def _facts(self) -> dict[str, dict[str, None]]:
        """The facts that each function returns, helpers before their callers."""
        calls = {name: calls_of(node, "facts") for name, node in self.functions.items()}
        helpers = {
            name: [_called_in(more) for call in found for more in call.args]
            for name, found in calls.items()
        }
        facts: dict[str, dict[str, None]] = {}
        for name in callees_first(helpers):
            found: dict[str, None] = {}
            for call in calls[name]:
                for more in call.args:
                    found |= facts.get(_called_in(more), {})
                found |= dict.fromkeys(word.arg for word in call.keywords if word.arg)
            facts[name] = found
        return facts

    @cached_property
    def _names(self) -> dict[str, list[str]]:
        """The functions that each function names."""
        return {
            name: sorted(
                {
                    inner.id
                    for inner in walk(node)
                    if isinstance(inner, ast.Name) and inner.id in self.functions
                }
            )
            for name, node in self.functions.items()
        }

    def with_helpers(self, function: ast.FunctionDef) -> list[ast.FunctionDef]:
        """Return a function and all functions it calls, directly or not."""
        found, waiting = dict[str, None](), [function.name]
        while waiting:
            here = waiting.pop()
            if here not in found:
                found[here] = None
                waiting += self._names[here]
        return [self.functions[name] for name in found]


def calls_of(function: ast.FunctionDef, name: str) -> list[ast.Call]:
    """Return the calls of a function by its name."""
    calls = (node for node in walk(function) if isinstance(node, ast.Call))
    return [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == name]


def _called_in(node: ast.expr) -> str:
    """Return the name of the function that an expression calls; empty if it calls none."""
    called = node.func if isinstance(node, ast.Call) else None
    return called.id if isinstance(called, ast.Name) else ""
