"""What reports of all commands have in common: JSON values, and a file that holds them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolworld.artifacts import write_report


@dataclass(frozen=True)
class JsonReport:
    """A report as JSON values. Printing it with rich shows it as people read it.

    Attributes:
        content: The values; each kind of report says which.
    """

    content: Mapping[str, Any]

    def write(self, path: Path) -> None:
        """Write the report as JSON, all of it or nothing.

        Raises:
            ToolworldError: The file cannot be written.
        """
        write_report(path, self.content)
