"""A package imports a module when it is asked for a name of it, and not before."""

from __future__ import annotations

import subprocess
import sys

import pytest

from toolworld import emit, spec
from toolworld.emit import building

HEAVY = ("faker", "jinja2", "yaml", "toolworld.draft", "toolworld.spec.load")


def test_processes_that_hold_a_package_read_only_what_they_need() -> None:
    code = (
        "import sys, toolworld.audit.__main__, toolworld.prove.__main__;"
        f"print(*(name for name in {HEAVY!r} if name in sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []


def test_a_name_is_what_its_module_has() -> None:
    assert emit.build is building.build
    assert spec.load_spec.__module__ == "toolworld.spec.load"


def test_an_unknown_name_is_none_of_the_package_s() -> None:
    with pytest.raises(AttributeError, match=r"'toolworld.emit' has no attribute 'biuld'"):
        _ = emit.biuld  # type: ignore[attr-defined]
