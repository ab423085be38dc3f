"""Rooms set aside for guests to come, and checking in."""

MOST_KEY_CARDS = 6


def list_arrivals(
    db: Database, hotel_id: HotelId, day: date, cursor: str | None = None, limit: int = 50
) -> Page[ReservationLine]:
    """List the confirmed reservations of a day whose guests are still to arrive, or did not come.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        day: The day of arrival.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The hotel is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    found = db.reservations.where(hotel_id=hotel_id, arrival=day, status="confirmed")
    return _reservation_lines(db, found, cursor, limit)


def _check_type_booked(db: Database, room: Room, reservation: Reservation) -> None:
    if room.room_type_id != reservation.room_type_id:
        booked = db.room_types.get(reservation.room_type_id)
        raise Rejected(
            "other_room_type",
            f"Room {room.number} is not of the type booked, which is {booked.name}; "
            "list_free_rooms shows rooms of it.",
            room=room.number,
            booked=booked.name,
        )


def _check_usable(db: Database, room: Room) -> None:
    if room.condition == "out_of_order":
        raise Rejected(
            "out_of_order",
            f"Room {room.number} is out of order; list_free_rooms shows usable ones.",
            room=room.number,
        )
    ticket = _urgent_ticket(db, room.room_id)
    if ticket is not None:
        raise Rejected(
            "urgent_fault",
            f"Room {room.number} has an urgent fault, ticket {ticket.ticket_id}, and is given to "
            "nobody until it is repaired; list_free_rooms shows which are free.",
            room=room.number,
            ticket=ticket.ticket_id,
        )


def _check_not_taken(db: Database, room: Room, reservation: Reservation) -> None:
    first, last = reservation.arrival, reservation.departure
    if not _room_is_free(db, room.room_id, first, last, reservation.reservation_id):
        raise Rejected(
            "room_taken",
            f"Room {room.number} is set aside for another booking on those nights, or kept past "
            "noon of the first one; list_free_rooms shows which are free.",
            room=room.number,
        )


def assign_room(db: Database, reservation_id: ReservationId, room_id: RoomId) -> Reservation:
    """Set a room aside for a confirmed reservation, in place of any before.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".
        room_id: The room, such as "ROM-00017".

    Raises:
        Rejected: The reservation or room is unknown, or the reservation is not confirmed.
        Rejected: The day of arrival is over.
        Rejected: The room is of another type than booked, out of order or with an urgent fault.
        Rejected: The room is set aside for another booking on those nights, or kept late.
        Rejected: It is set aside for this reservation already.
    """
    reservation = _still_to_come(db, reservation_id)
    room = db.rooms.get(room_id)
    _check_type_booked(db, room, reservation)
    _check_usable(db, room)
    _check_not_taken(db, room, reservation)
    if room_id == reservation.room_id:
        raise Rejected(
            "nothing_to_change",
            f"Room {room.number} is set aside for reservation {reservation_id} already.",
            room=room.number,
        )
    return db.reservations.update(reservation_id, room_id=room_id)


def release_room(db: Database, reservation_id: ReservationId) -> Reservation:
    """Give up the room set aside for a confirmed reservation; the booking stands.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".

    Raises:
        Rejected: The reservation is unknown or not confirmed.
        Rejected: No room is set aside for it, or none any more as the guest did not come.
    """
    reservation = _confirmed(db, reservation_id)
    if _held_room(db, reservation) is None:
        raise Rejected(
            "no_room_set_aside",
            f"No room is set aside for reservation {reservation_id}; nothing to release.",
        )
    return db.reservations.update(reservation_id, room_id=None)


def _check_ready(db: Database, room: Room) -> None:
    if db.stays.where(room_id=room.room_id, status="in_house"):
        raise Rejected(
            "room_occupied",
            f"Room {room.number} is still occupied; choose another room.",
            room=room.number,
        )
    _check_usable(db, room)
    if room.condition == "dirty":
        raise Rejected(
            "not_clean",
            f"Room {room.number} is dirty; have it made ready or choose a clean room.",
            room=room.number,
        )


def _charge_nights(
    db: Database, reservation: Reservation, room: Room, nights: list[NightRate]
) -> None:
    folio_id = _folio(db, reservation.reservation_id).folio_id
    tax = db.hotels.get(reservation.hotel_id).city_tax
    for rate in nights:
        line = f"Room {room.number}, night of {rate.night}"
        _charge(db, folio_id, "room_night", line, 1, rate.amount, rate.night, None)
        line = f"City tax, night of {rate.night}"
        _charge(db, folio_id, "city_tax", line, reservation.adults, tax, rate.night, None)


def _check_deposit_paid(db: Database, reservation: Reservation) -> None:
    folio = _folio(db, reservation.reservation_id)
    # Of a booking that became cheaper, no more than its price is asked for.
    missing = min(reservation.deposit_due, reservation.total) + folio.charged - folio.paid
    if missing > 0:
        raise Rejected(
            "deposit_due",
            f"{missing} EUR of the deposit and of charges is not paid; take the payment first.",
            due=missing,
        )


def check_in(
    db: Database, reservation_id: ReservationId, room_id: RoomId | None = None, key_cards: int = 1
) -> Stay:
    """Check a guest in on the day of arrival; nights and city tax go on the folio.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".
        room_id: The room, such as "ROM-00017"; the one set aside unless given.
        key_cards: Key cards to hand out, 1 to 6; one unless given.

    Raises:
        Rejected: The reservation or room is unknown, or the reservation is not confirmed.
        Rejected: Today is not the day of arrival.
        Rejected: The guest is banned.
        Rejected: The number of key cards is not 1 to 6.
        Rejected: No room is set aside and none is given.
        Rejected: The room is of another type, occupied, not clean, or set aside for others.
        Rejected: The room has an urgent fault.
        Rejected: The deposit, or what was charged before, is not paid.
    """
    reservation = _confirmed(db, reservation_id)
    if db.guests.get(reservation.guest_id).banned:
        raise Rejected(
            "guest_banned", "The guest is banned from the group's hotels; its manager decides."
        )
    if reservation.arrival != db.today():
        raise Rejected(
            "not_arrival_day",
            f"Arrival is {reservation.arrival} but today is {db.today()}.",
            day=reservation.arrival,
        )
    if not 1 <= key_cards <= MOST_KEY_CARDS:
        raise Rejected(
            "key_card_limit", f"Hand out 1 to {MOST_KEY_CARDS} key cards.", limit=MOST_KEY_CARDS
        )
    chosen = reservation.room_id if room_id is None else room_id
    if chosen is None:
        raise Rejected(
            "no_room_set_aside",
            "No room is set aside; list_free_rooms shows rooms of the type booked.",
        )
    room = db.rooms.get(chosen)
    _check_type_booked(db, room, reservation)
    _check_ready(db, room)
    _check_not_taken(db, room, reservation)
    _check_deposit_paid(db, reservation)
    db.reservations.update(reservation_id, status="checked_in", room_id=chosen)
    _charge_nights(db, reservation, room, list(reservation.nights))
    return db.stays.add(
        reservation_id=reservation_id,
        hotel_id=reservation.hotel_id,
        room_id=chosen,
        booked_type_id=reservation.room_type_id,
        status="in_house",
        checked_in_at=db.now(),
        late_checkout_hours=0,
        key_cards=key_cards,
    )
