"""Bookings to come that are to be changed."""


def _first_full_night(
    agent: Agent, booking: Reservation, room_type_id: RoomTypeId, first: date, last: date
) -> date:
    """Return the first night on which no room of a type is left.

    What a guest in the house adds is looked for from the day on that they would leave.
    """
    is_longer = booking.status == "checked_in"
    nights = [first + timedelta(days=n) for n in range((last - first).days)]
    return only(
        [
            night
            for night in nights
            if all(
                offer.room_type_id != room_type_id
                for offer in agent.search_availability(
                    booking.hotel_id,
                    first if is_longer else night,
                    night + timedelta(days=1),
                    booking.adults,
                    booking.children,
                    booking.reservation_id,
                )
            )
        ][:1]
    )


def move_dates(db: Database, draw: Draw) -> Facts:
    """A booking is to move to other dates; for some it is too late, or the house is full."""
    booking = _coming(db, draw)
    nights = (booking.departure - booking.arrival).days
    stage = draw.one(["free", "free", "free", "full", "service", "request"])
    new_arrival = booking.departure + timedelta(days=draw.integer(1, 9))
    if stage != "full" and draw.chance(0.4):
        new_arrival = booking.arrival + timedelta(days=1)
    new_departure = new_arrival + timedelta(days=nights + draw.one([0, 0, 0, 1]))
    if stage == "full":
        room_type = db.room_types.get(booking.room_type_id)
        draw.need(nights > 1)
        full = new_arrival + timedelta(days=draw.integer(1, nights - 1))
        _fill(db, draw, room_type, full, full + timedelta(days=1))
    else:
        draw.need(_rooms_free(db, draw, booking, new_arrival, new_departure) > 0)
    if stage == "service":
        day = booking.arrival + timedelta(days=draw.integer(0, nights))
        _with_service(db, draw, booking, day, 1)
    if stage == "request":
        request = draw.call(
            "create_request",
            reservation_id=booking.reservation_id,
            kind="dietary",
            details="Gluten-free bread at breakfast.",
            wanted_on=booking.arrival + timedelta(days=draw.integer(0, nights)),
        )
        draw.turn(request, status="cancelled")
    if stage == "free" and draw.chance(0.5):
        _with_service_called_off(db, draw, booking, booking.arrival, 1)
    _turn_terms(db, draw, booking)
    _turn_price(draw, db.room_types.get(booking.room_type_id))
    return facts(
        _with_booking(db, booking),
        new_arrival=new_arrival,
        new_departure=new_departure,
        agrees=_most(draw, booking),
    )


def solve_move_dates(agent: Agent, given: Given) -> Outcome:
    booking = _booking_that(agent, given, ("confirmed",))
    agent.ask("new_arrival", "new_departure")
    terms = agent.quote_cancellation(booking.reservation_id)
    if terms.free_until is None:
        rate = agent.get_rate_plan(booking.rate_plan_id)
        return outcome("never_free", rate=rate.name, fee=terms.fee)
    if agent.get_time().today > terms.free_until:
        return outcome("too_late", day=terms.free_until, fee=terms.fee)
    quote = agent.quote_stay(
        booking.room_type_id,
        booking.rate_plan_id,
        given.new_arrival,
        given.new_departure,
        booking.adults,
        booking.children,
        booking.reservation_id,
    )
    if quote.rooms_left == 0:
        night = _first_full_night(
            agent, booking, booking.room_type_id, given.new_arrival, given.new_departure
        )
        return outcome("full", night=night)
    for service in agent.list_service_bookings(booking.reservation_id, status="booked"):
        if not given.new_arrival <= service.starts_at.date() <= given.new_departure:
            day = service.starts_at.date()
            return outcome("service_in_the_way", service=service.service, day=day)
    for request in agent.list_requests(booking.hotel_id, reservation_id=booking.reservation_id):
        is_open = request.status in ("open", "in_progress")
        if is_open and not given.new_arrival <= request.wanted_on <= given.new_departure:
            return outcome("request_in_the_way", day=request.wanted_on)
    if not agent.agreed(price=quote.total):
        return outcome("left_as_it_is", price=quote.total)
    agent.change_reservation_dates(booking.reservation_id, given.new_arrival, given.new_departure)
    return outcome("moved", price=quote.total)


def change_room(db: Database, draw: Draw) -> Facts:
    """Another room type is wanted; it may be full, or cheaper when it is too late for that."""
    booking = _coming(db, draw)
    room_type = draw.one(
        one
        for one in db.room_types.where(hotel_id=booking.hotel_id)
        if one.room_type_id != booking.room_type_id
        and one.capacity >= booking.adults + booking.children
    )
    if draw.chance(0.25):
        _fill(db, draw, room_type, booking.departure - timedelta(days=1), booking.departure)
    if draw.chance(0.2):
        booking = _price_as(db, draw, booking, room_type.room_type_id, booking.rate_plan_id)
    _turn_price(draw, room_type)
    _turn_terms(db, draw, booking)
    return facts(
        _with_booking(db, booking),
        room=room_type.name,
        agrees=_most(draw, booking),
    )


def solve_change_room(agent: Agent, given: Given) -> Outcome:
    booking = _booking_that(agent, given, ("confirmed",))
    agent.ask("room")
    room = only(one for one in agent.list_room_types(booking.hotel_id) if one.name == given.room)
    quote = agent.quote_stay(
        room.room_type_id,
        booking.rate_plan_id,
        booking.arrival,
        booking.departure,
        booking.adults,
        booking.children,
        booking.reservation_id,
    )
    if quote.total < booking.total and _is_bound(agent, booking):
        return outcome("not_cheaper", price=booking.total)
    if quote.rooms_left == 0:
        night = _first_full_night(
            agent, booking, room.room_type_id, booking.arrival, booking.departure
        )
        return outcome("room_full", night=night)
    if not agent.agreed(price=quote.total):
        return outcome("room_kept", price=quote.total)
    agent.change_room_type(booking.reservation_id, room.room_type_id)
    return outcome("room_changed", price=quote.total)


def _is_bound(agent: Agent, booking: Reservation) -> bool:
    """Say whether a booking cannot be cancelled free of charge any more."""
    terms = agent.quote_cancellation(booking.reservation_id)
    return terms.free_until is None or agent.get_time().today > terms.free_until


def change_rate(db: Database, draw: Draw) -> Facts:
    """Another rate is wanted, with meals or looser terms, which late comers do not get."""
    booking = _coming(db, draw)
    saver = draw.chance(0.4)
    plan = draw.one(
        one
        for one in db.rate_plans.where(hotel_id=booking.hotel_id, on_sale=True)
        if one.rate_plan_id != booking.rate_plan_id and (one.free_cancel_days is None or not saver)
    )
    nights = (booking.departure - booking.arrival).days
    if draw.chance(0.5):
        _alike_terms(db, draw, plan, db.rate_plans.get(booking.rate_plan_id))
    elif nights >= plan.min_nights and draw.chance(0.3):
        booking = _price_as(db, draw, booking, booking.room_type_id, plan.rate_plan_id)
    booked = db.rate_plans.get(booking.rate_plan_id)
    looser = _is_looser(db.rate_plans.get(plan.rate_plan_id), booked)
    if nights < plan.min_nights:
        days = (booking.arrival - db.today()).days
        free = booked.free_cancel_days is not None and booked.free_cancel_days <= days
        draw.need(free or not looser)
    if nights >= plan.min_nights or not looser:
        _turn_terms(db, draw, booking)
    draw.turn(plan, min_nights=nights + 1)
    _turn_price(draw, db.room_types.get(booking.room_type_id))
    return facts(
        _with_booking(db, booking),
        rate=plan.name,
        agrees=_most(draw, booking),
    )


def solve_change_rate(agent: Agent, given: Given) -> Outcome:
    booking = _booking_that(agent, given, ("confirmed",))
    agent.ask("rate")
    rate = only(one for one in agent.list_rate_plans(booking.hotel_id) if one.name == given.rate)
    nights = (booking.departure - booking.arrival).days
    booked = agent.get_rate_plan(booking.rate_plan_id)
    bound = _is_bound(agent, booking)
    if bound and _is_looser(rate, booked):
        return outcome("looser_terms", rate=booked.name)
    if nights < rate.min_nights:
        day = booking.arrival + timedelta(days=rate.min_nights)
        agent.quote_stay(
            booking.room_type_id,
            rate.rate_plan_id,
            booking.arrival,
            day,
            booking.adults,
            booking.children,
            booking.reservation_id,
        )
        return outcome("stay_too_short", day=day)
    quote = agent.quote_stay(
        booking.room_type_id,
        rate.rate_plan_id,
        booking.arrival,
        booking.departure,
        booking.adults,
        booking.children,
        booking.reservation_id,
    )
    if bound and quote.total < booking.total:
        return outcome("rate_not_cheaper", price=booking.total)
    if not agent.agreed(price=quote.total):
        return outcome("rate_kept", price=quote.total)
    agent.change_rate_plan(booking.reservation_id, rate.rate_plan_id)
    return outcome("rate_changed", price=quote.total)


def _is_looser(rate: RatePlan, booked: RatePlan) -> bool:
    """Say whether the terms of a rate are looser than those that were booked."""
    if rate.deposit_percent < booked.deposit_percent:
        return True
    if rate.late_cancel_percent < booked.late_cancel_percent:
        return True
    if rate.free_cancel_days is None:
        return False
    return booked.free_cancel_days is None or rate.free_cancel_days < booked.free_cancel_days


def change_people(db: Database, draw: Draw) -> Facts:
    """More or fewer people will come than were booked for; the room may be too small."""
    booking = _coming(db, draw)
    people = (booking.adults, booking.children)
    adults, children = draw.one(
        [
            (people[0] + 1, people[1]),
            (people[0], people[1] + 1),
            (people[0] + 3, people[1]),
            (people[0] + 4, people[1]),
            (people[0], max(0, people[1] - 1)),
            (max(1, people[0] - 1), 0),
            (max(1, people[0] - 1), 0),
            (max(1, people[0] - 1), 0),
        ]
    )
    grown = len([one for one in booking.companions if not one.child])
    draw.need((adults, children) != people and grown < adults)
    draw.need(len(booking.companions) - grown <= children)
    if adults + children < sum(people):
        stage = draw.one(["none", "none", "for_all", "for_fewer", "called_off", "called_off"])
        if stage == "for_all":
            _with_service(db, draw, booking, booking.arrival, sum(people))
        if stage == "for_fewer":
            _with_service(db, draw, booking, booking.arrival, adults + children)
        if stage == "called_off" and booking.arrival > db.today():
            _with_service_called_off(db, draw, booking, booking.arrival, sum(people))
    _turn_terms(db, draw, booking)
    _turn_price(draw, db.room_types.get(booking.room_type_id))
    return facts(
        _with_booking(db, booking),
        adults=adults,
        children=children,
        agrees=_most(draw, booking),
        accepts=draw.chance(0.75),
    )


def solve_change_people(agent: Agent, given: Given) -> Outcome:
    booking = _booking_that(agent, given, ("confirmed",))
    agent.ask("adults", "children")
    rooms = agent.list_room_types(booking.hotel_id)
    room = only(one for one in rooms if one.room_type_id == booking.room_type_id)
    people = given.adults + given.children
    if people > room.capacity:
        largest = max(rooms, key=lambda one: one.capacity)
        if people > largest.capacity:
            return outcome("no_room_so_large", room=largest.name, most=largest.capacity)
        return _change_with_room(agent, given, booking)
    quote = _priced(agent, given, booking, booking.room_type_id)
    if quote.total < booking.total and _is_bound(agent, booking):
        return outcome("people_not_cheaper", price=booking.total)
    for service in agent.list_service_bookings(booking.reservation_id, status="booked"):
        if service.persons > people:
            day = service.starts_at.date()
            return outcome("booked_for_more", service=service.service, day=day)
    if not agent.agreed(price=quote.total):
        return outcome("people_kept", price=quote.total)
    agent.change_party(booking.reservation_id, given.adults, given.children)
    return outcome("people_changed", price=quote.total)


def _priced(
    agent: Agent, given: Given, booking: Reservation, room_type_id: RoomTypeId
) -> StayOffer:
    """Return what a booking would cost for the new party."""
    return agent.quote_stay(
        room_type_id,
        booking.rate_plan_id,
        booking.arrival,
        booking.departure,
        given.adults,
        given.children,
        booking.reservation_id,
    )


def _change_with_room(agent: Agent, given: Given, booking: Reservation) -> Outcome:
    """Offer the cheapest room type that sleeps them all, at the same rate."""
    offers = [
        offer
        for offer in agent.search_availability(
            booking.hotel_id,
            booking.arrival,
            booking.departure,
            given.adults,
            given.children,
            booking.reservation_id,
        )
        if offer.rate_plan_id == booking.rate_plan_id
    ]
    larger = only(offers[:1])
    if not agent.offer("larger_room", room=larger.room_type, price=larger.total):
        return outcome("larger_room_declined", room=larger.room_type, price=larger.total)
    agent.change_party(booking.reservation_id, given.adults, given.children, larger.room_type_id)
    return outcome("larger_room_taken", room=larger.room_type, price=larger.total)
