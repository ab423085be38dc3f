"""Rows that several recipes look at."""


def _at(db: Database, day: date, hour: int, minute: int) -> datetime:
    now = db.now()
    midnight = now - timedelta(hours=now.hour, minutes=now.minute, seconds=now.second)
    return midnight + timedelta(days=(day - db.today()).days, hours=hour, minutes=minute)


def _tier(nights: int) -> LoyaltyTier:
    if nights >= 50:
        return "platinum"
    if nights >= 25:
        return "gold"
    return "silver" if nights >= 10 else "classic"


def _leaves_late(db: Database, reservation: Reservation, n: int) -> bool:
    return n % 9 == 6 and reservation.departure <= db.today()


def _left_at(db: Database, reservation: Reservation, n: int) -> datetime:
    """Return when a guest has checked out: in the morning, or after noon if late."""
    hour = 13 if _leaves_late(db, reservation, n) else 8 + n % 4
    return _at(db, reservation.departure, hour, n % 60)


def _void_line(
    db: Database, folio_id: FolioId, posted_at: datetime, came: bool, amount: Money
) -> None:
    line = "Minibar: prosecco" if came else "No-show fee, worked out too high"
    db.charges.add(
        folio_id=folio_id,
        kind="minibar" if came else "no_show_fee",
        description=line if amount > 5 else "Minibar: salted almonds",
        quantity=1,
        unit_price=amount,
        amount=amount,
        posted_at=posted_at,
        voided=True,
        void_reason="The guest never took it." if came else "The fee was worked out wrongly.",
    )
