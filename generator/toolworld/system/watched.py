"""Runs a command, and ends it when the parent is gone: watched.py PID COMMAND...

It is for systems whose kernel does not end a process with its parent.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from types import FrameType

LOOK_SECONDS = 0.2
NOT_FOUND, SIGNALLED = 127, 128


def main() -> None:
    """Run the command to its end, or to the parent's."""
    _, parent, *command = sys.argv
    try:
        process = subprocess.Popen(command)
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        sys.exit(NOT_FOUND)

    def hand_on(number: int, _: FrameType | None) -> None:
        process.send_signal(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, hand_on)
    while os.getppid() == int(parent):
        try:
            status = process.wait(LOOK_SECONDS)
        except subprocess.TimeoutExpired:
            continue
        sys.exit(status if status >= 0 else SIGNALLED - status)
    process.kill()
    process.wait()


main()
