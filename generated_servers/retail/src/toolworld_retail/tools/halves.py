"""How much may go back without a return: at most half of what stands."""

from __future__ import annotations

from decimal import Decimal

from ..database.models import Database, Order, OrderId, OrderLine
from ..values import money
from .orders import _paid
from .refunds import _for_line, _net, _take_off

FOR_LINES = ("price_adjustment", "damaged_item", "goodwill")


def _late_fees(db: Database, order_id: OrderId) -> Decimal:
    late = [row for row in db.refunds.where(order_id=order_id) if row.reason == "late_delivery"]
    return sum((row.amount for row in late), Decimal(0))


def _standing(order: Order) -> list[OrderLine]:
    return [line for line in order.lines if line.status != "cancelled"]


def _held_back(db: Database, order: Order) -> Decimal:
    # What was paid for cancelled lines and not paid back, as more than half had gone back before.
    cancelled = [line for line in order.lines if line.status == "cancelled"]
    bought = [line.line_number for line in cancelled if line.replaces is None]
    back = [row for row in db.refunds.where(order_id=order.order_id) if row.line_number in bought]
    more = [
        max(row.difference, Decimal(0))
        for row in db.exchanges.where(order_id=order.order_id)
        if row.status == "completed"
    ]
    charged = _paid(db, order.order_id) - sum(more, Decimal(0))
    swapped = [line for line in cancelled if line.replaces is not None]
    held = charged - sum((row.amount for row in back), Decimal(0)) - order.total
    return held - _taken_off_of(db, order, swapped)


def _taken_off_of(db: Database, order: Order, lines: list[OrderLine]) -> Decimal:
    # What was held back for lines that never came: nothing else was taken off them.
    return sum(
        (
            row.taken_off
            for line in lines
            for row in _for_line(db, order.order_id, line.line_number)
        ),
        Decimal(0),
    )


def _half_left(db: Database, order: Order) -> Decimal:
    # How much of half the total has not gone back without a return.
    numbers = [line.line_number for line in _standing(order)]
    adjusted = sum(
        (
            row.amount
            for row in db.refunds.where(order_id=order.order_id)
            if row.reason in FOR_LINES and row.line_number in numbers
        ),
        _late_fees(db, order.order_id),
    )
    half = money((order.total - _lost_in_exchange(order, [])) / 2)
    return max(half + _held_back(db, order) - adjusted, Decimal(0))


def _lost_in_exchange(order: Order, dropped: list[OrderLine]) -> Decimal:
    # What was paid at first for units whose exchange got lost: they are in the order's total.
    return sum(
        (
            money(_net(bought) * line.quantity / bought.quantity)
            for line in order.lines
            if line.replaces is not None and (line.status == "cancelled" or line in dropped)
            for bought in [_bought_as(order, line)]
        ),
        Decimal(0),
    )


def _bought_as(order: Order, line: OrderLine) -> OrderLine:
    # The line of the checkout that a line came for, over one exchange or several.
    found = line
    for older in reversed(order.lines):
        if older.line_number == found.replaces:
            found = older
    return found


def _hold_back(db: Database, order: Order, dropped: list[OrderLine], total: Decimal) -> Decimal:
    # What went back for the lines that stay, and came off nothing since, is set off now where it
    # is above half of what they cost. What went back for lateness comes off nothing.
    rows = [
        row
        for line in _standing(order)
        if line not in dropped
        for row in _for_line(db, order.order_id, line.line_number)
    ]
    on_lines = sum((row.amount - row.taken_off for row in rows), Decimal(0))
    out = on_lines + _late_fees(db, order.order_id)
    over = out - money((total - _lost_in_exchange(order, dropped)) / 2)
    held = max(min(over, on_lines), Decimal(0))
    _take_off(db, rows, held)
    return held
