"""Changes of confirmed reservations: dates, room type, rate plan and party."""

from __future__ import annotations

from datetime import date

from ..database.models import (
    Database,
    NightRate,
    RatePlan,
    RatePlanId,
    Reservation,
    ReservationId,
    RoomType,
    RoomTypeId,
    ServiceBooking,
)
from ..errors import Rejected
from ..values import Money
from .bookings import _have_a_place, _still_to_come
from .folios import _folio
from .rates import _check_dates, _check_on_sale, _check_plan, _deposit, _free_until, _nights, _sum
from .requests import _check_bed_fits
from .rooms import _check_party, _check_rooms_left, _room_is_free, _urgent_ticket
from .service_bookings import _at_that_time, _begins_soon, _booked_services
from .services import _at


def _way_out_of_new_dates(
    db: Database, booking: ServiceBooking, reservation: Reservation, arrival: date, departure: date
) -> str:
    """Say what can be done with a service that would fall outside new dates.

    It is moved only within the old ones, and so into days that are in both.
    """
    if booking.status != "booked" or booking.starts_at <= db.now():
        return "it was had then"
    first, last = max(arrival, reservation.arrival), min(departure, reservation.departure)
    latest = _at(db, last, db.services.get(booking.service_id).last_hour)
    is_left = first <= last and latest > db.now() and not _begins_soon(db, booking)
    return "move or cancel it first" if is_left else "cancel it first"


def _check_plans_within(
    db: Database, reservation: Reservation, arrival: date, departure: date
) -> None:
    reservation_id = reservation.reservation_id
    for booking in db.service_bookings.where(reservation_id=reservation_id):
        is_within = arrival <= booking.starts_at.date() <= departure
        if booking.status != "cancelled" and not is_within:
            way = _way_out_of_new_dates(db, booking, reservation, arrival, departure)
            raise Rejected(
                "service_outside_stay",
                f"Service booking {booking.booking_id} on {booking.starts_at.date()} would fall "
                f"outside the stay; {way}.",
                booking=booking.booking_id,
                day=booking.starts_at.date(),
            )
    for request in db.guest_requests.where(reservation_id=reservation_id):
        is_open = request.status in ("open", "in_progress")
        if is_open and not arrival <= request.wanted_on <= departure:
            raise Rejected(
                "request_outside_stay",
                f"Request {request.request_id} for {request.wanted_on} would fall outside the "
                "stay; take it back first, and take it down anew for another day.",
                request=request.request_id,
                day=request.wanted_on,
            )


def _check_not_cheaper(db: Database, reservation: Reservation, total: Money) -> None:
    if total >= reservation.total:
        return
    plan = db.rate_plans.get(reservation.rate_plan_id)
    free_until = _free_until(plan, reservation.arrival)
    if free_until is None:
        raise Rejected(
            "never_free",
            f"Reservation {reservation.reservation_id} cannot be made cheaper: {plan.name} has no "
            f"free changes. The new price would be {total} instead of {reservation.total}.",
            plan=plan.name,
            total=total,
            booked=reservation.total,
        )
    if db.today() > free_until:
        raise Rejected(
            "free_time_over",
            f"Reservation {reservation.reservation_id} can no longer be made cheaper: {plan.name} "
            f"had free changes until {free_until}. The new price would be {total} instead of "
            f"{reservation.total}.",
            plan=plan.name,
            day=free_until,
            total=total,
            booked=reservation.total,
        )


def _check_terms_hold(db: Database, reservation: Reservation, plan: RatePlan) -> None:
    """Refuse looser terms once cancelling under the terms booked is not free any more."""
    booked = db.rate_plans.get(reservation.rate_plan_id)
    free_until = _free_until(booked, reservation.arrival)
    if free_until is not None and db.today() <= free_until:
        return
    if (
        plan.deposit_percent < booked.deposit_percent
        or plan.late_cancel_percent < booked.late_cancel_percent
        or _is_free_longer(plan, booked)
    ):
        raise Rejected(
            "looser_terms",
            f"{plan.name} has looser terms than {booked.name}, which has no free changes now and "
            "stays, unless a plan has as large a deposit and share kept and is free no longer.",
            plan=plan.name,
            booked=booked.name,
        )


def _is_free_longer(plan: RatePlan, booked: RatePlan) -> bool:
    if plan.free_cancel_days is None:
        return False
    return booked.free_cancel_days is None or plan.free_cancel_days < booked.free_cancel_days


def _deposit_after(db: Database, reservation: Reservation, plan: RatePlan, total: Money) -> Money:
    """Return the deposit after a change: what was paid of it stays deposit."""
    folio = _folio(db, reservation.reservation_id)
    held = min(reservation.deposit_due, folio.paid)
    return max(_deposit(plan, total), held)


def _new_nights(
    db: Database,
    reservation: Reservation,
    room_type: RoomType,
    plan: RatePlan,
    adults: int,
    children: int,
) -> list[NightRate]:
    """Return the nights of a reservation at another price, which may not be lower any more."""
    first, last = reservation.arrival, reservation.departure
    nights = _nights(room_type, plan, first, last, adults, children)
    _check_not_cheaper(db, reservation, _sum(nights))
    return nights


def _reprice(
    db: Database,
    reservation: Reservation,
    room_type: RoomType,
    plan: RatePlan,
    adults: int,
    children: int,
) -> Reservation:
    nights = _new_nights(db, reservation, room_type, plan, adults, children)
    total = _sum(nights)
    _check_bed_fits(db, reservation, room_type)
    kept = reservation.room_id if room_type.room_type_id == reservation.room_type_id else None
    return db.reservations.update(
        reservation.reservation_id,
        room_type_id=room_type.room_type_id,
        rate_plan_id=plan.rate_plan_id,
        room_id=kept,
        adults=adults,
        children=children,
        nights=nights,
        total=total,
        deposit_due=_deposit_after(db, reservation, plan, total),
    )


def _check_dates_may_move(db: Database, reservation: Reservation) -> None:
    plan = db.rate_plans.get(reservation.rate_plan_id)
    free_until = _free_until(plan, reservation.arrival)
    if free_until is None:
        raise Rejected(
            "never_free",
            f"{plan.name} never allows a change of dates; the guest can cancel and book anew.",
            plan=plan.name,
        )
    if db.today() > free_until:
        raise Rejected(
            "free_time_over",
            f"{plan.name} allowed a change of dates until {free_until}; the guest can cancel and "
            "book anew.",
            plan=plan.name,
            day=free_until,
        )


def change_reservation_dates(
    db: Database, reservation_id: ReservationId, arrival: date, departure: date
) -> Reservation:
    """Move a confirmed reservation to other dates, at their prices.

    A room set aside is kept if it is free on the new dates and has no urgent fault, else given up.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".
        arrival: The new first night.
        departure: The new day of leaving.

    Raises:
        Rejected: The reservation is unknown or not confirmed, or the day of arrival is over.
        Rejected: The dates are the same, past, too far away, out of order or too long a stay.
        Rejected: No room of the type is free.
        Rejected: The stay would be too short for the rate plan.
        Rejected: The rate plan allows no changes, or the last day for them is past.
        Rejected: A booked service or a request would fall outside the stay.
    """
    reservation = _still_to_come(db, reservation_id)
    room_type = db.room_types.get(reservation.room_type_id)
    plan = db.rate_plans.get(reservation.rate_plan_id)
    if (arrival, departure) == (reservation.arrival, reservation.departure):
        raise Rejected(
            "nothing_to_change",
            f"Reservation {reservation_id} has these dates already; nothing to change.",
            arrival=arrival,
            departure=departure,
        )
    _check_dates(db, arrival, departure)
    _check_rooms_left(db, room_type, arrival, departure, reservation_id)
    _check_plan(plan, reservation.hotel_id, (departure - arrival).days)
    _check_dates_may_move(db, reservation)
    _check_plans_within(db, reservation, arrival, departure)
    adults, children = reservation.adults, reservation.children
    nights = _nights(room_type, plan, arrival, departure, adults, children)
    room_id = reservation.room_id
    if room_id is not None and (
        _urgent_ticket(db, room_id) is not None
        or not _room_is_free(db, room_id, arrival, departure, reservation_id)
    ):
        room_id = None
    return db.reservations.update(
        reservation_id,
        arrival=arrival,
        departure=departure,
        room_id=room_id,
        nights=nights,
        total=_sum(nights),
        deposit_due=_deposit_after(db, reservation, plan, _sum(nights)),
    )


def _check_same_hotel(room_type: RoomType, reservation: Reservation) -> None:
    if room_type.hotel_id != reservation.hotel_id:
        raise Rejected(
            "other_hotel",
            f"{room_type.room_type_id} is a room type of another hotel; choose one of this hotel.",
            hotel=room_type.hotel_id,
        )


def change_room_type(
    db: Database, reservation_id: ReservationId, room_type_id: RoomTypeId
) -> Reservation:
    """Rebook a confirmed reservation into another room type, at its price.

    A room set aside is given up.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".
        room_type_id: The new room type, such as "RTY-00003".

    Raises:
        Rejected: The reservation or room type is unknown, or the reservation is not confirmed.
        Rejected: The day of arrival is over.
        Rejected: The room type is the same or of another hotel.
        Rejected: The party does not fit, or no room of the type is free.
        Rejected: An extra bed is still to be put up, for which the room type is too small.
        Rejected: It would become cheaper after the last day of free changes.
    """
    reservation = _still_to_come(db, reservation_id)
    room_type = db.room_types.get(room_type_id)
    _check_same_hotel(room_type, reservation)
    if room_type_id == reservation.room_type_id:
        raise Rejected(
            "nothing_to_change",
            f"Reservation {reservation_id} is for that room type already.",
            room_type=room_type.name,
        )
    _check_party(room_type, reservation.adults, reservation.children)
    _check_rooms_left(db, room_type, reservation.arrival, reservation.departure, reservation_id)
    plan = db.rate_plans.get(reservation.rate_plan_id)
    adults, children = reservation.adults, reservation.children
    return _reprice(db, reservation, room_type, plan, adults, children)


def change_rate_plan(
    db: Database, reservation_id: ReservationId, rate_plan_id: RatePlanId
) -> Reservation:
    """Put a confirmed reservation on another rate plan, for instance to add meals.

    Once the plan booked has no free changes any more, the new plan's terms may not be looser: its
    deposit and the share it keeps are as large, and it is free to cancel no longer.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".
        rate_plan_id: The new rate plan, such as "RPL-00002".

    Raises:
        Rejected: The reservation or rate plan is unknown, or the reservation is not confirmed.
        Rejected: The day of arrival is over.
        Rejected: The plan is the same, off sale, of another hotel or for longer stays.
        Rejected: It would get looser terms or become cheaper after the last day of free changes.
    """
    reservation = _still_to_come(db, reservation_id)
    plan = db.rate_plans.get(rate_plan_id)
    if rate_plan_id == reservation.rate_plan_id:
        raise Rejected(
            "nothing_to_change",
            f"Reservation {reservation_id} is on {plan.name} already; choose another plan.",
            plan=plan.name,
        )
    _check_plan(plan, reservation.hotel_id, len(reservation.nights))
    _check_on_sale(plan)
    _check_terms_hold(db, reservation, plan)
    room_type = db.room_types.get(reservation.room_type_id)
    adults, children = reservation.adults, reservation.children
    return _reprice(db, reservation, room_type, plan, adults, children)


def _check_all_may_come(db: Database, reservation: Reservation, adults: int, children: int) -> None:
    """Refuse a party in which those named, or those a service is booked for, have no place."""
    if not _have_a_place(list(reservation.companions), adults, children):
        raise Rejected(
            "too_many_companions",
            "More adults or children are named than would come; name those who come anew first, "
            "and leave out until after it who changes from a child to an adult.",
            named=len(reservation.companions),
        )
    booked = _booked_services(db, reservation.reservation_id)
    for booking in sorted(booked, key=lambda one: -one.persons):
        service = db.services.get(booking.service_id)
        at_once = _at_that_time(db, service, reservation.reservation_id, booking.starts_at)
        persons = sum(one.persons for one in at_once)
        if persons > adults + children:
            way = "cancel it first"
            if booking.starts_at <= db.now():
                way = "complete it first, as it has begun"
            raise Rejected(
                "booked_for_more",
                f"Service booking {booking.booking_id} is for {persons} people, others at that "
                f"time counted; {way}.",
                booking=booking.booking_id,
                persons=persons,
            )


def change_party(
    db: Database,
    reservation_id: ReservationId,
    adults: int,
    children: int,
    room_type_id: RoomTypeId | None = None,
) -> Reservation:
    """Change how many people a confirmed reservation is for; all nights are priced anew.

    A room set aside is given up if the room type changes.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".
        adults: People of twelve and older, the guest included.
        children: People under twelve.
        room_type_id: The room type that is to hold them, such as "RTY-00003"; the one booked
            unless given.

    Raises:
        Rejected: The reservation or room type is unknown, or the reservation is not confirmed.
        Rejected: The day of arrival is over.
        Rejected: The party is the same or does not fit the room type.
        Rejected: The room type is of another hotel, or no room of it is free.
        Rejected: More adults or children are named than would come.
        Rejected: A service is booked for more people than would come.
        Rejected: An extra bed is still to be put up, for which the room type is too small.
        Rejected: It would become cheaper after the last day of free changes.
    """
    reservation = _still_to_come(db, reservation_id)
    room_type = db.room_types.get(room_type_id or reservation.room_type_id)
    _check_same_hotel(room_type, reservation)
    if (adults, children) == (reservation.adults, reservation.children):
        raise Rejected(
            "nothing_to_change",
            f"Reservation {reservation_id} is for that party already; change_room_type changes the "
            "room type alone.",
            adults=adults,
            children=children,
        )
    _check_party(room_type, adults, children)
    if room_type.room_type_id != reservation.room_type_id:
        first, last = reservation.arrival, reservation.departure
        _check_rooms_left(db, room_type, first, last, reservation_id)
    plan = db.rate_plans.get(reservation.rate_plan_id)
    _new_nights(db, reservation, room_type, plan, adults, children)
    _check_all_may_come(db, reservation, adults, children)
    return _reprice(db, reservation, room_type, plan, adults, children)
