"""Processes forked from this one, which know all that it knows when they begin."""

from __future__ import annotations

import gc
import os
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context

from toolworld.errors import ToolworldError

KILLED = (
    "A process that makes tasks was ended by the system, for want of memory perhaps, or by "
    "somebody else. Nothing was written. Try again, with --workers 1 if memory is short."
)
GARBAGE = 2_000_000
"""After how many new objects garbage is looked for: attempts leave little that must be found."""


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Have garbage looked for seldom, here and in children, and not in what was loaded before."""
    before = gc.get_threshold()
    gc.set_threshold(GARBAGE)
    gc.freeze()
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


@contextmanager
def forked(count: int, start: Callable[..., None], *known: object) -> Iterator[ProcessPoolExecutor]:
    """Give processes.

    Args:
        count: How many.
        start: Called in each when it begins.
        known: What that is called with; it need not be pickled.
    """
    with ProcessPoolExecutor(count, get_context("fork"), start, known) as executor:
        with warnings.catch_warnings():
            # Python warns of threads, whose locks a child may find taken: ours ask for none.
            warnings.simplefilter("ignore", DeprecationWarning)
            executor.submit(os.getpid).result()  # all are forked with the first work
        yield executor


@contextmanager
def told_if_killed() -> Iterator[None]:
    """Wait for what comes of work in other processes.

    Raises:
        ToolworldError: A process was ended.
    """
    try:
        yield
    except BrokenProcessPool as error:
        raise ToolworldError(KILLED) from error
