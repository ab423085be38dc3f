"""Money that goes back, the way it came."""

from __future__ import annotations

from decimal import Decimal

from ..database.models import (
    Database,
    FolioId,
    Payment,
    PaymentId,
    Refund,
    RefundCause,
    RefundReason,
)
from ..errors import Rejected
from ..values import Money, Page, money, page
from .fees import _kept_before_arrival
from .folios import _open_folio, _post
from .inputs import _amount
from .loyalty import POINTS_A_EURO, _add_points


def _refund(db: Database, payment: Payment, amount: Money, reason: RefundReason) -> Refund:
    folio = db.folios.get(payment.folio_id)
    if payment.voucher_id is not None:
        voucher = db.vouchers.get(payment.voucher_id)
        db.vouchers.update(
            payment.voucher_id, balance=money(voucher.balance + amount), status="active"
        )
    if payment.method == "points":
        reservation = db.reservations.get(folio.reservation_id)
        points = int(amount * POINTS_A_EURO)
        _add_points(db, reservation.guest_id, reservation.reservation_id, points, "returned")
    _post(db, folio.folio_id, Decimal(0), -amount)
    db.payments.update(payment.payment_id, refunded=money(payment.refunded + amount))
    return db.refunds.add(
        payment_id=payment.payment_id, amount=money(amount), reason=reason, made_at=db.now()
    )


def _give_back(db: Database, folio_id: FolioId, amount: Money, reason: RefundReason) -> None:
    left = amount
    for payment in reversed(db.payments.where(folio_id=folio_id)):
        part = min(left, payment.amount - payment.refunded)
        if part > 0:
            _refund(db, payment, part, reason)
            left = left - part


def list_refunds(
    db: Database, folio_id: FolioId, cursor: str | None = None, limit: int = 50
) -> Page[Refund]:
    """List the refunds of a folio, payment by payment.

    Args:
        folio_id: The folio, such as "FOL-00042".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The folio is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.folios.get(folio_id)
    refunds = [
        refund
        for payment in db.payments.where(folio_id=folio_id)
        for refund in db.refunds.where(payment_id=payment.payment_id)
    ]
    return page(refunds, cursor, limit)


def refund_payment(
    db: Database, payment_id: PaymentId, amount: Money, reason: RefundCause
) -> Refund:
    """Give back what was paid too much, the way it was paid.

    Before check-in the deposit stays, and so does what cancelling or not coming costs by now. After
    that only what exceeds the charges can go back: void a wrong charge or give a discount first.
    What was noted on the wrong folio can all go back for that reason, and is due there again.

    Args:
        payment_id: The payment, such as "PAY-00120".
        amount: How much to give back, in EUR.
        reason: Why.

    Raises:
        Rejected: The payment is unknown, or its folio is closed.
        Rejected: The amount is not above zero, or more than was paid too much, unless it was noted
            on the wrong folio.
        Rejected: The amount is more than is left of the payment.
    """
    payment = db.payments.get(payment_id)
    folio = _open_folio(db, payment.folio_id)
    reservation = db.reservations.get(folio.reservation_id)
    back = _amount(amount, "amount")
    over = max(Decimal(0), folio.paid - folio.charged - _kept_before_arrival(db, reservation))
    if reason != "wrong_folio" and back > over:
        way = "void a wrong charge or give a discount first if more is to go back."
        if reservation.status in ("cancelled", "no_show"):
            way = "the fee stays."
        if reservation.status == "confirmed":
            way = "before check-in the deposit, and what cancelling costs by now, stay."
        raise Rejected(
            "more_than_overpaid",
            f"Only {over} EUR was paid too much on folio {folio.folio_id}; {way}",
            over=over,
        )
    if back > payment.amount - payment.refunded:
        raise Rejected(
            "more_than_paid",
            f"Only {payment.amount - payment.refunded} EUR is left of payment {payment_id}; refund "
            "the rest on another one.",
            left=payment.amount - payment.refunded,
        )
    return _refund(db, payment, back, reason)
