"""Which packages are committed, and the domain folder each is built from."""

from __future__ import annotations

from pathlib import Path

from toolworld import bundled

REPOSITORY = Path(__file__).resolve().parents[1]
GOLDEN = REPOSITORY / "tests" / "golden"
SERVERS = REPOSITORY / "generated_servers"


def golden() -> tuple[Path, Path]:
    """Return the golden record's domain folder and package."""
    return GOLDEN / "spec" / "library", GOLDEN / "package" / "library"


def servers() -> list[tuple[Path, Path]]:
    """Return each bundled domain's folder and package, in name order."""
    return [(folder, SERVERS / name) for name, folder in bundled.domains().items()]
