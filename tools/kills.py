"""Kills commands at random moments: ``python -m tools.kills --kills 200``.

After each kill no process of the command may run on for more than two seconds, the package must
be the old one or the new one, whole, and after the next start nothing may be left behind.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from toolworld import bundled, emit
from toolworld.emit.folders import read_files
from toolworld.system.temporary import OURS

MARK = "TOOLWORLD_KILL"
"""The variable by which all processes of a command are known."""
SECONDS_LEFT = 2.0
LONGEST = {"build": 1.5, "tasks": 8.0, "prove": 6.0, "laws": 4.0, "replay": 3.0, "serve": 3.0}
"""The commands, and how many seconds they run before they are killed, at most."""


class Target:
    """A package of the bike shop in a folder of its own, with temporary folders of its own."""

    def __init__(self, folder: Path) -> None:
        """Build it."""
        self.domain = bundled.templates() / "starter"
        self.folder, self.package = folder, folder / "bike_shop"
        (folder / "tmp").mkdir()
        emit.build(self.domain, self.package)

    def arguments(self, command: str) -> list[str]:
        """Return what a command is given."""
        more = {
            "build": [str(self.domain), "--out", str(self.package)],
            "tasks": [str(self.package), "-n", "20", "--workers", "2"],
            "prove": [str(self.package), "--workers", "2"],
            "laws": [str(self.package), "--workers", "2"],
            "replay": [str(self.package), "--transport", "stdio"],
            "serve": [str(self.package), "--port", "0", "--workers", "2"],
        }
        return [command, *more[command]]

    def start(self, command: str, mark: str) -> subprocess.Popen[bytes]:
        """Start a command."""
        environment = {**os.environ, MARK: mark, "TMPDIR": str(self.folder / "tmp")}
        return subprocess.Popen(
            [sys.executable, "-m", "toolworld", *self.arguments(command)],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def faults(self) -> Iterator[str]:
        """Yield what is wrong with the package."""
        try:
            package = emit.load_package(self.package)
            package.environment()
            tasks = package.tasks()
        except Exception as error:  # noqa: BLE001 - whatever is wrong is to be told
            yield f"the package is broken: {error}"
            return
        if not tasks or "server.json" not in read_files(self.package):
            yield "the package is not whole"

    def left(self) -> list[str]:
        """Return the temporary files and folders there are."""
        return [str(one) for one in self.folder.rglob(f"*{OURS}-*-*-*")]


def living(mark: str) -> list[int]:
    """Return the processes of a command that still run."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for file in Path("/proc").glob("[0-9]*/environ"):
        try:
            if wanted in file.read_bytes().split(b"\0"):
                found.append(int(file.parent.name))
        except OSError:
            continue
    return found


def kill_once(target: Target, command: str, rng: random.Random, mark: str) -> Iterator[str]:
    """Kill a command at some moment, and yield what is wrong afterwards."""
    process = target.start(command, mark)
    time.sleep(rng.uniform(0, LONGEST[command]))
    process.send_signal(signal.SIGKILL)
    process.wait()
    until = time.monotonic() + SECONDS_LEFT
    while living(mark) and time.monotonic() < until:
        time.sleep(0.05)
    for pid in living(mark):
        yield f"process {pid} runs on"
        os.kill(pid, signal.SIGKILL)
    yield from target.faults()
    target.start("build", "").wait()
    yield from (f"{path} is left" for path in target.left())
    yield from target.faults()


def main() -> int:
    """Kill, and say what was found; 1 if anything was."""
    parser = argparse.ArgumentParser(prog="python -m tools.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng = random.Random(options.seed)  # noqa: S311 - no secret
    counts: Counter[str] = Counter()
    faults = 0
    folder = Path(tempfile.mkdtemp(prefix="kills-"))
    try:
        target = Target(folder)
        for number in range(options.kills):
            command = rng.choice(sorted(LONGEST))
            counts[command] += 1
            for fault in kill_once(target, command, rng, f"{os.getpid()}-{number}"):
                faults += 1
                print(f"kill {number}, {command}: {fault}", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    shares = ", ".join(f"{count} of {command}" for command, count in sorted(counts.items()))
    print(f"{options.kills} kills ({shares}), {faults} faults")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
