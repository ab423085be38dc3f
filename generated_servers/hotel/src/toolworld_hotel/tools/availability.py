"""What a hotel can offer a party, and at what price."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from ..database.models import (
    Database,
    HotelId,
    NightRate,
    RatePlan,
    RatePlanId,
    Reservation,
    ReservationId,
    RoomType,
    RoomTypeId,
    StayOffer,
)
from ..errors import Rejected
from ..values import Page, money, page
from .bookings import _still_to_come
from .changes import _deposit_after
from .rates import _check_dates, _check_on_sale, _check_plan, _deposit, _free_until, _nights, _sum
from .rooms import _check_party, _check_people, _rooms_left


def _offer(
    db: Database,
    room_type: RoomType,
    plan: RatePlan,
    nights: list[NightRate],
    rooms_left: int,
    adults: int,
    changed: Reservation | None,
) -> StayOffer:
    total, free_until = _sum(nights), _free_until(plan, nights[0].night)
    deposit = _deposit(plan, total)
    if changed is not None:
        deposit = _deposit_after(db, changed, plan, total)
    if changed is not None and changed.status == "checked_in":
        # What a guest in the house adds is neither paid before nor called off.
        deposit, free_until = Decimal(0), None
    tax = db.hotels.get(room_type.hotel_id).city_tax * adults * len(nights)
    is_past = free_until is not None and free_until < db.today()
    return StayOffer(
        room_type_id=room_type.room_type_id,
        room_type=room_type.name,
        rate_plan_id=plan.rate_plan_id,
        rate_plan=plan.name,
        board=plan.board,
        rooms_left=rooms_left,
        nights=tuple(nights),
        total=total,
        city_tax=money(tax),
        deposit=deposit,
        free_until=None if is_past else free_until,
    )


def _to_be_changed(
    db: Database, reservation_id: ReservationId | None, hotel_id: HotelId, arrival: date
) -> Reservation | None:
    """Return the reservation, if any, for which a change in a hotel is looked at.

    For a guest in the house only nights are added; what is over or was missed is not changed.
    """
    if reservation_id is None:
        return None
    reservation = db.reservations.get(reservation_id)
    if reservation.hotel_id != hotel_id:
        raise Rejected(
            "other_hotel",
            f"Reservation {reservation_id} is in {reservation.hotel_id}; its change stays there.",
            hotel=reservation.hotel_id,
        )
    if reservation.status != "checked_in":
        return _still_to_come(db, reservation_id)
    if arrival < reservation.departure:
        raise Rejected(
            "not_confirmed",
            f"Reservation {reservation_id} is checked_in, and only nights from "
            f"{reservation.departure} on can be added; leave it out for another booking.",
            status=reservation.status,
        )
    return reservation


def _nights_in_all(changed: Reservation | None, arrival: date, departure: date) -> int:
    """Count the nights of a stay, with those of a guest in the house to which some are added."""
    is_longer = changed is not None and changed.status == "checked_in"
    first = changed.arrival if changed is not None and is_longer else arrival
    return (departure - first).days


def search_availability(
    db: Database,
    hotel_id: HotelId,
    arrival: date,
    departure: date,
    adults: int,
    children: int = 0,
    reservation_id: ReservationId | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[StayOffer]:
    """Search what a hotel can offer a party for some nights, cheapest first.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        arrival: The first night.
        departure: The day of leaving.
        adults: People of twelve and older.
        children: People under twelve; none unless given.
        reservation_id: The reservation that is to be changed, which then takes no room; none
            unless given.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The hotel or reservation is unknown.
        Rejected: The reservation is of another hotel, over, missed, or checked in and the nights
            are not added to it.
        Rejected: The dates are past, too far away, out of order or too long a stay.
        Rejected: The party has no adult or a negative number of children.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    _check_dates(db, arrival, departure)
    _check_people(adults, children)
    changed = _to_be_changed(db, reservation_id, hotel_id, arrival)
    offers = [
        _offer(db, room_type, plan, nights, left, adults, changed)
        for room_type in db.room_types.where(hotel_id=hotel_id)
        if room_type.capacity >= adults + children
        for left in [_rooms_left(db, room_type.room_type_id, arrival, departure, reservation_id)]
        if left > 0
        for plan in db.rate_plans.where(hotel_id=hotel_id, on_sale=True)
        if plan.min_nights <= _nights_in_all(changed, arrival, departure)
        for nights in [_nights(room_type, plan, arrival, departure, adults, children)]
    ]
    return page(sorted(offers, key=lambda offer: offer.total), cursor, limit)


def quote_stay(
    db: Database,
    room_type_id: RoomTypeId,
    rate_plan_id: RatePlanId,
    arrival: date,
    departure: date,
    adults: int,
    children: int = 0,
    reservation_id: ReservationId | None = None,
) -> StayOffer:
    """Work out the price and terms of a stay without booking it.

    Whether the terms of a reservation still allow a change is not looked at.

    Args:
        room_type_id: The room type, such as "RTY-00003".
        rate_plan_id: The rate plan, such as "RPL-00002".
        arrival: The first night.
        departure: The day of leaving.
        adults: People of twelve and older.
        children: People under twelve; none unless given.
        reservation_id: The reservation that is to be changed, which then takes no room; none
            unless given.

    Raises:
        Rejected: The reservation, room type or rate plan is unknown.
        Rejected: The room type and the rate plan belong to different hotels.
        Rejected: The reservation is of another hotel, over, missed, or checked in and the nights
            are not added to it.
        Rejected: The dates are past, too far away, out of order or too long a stay.
        Rejected: The rate plan is off sale and not that of the reservation to be changed.
        Rejected: The stay is too short for the rate plan.
        Rejected: The party does not fit the room type.
    """
    room_type = db.room_types.get(room_type_id)
    plan = db.rate_plans.get(rate_plan_id)
    _check_dates(db, arrival, departure)
    _check_party(room_type, adults, children)
    changed = _to_be_changed(db, reservation_id, room_type.hotel_id, arrival)
    _check_plan(plan, room_type.hotel_id, _nights_in_all(changed, arrival, departure))
    if changed is None or changed.rate_plan_id != rate_plan_id:
        _check_on_sale(plan)
    nights = _nights(room_type, plan, arrival, departure, adults, children)
    left = _rooms_left(db, room_type_id, arrival, departure, reservation_id)
    return _offer(db, room_type, plan, nights, left, adults, changed)
