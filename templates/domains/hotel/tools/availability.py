"""What a hotel can offer a party, and at what price."""


def _offer(
    db: Database,
    room_type: RoomType,
    plan: RatePlan,
    arrival: date,
    departure: date,
    adults: int,
    children: int,
    but: str | None,
) -> StayOffer:
    nights = _nights(room_type, plan, arrival, departure, adults, children)
    tax = db.hotels.get(room_type.hotel_id).city_tax * adults * len(nights)
    return StayOffer(
        room_type_id=room_type.room_type_id,
        room_type=room_type.name,
        rate_plan_id=plan.rate_plan_id,
        rate_plan=plan.name,
        board=plan.board,
        rooms_left=_rooms_left(db, room_type.room_type_id, arrival, departure, but),
        nights=tuple(nights),
        total=_sum(nights),
        city_tax=money(tax),
        deposit=_deposit(plan, _sum(nights)),
        free_until=_free_until(plan, arrival),
    )


def search_availability(
    db: Database,
    hotel_id: HotelId,
    arrival: date,
    departure: date,
    adults: int,
    children: int = 0,
    reservation_id: ReservationId | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[StayOffer]:
    """Search what a hotel can offer a party for some nights, cheapest first.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        arrival: The first night.
        departure: The day of leaving.
        adults: People of twelve and older.
        children: People under twelve; none unless given.
        reservation_id: The reservation that is to be changed, which then takes no room; none
            unless given.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The hotel or reservation is unknown.
        Rejected: The dates are past, too far away, out of order or too long a stay.
        Rejected: The party has no adult or a negative number of children.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    _check_dates(db, arrival, departure)
    _check_people(adults, children)
    but = None if reservation_id is None else db.reservations.get(reservation_id).reservation_id
    offers = [
        _offer(db, room_type, plan, arrival, departure, adults, children, but)
        for room_type in db.room_types.where(hotel_id=hotel_id)
        if room_type.capacity >= adults + children
        and _rooms_left(db, room_type.room_type_id, arrival, departure, but) > 0
        for plan in db.rate_plans.where(hotel_id=hotel_id, on_sale=True)
        if plan.min_nights <= (departure - arrival).days
    ]
    return page(sorted(offers, key=lambda offer: offer.total), cursor, limit)


def quote_stay(
    db: Database,
    room_type_id: RoomTypeId,
    rate_plan_id: RatePlanId,
    arrival: date,
    departure: date,
    adults: int,
    children: int = 0,
    reservation_id: ReservationId | None = None,
) -> StayOffer:
    """Work out the price and terms of a stay without booking it.

    Args:
        room_type_id: The room type, such as "RTY-00003".
        rate_plan_id: The rate plan, such as "RPL-00002".
        arrival: The first night.
        departure: The day of leaving.
        adults: People of twelve and older.
        children: People under twelve; none unless given.
        reservation_id: The reservation that is to be changed, which then takes no room; none
            unless given.

    Raises:
        Rejected: The reservation, room type or rate plan is unknown.
        Rejected: The room type and the rate plan belong to different hotels.
        Rejected: The dates are past, too far away, out of order or too long a stay.
        Rejected: The rate plan is off sale and not that of the reservation to be changed.
        Rejected: The stay is too short for the rate plan.
        Rejected: The party does not fit the room type.
    """
    room_type = db.room_types.get(room_type_id)
    plan = db.rate_plans.get(rate_plan_id)
    _check_dates(db, arrival, departure)
    _check_plan(plan, room_type.hotel_id, (departure - arrival).days)
    changed = None if reservation_id is None else db.reservations.get(reservation_id)
    if changed is None or changed.rate_plan_id != rate_plan_id:
        _check_on_sale(plan)
    _check_party(room_type, adults, children)
    return _offer(db, room_type, plan, arrival, departure, adults, children, reservation_id)
