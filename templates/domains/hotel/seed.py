HOTELS = [
    ("LISBON", "Tejo Palace", "Rua do Alecrim 26", "Lisbon", "1200-018", "PT", "+351 21 555 01"),
    ("PORTO", "Ribeira House", "Rua das Flores 112", "Porto", "4050-265", "PT", "+351 22 555 02"),
    ("VALENCIA", "Casa Turia", "Carrer de Colom 41", "Valencia", "46004", "ES", "+34 96 555 03"),
    (
        "MARSEILLE",
        "Vieux Port Hotel",
        "Quai du Port 70",
        "Marseille",
        "13002",
        "FR",
        "+33 4 91 55 04",
    ),
    ("GENOA", "Albergo Lanterna", "Via Garibaldi 18", "Genoa", "16124", "IT", "+39 010 555 05"),
    ("SPLIT", "Riva Hotel", "Obala Lazareta 3", "Split", "21000", "HR", "+385 21 555 06"),
    ("ATHENS", "Plaka Rooms", "Adrianou 84", "Athens", "10556", "GR", "+30 21 0555 07"),
    ("PALERMO", "Palazzo Cala", "Via Cala 33", "Palermo", "90133", "IT", "+39 091 555 08"),
]
ROOM_TYPES: list[tuple[str, BedKind, int, int, int]] = [
    ("Classic Single", "single", 1, 14, 72),
    ("Comfort Twin", "twin", 2, 20, 96),
    ("Comfort Queen", "queen", 2, 22, 104),
    ("Deluxe King", "king", 3, 30, 142),
    ("Family Suite", "king", 5, 46, 205),
]
TYPE_PATTERN = (1, 2, 0, 3, 1, 2, 4, 2, 1, 0, 3, 2)
RATE_PLANS: list[tuple[str, Board, int, int, int, int, int | None, int]] = [
    ("Flexible Room Only", "room_only", 100, 0, 1, 0, 1, 50),
    ("Bed and Breakfast", "breakfast", 100, 18, 1, 20, 1, 50),
    ("Half Board", "half_board", 98, 46, 2, 30, 3, 60),
    ("Advance Saver", "room_only", 82, 0, 2, 100, None, 100),
    ("Full Board Week", "full_board", 95, 72, 3, 30, 7, 80),
    ("Winter Breakfast", "breakfast", 75, 15, 2, 50, 3, 60),
]
SERVICES: list[tuple[ServiceKind, str, int, int, int, int, int]] = [
    ("spa", "Aroma Massage", 85, 2, 60, 10, 19),
    ("spa", "Thermal Circuit", 38, 8, 90, 9, 20),
    ("restaurant", "Dinner at the Terrace", 54, 12, 120, 18, 21),
    ("restaurant", "Sunday Brunch", 36, 16, 120, 10, 13),
    ("transfer", "Airport Car", 32, 4, 45, 4, 23),
    ("tour", "Old Town Walk", 25, 10, 150, 9, 17),
]
ROLES: list[StaffRole] = [
    "receptionist",
    "housekeeper",
    "technician",
    "housekeeper",
    "concierge",
    "housekeeper",
    "receptionist",
    "technician",
    "housekeeper",
]
HOMES = [
    ("Boston", "02116", "US", "+1 617 555 0"),
    ("London", "SW1V 2QT", "GB", "+44 20 7946 0"),
    ("Chicago", "60614", "US", "+1 312 555 0"),
    ("Dublin", "D02 X285", "IE", "+353 20 910 0"),
    ("Toronto", "M5V 2T6", "CA", "+1 416 555 0"),
    ("Seattle", "98101", "US", "+1 206 555 0"),
    ("Manchester", "M1 4BT", "GB", "+44 161 496 0"),
    ("Sydney", "2000", "AU", "+61 2 5550 0"),
    ("Denver", "80202", "US", "+1 303 555 0"),
    ("Edinburgh", "EH1 1YZ", "GB", "+44 131 496 0"),
]
NIGHTS_BEFORE = (0, 3, 0, 8, 1, 12, 0, 5, 30, 2, 0, 17, 6, 0, 55, 4, 0, 9, 24, 48)
PREFERENCES = [
    "A quiet room away from the lift.",
    "A high floor with a view.",
    "Feather-free pillows, please.",
    "Late breakfast, and the newspaper at the door.",
    "A firm mattress.",
    "No carpets because of a dust allergy.",
]
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
TILL: list[TillMethod] = ["card", "card", "cash", "card", "bank_transfer"]
EXTRAS: list[tuple[ExtraKind, str, Decimal]] = [
    ("minibar", "Minibar: still water", Decimal("3.50")),
    ("restaurant", "Terrace lunch", Decimal("27.00")),
    ("minibar", "Minibar: salted almonds", Decimal("5.00")),
    ("parking", "Garage, one day", Decimal("18.00")),
    ("laundry", "Laundry: shirt", Decimal("4.80")),
    ("restaurant", "Bar: glass of wine", Decimal("8.50")),
    ("damage", "Broken glass", Decimal("12.00")),
]
FAULTS: list[tuple[FaultCategory, str, str]] = [
    ("plumbing", "The shower drain is blocked.", "Cleared the drain and tested it."),
    ("electrical", "The bedside lamp sparks.", "Replaced the socket and the lamp."),
    ("heating", "The air conditioning blows warm air.", "Refilled the coolant."),
    ("furniture", "The wardrobe door came off its hinge.", "Fitted new hinges."),
    ("electronics", "The television shows no channels.", "Reset and tuned the television."),
    ("lock", "The door lock does not read key cards.", "Changed the battery of the lock."),
]
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
POINTS_EARNED = {"classic": 5, "silver": 6, "gold": 8, "platinum": 10}
WINDOW = 18


def _at(db: Database, day: date, hour: int, minute: int) -> datetime:
    now = db.now()
    midnight = now - timedelta(hours=now.hour, minutes=now.minute, seconds=now.second)
    return midnight + timedelta(days=(day - db.today()).days, hours=hour, minutes=minute)


def _tier(nights: int) -> LoyaltyTier:
    if nights >= 50:
        return "platinum"
    if nights >= 25:
        return "gold"
    return "silver" if nights >= 10 else "classic"


def _night_price(room_type: RoomType, plan: RatePlan, night: date) -> Money:
    price = room_type.base_rate * plan.base_percent / 100
    if night.weekday() in (4, 5):
        price = price * Decimal("1.15")
    if night.month in (6, 7, 8, 9):
        price = price * Decimal("1.20")
    return price


def seed_hotels(db: Database, fake: Fake, count: int) -> None:
    """Make hotels with their room types, rate plans and services."""
    for n in range(count):
        code, name, street, city, postcode, country, phone = HOTELS[n % len(HOTELS)]
        house = n // len(HOTELS) + 1
        hotel = db.hotels.add(
            hotel_id=code if house == 1 else f"{code}{house}",
            name=name if house == 1 else f"{name} {house}",
            address=Address(street=street, city=city, postcode=postcode, country=country),
            phone=f"{phone}{n % 90 + 10}",
            stars=3 + n % 3,
            city_tax=[Decimal("2.00"), Decimal("2.50"), Decimal("1.80")][n % 3],
        )
        factor = Decimal(100 + n % 3 * 14)
        for title, beds, capacity, size, rate in ROOM_TYPES:
            doubled = title == "Comfort Queen" and n % 2
            db.room_types.add(
                hotel_id=hotel.hotel_id,
                name="Comfort Double" if doubled else title,
                beds="double" if doubled else beds,
                capacity=capacity,
                size=float(size + n % 4),
                base_rate=money(rate * factor / 100),
            )
        for title, board, percent, price, least, deposit, free_days, late in RATE_PLANS:
            db.rate_plans.add(
                hotel_id=hotel.hotel_id,
                name=title,
                board=board,
                base_percent=percent,
                board_price=money(price),
                min_nights=least,
                deposit_percent=deposit,
                free_cancel_days=free_days,
                late_cancel_percent=late,
                on_sale=title != "Winter Breakfast",
            )
        for kind, title, euros, places, minutes, first, last in SERVICES:
            db.services.add(
                hotel_id=hotel.hotel_id,
                kind=kind,
                name=title,
                price=money(euros + n % 3 * 2),
                places=places,
                minutes=minutes,
                first_hour=first,
                last_hour=last,
            )


def seed_rooms(db: Database, fake: Fake, count: int) -> None:
    """Make rooms, eight to a floor, dealt out to the hotels in turn."""
    hotels = db.hotels.all()
    types = [db.room_types.where(hotel_id=hotel.hotel_id) for hotel in hotels]
    for n in range(count):
        turn, k = n % len(hotels), n // len(hotels)
        floor = k // 8 + 1
        db.rooms.add(
            hotel_id=hotels[turn].hotel_id,
            room_type_id=types[turn][TYPE_PATTERN[k % 12]].room_type_id,
            number=f"{floor}{k % 8 + 1:02d}",
            floor=floor,
            accessible=k % 8 == 0,
            condition="clean",
        )


def seed_employees(db: Database, fake: Fake, count: int) -> None:
    """Make staff, dealt out to the hotels in turn; some are off shift."""
    hotels = db.hotels.all()
    for n in range(count):
        k = n // len(hotels)
        db.employees.add(
            hotel_id=hotels[n % len(hotels)].hotel_id,
            name=f"{fake.first_name()} {fake.last_name()}",
            role=ROLES[k % len(ROLES)],
            on_shift=k % len(ROLES) < 6,
        )


def seed_guests(db: Database, fake: Fake, count: int) -> None:
    """Make guests with the nights they stayed before and a gift of points."""
    for n in range(1, count + 1):
        first, last = fake.first_name(), fake.last_name()
        city, postcode, country, prefix = HOMES[n % len(HOMES)]
        nights = NIGHTS_BEFORE[n % len(NIGHTS_BEFORE)]
        joined = fake.day(date(2019, 3, 1), date(2025, 12, 31))
        guest = db.guests.add(
            first_name=first,
            last_name=last,
            email=f"{first}.{last}{n}@example.com".lower(),
            phone=f"{prefix}{fake.integer(100, 199)}",
            address=Address(
                street=fake.street_address(), city=city, postcode=postcode, country=country
            ),
            joined_on=joined,
            tier=_tier(nights),
            nights_stayed=nights,
            points=500 + nights * 400,
            banned=n % 97 == 50,
            preferences=PREFERENCES[n // 4 % len(PREFERENCES)] if n % 4 == 1 else None,
        )
        db.points_entries.add(
            guest_id=guest.guest_id,
            change=500,
            reason="welcome",
            made_at=_at(db, joined, 9, n % 60),
        )
        if nights > 0:
            db.points_entries.add(
                guest_id=guest.guest_id,
                change=nights * 400,
                reason="stay",
                made_at=_at(db, date(2026, 1, 2), 6, n % 60),
            )


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


def _leaves_late(db: Database, reservation: Reservation, n: int) -> bool:
    return n % 9 == 6 and reservation.departure <= db.today()


def _left_at(db: Database, reservation: Reservation, n: int) -> datetime:
    """Return when a guest has checked out: in the morning, or after noon if late."""
    hour = 13 if _leaves_late(db, reservation, n) else 8 + n % 4
    return _at(db, reservation.departure, hour, n % 60)


def _lines(
    db: Database, reservation: Reservation, plan: RatePlan, number: str, n: int
) -> list[tuple[ChargeKind, str, int, Money, datetime, date | None]]:
    came_at = _at(db, reservation.arrival, 13 if reservation.arrival == db.today() else 15, n % 60)
    if reservation.status in ("checked_in", "checked_out"):
        tax = db.hotels.get(reservation.hotel_id).city_tax
        lines: list[tuple[ChargeKind, str, int, Money, datetime, date | None]] = []
        for rate in reservation.nights:
            night = rate.night
            line = f"Room {number}, night of {night}"
            lines.append(("room_night", line, 1, rate.amount, came_at, night))
            line = f"City tax, night of {night}"
            lines.append(("city_tax", line, reservation.adults, tax, came_at, night))
        stayed = min(reservation.departure, db.today()) - reservation.arrival
        for k in range(n % 3 if stayed.days > 0 else 0):
            kind, line, price = EXTRAS[(n + k * 3) % len(EXTRAS)]
            day = reservation.arrival + timedelta(days=k % stayed.days)
            lines.append((kind, line, 1 + (n + k) % 2, price, _at(db, day, 20, n % 60), None))
        morning = _at(db, reservation.departure, 7, n % 60)
        if reservation.status == "checked_out" and n % 19 == 4:
            lines.append(("discount", "Apology for the noise", 1, Decimal("-25.00"), morning, None))
        if _leaves_late(db, reservation, n):
            line = f"Late check-out on {reservation.departure}"
            lines.append(("late_checkout", line, 2, Decimal("20.00"), morning, None))
        return lines
    fee = money(reservation.total * plan.late_cancel_percent / 100)
    line = f"Fee for reservation {reservation.reservation_id}"
    if reservation.status == "no_show":
        day = reservation.arrival + timedelta(days=1)
        return [("no_show_fee", line, 1, fee, _at(db, day, 10, n % 60), None)]
    if reservation.cancelled_at is not None:
        free_days = plan.free_cancel_days
        left = (reservation.arrival - reservation.cancelled_at.date()).days
        if free_days is None or left < free_days:
            return [("cancellation_fee", line, 1, fee, reservation.cancelled_at, None)]
    return []


def _pay(
    db: Database,
    folio_id: FolioId,
    method: PaymentMethod,
    amount: Money,
    refunded: Money,
    paid_at: datetime,
    n: int,
    voucher_id: str | None,
) -> Payment:
    return db.payments.add(
        folio_id=folio_id,
        method=method,
        amount=money(amount),
        refunded=money(refunded),
        paid_at=paid_at,
        card_last4=f"{(n * 3571 + 1009) % 10000:04d}" if method == "card" else None,
        voucher_id=voucher_id,
    )


def _give_back(db: Database, payment: Payment, reason: RefundReason, made_at: datetime) -> None:
    db.refunds.add(
        payment_id=payment.payment_id, amount=payment.refunded, reason=reason, made_at=made_at
    )


def _use_voucher(
    db: Database, reservation: Reservation, folio_id: FolioId, paid_at: datetime, n: int
) -> None:
    left = Decimal(n % 2 * 30)
    voucher = db.vouchers.add(
        guest_id=reservation.guest_id,
        reason="gift",
        value=left + 50,
        balance=left,
        status="active" if left else "used",
        issued_on=paid_at.date() - timedelta(days=120),
        expires_on=paid_at.date() + timedelta(days=245),
    )
    _pay(db, folio_id, "voucher", Decimal(50), Decimal(0), paid_at, n, voucher.voucher_id)


def _use_points(
    db: Database, reservation: Reservation, folio_id: FolioId, paid_at: datetime, n: int
) -> int:
    """Pay 5 EUR with points; every second time they are given back. Return the euros left."""
    back = n % 2 == 0
    refunded = Decimal(5 if back else 0)
    payment = _pay(db, folio_id, "points", Decimal(5), refunded, paid_at, n, None)
    reasons: list[PointsReason] = ["redeemed", "returned"] if back else ["redeemed"]
    for reason in reasons:
        db.points_entries.add(
            guest_id=reservation.guest_id,
            reservation_id=reservation.reservation_id,
            change=-500 if reason == "redeemed" else 500,
            reason=reason,
            made_at=paid_at,
        )
    if back:
        _give_back(db, payment, "overpayment", paid_at)
    return 0 if back else 5


def _void_line(
    db: Database, folio_id: FolioId, posted_at: datetime, came: bool, amount: Money
) -> None:
    line = "Minibar: prosecco" if came else "No-show fee, worked out too high"
    db.charges.add(
        folio_id=folio_id,
        kind="minibar" if came else "no_show_fee",
        description=line if amount > 5 else "Minibar: salted almonds",
        quantity=1,
        unit_price=amount,
        amount=amount,
        posted_at=posted_at,
        voided=True,
        void_reason="The guest never took it." if came else "The fee was worked out wrongly.",
    )


def _settle(
    db: Database, reservation: Reservation, folio_id: FolioId, due: Money, paid_at: datetime, n: int
) -> int:
    """Pay what is due in one of several ways; return the points it cost."""
    spent = 0
    if n % 17 == 3 and due > 60:
        _use_voucher(db, reservation, folio_id, paid_at, n)
        due = due - 50
    if n % 29 == 12 and due > 20:
        spent = _use_points(db, reservation, folio_id, paid_at, n)
        due = due - spent
    reasons: list[RefundReason] = ["billing_error", "overpayment", "service_failure"]
    reason = reasons[n // 13 % 3]
    back = Decimal(24 if n % 13 == 8 else 0)
    if back > 0 and reason == "billing_error":
        came = reservation.status in ("checked_in", "checked_out")
        _void_line(db, folio_id, paid_at, came, money(back))
    till, first = TILL[n % len(TILL)], paid_at - timedelta(minutes=4 if back > 0 else 0)
    payment = _pay(db, folio_id, till, due + back, back, first, n, None)
    if back > 0:
        _give_back(db, payment, reason, paid_at)
    return -100 * spent


def _account(
    db: Database, reservation: Reservation, plan: RatePlan, number: str, scene: str, n: int
) -> int:
    lines = _lines(db, reservation, plan, number, n)
    charged = sum((quantity * price for _, _, quantity, price, _, _ in lines), Decimal(0))
    status = reservation.status
    unpaid = scene == "arriving" and n % 5 == 2 or scene == "confirmed" and n % 7 == 3
    deposit = Decimal(0) if unpaid else reservation.deposit_due
    settles = status == "checked_out" or scene == "leaving" and n % 2 == 0
    if status == "no_show" or status == "cancelled" and n % 4 != 1:
        settles = True
    over = max(Decimal(0), deposit - charged) if status in ("cancelled", "no_show") else Decimal(0)
    due = max(Decimal(0), charged - deposit) if settles else Decimal(0)
    ended_at = reservation.cancelled_at
    if status == "no_show":
        ended_at = _at(db, reservation.arrival + timedelta(days=1), 10, n % 60)
    if status == "checked_out":
        ended_at = _left_at(db, reservation, n)
    paid = money(deposit - over + due)
    closed = ended_at is not None and paid == charged
    folio = db.folios.add(
        reservation_id=reservation.reservation_id,
        hotel_id=reservation.hotel_id,
        status="closed" if closed else "open",
        opened_at=reservation.booked_at,
        closed_at=ended_at if closed else None,
        charged=money(charged),
        paid=paid,
        due=money(charged - paid),
    )
    for kind, line, quantity, price, posted_at, night in lines:
        db.charges.add(
            folio_id=folio.folio_id,
            kind=kind,
            description=line,
            quantity=quantity,
            unit_price=price,
            amount=money(quantity * price),
            posted_at=posted_at,
            night=night,
            voided=False,
        )
    if deposit > 0:
        method: PaymentMethod = "bank_transfer" if n % 6 == 5 else "card"
        booked_at = reservation.booked_at
        payment = _pay(db, folio.folio_id, method, deposit, over, booked_at, n, None)
        if over > 0 and ended_at is not None:
            _give_back(db, payment, "cancellation", ended_at)
    if due > 0:
        paid_at = db.now() - timedelta(hours=5) if ended_at is None else ended_at
        return _settle(db, reservation, folio.folio_id, due, paid_at, n)
    return 0


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
    points = int(reservation.total * POINTS_EARNED[tier])
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


def seed_vouchers(db: Database, fake: Fake, count: int) -> None:
    """Make vouchers nobody has spent; some are past their date or void."""
    guests = [guest for guest in db.guests.all() if not guest.banned]
    reasons: list[VoucherReason] = ["gift", "goodwill", "promotion"]
    for n in range(count):
        value = [25, 50, 100, 40, 150, 75][n % 6]
        days = fake.integer(400, 500) if n % 8 == 5 else n * 5 % 300
        guest = guests[n * 11 % len(guests)]
        issued = max(db.today() - timedelta(days=days), guest.joined_on)
        db.vouchers.add(
            guest_id=guest.guest_id,
            reason=reasons[n % 3],
            value=money(value),
            balance=money(value),
            status="void" if n % 11 == 7 else "active",
            issued_on=issued,
            expires_on=issued + timedelta(days=365),
        )


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
        technicians = crew[room.hotel_id]
        if status in ("in_progress", "done") and not technicians:
            continue
        over = status in ("done", "cancelled")
        opened_at = fake.moment(
            db.now() - timedelta(days=60 if over else 4),
            db.now() - timedelta(days=3 if over else 0, hours=1),
        )
        if blocks:
            db.rooms.update(room.room_id, condition="out_of_order")
        db.maintenance_tickets.add(
            hotel_id=room.hotel_id,
            room_id=room.room_id,
            category=category,
            description=seen,
            priority=priorities[n % 4],
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
    """Have a guest of two houses live in a better room than booked, as after a fault in theirs."""
    for hotel in db.hotels.all()[:2]:
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
