"""What holds in the hotels at every moment, whatever was called before."""

OVER = ("checked_out", "cancelled", "no_show")
MOST_NIGHTS = 30


def _can_go_free(db: Database, booking: Reservation) -> bool:
    """Return whether a reservation could still be cancelled free of charge today."""
    days = db.rate_plans.get(booking.rate_plan_id).free_cancel_days
    return days is not None and db.today() <= booking.arrival - timedelta(days=days)


def _booking_of(db: Database, folio_id: FolioId) -> Reservation:
    return db.reservations.get(db.folios.get(folio_id).reservation_id)


def _new(event: Event, table: str) -> list[Written]:
    """Return what a call added to a table."""
    return [change for change in event.changes if change.table == table and change.before is None]


def _changed(event: Event, table: str) -> list[Written]:
    """Return what a call changed of a table's rows that were there, and still are."""
    return [
        change
        for change in event.changes
        if change.table == table and change.before is not None and change.after is not None
    ]


def _arrived(event: Event) -> list[ReservationId]:
    """Return the bookings of those who check in."""
    return [change.after.reservation_id for change in _new(event, "stays")]


def _left(event: Event) -> list[ReservationId]:
    """Return the bookings of those who check out."""
    return [
        change.after.reservation_id
        for change in _changed(event, "stays")
        if change.before.status == "in_house" and change.after.status == "departed"
    ]


def stays_last_a_month_at_most(db: Database, booking: Reservation) -> bool:
    """A stay has 1 to 30 nights (clause 3.1)."""
    return 1 <= len(booking.nights) <= MOST_NIGHTS


def points_for_a_stay_come_once(db: Database, booking: Reservation) -> bool:
    """Points are given once for a stay, when the guest has left (clause 6.16)."""
    given = [
        entry
        for entry in db.points_entries.where(guest_id=booking.guest_id)
        if entry.reservation_id == booking.reservation_id and entry.reason == "stay"
    ]
    return len(given) == 0 or (len(given) == 1 and booking.status == "checked_out")


def no_night_is_charged_twice(db: Database, folio: Folio) -> bool:
    """A folio has each night once."""
    nights = [
        charge.night
        for charge in db.charges.where(folio_id=folio.folio_id)
        if charge.kind == "room_night" and not charge.voided
    ]
    return len(set(nights)) == len(nights)


def nights_charged_are_those_of_the_stay(db: Database, folio: Folio) -> bool:
    """A folio charges no night that is no night of the stay."""
    booking = db.reservations.get(folio.reservation_id)
    nights = [rate.night for rate in booking.nights]
    return booking.status != "checked_in" or all(
        charge.night in nights
        for charge in db.charges.where(folio_id=folio.folio_id)
        if charge.kind == "room_night" and not charge.voided
    )


def no_service_is_left_after_the_stay(db: Database, booking: Reservation) -> bool:
    """When a stay is over or called off, no service is still booked (clause 5.9)."""
    return booking.status not in OVER or all(
        service.status != "booked"
        for service in db.service_bookings.where(reservation_id=booking.reservation_id)
    )


def services_are_for_those_who_stay(db: Database, service: ServiceBooking) -> bool:
    """A service is for no more people than stay (clause 4.7)."""
    party = db.reservations.get(service.reservation_id)
    return service.status != "booked" or service.persons <= party.adults + party.children


def rooms_are_in_use_or_free(db: Database, stay: Stay) -> bool:
    """Who is in the house is in a room of the type booked or in a better one (clause 5.3)."""
    booking = db.reservations.get(stay.reservation_id)
    room_type = db.rooms.get(stay.room_id).room_type_id
    return stay.status != "in_house" or room_type == booking.room_type_id


def late_checkout_is_of_the_last_day(db: Database, past: Past, event: Event) -> bool:
    """Who stays longer or leaves earlier is granted late check-out anew (clause 5.8)."""
    moved = [
        change.after.reservation_id
        for change in _changed(event, "reservations")
        if change.before.departure != change.after.departure
    ]
    return all(
        stay.late_checkout_hours == 0
        for reservation_id in moved
        for stay in db.stays.where(reservation_id=reservation_id)
    )


def terms_first_agreed_hold(db: Database, past: Past, event: Event) -> bool:
    """What could not be cancelled free of charge cannot be after a change (clause 4.3)."""
    return all(
        _can_go_free(db, change.before) or not _can_go_free(db, change.after)
        for change in _changed(event, "reservations")
        if change.before.status == "confirmed" and change.after.status == "confirmed"
    )


def the_fee_is_kept(db: Database, past: Past, event: Event) -> bool:
    """Of a booking that is called off too late, the fee stays on the folio (clause 4.9)."""
    late = [
        change.before
        for change in _changed(event, "reservations")
        if change.before.status == "confirmed"
        and change.after.status in ("cancelled", "no_show")
        and not _can_go_free(db, change.before)
    ]
    return all(
        folio.charged
        >= money(booking.total * db.rate_plans.get(booking.rate_plan_id).late_cancel_percent / 100)
        for booking in late
        for folio in db.folios.where(reservation_id=booking.reservation_id)
    )


def banned_guests_get_nothing_new(db: Database, past: Past, event: Event) -> bool:
    """A banned guest is not booked and gets no voucher (clause 1.6)."""
    return all(
        not db.guests.get(change.after.guest_id).banned
        for change in event.changes
        if change.table in ("reservations", "vouchers") and change.before is None
    )


def banned_guests_do_not_check_in(db: Database, past: Past, event: Event) -> bool:
    """A banned guest is not checked in (clause 1.6)."""
    return all(
        not db.guests.get(db.reservations.get(change.after.reservation_id).guest_id).banned
        for change in _new(event, "stays")
    )


def vouchers_are_spent_by_their_owner(db: Database, past: Past, event: Event) -> bool:
    """A voucher pays for its owner alone, and within its date (clause 6.5)."""
    spent = [
        change.after for change in _new(event, "payments") if change.after.voucher_id is not None
    ]
    return all(
        db.vouchers.get(payment.voucher_id).guest_id == _booking_of(db, payment.folio_id).guest_id
        and db.vouchers.get(payment.voucher_id).expires_on >= db.today()
        for payment in spent
    )


def dead_vouchers_gain_nothing(db: Database, past: Past, event: Event) -> bool:
    """Nothing is put back on a voucher that is void or has run out (clause 6.4)."""
    return all(
        change.after.balance <= change.before.balance
        or (change.before.status != "void" and change.after.expires_on >= db.today())
        for change in _changed(event, "vouchers")
    )


def vouchers_are_within_bounds(db: Database, past: Past, event: Event) -> bool:
    """A voucher is worth 10 to 1,000 when new, as goodwill at most 200 (clause 6.11)."""
    return all(
        10 <= change.after.value <= (200 if change.after.reason == "goodwill" else 1000)
        for change in _new(event, "vouchers")
    )


def closed_folios_take_nothing(db: Database, past: Past, event: Event) -> bool:
    """A closed folio takes no charges and payments (clause 6.10)."""
    closed = [
        change.before.folio_id
        for change in _changed(event, "folios")
        if change.before.status == "closed"
    ]
    return all(
        change.after.folio_id not in closed
        for change in event.changes
        if change.table in ("charges", "payments") and change.before is None
    )


def nights_and_tax_are_not_voided(db: Database, past: Past, event: Event) -> bool:
    """Nights and city tax are never voided by hand (clause 6.9)."""
    return event.tool != "void_charge" or all(
        change.after.kind not in ("room_night", "city_tax")
        for change in event.changes
        if change.table == "charges"
    )


def who_checks_in_has_paid_the_deposit(db: Database, past: Past, event: Event) -> bool:
    """Nobody checks in who owes the deposit (clause 5.1)."""
    return all(
        folio.paid >= db.reservations.get(reservation_id).deposit_due
        for reservation_id in _arrived(event)
        for folio in db.folios.where(reservation_id=reservation_id)
    )


def who_leaves_has_settled(db: Database, past: Past, event: Event) -> bool:
    """Nobody checks out who owes anything or is owed anything (clause 5.9)."""
    return all(
        folio.due == 0
        for reservation_id in _left(event)
        for folio in db.folios.where(reservation_id=reservation_id)
    )


def money_goes_back_only_where_too_much_was_paid(db: Database, past: Past, event: Event) -> bool:
    """What goes back is at most what was paid above the charges (clause 6.4)."""
    folios = [
        db.payments.get(change.after.payment_id).folio_id for change in _new(event, "refunds")
    ]
    return all(
        db.folios.get(folio_id).due <= 0
        or _booking_of(db, folio_id).status in ("confirmed", "cancelled", "no_show")
        for folio_id in folios
    )


def called_off_bookings_keep_no_room(db: Database, booking: Reservation) -> bool:
    """A booking that was called off has no room set aside (clause 4.11)."""
    return booking.status not in ("cancelled", "no_show") or booking.room_id is None


def who_arrives_is_charged_each_night(db: Database, past: Past, event: Event) -> bool:
    """Who checks in is charged each night of the stay."""
    arrived = [db.reservations.get(reservation_id) for reservation_id in _arrived(event)]
    charged = [
        change.after.night for change in _new(event, "charges") if change.after.kind == "room_night"
    ]
    return all(rate.night in charged for booking in arrived for rate in booking.nights)


def who_leaves_is_credited_the_stay(db: Database, past: Past, event: Event) -> bool:
    """The nights of who checks out count for their tier (clause 6.16)."""
    left = [db.reservations.get(reservation_id).guest_id for reservation_id in _left(event)]
    credited = [
        change.after.guest_id
        for change in _changed(event, "guests")
        if change.after.nights_stayed > change.before.nights_stayed
    ]
    return all(guest_id in credited for guest_id in left)


def a_room_that_was_left_is_cleaned(db: Database, past: Past, event: Event) -> bool:
    """A room that a guest has left is cleaned before it is given out (clause 8.5)."""
    left = [
        change.before.room_id
        for change in _changed(event, "stays")
        if change.before.status == "in_house"
        and (change.after.status == "departed" or change.after.room_id != change.before.room_id)
    ]
    planned = [
        change.after.room_id
        for change in event.changes
        if change.table == "housekeeping_tasks" and change.after is not None
    ]
    return all(
        db.rooms.get(room_id).condition != "clean"
        and (
            room_id in planned
            or len(db.housekeeping_tasks.where(room_id=room_id, status="open")) > 0
        )
        for room_id in left
    )
