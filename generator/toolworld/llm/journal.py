"""Every prompt and answer of a run, written line by line.

A resumed run takes its answers from here before it asks anyone, and so gets back to where it was.
A recording is the journal of a run that has ended.
"""

from __future__ import annotations

import gzip
import json
import os
from itertools import count
from pathlib import Path
from typing import Any

from toolworld.errors import ModelError
from toolworld.llm.backend import ModelReply
from toolworld.llm.prompts import Prompt
from toolworld.llm.reading import is_writable

FILE = "journal.jsonl"


class Journal:
    """The prompts and answers of one run.

    Attributes:
        path: The file they are kept in.
    """

    def __init__(self, path: Path) -> None:
        """Read what the file already holds; drop a last line that was cut off.

        Raises:
            ModelError: The file is no journal.
        """
        self.path = path
        self._lines: dict[str, dict[str, Any]] = {}
        if path.is_file():
            _end_lines(path)
            self._lines = {line["prompt"]: line for line in _lines(path)}

    def reply(self, prompt: Prompt) -> ModelReply | None:
        """Return the kept answer to a prompt, if it was asked with the same schema."""
        line = self._lines.get(prompt.id)
        return _reply(line) if line and line["schema"] == prompt.schema else None

    def rounds(self, question: str) -> int:
        """Return how many answers to a question are kept, from the first on without a gap."""
        return next(number for number in count() if f"{question}.{number + 1}" not in self._lines)

    def __len__(self) -> int:
        """Return the number of answers."""
        return len(self._lines)

    def keep(self, prompt: Prompt, reply: ModelReply) -> None:
        """Keep an answer; it is on disk when this returns."""
        line = {**prompt.as_json(), "answer": reply.text, "usage": reply.usage}
        self._lines[prompt.id] = line
        text = json.dumps(line, ensure_ascii=False)
        if not is_writable(text):
            text = json.dumps(line)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())


def _end_lines(path: Path) -> None:
    """Remove a last line that was cut off, so that the next one starts on its own."""
    content = path.read_bytes()
    if not content.endswith(b"\n"):
        with path.open("r+b") as file:
            file.truncate(content.rfind(b"\n") + 1)


def replies_of(path: Path) -> dict[str, ModelReply]:
    """Return the answers of a journal, which may be compressed as ``.gz``, by prompt.

    Where a prompt was answered twice, the later answer counts.

    Raises:
        ModelError: It cannot be read, or is no journal.
    """
    return {line["prompt"]: _reply(line) for line in _lines(path)}


def _lines(path: Path) -> list[dict[str, Any]]:
    try:
        content = path.read_bytes()
        text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise ModelError(f"{path} cannot be read as a recording: {error}") from error
    return [_line(line, n, path) for n, line in enumerate(text.split("\n"), 1) if line]


def _line(text: str, number: int, path: Path) -> dict[str, Any]:
    try:
        line = json.loads(text)
        reply = _reply(line)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ModelError(f"{path}:{number} is no line of a recording ({error}).") from error
    if not isinstance(line["prompt"], str) or not isinstance(line["schema"], dict):
        raise ModelError(f"{path}:{number} has no prompt and schema.")
    if not isinstance(reply.text, str):
        raise ModelError(f"{path}:{number} has no answer.")
    return dict(line)


def _reply(line: dict[str, Any]) -> ModelReply:
    usage = line["usage"]
    return ModelReply(
        line["answer"], usage["read"], usage["wrote"], usage.get("cost"), bool(usage["estimated"])
    )
