"""Installs the engine in an environment of its own, starts it, and asks a first question."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from jsonschema import Draft202012Validator, FormatChecker

ENGINE = "xllamacpp==2026.10.11549"
SERVE = Path(__file__).with_name("serve.py")
STOP_SECONDS = 20
PROBE_SECONDS = 600.0
PROBE = {
    "type": "object",
    "properties": {
        "colour": {"enum": ["mauve", "ochre"]},
        "code": {"type": "string", "pattern": "^[A-Z]{3}-[0-9]{4}$"},
        "day": {"type": "string", "format": "date"},
        "words": {"type": "array", "items": {"type": "string", "maxLength": 12}, "maxItems": 20},
    },
    "required": ["colour", "code", "day", "words"],
    "additionalProperties": False,
}
"""One constraint of each kind in the drafts' schemas, none of which a model would guess."""

CHECK = Draft202012Validator(PROBE, format_checker=FormatChecker())


class EngineError(Exception):
    """The engine does not work."""


@dataclass(frozen=True)
class Probe:
    """What a first answer showed.

    Attributes:
        read: Tokens read a second.
        wrote: Tokens written a second.
        answer: The answer.
    """

    read: float
    wrote: float
    answer: str

    @property
    def fits(self) -> bool:
        """Whether the engine held the model to the schema."""
        try:
            return CHECK.is_valid(json.loads(self.answer))
        except ValueError:
            return False


def installed(folder: Path) -> Path:
    """Return the interpreter of an environment with the engine, which is made if missing.

    Raises:
        EngineError: It cannot be installed.
    """
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not python.is_file():
        venv.create(folder, with_pip=True)
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    ended = subprocess.run([*command, ENGINE], capture_output=True, text=True, check=False)
    if ended.returncode:
        raise EngineError(f"{ENGINE} cannot be installed:\n{ended.stderr.strip()}")
    return python


@contextmanager
def serving(python: Path, weights: Path, context: int, longest: int, log: Path) -> Iterator[str]:
    """Serve weights on this machine, and yield the endpoint's URL.

    Raises:
        EngineError: The server ended instead of serving.
    """
    command = [str(python), str(SERVE), str(weights), str(context), str(longest)]
    with log.open("w", encoding="utf-8") as said:
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=said, text=True)
    try:
        assert process.stdout is not None  # noqa: S101  # It is a pipe.
        address = process.stdout.readline().strip()
        if not address:
            raise EngineError(f"The engine ended instead of serving; see {log}.")
        yield f"{address}/v1"
    finally:
        process.communicate(timeout=STOP_SECONDS)


def probed(url: str) -> Probe:
    """Ask for an answer by a schema, and measure it.

    Raises:
        EngineError: No answer comes.
    """
    schema = {"type": "json_schema", "json_schema": {"name": "probe", "schema": PROBE}}
    body = {
        "messages": [{"role": "user", "content": "Name a colour, a code, a day and words. " * 8}],
        "response_format": schema,
    }
    try:
        response = httpx2.post(f"{url}/chat/completions", json=body, timeout=PROBE_SECONDS)
        answer: dict[str, Any] = response.raise_for_status().json()
    except (httpx2.HTTPError, json.JSONDecodeError) as error:
        raise EngineError(f"{url} does not answer: {error!r}") from error
    speed = answer["timings"]
    text = answer["choices"][0]["message"]["content"]
    return Probe(speed["prompt_per_second"], speed["predicted_per_second"], text)
