"""Domains changed at random are refused or built, and what would do harm is seen."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.spec import starter
from tools.fuzz.domains.mutations import change_for, in_templates

HARM = """
import os, sys
from pathlib import Path
from tools.fuzz.domains.watch import HarmWatch
folder = Path(sys.argv[1])
watch = HarmWatch(folder / "harm", folder)
watch.start()
if os.fork() == 0:
    {act}
    os._exit(0)
os.wait()
print(watch.stop())
"""


@pytest.mark.parametrize(
    ("act", "seen"),
    [
        ("os.system('true')", "os.system"),
        ("open(sys.argv[2], 'w')", "open"),
        ("import socket; socket.socket().connect_ex(('127.0.0.1', 9))", "socket.connect"),
        ("(folder / 'x').write_text('fine')", ""),
    ],
)
def test_what_must_not_be_done_is_seen_in_children(tmp_path: Path, act: str, seen: str) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    command = [sys.executable, "-c", HARM.replace("{act}", act), str(inside), str(outside)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert said.startswith(seen) and bool(said.strip()) == bool(seen)


def test_domains_changed_at_random_do_no_harm() -> None:
    command = [sys.executable, "-m", "tools.fuzz.domains", "--specs", "12", "--templates", "6"]
    ended = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, ""), ended.stdout
    assert "12 specs and 6 templates" in ended.stdout and "0 faults" in ended.stdout


@pytest.mark.parametrize("file", sorted(starter.texts()))
def test_changes_are_the_same_for_the_same_seed_and_change_something(file: str) -> None:
    text, change = starter.texts()[file], change_for(file)
    made = [change(text, random.Random(seed)) for seed in range(40)]  # noqa: S311 - no secret
    again = [change(text, random.Random(seed)) for seed in range(40)]  # noqa: S311 - the same
    assert made == again
    assert sum(one != text for one in made) > 30
    templates = [in_templates(text, random.Random(seed)) for seed in range(40)]  # noqa: S311 - same
    assert file.endswith(".py") or sum(one != text for one in templates) > 30
