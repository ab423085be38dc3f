"""Folios: the accounts of reservations, opened and closed."""

from __future__ import annotations

from datetime import datetime, timedelta

from ..database.models import Database, Folio, FolioId, Reservation, ReservationId
from ..errors import Rejected
from ..values import Money, money
from .rooms import ACTIVE
from .services import _at

REOPEN_DAYS = 30


def _folio(db: Database, reservation_id: ReservationId) -> Folio:
    return db.folios.where(reservation_id=reservation_id)[0]


def _post(db: Database, folio_id: FolioId, charged: Money, paid: Money) -> Folio:
    """Add to what is charged and paid on a folio."""
    folio = db.folios.get(folio_id)
    charged, paid = money(folio.charged + charged), money(folio.paid + paid)
    return db.folios.update(folio_id, charged=charged, paid=paid, due=money(charged - paid))


def _open_folio(db: Database, folio_id: FolioId) -> Folio:
    folio = db.folios.get(folio_id)
    if folio.status != "open":
        raise Rejected(
            "folio_closed",
            f"Folio {folio_id} is closed; it is opened again only within {REOPEN_DAYS} days of the "
            "stay.",
        )
    return folio


def _check_paid(folio: Folio, without: str) -> None:
    if folio.due > 0:
        raise Rejected(
            "not_settled",
            f"{folio.due} EUR is due{without}; take the payment first.",
            due=folio.due,
        )


def _check_settled(folio: Folio) -> None:
    _check_paid(folio, "")
    if folio.due < 0:
        raise Rejected(
            "overpaid", f"{-folio.due} EUR was paid too much; refund it first.", over=-folio.due
        )


def get_folio(db: Database, reservation_id: ReservationId) -> Folio:
    """Show the folio of a reservation: what was charged, what was paid and what is due.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".

    Raises:
        Rejected: The reservation is unknown.
    """
    db.reservations.get(reservation_id)
    return _folio(db, reservation_id)


def _over_at(db: Database, reservation: Reservation) -> datetime:
    """Return when a guest left, or when it was known that they would not come."""
    stays = db.stays.where(reservation_id=reservation.reservation_id)
    ended_at = stays[0].checked_out_at if stays else reservation.cancelled_at
    return ended_at or _at(db, reservation.arrival + timedelta(days=1), 0)


def reopen_folio(db: Database, folio_id: FolioId) -> Folio:
    """Open a closed folio again to correct it, up to 30 days after the stay.

    If there was none, the days count from the cancellation, or from the end of the day of arrival.

    Args:
        folio_id: The folio, such as "FOL-00042".

    Raises:
        Rejected: The folio is unknown or open, or the stay was over more than 30 days ago.
    """
    folio = db.folios.get(folio_id)
    if folio.closed_at is None:
        raise Rejected("folio_open", f"Folio {folio_id} is open already.")
    over_at = _over_at(db, db.reservations.get(folio.reservation_id))
    if (db.today() - over_at.date()).days > REOPEN_DAYS:
        raise Rejected(
            "closed_too_long",
            f"The stay of folio {folio_id} was over more than {REOPEN_DAYS} days ago; it stays "
            "closed.",
            day=over_at.date(),
            limit=REOPEN_DAYS,
        )
    return db.folios.update(folio_id, status="open", closed_at=None)


def close_folio(db: Database, folio_id: FolioId) -> Folio:
    """Close the settled folio of a reservation that is over.

    Args:
        folio_id: The folio, such as "FOL-00042".

    Raises:
        Rejected: The folio is unknown or closed.
        Rejected: The guest is still to come or in the house.
        Rejected: The folio is not settled.
    """
    folio = _open_folio(db, folio_id)
    status = db.reservations.get(folio.reservation_id).status
    if status in ACTIVE:
        way = "check them out" if status == "checked_in" else "it stays open until they have left"
        raise Rejected(
            "stay_not_over",
            f"The guest of folio {folio_id} is to come or in the house; {way}.",
            status=status,
        )
    _check_settled(folio)
    return db.folios.update(folio_id, status="closed", closed_at=db.now())
