"""What a check or a build must never do, written down by whichever process does it."""

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
    """Keeps what was done that must not be done; children of this process are watched, too."""

    def __init__(self, log: Path, folder: Path) -> None:
        """HarmWatch from here on; there is no way to stop.

        Args:
            log: Where it is written down.
            folder: Where files may be written.
        """
        log.touch()
        self._log, self._folder = log, str(folder)
        self._is_on = False
        sys.addaudithook(self._note)

    def start(self) -> None:
        """Look from now on, with nothing written down."""
        self._log.write_text("", "utf-8")
        self._is_on = True

    def stop(self) -> str:
        """Look no more; return what was done so far."""
        self._is_on = False
        return self._log.read_text("utf-8")

    def _note(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._is_on and self._is_harm(event, arguments):
            # A child may have closed every file: this one is opened each time.
            with self._log.open("a", encoding="utf-8") as log:
                log.write(f"{event} {arguments!r:.400}\n")

    def _is_harm(self, event: str, arguments: tuple[Any, ...]) -> bool:
        if event == "subprocess.Popen":
            return FORMATTER not in arguments[1]
        if event == "open":
            return self._is_outside(*arguments)
        return event.startswith(FORBIDDEN)

    def _is_outside(self, path: object, _: object, flags: int) -> bool:
        writes = bool(flags & (os.O_WRONLY | os.O_RDWR))
        inside = str(path).startswith((self._folder, "/dev/", "/proc/self")) or path == -1
        return writes and isinstance(path, str) and not inside
