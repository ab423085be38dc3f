"""Ctrl-C and SIGTERM end a command in order, wherever they come."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

RUN = """
import sys, time
from pathlib import Path
from toolworld.system.ending import run_until_told
def clear():
    print("cleared up", flush=True)
def command():
{body}
run_until_told(command, clear)
"""
WAIT = "print('awake', flush=True); time.sleep(600)"
IN_ORDER = f"    try:\n        {WAIT}\n    finally:\n        print('left', flush=True)"
WHERE_PYTHON_DROPS_IT = f"""
    class Finalized:
        def __del__(self):
            {WAIT}
    made = Finalized()
    del made
    time.sleep(600)"""
TWICE = f"    try:\n        {WAIT}\n    finally:\n        {WAIT}"
ENDS = [(signal.SIGINT, "Interrupted.\n"), (signal.SIGTERM, "Terminated.\n")]


@contextmanager
def awake(body: str) -> Iterator[subprocess.Popen[str]]:
    """Run a command until it has told that it waits."""
    command = [sys.executable, "-c", RUN.format(body=body)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "awake\n"
        yield process


@pytest.mark.parametrize(("number", "line"), ENDS)
def test_a_command_clears_up_and_ends_in_one_line(number: signal.Signals, line: str) -> None:
    with awake(IN_ORDER) as process:
        process.send_signal(number)
        assert process.communicate() == ("left\ncleared up\n", line)
    assert process.returncode == 128 + number


def test_a_signal_in_a_finalizer_is_not_lost() -> None:
    with awake(WHERE_PYTHON_DROPS_IT) as process:
        process.send_signal(signal.SIGTERM)
        assert process.communicate() == ("cleared up\n", "Terminated.\n")
    assert process.returncode == 143


def test_a_second_signal_ends_it_at_once() -> None:
    with awake(TWICE) as process:
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        assert process.stdout.readline() == "awake\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate() == ("", "")
    assert process.returncode == -signal.SIGINT


def test_a_signal_that_a_shell_ignores_is_ignored() -> None:
    body = "    print('awake', flush=True); time.sleep(0.3); print('done')"
    ignoring = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with awake(body) as process:
            process.send_signal(signal.SIGINT)
            assert process.communicate() == ("done\n", "")
    finally:
        signal.signal(signal.SIGINT, ignoring)
    assert process.returncode == 0


@pytest.mark.parametrize(("number", "line"), ENDS)
def test_a_command_heeds_it_while_it_is_still_imported(number: signal.Signals, line: str) -> None:
    code = (
        "import sys, time, toolworld.__main__ as program\n"
        "class Slow:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'toolworld.cli':\n"
        "            print('importing', flush=True)\n"
        "            time.sleep(600)\n"
        "sys.meta_path.insert(0, Slow())\n"
        "program.main()"
    )
    command = [sys.executable, "-c", code]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "importing\n"
        began = time.monotonic()
        process.send_signal(number)
        assert process.communicate() == ("", line)
        assert time.monotonic() - began < 5
    assert process.returncode == 128 + number
