"""A room's face that opens a module when its name is asked for, and not before.

A process that runs a package needs little of a room; reading the rest takes longer than many a
piece of work does.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any


def opening(room: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a room.

    Args:
        room: The room's name.
        modules: Which of its modules each name comes from.
    """

    def attribute(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(f"{room}.{modules[name]}"), name)
        setattr(sys.modules[room], name, value)  # the next time it is simply there
        return value

    return attribute
