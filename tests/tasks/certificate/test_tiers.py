"""The same gold over every transport."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from toolworld.emit import Package, load_package
from toolworld.errors import LaunchError
from toolworld.harness.connect import TRANSPORTS
from toolworld.tasks.certificate import certify_tiers


@pytest.fixture
def broken(golden_package: Path, tmp_path: Path) -> Package:
    """The library, whose server says something else than its environment."""
    package = load_package(shutil.copytree(golden_package, tmp_path / "library"))
    server = package.path / "src" / package.module_name / "server.py"
    text = server.read_text(encoding="utf-8")
    assert text.count("result.text") > 0
    server.write_text(text.replace("result.text", "result.text.upper()", 1), encoding="utf-8")
    return package


def test_all_transports_agree_on_the_library(library: Package) -> None:
    agreements = certify_tiers(library, library.tasks())
    assert list(agreements) == [task["id"] for task in library.tasks()]
    for agreement in agreements.values():
        assert agreement.mismatch == ""
        assert set(agreement.digests) == set(TRANSPORTS)
        assert len(set(agreement.digests.values())) == 1


def test_only_the_transports_asked_for_are_run(library: Package) -> None:
    (first, *_) = certify_tiers(library, library.tasks()[:1], ["memory"]).values()
    assert list(first.digests) == ["inproc", "memory"]


def test_a_result_that_differs_is_named_with_its_step(broken: Package) -> None:
    (first, *_) = certify_tiers(broken, broken.tasks()[:1], ["stdio"]).values()
    assert first.mismatch.startswith("stdio: step 0, find_member")
    assert list(first.digests) == ["inproc"]


def test_a_reward_that_differs_is_named(library: Package) -> None:
    task = library.tasks()[0]
    missed = json.loads(json.dumps(task))
    missed["goal"]["changes"] = []
    (agreement,) = certify_tiers(library, [missed], ["memory"]).values()
    assert agreement.mismatch == "memory: gold earns 0"


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_server_that_does_not_start_is_an_error(broken: Package, transport: str) -> None:
    main = broken.path / "src" / broken.module_name / "__main__.py"
    main.write_text("raise SystemExit('no such thing')\n", encoding="utf-8")
    with pytest.raises(LaunchError, match="no such thing"):
        certify_tiers(broken, broken.tasks()[:1], [transport])  # type: ignore[list-item]
