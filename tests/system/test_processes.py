"""No process outlives the one that started it, whatever ends that."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys

import pytest

from toolworld.system.processes import WATCHER

SLEEP = "import sys, time; print('awake', flush=True); time.sleep(600)"
TIED = f"""
import subprocess, sys
from toolworld.system.processes import tied
subprocess.run(tied([sys.executable, "-c", {SLEEP!r}]))
"""
FORKED = """
import time
from toolworld.emit.jobs import Limits, run_one
def work(marker):
    print("awake", flush=True)
    time.sleep(600)
run_one(work, Limits(), lambda _: None)
"""
FORKED_TWICE = """
import time
from toolworld.emit.jobs import Limits, run_one
def inner(marker):
    print("awake", flush=True)
    time.sleep(600)
run_one(lambda marker: run_one(inner, Limits(), lambda _: None), Limits(), lambda _: None)
"""
ELSEWHERE = "sys.platform = 'darwin'\n"
"""As on a system whose kernel does not end a process with its parent."""
TIED_ELSEWHERE = TIED.replace("subprocess.run", f"{ELSEWHERE}subprocess.run")
FORKED_ELSEWHERE = FORKED.replace("run_one(work", f"import sys\n{ELSEWHERE}run_one(work")
SECONDS = 10

linux = pytest.mark.skipif(sys.platform != "linux", reason="the kernel of Linux sees to it")


@linux
@pytest.mark.parametrize("program", [TIED, FORKED, FORKED_TWICE, TIED_ELSEWHERE, FORKED_ELSEWHERE])
def test_a_child_ends_when_its_parent_is_killed(program: str) -> None:
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"awake\n"
        parent.kill()
        # The child holds the pipe, too: it is at its end when both are gone.
        ready, _, _ = select.select([parent.stdout], [], [], SECONDS)
        assert ready and os.read(parent.stdout.fileno(), 1) == b""


def watched() -> list[str]:
    return [sys.executable, "-I", "-S", str(WATCHER), str(os.getpid())]


@linux
@pytest.mark.parametrize(("code", "status"), [("exit(0)", 0), ("exit(3)", 3), ("1 / 0", 1)])
def test_a_command_that_is_watched_ends_as_it_would(code: str, status: int) -> None:
    command = [
        sys.executable,
        "-I",
        "-S",
        str(WATCHER),
        str(os.getpid()),
        sys.executable,
        "-c",
        code,
    ]
    assert subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode == status


@linux
def test_a_command_that_is_watched_gets_signals_and_may_not_be_there() -> None:
    with subprocess.Popen(
        [*watched(), sys.executable, "-c", SLEEP], stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"awake\n"
        process.terminate()
        assert process.wait(SECONDS) == 128 + signal.SIGTERM
    missing = subprocess.run([*watched(), "no-such-command"], check=False, capture_output=True)
    assert (missing.returncode, missing.stderr) == (
        127,
        b"no-such-command: No such file or directory\n",
    )
