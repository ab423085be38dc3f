"""Charges on folios: posting them, and discounts."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from ..database.models import Charge, ChargeKind, Database, ExtraKind, Folio, FolioId
from ..errors import Rejected
from ..values import Money, Page, money, page
from .folios import _open_folio, _post
from .inputs import _amount, _text


def _charge(
    db: Database,
    folio_id: FolioId,
    kind: ChargeKind,
    description: str,
    quantity: int,
    unit_price: Money,
    night: date | None,
    booking_id: str | None,
) -> Charge:
    amount = money(quantity * unit_price)
    _post(db, folio_id, amount, Decimal(0))
    return db.charges.add(
        folio_id=folio_id,
        kind=kind,
        description=description,
        quantity=quantity,
        unit_price=money(unit_price),
        amount=amount,
        posted_at=db.now(),
        night=night,
        booking_id=booking_id,
        voided=False,
    )


def _void(db: Database, charge: Charge, reason: str) -> Charge:
    _post(db, charge.folio_id, -charge.amount, Decimal(0))
    return db.charges.update(charge.charge_id, voided=True, void_reason=reason)


def _chargeable(db: Database, folio_id: FolioId) -> Folio:
    status = db.reservations.get(db.folios.get(folio_id).reservation_id).status
    if status not in ("checked_in", "checked_out"):
        raise Rejected(
            "not_checked_in",
            f"The guest of folio {folio_id} has not checked in; only stays are charged by hand.",
            status=status,
        )
    return _open_folio(db, folio_id)


def _check_discount_fits(folio: Folio, taken: Money) -> None:
    """Refuse to take off more than is charged, less than which a discount would leave."""
    if taken > folio.charged:
        raise Rejected(
            "discount_too_large",
            "A discount is larger than what would remain; a colleague voids it first, and gives a "
            "smaller one.",
            left=folio.charged,
        )


def list_charges(
    db: Database, folio_id: FolioId, cursor: str | None = None, limit: int = 50
) -> Page[Charge]:
    """List the charges of a folio by number, voided ones too.

    Args:
        folio_id: The folio, such as "FOL-00042".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The folio is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.folios.get(folio_id)
    return page(db.charges.where(folio_id=folio_id), cursor, limit)


def post_charge(
    db: Database,
    folio_id: FolioId,
    kind: ExtraKind,
    description: str,
    unit_price: Money,
    quantity: int = 1,
) -> Charge:
    """Charge a guest for something consumed or broken.

    Args:
        folio_id: The folio, such as "FOL-00042".
        kind: What it is for.
        description: The line as it will be printed.
        unit_price: The price of one, in EUR.
        quantity: How many, 1 to 100; one unless given.

    Raises:
        Rejected: The folio is unknown or closed, or its guest has not checked in.
        Rejected: The description is empty or too long.
        Rejected: The quantity is not 1 to 100, or the price not above zero or too large.
    """
    folio = _chargeable(db, folio_id)
    if not 1 <= quantity <= 100:
        raise Rejected(
            "quantity_out_of_range", f"A quantity is 1 to 100, not {quantity}.", limit=100
        )
    line = _text(description, "description")
    _amount(unit_price * quantity, "charge")
    return _charge(db, folio.folio_id, kind, line, quantity, unit_price, None, None)


def give_discount(db: Database, folio_id: FolioId, amount: Money, reason: str) -> Charge:
    """Take an amount off a guest's folio, as a line of its own.

    Args:
        folio_id: The folio, such as "FOL-00042".
        amount: How much to take off, in EUR.
        reason: Why, as it will be printed.

    Raises:
        Rejected: The folio is unknown or closed, or its guest has not checked in.
        Rejected: The amount is not above zero, or more than what is charged.
        Rejected: The reason is empty or too long.
    """
    folio = _chargeable(db, folio_id)
    line, off = _text(reason, "reason"), _amount(amount, "amount")
    if off > folio.charged:
        raise Rejected(
            "discount_too_large",
            f"Only {folio.charged} EUR is charged; give no larger discount.",
            left=folio.charged,
        )
    return _charge(db, folio.folio_id, "discount", line, 1, -off, None, None)
