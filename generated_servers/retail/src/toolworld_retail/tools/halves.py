"""How much may go back without a return: at most half of what was paid for a line."""

from __future__ import annotations

from decimal import Decimal

from ..database.models import Database, Order, OrderId, OrderLine
from ..values import money
from .carts import _spread
from .refunds import _back_before, _for_line, _still_worth


def _late_fees(db: Database, order_id: OrderId) -> Decimal:
    late = [row for row in db.refunds.where(order_id=order_id) if row.reason == "late_delivery"]
    return sum((row.amount for row in late), Decimal(0))


def _half_left(db: Database, order: Order, line: OrderLine) -> Decimal:
    # How much of half of what was paid for the units that are still there has not gone back.
    half = money(_still_worth(db, order, line) / 2)
    return max(half - _back_before(db, order.order_id, line.line_number), Decimal(0))


def _move_along(
    db: Database, order: Order, line: OrderLine, new_number: int, amount: Decimal
) -> None:
    # So much of what went back for a line was for units that were exchanged: it goes along.
    rows = _for_line(db, order.order_id, line.line_number)
    if amount > 0:
        parts = _spread(amount, [row.amount - row.taken_off for row in rows])
        for place, row in enumerate(rows):
            if parts[place] == row.amount:
                db.refunds.update(row.refund_id, line_number=new_number)
            elif parts[place] > 0:
                db.refunds.update(row.refund_id, amount=row.amount - parts[place])
                db.refunds.add(
                    order_id=row.order_id,
                    payment_id=row.payment_id,
                    line_number=new_number,
                    gift_card_id=row.gift_card_id,
                    amount=parts[place],
                    taken_off=Decimal(0),
                    reason=row.reason,
                    refunded_at=row.refunded_at,
                )
