"""A page of the documentation, read as blocks: the commands, code, files and outputs on it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

_BLOCK = re.compile(
    r"^(?:<!-- (?P<mark>[^\n]*?) -->\n)?"
    r'^```(?P<language>\w+)(?: title="(?P<file>[^"\n]+)")?[^\n]*\n'
    r"(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_CONTINUED = re.compile(r"^<!-- goes on from: (\S+) -->$", re.MULTILINE)
NOT_RUN, BACKGROUND, FAILS = "not run: ", "in the background", "fails"
RUN_LANGUAGES = ("sh", "python")
OUTPUT_LANGUAGE = "text"


class PageError(Exception):
    """A block of a page cannot be run as it is written."""


@dataclass(frozen=True)
class Block:
    """A fenced block of a page.

    Attributes:
        language: The word after the fence.
        file: The file that the text belongs to, from the block's title; empty for none.
        text: The text between the fences.
        mark: The comment in the line before it: ``not run: REASON``, ``in the background`` or
            ``fails``; empty for none.
        start: Where its text begins on the page.
        place: The page and line, for messages.
    """

    language: str
    file: str
    text: str
    mark: str
    start: int
    place: str

    @property
    def is_run(self) -> bool:
        """Whether its text is commands or code to run."""
        is_code = self.language in RUN_LANGUAGES and not self.file
        return is_code and not self.mark.startswith(NOT_RUN)

    @property
    def is_output(self) -> bool:
        """Whether it shows what the block before it prints."""
        return self.language == OUTPUT_LANGUAGE


@dataclass(frozen=True)
class Page:
    """A Markdown page.

    Attributes:
        path: Its file.
        text: Its content.
    """

    path: Path
    text: str

    @classmethod
    def read(cls, path: Path) -> Page:
        """Read a page."""
        return cls(path, path.read_text(encoding="utf-8"))

    @property
    def before(self) -> Page | None:
        """The page that it goes on from, whose blocks are to run first."""
        named = _CONTINUED.search(self.text)
        return Page.read(self.path.parent / named[1]) if named else None

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Its fenced blocks, from top to bottom."""
        return tuple(self._block(found) for found in _BLOCK.finditer(self.text))

    def output_of(self, block: Block) -> Block | None:
        """Return the block that shows what a block prints: the next one, if it is an output."""
        following = self.blocks[self.blocks.index(block) + 1 :][:1]
        return following[0] if following and following[0].is_output else None

    def _block(self, found: re.Match[str]) -> Block:
        line = self.text.count("\n", 0, found.start("language")) + 1
        return Block(
            language=found["language"],
            file=found["file"] or "",
            text=found["text"],
            mark=found["mark"] or "",
            start=found.start("text"),
            place=f"{self.path.name}:{line}",
        )


def matches(shown: str, printed: str) -> bool:
    """Return whether an output is the one a page shows.

    In the shown text, ``...`` stands for anything in its line, and alone on a line for any lines.
    """
    pattern = "\n".join(_pattern(line) for line in trimmed(shown).split("\n"))
    return re.fullmatch(pattern, trimmed(printed)) is not None


def _pattern(line: str) -> str:
    if line == "...":
        return "(?s:.*?)"
    return ".*?".join(re.escape(part) for part in line.split("..."))


def trimmed(text: str) -> str:
    """Return a text without space at the ends of its lines, and without empty lines around it."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")
