"""Processes that end with the one that started them, whatever ends that.

On Linux the kernel sees to it. Elsewhere a server over stdio ends with its input, and others are
ended on the way out.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

PR_SET_PDEATHSIG = 1

LAUNCHER = Path(__file__).with_name("tied.py")


def end_with(parent: int) -> None:
    """Let the kernel end this process when its parent ends; called first thing in a new one.

    Args:
        parent: The number of the process that started it.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)


def tied(command: Sequence[str]) -> list[str]:
    """Return a command that runs another one, and ends when this process does."""
    if sys.platform != "linux":
        return [*command]
    return [sys.executable, "-I", "-S", str(LAUNCHER), str(os.getpid()), *command]
