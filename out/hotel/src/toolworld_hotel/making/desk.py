"""Guests who stand at the desk, as the colleague behind it sees them."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from ..database.models import Database, Hotel, Reservation, ReservationLine, Room, RoomId, StayLine
from .agent import Agent, Given
from .colleagues import (
    FAULTS_SEEN,
    _audited,
    _full_name,
    _has_ticket,
    _house_facts,
    _house_named,
    _in_a_room,
    _own_house,
    _ready_rooms,
    _soil,
)
from .draw import Draw
from .facts import Facts, facts, told
from .language import Outcome, only, outcome
from .laying import _coming, _fill, _turn_terms
from .people import _welcome

ARRIVING = (
    "as_it_is", "as_it_is", "as_it_is", "as_it_is", "unready", "unready", "unassigned",
    "none_ready", "other_day", "other_house", "deposit", "banned",
)  # fmt: skip


def _unpaid_arrival(db: Database, draw: Draw) -> Reservation:
    """Return a booking for tonight whose deposit is still to be paid."""
    plan = draw.row("rate_plans", on_sale=True, min_nights=(1, 2))
    draw.need(plan.deposit_percent > 0)
    room_type = draw.one(db.room_types.where(hotel_id=plan.hotel_id))
    return draw.call(
        "create_reservation",
        guest_id=_welcome(db, draw).guest_id,
        room_type_id=room_type.room_type_id,
        rate_plan_id=plan.rate_plan_id,
        arrival=db.today(),
        departure=db.today() + timedelta(days=draw.integer(2, 4)),
        adults=1,
        channel="phone",
    )


def check_in_guest(db: Database, draw: Draw) -> Facts:
    """A guest stands at the desk with a booking; the room may not be ready, or more is amiss."""
    stage = draw.one(ARRIVING)
    booking = draw.row("reservations", status="confirmed")
    if stage == "deposit":
        booking = _unpaid_arrival(db, draw)
    elif stage != "other_day":
        booking = draw.row("reservations", status="confirmed", arrival=db.today())
    draw.need((stage == "other_day") == (booking.arrival > db.today()))
    draw.need(booking.arrival >= db.today())
    if stage == "as_it_is" and booking.room_id is not None and draw.chance(0.6):
        draw.need(db.rooms.get(booking.room_id).condition == "clean")
        draw.need(len(db.stays.where(room_id=booking.room_id, status="in_house")) == 0)
    if stage == "unassigned":
        booking = draw.row("reservations", status="confirmed", arrival=db.today(), room_id=None)
    if stage == "unready":
        draw.need(booking.room_id is not None)
        spare = db.rooms.where(room_type_id=booking.room_type_id, condition="clean")
        draw.need(len(spare) > 2 or draw.chance(0.2))
        db.rooms.update(booking.room_id, condition="dirty")
    if stage == "none_ready":
        _soil(db, draw, booking.room_type_id)
    guest = db.guests.get(booking.guest_id)
    draw.turn(guest, banned=stage != "banned")
    draw.turn(booking, room_id=None)
    if stage == "banned":
        db.guests.update(guest.guest_id, banned=True)
    houses = [one.hotel_id for one in db.hotels.all() if one.hotel_id != booking.hotel_id]
    return facts(
        _house_facts(db, draw.one(houses) if stage == "other_house" else booking.hotel_id),
        number=booking.reservation_id,
        cards=draw.integer(1, 2),
    )


def solve_check_in_guest(agent: Agent, given: Given) -> Outcome:
    house = _own_house(agent, given)
    agent.ask("number")
    booking = agent.get_reservation(given.number)
    guest = agent.get_guest(booking.guest_id)
    name = _full_name(guest)
    if booking.hotel_id != house.hotel_id:
        return outcome("other_house", guest=name, house=agent.get_hotel(booking.hotel_id).name)
    if guest.banned:
        return outcome("banned", guest=name, phone=house.phone)
    if booking.arrival != agent.get_time().today:
        return outcome("other_day", guest=name, day=booking.arrival)
    folio = agent.get_folio(given.number)
    due = booking.deposit_due + folio.charged - folio.paid
    if due > 0:
        return outcome("deposit_missing", guest=name, due=due)
    ready = _ready_rooms(
        agent, house.hotel_id, booking.room_type_id, booking.arrival, booking.departure
    )
    rooms = agent.list_rooms(house.hotel_id, room_type_id=booking.room_type_id)
    if booking.room_id is not None:
        in_use = [line.room_id for line in agent.list_in_house(house.hotel_id)]
        own = only(room for room in rooms if room.room_id == booking.room_id)
        if own.condition == "clean" and own.room_id not in in_use:
            agent.ask("cards")
            agent.check_in(given.number, own.room_id, given.cards)
            return outcome("checked_in", guest=name, room=own.number)
        if len(ready) == 0:
            return outcome("own_not_ready", guest=name, room=own.number)
    if len(ready) == 0:
        return outcome("none_ready", guest=name, count=len(rooms))
    agent.ask("cards")
    agent.check_in(given.number, ready[0].room_id, given.cards)
    return outcome("other_room", guest=name, room=ready[0].number)


def move_out(db: Database, draw: Draw) -> Facts:
    """Something is broken in an occupied room: the guest moves, and the room is blocked."""
    stay = _in_a_room(db, draw)
    leaves = db.reservations.get(stay.reservation_id).departure
    draw.need(leaves > db.today() or draw.chance(0.4))
    _audited(db, draw, stay.hotel_id)
    room = db.rooms.get(stay.room_id)
    if draw.chance(0.3):
        _soil(db, draw, room.room_type_id)
        _change_next_type(db, draw, room, leaves)
    if draw.chance(0.15):
        for room_type in db.room_types.where(hotel_id=stay.hotel_id):
            _soil(db, draw, room_type.room_type_id)
    category, seen = draw.one(list(FAULTS_SEEN.items()))
    draw.need(not _has_ticket(db, room, category))
    for one in db.rooms.where(room_type_id=room.room_type_id):
        if len(db.stays.where(room_id=one.room_id, status="in_house")) == 0:
            draw.turn(one, condition="dirty" if one.condition == "clean" else "clean")
    return facts(
        _house_facts(db, stay.hotel_id),
        room=told(room.number, room, "number"),
        category=category,
        seen=seen,
    )


def _change_next_type(db: Database, draw: Draw, room: Room, leaves: date) -> None:
    """Have the next better room type cost no more than a room's own, or be full tonight."""
    own = db.room_types.get(room.room_type_id)
    types = db.room_types.where(hotel_id=room.hotel_id)
    better = [one for one in types if one.base_rate > own.base_rate]
    if len(better) == 0:
        return
    following = min(better, key=lambda one: one.base_rate)
    if draw.chance(0.5):
        db.room_types.update(following.room_type_id, base_rate=own.base_rate)
    elif leaves > db.today():
        _fill(db, draw, following, db.today(), db.today() + timedelta(days=1))


def solve_move_out(agent: Agent, given: Given) -> Outcome:
    house = _own_house(agent, given)
    agent.ask("room")
    stay = agent.find_stay_in_room(house.hotel_id, given.room)
    if stay.departure <= agent.get_time().today:
        return outcome("leaves_today", guest=stay.guest, day=stay.departure)
    new = _room_to_move_to(agent, house, stay)
    if new is None:
        return outcome("nothing_ready", guest=stay.guest, day=stay.departure)
    agent.ask("category", "seen")
    agent.move_room(stay.stay_id, new.room_id)
    blocked = agent.attempt.report_fault(
        stay.room_id, given.category, given.seen, "urgent", blocks_room=True
    )
    if blocked.rejected("room_taken"):
        coming = _first_coming(agent, stay.room_id)
        agent.report_fault(stay.room_id, given.category, given.seen, "urgent")
        return outcome("moved_not_blocked", room=new.number, next=coming.guest, guest=stay.guest)
    if blocked.rejected("sold_out"):
        night = date.fromisoformat(blocked.values.day)
        agent.report_fault(stay.room_id, given.category, given.seen, "urgent")
        return outcome("moved_room_needed", room=new.number, night=night, guest=stay.guest)
    return outcome("moved", room=new.number, guest=stay.guest)


def _first_coming(agent: Agent, room_id: RoomId) -> ReservationLine:
    """Return the next booking that a room is set aside for."""
    lines = [one for one in agent.list_room_reservations(room_id) if one.status == "confirmed"]
    return min(lines, key=lambda one: one.arrival)


def _room_to_move_to(agent: Agent, house: Hotel, stay: StayLine) -> Room | None:
    """Return a ready room of the same type, else of the cheapest better one that has any."""
    today = agent.get_time().today
    old = agent.find_room(house.hotel_id, stay.room)
    types = agent.list_room_types(house.hotel_id)
    booked = only(one for one in types if one.room_type_id == old.room_type_id)
    same = _ready_rooms(agent, house.hotel_id, old.room_type_id, today, stay.departure)
    if len(same) > 0:
        return same[0]
    party = agent.get_reservation(stay.reservation_id)
    offers = agent.search_availability(
        house.hotel_id, today, stay.departure, party.adults, party.children
    )
    left = [offer.room_type_id for offer in offers]
    better = [
        one for one in types if one.base_rate >= booked.base_rate and one.room_type_id in left
    ]
    for room_type in sorted(better, key=lambda one: one.base_rate):
        ready = _ready_rooms(agent, house.hotel_id, room_type.room_type_id, today, stay.departure)
        if len(ready) > 0:
            return ready[0]
    return None


def absent_guest(db: Database, draw: Draw) -> Facts:
    """A guest never came last night; or did, or is due only later, or called it off."""
    yesterday = db.today() - timedelta(days=1)
    stage = draw.one(["absent", "absent", "absent", "came", "later", "off"])
    status = "checked_in" if stage == "came" else "confirmed"
    booking = draw.row("reservations", status=status)
    if stage == "absent":
        booking = draw.row("reservations", status=status, arrival=yesterday)
    if stage in ("later", "off"):
        draw.need(booking.arrival >= db.today())
    if stage == "off":
        draw.call("cancel_reservation", reservation_id=booking.reservation_id, reason="illness")
    guest = db.guests.get(booking.guest_id)
    if stage == "absent":
        _pay_by_transfer(db, draw, booking)
    if stage == "absent":
        _turn_share_kept(db, draw, booking)
    return facts(
        _house_facts(db, _house_named(db, draw, booking.hotel_id)),
        number=booking.reservation_id,
        last_name=guest.last_name,
    )


def _pay_by_transfer(db: Database, draw: Draw, booking: Reservation) -> None:
    """Have all nights paid ahead, or just the share that is kept, or no more than there is."""
    folio = only(db.folios.where(reservation_id=booking.reservation_id))
    terms = draw.call("quote_cancellation", reservation_id=booking.reservation_id)
    amount = draw.one(
        [Decimal(0), booking.total - folio.paid, booking.total - folio.paid, terms.still_due]
    )
    if amount > 0:
        draw.call("take_payment", folio_id=folio.folio_id, method="bank_transfer", amount=amount)


def _turn_share_kept(db: Database, draw: Draw, booking: Reservation) -> None:
    """Let twins turn on how much of the price is kept; a rate that is never free keeps some."""
    # Services would be called off with the booking, and nobody speaks of them.
    for one in db.service_bookings.where(reservation_id=booking.reservation_id, status="booked"):
        draw.need(one.starts_at - db.now() >= timedelta(hours=4))
        draw.call("cancel_service", booking_id=one.booking_id)
    plan = db.rate_plans.get(booking.rate_plan_id)
    if plan.free_cancel_days is None:
        draw.turn(plan, late_cancel_percent=40 if plan.late_cancel_percent > 40 else 100)
    else:
        draw.turn(plan, late_cancel_percent=0 if plan.late_cancel_percent > 0 else 100)


def solve_absent_guest(agent: Agent, given: Given) -> Outcome:
    house = _own_house(agent, given)
    agent.ask("number")
    booking = agent.get_reservation(given.number)
    if booking.hotel_id != house.hotel_id:
        return outcome("expected_elsewhere", house=agent.get_hotel(booking.hotel_id).name)
    if booking.status == "checked_in":
        stay = agent.get_stay(given.number)
        rooms = agent.list_rooms(house.hotel_id)
        room = only(one for one in rooms if one.room_id == stay.room_id)
        return outcome("is_here", room=room.number, since=stay.checked_in_at.date())
    if booking.status == "cancelled":
        paid = agent.get_folio(given.number)
        return outcome("was_off", day=booking.cancelled_at.date(), due=paid.due)
    if booking.arrival >= agent.get_time().today:
        return outcome("still_to_come", day=booking.arrival, leaves=booking.departure)
    terms = agent.quote_cancellation(given.number)
    agent.mark_no_show(given.number)
    if terms.still_due > 0:
        return outcome("owes", fee=terms.fee, due=terms.still_due)
    if terms.refund > 0:
        return outcome("gets_back", fee=terms.fee, back=terms.refund)
    return outcome("even", fee=terms.fee)


def cancel_by_phone(db: Database, draw: Draw) -> Facts:
    """A guest rings the desk to cancel, if that costs no more than so much."""
    booking = _coming(db, draw)
    stage = draw.one(["coming", "coming", "coming", "coming", "off", "free"])
    if stage == "off":
        draw.call("cancel_reservation", reservation_id=booking.reservation_id, reason="other")
    guest = db.guests.get(booking.guest_id)
    _turn_share_kept(db, draw, booking)
    _turn_terms(db, draw, booking)
    limit = Decimal(draw.one([50, 150, 300, 600]))
    if stage == "coming" and draw.chance(0.2):
        limit = draw.call("quote_cancellation", reservation_id=booking.reservation_id).fee
        draw.need(limit > 0)
    return facts(
        _house_facts(db, _house_named(db, draw, booking.hotel_id)),
        number=booking.reservation_id,
        last_name=guest.last_name,
        reason=draw.one(["illness", "travel_disruption", "change_of_plans"]),
        limit=limit,
    )


def solve_cancel_by_phone(agent: Agent, given: Given) -> Outcome:
    agent.ask("number", "last_name")
    booking = agent.get_reservation(given.number)
    guest = agent.get_guest(booking.guest_id)
    only(one for one in [guest] if one.last_name == given.last_name)
    house = _own_house(agent, given)
    if booking.hotel_id != house.hotel_id:
        return outcome("booked_elsewhere", house=agent.get_hotel(booking.hotel_id).name)
    if booking.status == "cancelled":
        return outcome("off_already", day=booking.cancelled_at.date())
    agent.ask("reason", "limit")
    terms = agent.quote_cancellation(given.number)
    if terms.fee > given.limit:
        return outcome("too_dear", fee=terms.fee)
    agent.cancel_reservation(given.number, given.reason)
    if terms.still_due > 0:
        return outcome("off_and_owes", fee=terms.fee, due=terms.still_due)
    return outcome("off_and_back", fee=terms.fee, back=terms.refund)
