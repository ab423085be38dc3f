"""Rooms that somebody wants to book."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from ..database.models import Database, Guest, Hotel, RatePlan, Reservation, RoomType, StayOffer
from ..values import money
from .agent import Agent, Given
from .draw import Draw
from .facts import Facts, facts, told
from .language import Outcome, fits, maybe, only, outcome
from .laying import _budget, _fill, _turn_price
from .people import _guest, _me, _welcome

PARTIES = ((2, 0), (2, 0), (3, 0), (2, 1), (2, 2), (3, 1), (4, 1), (4, 2))
MEALS = {
    "none": ("room_only", "breakfast", "half_board", "full_board"),
    "breakfast": ("breakfast", "half_board", "full_board"),
    "half_board": ("half_board", "full_board"),
}


def _booker(db: Database, draw: Draw) -> Guest:
    """Return who wants to book: now and then somebody whom the group has banned."""
    return draw.row("guests", banned=True) if draw.chance(0.1) else _welcome(db, draw)


def _house_of(agent: Agent, name: str) -> Hotel:
    """Return the hotel that somebody means by its name."""
    return only(hotel for hotel in agent.list_hotels() if fits(name, hotel.name))


def _terms_agreed(agent: Agent, offer: StayOffer) -> bool:
    """Tell what a stay costs and on what terms, and ask for a yes."""
    return agent.agreed(
        room=offer.room_type,
        rate=offer.rate_plan,
        price=offer.total,
        deposit=offer.deposit,
        last_day_to_cancel_free_of_charge=offer.free_until or "never",
    )


def _terms_offered(agent: Agent, name: str, offer: StayOffer) -> bool:
    """Offer another stay than the one asked for, on its terms."""
    return agent.offer(
        name,
        room=offer.room_type,
        rate=offer.rate_plan,
        arrival=offer.nights[0].night,
        price=offer.total,
        deposit=offer.deposit,
        last_day_to_cancel_free_of_charge=offer.free_until or "never",
    )


def _booked(agent: Agent, given: Given, guest: Guest, offer: StayOffer) -> Reservation:
    """Book what was agreed to."""
    arrival = offer.nights[0].night
    return agent.create_reservation(
        guest.guest_id,
        offer.room_type_id,
        offer.rate_plan_id,
        arrival,
        arrival + timedelta(days=len(offer.nights)),
        given.adults,
        given.children,
    )


def _wished(
    agent: Agent, given: Given, hotel: Hotel, today: date, arrival: date, departure: date
) -> list[StayOffer]:
    """Return what meets a wish for meals and for free cancelling, cheapest first."""
    return [
        offer
        for offer in agent.search_availability(
            hotel.hotel_id, arrival, departure, given.adults, given.children
        )
        if offer.board in MEALS[given.meals]
        and (
            given.cancelling == "any"
            or (offer.free_until is not None and offer.free_until >= today)
        )
    ]


def book_room(db: Database, draw: Draw) -> Facts:
    """Somebody wants the cheapest room for a party; on some nights nothing for it is left."""
    hotel = draw.row("hotels")
    adults, children = draw.one(PARTIES)
    arrival = db.today() + timedelta(days=draw.integer(1, 28))
    departure = arrival + timedelta(days=draw.integer(1, 4))
    if adults + children in (3, 4, 5) and draw.chance(0.6):
        for room_type in db.room_types.where(hotel_id=hotel.hotel_id):
            if room_type.capacity >= adults + children:
                _fill(db, draw, room_type, arrival, arrival + timedelta(days=draw.one([1, 2, 12])))
    guest = _booker(db, draw)
    if draw.chance(0.2):
        draw.turn(guest, banned=not guest.banned)
    for room_type in db.room_types.where(hotel_id=hotel.hotel_id):
        _turn_price(draw, room_type)
    return facts(
        _me(guest),
        hotel=told(hotel.name, hotel, "name"),
        arrival=arrival,
        departure=departure,
        adults=adults,
        children=children,
        meals=draw.one(["none", "none", "breakfast", "half_board"]),
        cancelling=draw.one(["free", "any"]),
        agrees=_budget(draw, (departure - arrival).days),
        accepts=draw.chance(0.75),
    )


def solve_book_room(agent: Agent, given: Given) -> Outcome:
    guest = _guest(agent, given)
    agent.ask("hotel", "arrival", "departure", "adults", "children", "meals", "cancelling")
    hotel = _house_of(agent, given.hotel)
    if guest.banned:
        return outcome("banned", phone=hotel.phone)
    largest = max(agent.list_room_types(hotel.hotel_id), key=lambda one: one.capacity)
    if given.adults + given.children > largest.capacity:
        return outcome("too_many", room=largest.name, most=largest.capacity)
    today = agent.get_time().today
    offers = _wished(agent, given, hotel, today, given.arrival, given.departure)
    if len(offers) == 0:
        return _book_later(agent, given, guest, hotel, today)
    if not _terms_agreed(agent, offers[0]):
        return outcome("not_at_that_price", price=offers[0].total)
    booking = _booked(agent, given, guest, offers[0])
    return outcome("booked", price=booking.total, deposit=booking.deposit_due)


def _book_later(agent: Agent, given: Given, guest: Guest, hotel: Hotel, today: date) -> Outcome:
    """Offer as many nights from the first later day on that has something."""
    for days in range(1, 8):
        more = timedelta(days=days)
        offers = _wished(agent, given, hotel, today, given.arrival + more, given.departure + more)
        if len(offers) > 0:
            day, price = given.arrival + more, offers[0].total
            if not _terms_offered(agent, "other_dates", offers[0]):
                return outcome("full", day=day, price=price)
            _booked(agent, given, guest, offers[0])
            return outcome("booked_later", day=day, price=price)
    return outcome("full_all_week", day=given.arrival + timedelta(days=7))


def ask_for_room(db: Database, draw: Draw) -> Facts:
    """Somebody wants a certain room on a certain rate, which may be sold out or too short."""
    hotel = draw.row("hotels")
    adults, children = draw.one([(1, 0), (2, 0), (2, 0), (2, 1)])
    room_type = draw.one(
        one
        for one in db.room_types.where(hotel_id=hotel.hotel_id)
        if one.capacity >= adults + children or draw.chance(0.2)
    )
    fits_all = room_type.capacity >= adults + children
    plan = draw.one(db.rate_plans.where(hotel_id=hotel.hotel_id, on_sale=True))
    short = plan.min_nights > 1 and fits_all and draw.chance(0.6)
    nights = draw.integer(1, plan.min_nights - 1) if short else plan.min_nights + draw.integer(0, 2)
    arrival = db.today() + timedelta(days=draw.integer(1, 28))
    is_left = fits_all
    if not short and draw.chance(0.45):
        is_left = False
        _fill(db, draw, room_type, arrival, arrival + timedelta(days=1))
    if short:
        longer = draw.call(
            "quote_stay",
            room_type_id=room_type.room_type_id,
            rate_plan_id=plan.rate_plan_id,
            arrival=arrival,
            departure=arrival + timedelta(days=plan.min_nights),
            adults=adults,
            children=children,
        )
        draw.need(longer.rooms_left > 0)
    guest = _booker(db, draw)
    if draw.chance(0.2):
        draw.turn(guest, banned=not guest.banned)
    if is_left and draw.chance(0.5):
        draw.turn(plan, min_nights=nights + 1)
    _turn_price(draw, room_type)
    return facts(
        _me(guest),
        hotel=told(hotel.name, hotel, "name"),
        room=told(room_type.name, room_type, "name"),
        rate=told(plan.name, plan, "name"),
        arrival=arrival,
        departure=arrival + timedelta(days=nights),
        adults=adults,
        children=children,
        agrees=False if short and draw.chance(0.3) else _budget(draw, max(nights, plan.min_nights)),
        accepts=draw.chance(0.7),
    )


def solve_ask_for_room(agent: Agent, given: Given) -> Outcome:
    guest = _guest(agent, given)
    agent.ask("hotel", "room", "rate", "arrival", "departure", "adults", "children")
    hotel = _house_of(agent, given.hotel)
    if guest.banned:
        return outcome("banned", phone=hotel.phone)
    plan = only(one for one in agent.list_rate_plans(hotel.hotel_id) if one.name == given.rate)
    offers = agent.search_availability(
        hotel.hotel_id, given.arrival, given.departure, given.adults, given.children
    )
    if (given.departure - given.arrival).days < plan.min_nights:
        return _book_otherwise(agent, given, guest, plan, offers)
    alike = [offer for offer in offers if offer.rate_plan_id == plan.rate_plan_id]
    wanted = maybe(offer for offer in alike if offer.room_type == given.room)
    if wanted is None:
        other = only(alike[:1])
        if not _terms_offered(agent, "another_room", other):
            return outcome("other_room_declined", room=other.room_type, price=other.total)
        _booked(agent, given, guest, other)
        return outcome("other_room", room=other.room_type, price=other.total)
    if not _terms_agreed(agent, wanted):
        return outcome("not_at_that_price", price=wanted.total)
    booking = _booked(agent, given, guest, wanted)
    return outcome("booked", price=booking.total, deposit=booking.deposit_due)


def _book_otherwise(
    agent: Agent, given: Given, guest: Guest, plan: RatePlan, offers: list[StayOffer]
) -> Outcome:
    """Offer another rate with the same meals, or else the shortest stay for which it is sold."""
    rates = [one for one in offers if one.room_type == given.room and one.board == plan.board]
    if len(rates) == 0:
        types = agent.list_room_types(plan.hotel_id)
        room = only(one for one in types if one.name == given.room)
        day = given.arrival + timedelta(days=plan.min_nights)
        longer = _quoted(agent, given, room, plan, day)
        if not _terms_offered(agent, "a_longer_stay", longer):
            return outcome("longer_declined", day=day, price=longer.total)
        _booked(agent, given, guest, longer)
        return outcome("longer_stay", day=day, price=longer.total)
    offer = rates[0]
    if not _terms_offered(agent, "another_rate", offer):
        return outcome("other_rate_declined", rate=offer.rate_plan, price=offer.total)
    _booked(agent, given, guest, offer)
    return outcome("other_rate", rate=offer.rate_plan, price=offer.total)


def _quoted(
    agent: Agent, given: Given, room: RoomType, rate: RatePlan, departure: date
) -> StayOffer:
    """Return what a stay costs."""
    return agent.quote_stay(
        room.room_type_id,
        rate.rate_plan_id,
        given.arrival,
        departure,
        given.adults,
        given.children,
    )


def book_and_pay(db: Database, draw: Draw) -> Facts:
    """Somebody books and pays the deposit at once; while they think, the rate may change."""
    hotel = draw.row("hotels")
    plan = draw.one(
        one
        for one in db.rate_plans.where(hotel_id=hotel.hotel_id, on_sale=True)
        if one.deposit_percent > 0
    )
    arrival = db.today() + timedelta(days=draw.integer(2, 28))
    nights = plan.min_nights + draw.integer(0, 2)
    room_type = draw.one(
        one for one in db.room_types.where(hotel_id=hotel.hotel_id) if one.capacity == 2
    )
    quote = draw.call(
        "quote_stay",
        room_type_id=room_type.room_type_id,
        rate_plan_id=plan.rate_plan_id,
        arrival=arrival,
        departure=arrival + timedelta(days=nights),
        adults=2,
    )
    draw.need(quote.rooms_left > 0)
    moved = draw.one([0, 0, 6, 9, 12, -5])
    if moved != 0:
        draw.later(plan, after_act="agrees", base_percent=plan.base_percent + moved)
    _turn_price(draw, room_type)
    spare = draw.one([Decimal("0.98"), Decimal("1.03"), Decimal("1.03"), Decimal("1.5")])
    return facts(
        _me(_booker(db, draw)),
        hotel=told(hotel.name, hotel, "name"),
        room=told(room_type.name, room_type, "name"),
        rate=told(plan.name, plan, "name"),
        arrival=arrival,
        departure=arrival + timedelta(days=nights),
        adults=2,
        children=0,
        card=f"{draw.integer(1000, 9999)}",
        agrees={"price": money(quote.total * spare)},
    )


def solve_book_and_pay(agent: Agent, given: Given) -> Outcome:
    guest = _guest(agent, given)
    agent.ask("hotel", "room", "rate", "arrival", "departure", "adults", "children")
    hotel = _house_of(agent, given.hotel)
    if guest.banned:
        return outcome("banned", phone=hotel.phone)
    room = only(one for one in agent.list_room_types(hotel.hotel_id) if one.name == given.room)
    rate = only(one for one in agent.list_rate_plans(hotel.hotel_id) if one.name == given.rate)
    offer = _quoted(agent, given, room, rate, given.departure)
    if not _terms_agreed(agent, offer):
        return outcome("too_dear", price=offer.total)
    now = _quoted(agent, given, room, rate, given.departure)
    if now.total == offer.total:
        _book_with_deposit(agent, given, guest, now)
        return outcome("booked_and_paid", price=now.total, deposit=now.deposit)
    if not _terms_agreed(agent, now):
        return outcome("dearer_now", price=now.total, was=offer.total)
    _book_with_deposit(agent, given, guest, now)
    return outcome("booked_at_new_price", price=now.total, deposit=now.deposit)


def _book_with_deposit(agent: Agent, given: Given, guest: Guest, offer: StayOffer) -> None:
    """Book what was agreed to, and take its deposit by card."""
    agent.ask("card")
    booking = _booked(agent, given, guest, offer)
    folio = agent.get_folio(booking.reservation_id)
    agent.take_payment(folio.folio_id, "card", booking.deposit_due, given.card)
