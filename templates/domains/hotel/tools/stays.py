"""Guests in the house: where they are, moving, staying longer or shorter."""

LATE_HOUR_PRICE = Decimal("20.00")
MOST_LATE_HOURS = 6


def _in_house(db: Database, stay_id: StayId) -> Stay:
    stay = db.stays.get(stay_id)
    if stay.status != "in_house":
        raise Rejected(
            "guest_has_left",
            f"The guest of stay {stay_id} has left; this is for guests in the house.",
            status=stay.status,
        )
    return stay


def get_stay(db: Database, reservation_id: ReservationId) -> Stay:
    """Show the stay of a reservation whose guest has checked in.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".

    Raises:
        Rejected: The reservation is unknown, or its guest has not checked in.
    """
    reservation = db.reservations.get(reservation_id)
    stays = db.stays.where(reservation_id=reservation_id)
    if not stays:
        raise Rejected(
            "not_checked_in",
            f"Reservation {reservation_id} is {reservation.status}; it has no stay.",
            status=reservation.status,
        )
    return stays[0]


def find_stay_in_room(db: Database, hotel_id: HotelId, number: str) -> Stay:
    """Find who is in a room now.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        number: The number on the door, such as "204".

    Raises:
        Rejected: The hotel is unknown or has no such room.
        Rejected: Nobody is in the room.
    """
    room = _numbered_room(db, hotel_id, number)
    stays = db.stays.where(room_id=room.room_id, status="in_house")
    if not stays:
        raise Rejected(
            "nobody_in_room",
            f"Nobody is in room {room.number} of {hotel_id} now; check the number.",
            room=room.number,
        )
    return stays[0]


def list_in_house(
    db: Database, hotel_id: HotelId, cursor: str | None = None, limit: int = 50
) -> Page[Stay]:
    """List the stays of the guests who are in a hotel now.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The hotel is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    return page(db.stays.where(hotel_id=hotel_id, status="in_house"), cursor, limit)


def move_room(db: Database, stay_id: StayId, room_id: RoomId) -> Stay:
    """Move a guest in the house to another room of the same or a better type, at no charge.

    The room left behind is sent to housekeeping.

    Args:
        stay_id: The stay, such as "STY-00021".
        room_id: The new room, such as "ROM-00017".

    Raises:
        Rejected: The stay or room is unknown, or the guest has left or leaves today.
        Rejected: The room is the same, of another hotel, of a cheaper type or too small.
        Rejected: The room is occupied, not clean, or set aside for others.
        Rejected: The better type is sold out.
    """
    stay = _in_house(db, stay_id)
    reservation = db.reservations.get(stay.reservation_id)
    room, old = db.rooms.get(room_id), db.rooms.get(stay.room_id)
    if room_id == stay.room_id:
        raise Rejected(
            "nothing_to_change",
            f"The guest is in room {room.number} already; choose another room.",
            room=room.number,
        )
    if room.hotel_id != stay.hotel_id:
        raise Rejected("other_hotel", "Choose a room of the same hotel.", hotel=room.hotel_id)
    if reservation.departure <= db.today():
        raise Rejected(
            "leaves_today",
            "The guest leaves today; there is no night left to move for.",
            day=reservation.departure,
        )
    booked, new = db.room_types.get(old.room_type_id), db.room_types.get(room.room_type_id)
    if new.base_rate < booked.base_rate:
        raise Rejected(
            "cheaper_type",
            f"{new.name} is a cheaper type than {booked.name}; choose as good a room.",
            room_type=new.name,
            booked=booked.name,
        )
    _check_party(new, reservation.adults, reservation.children)
    _check_ready(db, room)
    _check_not_taken(db, room, reservation)
    if new.room_type_id != booked.room_type_id:
        _check_rooms_left(db, new, reservation.arrival, reservation.departure, None)
    db.reservations.update(
        reservation.reservation_id, room_id=room_id, room_type_id=new.room_type_id
    )
    db.rooms.update(old.room_id, condition="dirty")
    _order_cleaning(db, old, "departure_clean", "high")
    return db.stays.update(stay_id, room_id=room_id)


def extend_stay(db: Database, stay_id: StayId, departure: date) -> Reservation:
    """Let a guest in the house stay longer in the same room; the nights go on the folio.

    Args:
        stay_id: The stay, such as "STY-00021".
        departure: The new day of leaving.

    Raises:
        Rejected: The stay is unknown, or the guest has left.
        Rejected: The new day is not after the old one, or makes the stay too long.
        Rejected: The room is set aside for others, or its type is sold out.
    """
    stay = _in_house(db, stay_id)
    reservation = db.reservations.get(stay.reservation_id)
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
    if not _room_is_free(
        db, stay.room_id, reservation.departure, departure, reservation.reservation_id
    ):
        raise Rejected(
            "room_taken",
            "The room is set aside for somebody else on those nights; move room first.",
            room=db.rooms.get(stay.room_id).number,
        )
    room_type = db.room_types.get(reservation.room_type_id)
    _check_rooms_left(db, room_type, reservation.departure, departure, reservation.reservation_id)
    plan = db.rate_plans.get(reservation.rate_plan_id)
    adults, children = reservation.adults, reservation.children
    more = _nights(room_type, plan, reservation.departure, departure, adults, children)
    _charge_nights(db, reservation, db.rooms.get(stay.room_id), more)
    nights = [*reservation.nights, *more]
    return db.reservations.update(
        reservation.reservation_id, departure=departure, nights=nights, total=_sum(nights)
    )


def shorten_stay(db: Database, stay_id: StayId, departure: date) -> Reservation:
    """Let a guest in the house leave earlier; the nights not slept are taken off the folio.

    Args:
        stay_id: The stay, such as "STY-00021".
        departure: The new day of leaving, today at the earliest.

    Raises:
        Rejected: The stay is unknown, or the guest has left.
        Rejected: The new day is past, not before the old one, or leaves no night.
        Rejected: The rate plan gives nothing back.
        Rejected: A booked service would fall outside the stay.
        Rejected: A discount on the folio is larger than what would remain.
    """
    stay = _in_house(db, stay_id)
    reservation = db.reservations.get(stay.reservation_id)
    if not max(db.today(), reservation.arrival + timedelta(days=1)) <= departure:
        raise Rejected(
            "too_early",
            "The new day of leaving is today or later, after one night at least.",
            day=max(db.today(), reservation.arrival + timedelta(days=1)),
        )
    if departure >= reservation.departure:
        raise Rejected(
            "not_earlier",
            f"The guest leaves on {reservation.departure} already; give an earlier day.",
            day=reservation.departure,
        )
    plan = db.rate_plans.get(reservation.rate_plan_id)
    if plan.free_cancel_days is None:
        raise Rejected(
            "never_free",
            f"{plan.name} gives nothing back; the guest may leave but pays all nights.",
            plan=plan.name,
        )
    _check_services_within(db, reservation.reservation_id, reservation.arrival, departure)
    folio = _folio(db, reservation.reservation_id)
    unslept = [
        charge
        for charge in db.charges.where(folio_id=folio.folio_id)
        if charge.night is not None and charge.night >= departure and not charge.voided
    ]
    _check_discount_fits(folio, sum((charge.amount for charge in unslept), Decimal(0)))
    for charge in unslept:
        _void(db, charge, "The guest leaves earlier.")
    nights = [rate for rate in reservation.nights if rate.night < departure]
    return db.reservations.update(
        reservation.reservation_id, departure=departure, nights=nights, total=_sum(nights)
    )


def grant_late_checkout(db: Database, stay_id: StayId, hours: int) -> Stay:
    """Let a guest keep the room past noon on the day of leaving.

    An hour costs 20 EUR; gold and platinum guests pay nothing.

    Args:
        stay_id: The stay, such as "STY-00021".
        hours: Hours past noon, 1 to 6.

    Raises:
        Rejected: The stay is unknown, or the guest has left.
        Rejected: The hours are not 1 to 6, or some were granted already.
        Rejected: The room is set aside for somebody who arrives that day.
    """
    stay = _in_house(db, stay_id)
    if not 1 <= hours <= MOST_LATE_HOURS:
        raise Rejected(
            "hours_out_of_range",
            f"A late check-out is 1 to {MOST_LATE_HOURS} hours, not {hours}.",
            limit=MOST_LATE_HOURS,
        )
    if stay.late_checkout_hours > 0:
        raise Rejected(
            "late_checkout_granted",
            f"{stay.late_checkout_hours} hours were granted already.",
            hours=stay.late_checkout_hours,
        )
    reservation = db.reservations.get(stay.reservation_id)
    day = reservation.departure
    if db.reservations.where(room_id=stay.room_id, arrival=day, status="confirmed"):
        raise Rejected(
            "room_taken",
            "The room is set aside for an arrival that day; offer to keep the luggage.",
            room=db.rooms.get(stay.room_id).number,
            day=day,
        )
    if db.guests.get(reservation.guest_id).tier not in ("gold", "platinum"):
        folio_id = _folio(db, stay.reservation_id).folio_id
        line = f"Late check-out on {day}"
        _charge(db, folio_id, "late_checkout", line, hours, LATE_HOUR_PRICE, None, None)
    return db.stays.update(stay_id, late_checkout_hours=hours)


def issue_key_card(db: Database, stay_id: StayId) -> Stay:
    """Hand out one more key card to a guest in the house.

    Args:
        stay_id: The stay, such as "STY-00021".

    Raises:
        Rejected: The stay is unknown, or the guest has left.
        Rejected: Six key cards are out already.
    """
    stay = _in_house(db, stay_id)
    if stay.key_cards >= MOST_KEY_CARDS:
        raise Rejected(
            "key_card_limit",
            f"{MOST_KEY_CARDS} key cards are out already; have some brought back.",
            limit=MOST_KEY_CARDS,
        )
    return db.stays.update(stay_id, key_cards=stay.key_cards + 1)
