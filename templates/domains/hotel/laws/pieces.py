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


def points_are_for_nights_less_discounts(db: Database, past: Past, event: Event) -> bool:
    """Who leaves gets points for what the nights cost less the discounts (clause 6.16)."""
    a_euro = {"classic": 5, "silver": 6, "gold": 8, "platinum": 10}
    tiers = {change.key: change.before.tier for change in _changed(event, "guests")}
    given = sum(
        change.after.change
        for change in _new(event, "points_entries")
        if change.after.reason == "stay"
    )
    return all(
        given == max(0, int(cost * a_euro[tiers[booking.guest_id]]))
        for booking in [db.reservations.get(reservation_id) for reservation_id in _left(event)]
        for lines in [[*_lines(db, booking, "room_night"), *_lines(db, booking, "discount")]]
        for cost in [sum((line.amount for line in lines), Decimal(0))]
    )


def services_are_settled_before_the_folio(db: Database, past: Past, event: Event) -> bool:
    """Nobody pays to check out while a service is open that may add to the folio (clause 5.9)."""
    if event.tool != "check_out" or event.code not in ("not_settled", "overpaid"):
        return True
    stay = db.stays.get(event.argument("stay_id"))
    return not db.service_bookings.where(reservation_id=stay.reservation_id, status="booked")


def only_vouchers_that_may_be_are_extended(db: Database, past: Past, event: Event) -> bool:
    """No promotion is extended, and nothing that ran out over 90 days ago (clause 6.6)."""
    return all(
        change.before.reason != "promotion"
        and change.before.expires_on >= db.today() - timedelta(days=90)
        for change in _changed(event, "vouchers")
        if change.before.expires_on != change.after.expires_on
    )


def who_leaves_gets_back_what_is_over(db: Database, past: Past, event: Event) -> bool:
    """Nobody is kept from checking out because too much was paid: it goes back then (5.9)."""
    return event.tool != "check_out" or event.code != "overpaid"


def what_was_called_off_and_paid_has_no_open_folio(db: Database, past: Past, event: Event) -> bool:
    """With what is still due of a booking called off its folio is closed (clause 6.10)."""
    folios = [db.folios.get(change.after.folio_id) for change in _new(event, "payments")]
    return all(
        folio.due != 0 or folio.status == "closed"
        for folio in folios
        if db.reservations.get(folio.reservation_id).status in ("cancelled", "no_show")
    )
