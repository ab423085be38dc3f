"""Maintenance and housekeeping."""

FAULTS: list[tuple[FaultCategory, str, str]] = [
    ("plumbing", "The shower drain is blocked.", "Cleared the drain and tested it."),
    ("electrical", "The bedside lamp sparks.", "Replaced the socket and the lamp."),
    ("heating", "The air conditioning blows warm air.", "Refilled the coolant."),
    ("furniture", "The wardrobe door came off its hinge.", "Fitted new hinges."),
    ("electronics", "The television shows no channels.", "Reset and tuned the television."),
    ("lock", "The door lock does not read key cards.", "Changed the battery of the lock."),
]


def _can_be_spared(db: Database, room: Room) -> bool:
    """Say whether a usable room's type has more usable rooms than any night needs, and over two."""
    usable = [
        other
        for other in db.rooms.where(room_type_id=room.room_type_id)
        if other.condition != "out_of_order"
    ]
    booked: dict[date, int] = {}
    for reservation in db.reservations.where(room_type_id=room.room_type_id):
        if reservation.status in ("confirmed", "checked_in"):
            for rate in reservation.nights:
                booked[rate.night] = booked.get(rate.night, 0) + 1
    usable_now = db.rooms.get(room.room_id).condition != "out_of_order"
    return usable_now and max([2, *booked.values()]) < len(usable)


def _after_the_guests(
    db: Database, room: Room, opened_at: datetime, until: datetime, blocks: bool
) -> datetime:
    """Return when a fault was found: after the room was last given out, or left if it blocks it."""
    stays = db.stays.where(room_id=room.room_id)
    left = [stay.checked_out_at for stay in stays if stay.checked_out_at is not None]
    given = [stay.checked_in_at for stay in stays if opened_at <= stay.checked_in_at <= until]
    return max([opened_at, *[at + timedelta(hours=1) for at in (left if blocks else given)]])


def seed_maintenance(db: Database, fake: Fake, count: int) -> None:
    """Make tickets; a few block rooms that nobody needs."""
    rooms = db.rooms.all()
    held = {
        reservation.room_id
        for reservation in db.reservations.all()
        if reservation.status in ("confirmed", "checked_in")
    }
    idle = [room for room in rooms if room.room_id not in held]
    crew = {
        hotel.hotel_id: db.employees.where(hotel_id=hotel.hotel_id, role="technician")
        for hotel in db.hotels.all()
    }
    statuses: list[WorkStatus] = ["open", "done", "in_progress", "done", "cancelled", "done"]
    priorities: list[Priority] = ["normal", "high", "low", "urgent"]
    for n in range(count):
        status = statuses[n % 6]
        nearest = [*idle[n // 2 :], *reversed(idle[: n // 2])]
        spare = [room for room in nearest if n % 12 in (0, 2) and _can_be_spared(db, room)]
        blocks = status in ("open", "in_progress") and len(spare) > 0
        room = spare[0] if blocks else rooms[(n * 29 + 3) % len(rooms)]
        category, seen, how = FAULTS[(n + n // 6) % len(FAULTS)]
        priority = "urgent" if category in ("electrical", "lock") else priorities[n % 4]
        technicians = crew[room.hotel_id]
        if status in ("in_progress", "done") and not technicians:
            continue
        over = status in ("done", "cancelled")
        opened_at = fake.moment(
            db.now() - timedelta(days=60 if over else 4),
            db.now() - timedelta(days=3 if over else 0, hours=1),
        )
        if blocks or priority == "urgent":
            until = opened_at + timedelta(hours=3 + n % 40) if over else db.now()
            opened_at = _after_the_guests(db, room, opened_at, until, blocks)
        if blocks:
            db.rooms.update(room.room_id, condition="out_of_order")
        db.maintenance_tickets.add(
            hotel_id=room.hotel_id,
            room_id=room.room_id,
            category=category,
            description=seen,
            priority=priority,
            blocks_room=blocks,
            status=status,
            opened_at=opened_at,
            employee_id=technicians[0].employee_id if status in ("in_progress", "done") else None,
            closed_at=opened_at + timedelta(hours=3 + n % 40) if over else None,
            resolution=(how if status == "done" else "No fault found.") if over else None,
        )


def _clean_today(db: Database, room: Room, employee_id: str | None, n: int) -> None:
    living = bool(db.stays.where(room_id=room.room_id, status="in_house"))
    ready = employee_id is not None and n % (3 if living else 4) == 0
    status: WorkStatus = (
        "done" if ready else "open" if employee_id is None or n % 3 else "in_progress"
    )
    if not ready:
        db.rooms.update(room.room_id, condition="dirty")
    awaited = db.reservations.where(room_id=room.room_id, arrival=db.today(), status="confirmed")
    db.housekeeping_tasks.add(
        hotel_id=room.hotel_id,
        room_id=room.room_id,
        kind="stayover_clean" if living else "departure_clean",
        status=status,
        priority="urgent" if awaited else "normal" if n % 5 else "high",
        due_on=db.today(),
        employee_id=None if status == "open" else employee_id,
        done_at=db.now() - timedelta(minutes=20 + n % 200) if status == "done" else None,
    )


def seed_housekeeping(db: Database, fake: Fake, count: int) -> None:
    """Make today's cleaning and other tasks; rooms not cleaned yet are dirty."""
    spared = {
        reservation.room_id
        for reservation in db.reservations.where(status="checked_in")
        if db.today() in (reservation.arrival, reservation.departure)
    }
    rooms = [
        room for room in db.rooms.all() if room.condition == "clean" and room.room_id not in spared
    ]
    crew = {
        hotel.hotel_id: db.employees.where(
            hotel_id=hotel.hotel_id, role="housekeeper", on_shift=True
        )
        for hotel in db.hotels.all()
    }
    kinds: list[CleaningKind] = ["turndown", "linen_change", "deep_clean", "stayover_clean"]
    for n in range(count if rooms else 0):
        room = rooms[n * 3 % len(rooms)] if len(rooms) % 3 else rooms[n % len(rooms)]
        staff = crew[room.hotel_id]
        employee_id = staff[n % len(staff)].employee_id if staff else None
        if n < len(rooms) * 2 // 3:
            _clean_today(db, room, employee_id, n)
            continue
        status: WorkStatus = "open" if n % 3 == 0 else "cancelled" if n % 7 == 1 else "done"
        if employee_id is None:
            status = "open"
        ago = fake.integer(1, 20)
        due_on = db.today() + timedelta(days=ago % 5 if status == "open" else -ago)
        db.housekeeping_tasks.add(
            hotel_id=room.hotel_id,
            room_id=room.room_id,
            kind=kinds[n % 4] if status != "open" else kinds[n % 2],
            status=status,
            priority="low" if n % 2 else "normal",
            due_on=due_on,
            employee_id=employee_id if status == "done" else None,
            done_at=_at(db, due_on, 12, n % 60) if status == "done" else None,
            note="Please use the unscented detergent." if n % 6 == 0 else None,
        )
    _clean_what_was_left_today(db)


def _clean_what_was_left_today(db: Database) -> None:
    """Have clean rooms that were left today cleaned after that, where nothing says so yet."""
    for stay in db.stays.where(status="departed"):
        tasks = db.housekeeping_tasks.where(room_id=stay.room_id)
        left_at, room = stay.checked_out_at, db.rooms.get(stay.room_id)
        if left_at is None or left_at.date() < db.today() or room.condition != "clean":
            continue
        if all(task.kind != "departure_clean" for task in tasks):
            staff = db.employees.where(hotel_id=room.hotel_id, role="housekeeper", on_shift=True)
            for task in tasks[:1]:
                db.housekeeping_tasks.update(
                    task.task_id,
                    kind="departure_clean",
                    status="done",
                    due_on=db.today(),
                    employee_id=task.employee_id or staff[0].employee_id,
                    done_at=left_at + timedelta(hours=1),
                )
