"""The names that a package's tools share, in one module or in several that import them.

A function is put in the place of another wherever it is known by its name, and runs among the
names of the module it stands in.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Any

from toolworld.packages import Package
from toolworld.prove.code import Code
from toolworld.prove.probes import run_code

Names = dict[str, Any]


class Namespace:
    """The tools, helpers and constants of a package, by name."""

    def __init__(self, package: Package, code: Code) -> None:
        """Find the modules that define or import each name."""
        modules = package.tools_modules()
        by_file: dict[str, Names] = {
            one.file: vars(package.modules.named(one.name)) for one in modules
        }
        places = [*by_file.values()]
        if len(places) > 1:
            places.append(vars(package.modules.tools))
        names = [*code.constants, *code.functions]
        self._homes = {name: by_file[code.file_of(name)] for name in names}
        self._places = {name: [one for one in places if name in one] for name in names}

    def home(self, name: str) -> Names:
        """Return the names of the module that something stands in."""
        return self._homes[name]

    def get(self, names: Iterable[str]) -> Names:
        """Return the present values of some names."""
        return {name: self._homes[name][name] for name in names}

    def put(self, values: Mapping[str, Any]) -> None:
        """Let names stand for something else, in each module that knows them."""
        for name, value in values.items():
            for place in self._places[name]:
                place[name] = value

    def run(self, name: str, tree: ast.stmt) -> None:
        """Define a function or constant anew."""
        run_code(ast.Module([tree], []), self._homes[name])
        self.put(self.get([name]))
