"""Reads a model's answer: removes its fence, checks its type, says in words what does not fit."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from toolworld.llm.names import LONGEST_NAME, Names

FENCE = "```"
LANGUAGES = ("", "json")
CALLED = ("name", "tool", "thing", "argument", "table", "task", "title")
"""The fields that say what a part of an answer is about."""
MOST_MISFITS = 100

AnswerT = TypeVar("AnswerT", bound=BaseModel)


class Unfit(ValueError):
    """An answer that does not fit its type.

    Attributes:
        findings: What is wrong with it.
    """

    def __init__(self, findings: Sequence[str]) -> None:
        """Take what is wrong."""
        self.findings = findings
        super().__init__("\n".join(findings))


def read_answer(kind: type[AnswerT], text: str, names: Names) -> AnswerT:
    """Return an answer as its type.

    Args:
        kind: The type.
        text: What the model wrote.
        names: The names that may be used.

    Raises:
        Unfit: The text is no such answer.
    """
    if not is_writable(text):
        raise Unfit(["The answer holds half of a character (a lone surrogate); write it whole."])
    bare = unfenced(text)
    try:
        answer = kind.model_validate_json(bare, context=dict(names))
    except ValidationError as error:
        raise Unfit(_misfits(error, bare)) from error
    repeated = _repeated(bare)
    if repeated:
        raise Unfit([f'An object has the key "{key:.60}" twice; give it once.' for key in repeated])
    return answer


def unfenced(text: str) -> str:
    """Return an answer without the code fence that some models put around JSON."""
    first, _, rest = text.strip().partition("\n")
    is_fence = first.startswith(FENCE) and first[len(FENCE) :].strip() in LANGUAGES
    return rest[: -len(FENCE)] if is_fence and rest.endswith(FENCE) else text


def is_writable(text: str) -> bool:
    """Return whether a text can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _repeated(text: str) -> list[str]:
    """Return the keys that some object of a JSON text has twice: only one of them would count."""
    found: dict[str, None] = {}

    def look(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        whole = dict(pairs)
        if len(whole) < len(pairs):
            times = Counter(key for key, _ in pairs)
            found.update(dict.fromkeys(key for key in times if times[key] > 1))
        return whole

    _loaded(text, look)
    return [*found]


def _loaded(text: str, look: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    """Return the value of a JSON text that is valid; None if Python cannot read it."""
    try:
        return json.loads(text, object_pairs_hook=look)
    except (ValueError, RecursionError):
        return None


def _misfits(error: ValidationError, text: str) -> list[str]:
    every = error.errors(include_url=False, include_context=False, include_input=False)
    if not any(one["loc"] for one in every):
        return [f"the answer: {one['msg']}" for one in every]
    whole = _loaded(text)
    return [f"{_place(one['loc'], whole)}: {one['msg']}" for one in every[:MOST_MISFITS]]


def _place(keys: Iterable[int | str], value: Any) -> str:
    """Return the path to a part of an answer, with the names of the parts on the way."""
    said = []
    for key in keys:
        value = _part(value, key)
        name = _name(value) if isinstance(key, int) else ""
        said.append(f"{key} ({name})" if name else f"{key!s:.{LONGEST_NAME}}")
    return ".".join(said)


def _part(value: Any, key: int | str) -> Any:
    try:
        return value[key]
    except (LookupError, TypeError):
        return None


def _name(value: Any) -> str:
    names = (value.get(key) for key in CALLED) if isinstance(value, dict) else ()
    return next((name[:LONGEST_NAME] for name in names if isinstance(name, str) and name), "")
