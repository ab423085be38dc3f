"""Sums that come in pieces, and what discounts and no-shows leave to pay."""


def goodwill_is_200_a_month_at_most(db: Database, past: Past, event: Event) -> bool:
    """A guest gets no more than 200.00 of goodwill vouchers in 30 days (clause 6.11)."""
    return all(
        sum(
            (
                voucher.value
                for voucher in db.vouchers.where(guest_id=change.after.guest_id, reason="goodwill")
                if voucher.status != "void" and voucher.issued_on > db.today() - timedelta(days=30)
            ),
            Decimal(0),
        )
        <= 200
        for change in _new(event, "vouchers")
        if change.after.reason == "goodwill"
    )


def who_did_not_come_pays_the_fee_at_most(db: Database, past: Past, event: Event) -> bool:
    """Once the day of arrival is over, no more is taken than a no-show costs (clause 4.12)."""
    return all(
        -folio.due
        <= money(booking.total * _terms(db, booking).late_cancel_percent / 100)
        + sum((service.price for service in services), Decimal(0))
        for change in _new(event, "payments")
        for folio in [db.folios.get(change.after.folio_id)]
        for booking in [db.reservations.get(folio.reservation_id)]
        for services in [
            db.service_bookings.where(reservation_id=booking.reservation_id, status="booked")
        ]
        if booking.status == "confirmed" and booking.arrival < db.today()
    )


def _lines_of_a_stay(db: Database, stay: Stay) -> Decimal:
    """Return what goes with a day of leaving: late hours, and services that are to come."""
    folio = _folio_of(db, stay.reservation_id)
    return sum(
        (
            line.amount
            for line in db.charges.where(folio_id=folio.folio_id)
            if not line.voided and (line.kind == "late_checkout" or _is_ahead(db, line))
        ),
        Decimal(0),
    )


def _is_ahead(db: Database, line: Charge) -> bool:
    if line.booking_id is None:
        return False
    service = db.service_bookings.get(line.booking_id)
    return service.status == "completed" and service.starts_at > db.now()


def discounts_keep_nobody_from_paying_more(db: Database, past: Past, event: Event) -> bool:
    """No discount is in the way of hours or nights that come to more than it (clause 6.4)."""
    if event.tool not in ("grant_late_checkout", "extend_stay") or (
        event.code != "discount_too_large"
    ):
        return True
    stay = db.stays.get(event.argument("stay_id"))
    booking = db.reservations.get(stay.reservation_id)
    left = _folio_of(db, stay.reservation_id).charged - _lines_of_a_stay(db, stay)
    if event.tool == "grant_late_checkout":
        is_free = db.guests.get(booking.guest_id).tier in ("gold", "platinum")
        added = Decimal(0) if is_free else Decimal(20 * event.argument("hours"))
        return left + added < 0
    last = date.fromisoformat(event.argument("departure"))
    nights = [booking.departure + timedelta(days=n) for n in range((last - booking.departure).days)]
    added = sum(
        (_price_of_night(db, booking, stay.booked_type_id, night) for night in nights), Decimal(0)
    )
    return left + added < 0
