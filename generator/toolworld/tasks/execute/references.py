"""References in the arguments of gold to the results of earlier steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolworld.jsonvalues import JsonValue
from toolworld.packages.task import StepModel


def references(value: JsonValue) -> Iterator[int]:
    """Yield the number of each step that an argument refers to."""
    if isinstance(value, dict):
        if "$step" in value:
            yield int(str(value["$step"]))
            return
        for part in value.values():
            yield from references(part)
    elif isinstance(value, list):
        for part in value:
            yield from references(part)


def with_referred(gold: Sequence[StepModel], steps: set[int]) -> frozenset[int]:
    """Return some steps and all those whose results they rest on, at any remove."""
    needed = set(steps)
    for index in reversed(range(len(gold))):
        if index in needed:
            needed.update(references(dict(gold[index].arguments)))
    return frozenset(needed)
