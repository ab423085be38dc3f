"""Committed packages: each is what its domain builds to, and passes its own tests."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools import committed
from toolworld import emit
from toolworld.folders import read_files

GOLDEN = committed.golden()
ALL = [GOLDEN, *committed.servers()]

ALONE = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-p", "no:faker", "-p", "no:xdist")
"""Without the plugins of this repository's tests: a package's own go without, and start sooner."""

each_committed = pytest.mark.parametrize(
    ("domain", "package"), ALL, ids=[package.name for _, package in ALL]
)


def test_the_golden_record_is_what_a_build_writes(tmp_path: Path) -> None:
    domain, package = GOLDEN
    emit.build(domain, tmp_path / "library")
    built, record = read_files(tmp_path / "library"), read_files(package)
    assert built.keys() == record.keys()
    changed = [name for name in built if built[name] != record[name]]
    assert changed == [], "if this is meant: make rebuild"


@each_committed
def test_a_committed_package_is_not_stale(domain: Path, package: Path) -> None:
    assert emit.stale(domain, package) == "", "if this is meant: make rebuild"


@each_committed
def test_a_committed_package_passes_its_own_tests(domain: Path, package: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", *ALONE]
    run = subprocess.run(command, cwd=package, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


@each_committed
def test_the_python_of_its_readme_runs(domain: Path, package: Path) -> None:
    run_python_of((package / "README.md").read_text(encoding="utf-8"), package)


def run_python_of(readme: str, package: Path) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    command = [sys.executable, "-W", "error", "-c", code]
    environment = os.environ | {"PYTHONPATH": str(package / "src")}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout
