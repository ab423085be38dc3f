"""Loyalty points and tiers."""

POINTS_A_EURO = 100
POINTS_EARNED = {"classic": 5, "silver": 6, "gold": 8, "platinum": 10}


def list_points_entries(
    db: Database, guest_id: GuestId, cursor: str | None = None, limit: int = 50
) -> Page[PointsEntry]:
    """List how a guest's points came and went, by number.

    Args:
        guest_id: The guest, such as "GST-00012".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The guest is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.guests.get(guest_id)
    return page(db.points_entries.where(guest_id=guest_id), cursor, limit)


def _add_points(
    db: Database,
    guest_id: GuestId,
    reservation_id: ReservationId | None,
    change: int,
    reason: PointsReason,
) -> None:
    guest = db.guests.get(guest_id)
    db.guests.update(guest_id, points=guest.points + change)
    db.points_entries.add(
        guest_id=guest_id,
        reservation_id=reservation_id,
        change=change,
        reason=reason,
        made_at=db.now(),
    )


def _tier(nights: int) -> LoyaltyTier:
    if nights >= 50:
        return "platinum"
    if nights >= 25:
        return "gold"
    return "silver" if nights >= 10 else "classic"


def _credit_stay(db: Database, reservation: Reservation, folio_id: FolioId) -> None:
    guest = db.guests.get(reservation.guest_id)
    last = min(db.today(), reservation.departure)
    nights = guest.nights_stayed + max(0, (last - reservation.arrival).days)
    spent = sum(
        (
            charge.amount
            for charge in db.charges.where(folio_id=folio_id)
            if charge.kind in ("room_night", "discount") and not charge.voided
        ),
        Decimal(0),
    )
    points = int(spent * POINTS_EARNED[guest.tier])
    db.guests.update(guest.guest_id, nights_stayed=nights, tier=_tier(nights))
    if points > 0:
        _add_points(db, guest.guest_id, reservation.reservation_id, points, "stay")
