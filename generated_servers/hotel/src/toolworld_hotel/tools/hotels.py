"""Hotels of the group, the time there, and one day of a hotel in figures."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from ..database.models import Database, Hotel, HotelDay, HotelId, HouseTimes, Reservation
from ..values import Page, contains, money, page
from .inputs import MOST_DAYS_AHEAD, _near
from .rooms import _is_missed


def list_hotels(
    db: Database, city: str | None = None, cursor: str | None = None, limit: int = 50
) -> Page[Hotel]:
    """List the hotels of the group, by name.

    Args:
        city: Only hotels in this town.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The cursor or limit is bad.
    """
    hotels = [
        hotel for hotel in db.hotels.all() if city is None or contains(hotel.address.city, city)
    ]
    return page(sorted(hotels, key=lambda hotel: hotel.name), cursor, limit)


def get_hotel(db: Database, hotel_id: HotelId) -> Hotel:
    """Show a hotel: address, phone, stars and city tax.

    Args:
        hotel_id: The hotel's code, such as "LISBON".

    Raises:
        Rejected: The hotel is unknown.
    """
    return db.hotels.get(hotel_id)


def get_time(db: Database) -> HouseTimes:
    """Tell the date and time, and from when and until when guests have their room."""
    return HouseTimes(
        today=db.today(),
        weekday=db.today().strftime("%A"),
        now=db.now(),
        check_in_from="15:00",
        check_out_until="12:00",
        latest_check_out="18:00",
    )


def _left_on(db: Database, reservation: Reservation) -> date:
    """Return the day a guest leaves, or left if that was earlier than booked."""
    for stay in db.stays.where(reservation_id=reservation.reservation_id):
        if stay.checked_out_at is not None:
            return min(reservation.departure, stay.checked_out_at.date())
    return reservation.departure


def get_hotel_day(db: Database, hotel_id: HotelId, day: date) -> HotelDay:
    """Sum up one day of a hotel: arrivals, departures, occupancy and room revenue.

    A guest who checked out earlier than booked counts until then. Guests who did not
    come are left out.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        day: The day, which may be past or to come.

    Raises:
        Rejected: The hotel is unknown.
        Rejected: The day is too far away.
    """
    db.hotels.get(hotel_id)
    _near(db, day, MOST_DAYS_AHEAD)
    rooms = db.rooms.where(hotel_id=hotel_id)
    kept = [
        reservation
        for reservation in db.reservations.where(hotel_id=hotel_id)
        if reservation.arrival <= day <= reservation.departure
        and reservation.status not in ("cancelled", "no_show")
        and not _is_missed(db, reservation)
    ]
    left_on = {r.reservation_id: _left_on(db, r) for r in kept}
    booked = [
        rate.amount
        for r in kept
        for rate in r.nights
        if rate.night == day and day < left_on[r.reservation_id]
    ]
    return HotelDay(
        hotel_id=hotel_id,
        day=day,
        rooms=len(rooms),
        out_of_order=len([room for room in rooms if room.condition == "out_of_order"]),
        booked=len(booked),
        arrivals=len([r for r in kept if r.arrival == day]),
        departures=len([r for r in kept if left_on[r.reservation_id] == day]),
        room_revenue=money(sum(booked, Decimal(0))),
        occupancy=round(100 * len(booked) / max(1, len(rooms)), 1),
    )
