"""Whether a thousand episodes in one process stay apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import anyio

from tools.bench import clients, retail
from tools.bench.rows import BenchRow
from tools.isolation.marks import Mark
from toolworld.packages import Package

EPISODES, CLIENTS = 1_000, 32
LEAST_CARD = 1_000
"""The smallest gift card, in cents."""


def apart(package: Package, writes: int) -> Iterator[BenchRow]:
    """Count the episodes that do not hold exactly what was written to them."""
    mark = gift_cards(package)
    outcome = anyio.run(clients.run, package, mark, EPISODES, CLIENTS, writes)
    note = f"{CLIENTS} clients over HTTP, {outcome.writes:,} writes in {outcome.seconds:.1f} s"
    mixed_up = len(outcome.mixed_up)
    yield BenchRow("episodes mixed up", mixed_up, EPISODES, 0, note, "episodes")


def gift_cards(package: Package) -> Mark:
    """Return a mark that leaves a number as a new gift card, in cents above the smallest."""
    customer_id, method_id = retail.gift_card_buyer(package.environment())

    def leave(number: int) -> tuple[str, dict[str, Any]]:
        return "issue_gift_card", {
            "customer_id": customer_id,
            "amount": (LEAST_CARD + number) / 100,
            "payment_method_id": method_id,
        }

    return Mark(leave, sold)


def sold(changes: list[dict[str, Any]]) -> list[int]:
    """Return the numbers left as gift cards; -1 for any other change."""
    return [
        round(change["after"]["loaded"] * 100) - LEAST_CARD
        if change["table"] == "gift_cards" and change["before"] is None
        else -1
        for change in changes
    ]
