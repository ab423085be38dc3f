"""The same gold over every transport."""

from __future__ import annotations

import gc
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from subprocess import PIPE

import anyio
import pytest

from toolworld.emit import Package, load_package
from toolworld.errors import LaunchError
from toolworld.harness.connect import TRANSPORTS, Transport
from toolworld.tasks.certificate import Certifier, Reference, Task, certify_tiers
from toolworld.tasks.certificate.tiers import WIRES
from toolworld.tasks.certificate.wire import stop
from toolworld.tasks.certificate.wire_stdio import CHUNK, pipe_of

Break = Callable[[str, str, str], Package]


@pytest.fixture
def break_server(golden_package: Path, tmp_path: Path) -> Break:
    """Makes a library that does something else in a server process than in this one."""

    def broken(file: str, old: str, new: str) -> Package:
        package = load_package(shutil.copytree(golden_package, tmp_path / "library"))
        package.module("methods")
        path = package.path / "src" / package.module_name / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return package

    return broken


def golds(package: Package, tasks: Sequence[Task] = ()) -> list[Reference]:
    certifier = Certifier(package)
    return [certifier.reference(task) for task in tasks or package.tasks()]


def test_all_transports_agree_on_the_library(library: Package) -> None:
    agreements = certify_tiers(library, golds(library))
    assert list(agreements) == [task["id"] for task in library.tasks()]
    for agreement in agreements.values():
        assert agreement.mismatch == ""
        assert set(agreement.digests) == set(TRANSPORTS)
        assert len(set(agreement.digests.values())) == 1


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_tasks_may_be_larger_than_what_a_pipe_or_socket_holds(
    library: Package, transport: Transport
) -> None:
    tasks = [{**task, "instruction": "Please. " * 500_000} for task in library.tasks()]
    for agreement in certify_tiers(library, golds(library, tasks), [transport]).values():
        assert agreement.mismatch == ""


def test_only_the_transports_asked_for_are_run(library: Package) -> None:
    (first, *_) = certify_tiers(library, golds(library)[:1], ["memory"]).values()
    assert list(first.digests) == ["inproc", "memory"]


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_result_that_differs_is_named_with_its_step(
    break_server: Break, transport: Transport
) -> None:
    broken = break_server("server.py", "result.text", "result.text.upper()")
    (first, *_) = certify_tiers(broken, golds(broken)[:1], [transport]).values()
    assert first.mismatch.startswith(f"{transport}: step 0, find_member")
    assert list(first.digests) == ["inproc"]


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_state_that_differs_is_named(break_server: Break, transport: Transport) -> None:
    graded = "**describe(episode)}"
    broken = break_server("control.py", graded, graded.replace("}", ", 'digest': ''}"))
    (first, *_) = certify_tiers(broken, golds(broken)[:1], [transport]).values()
    assert first.mismatch == f"{transport}: gold leads to another state"


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_server_that_refuses_a_task_is_an_error(
    break_server: Break, transport: Transport
) -> None:
    refusing = "raise BadParameters('Not today.')"
    broken = break_server("control.py", "episode.environment.reset(", f"{refusing}\n    (")
    with pytest.raises(LaunchError, match="reset over .*: Not today"):
        certify_tiers(broken, golds(broken)[:1], [transport])


@pytest.mark.parametrize("transports", [["stdio"], ["http"], TRANSPORTS])
def test_a_server_that_dies_is_an_error(
    break_server: Break, transports: Sequence[Transport]
) -> None:
    broken = break_server(
        "server.py", "return call(", "import os\n        os._exit(7)\n        return call("
    )
    with pytest.raises(LaunchError, match="is lost"):
        certify_tiers(broken, golds(broken)[:1], transports)


def test_a_server_that_is_gone_is_stopped_with_what_it_was_not_told() -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""], stdin=PIPE, stdout=PIPE, bufsize=CHUNK)
    gone.wait()
    pipe_of(gone.stdin).write(b"Hello?")
    stop(gone)
    assert pipe_of(gone.stdout).closed


@pytest.mark.parametrize("transport", WIRES)
def test_nothing_stays_open_for_the_garbage_collector(
    library: Package, transport: Transport, recwarn: pytest.WarningsRecorder
) -> None:
    async def use() -> None:
        async with WIRES[transport](library) as wire:
            knot: list[object] = [wire]
            knot.append(knot)

    anyio.run(use)
    gc.collect()
    assert [str(warning.message) for warning in recwarn] == []


def test_a_reward_that_differs_is_named(library: Package) -> None:
    task = library.tasks()[0]
    missed = json.loads(json.dumps(task))
    missed["goal"]["changes"] = []
    (agreement,) = certify_tiers(library, golds(library, [missed]), ["memory"]).values()
    assert agreement.mismatch == "memory: gold earns 0"


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_server_that_does_not_start_is_an_error(
    break_server: Break, transport: Transport
) -> None:
    broken = break_server(
        "__main__.py", "from __future__ import annotations", "raise SystemExit('no such thing')"
    )
    with pytest.raises(LaunchError, match="no such thing"):
        certify_tiers(broken, golds(broken)[:1], [transport])
