"""What is left of the money paid for a line, and how it goes back."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from ..database.models import (
    Database,
    GiftCardId,
    Order,
    OrderId,
    OrderLine,
    Payment,
    ProductReturnId,
    Refund,
    RefundReason,
    RefundTarget,
)
from ..values import money
from .carts import _spread
from .gift_cards import GIFT_CARD_DAYS, _card_is_usable, _store_credit


def _net(line: OrderLine) -> Decimal:
    return line.unit_price * line.quantity - line.discount


def _units_settled(db: Database, order_id: OrderId, line_number: int) -> int:
    back = sum(
        part.quantity
        for row in db.returns.where(order_id=order_id)
        if row.status == "refunded"
        for part in row.lines
        if part.line_number == line_number and part.accepted
    )
    swapped = sum(
        row.quantity
        for row in db.exchanges.where(order_id=order_id)
        if row.status == "completed" and row.line_number == line_number
    )
    return back + swapped


def _for_line(db: Database, order_id: OrderId, line_number: int) -> list[Refund]:
    # What went back for a line though no units of it did.
    return [row for row in db.refunds.where(order_id=order_id) if row.line_number == line_number]


def _kept_damaged(db: Database, order_id: OrderId, line_number: int) -> bool:
    # Whether money went back for a line because it arrived damaged and is kept.
    return any(row.reason == "damaged_item" for row in _for_line(db, order_id, line_number))


def _back_before(db: Database, order_id: OrderId, line_number: int) -> Decimal:
    # What went back for the units that are still there: it comes off what they bring.
    rows = _for_line(db, order_id, line_number)
    return sum((row.amount - row.taken_off for row in rows), Decimal(0))


def _take_off(db: Database, rows: list[Refund], amount: Decimal) -> None:
    # Book that so much of what went back before came off something else.
    if amount > 0:
        parts = _spread(amount, [row.amount - row.taken_off for row in rows])
        for place, row in enumerate(rows):
            db.refunds.update(row.refund_id, taken_off=row.taken_off + parts[place])


def _still_worth(db: Database, order: Order, line: OrderLine) -> Decimal:
    # What was paid for the units that have not come back.
    settled = _units_settled(db, order.order_id, line.line_number)
    return _net(line) - money(_net(line) * settled / line.quantity)


def _worth_of(db: Database, order: Order, line: OrderLine, quantity: int, done: int = 0) -> Decimal:
    # Counting from the units settled before makes the parts of a line add up to the line. Of units
    # that are being settled, so many are done already.
    before = _units_settled(db, order.order_id, line.line_number) + done
    upto = money(_net(line) * (before + quantity) / line.quantity)
    return upto - money(_net(line) * before / line.quantity)


def _share_of(db: Database, order: Order, line: OrderLine, quantity: int, done: int = 0) -> Decimal:
    # What went back for a line is spread evenly over the units of it that are still there.
    there = line.quantity - _units_settled(db, order.order_id, line.line_number) - done
    back = _back_before(db, order.order_id, line.line_number)
    return min(money(back * quantity / there), _worth_of(db, order, line, quantity, done))


def _paid_for(db: Database, order: Order, line: OrderLine, quantity: int) -> Decimal:
    return _worth_of(db, order, line, quantity) - _share_of(db, order, line, quantity)


def _goes_back_to_source(db: Database, payment: Payment, refund_to: RefundTarget) -> bool:
    # Store credit in place of a gift card would only be good for longer.
    if payment.gift_card_id is None:
        return refund_to == "original_payment"
    card = db.gift_cards.get(payment.gift_card_id)
    return _card_is_usable(db, card) and db.customers.get(card.customer_id).status == "active"


def _good_until(db: Database, payment: Payment) -> date:
    # What a gift card paid is not good for longer on a new one, unless there is no day left.
    if payment.gift_card_id is not None:
        expires_on = db.gift_cards.get(payment.gift_card_id).expires_on
        if expires_on >= db.today():
            return expires_on
    return db.today() + timedelta(days=GIFT_CARD_DAYS)


def _refund_part(
    db: Database,
    payment: Payment,
    amount: Decimal,
    card_id: GiftCardId | None,
    reason: RefundReason,
    line_number: int | None,
    return_id: ProductReturnId | None,
) -> None:
    refunded = payment.refunded + amount
    db.payments.update(
        payment.payment_id,
        refunded=refunded,
        status="refunded" if refunded == payment.amount else "part_refunded",
    )
    db.refunds.add(
        order_id=payment.order_id,
        payment_id=payment.payment_id,
        line_number=line_number,
        return_id=return_id,
        gift_card_id=card_id,
        amount=amount,
        taken_off=Decimal(0),
        reason=reason,
        refunded_at=db.now(),
    )
    if card_id is not None:
        db.gift_cards.update(card_id, balance=db.gift_cards.get(card_id).balance + amount)


def _pay_back(
    db: Database,
    order: Order,
    shares: list[tuple[int | None, Decimal]],
    reason: RefundReason,
    refund_to: RefundTarget = "original_payment",
    return_id: ProductReturnId | None = None,
) -> None:
    # Each share is a line's, or the whole order's where there is no line. Of no payment more goes
    # back than is left of it.
    credits: dict[date, GiftCardId] = {}
    for line_number, amount in shares:
        left = amount
        # Saved methods get their money back before gift cards do.
        for payment in sorted(
            db.payments.where(order_id=order.order_id),
            key=lambda row: (row.gift_card_id is not None, row.paid_at, row.amount),
        ):
            part = min(left, payment.amount - payment.refunded)
            if part > 0:
                card_id = payment.gift_card_id
                if not _goes_back_to_source(db, payment, refund_to):
                    until = _good_until(db, payment)
                    if until not in credits:
                        new = _store_credit(db, order.customer_id, until)
                        credits[until] = new.gift_card_id
                    card_id = credits[until]
                _refund_part(db, payment, part, card_id, reason, line_number, return_id)
                left -= part
