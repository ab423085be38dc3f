"""Rooms that somebody wants to book."""

PARTIES = ((2, 0), (2, 0), (3, 0), (2, 1), (2, 2), (3, 1), (4, 1), (4, 2))
MEALS = {
    "none": ("room_only", "breakfast", "half_board", "full_board"),
    "breakfast": ("breakfast", "half_board", "full_board"),
    "half_board": ("half_board", "full_board"),
}


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


def _house_of(agent: Agent, name: str) -> Hotel:
    """Return the hotel that somebody means by its name."""
    return only(hotel for hotel in agent.list_hotels() if fits(name, hotel.name))


def _terms_agreed(agent: Agent, offer: StayOffer) -> bool:
    """Tell what a stay costs and on what terms, and ask for a yes."""
    if offer.free_until is None:
        return agent.agreed(
            room=offer.room_type,
            rate=offer.rate_plan,
            total=offer.total,
            deposit=offer.deposit,
            last_day_to_cancel_free_of_charge="never",
        )
    return agent.agreed(
        room=offer.room_type,
        rate=offer.rate_plan,
        total=offer.total,
        deposit=offer.deposit,
        last_day_to_cancel_free_of_charge=offer.free_until,
    )


def _booked(agent: Agent, given: Given, guest: Guest, offer: StayOffer) -> Reservation:
    """Book what was offered."""
    nights = [one.night for one in offer.nights]
    return agent.create_reservation(
        guest.guest_id,
        offer.room_type_id,
        offer.rate_plan_id,
        nights[0],
        nights[len(nights) - 1] + timedelta(days=1),
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
            given.cancelling != "free" or (offer.free_until is not None and offer.free_until >= today)
        )
    ]


def book_room(db: Database, draw: Draw) -> Facts:
    """Somebody wants the cheapest room for a party; on some nights nothing for it is left."""
    hotel = draw.row("hotels")
    adults, children = draw.one(PARTIES)
    arrival = db.today() + timedelta(days=draw.integer(1, 45))
    departure = arrival + timedelta(days=draw.integer(1, 4))
    if adults + children in (3, 4, 5) and draw.chance(0.6):
        for room_type in db.room_types.where(hotel_id=hotel.hotel_id):
            if room_type.capacity >= adults + children:
                _fill(db, draw, room_type, arrival, arrival + timedelta(days=draw.one([1, 2, 12])))
    wavers = draw.chance(0.2)
    return facts(
        _me(_welcome(db, draw)),
        hotel=told(hotel.name, hotel, "name"),
        arrival=arrival,
        departure=departure,
        adults=adults,
        children=children,
        meals=draw.one(["none", "none", "breakfast", "half_board"]),
        cancelling=draw.one(["free", "any"]),
        agrees=not wavers,
        accepts=[] if wavers else ["other_dates"],
    )


def solve_book_room(agent: Agent, given: Given) -> Outcome:
    guest = _guest(agent, given)
    agent.ask("hotel", "arrival", "departure", "adults", "children", "meals", "cancelling")
    hotel = _house_of(agent, given.hotel)
    sizes = agent.list_room_types(hotel.hotel_id)
    largest = max(sizes, key=lambda one: one.capacity)
    if given.adults + given.children > largest.capacity:
        return outcome("too_many", room=largest.name, most=largest.capacity)
    today = agent.get_time().today
    offers = _wished(agent, given, hotel, today, given.arrival, given.departure)
    if len(offers) == 0:
        return _book_later(agent, given, guest, hotel, today)
    if not _terms_agreed(agent, offers[0]):
        return outcome("not_at_that_price", total=offers[0].total)
    booking = _booked(agent, given, guest, offers[0])
    return outcome("booked", total=booking.total, deposit=booking.deposit_due)


def _book_later(
    agent: Agent, given: Given, guest: Guest, hotel: Hotel, today: date
) -> Outcome:
    """Offer as many nights from the first later day on that has something."""
    for days in range(1, 8):
        more = timedelta(days=days)
        offers = _wished(
            agent, given, hotel, today, given.arrival + more, given.departure + more
        )
        if len(offers) > 0:
            day, total = given.arrival + more, offers[0].total
            if not _offer_dates(agent, day, offers[0]):
                return outcome("full", day=day, total=total)
            _booked(agent, given, guest, offers[0])
            return outcome("booked_later", day=day, total=total)
    return outcome("full_all_week", day=given.arrival + timedelta(days=7))


def _offer_dates(agent: Agent, day: date, offer: StayOffer) -> bool:
    """Offer other dates on their terms."""
    if offer.free_until is None:
        return agent.offer("other_dates", arrival=day, total=offer.total, deposit=offer.deposit)
    return agent.offer(
        "other_dates",
        arrival=day,
        total=offer.total,
        deposit=offer.deposit,
        last_day_to_cancel_free_of_charge=offer.free_until,
    )
