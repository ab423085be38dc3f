"""Ctrl-C and SIGTERM end a command in order: one line, its exit status, and no traceback.

It imports next to nothing: it is in force before what takes long to import.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import NoReturn

LINES = {signal.SIGINT: "Interrupted.", signal.SIGTERM: "Terminated."}
SHOW_CURSOR = "\x1b[?25h"
AGAIN_SECONDS = 0.01

Handler = Callable[[int, FrameType | None], None]


class Ended(KeyboardInterrupt):
    """The program is told to end, by Ctrl-C or SIGTERM."""

    def __init__(self, number: int) -> None:
        """Keep the signal's number."""
        super().__init__(number)
        self.number = number


def run_until_told(command: Callable[[], object], clear: Callable[[], object]) -> None:
    """Run a command; a signal raises ``Ended`` in it, and the exit status tells the signal.

    A second signal ends the program at once: whoever asks twice does not want to wait.

    Args:
        command: Runs in the main thread.
        clear: Clears up what a command leaves that was told to end, as where it came too suddenly.
    """
    told: list[int] = []

    def end(number: int, _: FrameType | None) -> None:
        told.append(number)
        _handle_by(signal.SIG_DFL)
        raise Ended(number)

    def unraisable(found: sys.UnraisableHookArgs) -> None:
        if isinstance(found.exc_value, Ended):
            _handle_by(end)
            _tell_again(found.exc_value.number)
        else:
            sys.__unraisablehook__(found)

    try:
        try:
            sys.unraisablehook = unraisable
            _handle_by(end)
            command()
        finally:
            _handle_by(signal.SIG_DFL)
    finally:
        if told:
            clear()
            sys.exit(_said(told[0]))


def end_at_once(clear: Callable[[], object]) -> None:
    """Let a signal end the program from now on without waiting for threads: some never end.

    Args:
        clear: Clears up before that.
    """

    def end(number: int, _: FrameType | None) -> None:
        _handle_by(signal.SIG_DFL)
        try:
            clear()
        finally:
            os._exit(_said(number))

    _handle_by(end)


def exit_at_once(clear: Callable[[], object]) -> NoReturn:
    """End the finished program without waiting for threads.

    Args:
        clear: Clears up before that.
    """
    try:
        clear()
    finally:
        sys.stdout.flush()
        os._exit(0)


def _handle_by(handler: signal.Handlers | Handler) -> None:
    for number in LINES:
        # A shell ignores Ctrl-C for what it runs in the background.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def _tell_again(number: int) -> None:
    """Send a signal again that came where Python drops exceptions, as in a finalizer."""

    def send() -> None:
        time.sleep(AGAIN_SECONDS)
        os.kill(os.getpid(), number)

    threading.Thread(target=send, daemon=True).start()


def _said(number: int) -> int:
    """Say that the program is told to end, and return its exit status."""
    shown = SHOW_CURSOR if sys.stderr.isatty() else ""
    sys.stderr.write(f"{shown}{LINES[signal.Signals(number)]}\n")
    sys.stderr.flush()
    return 128 + number
