"""Rooms and their types, and which of them are free."""

ACTIVE = ("confirmed", "checked_in")


def _is_missed(db: Database, reservation: Reservation) -> bool:
    """Say whether the day of arrival of a reservation is over, and nobody came."""
    return reservation.status == "confirmed" and reservation.arrival < db.today()


def _takes_a_room(db: Database, reservation: Reservation) -> bool:
    """Say whether a guest is in the house or still to come."""
    return reservation.status in ACTIVE and not _is_missed(db, reservation)


def _covers(db: Database, reservation: Reservation, arrival: date, departure: date) -> bool:
    overlaps = reservation.arrival < departure and arrival < reservation.departure
    return overlaps and _takes_a_room(db, reservation)


def _check_people(adults: int, children: int) -> None:
    if adults < 1 or children < 0:
        raise Rejected("bad_party", "A party has at least one adult, and no fewer than 0 children.")


def _check_party(room_type: RoomType, adults: int, children: int) -> None:
    _check_people(adults, children)
    if adults + children > room_type.capacity:
        raise Rejected(
            "party_too_large",
            f"{room_type.name} sleeps {room_type.capacity}, not {adults + children}; "
            "list_room_types shows what the others sleep.",
            room_type=room_type.name,
            limit=room_type.capacity,
        )


def _left_by_night(
    db: Database, room_type_id: RoomTypeId, arrival: date, departure: date, but: str | None
) -> list[tuple[date, int]]:
    """Return how many rooms of a type are left on each night; below 0 if too many are booked."""
    taken = [
        reservation
        for reservation in db.reservations.where(room_type_id=room_type_id)
        if reservation.reservation_id != but and _covers(db, reservation, arrival, departure)
    ]
    usable = len(_usable_rooms(db, room_type_id))
    nights = [arrival + timedelta(days=n) for n in range((departure - arrival).days)]
    return [
        (night, usable - len([r for r in taken if r.arrival <= night < r.departure]))
        for night in nights
    ]


def _rooms_left(
    db: Database, room_type_id: RoomTypeId, arrival: date, departure: date, but: str | None
) -> int:
    nights = _left_by_night(db, room_type_id, arrival, departure, but)
    return max(0, min(left for _, left in nights))


def _usable_rooms(db: Database, room_type_id: RoomTypeId) -> list[Room]:
    return [
        room
        for room in db.rooms.where(room_type_id=room_type_id)
        if room.condition != "out_of_order"
    ]


def _check_rooms_left(
    db: Database, room_type: RoomType, arrival: date, departure: date, but: str | None
) -> None:
    """Refuse a type that is full on some night, and name the first one."""
    for night, left in _left_by_night(db, room_type.room_type_id, arrival, departure, but):
        if left < 1:
            way = "; search_availability shows what is" if but is None else ""
            raise Rejected(
                "sold_out",
                f"No {room_type.name} is left for the night of {night}{way}.",
                room_type=room_type.name,
                day=night,
            )


def _room_is_free(
    db: Database, room_id: RoomId, arrival: date, departure: date, but: str | None
) -> bool:
    return not _is_kept_late(db, room_id, arrival, but) and not any(
        reservation.reservation_id != but and _covers(db, reservation, arrival, departure)
        for reservation in db.reservations.where(room_id=room_id)
    )


def _is_kept_late(db: Database, room_id: RoomId, day: date, but: str | None) -> bool:
    """Say whether the guest in a room, unless it is a certain one, keeps it past noon on a day."""
    return any(
        stay.reservation_id != but
        and stay.late_checkout_hours > 0
        and db.reservations.get(stay.reservation_id).departure == day
        for stay in db.stays.where(room_id=room_id, status="in_house")
    )


def _urgent_ticket(db: Database, room_id: RoomId) -> MaintenanceTicket | None:
    """Return an urgent fault of a room that is not repaired; None if it has none."""
    tickets = db.maintenance_tickets.where(room_id=room_id, priority="urgent")
    unfinished = [ticket for ticket in tickets if ticket.closed_at is None]
    return unfinished[0] if unfinished else None


def _numbered_room(db: Database, hotel_id: HotelId, number: str) -> Room:
    db.hotels.get(hotel_id)
    rooms = db.rooms.where(hotel_id=hotel_id, number=number.strip())
    if not rooms:
        raise Rejected(
            "unknown_room",
            f'Hotel {hotel_id} has no room "{number[:20]}"; list_rooms shows its rooms.',
            number=number[:20],
        )
    return rooms[0]


def _room_number(db: Database, room_id: RoomId | None) -> str | None:
    return None if room_id is None else db.rooms.get(room_id).number


def list_room_types(
    db: Database, hotel_id: HotelId, cursor: str | None = None, limit: int = 50
) -> Page[RoomType]:
    """List the room types of a hotel.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The hotel is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    return page(db.room_types.where(hotel_id=hotel_id), cursor, limit)


def _room_line(db: Database, room: Room) -> RoomLine:
    return RoomLine(
        room_id=room.room_id,
        number=room.number,
        room_type_id=room.room_type_id,
        room_type=db.room_types.get(room.room_type_id).name,
        floor=room.floor,
        accessible=room.accessible,
        condition=room.condition,
    )


def list_rooms(
    db: Database,
    hotel_id: HotelId,
    condition: RoomCondition | None = None,
    room_type_id: RoomTypeId | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[RoomLine]:
    """List the rooms of a hotel, floor by floor.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        condition: Only rooms in this condition.
        room_type_id: Only rooms of this type, such as "RTY-00003".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The hotel or room type is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    if room_type_id is not None:
        db.room_types.get(room_type_id)
    rooms = [
        room
        for room in db.rooms.where(hotel_id=hotel_id)
        if (condition is None or room.condition == condition)
        and (room_type_id is None or room.room_type_id == room_type_id)
    ]
    ordered = sorted(rooms, key=lambda room: (room.floor, room.room_id))
    return page([_room_line(db, room) for room in ordered], cursor, limit)


def find_room(db: Database, hotel_id: HotelId, number: str) -> Room:
    """Find a room by the number on its door.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        number: The number on the door, such as "204".

    Raises:
        Rejected: The hotel is unknown or has no such room.
    """
    return _numbered_room(db, hotel_id, number)


def list_free_rooms(
    db: Database,
    room_type_id: RoomTypeId,
    arrival: date,
    departure: date,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Room]:
    """List the rooms of a type that are set aside for nobody in some nights.

    Rooms out of order or with an urgent fault, and rooms kept past noon on the day of arrival, are
    left out; dirty ones and ones still occupied today are not.

    Args:
        room_type_id: The room type, such as "RTY-00003".
        arrival: The first night.
        departure: The day of leaving.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The room type is unknown.
        Rejected: The dates are past, too far away, out of order or too long a stay.
        Rejected: The cursor or limit is bad.
    """
    db.room_types.get(room_type_id)
    _check_dates(db, arrival, departure)
    rooms = [
        room
        for room in _usable_rooms(db, room_type_id)
        if _room_is_free(db, room.room_id, arrival, departure, None)
        and _urgent_ticket(db, room.room_id) is None
    ]
    return page(rooms, cursor, limit)
