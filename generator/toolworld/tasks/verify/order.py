"""Independent steps lead to the goal in any order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolworld.graph.candidates import meeting
from toolworld.graph.surface import ToolFacts
from toolworld.tasks.execute import references
from toolworld.tasks.verify.case import CertifiedCase
from toolworld.tasks.verify.flaw import Flaw


def order_does_not_matter(case: CertifiedCase) -> Flaw | None:
    """Claim that gold reaches the goal in every order that effects and references allow.

    Two neighbours are swapped, of which one at least may write; and each step is made as late as
    it can be. No step is moved past a message.
    """
    before = _before(case)
    orders = dict.fromkeys([*_swaps(case, before), _latest_first(before)])
    for order in orders:
        if order == tuple(range(len(before))):
            continue
        case.count("order.others")
        ending = case.player.reorder(case.run, order)
        if not ending.reached:
            return _flaw(case, order, ending.strayed)
    return None


def _flaw(case: CertifiedCase, order: Sequence[int], strayed: int | None) -> Flaw:
    what = "the goal is missed"
    if strayed is not None:
        what = f"{case.run.steps[strayed]} does not turn out as expected"
    mend = "Say the order by a reference, or mend the tool's effects."
    return Flaw("order_matters", f"In the order {list(order)} {what}.", mend, strayed)


def _before(case: CertifiedCase) -> list[set[int]]:
    """Return, for each step, the steps that must come before it."""
    steps = case.run.steps
    tools = [case.package.tool(step) for step in steps]
    return [
        {
            earlier
            for earlier in range(later)
            if earlier in set(references(steps[later].step.arguments))
            or depends(tools[earlier], tools[later])
        }
        for later in range(len(steps))
    ]


def depends(one: ToolFacts | None, other: ToolFacts | None) -> bool:
    """Return whether one of two steps can affect the other.

    Args:
        one: The tool of a step; None for a message.
        other: The tool of the other.
    """
    if one is None or other is None:
        return True
    if one.read_only and other.read_only:
        return False
    return bool(
        meeting(one, other)
        or meeting(other, one)
        or one.writes & other.writes
        or (one.deletes | other.deletes) & (one.changed_tables & other.changed_tables)
    )


def _swaps(case: CertifiedCase, before: Sequence[set[int]]) -> Iterator[tuple[int, ...]]:
    tools = [case.package.tool(step) for step in case.run.steps]
    for late in range(1, len(tools)):
        one, other = tools[late - 1], tools[late]
        if late - 1 in before[late] or one is None or other is None:
            continue
        if not (one.read_only and other.read_only):
            order = list(range(len(tools)))
            order[late - 1], order[late] = late, late - 1
            yield tuple(order)


def _latest_first(before: Sequence[set[int]]) -> tuple[int, ...]:
    """Return an order that always takes the latest of the possible next steps."""
    left, order = set(range(len(before))), list[int]()
    while left:
        order.append(max(index for index in left if not before[index] & left))
        left.remove(order[-1])
    return tuple(order)
