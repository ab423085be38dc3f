"""Reservations and stays."""

WISHES = [
    "We arrive by the late train, around eleven in the evening.",
    "It is our wedding anniversary.",
    "A room close to our friends', if possible.",
    "Please keep a parking space for a tall van.",
    "One of us is vegan.",
    "A kettle in the room would be lovely.",
]
CANCEL_REASONS: list[CancelReason] = [
    "change_of_plans",
    "illness",
    "found_alternative",
    "travel_disruption",
    "booked_by_mistake",
    "other",
]
CHANNELS: list[Channel] = ["website", "phone", "website", "agency", "front_desk"]
POINTS_EARNED = {"classic": 5, "silver": 6, "gold": 8, "platinum": 10}
WINDOW = 18


def _night_price(room_type: RoomType, plan: RatePlan, night: date) -> Money:
    price = room_type.base_rate * plan.base_percent / 100
    if night.weekday() in (4, 5):
        price = price * Decimal("1.15")
    if night.month in (6, 7, 8, 9):
        price = price * Decimal("1.20")
    return price


def _window(turn: int) -> int:
    if turn > 40:
        return 20 - turn
    return (turn + 1) // 2 * (1 if turn % 2 == 0 else -1)


def _scene(n: int, window: int) -> str:
    if window < 0:
        pick = (n * 7 + window * 3) % 20
        return "no_show" if pick == 0 else "cancelled" if pick in (5, 11) else "checked_out"
    if window > 0:
        return "cancelled" if (n * 7 + window * 3) % 20 in (2, 9, 14) else "confirmed"
    return [
        "living",
        "leaving",
        "living",
        "arriving",
        "living",
        "arrived",
        "left",
        "living",
        "arriving",
        "late",
        "living",
        "leaving",
    ][(n * 5 + n // 12) % 12]


def _first_night(db: Database, fake: Fake, scene: str, window: int) -> date:
    if scene == "arriving":
        return db.today()
    if window > 0:
        return db.today() + timedelta(days=7 + WINDOW * (window - 1) + fake.integer(0, 10))
    if window < 0:
        return db.today() - timedelta(days=7 - WINDOW * window - fake.integer(0, 10))
    days_ago = {"arrived": 0, "late": 1, "living": fake.integer(1, 3)}
    return db.today() - timedelta(days=days_ago.get(scene, fake.integer(2, 5)))


def _last_day(db: Database, fake: Fake, scene: str, arrival: date) -> date:
    if scene in ("leaving", "left"):
        return db.today()
    if scene in ("living", "arrived", "late"):
        return db.today() + timedelta(days=fake.integer(1, 3))
    return arrival + timedelta(days=fake.weighted({1: 2, 2: 4, 3: 4, 4: 2, 5: 1, 6: 1}))


def _party(capacity: int, n: int) -> tuple[int, int]:
    if capacity == 1 or n % 5 == 2:
        return 1, 0
    if capacity == 2:
        return 2, 0
    children = 1 + n % (capacity - 2)
    return (2, children) if n % 4 else (3, 0)


def _companions(fake: Fake, last_name: str, adults: int, children: int, n: int) -> list[Companion]:
    if n % 3 > 0:
        return []
    grown = [
        Companion(name=f"{fake.first_name()} {last_name}", child=False) for _ in range(adults - 1)
    ]
    small = [
        Companion(name=f"{fake.first_name()} {last_name}", child=True) for _ in range(children)
    ]
    return grown + small


def _book(
    db: Database,
    fake: Fake,
    guest: Guest,
    room: Room,
    plan: RatePlan,
    n: int,
    scene: str,
    arrival: date,
    departure: date,
) -> Reservation:
    status: ReservationStatus = "checked_in"
    if scene in ("confirmed", "arriving", "late"):
        status = "confirmed"
    elif scene in ("left", "checked_out"):
        status = "checked_out"
    elif scene == "cancelled":
        status = "cancelled"
    elif scene == "no_show":
        status = "no_show"
    room_type = db.room_types.get(room.room_type_id)
    adults, children = _party(room_type.capacity, n)
    board = plan.board_price * adults + plan.board_price * children / 2
    days = [arrival + timedelta(days=k) for k in range((departure - arrival).days)]
    nights = [
        NightRate(night=day, amount=money(_night_price(room_type, plan, day) + board))
        for day in days
    ]
    total = sum((rate.amount for rate in nights), Decimal(0))
    booked_on = min(arrival, db.today()) - timedelta(days=fake.integer(4, 75))
    cancelled_at = None
    if status == "cancelled":
        lead = (min(arrival, db.today()) - booked_on).days
        wait = lead - 1 if n % 2 else fake.integer(1, lead - 1)
        cancelled_at = _at(db, booked_on + timedelta(days=wait), 11, n % 60)
    # A room whose guest leaves late is promised to nobody who arrives on that day.
    late = arrival == db.today() and any(
        stay.late_checkout_hours > 0
        for stay in db.stays.where(room_id=room.room_id, status="in_house")
    )
    promised = scene == "arriving" and n % 4 > 0 or status == "confirmed" and n % 3 == 0
    kept = status in ("checked_in", "checked_out") or promised and not late
    return db.reservations.add(
        guest_id=guest.guest_id,
        hotel_id=room.hotel_id,
        room_type_id=room.room_type_id,
        rate_plan_id=plan.rate_plan_id,
        room_id=room.room_id if kept else None,
        arrival=arrival,
        departure=departure,
        adults=adults,
        children=children,
        companions=_companions(fake, guest.last_name, adults, children, n),
        nights=nights,
        total=total,
        deposit_due=money(total * plan.deposit_percent / 100),
        status=status,
        channel=CHANNELS[n % len(CHANNELS)],
        booked_at=_at(db, booked_on, 8 + n % 12, n * 7 % 60),
        cancelled_at=cancelled_at,
        cancel_reason=CANCEL_REASONS[n % len(CANCEL_REASONS)] if cancelled_at else None,
        wishes=WISHES[n // 5 % len(WISHES)] if n % 5 == 3 else None,
    )


def _stay(db: Database, reservation: Reservation, n: int) -> None:
    if reservation.room_id is None or reservation.status not in ("checked_in", "checked_out"):
        return
    out = reservation.status == "checked_out"
    came = 13 if reservation.arrival == db.today() else 15
    db.stays.add(
        reservation_id=reservation.reservation_id,
        hotel_id=reservation.hotel_id,
        room_id=reservation.room_id,
        booked_type_id=reservation.room_type_id,
        status="departed" if out else "in_house",
        checked_in_at=_at(db, reservation.arrival, came, n % 60),
        checked_out_at=_left_at(db, reservation, n) if out else None,
        late_checkout_hours=2 if _leaves_late(db, reservation, n) else 0,
        key_cards=min(reservation.adults, 2) if n % 8 else 1,
    )


def _stay_points(db: Database, reservation: Reservation, tier: LoyaltyTier, n: int) -> int:
    folio = db.folios.where(reservation_id=reservation.reservation_id)[0]
    discounts = db.charges.where(folio_id=folio.folio_id, kind="discount")
    cost = reservation.total + sum((one.amount for one in discounts), Decimal(0))
    points = int(cost * POINTS_EARNED[tier])
    db.points_entries.add(
        guest_id=reservation.guest_id,
        reservation_id=reservation.reservation_id,
        change=points,
        reason="stay",
        made_at=_left_at(db, reservation, n),
    )
    return points


def seed_reservations(db: Database, fake: Fake, count: int) -> None:
    """Make reservations room by room, none of them overlapping, with all that hangs on them.

    Each room has windows of eighteen days around today: who is in it now, who was before and
    who comes next. Stays, folios, charges, payments, refunds and points follow the status.
    """
    rooms, guests = db.rooms.all(), db.guests.all()
    welcome = [guest for guest in guests if not guest.banned]
    stride = 7 if len(welcome) % 7 else 11
    numbers = {room.room_id: room.number for room in rooms}
    plans = {
        hotel.hotel_id: db.rate_plans.where(hotel_id=hotel.hotel_id) for hotel in db.hotels.all()
    }
    points: dict[str, int] = {}
    nights: dict[str, int] = {}
    for n in range(count):
        room, window = rooms[n % len(rooms)], _window(n // len(rooms))
        pool = guests if window < 0 else welcome
        guest = pool[(n % len(rooms) * stride + window * 29) % len(pool)]
        scene = _scene(n, window)
        if window == 1 and scene == "confirmed" and n % 3 == 0:
            # Some rooms are promised to somebody on the very day their guest leaves.
            scene = "arriving" if _scene(n % len(rooms), 0) == "leaving" else scene
        arrival = _first_night(db, fake, scene, window)
        departure = _last_day(db, fake, scene, arrival)
        length = (departure - arrival).days
        usual = [
            plan
            for plan in plans[room.hotel_id]
            if plan.min_nights <= length and (plan.on_sale or arrival.month < 4)
        ]
        plan = usual[(n * 3 + n // 7) % len(usual)]
        reservation = _book(db, fake, guest, room, plan, n, scene, arrival, departure)
        change = _account(db, reservation, plan, numbers[room.room_id], scene, n)
        _stay(db, reservation, n)
        if reservation.status == "checked_out":
            change = change + _stay_points(db, reservation, guest.tier, n)
            nights[guest.guest_id] = nights.get(guest.guest_id, 0) + length
        points[guest.guest_id] = points.get(guest.guest_id, 0) + change
    for guest in guests:
        stayed = guest.nights_stayed + nights.get(guest.guest_id, 0)
        db.guests.update(
            guest.guest_id,
            points=guest.points + points.get(guest.guest_id, 0),
            nights_stayed=stayed,
            tier=_tier(stayed),
        )
    _charge_no_late_hours_that_are_free(db)


def _charge_no_late_hours_that_are_free(db: Database) -> None:
    """Have gold and platinum guests pay for something else than hours that cost them nothing."""
    for charge in db.charges.where(kind="late_checkout"):
        reservation = db.reservations.get(db.folios.get(charge.folio_id).reservation_id)
        if db.guests.get(reservation.guest_id).tier in ("gold", "platinum"):
            line = "Picnic for the journey"
            db.charges.update(charge.charge_id, kind="restaurant", description=line)
