"""Docstrings and literals of emitted code: text from a spec, escaped, split and wrapped."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

WIDTH = 100
INDENT = "    "
MOST_LITERAL = 76
MOST_HEADING = 28
BIDI_CONTROLS = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""They would let code read otherwise than it runs."""


def columns(text: str) -> int:
    """Return how wide a text is shown; East Asian characters take two columns."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def plain(text: str) -> str:
    """Return text on one line that cannot end the docstring it is put into."""
    return " ".join(BIDI_CONTROLS.sub("", text).split()).replace('"""', "'''")


def heading(title: str) -> str:
    """Return a title that fits into a line of a docstring, cut if it is long."""
    line = plain(title).replace("\\", "/")
    kept = ""
    for char in line:
        if columns(kept + char) > MOST_HEADING:
            return f"{kept.rstrip()}…"
        kept += char
    return line


def line_docstring(text: str) -> str:
    """Return a docstring of one sentence on one line, its quotes included."""
    line = plain(text)
    raw = "r" if "\\" in line else ""
    return f'{raw}"""{line}"""'


def docstring(text: str, attributes: Mapping[str, str] | None = None, summary: str = "") -> str:
    """Return a whole docstring at one level of indentation, its quotes included.

    Args:
        text: What to say; its first sentence becomes the summary line.
        attributes: What to say of each attribute, for a section of its own.
        summary: The summary line to use when the first sentence is too long for one.
    """
    first, rest = _split(plain(text))
    if columns(first) > WIDTH - len(INDENT) - 7:
        first, rest = plain(summary), plain(text)
    if first.split(" ")[0].islower():
        first = first[0].upper() + first[1:]
    lines = [first, *(["", *_wrap(rest, "")] if rest else [])]
    if attributes:
        lines += ["", "Attributes:"]
        for name, says in attributes.items():
            lines += _wrap(f"{name}: {plain(says)}", INDENT)
    body = f"\n{INDENT}".join(lines) if len(lines) > 1 else first
    body = re.sub(r"[ ]+\n", "\n", body)
    # A quote at the very end would run into the closing ones.
    end = f"\n{INDENT}" if len(lines) > 1 else " " if first.endswith('"') else ""
    raw = "r" if "\\" in body else ""
    return f'{raw}"""{body}{end}"""'


def literal(text: str) -> str:
    """Return a text as a Python literal, over several lines if it is long."""
    parts = list(_pieces(text))
    if len(parts) <= 1:
        return repr(text)
    return "(" + "\n".join(repr(part) for part in parts) + ")"


def _pieces(text: str) -> Iterator[str]:
    """Yield a text in pieces that make short literals, cut after spaces where possible."""
    piece = ""
    for word in re.findall(r"\S+\s*|\s+", text):
        parts = [word] if columns(repr(word)) <= MOST_LITERAL else re.findall(r"(?s).{1,8}", word)
        for part in parts:
            if piece and columns(repr(piece + part)) > MOST_LITERAL:
                yield piece
                piece = ""
            piece += part
    if piece:
        yield piece


def _split(line: str) -> tuple[str, str]:
    first, stop, rest = line.partition(". ")
    if not stop:
        return (line if line.endswith((".", "!", "?")) else f"{line}."), ""
    return f"{first}.", rest


def _wrap(text: str, indent: str) -> list[str]:
    """Return text in lines, those after the first indented further if it is indented."""
    lines, line, words = [], indent, 0
    for word in text.split(" "):
        if words and columns(line) + 1 + columns(word) > WIDTH - len(INDENT):
            lines.append(line)
            line, words = indent + INDENT if indent else "", 0
        line += f" {word}" if words else word
        words += 1
    return [*lines, line]
