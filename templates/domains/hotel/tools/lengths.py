"""Stays made longer or shorter."""


def _check_later(reservation: Reservation, departure: date) -> None:
    if departure <= reservation.departure:
        raise Rejected(
            "not_later",
            f"The guest stays until {reservation.departure} already; give a later day.",
            day=reservation.departure,
        )
    if (departure - reservation.arrival).days > MOST_NIGHTS:
        raise Rejected(
            "nights_out_of_range",
            f"A stay has at most {MOST_NIGHTS} nights; a new reservation is needed.",
            limit=MOST_NIGHTS,
        )


def _check_room_for_longer(
    db: Database, stay: Stay, reservation: Reservation, departure: date, room: Room
) -> None:
    """Refuse a longer stay but in a room of the type booked, the same one or one that is ready."""
    _check_hotel_of_stay(stay, room)
    booked = db.room_types.get(stay.booked_type_id)
    first, but = reservation.departure, reservation.reservation_id
    _check_rooms_left(db, booked, first, departure, but)
    if room.room_type_id == booked.room_type_id and room.room_id != stay.room_id:
        _check_move(db, stay, reservation, room, departure)
        return
    is_free = _room_is_free(db, stay.room_id, first, departure, but)
    way = _way_to_stay_longer(db, stay, reservation, departure, is_free)
    if room.room_type_id != booked.room_type_id:
        raise Rejected(
            "better_by_longer_stay",
            f"Room {room.number} is not of the type booked; {way}",
            room=room.number,
        )
    if not is_free:
        raise Rejected(
            "room_taken",
            f"Room {room.number} is set aside for another booking on those nights; {way}",
            room=room.number,
        )


def _way_to_stay_longer(
    db: Database, stay: Stay, reservation: Reservation, departure: date, is_free: bool
) -> str:
    """Say in which room of the type booked a guest may stay longer: their own if that is free."""
    own, booked = db.rooms.get(stay.room_id), db.room_types.get(stay.booked_type_id)
    if is_free and own.room_type_id == booked.room_type_id:
        return f"their own room {own.number} is free, so leave the room out."
    ready = _ready_room(db, reservation, booked, departure)
    if ready is None:
        return f"no other {booked.name} is ready until then."
    once = _once_bed_is_back(db, reservation, booked)
    return f"room {ready.number} is ready, so give {ready.room_id} as the room to move to{once}."


def _added_nights(
    db: Database, stay: Stay, reservation: Reservation, departure: date, room: Room
) -> list[NightRate]:
    _check_later(reservation, departure)
    _check_room_for_longer(db, stay, reservation, departure, room)
    booked = db.room_types.get(stay.booked_type_id)
    plan, first = db.rate_plans.get(reservation.rate_plan_id), reservation.departure
    return _nights(booked, plan, first, departure, reservation.adults, reservation.children)


def _tax_for(db: Database, reservation: Reservation, nights: list[NightRate]) -> Money:
    return db.hotels.get(reservation.hotel_id).city_tax * reservation.adults * len(nights)


def _check_room_until(
    db: Database, stay: Stay, reservation: Reservation, room: Room, departure: date
) -> None:
    """Refuse a shorter stay in a better room than booked while one of the type booked will do."""
    moves = room.room_id != stay.room_id
    if moves and departure <= db.today():
        raise Rejected(
            "leaves_today",
            f"With {departure} as the day of leaving no night is left to move for; leave the room "
            "out.",
            day=departure,
        )
    if moves and room.room_type_id == stay.booked_type_id:
        _check_move(db, stay, reservation, room, departure)
        return
    _check_hotel_of_stay(stay, room)
    if reservation.room_type_id != stay.booked_type_id and departure > db.today():
        _check_none_ready(db, reservation, db.room_types.get(stay.booked_type_id), departure)
    if moves:
        raise Rejected(
            "better_by_longer_stay",
            f"Room {room.number} is not of the type booked; leave the room out, as the guest stays "
            "in theirs until then.",
            room=room.number,
        )


def _unslept_charges(
    db: Database, stay: Stay, reservation: Reservation, departure: date, room: Room
) -> list[Charge]:
    plan = db.rate_plans.get(reservation.rate_plan_id)
    if plan.free_cancel_days is None:
        raise Rejected(
            "never_free",
            f"{plan.name} gives nothing back; the guest may leave but pays all nights.",
            plan=plan.name,
        )
    if departure >= reservation.departure:
        raise Rejected(
            "not_earlier",
            f"The guest leaves on {reservation.departure} already.",
            day=reservation.departure,
        )
    if departure < max(db.today(), reservation.arrival + timedelta(days=1)):
        first = _earliest_departure(db, reservation)
        way = "; who leaves today is checked out" if departure == db.today() else ""
        raise Rejected(
            "too_early",
            f"The stay cannot end before {first}{way}.",
            day=first,
        )
    _check_plan(plan, reservation.hotel_id, (departure - reservation.arrival).days)
    _check_room_until(db, stay, reservation, room, departure)
    _check_plans_within(db, reservation, reservation.arrival, departure)
    return _charges_from(db, reservation, departure)


def _charges_from(db: Database, reservation: Reservation, departure: date) -> list[Charge]:
    """Return the charges for the nights from a day on, and for their city tax."""
    folio = _folio(db, reservation.reservation_id)
    return [
        charge
        for charge in db.charges.where(folio_id=folio.folio_id)
        if charge.night is not None and charge.night >= departure and not charge.voided
    ]


def _charged_ahead(db: Database, stay: Stay) -> list[Charge]:
    """Return the charges for services that were completed before they begin."""
    folio = _folio(db, stay.reservation_id)
    return [
        charge
        for service in db.service_bookings.where(
            reservation_id=stay.reservation_id, status="completed"
        )
        if service.starts_at > db.now()
        for charge in db.charges.where(folio_id=folio.folio_id, booking_id=service.booking_id)
        if not charge.voided
    ]


def _taken_off(db: Database, stay: Stay, charges: list[Charge], added: Money) -> list[Charge]:
    """Return charges that go with the old day of leaving, the late check-out among them.

    A discount on the folio must leave room for that, beside what is charged in their place.
    """
    folio = _folio(db, stay.reservation_id)
    late = [
        charge
        for charge in db.charges.where(folio_id=folio.folio_id, kind="late_checkout")
        if not charge.voided
    ]
    taken = [*charges, *late]
    _check_discount_fits(folio, sum((charge.amount for charge in taken), Decimal(0)) - added)
    return taken


def _charged(charges: list[Charge], kind: ChargeKind) -> Money:
    return sum((charge.amount for charge in charges if charge.kind == kind), Decimal(0))


def _take_off(db: Database, stay: Stay, taken: list[Charge], reason: str) -> None:
    """Take charges back, and the late check-out; services among them are booked again."""
    for charge in taken:
        _void(db, charge, reason)
        if charge.booking_id is not None:
            db.service_bookings.update(charge.booking_id, status="booked")
    db.stays.update(stay.stay_id, late_checkout_hours=0)


def _leave_on(
    db: Database, stay: Stay, reservation: Reservation, departure: date, taken: list[Charge]
) -> Reservation:
    """Have a stay end on an earlier day, with the charges taken back that go with it."""
    _take_off(db, stay, taken, "The guest leaves earlier.")
    nights = [rate for rate in reservation.nights if rate.night < departure]
    return db.reservations.update(
        reservation.reservation_id, departure=departure, nights=nights, total=_sum(nights)
    )


def quote_departure(
    db: Database, stay_id: StayId, departure: date, room_id: RoomId | None = None
) -> DepartureQuote:
    """Work out what another day of leaving would add to a guest's folio or take off it.

    It is refused where extend_stay or shorten_stay would be, and changes nothing.

    Args:
        stay_id: The stay, such as "STY-00021".
        departure: The day of leaving to try, later or earlier than the one booked.
        room_id: The room to move to first, such as "ROM-00017"; the same unless given.

    Raises:
        Rejected: The stay or room is unknown, or the guest has left.
        Rejected: The guest leaves on that day already.
        Rejected: A later day makes the stay too long, the type booked is sold out, or the room is
            not of that type or not free until then.
        Rejected: The guest may not move into that room.
        Rejected: An earlier day is past or leaves no night, or the rate plan gives nothing back, or
            is for longer stays.
        Rejected: A guest in a better room than booked would do with one of that type for less time.
        Rejected: A booked service or a request would fall outside the stay.
        Rejected: A discount on the folio is larger than what would remain.
    """
    stay = _in_house(db, stay_id)
    reservation = db.reservations.get(stay.reservation_id)
    room = db.rooms.get(room_id or stay.room_id)
    more: list[NightRate] = []
    if departure > reservation.departure:
        more = _added_nights(db, stay, reservation, departure, room)
        back = _charged_ahead(db, stay)
    elif departure < reservation.departure:
        back = _unslept_charges(db, stay, reservation, departure, room)
    else:
        raise Rejected(
            "nothing_to_change",
            f"The guest leaves on {departure} already; give another day.",
            day=departure,
        )
    taken = _taken_off(db, stay, back, _sum(more) + _tax_for(db, reservation, more))
    nights = _sum(more) - _charged(taken, "room_night")
    tax = _tax_for(db, reservation, more) - _charged(taken, "city_tax")
    late = _charged(taken, "late_checkout")
    services = sum((one.amount for one in taken if one.booking_id is not None), Decimal(0))
    return DepartureQuote(
        stay_id=stay_id,
        booked_departure=reservation.departure,
        departure=departure,
        nights=money(nights),
        city_tax=money(tax),
        late_checkout=money(-late),
        services=money(-services),
        difference=money(nights + tax - late - services),
    )


def extend_stay(
    db: Database, stay_id: StayId, departure: date, room_id: RoomId | None = None
) -> Reservation:
    """Let a guest in the house stay longer; the nights go on the folio at the prices booked.

    A late check-out granted for the old day is taken back with its charge, and services completed
    before they begin are booked again.

    Args:
        stay_id: The stay, such as "STY-00021".
        departure: The new day of leaving.
        room_id: The room to move to first, as by move_room; they stay in theirs unless given.

    Raises:
        Rejected: The stay or room is unknown, or the guest has left.
        Rejected: The new day is not after the old one, or makes the stay too long.
        Rejected: The type booked is sold out, or the room is not of it or set aside for others.
        Rejected: The guest may not move into that room.
        Rejected: A discount on the folio is larger than what would remain.
    """
    stay = _in_house(db, stay_id)
    reservation = db.reservations.get(stay.reservation_id)
    room = db.rooms.get(room_id or stay.room_id)
    more = _added_nights(db, stay, reservation, departure, room)
    added = _sum(more) + _tax_for(db, reservation, more)
    taken = _taken_off(db, stay, _charged_ahead(db, stay), added)
    if room.room_id != stay.room_id:
        _move(db, stay, room)
    _charge_nights(db, reservation, room, more)
    _take_off(db, stay, taken, "The guest stays longer.")
    nights = [*reservation.nights, *more]
    return db.reservations.update(
        reservation.reservation_id, departure=departure, nights=nights, total=_sum(nights)
    )


def shorten_stay(
    db: Database, stay_id: StayId, departure: date, room_id: RoomId | None = None
) -> Reservation:
    """Let a guest in the house leave earlier; the nights not slept are taken off the folio.

    A late check-out granted for the old day is taken back with its charge.

    Args:
        stay_id: The stay, such as "STY-00021".
        departure: The new day of leaving, today at the earliest.
        room_id: The room to move to first, as by move_room; they stay in theirs unless given.

    Raises:
        Rejected: The stay or room is unknown, or the guest has left.
        Rejected: The new day is not before the old one, or the rate plan gives nothing back.
        Rejected: The new day is past, leaves no night, or the rate plan is for longer stays.
        Rejected: The guest may not move into that room, or leaves today.
        Rejected: The guest is in a better room than booked, and one of the type booked is ready.
        Rejected: A booked service or a request would fall outside the stay.
        Rejected: A discount on the folio is larger than what would remain.
    """
    stay = _in_house(db, stay_id)
    reservation = db.reservations.get(stay.reservation_id)
    room = db.rooms.get(room_id or stay.room_id)
    unslept = _unslept_charges(db, stay, reservation, departure, room)
    taken = _taken_off(db, stay, unslept, Decimal(0))
    if room.room_id != stay.room_id:
        _move(db, stay, room)
    return _leave_on(db, stay, reservation, departure, taken)
