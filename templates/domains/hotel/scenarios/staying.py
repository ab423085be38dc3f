"""Guests in the house who want to stay longer, shorter, or a few hours more."""


def _guest_in_house(db: Database, draw: Draw) -> Reservation:
    """Return the booking of somebody who is in the house and stays at least until tomorrow."""
    booking = draw.row("reservations", status="checked_in")
    draw.need(booking.departure > db.today())
    return booking


def _promised(db: Database, draw: Draw, booking: Reservation) -> Reservation:
    """Promise a guest's room to somebody who arrives when the guest leaves."""
    other = _comes_next(db, draw, booking)
    return draw.call("assign_room", reservation_id=other.reservation_id, room_id=booking.room_id)


def _comes_next(db: Database, draw: Draw, booking: Reservation) -> Reservation:
    """Have somebody book a guest's room type from the day on which the guest leaves."""
    plan = draw.one(db.rate_plans.where(hotel_id=booking.hotel_id, min_nights=1, on_sale=True))
    return draw.call(
        "create_reservation",
        guest_id=_welcome(db, draw).guest_id,
        room_type_id=booking.room_type_id,
        rate_plan_id=plan.rate_plan_id,
        arrival=booking.departure,
        departure=booking.departure + timedelta(days=draw.integer(1, 4)),
        adults=1,
        channel="website",
    )


def leave_late(db: Database, draw: Draw) -> Facts:
    """Somebody wants the room for some hours longer; it may be promised from noon on."""
    booking = _guest_in_house(db, draw)
    stay = only(db.stays.where(reservation_id=booking.reservation_id))
    hours = draw.one([1, 2, 3, 4, 5, 6, 7, 8])
    stage = draw.one(["free", "free", "free", "promised", "granted"])
    if stage == "promised":
        draw.need(hours <= 6)
        _promised(db, draw, booking)
    if stage == "granted":
        draw.need(hours <= 6)
        draw.call("grant_late_checkout", stay_id=stay.stay_id, hours=draw.one([1, 2, 3]))
    wavers = draw.chance(0.25)
    if stage == "granted":
        draw.turn(stay, late_checkout_hours=hours)
    return facts(
        _with_booking(db, booking),
        hours=hours,
        luggage=draw.one(
            ["two suitcases", "one big suitcase and a guitar", "three bags and a pram"]
        ),
        agrees=not wavers,
        accepts=not wavers,
    )


def solve_leave_late(agent: Agent, given: Given) -> Outcome:
    booking = _booking(agent, given)
    agent.ask("hours")
    stay = agent.get_stay(booking.reservation_id)
    if stay.late_checkout_hours == given.hours:
        return outcome("granted_before", hours=stay.late_checkout_hours)
    others = agent.list_room_reservations(stay.room_id, first=booking.departure)
    if any(one.arrival == booking.departure and one.status == "confirmed" for one in others):
        return _keep_luggage(agent, given, booking)
    guest = agent.get_guest(booking.guest_id)
    price = Decimal("0.00") if guest.tier in ("gold", "platinum") else Decimal("20.00")
    if given.hours > 6:
        if not agent.offer("six_hours", price=6 * price):
            return outcome("six_declined", price=6 * price)
        agent.grant_late_checkout(stay.stay_id, 6)
        return outcome("six_granted", price=6 * price)
    if price > 0:
        if not agent.agreed(price=given.hours * price):
            return outcome("not_worth_it", price=given.hours * price)
    agent.grant_late_checkout(stay.stay_id, given.hours)
    return outcome("granted", price=given.hours * price)


def _keep_luggage(agent: Agent, given: Given, booking: Reservation) -> Outcome:
    """Offer to keep the luggage where the room is promised to somebody."""
    until = agent.get_time().check_out_until
    if not agent.offer("to_keep_your_luggage", day=booking.departure):
        return outcome("room_promised", until=until)
    agent.ask("luggage")
    agent.create_request(booking.reservation_id, "luggage", given.luggage, booking.departure)
    return outcome("luggage_kept", until=until)


def _with_spare_room(db: Database, draw: Draw, nights: int) -> Reservation:
    """Return a booking as ``_guest_in_house`` does, with a room of its type clean and not taken."""
    picked = [draw.row("reservations", status="checked_in") for _ in range(20)]
    return draw.one(
        one
        for one in picked
        if one.departure >= db.today()
        and nights >= db.rate_plans.get(one.rate_plan_id).min_nights
        and any(
            len(db.stays.where(room_id=room.room_id, status="in_house")) == 0
            and len(db.reservations.where(room_id=room.room_id, status="confirmed")) == 0
            for room in db.rooms.where(room_type_id=one.room_type_id, condition="clean")
        )
    )


def stay_longer(db: Database, draw: Draw) -> Facts:
    """Somebody wants to stay some nights more; the room may be promised, or the house full."""
    nights = draw.integer(1, 3)
    stage = draw.one(
        ["free", "free", "promised", "promised", "promised", "promised", "full", "late"]
    )
    booking = (
        _with_spare_room(db, draw, nights) if stage == "promised" else _guest_in_house(db, draw)
    )
    stay = only(db.stays.where(reservation_id=booking.reservation_id))
    new_departure = booking.departure + timedelta(days=nights)
    if stage == "promised":
        draw.turn(_promised(db, draw, booking), room_id=None)
    if stage == "free" and nights >= db.rate_plans.get(booking.rate_plan_id).min_nights:
        draw.turn(_comes_next(db, draw, booking), room_id=booking.room_id)
    if stage == "full":
        full = booking.departure + timedelta(days=draw.integer(0, nights - 1))
        room_type = db.room_types.get(booking.room_type_id)
        _fill(db, draw, room_type, full, full + timedelta(days=1))
    if stage == "late":
        draw.call("grant_late_checkout", stay_id=stay.stay_id, hours=draw.one([2, 3]))
    _turn_price(draw, db.room_types.get(booking.room_type_id))
    return facts(
        _with_booking(db, booking),
        new_departure=new_departure,
        agrees=_budget(draw, nights),
        accepts=draw.chance(0.7),
    )


def solve_stay_longer(agent: Agent, given: Given) -> Outcome:
    booking = _booking(agent, given)
    agent.ask("new_departure")
    stay = agent.get_stay(booking.reservation_id)
    quote = agent.attempt.quote_departure(stay.stay_id, given.new_departure)
    if quote.rejected("sold_out"):
        night = _first_full_night(
            agent, booking, stay.booked_type_id, booking.departure, given.new_departure
        )
        return outcome("house_full", night=night)
    if quote.rejected("room_taken") or quote.rejected("better_by_longer_stay"):
        return _stay_in_another_room(agent, given, booking, stay)
    if not agent.agreed(price=quote.difference):
        return outcome("leaves_as_booked", price=quote.difference)
    agent.extend_stay(stay.stay_id, given.new_departure)
    return outcome("stays_longer", price=quote.difference)


def _stay_in_another_room(agent: Agent, given: Given, booking: Reservation, stay: Stay) -> Outcome:
    """Offer another room of the type that is ready now and free all through."""
    offer = agent.quote_stay(
        stay.booked_type_id,
        booking.rate_plan_id,
        booking.departure,
        given.new_departure,
        booking.adults,
        booking.children,
        booking.reservation_id,
    )
    if offer.rooms_left == 0:
        night = _first_full_night(
            agent, booking, stay.booked_type_id, booking.departure, given.new_departure
        )
        return outcome("house_full", night=night)
    today = agent.get_time().today
    rooms = _ready_rooms(agent, booking.hotel_id, stay.booked_type_id, today, given.new_departure)
    room = only(rooms[:1])
    quote = agent.quote_departure(stay.stay_id, given.new_departure, room.room_id)
    price = quote.difference
    if not agent.offer("another_room", room=room.number, price=price):
        return outcome("will_not_move", room=room.number, price=price)
    agent.extend_stay(stay.stay_id, given.new_departure, room.room_id)
    return outcome("moves_and_stays", room=room.number, price=price)


def leave_early(db: Database, draw: Draw) -> Facts:
    """Somebody wants to go home earlier; some rates give nothing back."""
    booking = _guest_in_house(db, draw)
    stay = only(db.stays.where(reservation_id=booking.reservation_id))
    first = max(db.today(), booking.arrival) + timedelta(days=1)
    if booking.departure <= first:
        booking = draw.call(
            "extend_stay",
            stay_id=stay.stay_id,
            departure=booking.departure + timedelta(days=draw.integer(1, 3)),
        )
    new_departure = first + timedelta(days=draw.integer(0, (booking.departure - first).days - 1))
    stage = draw.one(["plain", "plain", "plain", "late", "late", "service"])
    if stage == "late":
        draw.call("grant_late_checkout", stay_id=stay.stay_id, hours=draw.one([2, 3, 4]))
    plan = db.rate_plans.get(booking.rate_plan_id)
    is_shorter = (new_departure - booking.arrival).days < plan.min_nights
    if stage == "service":
        # Of two things in the way it would matter which is said first.
        draw.need(plan.free_cancel_days is not None and not is_shorter)
        service = _with_service(db, draw, booking, booking.departure, 1)
        draw.turn(service, status="cancelled")
    if stage == "plain":
        _with_service_called_off(db, draw, booking, booking.departure, 1)
    if is_shorter:
        draw.turn(plan, min_nights=1)
    if stage != "service":
        draw.turn(plan, free_cancel_days=2 if plan.free_cancel_days is None else None)
    return facts(
        _with_booking(db, booking),
        new_departure=new_departure,
        agrees=draw.chance(0.8),
    )


def solve_leave_early(agent: Agent, given: Given) -> Outcome:
    booking = _booking(agent, given)
    agent.ask("new_departure")
    stay = agent.get_stay(booking.reservation_id)
    quote = agent.attempt.quote_departure(stay.stay_id, given.new_departure)
    if quote.rejected("never_free"):
        rate = agent.get_rate_plan(booking.rate_plan_id)
        return outcome("nothing_back", rate=rate.name, price=booking.total)
    if quote.rejected("too_few_nights"):
        rate = agent.get_rate_plan(booking.rate_plan_id)
        return outcome("shortest_stay", rate=rate.name, nights=rate.min_nights)
    if quote.rejected("service_outside_stay"):
        booked = agent.list_service_bookings(booking.reservation_id, status="booked")
        service = only(one for one in booked if one.booking_id == quote.values.booking)
        return outcome("service_after", service=service.service, day=service.starts_at.date())
    back = -quote.difference
    if not agent.agreed(amount_off_the_bill=back):
        return outcome("stays_as_booked", back=back)
    agent.shorten_stay(stay.stay_id, given.new_departure)
    if stay.late_checkout_hours > 0:
        return outcome("leaves_early_at_noon", back=back, day=given.new_departure)
    return outcome("leaves_early", back=back)
