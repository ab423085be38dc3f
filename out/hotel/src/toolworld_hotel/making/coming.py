"""Guests who stand in the hall: checking in early, and wanting a better or another room."""

from __future__ import annotations

from datetime import timedelta

from ..database.models import Database
from .agent import Agent, Given
from .colleagues import _ready_rooms, _soil
from .desk import _unpaid_arrival
from .draw import Draw
from .facts import Facts, facts
from .language import Outcome, maybe, only, outcome
from .laying import _fill, _most, _turn_price
from .people import _booking_in_house, _booking_that, _with_booking


def come_early(db: Database, draw: Draw) -> Facts:
    """Somebody is there before three; the deposit may be missing, or no room be ready."""
    stage = draw.one(["ready", "ready", "soiled", "owing", "owing", "owing", "owing", "day"])
    booking = draw.row("reservations", status="confirmed")
    if stage == "owing":
        booking = _unpaid_arrival(db, draw)
    elif stage != "day":
        booking = draw.row("reservations", status="confirmed", arrival=db.today())
    draw.need((stage == "day") == (booking.arrival > db.today()))
    draw.need(db.today() <= booking.arrival <= db.today() + timedelta(days=20))
    if stage == "soiled" and booking.room_id is not None:
        db.rooms.update(booking.room_id, condition="dirty")
    if booking.room_id is not None:
        room = db.rooms.get(booking.room_id)
        draw.turn(room, condition="dirty" if room.condition == "clean" else "clean")
    return facts(
        _with_booking(db, booking),
        cards=draw.integer(1, 3),
        card=f"{draw.integer(1000, 9999)}",
        agrees=draw.chance(0.7),
    )


def solve_come_early(agent: Agent, given: Given) -> Outcome:
    booking = _booking_that(agent, given, ("confirmed",))
    times = agent.get_time()
    if booking.arrival != times.today:
        return outcome("not_their_day", day=booking.arrival, last=booking.departure)
    ready = _ready_rooms(
        agent, booking.hotel_id, booking.room_type_id, booking.arrival, booking.departure
    )
    rooms = agent.list_rooms(booking.hotel_id, room_type_id=booking.room_type_id)
    in_use = [line.room_id for line in agent.list_in_house(booking.hotel_id)]
    own = maybe(
        room
        for room in rooms
        if room.room_id == booking.room_id
        and room.condition == "clean"
        and room.room_id not in in_use
    )
    if own is None and len(ready) == 0:
        return outcome("come_back_later", time=times.check_in_from)
    room = ready[0] if own is None else own
    folio = agent.get_folio(booking.reservation_id)
    due = booking.deposit_due + folio.charged - folio.paid
    if due > 0:
        if not agent.agreed(deposit_due=due):
            return outcome("no_deposit_no_room", due=due)
        agent.ask("card")
        agent.take_payment(folio.folio_id, "card", due, given.card)
    agent.ask("cards")
    agent.check_in(booking.reservation_id, room.room_id, given.cards)
    if due > 0:
        return outcome("paid_and_in", due=due, room=room.number)
    return outcome("in_early", room=room.number)


def want_upgrade(db: Database, draw: Draw) -> Facts:
    """Somebody to come wants a better room for nothing; there is one at its price only."""
    booking = draw.row("reservations", status="confirmed")
    draw.need(db.today() < booking.arrival <= db.today() + timedelta(days=25))
    booked = db.room_types.get(booking.room_type_id)
    better = [
        one
        for one in db.room_types.where(hotel_id=booking.hotel_id)
        if one.base_rate > booked.base_rate
    ]
    full = draw.integer(0, 2)
    for room_type in sorted(better, key=lambda one: one.base_rate)[:full]:
        _fill(db, draw, room_type, booking.arrival, booking.arrival + timedelta(days=1))
    for room_type in better:
        _turn_price(draw, room_type)
    return facts(_with_booking(db, booking), agrees=_most(draw, booking), accepts=draw.chance(0.6))


def solve_want_upgrade(agent: Agent, given: Given) -> Outcome:
    booking = _booking_that(agent, given, ("confirmed",))
    rooms = agent.list_room_types(booking.hotel_id)
    booked = only(one for one in rooms if one.room_type_id == booking.room_type_id)
    for room in sorted(rooms, key=lambda one: one.base_rate):
        people = booking.adults + booking.children
        if room.base_rate > booked.base_rate and room.capacity >= people:
            quote = agent.quote_stay(
                room.room_type_id,
                booking.rate_plan_id,
                booking.arrival,
                booking.departure,
                booking.adults,
                booking.children,
                booking.reservation_id,
            )
            if quote.rooms_left > 0:
                if not agent.offer("better_room", room=room.name, price=quote.total):
                    return outcome("keeps_own_room", room=room.name, price=quote.total)
                agent.change_room_type(booking.reservation_id, room.room_type_id)
                return outcome("pays_for_better", room=room.name, price=quote.total)
    return outcome("nothing_better", room=booked.name)


def change_rooms(db: Database, draw: Draw) -> Facts:
    """Somebody in the house wants another room; the same type comes first, a better one next."""
    stay = draw.row("reservations", status="checked_in")
    draw.need(stay.arrival < db.today())
    draw.need(stay.departure > db.today() or draw.chance(0.4))
    stage = draw.one(["as_it_is", "as_it_is", "as_it_is", "none_alike", "none"])
    booked = db.room_types.get(stay.room_type_id)
    if stage != "as_it_is":
        _soil(db, draw, stay.room_type_id)
    types = db.room_types.where(hotel_id=stay.hotel_id)
    if stage == "none":
        for one in types:
            if one.base_rate > booked.base_rate:
                _soil(db, draw, one.room_type_id)
    elif draw.chance(0.4):
        other = draw.one(one for one in types if one != booked)
        db.room_types.update(other.room_type_id, base_rate=booked.base_rate)
    for room in db.rooms.where(room_type_id=stay.room_type_id):
        if len(db.stays.where(room_id=room.room_id, status="in_house")) == 0:
            draw.turn(room, condition="dirty" if room.condition == "clean" else "clean")
    reason = draw.one([
        "My room is right beside the lift.",
        "My room smells of cigarettes.",
        "The bar is right below and I cannot sleep.",
        "The people next door have a crying baby.",
    ])  # fmt: skip
    return facts(_with_booking(db, stay), reason=reason)


def solve_change_rooms(agent: Agent, given: Given) -> Outcome:
    booking = _booking_in_house(agent, given)
    today = agent.get_time().today
    if booking.departure <= today:
        return outcome("leaves_today", day=booking.departure)
    stay = agent.get_stay(booking.reservation_id)
    types = agent.list_room_types(booking.hotel_id)
    booked = only(one for one in types if one.room_type_id == booking.room_type_id)
    people = booking.adults + booking.children
    good = [one for one in types if one.base_rate >= booked.base_rate and one.capacity >= people]
    for one in sorted(good, key=lambda one: (one != booked, one.base_rate)):
        ready = _ready_rooms(agent, booking.hotel_id, one.room_type_id, today, booking.departure)
        if len(ready) > 0:
            moved = agent.attempt.move_room(stay.stay_id, ready[0].room_id)
            if not moved.rejected("sold_out"):
                if one == booked:
                    return outcome("moved_alike", room=ready[0].number)
                return outcome("moved_up", room=ready[0].number, kind=one.name)
    return outcome("no_room_to_move", room=booked.name)
