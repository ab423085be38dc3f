"""Forked children end with what started them."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.interrupting import interruptions
from toolworld.emit.jobs import Limits, Marker, run_all, run_one

Work = Callable[[Marker], None]


def asleep(marker: Marker) -> None:
    """Do nothing for longer than a test takes."""
    marker.set("sleeping")
    time.sleep(600)


class Awake(Exception):
    """A child has been seen to sleep."""


def one_child() -> None:
    def seen(_: str) -> None:
        raise Awake

    with pytest.raises(Awake):
        run_one(asleep, Limits(), seen)


def two_children() -> None:
    """Take the first that ends, and leave the other."""
    with closing(run_all([asleep, lambda _: None], Limits(), 2)) as ended:
        next(ended)


@contextmanager
def without_children() -> Iterator[None]:
    """Make sure that no process forked in the block is left: each keeps a pipe open."""
    reading, writing = os.pipe()
    try:
        yield
        os.close(writing)
        ready, _, _ = select.select([reading], [], [], 10)
        assert ready, "a child lives on"
    finally:
        os.close(reading)


def interrupt_at_every_step(work: Callable[[], None]) -> None:
    """Do a work with Ctrl-C at each moment; no child may be left, and no signal blocked."""
    steps = interruptions(work)
    while True:
        with without_children():
            if next(steps, None) is None:
                break
            assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


@pytest.mark.parametrize("work", ["one_child", "two_children"])
def test_ctrl_c_at_any_moment_leaves_no_child(repository: Path, work: str) -> None:
    # In a process of its own: what forks hundreds of times had better be small.
    code = f"from tests.emit import test_jobs; test_jobs.interrupt_at_every_step(test_jobs.{work})"
    subprocess.run([sys.executable, "-c", code], cwd=repository, check=True)
