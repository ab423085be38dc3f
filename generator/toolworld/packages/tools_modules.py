"""The modules of a package's tools: ``tools.py``, or the files of a folder ``tools``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FILE = re.compile(r"[/\\]toolworld_\w+[/\\](tools\.py|tools[/\\]\w+\.py)$")


@dataclass(frozen=True)
class ToolsModule:
    """One module of a package's tools.

    Attributes:
        name: The submodule of the package: ``tools``, or ``tools.orders``.
        path: Its file.
    """

    name: str
    path: Path

    @property
    def file(self) -> str:
        """The file as people are told of it: ``tools.py``, or ``tools/orders.py``."""
        return f"{self.name.replace('.', '/')}.py"

    @property
    def text(self) -> str:
        """The file's text."""
        return self.path.read_text(encoding="utf-8")


def tools_modules(module: Path) -> list[ToolsModule]:
    """Return the modules with the tools of a package, by name.

    Args:
        module: The folder of the package's module, as ``find_module`` finds it.
    """
    folder = module / "tools"
    if not folder.is_dir():
        return [ToolsModule("tools", module / "tools.py")]
    areas = sorted(path for path in folder.glob("*.py") if path.stem != "__init__")
    return [ToolsModule(f"tools.{path.stem}", path) for path in areas]


def tools_file(path: str) -> str:
    """Return the short name of a file of tools, for messages; empty for any other file."""
    found = FILE.search(path)
    return found[1].replace("\\", "/") if found else ""
