"""Lines typed by a player: with history and completion where the system has readline."""

from __future__ import annotations

import importlib
import io
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeAlias

Words: TypeAlias = Callable[[str], Sequence[str]]
"""Returns the words that may follow what was typed before the word at the cursor."""

Ask: TypeAlias = Callable[[str, Words], str]
"""Reads a line, given the prompt and what completes it; raises EOFError at the end."""

DELIMITERS = " \t="


@contextmanager
def reading_lines() -> Iterator[Ask]:
    """Give a function that reads lines from standard input; restore readline afterwards.

    If the input is no terminal, each line is printed after its prompt, so that the output looks the
    same.
    """
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    readline = _readline() if sys.stdin.isatty() else None
    if readline is None:
        yield _plain if sys.stdin.isatty() else _echoed
        return
    completer, delimiters = readline.get_completer(), readline.get_completer_delims()
    readline.set_completer_delims(DELIMITERS)
    libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
    try:
        yield partial(_completed, readline)
    finally:
        readline.set_completer(completer)
        readline.set_completer_delims(delimiters)


def _readline() -> Any:
    """Return the module, or None where the system has none."""
    try:
        return importlib.import_module("readline")
    except ImportError:
        return None


def _plain(prompt: str, _: Words) -> str:
    return input(prompt)


def _echoed(prompt: str, _: Words) -> str:
    line = input(prompt)
    sys.stdout.write(line + "\n")
    return line


def _completed(readline: Any, prompt: str, words: Words) -> str:
    def complete(start: str, number: int) -> str | None:
        before = readline.get_line_buffer()[: readline.get_begidx()]
        fitting = [word for word in words(before) if word.startswith(start)]
        if number >= len(fitting):
            return None
        is_whole = len(fitting) == 1 and not fitting[0].endswith("=")
        return f"{fitting[number]} " if is_whole else fitting[number]

    readline.set_completer(complete)
    return input(prompt)
