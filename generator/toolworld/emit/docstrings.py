"""Docstrings and literals of emitted code: text from a spec, escaped, split and wrapped."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping

WIDTH = 100
INDENT = "    "


def plain(text: str) -> str:
    """Return text on one line that cannot end or escape the docstring it is put into."""
    return " ".join(text.split()).replace("\\", "\\\\").replace('"""', "'''")


def docstring(text: str, attributes: Mapping[str, str] | None = None, summary: str = "") -> str:
    """Return a whole docstring at one level of indentation, its quotes included.

    Args:
        text: What to say; its first sentence becomes the summary line.
        attributes: What to say of each attribute, for a section of its own.
        summary: The summary line to use when the first sentence is too long for one.
    """
    first, rest = _split(plain(text))
    if len(first) > WIDTH - len(INDENT) - 6:
        first, rest = plain(summary), plain(text)
    lines = [first, *(["", *_wrap(rest, "")] if rest else [])]
    if attributes:
        lines += ["", "Attributes:"]
        for name, says in attributes.items():
            lines += _wrap(f"{name}: {plain(says)}", INDENT)
    body = f"\n{INDENT}".join(lines) if len(lines) > 1 else first
    body = re.sub(r"[ ]+\n", "\n", body)
    # A quote at the very end would run into the closing ones.
    end = f"\n{INDENT}" if len(lines) > 1 else " " if first.endswith('"') else ""
    return f'"""{body}{end}"""'


def literal(text: str) -> str:
    """Return a text as a Python literal, over several lines if it is long."""
    parts = textwrap.wrap(text, WIDTH - 24, drop_whitespace=False, break_on_hyphens=False)
    if len(parts) <= 1 or "".join(parts) != text:
        return repr(text)
    return "(" + "\n".join(repr(part) for part in parts) + ")"


def _split(line: str) -> tuple[str, str]:
    first, stop, rest = line.partition(". ")
    if not stop:
        return (line if line.endswith((".", "!", "?")) else f"{line}."), ""
    return f"{first}.", rest


def _wrap(text: str, indent: str) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH - len(INDENT),
        initial_indent=indent,
        subsequent_indent=indent + INDENT if indent else "",
        break_long_words=False,
        break_on_hyphens=False,
    )
