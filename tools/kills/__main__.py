"""Kills commands at random moments: ``python -m tools.kills [COMMAND...] --kills 200``.

After each kill, what the command makes must be the old one or the new one, whole; no process of it
may run on; and what it left must be gone after the next run. Ctrl-C and SIGTERM must leave nothing
at all, and say so in one line.
"""

from __future__ import annotations

import argparse
import random
import signal
import tempfile
from collections import Counter
from pathlib import Path

from tools.kills.scenes import Scene, left_in, scenes
from tools.kills.watching import Blow, Fall

SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
LINES = {signal.SIGTERM: "Terminated.", signal.SIGINT: "Interrupted."}
SIGNALLED = 128
LINGERING = 5.0
SETTLED_AFTER = 4
"""The number of kills between two runs to the end."""


class SceneKiller:
    """Kills one scene's command again and again, and keeps what it finds.

    Attributes:
        outcomes: How the runs ended, counted.
        faults: What was wrong.
    """

    def __init__(self, scene: Scene, folder: Path, rng: random.Random) -> None:
        """Learn what the scene makes when its commands run to their end."""
        self._scene, self._folder, self._rng = scene, folder, rng
        self.outcomes: Counter[str] = Counter()
        self.faults: list[str] = []
        scene.learn(folder)

    def kill(self) -> None:
        """Kill a command once, and check what it leaves."""
        chosen, rng = self._rng.choice(SIGNALS), self._rng
        blow = Blow(
            chosen,
            rng.uniform(0, 1.02 * self._scene.seconds),
            chosen == signal.SIGINT and rng.random() < 1 / 2,
        )
        before = left_in(self._folder)
        fall = self._scene.kill(self._folder, rng, blow)
        faults = [f"{command} runs on" for command in fall.orphans]
        faults += self._scene.broken(self._folder)
        if chosen != signal.SIGKILL and self._scene.is_command:
            new = [name for name in left_in(self._folder) if name not in before]
            faults += [f"{name} is left" for name in new] + self._untidy(fall, chosen)
        self.outcomes[self._outcome(fall, chosen)] += 1
        self._note(faults, blow, fall)

    def settle(self) -> None:
        """Run the commands to their end, and check that nothing is left of the runs before."""
        for command in self._scene.commands:
            self._scene.finish(self._folder, command)
        faults = self._scene.broken(self._folder)
        self._note(faults + [f"{name} stays" for name in left_in(self._folder)], None, None)

    def _outcome(self, fall: Fall, number: signal.Signals) -> str:
        if fall.status in self._scene.statuses and 0 <= fall.status < SIGNALLED:
            return "had ended"
        if fall.status == -number and number != signal.SIGKILL:
            return f"{number.name} before or after its work"
        return number.name

    def _untidy(self, fall: Fall, number: signal.Signals) -> list[str]:
        """Return what is wrong with the end of a command that was asked to end."""
        if fall.lasted > LINGERING:
            return [f"it went on for {fall.lasted:.1f} s"]
        if "toolworld" in _frames(fall.said):
            return [f"traceback:\n{fall.said}"]
        # While Python itself starts or ends, our code cannot print its line.
        if fall.status in (-number, *self._scene.statuses) or "Traceback" in fall.said:
            return []
        lines = fall.said.splitlines()
        if fall.status != SIGNALLED + number or lines[-1:] != [LINES[number]]:
            return [f"it ended with {fall.said!r}"]
        return [f"it said {line!r}" for line in lines if line.startswith("error")]

    def _note(self, faults: list[str], blow: Blow | None, fall: Fall | None) -> None:
        for fault in faults:
            status = f", status {fall.status}" if fall else ""
            line = f"{self._scene.name}, {blow or 'run to its end'}{status}: {fault}"
            print(f"  {line}", flush=True)
            self.faults.append(line)


def _frames(said: str) -> str:
    """Return the lines of a traceback that name files."""
    return "\n".join(line for line in said.splitlines() if line.startswith('  File "'))


def main() -> int:
    """Kill the named commands, or all; return 1 if anything was wrong, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tools.kills", description=__doc__)
    parser.add_argument("commands", nargs="*", help="as they are called in the list printed")
    parser.add_argument("--kills", type=int, default=200, help="in all")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    # A shell that runs this in the background makes it, and what it starts, ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    rng = random.Random(options.seed)  # noqa: S311 - guards nothing
    chosen = [one for one in scenes() if not options.commands or one.name in options.commands]
    faults = 0
    with tempfile.TemporaryDirectory(prefix="toolworld-kills-") as folder:
        for number, scene in enumerate(chosen):
            killer = SceneKiller(scene, Path(folder) / str(number), rng)
            each, more = divmod(options.kills, len(chosen))
            for kill in range(each + (number < more)):
                killer.kill()
                if kill % SETTLED_AFTER == SETTLED_AFTER - 1:
                    killer.settle()
            killer.settle()
            ends = ", ".join(f"{name} {count}" for name, count in killer.outcomes.most_common())
            print(f"{scene.name} ({scene.seconds:.1f} s): {ends}; {len(killer.faults)} faults")
            faults += len(killer.faults)
    return int(faults > 0)


if __name__ == "__main__":
    raise SystemExit(main())
