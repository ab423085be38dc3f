"""Guests who leave: the day's departures and checking out."""

from __future__ import annotations

from datetime import date

from ..database.models import Database, HotelId, ReservationLine, Stay, StayId
from ..errors import Rejected
from ..values import Page
from .bookings import _reservation_lines
from .folios import _check_settled, _folio
from .housekeeping import _order_cleaning
from .lengths import _room_to_move_back_to
from .loyalty import _credit_stay
from .rates import _earliest_departure
from .service_bookings import _booked_services
from .stays import _in_house


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


def check_out(db: Database, stay_id: StayId) -> Stay:
    """Check a guest out with a settled folio.

    The folio is closed, nights and points are credited to the guest, requests still open are
    dropped, and the room goes to housekeeping. Nights not slept that the rate plan does not give
    back stay charged.

    Args:
        stay_id: The stay, such as "STY-00021".

    Raises:
        Rejected: The stay is unknown, or the guest has left.
        Rejected: The guest leaves before the day booked, and the stay can still be made shorter.
        Rejected: The guest leaves before the day booked, with a late check-out of that day.
        Rejected: The folio is not settled: something is due, or too much was paid.
        Rejected: A booked service is neither completed nor cancelled.
    """
    stay = _in_house(db, stay_id)
    reservation = db.reservations.get(stay.reservation_id)
    folio = _folio(db, stay.reservation_id)
    earliest = _earliest_departure(db, reservation)
    if earliest < reservation.departure:
        back = _room_to_move_back_to(db, stay, reservation, earliest)
        into = "" if back is None else f", in room {back.number} of the type booked, which is ready"
        raise Rejected(
            "leaves_earlier",
            f"The stay is booked until {reservation.departure}; shorten it to {earliest} first"
            f"{into}, so that nights not slept are given back.",
            room=None if back is None else back.number,
            booked=reservation.departure,
            day=earliest,
        )
    if stay.late_checkout_hours > 0 and db.today() < reservation.departure:
        raise Rejected(
            "late_hours_left",
            f"The late check-out is for {reservation.departure}; give its hours up first.",
            hours=stay.late_checkout_hours,
        )
    _check_settled(folio)
    for booking in _booked_services(db, stay.reservation_id):
        raise Rejected(
            "service_open",
            f"Service booking {booking.booking_id} is open; complete or cancel it first.",
            booking=booking.booking_id,
        )
    for request in db.guest_requests.where(reservation_id=stay.reservation_id):
        if request.status in ("open", "in_progress"):
            db.guest_requests.update(request.request_id, status="cancelled", employee_id=None)
    db.reservations.update(stay.reservation_id, status="checked_out")
    db.folios.update(folio.folio_id, status="closed", closed_at=db.now())
    _credit_stay(db, reservation, folio.folio_id)
    room = db.rooms.update(stay.room_id, condition="dirty")
    _order_cleaning(db, room, "departure_clean", "normal")
    return db.stays.update(stay_id, status="departed", checked_out_at=db.now())
