"""Ctrl-C at every moment of some work, not only at those a test happens to hit."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator
from itertools import count
from types import FrameType
from typing import Any

import toolworld

OURS = (os.path.dirname(toolworld.__file__), contextlib.__file__)  # noqa: PTH120 - compared as text


def interruptions(work: Callable[[], object]) -> Iterator[int]:
    """Do a work again and again, interrupted before its first step, its second, and so on.

    A step is a line of toolworld's, or of contextlib's, that the calling process runs.

    Args:
        work: Done anew each time; what it has left is looked at after each.

    Yields:
        The number of the step, after each interruption. It ends with the first work that comes
        to its own end.
    """
    for step in count(1):
        if not _interrupted(work, step):
            return
        yield step


def _interrupted(work: Callable[[], object], step: int) -> bool:
    """Do a work with a ``KeyboardInterrupt`` before a step; return whether it came to that.

    Where the signal is blocked, it comes as soon as it no longer is.
    """
    left, process = step, os.getpid()

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        if not frame.f_code.co_filename.startswith(OURS) or os.getpid() != process:
            return None
        if event == "line":
            left -= 1
            if left <= 0 and signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, []):
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False
