"""Which edges of the graph a task uses: shown by its own calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolworld.tasks.chains.chain import Chain, Step, pattern_of
from toolworld.tasks.chains.ledger import EdgeKey
from toolworld.tasks.chains.stage import Stage
from toolworld.tasks.episodes import Episode

Json = Any


def edges_used(stage: Stage, chain: Chain) -> frozenset[EdgeKey]:
    """Return the kept edges that a chain's calls show again.

    A data edge where an argument is taken from a result; the others where leaving out the first
    call makes the second be rejected, or show something else.
    """
    return stage.edge_keys & {*_data(chain), *_effects(chain)}


def _data(chain: Chain) -> Iterator[EdgeKey]:
    for step in chain.steps:
        for way, source in step.sources.items():
            if source is not None:
                tool = chain.steps[source.step].tool.name
                yield tool, step.tool.name, f"data:{pattern_of(way)}"


def _effects(chain: Chain) -> Iterator[EdgeKey]:
    """Go through a chain once, and from before each of its writes on without it."""
    episode = chain.episode
    end = episode.now()
    episode.go(episode.start)
    for number, first in enumerate(chain.steps):
        if not first.tool.read_only and first.expect == "ok":
            before = episode.now()
            for step in chain.steps[number + 1 :]:
                yield from _shown(episode, first, step)
            episode.go(before)
            episode.call(first.tool.name, first.values)
    episode.go(end)


def _shown(episode: Episode, first: Step, step: Step) -> Iterator[EdgeKey]:
    """Make a later call without the first one, and see whether that matters to it."""
    without = episode.call(step.tool.name, step.values)
    ends = first.tool.name, step.tool.name
    if step.expect == "ok" and without.outcome == "rejected":
        yield *ends, "enables"
    elif step.tool.read_only and without.outcome == "ok" and without.text != step.text:
        yield *ends, "shared table"
