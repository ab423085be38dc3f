"""Checks emitted packages and the fixture: ``make conformance``.

By default the golden record and every committed package are checked; name package folders to
check others. Exits with 1 if anything fails; what each program printed is kept in
``build/conformance``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from tools import committed
from tools.conformance.checks import ConformanceCheck, check_files, check_fixture, check_server
from tools.conformance.node import Node, NodeError
from tools.conformance.serving import fixture_server, package_server

FOLDER = committed.REPOSITORY / "build" / "conformance"


def main() -> int:
    """Run every check; return the exit code."""
    packages = [Path(name) for name in sys.argv[1:]] or committed_packages()
    if not packages:
        print("There are no packages to check. Build one, and name its folder.")
        return 1
    node = Node(FOLDER)
    try:
        node.install()
    except NodeError as error:
        print(error)
        return 1
    failed = sum([not report(name, check) for name, check in checks(node, packages)])
    print(f"{failed} failed." if failed else "All passed.")
    return 1 if failed else 0


def committed_packages() -> list[Path]:
    """Return the golden record and the committed packages that are there."""
    pairs = (committed.golden(), *committed.servers())
    return [package for _, package in pairs if package.is_dir()]


def checks(node: Node, packages: list[Path]) -> Iterator[tuple[str, ConformanceCheck]]:
    """Run the checks one by one, each under the name of what it checks."""
    for package in packages:
        for check in check_files(node, package):
            yield package.name, check
        with package_server(package) as url:
            for check in check_server(node, url):
                yield package.name, check
    with fixture_server(packages[0]) as url:
        for check in check_fixture(node, url):
            yield "fixture", check


def report(name: str, check: ConformanceCheck) -> bool:
    """Print how a check went and keep its output; return whether it passed."""
    mark = "ok  " if check.passed else "FAIL"
    print(f"{mark} {name:12} {check.name:60} {check.summary}", flush=True)
    log = FOLDER / "logs" / f"{name} {check.name}.txt".replace(" ", "_").replace(",", "")
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text(check.output, encoding="utf-8")
    return check.passed


if __name__ == "__main__":
    sys.exit(main())
