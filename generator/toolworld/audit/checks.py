"""Whether a value is what a finding says it should be."""

from __future__ import annotations

import json
from typing import Any

from toolworld.audit.answers import Check
from toolworld.jsonvalues import parsed
from toolworld.spec.findings import suggest

LONGEST_SHOWN = 300

Json = Any


class CannotTell(Exception):  # noqa: N818 - an answer, not a fault
    """A finding gives something to be run that shows nothing.

    Attributes:
        said: Words of the package, which prompts must not mix with their own.
    """

    def __init__(self, why: str, said: str = "") -> None:
        """Take why, and what the package said about it."""
        self.said = said
        super().__init__(why)


def contradiction(check: Check, value: Json, where: str) -> str:
    """Return how a value differs from what it should be; an empty text if it does not.

    Raises:
        CannotTell: The value has no such part, or the part cannot be compared in this way.
    """
    found = _at(value, check.path, where)
    if _holds(check, found, where):
        return ""
    what = f"{check.path} of {where}" if check.path else where
    verb = "be " if check.must.startswith("at ") else ""
    return f"{what} must {verb}{check.must} {check.value}, and is {shown(found)}."


def shown(value: Json) -> str:
    """Return a value in a few words."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]} ..."


def _at(value: Json, path: str, where: str) -> Json:
    """Return the value at a path; None where a list is too short or a part is null."""
    for part in path.split(".") if path else ():
        if isinstance(value, list) and part.isdecimal():
            value = value[int(part)] if int(part) < len(value) else None
        elif isinstance(value, dict) and part in value:
            value = value[part]
        elif value is not None:
            known = value if isinstance(value, dict) else ()
            raise CannotTell(f'{where} has no "{path}": {suggest(part, known, "There are")}')
    return value


def _holds(check: Check, found: Json, where: str) -> bool:
    wanted = _parsed(check.value)
    if check.must in ("equal", "differ"):
        equal = _is_same(found, wanted) or found == check.value
        return equal == (check.must == "equal")
    if check.must in ("contain", "lack"):
        text = wanted if isinstance(wanted, str) else check.value
        return (text.casefold() in _text(found).casefold()) == (check.must == "contain")
    return _is_within(check, found, check.value if isinstance(found, str) else wanted, where)


def _is_within(check: Check, found: Json, wanted: Json, where: str) -> bool:
    if found is None:
        return False
    texts = isinstance(found, str) and isinstance(wanted, str)
    if not texts and not (_is_number(found) and _is_number(wanted)):
        raise CannotTell(f"{check.path} of {where} cannot be compared with {check.value}.")
    if texts:
        wanted = wanted.strip('"')
    return bool(found >= wanted if check.must == "at least" else found <= wanted)


def _parsed(text: str) -> Json:
    """Return the value of a JSON text, or the text itself if it is no JSON."""
    try:
        return parsed(text)
    except ValueError:
        return text


def _is_same(one: Json, other: Json) -> bool:
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
