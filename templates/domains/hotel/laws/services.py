"""Services and requests."""

FEES = ("cancellation_fee", "no_show_fee")


def _dropped(db: Database, event: Event) -> list[ServiceBooking]:
    """Return the services that a call cancels by themselves, and not with the whole stay."""
    return [
        change.before
        for change in _changed(event, "service_bookings")
        if change.after.status == "cancelled"
        and db.reservations.get(change.after.reservation_id).status not in CALLED_OFF
    ]


def services_are_for_those_who_stay(db: Database, booking: Reservation) -> bool:
    """A service is for no more people than stay, and for a day of the stay (clause 4.7)."""
    return all(
        service.persons <= booking.adults + booking.children
        and booking.arrival <= service.starts_at.date() <= booking.departure
        for service in db.service_bookings.where(reservation_id=booking.reservation_id)
        if service.status == "booked"
    )


def no_service_is_left_after_the_stay(db: Database, booking: Reservation) -> bool:
    """When a stay is over or called off, no service is still booked (clause 5.9)."""
    return booking.status not in OVER or not db.service_bookings.where(
        reservation_id=booking.reservation_id, status="booked"
    )


def no_request_is_left_after_the_stay(db: Database, booking: Reservation) -> bool:
    """When a stay is over or called off, no request but for luggage is left (clause 7.11)."""
    return booking.status not in OVER or all(
        request.status in ("done", "cancelled")
        or (request.kind == "luggage" and booking.status == "checked_out")
        for request in db.guest_requests.where(reservation_id=booking.reservation_id)
    )


def extras_are_for_those_who_came(db: Database, past: Past, event: Event) -> bool:
    """Who has not come is charged nothing but fees, and services booked (clause 7.4)."""
    return all(
        _booking_of(db, change.after.folio_id).status in CAME
        or change.after.kind in FEES
        or change.after.booking_id is not None
        for change in event.changes
        if change.table == "charges"
    )


def services_begin_in_their_hours(db: Database, service: ServiceBooking) -> bool:
    """A service begins on the hour, in its hours (clause 7.1)."""
    offered, begins = db.services.get(service.service_id), service.starts_at
    return begins.minute == 0 and offered.first_hour <= begins.hour <= offered.last_hour


def services_are_booked_for_later(db: Database, past: Past, event: Event) -> bool:
    """A service is booked for a time to come, or moved to one (clause 7.4)."""
    return all(
        change.after.starts_at > db.now()
        for change in event.changes
        if change.table == "service_bookings"
        and (change.before is None or change.before.starts_at != change.after.starts_at)
    )


def _having(
    db: Database, service_id: ServiceId, reservation_id: ReservationId, at: datetime
) -> int:
    """Return how many people of a party have a service at a time, paid ahead or not."""
    length = timedelta(minutes=db.services.get(service_id).minutes)
    booked = db.service_bookings.where(reservation_id=reservation_id, service_id=service_id)
    return sum(
        one.persons
        for one in booked
        if one.status != "cancelled" and one.starts_at <= at < one.starts_at + length
    )


def nobody_has_a_service_twice_at_a_time(db: Database, service: ServiceBooking) -> bool:
    """No more people have a service to come at a time than are in the party (clause 7.1)."""
    party = db.reservations.get(service.reservation_id)
    is_past = service.starts_at <= db.now() or service.status == "cancelled"
    together = _having(db, service.service_id, service.reservation_id, service.starts_at)
    return is_past or together <= party.adults + party.children


def others_of_a_party_can_join(db: Database, past: Past, event: Event) -> bool:
    """A service is refused as booked already only for people who have it then (clause 7.1)."""
    if event.tool != "book_service" or event.code != "duplicate":
        return True
    number, service_id = event.argument("reservation_id"), event.argument("service_id")
    party, length = db.reservations.get(number), db.services.get(service_id).minutes
    begins = datetime.fromisoformat(event.argument("starts_at"))
    times = [begins, *[begins + timedelta(hours=hours) for hours in range(1, 1 + length // 60)]]
    most = max(
        _having(db, service_id, number, at)
        for at in times
        if at < begins + timedelta(minutes=length)
    )
    return most + event.argument("persons") > party.adults + party.children


def services_that_have_begun_are_had(db: Database, past: Past, event: Event) -> bool:
    """A service that has begun is not cancelled or moved any more (clause 7.3)."""
    moved = [
        change.before
        for change in _changed(event, "service_bookings")
        if change.before.starts_at != change.after.starts_at
    ]
    return all(service.starts_at > db.now() for service in [*moved, *_dropped(db, event)])


def services_cancelled_late_cost_half(db: Database, past: Past, event: Event) -> bool:
    """A service cancelled less than four hours before it begins costs half (clause 7.3)."""
    charged = [change.after.amount for change in _new(event, "charges")]
    return all(
        charged == [money(service.price / 2)]
        for service in _dropped(db, event)
        if service.starts_at - db.now() < timedelta(hours=4)
    )


def services_given_have_begun(db: Database, service: ServiceBooking) -> bool:
    """No service is completed before it begins, but one of the same day may be (clause 7.4)."""
    return service.status != "completed" or service.starts_at.date() <= db.today()


def services_given_cost_their_price(db: Database, service: ServiceBooking) -> bool:
    """A service that was given is charged once, at its price."""
    charges = db.charges.where(booking_id=service.booking_id)
    standing = [one.amount for one in charges if not one.voided]
    is_charged = standing == [service.price] or (len(charges) > 0 and len(standing) == 0)
    return service.status != "completed" or is_charged


def requests_are_for_days_of_the_stay(db: Database, past: Past, event: Event) -> bool:
    """A request is for a day of the stay, today at the earliest (clause 7.11)."""
    return all(
        max(booking.arrival, db.today()) <= change.after.wanted_on <= booking.departure
        for change in _new(event, "guest_requests")
        for booking in [db.reservations.get(change.after.reservation_id)]
    )


def extra_beds_are_for_rooms_that_hold_one(db: Database, booking: Reservation) -> bool:
    """An extra bed that is still to come goes into a room type that sleeps three (clause 7.12)."""
    beds = [
        request
        for request in db.guest_requests.where(reservation_id=booking.reservation_id)
        if request.kind == "extra_bed" and request.status in ("open", "in_progress")
    ]
    return len(beds) == 0 or db.room_types.get(booking.room_type_id).capacity >= 3


LATE_HOURS = 4


def _is_late(db: Database, service: ServiceBooking) -> bool:
    """Return whether a service begins in less than four hours, or has begun."""
    return service.starts_at - db.now() < timedelta(hours=LATE_HOURS)


def _ended_services(event: Event, status: str) -> list[ServiceBooking]:
    """Return the services that a call completed or cancelled, as they were booked."""
    return [
        change.before
        for change in _changed(event, "service_bookings")
        if change.before.status == "booked" and change.after.status == status
    ]


def _charged_for(event: Event, service: ServiceBooking) -> Decimal:
    """Return what a call charged for a service."""
    lines = [
        change.after.amount
        for change in _new(event, "charges")
        if change.after.booking_id == service.booking_id
    ]
    return sum(lines, Decimal(0))


def services_about_to_begin_are_not_moved(db: Database, past: Past, event: Event) -> bool:
    """A service less than four hours away is not moved (clause 7.3)."""
    return all(
        change.before.status != "booked"
        or not _is_late(db, change.before)
        or change.after.starts_at == change.before.starts_at
        for change in _changed(event, "service_bookings")
    )


def services_called_off_late_cost_half(db: Database, past: Past, event: Event) -> bool:
    """Whoever calls a service off within four hours of it pays half, by any way (clause 7.3)."""
    return all(
        not _is_late(db, service) or _charged_for(event, service) == money(service.price / 2)
        for service in _ended_services(event, "cancelled")
    )


def services_that_have_begun_count_as_had(db: Database, past: Past, event: Event) -> bool:
    """A service that has begun is not called off, and is charged in full (clause 7.4)."""
    called_off = _ended_services(event, "cancelled")
    return all(service.starts_at > db.now() for service in called_off) and all(
        _charged_for(event, service) == service.price
        for service in _ended_services(event, "completed")
    )


def only_who_stayed_has_extras(db: Database, charge: Charge) -> bool:
    """Nobody who never checked in has had anything from the house (clause 6.15)."""
    booking = _booking_of(db, charge.folio_id)
    return charge.kind not in ("minibar", "laundry", "parking", "damage") or booking.status in (
        "checked_in",
        "checked_out",
    )


def services_had_are_within_the_stay(db: Database, booking: Reservation) -> bool:
    """What was had was had on a day of the stay, however it was moved (clause 4.7)."""
    return all(
        booking.arrival <= service.starts_at.date() <= booking.departure
        for service in db.service_bookings.where(
            reservation_id=booking.reservation_id, status="completed"
        )
    )


def what_is_had_ahead_is_paid_by_its_guest(db: Database, service: ServiceBooking) -> bool:
    """What a guest has ahead is charged to them, and stays so when they have left (clause 5.9)."""
    booking = db.reservations.get(service.reservation_id)
    if service.status != "completed" or service.starts_at <= db.now():
        return True
    lines = db.charges.where(booking_id=service.booking_id)
    payers = [_booking_of(db, line.folio_id) for line in lines if not line.voided]
    return payers == [booking]


def requests_are_met_on_their_day(db: Database, past: Past, event: Event) -> bool:
    """A request is met from its day on, for who is there or arrives then (clause 7.11).

    Luggage is kept for who has left, too.
    """
    met = [
        change.after
        for change in _changed(event, "guest_requests")
        if change.after.status == "done" and change.before.status != "done"
    ]
    return all(
        request.wanted_on <= db.today()
        and (
            booking.status == "checked_in"
            or booking.arrival == db.today()
            or (booking.status == "checked_out" and request.kind == "luggage")
        )
        for request in met
        for booking in [db.reservations.get(request.reservation_id)]
    )


def a_request_is_taken_down_once(db: Database, request: GuestRequest) -> bool:
    """What is still to be seen to is noted once for a day, in its words (clause 7.10)."""
    alike = [
        other
        for other in db.guest_requests.where(
            reservation_id=request.reservation_id, kind=request.kind, wanted_on=request.wanted_on
        )
        if other.status in ("open", "in_progress") and _worded(other) == _worded(request)
    ]
    return len(alike) <= 1


def _worded(request: GuestRequest) -> str:
    """Return what is asked for, without the full stop and in small letters."""
    return request.details.strip(" .").lower()


def luggage_outlives_the_stay(db: Database, past: Past, event: Event) -> bool:
    """Luggage that is kept on the day of leaving is still kept after the check-out (clause 5.8)."""
    return len(_left(event)) == 0 or not any(
        change.before.kind == "luggage"
        and change.before.wanted_on == db.today()
        and change.after.status == "cancelled"
        for change in _changed(event, "guest_requests")
    )
