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
    Stay,
    StayOffer,
)
from ..errors import Rejected
from ..values import Page, money, page
from .bookings import _still_to_come
from .changes import _deposit_after
from .lengths import _check_later
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
    db: Database, reservation_id: ReservationId | None, hotel_id: HotelId
) -> Reservation | None:
    """Return the reservation, if any, for which a change in a hotel is looked at.

    What is over or was missed is not changed.
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
    if reservation.status == "checked_in":
        return reservation
    return _still_to_come(db, reservation_id)


def _stay_to_extend(db: Database, changed: Reservation | None) -> Stay | None:
    """Return the stay to which nights are to be added; none if nobody has checked in."""
    if changed is None or changed.status != "checked_in":
        return None
    return db.stays.where(reservation_id=changed.reservation_id)[0]


def _check_added(booked: Reservation, arrival: date, departure: date) -> None:
    """Refuse a guest in the house all nights but those that follow theirs."""
    if arrival != booked.departure:
        raise Rejected(
            "not_confirmed",
            f"Reservation {booked.reservation_id} is checked_in, and only nights from "
            f"{booked.departure} on can be added, so that is the arrival; quote_departure tells "
            "the price of leaving on another day. Leave it out for another booking.",
            status=booked.status,
        )
    _check_later(booked, departure)


def _check_as_booked(booked: Reservation, stay: Stay, wanted: tuple[str, str, int, int]) -> None:
    """Refuse a guest in the house nights of another type, rate or party than booked."""
    type_id, plan_id = stay.booked_type_id, booked.rate_plan_id
    if wanted != (type_id, plan_id, booked.adults, booked.children):
        raise Rejected(
            "stays_as_booked",
            f"Reservation {booked.reservation_id} is checked_in and stays as it is booked: give "
            f"{type_id}, {plan_id}, {booked.adults} adults and {booked.children} children.",
            room_type=type_id,
            plan=plan_id,
        )


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
        Rejected: The reservation is of another hotel, over or missed.
        Rejected: It is checked in, and the nights do not follow its own, or the party is not that
            booked.
        Rejected: The dates are past, too far away, out of order or too long a stay.
        Rejected: The party has no adult or a negative number of children.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    _check_dates(db, arrival, departure)
    _check_people(adults, children)
    changed = _to_be_changed(db, reservation_id, hotel_id)
    stay = _stay_to_extend(db, changed)
    if changed is not None and stay is not None:
        _check_added(changed, arrival, departure)
        type_id, plan_id = stay.booked_type_id, changed.rate_plan_id
        _check_as_booked(changed, stay, (type_id, plan_id, adults, children))
        room_types, plans = [db.room_types.get(type_id)], [db.rate_plans.get(plan_id)]
    else:
        stayed = (departure - arrival).days
        room_types = db.room_types.where(hotel_id=hotel_id)
        plans = [
            plan
            for plan in db.rate_plans.where(hotel_id=hotel_id, on_sale=True)
            if plan.min_nights <= stayed
        ]
    offers = [
        _offer(db, room_type, plan, nights, left, adults, changed)
        for room_type in room_types
        if room_type.capacity >= adults + children
        for left in [_rooms_left(db, room_type.room_type_id, arrival, departure, reservation_id)]
        if left > 0
        for plan in plans
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
        Rejected: The reservation is of another hotel, over or missed.
        Rejected: It is checked in, and the nights do not follow its own, or type, rate or party
            are not those booked.
        Rejected: The dates are past, too far away, out of order or too long a stay.
        Rejected: The rate plan is off sale and not that of the reservation to be changed.
        Rejected: The stay is too short for the rate plan.
        Rejected: The party does not fit the room type.
    """
    room_type = db.room_types.get(room_type_id)
    plan = db.rate_plans.get(rate_plan_id)
    _check_dates(db, arrival, departure)
    _check_party(room_type, adults, children)
    changed = _to_be_changed(db, reservation_id, room_type.hotel_id)
    stay = _stay_to_extend(db, changed)
    if changed is not None and stay is not None:
        _check_added(changed, arrival, departure)
        _check_as_booked(changed, stay, (room_type_id, rate_plan_id, adults, children))
    else:
        _check_plan(plan, room_type.hotel_id, (departure - arrival).days)
    if changed is None or changed.rate_plan_id != rate_plan_id:
        _check_on_sale(plan)
    nights = _nights(room_type, plan, arrival, departure, adults, children)
    left = _rooms_left(db, room_type_id, arrival, departure, reservation_id)
    return _offer(db, room_type, plan, nights, left, adults, changed)
