"""Returns at the warehouse: received, inspected and refunded."""

from __future__ import annotations

from decimal import Decimal

from ..errors import Rejected
from ..models import (
    Database,
    Finding,
    ItemCondition,
    Order,
    ProductReturn,
    ProductReturnId,
    ReturnLine,
)
from ..values import money
from .catalogue import _add_stock
from .refunds import _paid_for, _pay_back
from .returns import FAULTS, _count_returned, _return_fee, _return_in

OPENED_RATE = Decimal("0.85")


def receive_return(db: Database, return_id: ProductReturnId) -> ProductReturn:
    """Record that the parcel of a requested return has reached the warehouse.

    Args:
        return_id: The return number.

    Raises:
        Rejected: The return is unknown or not in status requested.
    """
    _return_in(db, return_id, "requested")
    return db.returns.update(return_id, status="received", received_at=db.now())


def _inspected(line: ReturnLine, condition: ItemCondition) -> ReturnLine:
    accepted = line.reason in FAULTS or condition in ("as_new", "opened")
    return line.replace(condition=condition, accepted=accepted)


def inspect_return(
    db: Database, return_id: ProductReturnId, findings: list[Finding]
) -> ProductReturn:
    """Record how the items of a received return came back, which decides what is accepted.

    Worn or broken items are refused unless the shop is at fault; items as new go back to stock.

    Args:
        return_id: The return number.
        findings: The condition found, for each line of the return once.

    Raises:
        Rejected: The return is unknown or not in status received.
        Rejected: The findings do not cover each line of the return once.
    """
    row = _return_in(db, return_id, "received")
    conditions = {finding.line_number: finding.condition for finding in findings}
    wanted = sorted(line.line_number for line in row.lines)
    if sorted(finding.line_number for finding in findings) != wanted:
        raise Rejected(
            "bad_findings", f"Give one finding for each of the lines {wanted}.", lines=wanted
        )
    lines = [_inspected(line, conditions[line.line_number]) for line in row.lines]
    order = db.orders.get(row.order_id)
    for line in lines:
        if line.accepted and line.condition == "as_new":
            _add_stock(db, order.lines[line.line_number - 1].variant_id, line.quantity)
    refused = {line.line_number: -line.quantity for line in lines if not line.accepted}
    if refused:
        _count_returned(db, order, refused)
    if len(refused) == len(lines):
        return db.returns.update(return_id, lines=lines, status="refused", closed_at=db.now())
    return db.returns.update(return_id, lines=lines, status="inspected")


def _refund_for(db: Database, order: Order, line: ReturnLine) -> Decimal:
    if not line.accepted:
        return Decimal(0)
    paid = _paid_for(db, order, line.line_number, line.quantity)
    kept = line.condition == "opened" and line.reason not in FAULTS
    return money(paid * OPENED_RATE) if kept else paid


def refund_return(db: Database, return_id: ProductReturnId) -> ProductReturn:
    """Pay back what an inspected return is worth.

    Opened items bring 85 percent unless the shop is at fault. A return fee of 6.95 comes off
    unless all accepted items are the shop's fault or the customer is gold. What was paid back for
    a line before, without a return, is taken off.

    Args:
        return_id: The return number.

    Raises:
        Rejected: The return is unknown or not in status inspected.
    """
    row = _return_in(db, return_id, "inspected")
    order = db.orders.get(row.order_id)
    lines = [line.replace(refund=_refund_for(db, order, line)) for line in row.lines]
    worth = sum((line.refund for line in lines), Decimal(0))
    fee = min(_return_fee(db, order, [line.reason for line in lines if line.accepted]), worth)
    _pay_back(db, order, [(None, worth - fee)], "product_return", row.refund_to, return_id)
    return db.returns.update(
        return_id,
        status="refunded",
        lines=lines,
        fee=fee,
        refund_amount=worth - fee,
        closed_at=db.now(),
    )
