"""Prompts as files in a folder: ``NNN.prompt.json`` is written, ``NNN.answer.json`` awaited."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio

from toolworld.artifacts import write_whole
from toolworld.errors import ModelError
from toolworld.jsonvalues import parsed
from toolworld.llm.backend import ModelReply
from toolworld.llm.prompts import Prompt
from toolworld.llm.reading import unfenced

SECONDS_BETWEEN_LOOKS = 0.2
ENDINGS = ("}", "]", "```")
"""How an answer ends once all of it is written."""
ENDINGS_AS_BYTES = tuple(ending.encode() for ending in ENDINGS)


class Files:
    """Writes prompts into a folder and waits for their answers there; several may be open.

    ``NNN.prompt.json`` holds ``prompt`` (its id), ``instructions``, ``text`` and ``schema``.
    ``NNN.answer.json`` holds the answer itself, or ``{"prompt": id, "answer": ...}``, which is
    refused if the id is another prompt's. The findings about it go to ``NNN.findings.json``, an
    empty list if it was accepted.
    """

    name = "files"

    def __init__(self, folder: Path) -> None:
        """Take a folder, and make it if it is not there.

        Raises:
            ModelError: It cannot be made.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ModelError(f"{folder} cannot be used for prompts: {error.strerror}.") from error
        self._folder = folder
        self._numbers = _unjudged(folder)
        taken = [int(path.name[:3]) for path in folder.glob("[0-9][0-9][0-9].*.json")]
        self._next = max(taken, default=0) + 1

    async def answer(self, prompt: Prompt) -> ModelReply:
        """Write a prompt, or reuse one that an earlier run left open, and wait for its answer."""
        if prompt.id not in self._numbers:
            self._numbers[prompt.id] = f"{self._next:03}"
            self._next += 1
        number = self._numbers[prompt.id]
        _write(self._folder / f"{number}.prompt.json", prompt.as_json())
        path = self._folder / f"{number}.answer.json"
        while True:
            if _is_odd(path):
                wrong = "The file is no UTF-8; write it as UTF-8. The prompt is still open."
                self._put_aside(path, number, wrong)
            text = _read(path)
            if text is not None and not self._is_anothers(prompt, text, number):
                return ModelReply.to(prompt, _bare(text))
            await anyio.sleep(SECONDS_BETWEEN_LOOKS)

    def _put_aside(self, path: Path, number: str, wrong: str) -> None:
        path.replace(self._folder / f"{number}.refused.json")
        _write(self._folder / f"{number}.findings.json", [wrong])

    def _is_anothers(self, prompt: Prompt, text: str, number: str) -> bool:
        """Return whether an answer is to another prompt; if so, put it aside with a finding."""
        wrapped = _wrapped(text)
        if wrapped is None or wrapped["prompt"] == prompt.id:
            return False
        path = self._folder / f"{number}.answer.json"
        wrong = f"This answers {wrapped['prompt']!s:.60}; the prompt here is {prompt.id}."
        self._put_aside(path, number, wrong)
        return True

    def judged(self, prompt: Prompt, findings: Sequence[str]) -> None:
        """Write the findings about an answer."""
        number = self._numbers.get(prompt.id)
        if number is not None:
            _write(self._folder / f"{number}.findings.json", list(findings))


def _unjudged(folder: Path) -> dict[str, str]:
    """Return the numbers of prompts whose answers were not judged, by the prompts' ids."""
    numbers = {}
    for path in sorted(folder.glob("[0-9][0-9][0-9].prompt.json")):
        number = path.name[:3]
        said = _read(path)
        if said is not None and not (folder / f"{number}.findings.json").exists():
            numbers[str(json.loads(said)["prompt"])] = number
    return numbers


def _write(path: Path, value: Any) -> None:
    write_whole(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def _is_odd(path: Path) -> bool:
    """Return whether a file is completely written, but is not UTF-8."""
    try:
        content = path.read_bytes().rstrip()
        content.decode("utf-8")
    except UnicodeDecodeError:
        return content.endswith(ENDINGS_AS_BYTES)
    except OSError:
        return False
    return False


def _read(path: Path) -> str | None:
    """Return an answer's text once the file is completely written, else None."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    return text if text.rstrip().endswith(ENDINGS) else None


def _wrapped(text: str) -> dict[str, Any] | None:
    """Return the object of an answer that names its prompt; None for a bare answer."""
    try:
        value = parsed(unfenced(text))
    except ValueError:
        return None
    return value if isinstance(value, dict) and {*value} == {"prompt", "answer"} else None


def _bare(text: str) -> str:
    """Return an answer without the name of its prompt."""
    wrapped = _wrapped(text)
    if wrapped is None:
        return text
    answer = wrapped["answer"]
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
