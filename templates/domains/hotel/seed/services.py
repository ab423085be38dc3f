"""Services, requests and complaints."""

REQUESTS: list[tuple[RequestKind, str]] = [
    ("extra_towels", "Two more bath towels, please."),
    ("baby_cot", "A cot for our baby."),
    ("wake_up_call", "Please wake us at half past five."),
    ("pillow", "A flat pillow without feathers."),
    ("luggage", "Please fetch three suitcases from the room."),
    ("dietary", "Gluten-free bread at breakfast."),
    ("extra_bed", "A third bed for our son."),
    ("decoration", "Flowers in the room for a birthday."),
]
COMPLAINTS: list[tuple[ComplaintCategory, str, str]] = [
    (
        "noise",
        "Music from the bar until two in the morning.",
        "Apologised and closed the bar early.",
    ),
    ("cleanliness", "Hair in the shower on arrival.", "Had the bathroom cleaned again at once."),
    ("room_fault", "No hot water for a whole morning.", "Had the boiler repaired."),
    ("staff", "Nobody answered the phone at the front desk.", "Spoke with the night shift."),
    ("billing", "A minibar item that was never taken.", "Explained the line and apologised."),
    ("food", "Cold eggs at breakfast, twice.", "Spoke with the kitchen."),
]
SEVERITIES: list[Severity] = ["minor", "serious", "minor", "severe"]


def seed_services(db: Database, fake: Fake, count: int) -> None:
    """Make service bookings: some given and charged, some to come, some called off."""
    hotels = db.hotels.all()
    services = {hotel.hotel_id: db.services.where(hotel_id=hotel.hotel_id) for hotel in hotels}
    current = [
        reservation
        for reservation in db.reservations.all()
        if reservation.status in ("confirmed", "checked_in") and reservation.departure > db.today()
    ]
    taken: dict[tuple[str, datetime], int] = {}
    had: set[tuple[str, str]] = set()
    for n in range(count if current else 0):
        reservation = current[n % len(current)]
        service = services[reservation.hotel_id][(n // 3 + n // len(current)) % 6]
        given = reservation.status == "checked_in" and reservation.arrival < db.today()
        given = given and n % 3 < 2
        day = fake.day(max(reservation.arrival, db.today()), reservation.departure)
        first, last = service.first_hour, service.last_hour
        if given:
            day = fake.day(reservation.arrival, db.today() - timedelta(days=1))
            first = max(first, 16) if day == reservation.arrival else first
        elif reservation.arrival < db.today() and n % 7 in (3, 5):
            day = db.today()  # begun this morning, to be completed
            last = min(last, db.now().hour - 1)
        elif day == db.today():
            first = max(first, db.now().hour + 1)
        if first > last or (reservation.reservation_id, service.service_id) in had:
            continue
        had.add((reservation.reservation_id, service.service_id))
        starts_at = _at(db, day, fake.integer(first, last), 0)
        persons = reservation.adults if n % 4 else 1
        if taken.get((service.service_id, starts_at), 0) + persons > service.places:
            continue
        status: BookingStatus = "completed" if given else "cancelled" if n % 9 == 4 else "booked"
        if status == "booked":
            key = (service.service_id, starts_at)
            taken[key] = taken.get(key, 0) + persons
        booking = db.service_bookings.add(
            reservation_id=reservation.reservation_id,
            service_id=service.service_id,
            starts_at=starts_at,
            persons=persons,
            price=money(service.price * persons),
            status=status,
            note="One of us is allergic to nuts." if n % 10 == 2 else None,
        )
        if given:
            folio = db.folios.where(reservation_id=reservation.reservation_id)[0]
            charged = money(folio.charged + booking.price)
            db.folios.update(folio.folio_id, charged=charged, due=money(charged - folio.paid))
            db.charges.add(
                folio_id=folio.folio_id,
                kind=service.kind,
                description=f"{service.name}, {day}",
                quantity=persons,
                unit_price=service.price,
                amount=booking.price,
                posted_at=starts_at,
                booking_id=booking.booking_id,
                voided=False,
            )


def seed_requests(db: Database, fake: Fake, count: int) -> None:
    """Make guests' requests, for stays that run, are to come or are over."""
    staff = {
        hotel.hotel_id: db.employees.where(hotel_id=hotel.hotel_id, on_shift=True)
        for hotel in db.hotels.all()
    }
    reservations = [
        reservation
        for reservation in db.reservations.all()
        if reservation.status in ("confirmed", "checked_in", "checked_out")
        and reservation.departure >= db.today() - timedelta(days=30)
    ]
    statuses: list[WorkStatus] = ["open", "in_progress", "open", "done", "cancelled"]
    for n in range(count if reservations else 0):
        reservation = reservations[n * 4 % len(reservations)]
        kind, details = REQUESTS[(n + n // 8) % len(REQUESTS)]
        if kind == "extra_bed" and db.room_types.get(reservation.room_type_id).capacity < 3:
            kind, details = "pillow", "A second pillow, please."
        status = statuses[n % 5]
        if reservation.status == "checked_out":
            status = "done" if n % 5 else "cancelled"
        if reservation.arrival > db.today() and status in ("done", "in_progress"):
            status = "open"
        people = staff[reservation.hotel_id]
        if not people and status in ("done", "in_progress"):
            status = "cancelled"
        wanted_on = reservation.arrival
        if reservation.status == "checked_in" and status in ("open", "in_progress"):
            wanted_on = db.today()
        made_at = _at(db, min(wanted_on, db.today()), 7, n % 60)
        made_at = max(made_at - timedelta(days=2), reservation.booked_at + timedelta(minutes=9))
        busy = status in ("done", "in_progress")
        db.guest_requests.add(
            reservation_id=reservation.reservation_id,
            hotel_id=reservation.hotel_id,
            kind=kind,
            details=details,
            wanted_on=wanted_on,
            status=status,
            made_at=made_at,
            employee_id=people[n % len(people)].employee_id if busy else None,
        )


def seed_complaints(db: Database, fake: Fake, count: int) -> None:
    """Make complaints of guests who stay or stayed; most of the older ones are resolved."""
    reservations = [
        reservation
        for reservation in db.reservations.all()
        if reservation.status in ("checked_in", "checked_out") and reservation.arrival < db.today()
    ]
    for n in range(count if reservations else 0):
        reservation = reservations[n * 8 % len(reservations)]
        category, details, how = COMPLAINTS[(n + n // 6) % len(COMPLAINTS)]
        severity = SEVERITIES[n % len(SEVERITIES)]
        made_at = _at(db, reservation.arrival + timedelta(days=1), 7, n % 60)
        resolved = reservation.status == "checked_out" and n % 5 > 0 or n % 7 == 2
        points = [0, 500, 0, 1000][n % 4] if resolved else 0
        resolved_at = made_at + timedelta(hours=2 + n % 3) if resolved else None
        db.complaints.add(
            reservation_id=reservation.reservation_id,
            hotel_id=reservation.hotel_id,
            category=category,
            severity=severity,
            details=details,
            status="resolved" if resolved else "open",
            made_at=made_at,
            resolved_at=resolved_at,
            resolution=how if resolved else None,
            points=points,
        )
        if resolved_at is not None and points > 0:
            guest = db.guests.get(reservation.guest_id)
            db.guests.update(guest.guest_id, points=guest.points + points)
            db.points_entries.add(
                guest_id=guest.guest_id,
                reservation_id=reservation.reservation_id,
                change=points,
                reason="compensation",
                made_at=resolved_at,
            )
    _take_lines_off(db)
    _move_to_better_rooms(db)


def _take_lines_off(db: Database) -> None:
    """Have a line taken off each bill of which something went back, so that too much was paid."""
    for refund in db.refunds.all():
        payment = db.payments.get(refund.payment_id)
        reservation = db.reservations.get(db.folios.get(payment.folio_id).reservation_id)
        taken_off = [
            charge.amount for charge in db.charges.where(folio_id=payment.folio_id) if charge.voided
        ]
        if refund.reason != "cancellation" and refund.amount not in taken_off:
            came = reservation.status in ("checked_in", "checked_out")
            _void_line(db, payment.folio_id, payment.paid_at, came, refund.amount)


def _move_to_better_rooms(db: Database) -> None:
    """Have a guest of one house live in a better room than booked, as after a fault in theirs."""
    for hotel in db.hotels.all()[:1]:
        moved = [
            (reservation, room)
            for reservation in db.reservations.where(hotel_id=hotel.hotel_id, status="checked_in")
            if reservation.departure - db.today() > timedelta(days=1)
            for room in db.rooms.where(hotel_id=hotel.hotel_id)
            if _is_better_and_free(db, reservation, room)
        ][:1]
        for reservation, room in moved:
            db.reservations.update(
                reservation.reservation_id, room_id=room.room_id, room_type_id=room.room_type_id
            )
            for stay in db.stays.where(reservation_id=reservation.reservation_id):
                for task in db.housekeeping_tasks.where(
                    room_id=stay.room_id, kind="stayover_clean", due_on=db.today()
                ):
                    db.housekeeping_tasks.update(task.task_id, kind="departure_clean")
                db.stays.update(stay.stay_id, room_id=room.room_id)


def _is_better_and_free(db: Database, reservation: Reservation, room: Room) -> bool:
    """Say whether a room is of a dearer type that sleeps a party, and is free while they stay."""
    booked = db.room_types.get(reservation.room_type_id)
    better = db.room_types.get(room.room_type_id)
    promised = [one for one in db.reservations.where(room_id=room.room_id) if _takes_a_room(one)]
    return (
        better.base_rate > booked.base_rate
        and better.capacity >= reservation.adults + reservation.children
        and room.condition == "clean"
        and all(one.arrival >= reservation.departure for one in promised)
        and all(_has_a_room_left(db, better, rate.night) for rate in reservation.nights)
    )


def _has_a_room_left(db: Database, room_type: RoomType, night: date) -> bool:
    booked = [
        one
        for one in db.reservations.where(room_type_id=room_type.room_type_id)
        if _takes_a_room(one) and one.arrival <= night < one.departure
    ]
    rooms = db.rooms.where(room_type_id=room_type.room_type_id)
    return len(booked) + 1 < len([room for room in rooms if room.condition != "out_of_order"])


def _takes_a_room(reservation: Reservation) -> bool:
    return reservation.status in ("confirmed", "checked_in")
