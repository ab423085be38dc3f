"""Notes what a check or a build must never do, in whichever process does it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

FORBIDDEN = (
    "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork_exec", "socket.connect",
    "socket.bind", "os.putenv", "os.chmod", "pty.spawn",
)  # fmt: skip
FORMATTER = "ruff"


class HarmWatch:
    """Notes forbidden actions of this process and of its children."""

    def __init__(self, log: Path, folder: Path) -> None:
        """Install the watch, which cannot be removed again.

        Args:
            log: The file that forbidden actions are noted in.
            folder: Where files may be written.
        """
        log.touch()
        self._log, self._folder = log, str(folder)
        self._is_on = False
        sys.addaudithook(self._note)

    def start(self) -> None:
        """Clear the log, and start watching."""
        self._log.write_text("", "utf-8")
        self._is_on = True

    def stop(self) -> str:
        """Stop watching; return what was noted so far."""
        self._is_on = False
        return self._log.read_text("utf-8")

    def _note(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._is_on and self._is_harm(event, arguments):
            # Opened each time: a child may have closed every file.
            with self._log.open("a", encoding="utf-8") as log:
                log.write(f"{event} {arguments!r:.400}\n")

    def _is_harm(self, event: str, arguments: tuple[Any, ...]) -> bool:
        if event == "subprocess.Popen":
            return FORMATTER not in {Path(one).name for one in arguments[1]}
        if event == "open":
            return self._is_outside(*arguments)
        return event.startswith(FORBIDDEN)

    def _is_outside(self, path: object, _: object, flags: int) -> bool:
        writes = bool(flags & (os.O_WRONLY | os.O_RDWR))
        inside = str(path).startswith((self._folder, "/dev/", "/proc/self")) or path == -1
        return writes and isinstance(path, str) and not inside
