"""The commands of a page, and its server in the background.

``toolworld`` commands run in this process, which is quick; everything else runs in a shell. A
package that a page installs with ``pip install`` is put on the path, and its command beside it.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from typer.testing import CliRunner

from tools.docs.page import Block, PageError
from toolworld.cli import app

ADDRESS = "http://127.0.0.1:8000"
"""The address of the server on pages. The server gets any free port; its output shows this one."""
COMMANDS = ".commands"
"""The folder for the commands of packages that a page installs."""
_PORT = "--port 8000"
_OPERATORS = {"|", ">", ">>", "<", "&&", ";"}
_SERVING = re.compile(r"^Serving .*?(http://[\d.]+:\d+)", re.MULTILINE)


@dataclass(frozen=True)
class CommandEnd:
    """A command that has ended."""

    code: int
    printed: str
    said: str


@dataclass(frozen=True)
class Shell:
    """Runs the lines of a block.

    Attributes:
        place: The page and line, for messages.
        fails: Whether each command is to end with an error.
        done: The output of commands that were run before; these are not run again.
    """

    place: str
    fails: bool
    done: Mapping[str, str]

    def run(self, text: str) -> str:
        """Run the lines; return what they print.

        Raises:
            PageError: A command ends otherwise than it should.
        """
        lines = text.replace("\\\n", " ").splitlines()
        return "".join(self._line(line) for line in lines if shlex.split(line, comments=True))

    def _line(self, line: str) -> str:
        words = shlex.split(line, comments=True)
        if (told := self.done.get(shlex.join(words))) is not None:
            return told
        if words[0] == "export":
            for word in words[1:]:
                name, _, value = word.partition("=")
                os.environ[name] = value
            return ""
        if words[:2] == ["pip", "install"]:
            install(Path(words[2]))
            return ""
        is_ours = words[0] == "toolworld" and not _OPERATORS & set(words)
        ended = _run_here(words[1:]) if is_ours else _run_in_shell(line)
        if (ended.code != 0) != self.fails:
            told = f"{line}\nends with {ended.code}\n{ended.printed}{ended.said}"
            raise PageError(f"{self.place}: {told}")
        return ended.printed


def install(package: Path) -> None:
    """Put a package on the path, and its command into the folder of commands."""
    source = (package / "src").absolute()
    sys.path.insert(0, str(source))
    os.environ["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    module = next(source.glob("toolworld_*")).name
    command = Path(COMMANDS, module.replace("_", "-")).absolute()
    command.parent.mkdir(exist_ok=True)
    run = f'PYTHONPATH="{source}" exec "{sys.executable}" -m {module} "$@"'
    command.write_text(f"#!/bin/sh\n{run}\n", encoding="utf-8")
    command.chmod(0o755)


def _run_here(arguments: list[str]) -> CommandEnd:
    ended = CliRunner().invoke(app, arguments)
    crash = ended.exception if not isinstance(ended.exception, SystemExit) else None
    return CommandEnd(
        ended.exit_code, ended.stdout, f"{ended.stderr}{crash!r}" if crash else ended.stderr
    )


def _run_in_shell(line: str) -> CommandEnd:
    shell = ["/bin/bash", "-c", line]
    ended = subprocess.run(shell, capture_output=True, text=True, check=False)
    return CommandEnd(ended.returncode, ended.stdout, ended.stderr)


class ServerInBackground(AbstractContextManager["ServerInBackground"]):
    """A host that a page starts, which ends with the page."""

    def __init__(self) -> None:
        """Start without a server."""
        self._process: subprocess.Popen[str] | None = None
        self._address = ADDRESS

    def start(self, block: Block) -> None:
        """Start the server of a block on any port, and wait until it says that it serves.

        Raises:
            PageError: It ends before that.
        """
        words = shlex.split(block.text.replace(_PORT, "--port 0"), comments=True)
        command = [sys.executable, "-m", *words]
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        said = ""
        for line in self._process.stderr or ():
            said += line
            if serving := _SERVING.search(said):
                self._address = serving[1]
                return
        raise PageError(f"{block.place}: the server ended\n{said}")

    def with_address(self, text: str) -> str:
        """Return a text with the pages' address replaced by the server's own."""
        return text.replace(ADDRESS, self._address)

    def without_address(self, text: str) -> str:
        """Return a text with the server's own address replaced by the pages'."""
        return text.replace(self._address, ADDRESS)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End the server."""
        if self._process is not None:
            with self._process:
                self._process.terminate()
