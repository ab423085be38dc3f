"""Spa, meals, tours and transfers that guests book for their stay, move and call off."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from ..database.models import Database, Reservation, Service, ServiceBooking
from ..values import money
from .agent import Agent, Given
from .draw import Draw
from .facts import Facts, facts
from .language import Outcome, maybe, only, outcome
from .people import _booking, _with_booking

NOTES_OF_ONE = (
    "I use a folding wheelchair.",
    "I am hard of hearing.",
    "Please speak English with me.",
    "I am blind and bring a guide dog.",
)
NOTES_OF_SEVERAL = (
    "One of us uses a folding wheelchair.",
    "One of us is hard of hearing.",
    "Please speak English with us.",
    "One of us is blind and brings a guide dog.",
)


def _visiting(db: Database, draw: Draw) -> Reservation:
    """Return the booking of a guest who is in the house, or comes within the next weeks."""
    stay = draw.row("reservations", status=draw.one(["checked_in", "checked_in", "confirmed"]))
    draw.need(db.today() < stay.departure <= db.today() + timedelta(days=40))
    draw.need(not db.guests.get(stay.guest_id).banned)
    return stay


def _day_of(db: Database, draw: Draw, stay: Reservation) -> date:
    """Return a day of a stay, tomorrow at the earliest."""
    first = max(stay.arrival, db.today() + timedelta(days=1))
    return first + timedelta(days=draw.integer(0, (stay.departure - first).days))


def _left_at_hour(draw: Draw, service: Service, day: date, hour: int) -> int:
    """Return how many places of a service are left at an hour."""
    slots = draw.call("list_service_slots", service_id=service.service_id, day=day)
    slot = maybe(one for one in slots if one.starts_at.hour == hour)
    return 0 if slot is None else slot.places_left


def _crowd(db: Database, draw: Draw, stay: Reservation, service: Service, at: datetime) -> None:
    """Have other guests of the house take all places of a service at a time."""
    left = _left_at_hour(draw, service, at.date(), at.hour)
    for other in db.reservations.where(hotel_id=stay.hotel_id):
        is_there = other.status in ("confirmed", "checked_in")
        is_there = is_there and other.arrival <= at.date() <= other.departure
        if left > 0 and is_there and other.guest_id != stay.guest_id:
            persons = min(left, other.adults + other.children)
            draw.call(
                "book_service",
                reservation_id=other.reservation_id,
                service_id=service.service_id,
                starts_at=at,
                persons=persons,
            )
            left = left - persons
    draw.need(left == 0)


def _clock(at: datetime) -> str:
    """Return the time of day in words."""
    return f"{at.hour}:00"


def _nearest(times: list[datetime], hour: int) -> datetime:
    """Return the next time after an hour, or else the last one before it."""
    return min(times, key=lambda at: (max(hour - at.hour, 0), at))


def _need_none_of(db: Database, draw: Draw, stay: Reservation, services: list[Service]) -> None:
    """Draw anew if a guest has booked any of some services already."""
    wanted = [one.service_id for one in services]
    for one in db.service_bookings.where(reservation_id=stay.reservation_id):
        draw.need(one.service_id not in wanted)


def _slots_of(db: Database, draw: Draw, service: Service, day: date) -> datetime:
    """Return one of the times that a service has places on a day."""
    slots = draw.call("list_service_slots", service_id=service.service_id, day=day)
    return draw.one(slots).starts_at


def book_spa(db: Database, draw: Draw) -> Facts:
    """Guests want the cheapest of the spa at a time; it may be full, or they too many."""
    stay = _visiting(db, draw)
    day, people = _day_of(db, draw, stay), stay.adults + stay.children
    stage = draw.one(["cheap", "cheap", "full", "all_full", "all_full", "many", "away"])
    hour = draw.integer(11, 17)
    persons = people + draw.integer(1, 2) if stage == "many" else draw.integer(1, people)
    services = db.services.where(hotel_id=stay.hotel_id, kind="spa")
    _need_none_of(db, draw, stay, services)
    cheap = min(services, key=lambda one: one.price)
    draw.turn(cheap, last_hour=hour - 1)
    if stage == "cheap" and stay.adults > 1 and len(stay.companions) == 0:
        persons = people
        draw.turn(stay, adults=stay.adults - 1)
    if stage == "away":
        day = stay.departure + timedelta(days=draw.integer(1, 2))
    if stage == "all_full" and draw.chance(0.5):
        db.services.update(cheap.service_id, last_hour=hour)
    for service in services:
        slots = draw.call("list_service_slots", service_id=service.service_id, day=day)
        slot = maybe(one for one in slots if one.starts_at.hour == hour)
        if slot is not None and (stage == "all_full" or stage == "full" and service == cheap):
            _crowd(db, draw, stay, service, slot.starts_at)
    wavers = draw.chance(0.35)
    return facts(
        _with_booking(db, stay), day=day, hour=hour, persons=persons,
        agrees=not wavers, accepts=not wavers,
    )  # fmt: skip


def solve_book_spa(agent: Agent, given: Given) -> Outcome:
    stay = _booking(agent, given)
    agent.ask("day", "hour", "persons")
    if not stay.arrival <= given.day <= stay.departure:
        return outcome("spa_outside_stay", first=stay.arrival, last=stay.departure)
    if given.persons > stay.adults + stay.children:
        return outcome("spa_for_too_many", most=stay.adults + stay.children)
    services = sorted(agent.list_services(stay.hotel_id, kind="spa"), key=lambda one: one.price)
    places = [
        (slot.starts_at, service)
        for service in services
        for slot in agent.list_service_slots(service.service_id, given.day, given.persons)
    ]
    fitting = [(at, service) for at, service in places if at.hour == given.hour]
    if len(fitting) > 0:
        return _book_spa_then(agent, given, stay, fitting[0][1], fitting[0][0])
    at = _nearest([at for at, _ in places], given.hour)
    service = [one for one_at, one in places if one_at == at][0]
    price = service.price * given.persons
    if not agent.offer("another_time", service=service.name, time=_clock(at), price=price):
        return outcome("spa_full", time=_clock(at))
    agent.book_service(stay.reservation_id, service.service_id, at, given.persons)
    return outcome("spa_at_other_time", time=_clock(at), price=price)


def _book_spa_then(
    agent: Agent, given: Given, stay: Reservation, service: Service, at: datetime
) -> Outcome:
    """Tell what a service costs all who come, and book it."""
    price = service.price * given.persons
    if not agent.agreed(service=service.name, price=price):
        return outcome("spa_left", service=service.name, price=price)
    agent.book_service(stay.reservation_id, service.service_id, at, given.persons)
    return outcome("spa_booked", service=service.name, price=price)


def book_by_name(db: Database, draw: Draw) -> Facts:
    """Guests want one service at one time, with a note; it may not begin then, or be full."""
    stay = _visiting(db, draw)
    day = _day_of(db, draw, stay)
    service = draw.one(
        one for one in db.services.where(hotel_id=stay.hotel_id) if one.kind != "spa"
    )
    _need_none_of(db, draw, stay, [service])
    at = _slots_of(db, draw, service, day)
    hour, stage = at.hour, draw.one(["fits", "fits", "full", "full", "hours", "many"])
    if stage == "full":
        _crowd(db, draw, stay, service, at)
    if hour > service.first_hour:
        draw.turn(service, last_hour=hour - 1)
    if stage == "hours":
        near = range(max(8, service.first_hour - 3), min(22, service.last_hour + 3) + 1)
        hour = draw.one(one for one in near if not service.first_hour <= one <= service.last_hour)
    people = stay.adults + stay.children
    persons = people + 1 if stage == "many" else draw.integer(1, people)
    wavers = draw.chance(0.2)
    return facts(
        _with_booking(db, stay), service=service.name, day=day, hour=hour,
        persons=persons, note=draw.one(NOTES_OF_ONE if persons == 1 else NOTES_OF_SEVERAL),
        agrees=not wavers, accepts=not wavers,
    )  # fmt: skip


def solve_book_by_name(agent: Agent, given: Given) -> Outcome:
    stay = _booking(agent, given)
    agent.ask("service", "day", "hour", "persons")
    service = only(one for one in agent.list_services(stay.hotel_id) if one.name == given.service)
    if not service.first_hour <= given.hour <= service.last_hour:
        first, last = f"{service.first_hour}:00", f"{service.last_hour}:00"
        return outcome("not_at_that_hour", first=first, last=last)
    if given.persons > stay.adults + stay.children:
        return outcome("too_many_to_come", most=stay.adults + stay.children)
    price = service.price * given.persons
    slots = agent.list_service_slots(service.service_id, given.day, given.persons)
    slot = maybe(one for one in slots if one.starts_at.hour == given.hour)
    if slot is None:
        at = _nearest([one.starts_at for one in slots], given.hour)
        time = _clock(at)
        if not agent.offer("another_time", time=time, price=price):
            return outcome("no_place_then", time=time)
        _book_with_note(agent, given, stay, service, at)
        return outcome("place_at_other_time", time=time, price=price)
    if not agent.agreed(price=price):
        return outcome("place_left", price=price)
    _book_with_note(agent, given, stay, service, slot.starts_at)
    return outcome("place_booked", price=price)


def _book_with_note(
    agent: Agent, given: Given, stay: Reservation, service: Service, at: datetime
) -> None:
    """Book a service with what is to be noted."""
    agent.ask("note")
    agent.book_service(stay.reservation_id, service.service_id, at, given.persons, given.note)


def _laid_service(
    db: Database, draw: Draw, stay: Reservation, first_hour: int, day: date
) -> ServiceBooking:
    """Book some service on a day, from an hour on, that the guest has not booked before."""
    had = [one.service_id for one in db.service_bookings.where(reservation_id=stay.reservation_id)]
    service = draw.one(
        one for one in db.services.where(hotel_id=stay.hotel_id) if one.service_id not in had
    )
    slots = draw.call("list_service_slots", service_id=service.service_id, day=day)
    people = draw.integer(1, stay.adults + stay.children)
    slot = draw.one(one for one in slots if one.starts_at.hour >= first_hour)
    return draw.call(
        "book_service",
        reservation_id=stay.reservation_id,
        service_id=service.service_id,
        starts_at=slot.starts_at,
        persons=people,
    )


def _none_booked(db: Database, stay: Reservation) -> bool:
    """Say whether a guest has booked nothing yet that could be meant as well."""
    return len(db.service_bookings.where(reservation_id=stay.reservation_id, status="booked")) == 0


def drop_service(db: Database, draw: Draw) -> Facts:
    """Something booked is to be called off; within four hours that costs half of it."""
    stay = _visiting(db, draw)
    stage = draw.one(["soon", "soon", "soon", "soon", "later", "later", "off", "begun", "begun"])
    is_later = stage in ("later", "off")
    draw.need(is_later or stay.arrival <= db.today())
    day = _day_of(db, draw, stay) if is_later else db.today()
    draw.need(_none_booked(db, stay))
    booked = _laid_service(db, draw, stay, 15, day)
    service = db.services.get(booked.service_id)
    if is_later:
        draw.turn(booked, status="booked" if stage == "off" else "cancelled")
    if stage == "off":
        draw.call("cancel_service", booking_id=booked.booking_id)
    if stage == "soon":
        draw.need(booked.starts_at.hour <= 19)
        draw.turn(booked, status="cancelled")
        if service.last_hour >= db.now().hour + 5:
            draw.turn(booked, starts_at=db.now() + timedelta(hours=5))
        if service.first_hour <= db.now().hour - 1:
            draw.turn(booked, starts_at=db.now() - timedelta(hours=1))
    if stage == "begun":
        draw.need(service.first_hour <= db.now().hour - 3)
        booked = db.service_bookings.update(
            booked.booking_id, starts_at=db.now() - timedelta(hours=draw.integer(0, 3))
        )
    return facts(_with_booking(db, stay), service=service.name, agrees=draw.chance(0.6))


def solve_drop_service(agent: Agent, given: Given) -> Outcome:
    stay = _booking(agent, given)
    agent.ask("service")
    lines = agent.list_service_bookings(stay.reservation_id)
    booked = only(line for line in lines if line.service == given.service)
    if booked.status == "cancelled":
        return outcome("dropped_before", day=booked.starts_at.date())
    now = agent.get_time().now
    if booked.starts_at <= now:
        return outcome("begun_already", time=_clock(booked.starts_at), price=booked.price)
    fee = money(0)
    if booked.starts_at - now < timedelta(hours=4):
        fee = money(booked.price / 2)
    if fee == 0:
        agent.cancel_service(booked.booking_id)
        return outcome("dropped_free", fee=fee)
    if not agent.agreed(fee=fee):
        return outcome("service_kept", fee=fee)
    agent.cancel_service(booked.booking_id)
    return outcome("dropped_for_half", fee=fee)


def shift_service(db: Database, draw: Draw) -> Facts:
    """Something booked is to be at another time of the stay, which may be full."""
    stay = _visiting(db, draw)
    day = _day_of(db, draw, stay)
    stage = draw.one(
        ["fits", "fits", "full", "full", "full", "away", "off", "begun", "begun", "soon", "soon"]
    )
    draw.need(_none_booked(db, stay))
    booked = _laid_service(db, draw, stay, 0, day)
    service = db.services.get(booked.service_id)
    new_at = _slots_of(db, draw, service, _day_of(db, draw, stay))
    draw.need(new_at != booked.starts_at)
    new_day = new_at.date()
    if stage == "full":
        _crowd(db, draw, stay, service, new_at)
    if stage == "away":
        new_day = stay.departure + timedelta(days=1)
    if stage in ("off", "begun"):
        draw.turn(booked, starts_at=booked.starts_at, status="booked")
    can_have_begun = stay.arrival <= db.today() and service.first_hour <= db.now().hour - 2
    if stage == "begun":
        draw.need(can_have_begun)
        booked = db.service_bookings.update(
            booked.booking_id, starts_at=db.now() - timedelta(hours=draw.integer(0, 2))
        )
    if stage == "soon":
        at = db.now() + timedelta(hours=draw.integer(1, 3))
        draw.need(stay.arrival <= db.today() and service.first_hour <= at.hour <= service.last_hour)
        booked = db.service_bookings.update(booked.booking_id, starts_at=at)
    if stage == "off":
        draw.call("cancel_service", booking_id=booked.booking_id)
    if stage in ("fits", "full", "soon"):
        draw.turn(booked, status="cancelled")
    if can_have_begun and stage != "off":
        draw.turn(booked, starts_at=db.now() - timedelta(hours=1))
    wavers = draw.chance(0.4)
    return facts(
        _with_booking(db, stay), service=service.name, new_day=new_day, new_hour=new_at.hour,
        agrees=not wavers, accepts=not wavers,
    )  # fmt: skip


def solve_shift_service(agent: Agent, given: Given) -> Outcome:
    stay = _booking(agent, given)
    agent.ask("service", "new_day", "new_hour")
    lines = agent.list_service_bookings(stay.reservation_id)
    booked = only(line for line in lines if line.service == given.service)
    if booked.status == "cancelled":
        return outcome("not_booked_any_more", day=booked.starts_at.date())
    if booked.starts_at <= agent.get_time().now:
        return outcome("too_late_to_move", time=_clock(booked.starts_at))
    if booked.starts_at - agent.get_time().now < timedelta(hours=4):
        return outcome("too_near_to_move", time=_clock(booked.starts_at))
    if not stay.arrival <= given.new_day <= stay.departure:
        return outcome("moved_outside_stay", first=stay.arrival, last=stay.departure)
    slots = agent.list_service_slots(booked.service_id, given.new_day, booked.persons)
    slot = maybe(one for one in slots if one.starts_at.hour == given.new_hour)
    if slot is None:
        others = [one.starts_at for one in slots if one.starts_at != booked.starts_at]
        at = _nearest(others, given.new_hour)
        time = _clock(at)
        if not agent.offer("another_time", time=time):
            return outcome("stays_as_booked", time=time)
        agent.reschedule_service(booked.booking_id, at)
        return outcome("moved_near", time=time, price=booked.price)
    agent.reschedule_service(booked.booking_id, slot.starts_at)
    return outcome("service_moved", price=booked.price)
