"""Sums, dates and changes that several laws look at."""

CAME = ("checked_in", "checked_out")
CALLED_OFF = ("cancelled", "no_show")
OVER = ("checked_out", "cancelled", "no_show")


def _terms(db: Database, booking: Reservation) -> RatePlan:
    return db.rate_plans.get(booking.rate_plan_id)


def _can_go_free(db: Database, booking: Reservation) -> bool:
    """Return whether a reservation could still be cancelled free of charge today."""
    days = _terms(db, booking).free_cancel_days
    return days is not None and db.today() <= booking.arrival - timedelta(days=days)


def _booking_of(db: Database, folio_id: FolioId) -> Reservation:
    return db.reservations.get(db.folios.get(folio_id).reservation_id)


def _new(event: Event, table: str) -> list[Written]:
    """Return what a call added to a table."""
    return [change for change in event.changes if change.table == table and change.before is None]


def _changed(event: Event, table: str) -> list[Written]:
    """Return what a call changed of a table's rows that were there, and still are."""
    return [
        change
        for change in event.changes
        if change.table == table and change.before is not None and change.after is not None
    ]


def _altered(event: Event) -> list[Written]:
    """Return the bookings that a call changes and that are still to come."""
    changed = _changed(event, "reservations")
    return [one for one in changed if one.before.status == one.after.status == "confirmed"]


def _arrived(event: Event) -> list[ReservationId]:
    """Return the bookings of those who check in."""
    return [change.after.reservation_id for change in _new(event, "stays")]


def _left(event: Event) -> list[ReservationId]:
    """Return the bookings of those who check out."""
    stays = _changed(event, "stays")
    return [one.after.reservation_id for one in stays if one.before.status != one.after.status]


def _moved(event: Event) -> list[Written]:
    """Return the stays of those who move to another room."""
    stays = _changed(event, "stays")
    return [change for change in stays if change.before.room_id != change.after.room_id]


def _may_leave_today(db: Database, booking: Reservation) -> bool:
    """Return whether a guest in the house may check out without making the stay shorter first."""
    plan = db.rate_plans.get(booking.rate_plan_id)
    shortest = booking.arrival + timedelta(days=plan.min_nights)
    is_bound = plan.free_cancel_days is None or shortest > db.today()
    return booking.status == "checked_in" and (is_bound or booking.departure <= db.today())


def _takes_a_room(db: Database, booking: Reservation) -> bool:
    """Return whether a guest is in the house or still to come, and was not missed."""
    is_to_come = booking.status == "confirmed" and booking.arrival >= db.today()
    return booking.status == "checked_in" or is_to_come


def _rooms_left(
    db: Database, room_type_id: RoomTypeId, nights: list[date], but: ReservationId | None
) -> int:
    """Return how many rooms of a type bookings other than a certain one leave on all nights."""
    taken = [
        other
        for other in db.reservations.where(room_type_id=room_type_id)
        if _takes_a_room(db, other) and other.reservation_id != but
    ]
    fullest = max(
        len([other for other in taken if other.arrival <= night < other.departure])
        for night in nights
    )
    rooms = db.rooms.where(room_type_id=room_type_id)
    return max(0, len([room for room in rooms if room.condition != "out_of_order"]) - fullest)


def _has_urgent_fault(db: Database, room: Room) -> bool:
    """Return whether a room has an urgent fault that is not repaired."""
    return any(
        ticket.priority == "urgent" and ticket.closed_at is None
        for ticket in db.maintenance_tickets.where(room_id=room.room_id)
    )
