"""Mending a task: gold without what it does not need, and the goal that follows from it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from toolworld.tasks.certificate.arguments import references
from toolworld.tasks.certificate.facts import Facts
from toolworld.tasks.certificate.track import Track
from toolworld.tasks.certificate.verdict import Flaw, Mend, Tally, Task
from toolworld.tasks.episodes import Episodes

Json = Any


def mended(facts: Facts, episodes: Episodes, task: Task, mend: Mend) -> dict[str, Json] | None:
    """Return a task without what it does not need; None if gold cannot do without it."""
    gold = list(task["gold"])
    if mend.argument is not None:
        index, name = mend.argument
        rest = {key: one for key, one in gold[index]["arguments"].items() if key != name}
        gold[index] = {**gold[index], "arguments": rest}
    shorter = without(gold, mend.steps)
    if not shorter:
        return None
    changed = {**task, "gold": shorter, "certificate": {}}
    try:
        track = Track(facts, changed, episodes, Tally())
    except Flaw:
        return None
    changes = [change.as_json() for change in track.episode.diff()]
    return {**changed, "goal": {**task["goal"], "changes": changes}}


def without(gold: Sequence[Mapping[str, Json]], steps: Collection[int]) -> list[dict[str, Json]]:
    """Return gold without some steps and those that refer to them, its references renumbered."""
    places = left_without(gold, steps)
    new = {old: number for number, old in enumerate(places)}
    return [{**gold[old], "arguments": _renumbered(gold[old]["arguments"], new)} for old in places]


def left_without(gold: Sequence[Mapping[str, Json]], steps: Collection[int]) -> list[int]:
    """Return which steps of gold are left without some and those that refer to them."""
    gone = set(steps)
    for index, step in enumerate(gold):
        if any(int(one["$step"]) in gone for one in references(dict(step["arguments"]))):
            gone.add(index)
    return [index for index in range(len(gold)) if index not in gone]


def _renumbered(value: Json, new: Mapping[int, int]) -> Json:
    if isinstance(value, Mapping):
        if "$step" in value:
            return {**value, "$step": new[int(value["$step"])]}
        return {name: _renumbered(part, new) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_renumbered(part, new) for part in value]
    return value
