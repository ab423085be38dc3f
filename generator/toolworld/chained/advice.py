"""What a report says to do: about tasks that are missing, and about tools that are of no use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping

from toolworld.graph import ArgumentSource, ToolGraph
from toolworld.tasks.context import Level


def advice(
    graph: ToolGraph,
    missing: Mapping[Level, int],
    longest: int,
    dropped: Counter[str],
    unused: list[str],
    known: Collection[str],
) -> list[str]:
    """Return what to do, one text for each thing.

    Args:
        graph: The package's tool graph.
        missing: How many tasks are missing, by difficulty.
        longest: The most steps that a chain had.
        dropped: Why attempts came to nothing, with how often.
        unused: Tools that no task uses.
        known: The entities whose ids people have at hand.
    """
    return [
        *_missing(missing, longest, dropped),
        *(f"{name} {broken}" for name, broken in graph.broken.items()),
        *_unknowable([one for one in graph.arguments if one.tool not in graph.broken], known),
        *_never(graph, unused),
    ]


def unknowable(arguments: Iterable[ArgumentSource], known: Collection[str]) -> list[ArgumentSource]:
    """Return the arguments that neither a tool gives nor a person knows.

    Args:
        arguments: The arguments of a package's tools.
        known: The entities whose ids people have at hand.
    """
    return [one for one in arguments if one.unmet and one.entity not in known]


def _missing(missing: Mapping[Level, int], longest: int, dropped: Counter[str]) -> Iterator[str]:
    if not missing:
        return
    tasks = " and ".join(f"{count} {level}" for level, count in missing.items())
    why = "".join(f" Most attempts ended with: {reason}." for reason, _ in dropped.most_common(1))
    yield (
        f"No more tasks were found; {tasks} are missing. The longest chain of calls that was found "
        f"has {longest} steps.{why} Ask for fewer or easier tasks, or add tools that take what "
        "others give."
    )


def _unknowable(arguments: Iterable[ArgumentSource], known: Collection[str]) -> Iterator[str]:
    for one in unknowable(arguments, known):
        yield (
            f"{one.tool}: nobody can know {one.path}. No tool gives the id of a {one.entity}: add "
            f"one that finds or lists such rows, or put {one.entity} under known_ids in "
            "phrases.yaml if people have the id at hand."
        )


def _never(graph: ToolGraph, unused: list[str]) -> Iterator[str]:
    for name in graph.never:
        if name not in graph.broken:
            yield (
                f"{name}: no call of it succeeded, so no task uses it. Run toolworld prove --only "
                f"{name} to see what it rejects, and put rows it accepts into the seed data."
            )
    others = [name for name in unused if name not in graph.never and name not in graph.broken]
    if others:
        yield f"{len(others)} more tools are used by no task; more tasks (-n) may use them."
