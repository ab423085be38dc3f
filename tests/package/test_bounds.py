"""A bound on the time of a tool: each body has the whole time, whatever ran before it."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from toolworld.packages import Package

SECONDS = 0.2
ENDS = """
import atexit, signal, sys
atexit.register(lambda: print(signal.getitimer(signal.ITIMER_REAL)))
sys.path.insert(0, sys.argv[1])
from toolworld_library.bounds import TimeBound
with TimeBound.of(60):
    pass
"""


@pytest.fixture
def bounds(library: Package) -> Iterator[Any]:
    """The module of bounds; the timer is off afterwards."""
    before = signal.getsignal(signal.SIGALRM)
    yield library.module("bounds")
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def spin(seconds: float) -> None:
    """Be busy for so long."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass


def test_a_body_that_takes_too_long_is_ended(bounds: Any) -> None:
    bound = bounds.TimeBound.of(SECONDS)
    with pytest.raises(bounds.TookTooLong), bound:
        spin(60)


def test_a_later_body_has_the_whole_time_and_no_more(bounds: Any) -> None:
    bound = bounds.TimeBound.of(SECONDS)
    with bound:
        spin(SECONDS / 2)
    with bound:
        spin(SECONDS * 0.7)  # the timer of the first body goes off in this one
    with pytest.raises(bounds.TookTooLong), bound:
        spin(60)
    with bound:
        spin(SECONDS / 10)


def test_nothing_is_ended_between_bodies(bounds: Any) -> None:
    with bounds.TimeBound.of(SECONDS):
        pass
    spin(SECONDS * 1.5)


def test_two_bounds_of_one_process_end_their_own_bodies(bounds: Any) -> None:
    first, second = bounds.TimeBound.of(SECONDS), bounds.TimeBound.of(SECONDS)
    for bound in (first, second, first, second):
        with bound:
            pass
    for bound in (first, second):
        with pytest.raises(bounds.TookTooLong), bound:
            spin(60)


def test_no_timer_goes_on_when_the_process_ends(library: Package) -> None:
    command = [sys.executable, "-c", ENDS, str(library.path / "src")]
    ended = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    assert ended.stdout == "(0.0, 0.0)\n"
