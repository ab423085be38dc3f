"""Hotels, rooms and employees."""

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
    ("restaurant", "Late Brunch", 36, 16, 120, 10, 13),
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
