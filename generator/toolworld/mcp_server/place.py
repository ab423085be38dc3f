"""The folder a server works in: each world has a folder there, and nothing else is touched."""

from __future__ import annotations

import re
from pathlib import Path

from toolworld.draft import BRIEF
from toolworld.errors import ToolworldError

NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")


class WorldsFolder:
    """A folder with worlds in it.

    Attributes:
        root: The folder, with no links in its path.
    """

    def __init__(self, folder: Path) -> None:
        """Take a folder.

        Raises:
            ToolworldError: There is no such folder.
        """
        if not folder.is_dir():
            raise ToolworldError(f"{folder} is no folder; make it first, or name another one.")
        self.root = folder.resolve()

    def world(self, name: str) -> Path:
        """Return a world's folder, whether it is there or not.

        Raises:
            ToolworldError: The name is not valid, or leads elsewhere.
        """
        if not NAME.fullmatch(name):
            raise ToolworldError(
                f'"{name:.60}" cannot name a world: use 1 to 40 lowercase letters, digits, '
                "underscores and dashes, a letter first. It is a folder's name, not a path."
            )
        return self.inside(name)

    def inside(self, path: str) -> Path:
        """Return the path inside the folder that a client's path names.

        Raises:
            ToolworldError: It leaves the folder.
        """
        found = (self.root / path).resolve()
        if not found.is_relative_to(self.root):
            raise ToolworldError(
                f'"{path:.200}" is outside {self.root}; give a path inside it, relative to it.'
            )
        return found

    def worlds(self) -> list[Path]:
        """Return the folders that hold a draft, in name order."""
        return sorted(file.parent for file in self.root.glob(f"*/{BRIEF}"))
