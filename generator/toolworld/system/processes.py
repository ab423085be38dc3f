"""Processes that end with their parent, however the parent ends.

On Linux the kernel sees to it. On other POSIX systems each such process looks after its parent.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

PR_SET_PDEATHSIG = 1
LOOK_SECONDS = 0.2
"""How often a process without such a kernel looks whether its parent is there."""

LAUNCHER, WATCHER = Path(__file__).with_name("tied.py"), Path(__file__).with_name("watched.py")


def end_with(parent: int) -> None:
    """Have this process end when its parent does; called first thing in a new one.

    Args:
        parent: The number of the process that started it.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
    else:
        threading.Thread(target=end_after, args=[parent], daemon=True).start()


def end_after(parent: int) -> None:
    """Wait until this process has another parent, and end it then."""
    while os.getppid() == parent:
        time.sleep(LOOK_SECONDS)
    os._exit(1)


def tied(command: Sequence[str]) -> list[str]:
    """Return a command that runs another one, and ends when this process does."""
    if sys.platform == "win32":
        return [*command]
    launcher = LAUNCHER if sys.platform == "linux" else WATCHER
    return [sys.executable, "-I", "-S", str(launcher), str(os.getpid()), *command]
