"""Guests who leave: the day's departures and checking out."""


def list_departures(
    db: Database, hotel_id: HotelId, day: date, cursor: str | None = None, limit: int = 50
) -> Page[ReservationLine]:
    """List the reservations in the house that leave on a day.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        day: The day of leaving.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The hotel is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    found = db.reservations.where(hotel_id=hotel_id, departure=day, status="checked_in")
    return _reservation_lines(db, found, cursor, limit)


def _take_off_unslept(db: Database, stay: Stay, reservation: Reservation) -> Reservation:
    """Take off the nights after the shortest stay, which is not over.

    Nobody is asked to make the stay shorter by hand, as they may have to move rooms for that.
    """
    earliest = _earliest_departure(db, reservation)
    if earliest <= db.today():
        raise Rejected(
            "leaves_earlier",
            f"The stay is booked until {reservation.departure}; shorten it to {earliest} first, so "
            "that nights not slept are given back.",
            booked=reservation.departure,
            day=earliest,
        )
    nights = _charges_from(db, reservation, earliest)
    taken = _taken_off(db, stay, nights, Decimal(0))
    return _leave_on(db, stay, reservation, earliest, taken)


def _check_no_service_open(db: Database, reservation_id: ReservationId) -> None:
    for booking in _booked_services(db, reservation_id):
        way = "cancel it first"
        if booking.starts_at.date() == db.today():
            way = "complete or cancel it first"
        if booking.starts_at <= db.now():
            way = "it has begun, so complete it first"
        raise Rejected(
            "service_open",
            f"Service booking {booking.booking_id} is open; {way}.",
            booking=booking.booking_id,
        )


def check_out(db: Database, stay_id: StayId) -> Stay:
    """Check a guest out who owes nothing; what was paid too much goes back the way it came.

    The folio is closed, nights are credited to the guest, and points for what the nights cost less
    the discounts on the folio. Requests still open are dropped, but for luggage to be kept today.
    The room goes to housekeeping; turndowns and stayover cleans of today are called off in it.
    Nights not slept that the rate plan does not give back stay charged. For a guest who leaves
    before the rate plan's shortest stay is over, the nights after it are taken off. Money goes back
    on the latest payment first, to the voucher or the points if these paid.

    Args:
        stay_id: The stay, such as "STY-00021".

    Raises:
        Rejected: The stay is unknown, or the guest has left.
        Rejected: The guest leaves before the day booked, and the stay can be made shorter to today.
        Rejected: The guest leaves before the day booked, with a late check-out of that day.
        Rejected: A booked service is neither completed nor cancelled.
        Rejected: Something is due on the folio.
        Rejected: A discount on the folio is larger than what would remain.
    """
    stay = _in_house(db, stay_id)
    reservation = db.reservations.get(stay.reservation_id)
    without = ""
    if _earliest_departure(db, reservation) < reservation.departure:
        late = " and the late check-out" if stay.late_checkout_hours > 0 else ""
        reservation = _take_off_unslept(db, stay, reservation)
        without = f" without the nights from {reservation.departure} on{late}, which are taken off"
    elif stay.late_checkout_hours > 0 and db.today() < reservation.departure:
        raise Rejected(
            "late_hours_left",
            f"The late check-out is for {reservation.departure}; give its hours up first.",
            hours=stay.late_checkout_hours,
        )
    _check_no_service_open(db, stay.reservation_id)
    folio = _folio(db, stay.reservation_id)
    _check_paid(folio, without)
    _give_back(db, folio.folio_id, -folio.due, "overpayment")
    for request in db.guest_requests.where(reservation_id=stay.reservation_id):
        is_kept = request.kind == "luggage" and request.wanted_on == db.today()
        if request.status in ("open", "in_progress") and not is_kept:
            db.guest_requests.update(request.request_id, status="cancelled", employee_id=None)
    db.reservations.update(stay.reservation_id, status="checked_out")
    db.folios.update(folio.folio_id, status="closed", closed_at=db.now())
    _credit_stay(db, reservation, folio.folio_id)
    room = db.rooms.update(stay.room_id, condition="dirty")
    _order_cleaning(db, room, "departure_clean", "normal")
    _call_off_between_nights(db, room)
    return db.stays.update(stay_id, status="departed", checked_out_at=db.now())
