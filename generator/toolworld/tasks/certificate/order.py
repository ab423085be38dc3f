"""Order: steps that do not depend on each other lead to the goal in any order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from toolworld.tasks.certificate.reasons import Reason
from toolworld.tasks.certificate.track import Track
from toolworld.tasks.certificate.verdict import Flaw, Settings, Tally


class Orders:
    """The orders of gold's steps that effects and references allow."""

    def __init__(self, track: Track) -> None:
        """Find out which steps must come before which."""
        self._track = track
        steps = track.steps
        self._before = [
            {
                earlier.index
                for earlier in steps[: step.index]
                if earlier.index in step.feeds_on or track.depends(earlier, step)
            }
            for step in steps
        ]

    def check(self, settings: Settings, tally: Tally) -> None:
        """Run gold in other orders: neighbours swapped, as late first as can be, and at random.

        Raises:
            Flaw: One fails.
        """
        orders = [*self._swaps(), self._sorted(max)]
        orders += [self._sorted(self._track.rng.choice) for _ in range(settings.orders)]
        same = list(range(len(self._before)))
        for order in dict.fromkeys(map(tuple, orders)):
            if list(order) != same:
                self._run(order)
                tally.count("order", "other orders")

    def _swaps(self) -> list[list[int]]:
        """Return gold with two neighbours swapped, of which one at least may write."""
        steps, swapped = self._track.steps, []
        for late in range(1, len(steps)):
            both_read = steps[late].tool.read_only and steps[late - 1].tool.read_only
            if late - 1 not in self._before[late] and not both_read:
                order = list(range(len(steps)))
                order[late - 1], order[late] = late, late - 1
                swapped.append(order)
        return swapped

    def _sorted(self, choose: Callable[[Sequence[int]], int]) -> list[int]:
        """Return an order in which each next step is chosen from those that may come next."""
        left, order = set(range(len(self._before))), list[int]()
        while left:
            ready = [index for index in sorted(left) if not self._before[index] & left]
            order.append(choose(ready))
            left.remove(order[-1])
        return order

    def _run(self, order: tuple[int, ...]) -> None:
        ending, failed = self._track.in_order(order)
        if ending is None:
            what = f"{self._track.steps[failed]} does not turn out as expected"
        elif ending.reward < 1.0:
            what = "the goal is missed"
        else:
            return
        raise Flaw(Reason.ORDER, f"in the order {list(order)} {what}")
