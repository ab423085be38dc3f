"""The call graph of functions: an order with callees first, and the recursive ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping


def callees_first(calls: Mapping[str, Iterable[str]]) -> list[str]:
    """Return functions with those that each calls before it, however deep; recursion is cut.

    Args:
        calls: What each function calls; what is not among them is left out.
    """
    done: dict[str, None] = {}
    begun: set[str] = set()
    for name in calls:
        waiting = [(name, iter(calls[name]))] if name not in begun else []
        begun.add(name)
        while waiting:
            here, callees = waiting[-1]
            further = _next(callees, calls, begun)
            if further is None:
                done[here] = None
                waiting.pop()
            else:
                begun.add(further)
                waiting.append((further, iter(calls[further])))
    return list(done)


def recursive(calls: Mapping[str, Iterable[str]]) -> dict[str, int]:
    """Return the functions that come back to themselves, each with the number of its circle.

    Two of one circle call each other, directly or not: Kosaraju's algorithm, in linear time.

    Args:
        calls: What each function calls; what is not among them is left out.
    """
    callers: dict[str, list[str]] = {name: [] for name in calls}
    for name, callees in calls.items():
        for callee in callees:
            if callee in callers:
                callers[callee].append(name)
    circle_of: dict[str, int] = {}
    for number, name in enumerate(reversed(callees_first(calls))):
        waiting = [name]
        while waiting:
            here = waiting.pop()
            if here not in circle_of:
                circle_of[here] = number
                waiting += callers[here]
    sizes = Counter(circle_of.values())
    return {
        name: number
        for name, number in circle_of.items()
        if sizes[number] > 1 or name in callers[name]
    }


def _next(
    callees: Iterator[str], calls: Mapping[str, Iterable[str]], begun: set[str]
) -> str | None:
    return next((one for one in callees if one in calls and one not in begun), None)
