"""Names of a package that are imported when they are first asked for.

A process that runs a served package needs little of the generator's own packages; to import the
rest takes longer than many a piece of its work.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping


def imported_when_asked(package: str, modules: Mapping[str, str]) -> Callable[[str], object]:
    """Return the ``__getattr__`` of a package.

    Args:
        package: The package's name.
        modules: Which of its modules each name comes from.
    """

    def attribute(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(f"{package}.{modules[name]}"), name)
        setattr(sys.modules[package], name, value)  # the next time it is simply there
        return value

    return attribute
