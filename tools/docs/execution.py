"""The blocks of a page run one after the other in a folder, as a reader would run them.

``toolworld`` commands run in this process, which is quick; everything else of a ``sh`` block runs
in a shell. Python blocks of a page share their names. A package that the page installs with
``pip install`` is put on the path instead. A server in the background gets any free port.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from typer.testing import CliRunner

from tools.docs.page import Block, Page
from toolworld.cli import app

BACKGROUND, FAILS = "in the background", "fails"
SHELL_WORDS = {"|", ">", ">>", "<", "&&", ";"}
_PORT = re.compile(r"--port \d+")
_SERVING = re.compile(r"^Serving .*?(http://[\d.]+:\d+)", re.MULTILINE)
COLUMNS = "80"
COMMANDS = ".commands"
"""The folder for the commands of packages that a page installs."""


class PageError(Exception):
    """A block of a page cannot be run as it stands there."""


@dataclass(frozen=True)
class Printed:
    """What a block printed."""

    block: Block
    text: str


@dataclass
class Execution:
    """The run of one page, or of pages that go on from each other.

    Attributes:
        folder: Where commands run.
        done: What commands printed that were run before; these are not run again.
    """

    folder: Path
    done: dict[str, str] = field(default_factory=dict)
    _names: dict[str, object] = field(default_factory=lambda: {"__name__": "__main__"})
    _address: tuple[str, str] = ("", "")

    def run(self, page: Page) -> list[Printed]:
        """Run the blocks of a page, after those of the page that it goes on from.

        Raises:
            PageError: A command fails, or an edit does not fit.
        """
        with contextlib.ExitStack() as stack:
            stack.enter_context(contextlib.chdir(self.folder))
            stack.enter_context(_restored())
            return self._run(page, stack)

    def _run(self, page: Page, stack: contextlib.ExitStack) -> list[Printed]:
        printed = self._run(page.before, stack) if page.before else []
        for block in page.blocks:
            if block.file:
                edit(block)
            elif block.mark == BACKGROUND:
                self._start(block, stack)
            elif block.is_run:
                printed.append(Printed(block, self._print_of(block)))
        return printed

    def _print_of(self, block: Block) -> str:
        text = block.text.replace(*self._address) if self._address[0] else block.text
        try:
            printed = self._python(text) if block.language == "python" else self._shell(block, text)
        except PageError:
            raise
        except Exception as error:
            raise PageError(f"{block.place}: {type(error).__name__}: {error}") from error
        return printed.replace(*reversed(self._address)) if self._address[0] else printed

    def _python(self, code: str) -> str:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile(code, "<page>", "exec"), self._names)  # noqa: S102 - our own pages
        return out.getvalue()

    def _shell(self, block: Block, text: str) -> str:
        lines = text.replace("\\\n", " ").splitlines()
        return "".join(self._line(block, line) for line in lines if shlex.split(line, True))

    def _line(self, block: Block, line: str) -> str:
        words = shlex.split(line, comments=True)
        if shlex.join(words) in self.done:
            return self.done[shlex.join(words)]
        if words[0] == "export":
            os.environ.update(word.split("=", 1) for word in words[1:])
            return ""
        if words[:2] == ["pip", "install"]:
            self._install(Path(words[2]))
            return ""
        is_ours = words[0] == "toolworld" and not SHELL_WORDS & set(words)
        code, printed, said = _command(words[1:]) if is_ours else self._other(line)
        if (code != 0) != (block.mark == FAILS):
            raise PageError(f"{block.place}: {line}\nends with {code}\n{printed}{said}")
        return printed

    def _install(self, package: Path) -> None:
        """Put a package on the path, and its command among the commands."""
        source = (package / "src").absolute()
        sys.path.insert(0, str(source))
        os.environ["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        module = next(source.glob("toolworld_*")).name
        command = Path(COMMANDS, module.replace("_", "-")).absolute()
        command.parent.mkdir(exist_ok=True)
        run = f'PYTHONPATH="{source}" exec "{sys.executable}" -m {module} "$@"'
        command.write_text(f"#!/bin/sh\n{run}\n", encoding="utf-8")
        command.chmod(0o755)

    def _other(self, line: str) -> tuple[int, str, str]:
        ended = subprocess.run(["/bin/bash", "-c", line], capture_output=True, text=True, check=False)
        return ended.returncode, ended.stdout, ended.stderr

    def _start(self, block: Block, stack: contextlib.ExitStack) -> None:
        """Start a server on any port, and wait until it says that it serves."""
        line = _PORT.sub("--port 0", block.text.partition("#")[0].strip())
        words = shlex.split(line)
        command = [sys.executable, "-m", *words] if words[0] == "toolworld" else words
        pipe = subprocess.PIPE
        server = stack.enter_context(subprocess.Popen(command, stderr=pipe, text=True))
        stack.callback(server.terminate)
        said = ""
        for heard in server.stderr or ():
            said += heard
            if serving := _SERVING.search(said):
                port = re.search(r"--port (\d+)", block.text)
                self._address = (f"http://127.0.0.1:{port[1] if port else 8000}", serving[1])
                return
        raise PageError(f"{block.place}: the server ended\n{said}")


def edit(block: Block) -> None:
    """Do what a block with a title says: change the file by a diff, or add the text to its end.

    Raises:
        PageError: The diff does not fit the file.
    """
    path = Path(block.file)
    if block.language != "diff":
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(block.text)
        return
    lines = block.text.splitlines(keepends=True)
    old = "".join(line[1:] for line in lines if line[0] in " -")
    new = "".join(line[1:] for line in lines if line[0] in " +")
    content = path.read_text(encoding="utf-8")
    if content.count(old) != 1:
        raise PageError(f"{block.place}: {path} holds this {content.count(old)} times:\n{old}")
    path.write_text(content.replace(old, new), encoding="utf-8")


def _command(arguments: list[str]) -> tuple[int, str, str]:
    ended = CliRunner().invoke(app, arguments)
    return ended.exit_code, ended.stdout, ended.stderr


@contextlib.contextmanager
def _restored() -> Iterator[None]:
    """Put the path, the environment and the modules of packages back at the end."""
    path, environment = list(sys.path), dict(os.environ)
    modules = set(sys.modules)
    os.environ["COLUMNS"] = COLUMNS
    commands = [str(Path(COMMANDS).absolute()), str(Path(sys.executable).parent)]
    os.environ["PATH"] = os.pathsep.join([*commands, os.environ["PATH"]])
    try:
        yield
    finally:
        sys.path[:] = path
        os.environ.clear()
        os.environ.update(environment)
        for name in set(sys.modules) - modules:
            if name.startswith("toolworld_"):
                del sys.modules[name]
