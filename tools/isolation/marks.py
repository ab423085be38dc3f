"""Marks that are left in episodes, to see whether they are found there and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

LOAN = "LOA-00001"

Json = dict[str, Any]


@dataclass(frozen=True)
class Mark:
    """How a number, 1 or more, is left in an episode and found there again.

    Attributes:
        leave: Returns the tool and the arguments that leave a number.
        find: Returns the numbers in an episode's changes; -1 stands for any other change.
        most: The largest number that is left.
    """

    leave: Callable[[int], tuple[str, Json]]
    find: Callable[[list[Json]], list[int]]
    most: int = 50_000


def charge_fee(number: int) -> tuple[str, Json]:
    """Return the call that leaves a number as a fee of that many cents."""
    fee = {"reason": "damaged", "amount": number / 100, "charged_on": "2026-03-02"}
    return "charge_fee", {"loan_id": LOAN, "fee": fee}


def charged_fees(changes: list[Json]) -> list[int]:
    """Return the numbers left as fees."""
    if [change["key"] for change in changes] not in ([], [LOAN]):
        return [-1]
    return [
        round(fee["amount"] * 100)
        for change in changes
        for fee in change["after"]["fees"][len(change["before"]["fees"]) :]
    ]


FEES = Mark(charge_fee, charged_fees)
