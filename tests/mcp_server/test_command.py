"""The command itself: how it starts and ends, and that its output is the protocol's alone."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HELLO = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}  # fmt: skip


@contextmanager
def greeted(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Run the command until it has said hello, to a client that first says something odd."""
    command = [sys.executable, "-m", "toolworld", "mcp", "--folder", str(folder)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"no JSON\n{json.dumps(HELLO)}\n")
        process.stdin.flush()
        hello = json.loads(process.stdout.readline())
        assert hello["result"]["serverInfo"]["name"] == "toolworld"
        assert "start_draft" in hello["result"]["instructions"]
        yield process


def test_it_ends_with_its_client(tmp_path: Path) -> None:
    with greeted(tmp_path) as process:
        said, _ = process.communicate(timeout=30)
    assert (process.returncode, said) == (0, "")


def test_ctrl_c_ends_it(tmp_path: Path) -> None:
    with greeted(tmp_path) as process:
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130


def test_a_folder_that_is_not_there_is_told_at_the_start(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "toolworld", "mcp", "--folder", str(tmp_path / "missing")]
    ended = subprocess.run(command, capture_output=True, text=True, input="", check=False)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "is no folder; make it first, or name another one" in ended.stderr
