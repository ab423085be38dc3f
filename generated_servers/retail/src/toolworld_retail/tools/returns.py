"""Returns: what may come back, until when, and for how much."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from ..database.models import (
    CustomerId,
    Database,
    Order,
    OrderId,
    OrderLine,
    ProductReturn,
    ProductReturnId,
    RefundTarget,
    ReturnItem,
    ReturnLine,
    ReturnQuote,
    ReturnReason,
    ReturnStatus,
)
from ..errors import Rejected
from ..values import Page, page
from .customers import _active_customer
from .orders import _delivered_on, _line
from .refunds import _paid_for, _units_settled

RETURN_FEE = Decimal("6.95")
FAULTS = ("defective", "wrong_item", "damaged_in_transit")
FAULT_DAYS = 60
FOR_A_FAULT = "only a faulty or wrong one can be returned"
GOLD_EXTRA_DAYS = 15


def _return_days(db: Database, order: Order, line: OrderLine, fault: bool) -> int:
    days = db.products.get(db.variants.get(line.variant_id).product_id).return_days
    gold = db.customers.get(order.customer_id).tier == "gold"
    days = days + GOLD_EXTRA_DAYS if gold and days > 0 else days
    return max(days, FAULT_DAYS) if fault else days


def _refused(db: Database, order: Order, line_number: int) -> int:
    # Units that an inspection refused stay with the customer.
    return sum(
        part.quantity
        for row in db.returns.where(order_id=order.order_id)
        for part in row.lines
        if part.line_number == line_number
        and part.accepted is False
        and part.condition != "missing"
    )


def _under_way(db: Database, order: Order, line: OrderLine) -> int:
    settled = _units_settled(db, order.order_id, line.line_number)
    return line.returned + line.exchanged - settled


def _units_left(db: Database, order: Order, line: OrderLine) -> int:
    refused = _refused(db, order, line.line_number)
    return line.quantity - line.returned - line.exchanged - refused


def _fault_would_do(
    db: Database, order: Order, line: OrderLine, quantity: int, reason: ReturnReason | None
) -> bool:
    # Whether what does not come back for this reason, or in an exchange, would for a fault of the
    # shop.
    arrived = _delivered_on(db, order.order_id, line.line_number)
    if reason in FAULTS or arrived is None:
        return False
    last = arrived + timedelta(days=_return_days(db, order, line, True))
    return last >= db.today() and 1 <= quantity <= _units_left(db, order, line)


def _last_return_day(
    db: Database, order: Order, line_number: int, quantity: int, reason: ReturnReason | None
) -> date:
    line = _line(order, line_number)
    arrived = _delivered_on(db, order.order_id, line_number)
    days = _return_days(db, order, line, reason in FAULTS)
    if days == 0:
        is_open = _fault_would_do(db, order, line, quantity, reason)
        but = f"; {FOR_A_FAULT}" if is_open else ""
        raise Rejected("final_sale", f"{line.item} is a final sale{but}.", item=line.item)
    if arrived is None:
        raise Rejected(
            "not_delivered",
            f"Line {line_number} has not arrived. Only what was delivered can come back.",
            status=order.status,
        )
    last = arrived + timedelta(days=days)
    if last < db.today():
        is_open = _fault_would_do(db, order, line, quantity, reason)
        but = f"; {FOR_A_FAULT}" if is_open else ""
        raise Rejected(
            "window_over",
            f"The last day to send line {line_number} back was {last}{but}.",
            day=last,
        )
    left = _units_left(db, order, line)
    if not 1 <= quantity <= left:
        under_way = _under_way(db, order, line)
        most = f"at most {left} can come back; name at least 1" if left > 0 else "no more come back"
        held = f"; {under_way} are in a return or exchange" if under_way > 0 else ""
        raise Rejected("too_many_units", f"Of line {line_number}, {most}{held}.", left=left)
    return last


def _return_fee(db: Database, order: Order, reasons: list[ReturnReason]) -> Decimal:
    gold = db.customers.get(order.customer_id).tier == "gold"
    return Decimal(0) if gold or all(reason in FAULTS for reason in reasons) else RETURN_FEE


def quote_return(
    db: Database, order_id: OrderId, line_number: int, quantity: int, reason: ReturnReason
) -> ReturnQuote:
    """Say until when units of an order line can come back and what would be refunded.

    What was paid back for the line before, without a return, is taken off. The fee is one for a
    whole return, however many lines come back in it. While other units of the line are in a return
    or exchange, it may come to a cent or two more or less.

    Args:
        order_id: The order number.
        line_number: The line.
        quantity: Units that would come back.
        reason: Why.

    Raises:
        Rejected: The order or the line is unknown, or the account closed.
        Rejected: The line has not arrived, or fewer units can come back: some did, or
            are under way, or were refused at an inspection.
        Rejected: The item is a final sale or its return window has passed.
    """
    order = db.orders.get(order_id)
    _active_customer(db, order.customer_id)
    last = _last_return_day(db, order, line_number, quantity, reason)
    refund = _paid_for(db, order, _line(order, line_number), quantity)
    fee = min(_return_fee(db, order, [reason]), refund)
    return ReturnQuote(
        order_id=order_id,
        line_number=line_number,
        item=order.lines[line_number - 1].item,
        quantity=quantity,
        last_day=last,
        refund=refund,
        fee=fee,
        net=refund - fee,
    )


def _count_returned(db: Database, order: Order, units: dict[int, int]) -> None:
    lines = [
        line.replace(returned=line.returned + units.get(line.line_number, 0))
        for line in order.lines
    ]
    db.orders.update(order.order_id, lines=lines)


def request_return(
    db: Database,
    order_id: OrderId,
    items: list[ReturnItem],
    refund_to: RefundTarget = "original_payment",
) -> ProductReturn:
    """Open a return for delivered units; the refund follows when they are back and inspected.

    Args:
        order_id: The order number.
        items: What comes back, each order line once.
        refund_to: Where the money is to go; left out, to where it came from.

    Raises:
        Rejected: The order or a line is unknown, or nothing or a line twice is named.
        Rejected: The account is closed.
        Rejected: A line has not arrived, or fewer units can come back: some did, or
            are under way, or were refused at an inspection.
        Rejected: An item is a final sale or its return window has passed.
    """
    order = db.orders.get(order_id)
    _active_customer(db, order.customer_id)
    if not items or len(set(item.line_number for item in items)) < len(items):
        raise Rejected("bad_lines", "Name at least one line to return, and each line once.")
    for item in items:
        _last_return_day(db, order, item.line_number, item.quantity, item.reason)
    _count_returned(db, order, {item.line_number: item.quantity for item in items})
    return db.returns.add(
        order_id=order_id,
        customer_id=order.customer_id,
        status="requested",
        lines=[
            ReturnLine(
                line_number=item.line_number,
                item=order.lines[item.line_number - 1].item,
                quantity=item.quantity,
                reason=item.reason,
                condition=None,
                accepted=None,
                refund=Decimal(0),
            )
            for item in items
        ],
        refund_to=refund_to,
        fee=Decimal(0),
        refund_amount=Decimal(0),
        requested_at=db.now(),
    )


def get_return(db: Database, return_id: ProductReturnId) -> ProductReturn:
    """Show a return with its lines and where it stands.

    Args:
        return_id: The number on the return label, such as "RET-00042".

    Raises:
        Rejected: The return is unknown.
    """
    return db.returns.get(return_id)


def list_returns(
    db: Database,
    customer_id: CustomerId | None = None,
    status: ReturnStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[ProductReturn]:
    """List returns, oldest request first.

    Args:
        customer_id: Only this customer's.
        status: Only returns in this status.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; left out, 50.

    Raises:
        Rejected: The customer is unknown.
        Rejected: The cursor or limit is bad.
    """
    if customer_id is not None:
        db.customers.get(customer_id)
        rows = db.returns.where(customer_id=customer_id)
    elif status is not None:
        rows = db.returns.where(status=status)
    else:
        rows = db.returns.all()
    found = [row for row in rows if status is None or row.status == status]
    return page(sorted(found, key=lambda row: row.requested_at), cursor, limit)


def _return_in(db: Database, return_id: ProductReturnId, status: ReturnStatus) -> ProductReturn:
    row = db.returns.get(return_id)
    if row.status != status:
        raise Rejected(
            "wrong_status",
            f"The return is {row.status}; it would have to be {status} for that.",
            status=row.status,
            wanted=status,
        )
    return row


def cancel_return(db: Database, return_id: ProductReturnId) -> ProductReturn:
    """Call off a return whose parcel has not reached the warehouse.

    Args:
        return_id: The return number.

    Raises:
        Rejected: The return is unknown or not in status requested.
    """
    row = _return_in(db, return_id, "requested")
    order = db.orders.get(row.order_id)
    _count_returned(db, order, {line.line_number: -line.quantity for line in row.lines})
    return db.returns.update(return_id, status="cancelled", closed_at=db.now())
