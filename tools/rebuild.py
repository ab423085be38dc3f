"""Rebuilds every committed package, the golden record included: ``make rebuild``."""

from __future__ import annotations

from tools import committed
from toolworld import emit


def main() -> None:
    """Rebuild them, one after the other."""
    for domain, package in (committed.golden(), *committed.servers()):
        print(f"{package.relative_to(committed.REPOSITORY)} ...", flush=True)
        emit.build(domain, package)


if __name__ == "__main__":
    main()
