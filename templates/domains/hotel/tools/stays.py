"""Guests in the house: where they are, moving rooms, key cards."""


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


def _stay_line(db: Database, stay: Stay) -> StayLine:
    reservation = db.reservations.get(stay.reservation_id)
    return StayLine(
        stay_id=stay.stay_id,
        reservation_id=stay.reservation_id,
        guest_id=reservation.guest_id,
        guest=_guest_name(db, reservation.guest_id),
        room_id=stay.room_id,
        room=db.rooms.get(stay.room_id).number,
        arrival=reservation.arrival,
        departure=reservation.departure,
        late_checkout_hours=stay.late_checkout_hours,
        key_cards=stay.key_cards,
    )


def find_stay_in_room(db: Database, hotel_id: HotelId, number: str) -> StayLine:
    """Find who is in a room now, and until when.

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
    return _stay_line(db, stays[0])


def list_in_house(
    db: Database, hotel_id: HotelId, cursor: str | None = None, limit: int = 50
) -> Page[StayLine]:
    """List the guests who are in a hotel now, with their rooms.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The hotel is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    stays = db.stays.where(hotel_id=hotel_id, status="in_house")
    return page([_stay_line(db, stay) for stay in stays], cursor, limit)


def _arrivals(db: Database, room: Room, day: date) -> list[Reservation]:
    """Return the bookings that a room is set aside for from a day on."""
    return db.reservations.where(room_id=room.room_id, arrival=day, status="confirmed")


def _check_nobody_arrives(db: Database, room: Room, day: date, way: str) -> None:
    if _arrivals(db, room, day):
        raise Rejected(
            "room_taken",
            f"Room {room.number} is set aside for an arrival that day; {way}.",
            room=room.number,
            day=day,
        )


def _is_ready(db: Database, room: Room, until: date, but: str) -> bool:
    """Say whether a guest could live in a room from now on until a day, their own booking aside."""
    return (
        room.condition == "clean"
        and not db.stays.where(room_id=room.room_id, status="in_house")
        and _urgent_ticket(db, room.room_id) is None
        and _room_is_free(db, room.room_id, db.today(), until, but)
    )


def _ready_room(
    db: Database, reservation: Reservation, room_type: RoomType, until: date
) -> Room | None:
    """Return the room of a type, if any, that is ready for a guest in the house until a day.

    Who has a late check-out is shown one in which nobody arrives that day, if there is one.
    """
    but, type_id = reservation.reservation_id, room_type.room_type_id
    ready = [
        room for room in db.rooms.where(room_type_id=type_id) if _is_ready(db, room, until, but)
    ]
    fits = room_type.capacity >= reservation.adults + reservation.children
    if not ready or not fits or _rooms_left(db, type_id, db.today(), until, but) == 0:
        return None
    if until == reservation.departure and _stays_late(db, reservation):
        ready = [room for room in ready if not _arrivals(db, room, until)] or ready
    return min(ready, key=lambda room: room.number)


def _stays_late(db: Database, reservation: Reservation) -> bool:
    stays = db.stays.where(reservation_id=reservation.reservation_id, status="in_house")
    return any(stay.late_checkout_hours > 0 for stay in stays)


def _check_none_ready(
    db: Database, reservation: Reservation, room_type: RoomType, until: date
) -> None:
    """Refuse a guest a better room while one of a type is ready for them until a day."""
    room = _ready_room(db, reservation, room_type, until)
    if room is not None:
        once = _once_bed_is_back(db, reservation, room_type)
        raise Rejected(
            "better_not_needed",
            f"Room {room.number}, {room_type.name}, is ready, so give {room.room_id} as the room"
            f"{once}; a better type is given only if no other of the type booked is, and then the "
            "cheapest one.",
            room=room.number,
            room_type=room_type.name,
        )


def _check_better_is_needed(
    db: Database, stay: Stay, reservation: Reservation, new: RoomType, until: date
) -> None:
    """Refuse a type other than the one booked while that or a cheaper one will do."""
    booked = db.room_types.get(stay.booked_type_id)
    for other in db.room_types.where(hotel_id=new.hotel_id):
        is_booked = other.room_type_id == booked.room_type_id
        if is_booked or booked.base_rate <= other.base_rate < new.base_rate:
            _check_none_ready(db, reservation, other, until)


def _check_hotel_of_stay(stay: Stay, room: Room) -> None:
    if room.hotel_id != stay.hotel_id:
        raise Rejected("other_hotel", "Choose a room of the same hotel.", hotel=room.hotel_id)


def _check_move(
    db: Database, stay: Stay, reservation: Reservation, room: Room, until: date
) -> None:
    """Refuse a room that a guest may not move into to stay there until a day."""
    if room.room_id == stay.room_id:
        raise Rejected(
            "nothing_to_change",
            f"The guest is in room {room.number} already; choose another room.",
            room=room.number,
        )
    _check_hotel_of_stay(stay, room)
    booked, new = db.room_types.get(stay.booked_type_id), db.room_types.get(room.room_type_id)
    if new.base_rate < booked.base_rate:
        raise Rejected(
            "cheaper_type",
            f"{new.name} is a cheaper type than {booked.name}; choose as good a room.",
            room_type=new.name,
            booked=booked.name,
        )
    _check_party(new, reservation.adults, reservation.children)
    _check_ready(db, room)
    if not _room_is_free(db, room.room_id, db.today(), until, reservation.reservation_id):
        raise Rejected(
            "room_taken",
            f"Room {room.number} is set aside for another booking on those nights; list_free_rooms "
            "shows which are free.",
            room=room.number,
        )
    if new.room_type_id != reservation.room_type_id:
        _check_rooms_left(db, new, db.today(), until, reservation.reservation_id)
    if new.room_type_id != booked.room_type_id:
        _check_better_is_needed(db, stay, reservation, new, until)
    _check_bed_fits(db, reservation, new)


def _check_nights_left(db: Database, departure: date) -> None:
    if departure <= db.today():
        raise Rejected(
            "leaves_today",
            "The guest leaves today; there is no night left to move for. To stay longer in another "
            "room, give the room with the new day of leaving.",
            day=departure,
        )


def _move(db: Database, stay: Stay, room: Room) -> Stay:
    """Put a guest into another room, and have the one left behind cleaned as after a departure."""
    db.reservations.update(
        stay.reservation_id, room_id=room.room_id, room_type_id=room.room_type_id
    )
    old = db.rooms.update(stay.room_id, condition="dirty")
    _order_cleaning(db, old, "departure_clean", "high")
    _call_off_between_nights(db, old)
    return db.stays.update(stay.stay_id, room_id=room.room_id)


def move_room(db: Database, stay_id: StayId, room_id: RoomId) -> Stay:
    """Move a guest in the house to another room of the same or a better type, at no charge.

    What is as good or better is told by the type booked, which stays the one that is paid for. The
    room left behind is sent to housekeeping.

    Args:
        stay_id: The stay, such as "STY-00021".
        room_id: The new room, such as "ROM-00017".

    Raises:
        Rejected: The stay or room is unknown, or the guest has left or leaves today.
        Rejected: The room is the same, of another hotel, of a cheaper type or too small, or sleeps
            two, and an extra bed is still to be put up.
        Rejected: The room is occupied, not clean, with an urgent fault, or set aside for others.
        Rejected: It is set aside for an arrival on the day of a late check-out, which is to be
            given up first.
        Rejected: Another type than booked is sold out, or not needed: a room of the type booked, or
            of a cheaper one that is as good, is ready.
    """
    stay = _in_house(db, stay_id)
    reservation = db.reservations.get(stay.reservation_id)
    room = db.rooms.get(room_id)
    _check_nights_left(db, reservation.departure)
    _check_move(db, stay, reservation, room, reservation.departure)
    if stay.late_checkout_hours > 0:
        way = "the guest gives up the late check-out first, with 0 hours"
        _check_nobody_arrives(db, room, reservation.departure, way)
    return _move(db, stay, room)


def issue_key_card(db: Database, stay_id: StayId, key_cards: int = 1) -> Stay:
    """Hand out more key cards to a guest in the house, one unless more are wanted.

    Args:
        stay_id: The stay, such as "STY-00021".
        key_cards: How many more; one unless given.

    Raises:
        Rejected: The stay is unknown, or the guest has left.
        Rejected: The number is below one, or more than six key cards would be out.
    """
    stay = _in_house(db, stay_id)
    left = MOST_KEY_CARDS - stay.key_cards
    if left < 1:
        raise Rejected(
            "key_card_limit",
            f"{MOST_KEY_CARDS} key cards are out already, and a stay has no more.",
            limit=MOST_KEY_CARDS,
        )
    if not 1 <= key_cards <= left:
        raise Rejected(
            "key_card_limit",
            f"Hand out 1 to {left} more: {stay.key_cards} of {MOST_KEY_CARDS} are out.",
            limit=left,
        )
    return db.stays.update(stay_id, key_cards=stay.key_cards + key_cards)
