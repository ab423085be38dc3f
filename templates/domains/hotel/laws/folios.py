"""Folios, deposits, vouchers, points and what is made up for."""


def _folio_of(db: Database, reservation_id: ReservationId) -> Folio:
    return db.folios.where(reservation_id=reservation_id)[0]


def _lines(db: Database, booking: Reservation, kind: ChargeKind) -> list[Charge]:
    """Return what is charged for a booking of a kind, and was not taken back."""
    folio_id = _folio_of(db, booking.reservation_id).folio_id
    return [one for one in db.charges.where(folio_id=folio_id, kind=kind) if not one.voided]


def _ended(event: Event, ends: tuple[str, ...]) -> list[Reservation]:
    """Return the bookings that a call brings to an end, as they were before."""
    changed = _changed(event, "reservations")
    ended = [one for one in changed if one.before.status != one.after.status]
    return [one.before for one in ended if one.after.status in ends]


def deposits_are_the_share_of_the_rate(db: Database, past: Past, event: Event) -> bool:
    """A new price asks for the rate's share, or for more if that was paid before (clause 6.1)."""
    return all(
        change.after.deposit_due
        == max(
            money(change.after.total * _terms(db, change.after).deposit_percent / 100),
            Decimal(0)
            if change.before is None
            else min(change.before.deposit_due, _folio_of(db, change.after.reservation_id).paid),
        )
        for change in [*_new(event, "reservations"), *_altered(event)]
        if change.before is None or change.before.total != change.after.total
    )


def the_fee_is_kept(db: Database, past: Past, event: Event) -> bool:
    """Of a booking that is called off too late, the fee stays on the folio (clause 4.9)."""
    return all(
        _can_go_free(db, booking)
        or _folio_of(db, booking.reservation_id).charged
        >= money(booking.total * _terms(db, booking).late_cancel_percent / 100)
        for booking in _ended(event, CALLED_OFF)
    )


def a_fee_is_not_waived(db: Database, past: Past, event: Event) -> bool:
    """A fee for calling off or not coming is taken back only beside a larger one (clause 4.11)."""
    return all(
        any(
            not one.voided
            and one.booking_id == change.after.booking_id
            and one.amount >= change.after.amount
            for one in db.charges.where(folio_id=change.after.folio_id, kind=change.after.kind)
        )
        for change in _changed(event, "charges")
        if change.after.voided and _is_of_what_was_called_off(db, change.after)
    )


def _is_of_what_was_called_off(db: Database, charge: Charge) -> bool:
    if charge.booking_id is None:
        return charge.kind in FEES
    booking = db.service_bookings.get(charge.booking_id)
    never_came = db.reservations.get(booking.reservation_id).status not in CAME
    return booking.status == "cancelled" or never_came


def a_fee_stays_where_it_is(db: Database, past: Past, event: Event) -> bool:
    """Nobody pays for what another called off, or booked and never came to (clause 6.9)."""
    return not any(
        change.before.folio_id != change.after.folio_id
        and _is_of_what_was_called_off(db, change.after)
        for change in _changed(event, "charges")
    )


def what_calling_off_costs_stays_paid(db: Database, past: Past, event: Event) -> bool:
    """Before check-in, what cancelling or not coming costs by now is not paid back (clause 6.4)."""
    return all(
        _can_go_free(db, booking)
        or folio.paid >= money(booking.total * _terms(db, booking).late_cancel_percent / 100)
        for payment in _paid_back(db, event)
        for folio in [db.folios.get(payment.folio_id)]
        for booking in [db.reservations.get(folio.reservation_id)]
        if booking.status == "confirmed"
    )


def _paid_back(db: Database, event: Event) -> list[Payment]:
    """Return the payments of which something goes back that was noted on the right folio."""
    back = [change.after for change in _new(event, "refunds")]
    return [db.payments.get(one.payment_id) for one in back if one.reason != "wrong_folio"]


def who_checks_in_has_paid_the_deposit(db: Database, past: Past, event: Event) -> bool:
    """Nobody checks in who owes the deposit (clause 5.1)."""
    return all(
        _folio_of(db, reservation_id).paid >= db.reservations.get(reservation_id).deposit_due
        for reservation_id in _arrived(event)
    )


def nights_are_charged_once_as_agreed(db: Database, booking: Reservation) -> bool:
    """Who stays or stayed is charged each night once, at the price agreed, and no other."""
    charged = _lines(db, booking, "room_night")
    agreed = [(rate.night, rate.amount) for rate in booking.nights]
    return (
        booking.status not in CAME or sorted((one.night, one.amount) for one in charged) == agreed
    )


def city_tax_is_for_each_adult_and_night(db: Database, booking: Reservation) -> bool:
    """Who stays or stayed is charged city tax for each adult and night."""
    tax = db.hotels.get(booking.hotel_id).city_tax * booking.adults * len(booking.nights)
    charged = sum((one.amount for one in _lines(db, booking, "city_tax")), Decimal(0))
    return booking.status not in CAME or charged == tax


def who_leaves_has_settled(db: Database, past: Past, event: Event) -> bool:
    """Nobody checks out who owes anything or is owed anything (clause 5.9)."""
    return all(_folio_of(db, reservation_id).due == 0 for reservation_id in _left(event))


def who_is_even_at_the_end_has_a_closed_folio(db: Database, past: Past, event: Event) -> bool:
    """When a stay ends or is called off, its folio is closed unless something is due."""
    folios = [_folio_of(db, booking.reservation_id) for booking in _ended(event, OVER)]
    return all(folio.status == "closed" or folio.due > 0 for folio in folios)


def nobody_pays_more_than_is_due(db: Database, past: Past, event: Event) -> bool:
    """No more is taken than is due, before check-in than the price of the stay (clause 6.1)."""
    return all(
        -folio.due <= (booking.total if booking.status == "confirmed" else 0)
        for folio in [db.folios.get(change.after.folio_id) for change in _new(event, "payments")]
        for booking in [db.reservations.get(folio.reservation_id)]
    )


def money_goes_back_only_where_too_much_was_paid(db: Database, past: Past, event: Event) -> bool:
    """What goes back was paid above the charges, and above the deposit to come (clause 6.4)."""
    return all(
        -folio.due >= (booking.deposit_due if booking.status == "confirmed" else 0)
        for folio in [db.folios.get(payment.folio_id) for payment in _paid_back(db, event)]
        for booking in [db.reservations.get(folio.reservation_id)]
    )


def no_folio_charges_less_than_nothing(db: Database, folio: Folio) -> bool:
    """Discounts take off no more than is charged (clause 6.4)."""
    return folio.charged >= 0


def vouchers_are_spent_by_their_owner(db: Database, past: Past, event: Event) -> bool:
    """A voucher pays for its owner alone, and within its date (clause 6.5)."""
    return all(
        voucher.guest_id == _booking_of(db, change.after.folio_id).guest_id
        and voucher.expires_on >= db.today()
        for change in _new(event, "payments")
        if change.after.voucher_id is not None
        for voucher in [db.vouchers.get(change.after.voucher_id)]
    )


def points_pay_their_worth(db: Database, folio: Folio) -> bool:
    """For each 1.00 paid with points and not given back, 100 points are gone (clause 6.7)."""
    paid = db.payments.where(folio_id=folio.folio_id, method="points")
    gone = [
        entry.change
        for entry in db.points_entries.where(reservation_id=folio.reservation_id)
        if entry.reason in ("redeemed", "returned")
    ]
    return sum(gone) == -100 * sum((one.amount - one.refunded for one in paid), Decimal(0))


def closed_folios_take_nothing(db: Database, past: Past, event: Event) -> bool:
    """A closed folio takes no charges and payments (clause 6.10)."""
    return all(
        change.before.status == "open"
        or (change.before.charged, change.before.paid) == (change.after.charged, change.after.paid)
        for change in _changed(event, "folios")
    )


def folios_are_reopened_within_30_days(db: Database, past: Past, event: Event) -> bool:
    """A folio is reopened within 30 days of when it was closed (clause 6.10)."""
    return all(
        change.before.closed_at is None or (db.today() - change.before.closed_at.date()).days <= 30
        for change in _changed(event, "folios")
    )


def vouchers_are_within_bounds(db: Database, past: Past, event: Event) -> bool:
    """A voucher is worth 10 to 1,000 for 30 to 500 days, as goodwill at most 200 (clause 6.11)."""
    return all(
        10 <= change.after.value <= (200 if change.after.reason == "goodwill" else 1000)
        and 30 <= (change.after.expires_on - db.today()).days <= 500
        for change in _new(event, "vouchers")
    )


def spent_vouchers_are_not_voided(db: Database, past: Past, event: Event) -> bool:
    """A voucher of which something is spent is not voided (clause 6.11)."""
    changed = [change.after for change in _changed(event, "vouchers")]
    return all(one.status != "void" or one.balance == one.value for one in changed)


def who_leaves_is_credited_the_stay(db: Database, past: Past, event: Event) -> bool:
    """The nights that who checks out has slept count for their tier (clause 6.16)."""
    guests = _changed(event, "guests")
    credited = [one.key for one in guests if one.before.nights_stayed < one.after.nights_stayed]
    left = [db.reservations.get(reservation_id) for reservation_id in _left(event)]
    return all(one.guest_id in credited or one.arrival == db.today() for one in left)


def who_leaves_gets_points_once(db: Database, booking: Reservation) -> bool:
    """Points are given once for a stay at most, when the guest has left (clause 6.16)."""
    given = db.points_entries.where(reservation_id=booking.reservation_id, reason="stay")
    return len(given) <= (1 if booking.status == "checked_out" else 0)


def complaints_are_made_up_for_within_bounds(db: Database, complaint: Complaint) -> bool:
    """A complaint brings no more points than its severity allows (clause 7.8)."""
    most = {"minor": 1000, "serious": 5000, "severe": 20000}
    return 0 <= complaint.points <= most[complaint.severity]


def points_of_complaints_are_given(db: Database, booking: Reservation) -> bool:
    """The points that complaints are said to have brought are those on the account."""
    said = [one.points for one in db.complaints.where(reservation_id=booking.reservation_id)]
    given = db.points_entries.where(reservation_id=booking.reservation_id, reason="compensation")
    return sum(said) == sum(entry.change for entry in given)


REOPEN_DAYS = 30


def _price_of_night(
    db: Database, booking: Reservation, room_type_id: RoomTypeId, night: date
) -> Decimal:
    """Return what a night costs at the rate and for the party booked."""
    plan = db.rate_plans.get(booking.rate_plan_id)
    price = db.room_types.get(room_type_id).base_rate * plan.base_percent / 100
    price = price * Decimal("1.15") if night.weekday() in (4, 5) else price
    price = price * Decimal("1.20") if night.month in (6, 7, 8, 9) else price
    meals = plan.board_price * booking.adults + plan.board_price * booking.children / 2
    return money(price + meals)


def _last_free_day(db: Database, booking: Reservation) -> date:
    """Return until when a guest who leaves today pays: no night after it is owed."""
    plan = db.rate_plans.get(booking.rate_plan_id)
    if plan.free_cancel_days is None:
        return booking.departure
    return max(db.today(), booking.arrival + timedelta(days=max(1, plan.min_nights)))


def a_deposit_paid_stays_a_deposit(db: Database, past: Past, event: Event) -> bool:
    """What was paid of a deposit stays one when the booking is changed (clause 4.5)."""
    changed = [
        change
        for change in _changed(event, "reservations")
        if change.before.status == "confirmed" and change.after.status == "confirmed"
    ]
    return all(
        change.after.deposit_due >= min(change.before.deposit_due, folio.paid - folio.charged)
        for change in changed
        for folio in db.folios.where(reservation_id=change.after.reservation_id)
    )


def added_nights_have_the_price_booked(db: Database, past: Past, event: Event) -> bool:
    """A night added to a stay costs what the type and rate booked cost (clause 5.4)."""
    longer = [
        change
        for change in _changed(event, "reservations")
        if change.before.status == "checked_in"
        and len(change.after.nights) > len(change.before.nights)
    ]
    return all(
        rate.amount == _price_of_night(db, change.after, stay.booked_type_id, rate.night)
        for change in longer
        for stay in db.stays.where(reservation_id=change.after.reservation_id)
        for rate in change.after.nights[len(change.before.nights) :]
    )


def nights_not_slept_are_given_back(db: Database, past: Past, event: Event) -> bool:
    """Who leaves early pays no night that the rate gives back (clause 5.5)."""
    left = [db.reservations.get(reservation_id) for reservation_id in _left(event)]
    return not any(
        charge.night is not None
        and charge.night >= _last_free_day(db, booking)
        and not charge.voided
        for booking in left
        for folio in db.folios.where(reservation_id=booking.reservation_id)
        for charge in db.charges.where(folio_id=folio.folio_id)
    )


def who_checks_in_has_paid_what_was_charged(db: Database, past: Past, event: Event) -> bool:
    """What was charged before check-in is paid besides the deposit (clause 5.1)."""
    nights = sum(
        (
            change.after.amount
            for change in _new(event, "charges")
            if change.after.night is not None
        ),
        Decimal(0),
    )
    return all(
        folio.paid >= db.reservations.get(reservation_id).deposit_due + folio.charged - nights
        for reservation_id in _arrived(event)
        for folio in db.folios.where(reservation_id=reservation_id)
    )


def folios_reopen_soon_after_the_stay(db: Database, past: Past, event: Event) -> bool:
    """A folio is opened again within 30 days of check-out, however often (clause 6.10)."""
    opened = [
        change.after.reservation_id
        for change in _changed(event, "folios")
        if change.before.status == "closed" and change.after.status == "open"
    ]
    return all(
        stay.checked_out_at is None or (db.today() - stay.checked_out_at.date()).days <= REOPEN_DAYS
        for reservation_id in opened
        for stay in db.stays.where(reservation_id=reservation_id)
    )


def the_share_kept_never_falls(db: Database, past: Past, event: Event) -> bool:
    """Of a booking that is not free to cancel, no change lowers the share kept (clause 4.3)."""
    return all(
        _can_go_free(db, change.before)
        or _terms(db, change.after).late_cancel_percent
        >= _terms(db, change.before).late_cancel_percent
        for change in _altered(event)
    )


def who_may_leave_today_has_what_is_to_come_settled(db: Database, past: Past, event: Event) -> bool:
    """A service of today is completed ahead for a guest who may check out (clause 5.9)."""
    if event.tool != "complete_service" or event.code != "service_not_begun":
        return True
    service = db.service_bookings.get(event.argument("booking_id"))
    booking = db.reservations.get(service.reservation_id)
    return service.starts_at.date() != db.today() or not _may_leave_today(db, booking)


def a_grievance_is_made_up_for_once(db: Database, booking: Reservation) -> bool:
    """Complaints of one kind bring, in a stay, no more than the worst of them (clause 7.8)."""
    most = {"minor": 1000, "serious": 5000, "severe": 20000}
    complaints = db.complaints.where(reservation_id=booking.reservation_id)
    return all(
        sum(one.points for one in complaints if one.category == complaint.category)
        <= max(most[one.severity] for one in complaints if one.category == complaint.category)
        for complaint in complaints
    )


def vouchers_are_extended_by_500_days_at_most(db: Database, past: Past, event: Event) -> bool:
    """A voucher is extended to a later day, within 500 days (clause 6.11)."""
    return all(
        change.before.expires_on < change.after.expires_on
        and 0 < (change.after.expires_on - db.today()).days <= 500
        for change in _changed(event, "vouchers")
        if change.before.expires_on != change.after.expires_on
    )
