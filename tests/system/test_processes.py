"""No process outlives the one that started it, whatever ends that."""

from __future__ import annotations

import os
import select
import subprocess
import sys

import pytest

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
SECONDS = 10

linux = pytest.mark.skipif(sys.platform != "linux", reason="the kernel of Linux sees to it")


@linux
@pytest.mark.parametrize("program", [TIED, FORKED, FORKED_TWICE])
def test_a_child_ends_when_its_parent_is_killed(program: str) -> None:
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"awake\n"
        parent.kill()
        # The child holds the pipe, too: it is at its end when both are gone.
        ready, _, _ = select.select([parent.stdout], [], [], SECONDS)
        assert ready and os.read(parent.stdout.fileno(), 1) == b""
