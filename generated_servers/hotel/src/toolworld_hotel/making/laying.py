"""Bookings laid over the data by calling tools, with everything that belongs to them."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from ..database.models import (
    Database,
    RatePlan,
    RatePlanId,
    Reservation,
    RoomType,
    RoomTypeId,
    ServiceBooking,
)
from ..values import money
from .draw import Draw
from .language import only
from .people import _welcome


def _fill(db: Database, draw: Draw, room_type: RoomType, arrival: date, departure: date) -> None:
    """Have other guests book all rooms of a type that are left on some nights."""
    plan = draw.one(db.rate_plans.where(hotel_id=room_type.hotel_id, min_nights=1, on_sale=True))
    quote = draw.call(
        "quote_stay",
        room_type_id=room_type.room_type_id,
        rate_plan_id=plan.rate_plan_id,
        arrival=arrival,
        departure=departure,
        adults=1,
    )
    for _ in range(quote.rooms_left):
        draw.call(
            "create_reservation",
            guest_id=_welcome(db, draw).guest_id,
            room_type_id=room_type.room_type_id,
            rate_plan_id=plan.rate_plan_id,
            arrival=arrival,
            departure=departure,
            adults=1,
            channel="website",
        )


def _rooms_free(db: Database, draw: Draw, booking: Reservation, first: date, last: date) -> int:
    """Return how many rooms of a booking's type are left on some nights."""
    plan = draw.one(db.rate_plans.where(hotel_id=booking.hotel_id, min_nights=1, on_sale=True))
    return draw.call(
        "quote_stay",
        room_type_id=booking.room_type_id,
        rate_plan_id=plan.rate_plan_id,
        arrival=first,
        departure=last,
        adults=1,
        reservation_id=booking.reservation_id,
    ).rooms_left


def _coming(db: Database, draw: Draw) -> Reservation:
    """Return a booking that begins about when cancelling it stops being free."""
    booking = draw.row("reservations", status="confirmed")
    draw.need(booking.arrival > db.today())
    plan = db.rate_plans.get(booking.rate_plan_id)
    if plan.free_cancel_days is None:
        return booking
    days = max(0, plan.free_cancel_days + draw.one([-3, -2, -1, 0, 0, 1, 1, 2, 3, 5, 8]))
    arrival = db.today() + timedelta(days=days)
    draw.need(arrival != booking.arrival)
    booking = draw.call(
        "change_reservation_dates",
        reservation_id=booking.reservation_id,
        arrival=arrival,
        departure=arrival + (booking.departure - booking.arrival),
    )
    return booking


def _with_service(
    db: Database, draw: Draw, booking: Reservation, day: date, persons: int
) -> ServiceBooking:
    """Book a service on a day of a stay."""
    service = draw.one(db.services.where(hotel_id=booking.hotel_id))
    slots = draw.call("list_service_slots", service_id=service.service_id, day=day, persons=persons)
    return draw.call(
        "book_service",
        reservation_id=booking.reservation_id,
        service_id=service.service_id,
        starts_at=draw.one(slots).starts_at,
        persons=persons,
    )


def _with_service_called_off(
    db: Database, draw: Draw, booking: Reservation, day: date, persons: int
) -> None:
    """Book a service on a day of a stay and call it off again; in the twin it is booked."""
    service = _with_service(db, draw, booking, day, persons)
    draw.need(service.starts_at - db.now() >= timedelta(hours=4))
    draw.call("cancel_service", booking_id=service.booking_id)
    draw.turn(service, status="booked")


def _budget(draw: Draw, nights: int) -> dict[str, Decimal]:
    """Return up to which price somebody says yes to some nights."""
    return {"price": money(Decimal(nights * draw.one([90, 140, 200, 300, 450, 900, 900])))}


def _most(draw: Draw, booking: Reservation) -> dict[str, Decimal]:
    """Return up to which price somebody says yes to a change of a booking."""
    shares = ["0.9", "1.0", "1.05", "1.2", "1.5", "2.0", "3.0", "3.0"]
    return {"price": money(booking.total * Decimal(draw.one(shares)))}


def _turn_price(draw: Draw, room_type: RoomType) -> None:
    """Let twins turn on the price of a room type: too dear for some, or within their means."""
    draw.turn(room_type, base_rate=room_type.base_rate * 3)
    draw.turn(room_type, base_rate=money(room_type.base_rate / 3))


def _turn_terms(db: Database, draw: Draw, booking: Reservation) -> None:
    """Let twins turn on whether a booking can still be cancelled free of charge."""
    plan = db.rate_plans.get(booking.rate_plan_id)
    days = (booking.arrival - db.today()).days
    if plan.free_cancel_days is None or plan.free_cancel_days > days:
        draw.turn(plan, free_cancel_days=days)
    else:
        draw.turn(plan, free_cancel_days=days + 1)
        draw.turn(plan, free_cancel_days=None)


def _price_as(
    db: Database, draw: Draw, booking: Reservation, room_type_id: RoomTypeId, plan_id: RatePlanId
) -> Reservation:
    """Have a booking cost just what another room type or rate costs today."""
    quote = draw.call(
        "quote_stay",
        room_type_id=room_type_id,
        rate_plan_id=plan_id,
        arrival=booking.arrival,
        departure=booking.departure,
        adults=booking.adults,
        children=booking.children,
    )
    folio = only(db.folios.where(reservation_id=booking.reservation_id))
    draw.need(folio.paid <= quote.total and booking.deposit_due <= quote.total)
    return db.reservations.update(
        booking.reservation_id,
        nights=quote.nights,
        total=quote.total,
        deposit_due=max(booking.deposit_due, quote.deposit),
    )


def _alike_terms(db: Database, draw: Draw, plan: RatePlan, booked: RatePlan) -> None:
    """Have a rate share some of the terms of the one that is booked."""
    if draw.chance(0.5):
        db.rate_plans.update(plan.rate_plan_id, deposit_percent=booked.deposit_percent)
    if draw.chance(0.5):
        db.rate_plans.update(plan.rate_plan_id, late_cancel_percent=booked.late_cancel_percent)
    if draw.chance(0.5):
        db.rate_plans.update(plan.rate_plan_id, free_cancel_days=booked.free_cancel_days)
