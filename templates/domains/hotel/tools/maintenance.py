"""Faults in rooms and their repair."""


def _ticket_line(db: Database, ticket: MaintenanceTicket) -> MaintenanceTicketLine:
    return MaintenanceTicketLine(
        ticket_id=ticket.ticket_id,
        room_id=ticket.room_id,
        room=db.rooms.get(ticket.room_id).number,
        category=ticket.category,
        description=ticket.description,
        priority=ticket.priority,
        blocks_room=ticket.blocks_room,
        status=ticket.status,
        opened_at=ticket.opened_at,
        employee_id=ticket.employee_id,
        employee=_employee_name(db, ticket.employee_id),
        closed_at=ticket.closed_at,
        resolution=ticket.resolution,
    )


def list_maintenance_tickets(
    db: Database,
    hotel_id: HotelId,
    status: WorkStatus | None = None,
    room_id: RoomId | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[MaintenanceTicketLine]:
    """List what was reported broken in a hotel, by number.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        status: Only tickets in this status.
        room_id: Only tickets about this room, such as "ROM-00017".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The hotel or room is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    if room_id is not None:
        db.rooms.get(room_id)
    tickets = [
        ticket
        for ticket in db.maintenance_tickets.where(hotel_id=hotel_id)
        if (status is None or ticket.status == status)
        and (room_id is None or ticket.room_id == room_id)
    ]
    return page([_ticket_line(db, ticket) for ticket in tickets], cursor, limit)


def _check_can_be_spared(db: Database, room: Room, way: str) -> None:
    """Refuse to block a room that bookings of its type need on some night to come."""
    usable = len(_usable_rooms(db, room.room_type_id))
    booked = [
        rate.night
        for reservation in db.reservations.where(room_type_id=room.room_type_id)
        if _takes_a_room(db, reservation)
        for rate in reservation.nights
        if rate.night >= db.today()
    ]
    for night in sorted(booked):
        if len([other for other in booked if other == night]) >= usable:
            raise Rejected(
                "sold_out",
                f"Room {room.number} is needed on {night}, when all rooms of its type are booked; "
                f"{way}.",
                room=room.number,
                day=night,
            )


def _is_worse(ticket: MaintenanceTicket, priority: Priority, blocks_room: bool) -> bool:
    """Say whether a fault is more urgent than a ticket says, or newly takes the room out of use."""
    newly_blocks = blocks_room and not ticket.blocks_room
    return newly_blocks or URGENCY.index(priority) > URGENCY.index(ticket.priority)


def _described(ticket: MaintenanceTicket, seen: str) -> str:
    """Return the description of a ticket with what else was seen."""
    known = ticket.description
    both = known if seen in known else f"{known} {seen}"
    if len(both) > LONGEST_TEXT:
        raise Rejected(
            "text_too_long",
            f"Ticket {ticket.ticket_id} is described with {len(known)} of at most {LONGEST_TEXT} "
            "characters; say what is new in fewer words, or in words that are there.",
            what="description",
            limit=LONGEST_TEXT,
        )
    return both


def _raise_ticket(
    db: Database, ticket: MaintenanceTicket, seen: str, priority: Priority, blocks_room: bool
) -> MaintenanceTicket:
    """Have a ticket say what was seen, and how urgent it is or that the room is not used."""
    more_urgent = max(ticket.priority, priority, key=lambda one: URGENCY.index(one))
    return db.maintenance_tickets.update(
        ticket.ticket_id,
        description=seen,
        priority=more_urgent,
        blocks_room=blocks_room or ticket.blocks_room,
    )


def _way_in_use(known: list[MaintenanceTicket], priority: Priority) -> str:
    """Say what can be noted of a fault whose room stays in use."""
    if any(not _is_worse(ticket, priority, False) for ticket in known):
        return f"it stays in use, and ticket {known[0].ticket_id} as it is"
    return "it stays in use, so report the fault without blocking the room"


def _check_can_be_blocked(db: Database, room: Room, way: str, priority: Priority) -> None:
    """Refuse to block a room with somebody in it, or set aside, or needed on some night."""
    if db.stays.where(room_id=room.room_id, status="in_house"):
        raise Rejected("room_occupied", f"Room {room.number} is occupied; {way}.", room=room.number)
    if room.condition != "out_of_order":
        _check_can_be_spared(db, room, way)
    set_aside = db.reservations.where(room_id=room.room_id, status="confirmed")
    for other in [one for one in set_aside if not _is_missed(db, one)]:
        if priority == "urgent":
            way = f"set another aside for them first, or, if none is free, {way}"
        raise Rejected(
            "room_taken",
            f"Room {room.number} is set aside for reservation {other.reservation_id}; {way}.",
            room=room.number,
        )


def report_fault(
    db: Database,
    room_id: RoomId,
    category: FaultCategory,
    description: str,
    priority: Priority = "normal",
    blocks_room: bool = False,
) -> MaintenanceTicket:
    """Report something broken in a room, and take the room out of use if need be.

    A ticket of that category that is not over is raised if the fault turns out to be more urgent,
    or to take the room out of use; what was seen is added to its description.

    Args:
        room_id: The room, such as "ROM-00017".
        category: What is broken.
        description: What was seen.
        priority: How soon it has to be repaired; normal unless given.
        blocks_room: Whether the room cannot be used meanwhile; it can unless given.

    Raises:
        Rejected: The room is unknown.
        Rejected: The description is empty or too long, with what is noted already or without.
        Rejected: A ticket of that category is open for the room, and says no less.
        Rejected: The room cannot be blocked: somebody is in it, it is set aside for somebody, or
            all rooms of its type are booked on a night to come.
    """
    room = db.rooms.get(room_id)
    seen = _text(description, "description")
    known = [
        ticket
        for ticket in db.maintenance_tickets.where(room_id=room_id, category=category)
        if ticket.closed_at is None
    ]
    for ticket in known:
        if not _is_worse(ticket, priority, blocks_room):
            raise Rejected(
                "duplicate",
                f"Ticket {ticket.ticket_id} is about that already, and as urgent.",
                ticket=ticket.ticket_id,
            )
        seen = _described(ticket, seen)
    if blocks_room:
        _check_can_be_blocked(db, room, _way_in_use(known, priority), priority)
        db.rooms.update(room_id, condition="out_of_order")
    for ticket in known:
        return _raise_ticket(db, ticket, seen, priority, blocks_room)
    return db.maintenance_tickets.add(
        hotel_id=room.hotel_id,
        room_id=room_id,
        category=category,
        description=seen,
        priority=priority,
        blocks_room=blocks_room,
        status="open",
        opened_at=db.now(),
    )


def assign_maintenance_ticket(
    db: Database, ticket_id: MaintenanceTicketId, employee_id: EmployeeId
) -> MaintenanceTicket:
    """Give a maintenance ticket to a technician, who starts on it.

    Args:
        ticket_id: The ticket, such as "MNT-00012".
        employee_id: A technician of the hotel, such as "EMP-00005".

    Raises:
        Rejected: The ticket or member of staff is unknown, or the ticket is over.
        Rejected: They are no technician of the hotel, or off shift.
        Rejected: They have the ticket already.
    """
    ticket = db.maintenance_tickets.get(ticket_id)
    if ticket.closed_at is not None:
        raise Rejected(
            "ticket_over",
            f"Ticket {ticket_id} is {ticket.status}; report the fault anew.",
            status=ticket.status,
        )
    employee = _employee(db, employee_id, ticket.hotel_id, "technician")
    if ticket.employee_id == employee_id:
        raise Rejected(
            "already_assigned",
            f"{employee.name} has ticket {ticket_id} already.",
            name=employee.name,
        )
    return db.maintenance_tickets.update(ticket_id, employee_id=employee_id, status="in_progress")


def close_maintenance_ticket(
    db: Database, ticket_id: MaintenanceTicketId, resolution: str, repaired: bool = True
) -> MaintenanceTicket:
    """End a maintenance ticket, repaired or dropped.

    When nothing blocks the room any more it goes to housekeeping for a deep clean.

    Args:
        ticket_id: The ticket, such as "MNT-00012".
        resolution: What was done, or why it was dropped.
        repaired: Whether the fault is repaired rather than dropped; repaired unless given.

    Raises:
        Rejected: The ticket is unknown or over.
        Rejected: It is repaired, but no technician was given it.
        Rejected: The resolution is empty or too long.
    """
    ticket = db.maintenance_tickets.get(ticket_id)
    if ticket.closed_at is not None:
        raise Rejected(
            "ticket_over", f"Ticket {ticket_id} is {ticket.status} already.", status=ticket.status
        )
    if repaired and ticket.employee_id is None:
        raise Rejected(
            "not_assigned", f"Nobody was given ticket {ticket_id}; assign it to a technician first."
        )
    how = _text(resolution, "resolution")
    blocked = any(
        other.blocks_room and other.closed_at is None and other.ticket_id != ticket_id
        for other in db.maintenance_tickets.where(room_id=ticket.room_id)
    )
    if ticket.blocks_room and not blocked:
        room = db.rooms.update(ticket.room_id, condition="dirty")
        _order_cleaning(db, room, "deep_clean", "normal")
    return db.maintenance_tickets.update(
        ticket_id,
        status="done" if repaired else "cancelled",
        closed_at=db.now(),
        resolution=how,
    )
