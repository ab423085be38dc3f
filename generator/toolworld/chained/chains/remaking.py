"""A chain made again from another start, or without some of its steps."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeAlias

from toolworld.chained.chains.chain import Chain, ResultPlace

Json: TypeAlias = Any


class Undone(Exception):  # noqa: N818 - the text is a reason that is counted
    """No task came of an attempt; the text says why."""


def made_again(chain: Chain, initial: Mapping[str, Json], without: Collection[int] = ()) -> Chain:
    """Return a chain with the same calls, each id taken from where an agent can tell it first.

    Args:
        chain: The chain.
        initial: The patch to start from.
        without: Steps to leave out.

    Raises:
        Undone: A call is refused, or an id can be told nowhere any more.
    """
    again = Chain(chain.stage, initial)
    for number, step in enumerate(chain.steps):
        if number in without:
            continue
        sources: dict[str, ResultPlace | None] = {}
        for way, place in step.ids:
            sources[way] = again.found(place) if step.sources.get(way) else None
            if step.sources.get(way) and sources[way] is None:
                raise Undone("nothing tells which row is meant")
        if again.call(step.tool, step.values, sources) is None:
            raise Undone("gold does not run again")
    return again


def settled(chain: Chain, initial: Mapping[str, Json]) -> Chain:
    """Return a chain from a start, without detours and without look-ups that serve nothing.

    Raises:
        Undone: Nothing is left, or a call is refused.
    """
    useless = chain.useless()
    if len(useless) == len(chain.steps):
        raise Undone("nothing is asked for")
    again = made_again(chain, initial, useless)
    if again.useless():
        raise Undone("a look-up serves nothing any more")
    return again
