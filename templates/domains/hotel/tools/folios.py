"""Folios: the accounts of reservations, opened and closed."""

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
        raise Rejected(f"Folio {folio_id} is closed; reopen it first if it has to be corrected.")
    return folio


def get_folio(db: Database, reservation_id: ReservationId) -> Folio:
    """Show the folio of a reservation: what was charged, what was paid and what is due.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".

    Raises:
        Rejected: The reservation is unknown.
    """
    db.reservations.get(reservation_id)
    return _folio(db, reservation_id)


def reopen_folio(db: Database, folio_id: FolioId) -> Folio:
    """Open a closed folio again to correct it, up to 30 days after it was closed.

    Args:
        folio_id: The folio, such as "FOL-00042".

    Raises:
        Rejected: The folio is unknown, open, or closed for more than 30 days.
    """
    folio = db.folios.get(folio_id)
    if folio.closed_at is None:
        raise Rejected(f"Folio {folio_id} is open; it can be corrected as it is.")
    if db.now() - folio.closed_at > timedelta(days=REOPEN_DAYS):
        raise Rejected(f"Folio {folio_id} was closed over {REOPEN_DAYS} days ago; issue a voucher.")
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
    if db.reservations.get(folio.reservation_id).status in ACTIVE:
        raise Rejected(f"The guest of folio {folio_id} is to come or in the house; check out.")
    if folio.due != 0:
        raise Rejected(f"Folio {folio_id} has {folio.due} EUR due; settle it first.")
    return db.folios.update(folio_id, status="closed", closed_at=db.now())
