"""Turns a domain spec into a standalone, stateful MCP server package, and replays tasks on it.

The rooms behind this face: ``spec`` (what a domain is), ``emit`` (a spec rendered into a
package), ``prove`` (its tools tested by running them), ``graph`` (how its tools hang together),
``harness`` (launch, connect, replay, grade, report). Importing toolworld is cheap and does
nothing; import the room you need.
"""

from __future__ import annotations

from toolworld import lazy_imports

TYPE_CHECKING = False
"""What ``typing`` has: to import that would take most of the time."""

if TYPE_CHECKING:
    from toolworld.errors import (
        BuildError,
        LaunchError,
        PackageLoadError,
        Problem,
        SpecError,
        ToolworldError,
    )

__all__ = [
    "BuildError",
    "LaunchError",
    "PackageLoadError",
    "Problem",
    "SpecError",
    "ToolworldError",
]

if not TYPE_CHECKING:
    # The command heeds Ctrl-C once this module is imported: it takes next to no time.
    __getattr__ = lazy_imports.imported_when_asked(__name__, dict.fromkeys(__all__, "errors"))
