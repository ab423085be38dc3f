"""Guests who are new, or whose address is, and stays that are longer or larger than others."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from ..database.models import Address, Database, Guest, Hotel, StayOffer
from ..values import money
from .agent import Agent, Given
from .booking import _booker, _house_of, _terms_agreed
from .colleagues import _full_name
from .draw import Draw
from .facts import Facts, facts, told
from .language import Outcome, maybe, only, outcome
from .laying import _budget, _turn_price
from .people import _guest, _me

NEWCOMERS: tuple[tuple[str, str], ...] = (
    ("Marta", "Olsen"), ("Dennis", "Achterberg"), ("Ruth", "Kowalczyk"), ("Luca", "Ferrante"),
    ("Aisha", "Rahman"), ("Pavel", "Hruska"),
)  # fmt: skip
HOMES_OF_NEW: tuple[tuple[str, str, str, str, str], ...] = (
    ("Lindengasse 14", "Vienna", "1070", "AT", "+43 1 555 0148"),
    ("Store Kongensgade 52", "Copenhagen", "1264", "DK", "+45 33 555 019"),
    ("18 Mill Lane", "Bristol", "BS1 4QA", "GB", "+44 117 496 0133"),
    ("Rue des Lilas 7", "Lyon", "69003", "FR", "+33 4 72 55 01 07"),
)


def _laid_wish(db: Database, draw: Draw, nights: int) -> Facts:
    """Return a house and days of a stay to come."""
    hotel = draw.row("hotels")
    arrival = db.today() + timedelta(days=draw.integer(3, 40))
    for room_type in db.room_types.where(hotel_id=hotel.hotel_id):
        _turn_price(draw, room_type)
    return facts(
        hotel=told(hotel.name, hotel, "name"),
        arrival=arrival,
        departure=arrival + timedelta(days=nights),
    )


def new_guest(db: Database, draw: Draw) -> Facts:
    """Somebody wants a room and gives all their details; they may be known to the group."""
    first_name, last_name = draw.one(NEWCOMERS)
    street, city, postcode, country, phone = draw.one(HOMES_OF_NEW)
    email = f"{first_name}.{last_name}@example.org".lower()
    nights = draw.integer(1, 3)
    stage = draw.one(["new", "new", "new", "known", "known", "banned"])
    if stage != "new":
        guest = draw.row("guests", banned=stage == "banned")
        first_name, last_name, email = guest.first_name, guest.last_name, guest.email
        home, phone = guest.address, guest.phone
        street, city, postcode, country = home.street, home.city, home.postcode, home.country
        draw.turn(guest, banned=stage != "banned")
    return facts(
        _laid_wish(db, draw, nights),
        first_name=first_name,
        last_name=last_name,
        email=email,
        phone=phone,
        street=street,
        city=city,
        postcode=postcode,
        country=country,
        adults=draw.integer(1, 2),
        agrees=_budget(draw, nights),
    )


def solve_new_guest(agent: Agent, given: Given) -> Outcome:
    agent.ask("email", "hotel", "arrival", "departure", "adults")
    hotel = _house_of(agent, given.hotel)
    found = agent.attempt.find_guest(given.email)
    is_new = found.rejected("unknown_guest")
    if is_new:
        agent.ask("first_name", "last_name", "phone", "street", "city", "postcode", "country")
        home = Address(
            street=given.street, city=given.city, postcode=given.postcode, country=given.country
        )
        guest = agent.register_guest(
            given.first_name, given.last_name, given.email, given.phone, home
        )
    else:
        guest = found.result
    if guest.banned:
        return outcome("not_welcome", phone=hotel.phone)
    offers = agent.search_availability(hotel.hotel_id, given.arrival, given.departure, given.adults)
    offer = only(offers[:1])
    if not _terms_agreed(agent, offer):
        return outcome("not_for_that", price=offer.total)
    _book_until(agent, given, guest, offer, given.departure)
    if is_new:
        return outcome("first_booking", price=offer.total, room=offer.room_type)
    return outcome("booked_again", price=offer.total, room=offer.room_type)


def mail_bounces(db: Database, draw: Draw) -> Facts:
    """Mail to a guest comes back; the new address may be there, be another's, or they unknown."""
    stage = draw.one(["new", "new", "new", "there", "taken", "taken", "nobody"])
    guest = draw.row("guests")
    last_name, city = guest.last_name, guest.address.city
    namesakes = db.guests.where(last_name=last_name)
    draw.need(len(namesakes) > 1 or draw.chance(0.3))
    draw.need(len([one for one in namesakes if one.address.city == city]) == 1)
    email = f"{draw.one(['hello', 'post', 'mail', 'home'])}.{last_name}@example.net".lower()
    if stage == "there":
        email = guest.email
    if stage == "taken":
        email = draw.one(one for one in namesakes if one != guest).email
    if stage == "new":
        draw.turn(guest, email=email)
    if stage == "nobody":
        cities = [one.address.city for one in namesakes]
        city = draw.one(
            one for one in ("Boston", "London", "Dublin", "Sydney", "Denver") if one not in cities
        )
    hotel = draw.one(db.hotels.all()).name
    return facts(hotel=hotel, last_name=last_name, city=city, new_email=email)


def solve_mail_bounces(agent: Agent, given: Given) -> Outcome:
    agent.ask("last_name", "city", "new_email")
    named = [
        one for one in agent.search_guests(given.last_name) if one.last_name == given.last_name
    ]
    guest = maybe(one for one in named if one.address.city == given.city)
    if guest is None:
        return outcome("nobody_from_there", count=len(named))
    if guest.email == given.new_email:
        return outcome("is_that_address", guest=guest.first_name, phone=guest.phone)
    other = agent.attempt.find_guest(given.new_email)
    if not other.rejected("unknown_guest"):
        return outcome("address_of_other", other=_full_name(other.result))
    agent.update_guest_contact(guest.guest_id, given.new_email)
    return outcome("address_changed", guest=guest.first_name)


def big_plans(db: Database, draw: Draw) -> Facts:
    """Somebody wants a room for weeks, or for many: more than may be, or just about as many."""
    stage = draw.one(["long", "long", "longer", "longer", "many"])
    nights = draw.one([30, 30, 29, 27, 24])
    if stage == "longer":
        nights = draw.one([31, 31, 32, 35, 42])
    guest, hotel = _booker(db, draw), draw.row("hotels")
    draw.turn(guest, banned=not guest.banned)
    arrival = db.today() + timedelta(days=draw.integer(3, 40))
    if draw.chance(0.25):
        bound = draw.one(db.rate_plans.where(hotel_id=hotel.hotel_id, free_cancel_days=1))
        arrival = db.today() + timedelta(days=bound.free_cancel_days or 0)
    types = db.room_types.where(hotel_id=hotel.hotel_id)
    adults = draw.integer(6, 8) if stage == "many" else draw.integer(1, 2)
    largest = max(types, key=lambda one: one.capacity)
    if stage == "many":
        draw.turn(largest, capacity=adults)
    elif draw.chance(0.25):
        adults = largest.capacity
    for room_type in types:
        _turn_price(draw, room_type)
    return facts(
        _me(guest),
        hotel=told(hotel.name, hotel, "name"),
        arrival=arrival,
        departure=arrival + timedelta(days=nights),
        sooner=arrival + timedelta(days=draw.integer(14, 22)),
        adults=adults,
        cancelling=draw.one(["free", "any"]),
        agrees={"price": money(Decimal(nights * draw.one([40, 60, 90, 120, 300, 300, 300])))},
    )


def solve_big_plans(agent: Agent, given: Given) -> Outcome:
    guest = _guest(agent, given)
    agent.ask("hotel", "arrival", "departure", "sooner", "adults", "cancelling")
    hotel = _house_of(agent, given.hotel)
    if guest.banned:
        return outcome("no_room_for_them", phone=hotel.phone)
    largest = max(agent.list_room_types(hotel.hotel_id), key=lambda one: one.capacity)
    if given.adults > largest.capacity:
        return outcome("too_many_people", room=largest.name, most=largest.capacity)
    if (given.departure - given.arrival).days > 30:
        shorter = _cheapest(agent, given, hotel, given.sooner)
        if not _terms_agreed(agent, shorter):
            return outcome("long_stay_left", price=shorter.total)
        _book_until(agent, given, guest, shorter, given.sooner)
        return outcome("shorter_stay_booked", room=shorter.room_type, price=shorter.total)
    offer = _cheapest(agent, given, hotel, given.departure)
    if not _terms_agreed(agent, offer):
        return outcome("long_stay_left", price=offer.total)
    _book_until(agent, given, guest, offer, given.departure)
    return outcome("long_stay_booked", room=offer.room_type, price=offer.total)


def _book_until(
    agent: Agent, given: Given, guest: Guest, offer: StayOffer, departure: date
) -> None:
    """Book what was agreed to, until a day."""
    agent.create_reservation(
        guest.guest_id,
        offer.room_type_id,
        offer.rate_plan_id,
        given.arrival,
        departure,
        given.adults,
    )


def _cheapest(agent: Agent, given: Given, hotel: Hotel, departure: date) -> StayOffer:
    """Return the cheapest stay until a day that can be cancelled as wished."""
    today = agent.get_time().today
    offers = [
        offer
        for offer in agent.search_availability(
            hotel.hotel_id, given.arrival, departure, given.adults
        )
        if given.cancelling == "any" or (offer.free_until is not None and offer.free_until >= today)
    ]
    return only(offers[:1])
