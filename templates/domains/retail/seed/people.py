"""Customers, their methods of payment and their gift cards."""

PLACES = [
    ("Portland", "OR", "972", "503"),
    ("Eugene", "OR", "974", "541"),
    ("Seattle", "WA", "981", "206"),
    ("Spokane", "WA", "992", "509"),
    ("Boise", "ID", "837", "208"),
    ("Missoula", "MT", "598", "406"),
    ("Salt Lake City", "UT", "841", "801"),
    ("Denver", "CO", "802", "303"),
    ("Fort Collins", "CO", "805", "970"),
    ("Santa Fe", "NM", "875", "505"),
    ("Phoenix", "AZ", "850", "602"),
    ("Tucson", "AZ", "857", "520"),
    ("Sacramento", "CA", "958", "916"),
    ("Oakland", "CA", "946", "510"),
    ("San Diego", "CA", "921", "619"),
    ("Reno", "NV", "895", "775"),
    ("Austin", "TX", "787", "512"),
    ("Houston", "TX", "770", "713"),
    ("Tulsa", "OK", "741", "918"),
    ("Kansas City", "MO", "641", "816"),
    ("Omaha", "NE", "681", "402"),
    ("Minneapolis", "MN", "554", "612"),
    ("Duluth", "MN", "558", "218"),
    ("Madison", "WI", "537", "608"),
    ("Chicago", "IL", "606", "312"),
    ("Grand Rapids", "MI", "495", "616"),
    ("Columbus", "OH", "432", "614"),
    ("Nashville", "TN", "372", "615"),
    ("Atlanta", "GA", "303", "404"),
    ("Asheville", "NC", "288", "828"),
    ("Raleigh", "NC", "276", "919"),
    ("Richmond", "VA", "232", "804"),
    ("Tampa", "FL", "336", "813"),
    ("Pittsburgh", "PA", "152", "412"),
    ("Philadelphia", "PA", "191", "215"),
    ("Albany", "NY", "122", "518"),
    ("Brooklyn", "NY", "112", "718"),
    ("Providence", "RI", "029", "401"),
    ("Boston", "MA", "021", "617"),
    ("Burlington", "VT", "054", "802"),
    ("Portland", "ME", "041", "207"),
    ("Concord", "NH", "033", "603"),
]
STREETS = [
    "Maple Street",
    "Oak Avenue",
    "Cedar Lane",
    "Willow Drive",
    "Hawthorne Boulevard",
    "River Road",
    "Mill Street",
    "Prospect Avenue",
    "Juniper Court",
    "Church Street",
    "Lakeview Terrace",
    "Franklin Street",
    "Sunset Drive",
    "Garfield Avenue",
    "Birch Street",
    "Harbor Way",
    "Orchard Lane",
    "Highland Avenue",
    "Chestnut Street",
    "Division Street",
]
LABELS = ["work", "parents", "cabin"]


def _postal_code(fake: Fake, start: str) -> str:
    return f"{start}{fake.integer(1, 99):02d}"


def _new_address(fake: Fake, label: str, place: tuple[str, str, str, str]) -> Address:
    return Address(
        label=label,
        street=f"{fake.integer(12, 4980)} {fake.pick(STREETS)}",
        city=place[0],
        state=place[1],
        postcode=_postal_code(fake, place[2]),
    )


def _joined(db: Database, fake: Fake, n: int) -> date:
    if n % 12 == 7:
        return db.today() - timedelta(days=fake.integer(20, 300))
    return db.today() - timedelta(days=fake.integer(440, 2900))


def _month_end(day: date) -> date:
    first = day.replace(day=1) + timedelta(days=32)
    return first.replace(day=1) - timedelta(days=1)


def _tier(n: int) -> CustomerTier:
    if n % 10 == 0:
        return "gold"
    return "silver" if n % 5 == 0 else "standard"


def seed_customers(db: Database, fake: Fake, count: int) -> None:
    """Make customers with addresses and payment methods; a few accounts are closed."""
    for n in range(count):
        first, last = fake.first_name(), fake.last_name()
        place = PLACES[fake.integer(0, len(PLACES) - 1)]
        more = fake.picks(LABELS, fake.weighted({0: 50, 1: 35, 2: 15}))
        joined = _joined(db, fake, n)
        customer = db.customers.add(
            first_name=first,
            last_name=last,
            email=f"{first}.{last}{n + 1}@example.com".lower().replace(" ", ""),
            phone=f"({place[3]}) 555-{fake.integer(100, 9999):04d}",
            tier=_tier(n),
            status="closed" if n % 40 == 23 else "active",
            addresses=[
                _new_address(fake, "home", place),
                *[_new_address(fake, label, fake.pick(PLACES)) for label in more],
            ],
            default_address="home",
            marketing_opt_in=fake.chance(0.4),
            joined_on=joined,
        )
        _add_methods(db, fake, customer, n)


def _add_methods(db: Database, fake: Fake, customer: Customer, n: int) -> None:
    cards: list[PaymentMethodKind] = ["visa", "visa", "mastercard", "amex"]
    db.payment_methods.add(
        customer_id=customer.customer_id,
        kind=cards[n % 4],
        last_four=f"{fake.integer(0, 9999):04d}",
        expires_on=_month_end(db.today() + timedelta(days=fake.integer(60, 1400))),
        added_on=customer.joined_on,
    )
    if n % 9 == 4:
        last_four = f"{fake.integer(0, 9999):04d}"
        expired = db.today() - timedelta(days=fake.integer(40, 380))
        db.payment_methods.add(
            customer_id=customer.customer_id,
            kind="mastercard",
            last_four=last_four,
            expires_on=_month_end(max(expired, customer.joined_on)),
            added_on=customer.joined_on,
        )
    if n % 3 == 1:
        db.payment_methods.add(
            customer_id=customer.customer_id,
            kind="paypal",
            added_on=customer.joined_on,
        )


def seed_gift_cards(db: Database, fake: Fake, count: int) -> None:
    """Make bought gift cards; some have expired, some are blocked."""
    methods = _methods_by_customer(db)
    customers = db.customers.all()
    early = db.today() - timedelta(days=1900)
    oldest = [customer for customer in customers if customer.joined_on < early]
    for n in range(count):
        old = n % 15 == 9 and len(oldest) > 0
        customer = fake.pick(oldest if old else customers)
        amount = Decimal(fake.pick([25, 50, 50, 75, 100, 100, 150, 200]))
        latest = db.today() - timedelta(days=1840 if old else 3)
        issued = fake.day(max(customer.joined_on, latest - timedelta(days=500)), latest)
        db.gift_cards.add(
            customer_id=customer.customer_id,
            status="blocked" if n % 14 == 6 else "active",
            loaded=amount,
            carried_over=Decimal(0),
            balance=amount,
            payment_method_id=fake.pick(methods[customer.customer_id]).payment_method_id,
            issued_on=issued,
            expires_on=issued + timedelta(days=1825),
        )
