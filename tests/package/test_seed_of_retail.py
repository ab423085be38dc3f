"""What the shop's records tell has come about as its policy has it.

What the tools can bring about as well is held by the laws. What only an agent sees to is not: how
much a damaged thing brings (5.3), and that who has a parcel does not miss it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest

from toolworld.packages import Package

Built = Callable[[str], Package]
NEVER_CAME = "Left with the wrong neighbor"


@pytest.fixture
def records(built: Built) -> Any:
    return built("retail").environment({"id": "look", "instruction": ""})._database


def test_what_arrived_damaged_and_is_kept_brought_half_of_its_price(records: Any) -> None:
    damaged = [row for row in records.refunds.all() if row.reason == "damaged_item"]
    assert damaged
    for refund in damaged:
        line = records.orders.get(refund.order_id).lines[refund.line_number - 1]
        worth = line.unit_price * line.quantity - line.discount
        halves = [worth * units / line.quantity / 2 for units in range(1, line.quantity + 1)]
        assert any(abs(refund.amount - half) < Decimal("0.01") for half in halves), refund


def test_who_sends_a_thing_back_did_not_miss_it_at_that_time(records: Any) -> None:
    missing = [row for row in records.cases.all() if row.subject == NEVER_CAME]
    assert missing
    for case in missing:
        back = [
            *records.returns.where(order_id=case.order_id),
            *records.exchanges.where(order_id=case.order_id),
        ]
        found = case.resolved_at or datetime.max.replace(tzinfo=case.opened_at.tzinfo)
        assert all(row.requested_at >= found for row in back), case
