"""What a schema's descriptions say beyond the docstring: defaults, values refused, ids as data.

Docstrings are written by people and models, who leave out what the signature says, and who
write ids as they come to mind. Clients see neither the signature nor the code.
"""

from __future__ import annotations

import json
import re
from typing import Any

from toolworld.spec.model import DomainFile, Parameter

KEY_WIDTH = 5
"""How many digits a minted key has, as in the emitted store."""
PLAIN = re.compile(r"[\w.-]+")
BETWEEN = re.compile(r",\s*(?:or\s+|and\s+)?|\s+or\s+|\s+and\s+")


def with_default(text: str, parameter: Parameter) -> str:
    """Return a parameter's description, with its default added if it is not mentioned."""
    if parameter.required or parameter.default is None or re.search(r"(?i)\bdefault", text):
        return text
    default = parameter.default
    plain = isinstance(default, str) and PLAIN.fullmatch(default)
    return f"{_ended(text)} Default: {default if plain else json.dumps(default)}."


def with_refused(text: str, parameter: Parameter, domain: DomainFile) -> str:
    """Return a parameter's description with the values of its enum that the text leaves out.

    That is so if the text, or what follows its last colon, is nothing but a list of some values.
    """
    enum = domain.enums.get(parameter.type)
    if enum is None:
        return text
    listed = BETWEEN.split(text.rpartition(": ")[2].strip().rstrip("."))
    left_out = [value for value in enum.values if value not in listed]
    if not left_out or len(listed) < 2 or not set(listed) <= set(enum.values):
        return text
    return f"{_ended(text)} Not taken: {', '.join(left_out)}."


def _ended(text: str) -> str:
    line = text.rstrip()
    return line if line.endswith((".", "!", "?")) else f"{line}."


def ids_as_data(value: Any, domain: DomainFile) -> Any:
    """Return a tool's definition with the ids in its descriptions as the data has them.

    ``PET-7`` becomes ``PET-00007`` where PET is the prefix of an entity.
    """
    prefixes = [entity.prefix for entity in domain.entities.values() if entity.prefix]
    if not prefixes:
        return value
    named = re.compile(rf"\b({'|'.join(prefixes)})-(\d+)\b")
    return _described(value, named)


def _described(value: Any, named: re.Pattern[str]) -> Any:
    if isinstance(value, list):
        return [_described(item, named) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: named.sub(_minted, part)
        if key == "description" and isinstance(part, str)
        else _described(part, named)
        for key, part in value.items()
    }


def _minted(found: re.Match[str]) -> str:
    return f"{found[1]}-{int(found[2]):0{KEY_WIDTH}d}"
