"""Runs the blocks of a page one after the other in a folder, as a reader would run them.

The Python blocks of a page share their names. A page that goes on from another one runs after it.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tools.docs.page import BACKGROUND, FAILS, Block, Page, PageError
from tools.docs.shell import COMMANDS, ServerInBackground, Shell

COLUMNS = "80"


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
        done: The output of commands that were run before; these are not run again.
    """

    folder: Path
    done: dict[str, str] = field(default_factory=dict)
    _names: dict[str, object] = field(default_factory=lambda: {"__name__": "__main__"})
    _server: ServerInBackground = field(default_factory=ServerInBackground)

    def run(self, page: Page) -> list[Printed]:
        """Run the blocks of a page, after those of the page that it goes on from.

        Raises:
            PageError: A command fails, or an edit does not fit.
        """
        with contextlib.chdir(self.folder), _restored(), self._server:
            return self._run(page)

    def _run(self, page: Page) -> list[Printed]:
        printed = self._run(page.before) if page.before else []
        for block in page.blocks:
            if block.file:
                edit(block)
            elif block.mark == BACKGROUND:
                self._server.start(block)
            elif block.is_run:
                printed.append(Printed(block, self._print_of(block)))
        return printed

    def _print_of(self, block: Block) -> str:
        text = self._server.with_address(block.text)
        printed = self._python(block, text) if block.language == "python" else self._sh(block, text)
        return self._server.without_address(printed)

    def _sh(self, block: Block, text: str) -> str:
        return Shell(block.place, block.mark == FAILS, self.done).run(text)

    def _python(self, block: Block, code: str) -> str:
        try:
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(compile(code, block.place, "exec"), self._names)  # noqa: S102 - our own pages
        except Exception as error:
            raise PageError(f"{block.place}: {type(error).__name__}: {error}") from error
        return out.getvalue()


def edit(block: Block) -> None:
    """Apply a block with a title: change the file by a diff, or add the text to its end.

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


@contextlib.contextmanager
def _restored() -> Iterator[None]:
    """Restore the path, the environment and the modules of packages at the end."""
    path, environment, modules = list(sys.path), dict(os.environ), set(sys.modules)
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
        _forget_relative_paths()


def _forget_relative_paths() -> None:
    """Clear Python's cache of modules at relative paths: the next page has another folder."""
    for place in list(sys.path_importer_cache):
        if not Path(place).is_absolute():
            del sys.path_importer_cache[place]
