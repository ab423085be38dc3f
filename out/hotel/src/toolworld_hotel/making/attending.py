"""Services that were given, and requests that were met, fall on another day or are dropped."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from ..database.models import (
    Database,
    GuestRequest,
    RequestKind,
    Reservation,
    Service,
    ServiceBooking,
)
from .agent import Agent, Given
from .colleagues import _house_facts, _in_a_room, _own_house
from .draw import Draw
from .facts import Facts, facts, told
from .language import Outcome, maybe, only, outcome
from .people import _booking, _with_booking
from .treats import _clock, _day_of, _visiting

ERRANDS: dict[str, RequestKind] = {
    "Two more bath towels, please.": "extra_towels",
    "A cot for our baby.": "baby_cot",
    "A flat pillow without feathers.": "pillow",
    "Flowers in the room for a birthday.": "decoration",
}


def _guest_wants(db: Database, draw: Draw, stay: Reservation, wish: str, day: date) -> GuestRequest:
    """Take a wish down for a day of a stay that has none of its kind yet, some days ago."""
    kind = ERRANDS[wish]
    alike = db.guest_requests.where(reservation_id=stay.reservation_id, kind=kind)
    draw.need(len(alike) == 0)
    request = draw.call(
        "create_request",
        reservation_id=stay.reservation_id,
        kind=kind,
        details=wish,
        wanted_on=day,
    )
    days = min(draw.integer(0, 3), (db.today() - stay.booked_at.date()).days - 1)
    draw.need(days >= 0)
    return db.guest_requests.update(
        request.request_id, made_at=db.now() - timedelta(days=days, hours=draw.integer(1, 5))
    )


def _had_today(
    db: Database, draw: Draw, stay: Reservation, service: Service, hour: int
) -> ServiceBooking:
    """Have somebody booked for a service at an hour of today, gone by or not."""
    had = db.service_bookings.where(reservation_id=stay.reservation_id)
    draw.need(service.service_id not in [one.service_id for one in had])
    slots = draw.call("list_service_slots", service_id=service.service_id, day=db.today())
    made = draw.call(
        "book_service",
        reservation_id=stay.reservation_id,
        service_id=service.service_id,
        starts_at=draw.one(slots).starts_at,
        persons=draw.integer(1, min(2, stay.adults)),
    )
    moved = db.now() + timedelta(hours=hour - db.now().hour)
    return db.service_bookings.update(made.booking_id, starts_at=moved)


def charge_services(db: Database, draw: Draw) -> Facts:
    """What was given of a service today is to be charged; some is still to come, or called off."""
    stage = draw.one(["begun", "begun", "mixed", "mixed", "mixed", "to_come", "charged"])
    hotel = draw.one(db.hotels.all())
    names = ("Thermal Circuit", "Old Town Walk", "Airport Car")
    service = only(db.services.where(hotel_id=hotel.hotel_id, name=draw.one(names)))
    there = [
        one
        for one in db.reservations.where(hotel_id=hotel.hotel_id, status="checked_in")
        if one.arrival < db.today() < one.departure
    ]
    guests = draw.some(there, draw.integer(1, 4))
    hours = draw.some([9, 10, 11, 12, 13, 14], len(guests))
    later = {"mixed": len(guests) - draw.integer(1, 2), "to_come": len(guests)}
    first_begun = later[stage] if stage in later else 0
    made = [
        _had_today(db, draw, guests[n], service, draw.integer(15, 17) if n < first_begun else hour)
        for n, hour in enumerate(hours)
    ]
    if stage in ("begun", "charged") and len(made) > 1 and draw.chance(0.5):
        called_off = made.pop()
        db.service_bookings.update(called_off.booking_id, status="cancelled")
    if stage == "charged":
        for one in made:
            draw.call("complete_service", booking_id=one.booking_id)
    completed = db.service_bookings.where(service_id=service.service_id, status="completed")
    earlier = [one for one in completed if one.starts_at.date() == db.today()]
    draw.need(stage == "charged" or len(earlier) == 0)
    today = [
        one
        for one in db.service_bookings.where(service_id=service.service_id, status="booked")
        if one.starts_at.date() == db.today() and one.starts_at <= db.now()
    ]
    draw.need(all(db.reservations.get(one.reservation_id) in there for one in today))
    if stage in ("begun", "mixed"):
        draw.need(len(today) > 0)
        draw.turn(today[0], starts_at=db.now() + timedelta(hours=1))
    return facts(_house_facts(db, hotel.hotel_id), service=service.name)


def solve_charge_services(agent: Agent, given: Given) -> Outcome:
    house = _own_house(agent, given)
    agent.ask("service")
    service = only(one for one in agent.list_services(house.hotel_id) if one.name == given.service)
    times = agent.get_time()
    lines = agent.list_service_day(service.service_id, times.today)
    booked = [one for one in lines if one.status == "booked"]
    given_now = [one for one in booked if one.starts_at <= times.now]
    if len(given_now) == 0 and len(booked) > 0:
        return outcome("none_begun", time=_clock(min(one.starts_at for one in booked)))
    if len(given_now) == 0:
        charged = [one.price for one in lines if one.status == "completed"]
        return outcome("charged_before", total=sum(charged, Decimal(0)))
    for line in given_now:
        agent.complete_service(line.booking_id)
    total = sum((one.price for one in given_now), Decimal(0))
    return outcome("all_charged", total=total)


def request_met(db: Database, draw: Draw) -> Facts:
    """Something a guest asked for was brought; it may be given to nobody, or recorded before."""
    stage = draw.one(["in_hand", "in_hand", "nobody", "nobody", "nobody", "met"])
    lived = _in_a_room(db, draw)
    stay = db.reservations.get(lived.reservation_id)
    wish = draw.one(list(ERRANDS))
    request = _guest_wants(db, draw, stay, wish, db.today())
    staff = db.employees.where(hotel_id=lived.hotel_id)
    worker = draw.one(staff)
    if draw.chance(0.3):
        worker = draw.one(one for one in staff if not one.on_shift)
    elsewhere = stage == "nobody" and draw.chance(0.2)
    if elsewhere:
        worker = draw.row("employees", on_shift=True)
        draw.need(worker.hotel_id != lived.hotel_id)
    if stage != "nobody":
        other, another = draw.some([one for one in staff if one.on_shift], 2)
        draw.call("assign_request", request_id=request.request_id, employee_id=other.employee_id)
        draw.turn(request, status="in_progress" if stage == "met" else "done")
        draw.turn(request, employee_id=another.employee_id)
    if stage == "met":
        draw.call("complete_request", request_id=request.request_id)
    if stage == "nobody" and not elsewhere:
        draw.turn(worker, on_shift=not worker.on_shift)
    room = db.rooms.get(lived.room_id)
    return facts(
        _house_facts(db, lived.hotel_id),
        room=told(room.number, room, "number"),
        kind=ERRANDS[wish],
        worker=told(worker.name, worker, "name"),
    )


def solve_request_met(agent: Agent, given: Given) -> Outcome:
    house = _own_house(agent, given)
    agent.ask("room", "kind")
    stay = agent.find_stay_in_room(house.hotel_id, given.room)
    found = agent.list_requests(house.hotel_id, reservation_id=stay.reservation_id)
    request = only(one for one in found if one.kind == given.kind)
    if request.status == "done":
        return outcome("met_before", guest=stay.guest, by=request.employee)
    if request.employee_id is not None:
        agent.complete_request(request.request_id)
        return outcome("met", guest=stay.guest, by=request.employee)
    agent.ask("worker")
    worker = maybe(one for one in agent.list_employees(house.hotel_id) if one.name == given.worker)
    if worker is None or not worker.on_shift:
        return outcome("not_to_be_given", guest=stay.guest, day=request.made_at.date())
    agent.assign_request(request.request_id, worker.employee_id)
    agent.complete_request(request.request_id)
    return outcome("given_and_met", guest=stay.guest, by=worker.name)


def wrong_day(db: Database, draw: Draw) -> Facts:
    """Something is noted for the wrong day; the right one may be outside the stay, or noted."""
    stay = _visiting(db, draw)
    stage = draw.one(["moves", "moves", "moves", "moves", "away", "right", "met"])
    wish = draw.one(list(ERRANDS))
    day, new_day = _day_of(db, draw, stay), _day_of(db, draw, stay)
    if stage == "met":
        draw.need(stay.status == "checked_in")
        day = db.today()
    request = _guest_wants(db, draw, stay, wish, day)
    if stage == "away":
        new_day = stay.departure + timedelta(days=draw.integer(1, 3))
    if stage == "right":
        new_day = day
    draw.need((stage == "right") == (day == new_day))
    if stage in ("met", "moves") and draw.chance(0.4) or stage == "met":
        fit = db.employees.where(hotel_id=stay.hotel_id, on_shift=True)
        draw.need(stay.status == "checked_in")
        draw.call(
            "assign_request",
            request_id=request.request_id,
            employee_id=draw.one(fit).employee_id,
        )
    if stage == "met":
        draw.call("complete_request", request_id=request.request_id)
        draw.turn(request, status="in_progress")
    if stage == "moves":
        draw.turn(request, wanted_on=new_day)
    if stage in ("moves", "right"):
        draw.turn(request, wanted_on=_day_of(db, draw, stay))
    return facts(_with_booking(db, stay), wish=wish, new_day=new_day)


def solve_wrong_day(agent: Agent, given: Given) -> Outcome:
    stay = _booking(agent, given)
    agent.ask("wish", "new_day")
    found = agent.list_requests(stay.hotel_id, reservation_id=stay.reservation_id)
    request = only(one for one in found if one.kind == ERRANDS[given.wish])
    if request.status == "done":
        return outcome("was_brought", day=request.wanted_on)
    if not stay.arrival <= given.new_day <= stay.departure:
        return outcome("day_outside_stay", first=stay.arrival, last=stay.departure)
    if request.wanted_on == given.new_day:
        return outcome("is_that_day", since=request.made_at.date())
    agent.cancel_request(request.request_id)
    agent.create_request(stay.reservation_id, request.kind, given.wish, given.new_day)
    return outcome("noted_for_new_day", day=request.wanted_on)
