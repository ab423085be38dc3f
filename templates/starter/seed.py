MODELS = ["Kestrel", "Harrier", "Swift", "Plover", "Merlin"]
KINDS: list[BikeKind] = ["city", "touring", "electric"]
RATES = [Decimal("14.00"), Decimal("22.00"), Decimal("35.00")]


def seed_customers(db: Database, fake: Fake, count: int) -> None:
    """Make customers."""
    for n in range(1, count + 1):
        first, last = fake.first_name(), fake.last_name()
        db.customers.add(
            name=f"{first} {last}", email=f"{first}.{last}{n}@example.com".lower().replace(" ", "")
        )


def seed_bikes(db: Database, fake: Fake, count: int) -> None:
    """Make bikes; every eighth is in repair."""
    for n in range(count):
        db.bikes.add(
            model=f"{fake.pick(MODELS)} {n + 1}",
            kind=KINDS[n % 3],
            day_rate=RATES[n % 3],
            in_repair=n % 8 == 7,
        )


def seed_rentals(db: Database, fake: Fake, count: int) -> None:
    """Make rentals of the past months; every fourth bike is out, some of them overdue."""
    customers, bikes = db.customers.all(), db.bikes.all()
    for n in range(count):
        bike = bikes[n % len(bikes)]
        is_open = n < len(bikes) and n % 4 == 0
        days = fake.integer(1, 10)
        start_on = db.today() - timedelta(days=fake.integer(0, 12) if is_open else 20 + n % 60)
        due_on = start_on + timedelta(days=days - 1)
        db.rentals.add(
            customer_id=fake.pick(customers).customer_id,
            bike_id=bike.bike_id,
            status="open" if is_open else "returned",
            start_on=start_on,
            due_on=due_on,
            returned_on=None if is_open else due_on,
            price=money(days * bike.day_rate),
        )
