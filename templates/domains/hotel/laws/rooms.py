"""Rooms: cleaning, faults and work."""

WORK = ("housekeeping_tasks", "maintenance_tickets", "guest_requests")


def guests_get_clean_rooms(db: Database, past: Past, event: Event) -> bool:
    """Who checks in or moves gets a room that is clean (clause 5.2)."""
    return all(
        db.rooms.get(change.after.room_id).condition == "clean"
        for change in [*_new(event, "stays"), *_moved(event)]
    )


def blocked_rooms_are_set_aside_for_nobody(db: Database, room: Room) -> bool:
    """A room that is out of order is set aside for nobody (clause 8.1)."""
    return room.condition != "out_of_order" or not any(
        booking.arrival >= db.today()
        for booking in db.reservations.where(room_id=room.room_id, status="confirmed")
    )


def tasks_given_out_are_begun(db: Database, task: HousekeepingTask) -> bool:
    """A housekeeping task waits just as long as nobody has it (clause 8.4)."""
    return task.status == "cancelled" or (task.status == "open") == (task.employee_id is None)


def tickets_given_out_are_begun(db: Database, ticket: MaintenanceTicket) -> bool:
    """A maintenance ticket waits just as long as nobody has it (clause 8.4)."""
    return ticket.status == "cancelled" or (ticket.status == "open") == (ticket.employee_id is None)


def work_that_is_over_does_not_change(db: Database, past: Past, event: Event) -> bool:
    """Work that is done or called off is neither given out nor ended again (clause 8.4)."""
    changed = [change.before for table in WORK for change in _changed(event, table)]
    return all(work.status not in ("done", "cancelled") for work in changed)


def a_room_that_was_left_is_cleaned(db: Database, past: Past, event: Event) -> bool:
    """A room that a guest has left is cleaned before it is given out (clause 8.5)."""
    departed = [db.stays.where(reservation_id=reservation_id)[0] for reservation_id in _left(event)]
    left = [*departed, *[change.before for change in _moved(event)]]
    return all(db.rooms.get(stay.room_id).condition != "clean" for stay in left)


def dirty_rooms_wait_for_cleaning(db: Database, room: Room) -> bool:
    """A dirty room has a cleaning that is still to be done (clause 8.5)."""
    return room.condition != "dirty" or any(
        _would_clean(db, task) and task.status in ("open", "in_progress")
        for task in db.housekeeping_tasks.where(room_id=room.room_id)
    )


def a_fault_is_reported_once(db: Database, ticket: MaintenanceTicket) -> bool:
    """Of a room, one ticket about the same thing is not over (clause 8.9)."""
    others = db.maintenance_tickets.where(room_id=ticket.room_id, category=ticket.category)
    return len([other for other in others if other.closed_at is None]) <= 1


def housekeeping_is_planned_60_days_ahead(db: Database, past: Past, event: Event) -> bool:
    """Housekeeping is planned for a day from today on, within 60 days (clause 8.12)."""
    return all(
        0 <= (change.after.due_on - db.today()).days <= 60
        for change in _new(event, "housekeeping_tasks")
    )


def _would_clean(db: Database, task: HousekeepingTask) -> bool:
    """Return whether a task makes its room clean, as long as nobody comes or goes."""
    guests = db.stays.where(room_id=task.room_id, status="in_house")
    return task.kind == "deep_clean" or task.kind == (
        "stayover_clean" if guests else "departure_clean"
    )


def a_dirty_room_keeps_its_cleaning(db: Database, past: Past, event: Event) -> bool:
    """The only cleaning of a dirty room that is due by then is not called off (clause 8.5)."""
    called_off = [
        change.after
        for change in _changed(event, "housekeeping_tasks")
        if change.after.status == "cancelled"
        and _would_clean(db, change.after)
        and db.rooms.get(change.after.room_id).condition == "dirty"
    ]
    return all(
        any(
            _would_clean(db, other)
            and other.status in ("open", "in_progress")
            and other.due_on <= task.due_on
            for other in db.housekeeping_tasks.where(room_id=task.room_id)
        )
        for task in called_off
    )


def who_has_left_is_cleaned_up_after(db: Database, past: Past, event: Event) -> bool:
    """No room that is empty is made clean by a cleaning between nights (clause 8.5)."""
    made_clean = [
        change.after.room_id
        for change in _changed(event, "rooms")
        if change.before.condition == "dirty" and change.after.condition == "clean"
    ]
    return not any(
        change.after.kind == "stayover_clean"
        and change.after.room_id in made_clean
        and len(db.stays.where(room_id=change.after.room_id, status="in_house")) == 0
        for change in _changed(event, "housekeeping_tasks")
    )


def the_same_work_is_planned_once(db: Database, task: HousekeepingTask) -> bool:
    """What is planned already is not planned again for the same day (clause 8.12)."""
    alike = [
        other.task_id
        for other in db.housekeeping_tasks.where(room_id=task.room_id, kind=task.kind)
        if other.due_on == task.due_on and other.status in ("open", "in_progress")
    ]
    return len(alike) <= 1


def a_room_left_in_mid_stay_is_cleaned_soon(db: Database, past: Past, event: Event) -> bool:
    """The room of a guest who moves is cleaned today, at high priority at least (clause 8.5)."""
    return all(
        any(
            task.due_on == db.today()
            and task.priority in ("high", "urgent")
            and task.status in ("open", "in_progress")
            for task in db.housekeeping_tasks.where(
                room_id=change.before.room_id, kind="departure_clean"
            )
        )
        for change in _moved(event)
    )


def _dates(reservation: Reservation) -> tuple[date, date]:
    return reservation.arrival, reservation.departure


def nobody_gets_a_room_with_an_urgent_fault(db: Database, past: Past, event: Event) -> bool:
    """A room with an urgent fault is given to nobody, and set aside for nobody (clause 8.9)."""
    given = [change.after.room_id for change in [*_new(event, "stays"), *_moved(event)]]
    set_aside = [
        change.after.room_id
        for change in _altered(event)
        if change.after.room_id not in (None, change.before.room_id)
        or (change.after.room_id is not None and _dates(change.after) != _dates(change.before))
    ]
    return not any(_has_urgent_fault(db, db.rooms.get(one)) for one in [*given, *set_aside])


def nobody_is_sent_to_a_room_with_an_urgent_fault(db: Database, past: Past, event: Event) -> bool:
    """A room with an urgent fault is no reason to refuse a better one (clauses 5.3 and 8.9)."""
    if event.tool != "move_room" or event.code != "better_not_needed":
        return True
    stay, new = db.stays.get(event.argument("stay_id")), db.rooms.get(event.argument("room_id"))
    wanted = db.room_types.get(new.room_type_id)
    return any(
        room.condition == "clean"
        and db.room_types.get(room.room_type_id).base_rate <= wanted.base_rate
        and len(db.stays.where(room_id=room.room_id, status="in_house")) == 0
        and not _has_urgent_fault(db, room)
        for room in db.rooms.where(hotel_id=stay.hotel_id)
        if room.room_id != new.room_id
    )


def what_is_worse_than_noted_can_be_said(db: Database, past: Past, event: Event) -> bool:
    """A report is refused as known only if no more was said than was noted (clause 8.6)."""
    if event.tool != "report_fault" or event.code != "duplicate":
        return True
    known = db.maintenance_tickets.where(
        room_id=event.argument("room_id"), category=event.argument("category")
    )
    return event.argument("priority") != "urgent" or any(
        ticket.closed_at is None and ticket.priority == "urgent" for ticket in known
    )


def what_is_reported_is_noted(db: Database, past: Past, event: Event) -> bool:
    """A fault is noted in the words and as urgent as it is reported, the room blocked (8.6)."""
    reported = [
        change.after
        for change in event.changes
        if change.table == "maintenance_tickets" and event.tool == "report_fault"
    ]
    is_urgent, blocks = event.argument("priority") == "urgent", event.argument("blocks_room")
    return all(
        (ticket.priority == "urgent" or not is_urgent)
        and (not blocks or ticket.blocks_room)
        and (not blocks or db.rooms.get(ticket.room_id).condition == "out_of_order")
        and event.argument("description").strip() in ticket.description
        for ticket in reported
    )


def faults_are_described_in_a_thousand_characters(db: Database, ticket: MaintenanceTicket) -> bool:
    """However often a fault is reported, its description is as short as any text (clause 8.6)."""
    return len(ticket.description) <= 1000


def nothing_is_done_between_nights_of_who_left(db: Database, past: Past, event: Event) -> bool:
    """Nothing of today waits in a room for the guest who has left it, or moved (clause 8.5)."""
    departed = [db.stays.where(reservation_id=reservation_id)[0] for reservation_id in _left(event)]
    left = [*departed, *[change.before for change in _moved(event)]]
    return not any(
        task.kind in ("stayover_clean", "turndown")
        and task.status in ("open", "in_progress")
        and task.due_on <= db.today()
        for stay in left
        for task in db.housekeeping_tasks.where(room_id=stay.room_id)
    )


def rooms_are_seen_to_on_their_day(db: Database, past: Past, event: Event) -> bool:
    """What is planned in a room is not recorded as done before its day (clause 8.4)."""
    return all(
        change.after.due_on <= db.today()
        for change in _changed(event, "housekeeping_tasks")
        if change.before.status != change.after.status == "done"
    )


def a_fault_that_blocks_nothing_sends_nobody_away(db: Database, past: Past, event: Event) -> bool:
    """A fault that may not block its room is still reported without that (clause 8.1)."""
    return (
        event.tool != "report_fault"
        or event.argument("blocks_room") is True
        or (event.code not in ("room_occupied", "room_taken", "sold_out"))
    )


def who_did_not_come_is_listed_in_no_room(db: Database, past: Past, event: Event) -> bool:
    """The list of a room names nobody who did not come: they hold none (clause 4.12)."""
    if event.tool != "list_room_reservations" or not event.ok:
        return True
    return all(line.status != "confirmed" or line.arrival >= db.today() for line in event.result)
