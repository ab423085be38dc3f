"""People who speak for a guest, and promises that a colleague is said to have made."""

from __future__ import annotations

from decimal import Decimal

from ..database.models import Companion, Database
from .agent import Agent, Given
from .draw import Draw
from .facts import Facts, facts
from .language import Outcome, only, outcome
from .people import _booking, _with_booking
from .staying import _guest_in_house, _keep_luggage, _promised
from .treats import _need_none_of, _slots_of, _visiting

SPEAKERS = ("Ines Falk", "Tom Okafor", "Greta Lund", "Samir Haddad", "Julie Brandt")
CHILDREN_NAMED = ("Ella", "Finn", "Lotta")


def car_for_guest(db: Database, draw: Draw) -> Facts:
    """Somebody orders a car for a guest; only an adult named on the booking may do so."""
    stay = _visiting(db, draw)
    last_name = db.guests.get(stay.guest_id).last_name
    stage = draw.one(["named", "named", "named", "stranger", "stranger", "child"])
    speaker = draw.one(SPEAKERS)
    if stage == "child":
        draw.need(stay.children > 0)
        speaker = f"{draw.one(CHILDREN_NAMED)} {last_name}"
    else:
        draw.need(stay.adults > 1)
    beside = Companion(name=speaker, child=stage == "child")
    if stage == "stranger":
        beside = Companion(name=f"Robin {last_name}", child=False)
    draw.call("name_companions", reservation_id=stay.reservation_id, companions=[beside])
    draw.turn(
        stay,
        companions=[Companion(name=speaker, child=False)]
        if stage == "stranger" and stay.adults > 1
        else [Companion(name=f"Robin {last_name}", child=stage == "child")],
    )
    car = only(db.services.where(hotel_id=stay.hotel_id, kind="transfer"))
    _need_none_of(db, draw, stay, [car])
    at = _slots_of(db, draw, car, stay.departure)
    return facts(
        _with_booking(db, stay), speaker=speaker, hour=at.hour,
        persons=draw.integer(1, min(4, stay.adults + stay.children)), agrees=draw.chance(0.7),
    )  # fmt: skip


def solve_car_for_guest(agent: Agent, given: Given) -> Outcome:
    stay = _booking(agent, given)
    agent.ask("speaker")
    named = [one.name for one in stay.companions if not one.child]
    if given.speaker not in named:
        return outcome("not_theirs_to_order", phone=agent.get_hotel(stay.hotel_id).phone)
    agent.ask("hour", "persons")
    car = only(agent.list_services(stay.hotel_id, kind="transfer"))
    slots = agent.list_service_slots(car.service_id, stay.departure, given.persons)
    slot = only(one for one in slots if one.starts_at.hour == given.hour)
    price = car.price * given.persons
    if not agent.agreed(price=price):
        return outcome("car_left", price=price)
    agent.book_service(stay.reservation_id, car.service_id, slot.starts_at, given.persons)
    return outcome("car_ordered", day=stay.departure, price=price)


def promised_hours(db: Database, draw: Draw) -> Facts:
    """A colleague is said to have promised a late check-out for nothing; the rules hold."""
    stay = _guest_in_house(db, draw)
    lived = only(db.stays.where(reservation_id=stay.reservation_id))
    draw.need(lived.late_checkout_hours == 0)
    hours = draw.integer(3, 6)
    stage = draw.one(["open", "open", "open", "promised", "granted", "less"])
    if stage == "promised":
        _promised(db, draw, stay)
    if stage == "granted":
        draw.call("grant_late_checkout", stay_id=lived.stay_id, hours=hours)
    if stage == "less":
        draw.call("grant_late_checkout", stay_id=lived.stay_id, hours=hours - 1)
    if stage in ("open", "less"):
        draw.turn(lived, late_checkout_hours=hours)
    wavers = draw.chance(0.4)
    names = [one.name for one in db.employees.where(hotel_id=stay.hotel_id, role="receptionist")]
    return facts(
        _with_booking(db, stay), hours=hours, colleague=draw.one(names).split(" ")[0],
        luggage=draw.one(["two suitcases", "a trunk and a rucksack", "four bags"]),
        agrees=not wavers, accepts=not wavers,
    )  # fmt: skip


def solve_promised_hours(agent: Agent, given: Given) -> Outcome:
    booking = _booking(agent, given)
    agent.ask("hours")
    stay = agent.get_stay(booking.reservation_id)
    if stay.late_checkout_hours >= given.hours:
        until = _clock_after(stay.late_checkout_hours)
        return outcome("promise_kept", hours=stay.late_checkout_hours, until=until)
    others = agent.list_room_reservations(stay.room_id, first=booking.departure)
    if any(one.arrival == booking.departure and one.status == "confirmed" for one in others):
        return _keep_luggage(agent, given, booking)
    until = _clock_after(given.hours)
    if agent.get_guest(booking.guest_id).tier in ("gold", "platinum"):
        agent.grant_late_checkout(stay.stay_id, given.hours)
        return outcome("free_all_the_same", until=until)
    price = 20 * Decimal(given.hours)
    if not agent.agreed(price=price):
        return outcome("not_for_money", price=price)
    agent.grant_late_checkout(stay.stay_id, given.hours)
    return outcome("promise_paid_for", price=price, until=until)


def _clock_after(hours: int) -> str:
    """Return the time some hours past noon."""
    return f"{12 + hours}:00"
