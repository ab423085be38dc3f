"""Which edges of the graph a task uses: shown by its own calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolworld.tasks.chain import Chain, Step
from toolworld.tasks.drafts import EdgeKey, key_of
from toolworld.tasks.stage import Stage

Json = Any


def edges_used(stage: Stage, chain: Chain) -> frozenset[EdgeKey]:
    """Return the kept edges that a chain's calls show again.

    A data edge where an argument is taken from a result; the others where leaving out the first
    call makes the second be rejected, or show something else.
    """
    kept = {key_of(edge) for edge in stage.graph.edges}
    return frozenset(kept & {*_data(chain), *_effects(stage, chain)})


def _data(chain: Chain) -> Iterator[EdgeKey]:
    for step in chain.steps:
        for way, source in step.sources.items():
            if source is not None:
                tool = chain.steps[source.step].tool.name
                yield tool, step.tool.name, f"data:{_pattern(way)}"


def _pattern(way: str) -> str:
    return ".".join("*" if part.isdecimal() else part for part in way.split("."))


def _effects(stage: Stage, chain: Chain) -> Iterator[EdgeKey]:
    for number, first in enumerate(chain.steps):
        if first.tool.read_only or first.expect == "rejected":
            continue
        environment = stage.open(chain.initial)
        for step in chain.steps[:number]:
            environment.call(step.tool.name, step.values)
        for step in chain.steps[number + 1 :]:
            yield from _shown(environment, first, step)


def _shown(environment: Any, first: Step, step: Step) -> Iterator[EdgeKey]:
    """Make a later call without the first one, and see whether that matters to it."""
    without = environment.call(step.tool.name, step.values)
    ends = first.tool.name, step.tool.name
    if step.expect == "ok" and without.outcome == "rejected":
        yield *ends, "enables"
    elif step.tool.read_only and without.outcome == "ok" and without.text != step.text:
        yield *ends, "shared table"
