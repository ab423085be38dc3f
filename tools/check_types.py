"""Type-checks every committed package by itself, with its own settings: part of ``make types``.

The modules under ``templates/package`` are checked here too: they import modules that only exist
once a package is rendered, and the golden record holds them all, rendered or copied.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tools import committed

CACHE = committed.REPOSITORY / ".mypy_cache" / "packages"
"""One cache for all packages, which share settings and libraries; used by one at a time."""


def check(package: Path) -> bool:
    """Run mypy over a package's sources and tests; return whether it found nothing."""
    print(f"mypy {package.relative_to(committed.REPOSITORY)}", flush=True)
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(CACHE), "src", "tests"]
    return subprocess.run(command, cwd=package, check=False).returncode == 0


def main() -> None:
    """Check all packages, and fail if one has findings."""
    packages = [package for _, package in (committed.golden(), *committed.servers())]
    sys.exit(not all([check(package) for package in packages]))


if __name__ == "__main__":
    main()
