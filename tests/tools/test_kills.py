"""A command that is killed leaves all or nothing; if it did not, the test by kills would see."""

from __future__ import annotations

import random
import signal
import sys
from pathlib import Path

import pytest

from tools.kills import watching
from tools.kills.__main__ import SceneKiller
from tools.kills.scenes import Scene, scenes
from tools.kills.watching import Blow, run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")


def test_a_command_that_is_killed_leaves_all_or_nothing(tmp_path: Path) -> None:
    init = next(one for one in scenes() if one.name == "init")
    killer = SceneKiller(init, tmp_path / "init", random.Random(0))  # noqa: S311 - guards nothing
    for _ in range(5):
        killer.kill()
    killer.settle()
    assert killer.faults == []
    assert killer.outcomes.total() == 5


def test_what_is_half_made_and_what_stays_is_seen(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys\n"
        "open('made', 'w').write('half')\n"
        "open('.made.toolworld-1', 'w').close()\n"
        "if sys.argv[1:]: signal.pause()\n"
        "open('made', 'w').write('whole')"
    )
    python = (sys.executable, "-c", code)
    scene = Scene("half", [python], ["made"])
    killer = SceneKiller(scene, tmp_path / "half", random.Random(0))  # noqa: S311 - guards nothing
    scene.seconds, scene.commands = 0.5, [(*python, "wait")]
    for _ in range(3):
        killer.kill()
    scene.commands = [python]
    killer.settle()
    assert any("neither the old one nor the new one" in fault for fault in killer.faults)
    assert any(".made.toolworld-1 stays" in fault for fault in killer.faults)


def test_what_runs_on_is_seen_and_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "SOON", 0.2)
    code = (
        "import subprocess, sys, time\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "time.sleep(600)"
    )
    fall = run((sys.executable, "-c", code), tmp_path, "", Blow(signal.SIGKILL, 0.3))
    assert fall.status == -signal.SIGKILL
    assert len(fall.orphans) == 1
