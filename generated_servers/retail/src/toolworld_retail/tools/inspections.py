"""Returns at the warehouse: received, inspected and refunded."""

from __future__ import annotations

from decimal import Decimal

from ..database.models import Database, Finding, Order, ProductReturn, ProductReturnId, ReturnLine
from ..errors import Rejected
from ..values import money
from .catalogue import _add_stock
from .orders import _line
from .refunds import _for_line, _pay_back, _share_of, _take_off, _worth_of
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


def _check_units(line: ReturnLine, findings: list[Finding], came: list[int]) -> None:
    conditions = {finding.condition for finding in findings}
    names_units = any(finding.units is not None for finding in findings)
    if "missing" in conditions and (len(findings) > 1 or names_units):
        raise Rejected(
            "bad_findings",
            f"Line {line.line_number} is missing only as a whole, with no other condition and no "
            "units named. Units that did not come are named in no finding: leave them out.",
        )
    if min(came) < 1 or sum(came) > line.quantity or len(conditions) < len(findings):
        raise Rejected(
            "bad_findings",
            f"Of line {line.line_number}, at most {line.quantity} can have come. Name each "
            "condition once, for one unit or more.",
            limit=line.quantity,
        )


def _inspected(line: ReturnLine, findings: list[Finding]) -> list[ReturnLine]:
    # One part for each condition in which units of the line came.
    came = [line.quantity if finding.units is None else finding.units for finding in findings]
    _check_units(line, findings, came)
    sound = (
        ("as_new", "opened", "worn", "broken") if line.reason in FAULTS else ("as_new", "opened")
    )
    return [
        line.replace(
            quantity=came[place], condition=finding.condition, accepted=finding.condition in sound
        )
        for place, finding in enumerate(findings)
    ]


def _accepted(lines: list[ReturnLine], line_number: int) -> int:
    return sum(line.quantity for line in lines if line.line_number == line_number and line.accepted)


def inspect_return(
    db: Database, return_id: ProductReturnId, findings: list[Finding]
) -> ProductReturn:
    """Record how the items of a received return came back, which decides what is accepted.

    Worn or broken items are refused unless the shop is at fault, and do not come back again; items
    as new go back to stock. What is missing counts as not sent back.

    Args:
        return_id: The return number.
        findings: The condition found for each line of the return, and how many units came so if
            not all did; a line whose units came in several conditions has a finding for each.
            Units that did not come are left out; a line is missing only as a whole.

    Raises:
        Rejected: The return is unknown or not in status received.
        Rejected: The findings do not cover each line of the return, or name a condition of a line
            twice, or more units came than were to, or only some units of a line are missing.
    """
    row = _return_in(db, return_id, "received")
    wanted = sorted(line.line_number for line in row.lines)
    if sorted({finding.line_number for finding in findings}) != wanted:
        raise Rejected(
            "bad_findings",
            f"Give a finding for each of the lines {wanted}, and for no other. If nothing of a "
            "line came, find it missing.",
            lines=wanted,
        )
    lines = [
        part
        for line in row.lines
        for part in _inspected(line, [f for f in findings if f.line_number == line.line_number])
    ]
    order = db.orders.get(row.order_id)
    for line in lines:
        if line.accepted and line.condition == "as_new":
            _add_stock(db, order.lines[line.line_number - 1].variant_id, line.quantity)
    kept = {
        line.line_number: _accepted(lines, line.line_number) - line.quantity for line in row.lines
    }
    _count_returned(db, order, kept)
    if not any(line.accepted for line in lines):
        return db.returns.update(return_id, lines=lines, status="refused", closed_at=db.now())
    return db.returns.update(return_id, lines=lines, status="inspected")


def _settle_line(db: Database, order: Order, line: ReturnLine, done: int) -> Decimal:
    if not line.accepted:
        return Decimal(0)
    bought = _line(order, line.line_number)
    worth = _worth_of(db, order, bought, line.quantity, done)
    share = _share_of(db, order, bought, line.quantity, done)
    if line.condition == "opened" and line.reason not in FAULTS:
        worth = money(worth * OPENED_RATE)
    _take_off(db, _for_line(db, order.order_id, line.line_number), share)
    return worth - share


def refund_return(db: Database, return_id: ProductReturnId) -> ProductReturn:
    """Pay back what an inspected return is worth.

    Opened items bring 85 percent unless the shop is at fault. A return fee of 6.95 comes off
    what is accepted unless the shop is at fault, or the customer is gold. What was paid back for a
    line before, without a return, is taken off.

    Args:
        return_id: The return number.

    Raises:
        Rejected: The return is unknown or not in status inspected.
    """
    row = _return_in(db, return_id, "inspected")
    order = db.orders.get(row.order_id)
    lines: list[ReturnLine] = []
    for line in row.lines:
        done = _accepted(lines, line.line_number)
        lines.append(line.replace(refund=_settle_line(db, order, line, done)))
    worth = sum((line.refund for line in lines), Decimal(0))
    # The fee comes off what brings it, not off what comes back for a fault of the shop.
    charged = sum((line.refund for line in lines if line.reason not in FAULTS), Decimal(0))
    fee = min(_return_fee(db, order, [line.reason for line in lines if line.accepted]), charged)
    _pay_back(db, order, [(None, worth - fee)], "product_return", row.refund_to, return_id)
    return db.returns.update(
        return_id,
        status="refunded",
        lines=lines,
        fee=fee,
        refund_amount=worth - fee,
        closed_at=db.now(),
    )
