CATEGORIES: list[Category] = [
    "footwear",
    "clothing",
    "camping",
    "cycling",
    "fitness",
    "kitchen",
    "home",
    "electronics",
]
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
SERIES = [
    "Cascade",
    "Tamarack",
    "Northfold",
    "Ridgeway",
    "Alder",
    "Switchback",
    "Lakeshore",
    "Fernhill",
    "Granite",
    "Meridian",
    "Wildwood",
    "Stillwater",
    "Kestrel",
    "Juniper",
    "Boulder",
    "Harvest",
    "Timberline",
    "Bluebird",
    "Saltmarsh",
    "Foxglove",
    "Summit",
    "Hollow Creek",
    "Larkspur",
    "Driftwood",
    "Redstone",
    "Thistle",
]
COLORS = ["black", "forest green", "slate", "navy", "rust", "sand", "burgundy", "teal"]
SHOE_SIZES = ["7", "8", "9", "10", "11", "12"]
SIZES = ["S", "M", "L", "XL"]
TENTS = ["2-person", "4-person", "6-person"]
VOLUMES = ["25 L", "40 L", "60 L"]
BOTTLES = ["500 ml", "750 ml", "1 L"]
WEIGHTS = ["10 lb", "20 lb", "35 lb"]
PANS = ["8 in", "10 in", "12 in"]
BEDS = ["twin", "queen", "king"]
# Department, noun, second option, its values, lowest and highest price, days to return, what it is.
GOODS: list[tuple[Category, str, str, list[str], int, int, int, str]] = [
    ("footwear", "Hiking Boots", "size", SHOE_SIZES, 110, 190, 30, "Waterproof leather boots."),
    ("clothing", "Rain Jacket", "size", SIZES, 80, 180, 30, "A packable jacket with taped seams."),
    ("camping", "Tent", "capacity", TENTS, 140, 320, 30, "A three-season tent with two doors."),
    ("cycling", "Bike Helmet", "size", SIZES, 45, 120, 30, "A light helmet with a dial fit."),
    ("fitness", "Yoga Mat", "", [], 25, 70, 30, "A 5 mm mat of natural rubber."),
    ("kitchen", "Cast-Iron Skillet", "width", PANS, 25, 60, 30, "Pre-seasoned, for any stove."),
    ("home", "Wool Blanket", "size", BEDS, 70, 160, 30, "Woven of pure lambswool."),
    ("electronics", "Headlamp", "", [], 25, 80, 14, "A rechargeable lamp of 400 lumens."),
    ("footwear", "Trail Running Shoes", "size", SHOE_SIZES, 90, 160, 30, "Grippy and cushioned."),
    ("clothing", "Merino Base Layer", "size", SIZES, 50, 110, 30, "A warm layer that dries fast."),
    (
        "camping",
        "Sleeping Bag",
        "length",
        ["regular", "long"],
        90,
        260,
        30,
        "Down-filled, to 20 F.",
    ),
    ("cycling", "Pannier Bag", "volume", VOLUMES, 60, 140, 30, "A roll-top bag that stays dry."),
    ("fitness", "Kettlebell", "weight", WEIGHTS, 30, 90, 30, "Powder-coated iron."),
    ("kitchen", "Insulated Bottle", "volume", BOTTLES, 20, 45, 30, "Keeps drinks cold for a day."),
    ("home", "Linen Duvet Cover", "size", BEDS, 90, 200, 30, "Stone-washed French linen."),
    ("electronics", "Sports Watch", "", [], 120, 380, 14, "GPS, heart rate, ten-day battery."),
    ("footwear", "Camp Sandals", "size", SHOE_SIZES, 40, 85, 30, "Three straps, quick to dry."),
    ("clothing", "Fleece Pullover", "size", SIZES, 45, 95, 30, "Midweight recycled fleece."),
    ("camping", "Backpack", "volume", VOLUMES, 90, 240, 30, "A vented frame and a rain cover."),
    ("cycling", "Floor Pump", "", [], 35, 90, 30, "A steel pump with a clear gauge."),
    ("fitness", "Resistance Bands", "", [], 15, 40, 0, "A set of five; not returnable once sold."),
    ("kitchen", "Pour-Over Kettle", "", [], 45, 110, 30, "A gooseneck kettle of steel."),
    ("home", "Table Lamp", "", [], 40, 130, 30, "A linen shade on a turned base."),
    ("electronics", "Wireless Earbuds", "", [], 60, 180, 0, "Sealed for hygiene; a final sale."),
    ("footwear", "Wool Socks", "size", SIZES, 12, 26, 30, "Cushioned socks, knit in one piece."),
    ("clothing", "Hiking Trousers", "size", SIZES, 60, 120, 30, "Stretch trousers with zip legs."),
    ("camping", "Camp Stove", "", [], 50, 130, 30, "Two burners that fold flat."),
    ("cycling", "Bike Light Set", "", [], 30, 90, 30, "Front and rear, charged by USB."),
    ("fitness", "Foam Roller", "", [], 18, 45, 30, "A firm roller with a grid."),
    ("kitchen", "Chef's Knife", "blade", PANS, 60, 170, 30, "Forged steel, full tang."),
    ("home", "Storage Basket", "size", ["small", "large"], 20, 60, 30, "Woven of seagrass."),
    ("electronics", "Power Bank", "", [], 30, 90, 14, "20,000 mAh with two ports."),
]
BRANDS = ["Harrow & Pine", "Norvik", "Belltower", "Osprey Creek", "Tallgrass", "Kindred Goods"]
ADJECTIVES = ["Made to last", "A shop favorite", "Tested by our staff", "New this year", "Simple"]
THEMES = [
    "TRAIL",
    "BASECAMP",
    "HEARTH",
    "WELCOME",
    "THANKS",
    "CAMPFIRE",
    "WEEKEND",
    "PINECONE",
    "OUTSIDE",
    "COZY",
    "FRESHAIR",
    "SADDLEUP",
    "PANTRY",
    "LANTERN",
    "RIVER",
    "BLUESKY",
    "FIRSTFROST",
    "GETAWAY",
    "HARVEST",
    "LONGDAYS",
    "ROADTRIP",
    "SUNRISE",
    "SNOWDAY",
    "MEADOW",
    "COMPASS",
    "HOMEMADE",
    "EVERGREEN",
    "STARGAZE",
    "THERMOS",
    "BREAKFAST",
    "DOWNHILL",
    "LAKESIDE",
    "NEWLEAF",
    "SPICE",
    "MARATHON",
    "CANOPY",
    "WINTERWARM",
    "PEDAL",
    "HAMMOCK",
    "SOLSTICE",
]
DISCOUNTS = [10, 15, 20, 25, 30]
AMOUNTS = [(10, 50), (15, 75), (20, 100), (25, 150)]
SHIP_FEES = {"standard": "5.95", "express": "12.95", "overnight": "24.95"}
SHIP_DAYS = {"standard": 5, "express": 2, "overnight": 1}
FAULTY = ("defective", "wrong_item", "damaged_in_transit")
REASONS: list[ReturnReason] = [
    "changed_mind",
    "wrong_size",
    "defective",
    "not_as_described",
    "wrong_item",
    "damaged_in_transit",
]
CANCEL_REASONS: list[CancelReason] = [
    "changed_mind",
    "ordered_by_mistake",
    "found_cheaper",
    "too_slow",
    "payment_trouble",
    "out_of_stock",
]
ADJUSTMENTS: list[RefundReason] = [
    "late_delivery",
    "goodwill",
    "damaged_item",
    "price_adjustment",
]
CARRIERS: list[Carrier] = ["ups", "fedex", "usps", "dhl"]
# By stars, from one: headlines, first sentences, second sentences.
HEADLINES = [
    ["Broke at once", "Do not buy", "Sending it back"],
    ["Disappointed", "Not as described", "Expected better"],
    ["It is okay", "Mixed feelings", "Does the job"],
    ["Very good", "Happy with it", "Good, not perfect", "Nearly there"],
    ["Love it", "Best I have owned", "Great quality", "Worth every cent", "Could not be happier"],
]
FIRST_WORDS = [
    ["It broke on the second use.", "It arrived with a crack.", "Mine never worked properly."],
    [
        "It showed wear after two weeks.",
        "The material is thinner than I thought.",
        "It looks cheaper than in the pictures.",
    ],
    [
        "It works, but I expected a little more for the money.",
        "It looks great, but it is smaller than it seems online.",
        "Fine for occasional use.",
    ],
    [
        "I use it every week and it does its job well.",
        "Solid, and easy to look after.",
        "Almost everything about it is right.",
        "It has held up well so far.",
    ],
    [
        "Exactly what I hoped for.",
        "I have owned three of these over the years and this is the best.",
        "You can feel the quality at once.",
        "I hesitated because of the price, but it was the right choice.",
        "My whole family wants one now.",
    ],
]
SECOND_WORDS = [
    ["I am sending it back.", "Save your money.", "I wanted to like it."],
    ["I would not buy it again.", "The description should say so.", "At least it was on sale."],
    [
        "I will keep it, but I keep looking.",
        "Not bad, not great.",
        "The color is nice, though.",
    ],
    [
        "One star off because the color is darker than shown.",
        "The instructions could have been clearer.",
        "One seam is a bit loose.",
        "I would buy it again.",
    ],
    [
        "It arrived sooner than promised.",
        "I bought a second one as a gift.",
        "It came with us on a week-long trip and still looks new.",
        "I recommend it to everyone.",
    ],
]
# Topic, subject, the customer's message, the agent's answer, how it ended.
TALKS: list[tuple[CaseTopic, str, str, str, str]] = [
    (
        "delivery",
        "Where is my parcel?",
        "Order NUMBER should have been here by now and the tracking page has not moved for days.",
        "I am sorry about the wait. I have asked the carrier to trace the parcel.",
        "The carrier found the parcel and brought it the next morning.",
    ),
    (
        "returns",
        "How do I send this back?",
        "I would like to return ITEM from order NUMBER. Where do I find the label?",
        "Happy to help. Tell me why it comes back and I will open the return for you.",
        "Return opened and label sent by e-mail.",
    ),
    (
        "payment",
        "Charged twice?",
        "My bank shows two charges for order NUMBER. Please check what happened.",
        "One of the two is only a hold by your bank. Could you send me a screenshot?",
        "The second charge was a hold and has dropped off the statement.",
    ),
    (
        "product",
        "Question about sizing",
        "I am between two sizes. Do your things run large or small?",
        "They run true to size. With thick socks or layers, take the larger one.",
        "Advised the larger size.",
    ),
    (
        "account",
        "Cannot sign in",
        "I no longer get the e-mail to reset my password.",
        "I have sent it again. Could you look in the spam folder, too?",
        "The customer found the message in the spam folder and is signed in again.",
    ),
    (
        "delivery",
        "Left with the wrong neighbor",
        "The tracking says order NUMBER was delivered, but nobody here has it.",
        "I have asked the driver where exactly the parcel was left.",
        "It was with the neighbor across the street; the customer has it now.",
    ),
    (
        "returns",
        "How long does a refund take?",
        "If I send back ITEM from order NUMBER, how long until I have my money?",
        "Refunds go out as soon as the warehouse has inspected the parcel.",
        "Explained that a refund follows within two days of the inspection.",
    ),
    (
        "product",
        "Care instructions",
        "How should I clean it without ruining it?",
        "Lukewarm water and mild soap, then let it dry in the air. May I help with more?",
        "Sent the care sheet.",
    ),
]


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


def seed_products(db: Database, fake: Fake, count: int) -> None:
    """Make products with variants; some are discontinued, some variants sold out."""
    for n in range(count):
        place, turn = n % len(GOODS), n // len(GOODS)
        category, noun, _, _, low, high, days, says = GOODS[place]
        series = SERIES[(turn + place * 5) % len(SERIES)]
        edition = turn // len(SERIES)
        product = db.products.add(
            name=f"{series} {noun}" if edition == 0 else f"{series} {noun} {edition + 1}",
            brand=BRANDS[(n + turn) % len(BRANDS)],
            category=category,
            description=f"{says} {fake.pick(ADJECTIVES)}.",
            status="discontinued" if n % 17 == 11 else "active",
            return_days=days,
            released_on=db.today() - timedelta(days=fake.integer(450, 2000)),
        )
        _add_variants(db, fake, product, n, Decimal(fake.integer(low, high)))


def _stock(fake: Fake, row: int) -> int:
    if row % 12 == 7:
        return 0
    return fake.integer(1, 4) if row % 12 == 3 else fake.integer(5, 120)


def _add_variants(db: Database, fake: Fake, product: Product, n: int, base: Decimal) -> None:
    _, _, option, values, _, _, _, _ = GOODS[n % len(GOODS)]
    colors = fake.picks(COLORS, 2 if option else fake.integer(2, 3))
    chosen = values if len(values) <= 3 else values[n % 2 : n % 2 + 3]
    grows = option in ("capacity", "volume", "weight", "width", "blade") or values == BEDS
    cents = fake.pick([Decimal("0.00"), Decimal("0.50"), Decimal("0.95")])
    row = n
    for color in colors:
        for step, value in enumerate(chosen if option else [""]):
            options = [VariantOption(name="color", value=color)]
            if option:
                options.append(VariantOption(name=option, value=value))
            code = f"{product.category[:3]}-{n + 1:04d}-{color[:3]}"
            price = base + base * step // 4 if grows else base
            db.variants.add(
                product_id=product.product_id,
                sku=(f"{code}-{value}" if option else code).upper().replace(" ", ""),
                options=options,
                price=price + cents,
                stock=_stock(fake, row),
            )
            row += 1


def seed_promotions(db: Database, fake: Fake, count: int) -> None:
    """Make promotions from a year ago to next month; some long, limited or for one department."""
    for n in range(count):
        theme = THEMES[n % len(THEMES)]
        again = n // len(THEMES)
        start = db.today() - timedelta(days=430 - 460 * n // count)
        long = n % 5 == 0
        kind: PromotionKind = "amount" if n % 5 == 2 else "percent"
        if n % 5 == 4:
            kind = "free_shipping"
        off, least = AMOUNTS[n // 5 % 4]
        percent = DISCOUNTS[n // 5 % 2 if long else n % 5]
        category = CATEGORIES[n // 3 % 8] if n % 3 == 1 else None
        number = percent if kind == "percent" else off if kind == "amount" else "SHIP"
        where = "everything" if category is None else category
        value = f"{percent} percent" if kind == "percent" else f"${off}"
        title = f"Free standard shipping on {where}"
        if long:
            last = db.today() + timedelta(days=60 + n % 30)
            start = last - timedelta(days=365)
        else:
            last = start + timedelta(days=fake.integer(21, 60))
        db.promotions.add(
            code=f"{theme}{number}" if again == 0 else f"{theme}{again}X{number}",
            title=title if kind == "free_shipping" else f"{value} off {where}",
            kind=kind,
            percent=percent if kind == "percent" else None,
            amount=Decimal(off) if kind == "amount" else None,
            minimum_spend=Decimal(least if kind == "amount" else n % 3 * 25),
            category=category,
            starts_on=start,
            ends_on=last,
            max_uses=4 if n % 8 == 1 else 200 if n % 4 == 2 else None,
            uses=0,
            once_per_customer=n % 6 == 0,
        )


def _methods_by_customer(db: Database) -> dict[CustomerId, list[PaymentMethod]]:
    found: dict[CustomerId, list[PaymentMethod]] = {}
    for method in db.payment_methods.all():
        if method.expires_on is None or method.expires_on >= db.today():
            found.setdefault(method.customer_id, []).append(method)
    return found


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


def _placed(db: Database, fake: Fake, n: int, count: int) -> datetime:
    # A fifth of the orders is from the last 16 days, so that each status has its share.
    part = (n + fake.number(0.0, 0.9)) / count
    days = 420 - 404 * part / 0.8 if part < 0.8 else 16 - 15.9 * (part - 0.8) / 0.2
    return db.now() - timedelta(minutes=int(days * 1440))


def _status(n: int, days: int) -> OrderStatus:
    if days >= 16:
        return "cancelled" if n % 19 == 5 else "delivered"
    if n % 10 == 6:
        return "cancelled"
    if n % 10 == 0 and days < 6:
        return "pending"
    if n % 10 in (1, 2, 7, 8) and days < 3:
        return "paid"
    if n % 10 == 3 and 1 <= days < 12:
        return "part_shipped"
    if n % 10 in (4, 5, 9) and 1 <= days < 8 or n % 50 == 14 and days >= 1:
        return "shipped"
    return "delivered" if days >= 3 else "paid"


def _promotions_by_month(db: Database) -> dict[int, list[Promotion]]:
    found: dict[int, list[Promotion]] = {}
    for promotion in db.promotions.all():
        first = promotion.starts_on.year * 12 + promotion.starts_on.month
        last = promotion.ends_on.year * 12 + promotion.ends_on.month
        for month in range(first, last + 1):
            found.setdefault(month, []).append(promotion)
    return found


def _pick_promotion(
    fake: Fake, running: list[Promotion], day: date, uses: dict[PromotionId, int]
) -> Promotion | None:
    if not running or not fake.chance(0.4):
        return None
    promotion = fake.pick(running)
    limit = promotion.max_uses
    free = limit is None or uses.get(promotion.promotion_id, 0) < limit
    return promotion if free and promotion.starts_on <= day <= promotion.ends_on else None


def _covered(
    promotion: Promotion, chosen: list[tuple[Product, Variant, int]]
) -> tuple[list[Decimal], bool]:
    worths = [
        variant.price * units
        if promotion.category is None or promotion.category == product.category
        else Decimal(0)
        for product, variant, units in chosen
    ]
    whole = sum(worths, Decimal(0))
    return worths, whole > 0 and whole >= promotion.minimum_spend


def _shares(promotion: Promotion, worths: list[Decimal]) -> list[Decimal]:
    whole = sum(worths, Decimal(0))
    total = Decimal(0)
    if promotion.percent is not None:
        total = money(whole * promotion.percent / 100)
    if promotion.amount is not None:
        total = promotion.amount
    upto = [money(total * sum(worths[:n], Decimal(0)) / whole) for n in range(len(worths) + 1)]
    return [upto[n + 1] - upto[n] for n in range(len(worths))]


def _fee(method: ShippingMethod, tier: str, promotion: Promotion | None, net: Decimal) -> Decimal:
    free = promotion is not None and promotion.kind == "free_shipping"
    if method == "standard" and (free or tier == "gold" or net >= 75):
        return Decimal(0)
    return Decimal(SHIP_FEES[method])


def _item_name(product: Product, variant: Variant) -> str:
    return f"{product.name} ({', '.join(option.value for option in variant.options)})"


def _lines(
    chosen: list[tuple[Product, Variant, int]], shares: list[Decimal], states: list[LineStatus]
) -> list[OrderLine]:
    lines: list[OrderLine] = []
    for n, (product, variant, units) in enumerate(chosen):
        lines.append(
            OrderLine(
                line_number=n + 1,
                variant_id=variant.variant_id,
                item=_item_name(product, variant),
                quantity=units,
                unit_price=variant.price,
                discount=shares[n],
                status=states[n],
                returned=0,
                exchanged=0,
                replaces=None,
            )
        )
    return lines


def _line_states(n: int, status: OrderStatus, size: int) -> list[LineStatus]:
    if status == "cancelled":
        return ["cancelled" for _ in range(size)]
    if status in ("pending", "paid"):
        return ["open" for _ in range(size)]
    if status == "part_shipped":
        return ["shipped" if line < size - 1 else "open" for line in range(size)]
    dropped = size >= 2 and n % 23 == 11
    return ["cancelled" if dropped and line == size - 1 else "shipped" for line in range(size)]


def _basket(
    fake: Fake, products: list[tuple[Product, list[Variant]]], size: int
) -> list[tuple[Product, Variant, int]]:
    return [
        (product, fake.pick(variants), fake.weighted({1: 76, 2: 17, 3: 5, 4: 2}))
        for product, variants in fake.picks(products, min(size, len(products)))
    ]


def _shelves(db: Database) -> list[tuple[Product, list[Variant]]]:
    variants: dict[ProductId, list[Variant]] = {}
    for variant in db.variants.all():
        variants.setdefault(variant.product_id, []).append(variant)
    return [(product, variants[product.product_id]) for product in db.products.all()]


def _pick_customer(fake: Fake, buyers: list[Customer], regulars: list[Customer]) -> Customer:
    return fake.pick(regulars) if regulars and fake.chance(0.3) else fake.pick(buyers)


def seed_orders(db: Database, fake: Fake, count: int) -> None:
    """Make orders with payments, parcels and the refunds of cancellations, oldest first."""
    customers = db.customers.all()
    since = db.today() - timedelta(days=430)
    lasting = [row for row in customers if row.joined_on < since] or customers
    open_ones = [row for row in lasting if row.status == "active"] or customers
    fresh = [row for row in customers if row.status == "active"] or customers
    regulars = [row for row in open_ones if row.tier != "standard"]
    shelves = _shelves(db)
    on_sale = [shelf for shelf in shelves if shelf[0].status == "active"] or shelves
    methods = _methods_by_customer(db)
    cards: dict[CustomerId, list[GiftCard]] = {}
    for card in db.gift_cards.all():
        if card.status == "active" and card.expires_on > db.today():
            cards.setdefault(card.customer_id, []).append(card)
    left: dict[GiftCardId, Decimal] = {}
    months = _promotions_by_month(db)
    uses: dict[PromotionId, int] = {}
    used: set[tuple[CustomerId, PromotionId]] = set()
    for n in range(count):
        placed = _placed(db, fake, n, count)
        days = (db.now() - placed).days
        buyers = lasting if days > 90 else open_ones if days > 16 else fresh
        customer = _pick_customer(fake, buyers, regulars)
        status = _status(n, days)
        size = fake.weighted({1: 42, 2: 31, 3: 18, 4: 9})
        chosen = _basket(
            fake,
            shelves if days > 60 else on_sale,
            max(size, 2) if status == "part_shipped" else size,
        )
        if len(chosen) < 2 and status == "part_shipped":
            status = "shipped"
        running = months.get(placed.year * 12 + placed.month, [])
        promotion = _pick_promotion(fake, running, placed.date(), uses)
        if promotion is not None:
            again = (customer.customer_id, promotion.promotion_id) in used
            _, enough = _covered(promotion, chosen)
            if not enough or promotion.once_per_customer and again:
                promotion = None
        order = _add_order(db, fake, n, customer, placed, status, chosen, promotion)
        if order.promotion_id is not None and status != "cancelled":
            used.add((customer.customer_id, order.promotion_id))
            uses[order.promotion_id] = uses.get(order.promotion_id, 0) + 1
        _add_payments(db, fake, n, order, methods[customer.customer_id], cards, left)
        _add_parcels(db, fake, n, order)
    for card_id, balance in left.items():
        db.gift_cards.update(card_id, balance=balance)
    for promotion_id, times in uses.items():
        db.promotions.update(promotion_id, uses=times)


def _add_order(
    db: Database,
    fake: Fake,
    n: int,
    customer: Customer,
    placed: datetime,
    status: OrderStatus,
    chosen: list[tuple[Product, Variant, int]],
    promotion: Promotion | None,
) -> Order:
    shares = [Decimal(0) for _ in chosen]
    if promotion is not None:
        worths, _ = _covered(promotion, chosen)
        shares = _shares(promotion, worths)
    subtotal = sum((variant.price * units for _, variant, units in chosen), Decimal(0))
    methods: dict[ShippingMethod, int] = {"standard": 76, "express": 17, "overnight": 7}
    method = fake.weighted(methods)
    net = subtotal - sum(shares, Decimal(0))
    fee = _fee(method, customer.tier, promotion, net)
    takes_off = net < subtotal or fee < _fee(method, customer.tier, None, net)
    lines = _lines(chosen, shares, _line_states(n, status, len(chosen)))
    kept = [line for line in lines if line.status != "cancelled" or status == "cancelled"]
    worth = sum((line.unit_price * line.quantity for line in kept), Decimal(0))
    discount = sum((line.discount for line in kept), Decimal(0))
    addresses = customer.addresses
    cancelled = status == "cancelled"
    return db.orders.add(
        customer_id=customer.customer_id,
        status=status,
        lines=lines,
        subtotal=worth,
        discount=discount,
        shipping_method=method,
        shipping_fee=fee,
        total=worth - discount + fee,
        ship_to=addresses[0] if fake.chance(0.8) else fake.pick(addresses),
        promotion_id=promotion.promotion_id if promotion is not None and takes_off else None,
        placed_at=placed,
        cancelled_at=placed + (db.now() - placed) * fake.integer(1, 60) // 100
        if cancelled and (db.now() - placed).days < 2
        else placed + timedelta(minutes=fake.integer(40, 1500))
        if cancelled
        else None,
        cancel_reason=CANCEL_REASONS[n // 7 % 6] if cancelled else None,
    )


def _add_payment(
    db: Database,
    order: Order,
    amount: Decimal,
    back: Decimal,
    method_id: PaymentMethodId | None,
    card_id: GiftCardId | None,
) -> None:
    # Paid back here is only what a cancellation gives back, of the order or of its last line.
    paid_at = order.placed_at + timedelta(minutes=2)
    payment = db.payments.add(
        order_id=order.order_id,
        payment_method_id=method_id,
        gift_card_id=card_id,
        amount=amount,
        refunded=back,
        status=_payment_status(amount, back),
        paid_at=paid_at,
    )
    if back > 0:
        db.refunds.add(
            order_id=order.order_id,
            payment_id=payment.payment_id,
            line_number=len(order.lines) if order.cancelled_at is None else None,
            gift_card_id=card_id,
            amount=back,
            taken_off=Decimal(0),
            reason="cancellation",
            refunded_at=paid_at + timedelta(minutes=20)
            if order.cancelled_at is None
            else max(order.cancelled_at, paid_at),
        )


def _payment_status(amount: Decimal, refunded: Decimal) -> PaymentStatus:
    if refunded == 0:
        return "captured"
    return "refunded" if refunded == amount else "part_refunded"


def _usable_card(
    order: Order, cards: list[GiftCard], left: dict[GiftCardId, Decimal]
) -> GiftCard | None:
    for card in cards:
        if card.issued_on <= order.placed_at.date() and left.get(card.gift_card_id, card.balance):
            return card
    return None


def _add_payments(
    db: Database,
    fake: Fake,
    n: int,
    order: Order,
    methods: list[PaymentMethod],
    cards: dict[CustomerId, list[GiftCard]],
    left: dict[GiftCardId, Decimal],
) -> None:
    charged = order.shipping_fee + sum(
        (line.unit_price * line.quantity - line.discount for line in order.lines), Decimal(0)
    )
    gone = charged - order.total
    card = _usable_card(order, cards.get(order.customer_id, []), left)
    if order.status == "cancelled" and n % 3 == 0:
        return
    by_card = Decimal(0)
    if card is not None and fake.chance(0.6):
        balance = left.get(card.gift_card_id, card.balance)
        most = order.total if order.status != "pending" else order.total - 1
        by_card = min(balance, most)
    if card is not None and by_card > 0:
        back = by_card if order.status == "cancelled" else Decimal(0)
        balance = left.get(card.gift_card_id, card.balance)
        left[card.gift_card_id] = balance - by_card + back
        _add_payment(db, order, by_card, back, None, card.gift_card_id)
    rest = charged - by_card
    if order.status != "pending" and rest > 0:
        back = rest if order.status == "cancelled" else gone
        method = methods[0] if fake.chance(0.7) else fake.pick(methods)
        _add_payment(db, order, rest, back, method.payment_method_id, None)


def _tracking(carrier: Carrier, number: int) -> str:
    # Multiplying by a number prime to ten scatters the numbers and keeps them apart.
    code = (number * 733_261_937 + 104_729) % 1_000_000_000
    starts = {"ups": "1Z8V40", "fedex": "7946", "usps": "94001118", "dhl": "JD0146"}
    return f"{starts[carrier]}{code:09d}"


def _items_of(order: Order, numbers: list[int]) -> list[str]:
    return [line.item for line in order.lines if line.line_number in numbers]


def _add_parcels(db: Database, fake: Fake, n: int, order: Order) -> None:
    numbers = [line.line_number for line in order.lines if line.status == "shipped"]
    if not numbers:
        return
    if len(numbers) > 1 and n % 6 == 3:
        _add_parcel(db, fake, n, order, numbers[:1], "")
        _add_parcel(db, fake, n, order, numbers[1:], "B")
    else:
        _add_parcel(db, fake, n, order, numbers, "")


def _add_parcel(
    db: Database, fake: Fake, n: int, order: Order, numbers: list[int], extra: str
) -> None:
    now = db.now()
    gone = order.status == "delivered" or order.status == "part_shipped" and n % 20 == 3
    shipped = min(
        order.placed_at + timedelta(minutes=fake.integer(180, 2000 if extra else 1300)),
        now - timedelta(minutes=90),
    )
    days = SHIP_DAYS[order.shipping_method]
    carrier = CARRIERS[n % 4]
    lost = order.status == "delivered" and (now - order.placed_at).days > 24 and n % 61 == 17
    if lost:
        db.shipments.add(
            order_id=order.order_id,
            carrier=carrier,
            tracking_number=f"{_tracking(carrier, n)}{extra}L",
            status="lost",
            line_numbers=numbers,
            items=_items_of(order, numbers),
            shipped_at=shipped,
            promised_on=shipped.date() + timedelta(days=days),
        )
        shipped = shipped + timedelta(minutes=(days + 3) * 1440)
    late = fake.integer(1, 4) if fake.chance(0.07) else 0
    took = timedelta(minutes=fake.integer(days * 500, days * 1300) + late * 1440)
    arrived = min(shipped + took, now - timedelta(minutes=fake.integer(20, 80)))
    db.shipments.add(
        order_id=order.order_id,
        carrier=carrier,
        tracking_number=f"{_tracking(carrier, n)}{extra}",
        status="delivered" if gone else "in_transit",
        line_numbers=numbers,
        items=_items_of(order, numbers),
        shipped_at=shipped,
        promised_on=shipped.date() + timedelta(days=days),
        delivered_at=arrived if gone else None,
    )


def _arrivals(db: Database) -> dict[OrderId, datetime]:
    # When all that was ordered had arrived; what came in exchange later is left out.
    found: dict[OrderId, datetime] = {}
    for parcel in db.shipments.all():
        first = db.orders.get(parcel.order_id).lines[parcel.line_numbers[0] - 1]
        if parcel.delivered_at is not None and first.replaces is None:
            before = found.get(parcel.order_id, parcel.delivered_at)
            found[parcel.order_id] = max(before, parcel.delivered_at)
    return found


def _delivered(db: Database) -> tuple[list[Order], list[Order]]:
    # Delivered orders, old and of the last four weeks.
    arrivals = _arrivals(db)
    rows = [order for order in db.orders.all() if order.status == "delivered"]
    edge = db.now() - timedelta(days=28)
    old = [order for order in rows if arrivals[order.order_id] < edge]
    return old, [order for order in rows if arrivals[order.order_id] >= edge]


def _payments_by_order(db: Database) -> dict[OrderId, list[Payment]]:
    found: dict[OrderId, list[Payment]] = {}
    for payment in db.payments.all():
        found.setdefault(payment.order_id, []).append(payment)
    for rows in found.values():
        rows.sort(key=lambda row: (row.gift_card_id is not None, row.paid_at, row.amount))
    return found


def _give_back(
    db: Database,
    order: Order,
    payments: list[Payment],
    amount: Decimal,
    when: datetime,
    reason: RefundReason,
    credit: GiftCardId | None = None,
    return_id: ProductReturnId | None = None,
    line_number: int | None = None,
) -> None:
    rest = amount
    for row in payments:
        payment = db.payments.get(row.payment_id)
        part = min(rest, payment.amount - payment.refunded)
        if part <= 0:
            continue
        rest -= part
        refunded = payment.refunded + part
        db.payments.update(
            payment.payment_id,
            refunded=refunded,
            status=_payment_status(payment.amount, refunded),
        )
        card_id = payment.gift_card_id if credit is None else credit
        db.refunds.add(
            order_id=order.order_id,
            payment_id=payment.payment_id,
            line_number=line_number,
            return_id=return_id,
            gift_card_id=card_id,
            amount=part,
            taken_off=Decimal(0),
            reason=reason,
            refunded_at=when,
        )
        if card_id is not None:
            db.gift_cards.update(card_id, balance=db.gift_cards.get(card_id).balance + part)


def _return_status(k: int, recent: bool) -> ReturnStatus:
    early: list[ReturnStatus] = ["requested", "received", "requested", "inspected"]
    late: list[ReturnStatus] = ["refunded", "refunded", "refused", "refunded", "cancelled"]
    return early[k % 4] if recent else late[k % 5]


def seed_returns(db: Database, fake: Fake, count: int) -> None:
    """Make returns: those of late deliveries are under way, those of older ones finished."""
    arrivals, payments = _arrivals(db), _payments_by_order(db)
    products = {
        variant.variant_id: db.products.get(variant.product_id) for variant in db.variants.all()
    }
    old, recent = _delivered(db)
    for k in range(count):
        fresh = k % 10 < 4
        # Even places only: exchanges take their orders from the odd ones.
        rows = recent if fresh else old
        turn = k // 10 * (4 if fresh else 6) + (k % 10 if fresh else k % 10 - 4)
        if turn * 2 >= len(rows):
            continue
        order = rows[turn * 2] if fresh else rows[len(rows) // 2 * 2 - 2 - turn * 2]
        line = _next_line(order, products, k)
        if line is not None:
            _add_return(db, fake, k, order, line, _return_status(turn, fresh), arrivals, payments)


def _next_line(order: Order, products: dict[VariantId, Product], k: int) -> OrderLine | None:
    """Return the line of an order to send back, if any may be."""
    lines = [
        line
        for line in order.lines
        if line.status == "shipped" and products[line.variant_id].return_days > 0
    ]
    return lines[k % len(lines)] if lines else None


def _inspected_line(k: int, line: OrderLine, units: int, status: ReturnStatus) -> ReturnLine:
    reason = REASONS[k % 6] if status != "refused" else REASONS[k % 2]
    condition: ItemCondition | None = None
    if status in ("inspected", "refunded"):
        condition = "opened" if k % 5 == 3 else "as_new"
        condition = "broken" if reason in FAULTY and k % 2 == 0 else condition
    if status == "refused":
        condition = "worn"
    accepted = None if condition is None else status != "refused"
    paid = line.unit_price * line.quantity - line.discount
    worth = money(paid * units / line.quantity)
    if condition == "opened" and reason not in FAULTY:
        worth = money(worth * 85 / 100)
    return ReturnLine(
        line_number=line.line_number,
        item=line.item,
        quantity=units,
        reason=reason,
        condition=condition,
        accepted=accepted,
        refund=worth if status == "refunded" else Decimal(0),
    )


def _add_return(
    db: Database,
    fake: Fake,
    k: int,
    order: Order,
    line: OrderLine,
    status: ReturnStatus,
    arrivals: dict[OrderId, datetime],
    payments: dict[OrderId, list[Payment]],
) -> None:
    units = line.quantity if k % 3 == 0 else 1
    back = _inspected_line(k, line, units, status)
    arrived = arrivals[order.order_id]
    span = min((db.now() - arrived) // 3, timedelta(minutes=12 * 1440))
    asked = arrived + span * fake.integer(30, 100) // 100
    reached = asked + span * fake.integer(40, 90) // 100
    ended = reached + span * fake.integer(10, 80) // 100
    gold = db.customers.get(order.customer_id).tier == "gold"
    fee = Decimal(0) if gold or back.reason in FAULTY else Decimal("6.95")
    fee = min(fee, back.refund)
    row = db.returns.add(
        order_id=order.order_id,
        customer_id=order.customer_id,
        status=status,
        lines=[back],
        refund_to="gift_card" if k % 6 == 5 else "original_payment",
        fee=fee,
        refund_amount=back.refund - fee,
        requested_at=asked.replace(second=0, microsecond=0),
        received_at=None
        if status in ("requested", "cancelled")
        else reached.replace(second=0, microsecond=0),
        closed_at=ended.replace(second=0, microsecond=0)
        if status in ("refunded", "refused", "cancelled")
        else None,
    )
    if status not in ("refused", "cancelled"):
        _count_back(db, order, line, units, 0)
    if row.refund_amount > 0 and row.closed_at is not None:
        credit = _credit_card(db, order, row.closed_at) if row.refund_to == "gift_card" else None
        _give_back(
            db,
            order,
            payments[order.order_id],
            row.refund_amount,
            row.closed_at,
            "product_return",
            credit,
            row.return_id,
        )


def _credit_card(db: Database, order: Order, when: datetime) -> GiftCardId:
    card = db.gift_cards.add(
        customer_id=order.customer_id,
        status="active",
        loaded=Decimal(0),
        carried_over=Decimal(0),
        balance=Decimal(0),
        issued_on=when.date(),
        expires_on=when.date() + timedelta(days=1825),
    )
    return card.gift_card_id


def _count_back(db: Database, order: Order, line: OrderLine, returned: int, swapped: int) -> None:
    lines = [
        row.replace(returned=row.returned + returned, exchanged=row.exchanged + swapped)
        if row.line_number == line.line_number
        else row
        for row in order.lines
    ]
    db.orders.update(order.order_id, lines=lines)


def seed_exchanges(db: Database, fake: Fake, count: int) -> None:
    """Make exchanges for other variants, under way, completed and cancelled."""
    arrivals, payments = _arrivals(db), _payments_by_order(db)
    methods = _methods_by_customer(db)
    siblings = {product.product_id: variants for product, variants in _shelves(db)}
    old, recent = _delivered(db)
    for k in range(count):
        fresh = k % 3 == 0
        rows = recent if fresh else old
        turn = (k // 3 if fresh else k - k // 3) * 2 + 1
        if turn >= len(rows):
            continue
        order = rows[turn]
        line = order.lines[0]
        variant = db.variants.get(line.variant_id)
        others = [row for row in siblings[variant.product_id] if row != variant]
        if not others or line.status != "shipped" or line.returned > 0:
            continue
        if db.products.get(variant.product_id).return_days == 0:
            continue
        paid = payments[order.order_id]
        _add_exchange(db, fake, k, order, fake.pick(others), arrivals, methods, paid)


def _add_exchange(
    db: Database,
    fake: Fake,
    k: int,
    order: Order,
    new: Variant,
    arrivals: dict[OrderId, datetime],
    methods: dict[CustomerId, list[PaymentMethod]],
    payments: list[Payment],
) -> None:
    line = order.lines[0]
    later: list[ExchangeStatus] = ["completed", "completed", "cancelled"]
    status: ExchangeStatus = "requested" if k % 3 == 0 else later[k // 3 % 3]
    # Of some lately completed the new units have not arrived.
    on_way = k % 12 == 9
    status = "completed" if on_way else status
    arrived = arrivals[order.order_id]
    span = min((db.now() - arrived) // 2, timedelta(minutes=10 * 1440))
    asked = (arrived + span * fake.integer(20, 100) // 100).replace(second=0, microsecond=0)
    ended = (asked + span * fake.integer(50, 95) // 100).replace(second=0, microsecond=0)
    paid = money((line.unit_price * line.quantity - line.discount) / line.quantity)
    same = new.price == db.variants.get(line.variant_id).price
    unit_price = line.unit_price if same else new.price
    difference = max(unit_price - line.unit_price, -paid)
    method_id = methods[order.customer_id][0].payment_method_id
    db.exchanges.add(
        order_id=order.order_id,
        customer_id=order.customer_id,
        line_number=1,
        quantity=1,
        item=line.item,
        new_variant_id=new.variant_id,
        new_item=_item_name(db.products.get(new.product_id), new),
        unit_price=unit_price,
        difference=difference,
        price_adjusted=False,
        payment_method_id=method_id if difference > 0 else None,
        status=status,
        condition=fake.pick(["as_new", "as_new", "opened"]) if status == "completed" else None,
        new_line_number=len(order.lines) + 1 if status == "completed" else None,
        requested_at=asked,
        closed_at=None if status == "requested" else ended,
    )
    if status != "cancelled":
        _count_back(db, order, line, 0, 1)
    if status == "completed":
        discount = unit_price - paid - difference
        number = f"{_tracking('ups', k)}X"
        _send_replacement(db, order, new, unit_price, discount, number, ended, on_way)
    if status == "completed" and difference > 0:
        db.payments.add(
            order_id=order.order_id,
            payment_method_id=method_id,
            amount=difference,
            refunded=Decimal(0),
            status="captured",
            paid_at=ended,
        )
    if status == "completed" and difference < 0:
        _give_back(db, order, payments, -difference, ended, "exchange_difference")


def _send_replacement(
    db: Database,
    order: Order,
    new: Variant,
    unit_price: Decimal,
    discount: Decimal,
    number: str,
    sent: datetime,
    on_way: bool,
) -> None:
    line = OrderLine(
        line_number=len(order.lines) + 1,
        variant_id=new.variant_id,
        item=_item_name(db.products.get(new.product_id), new),
        quantity=1,
        unit_price=unit_price,
        discount=discount,
        status="shipped",
        returned=0,
        exchanged=0,
        replaces=1,
    )
    lines = [*db.orders.get(order.order_id).lines, line]
    db.orders.update(order.order_id, lines=lines, status="shipped" if on_way else order.status)
    days = SHIP_DAYS[order.shipping_method]
    db.shipments.add(
        order_id=order.order_id,
        carrier="ups",
        tracking_number=number,
        status="in_transit" if on_way else "delivered",
        line_numbers=[line.line_number],
        items=[line.item],
        shipped_at=sent,
        promised_on=sent.date() + timedelta(days=days),
        delivered_at=None if on_way else sent + timedelta(minutes=days * 1100),
    )


def _was_late(db: Database) -> set[OrderId]:
    return {
        parcel.order_id
        for parcel in db.shipments.all()
        if parcel.delivered_at is not None and parcel.delivered_at.date() > parcel.promised_on
    }


def _untouched_line(order: Order) -> OrderLine | None:
    """Return the first line of which all units were kept, if there is one."""
    for line in order.lines:
        if line.status == "shipped" and line.returned + line.exchanged == 0:
            return line
    return None


def seed_adjustments(db: Database, fake: Fake, count: int) -> None:
    """Make small refunds for late parcels, damage, price changes and goodwill."""
    arrivals, payments, late = _arrivals(db), _payments_by_order(db), _was_late(db)
    rows = [order for order in db.orders.all() if order.status == "delivered"]
    slow = [order for order in rows if order.order_id in late]
    other = [order for order in rows if order.order_id not in late]
    for k in range(count):
        reason = ADJUSTMENTS[k % 4]
        pool = slow if reason == "late_delivery" else other
        # From the newest order backwards: price adjustments need an order of the last two weeks.
        if k * 3 // 2 >= len(pool):
            continue
        order = pool[len(pool) - 1 - k * 3 // 2]
        line = _untouched_line(order)
        if line is None:
            continue
        if reason == "price_adjustment" and (db.now() - order.placed_at).days >= 12:
            reason = "goodwill"
        # What was free is not paid back for lateness.
        if reason == "late_delivery" and order.shipping_fee == 0:
            reason = "goodwill"
        paid = payments[order.order_id]
        free = sum((row.amount - row.refunded for row in paid), Decimal(0))
        worth = line.unit_price * line.quantity - line.discount
        amount = min(money(order.total * fake.integer(5, 20) / 100), free, money(worth / 2))
        arrived = arrivals[order.order_id]
        span = min(db.now() - arrived, timedelta(minutes=3 * 1440))
        when = (arrived + span * fake.integer(10, 90) // 100).replace(second=0, microsecond=0)
        number: int | None = line.line_number
        if reason == "late_delivery":
            amount, number = min(order.shipping_fee, money(order.total / 2), free), None
        _give_back(db, order, paid, amount, when, reason, line_number=number)
        if reason == "price_adjustment":
            price = money((worth - amount) / line.quantity)
            db.variants.update(line.variant_id, price=price)


def seed_carts(db: Database, fake: Fake, count: int) -> None:
    """Make carts: open ones, abandoned ones and those that became orders."""
    shelves = [shelf for shelf in _shelves(db) if shelf[0].status == "active"]
    buyers = [customer for customer in db.customers.all() if customer.status == "active"]
    orders = db.orders.all()
    for n in range(count):
        if n % 6 == 5 and n < len(orders):
            _add_ordered_cart(db, fake, orders[len(orders) - 1 - n])
            continue
        taken = n % 6 < 4 and n < len(buyers)
        began = db.now() - timedelta(minutes=fake.integer(300, 14000 if taken else 90000))
        chosen = _basket(fake, shelves, fake.weighted({1: 35, 2: 30, 3: 25, 4: 10}))
        db.carts.add(
            customer_id=buyers[n % len(buyers)].customer_id,
            status="open" if taken else "abandoned",
            lines=[
                CartLine(
                    variant_id=variant.variant_id,
                    item=_item_name(product, variant),
                    quantity=min(units, max(variant.stock, 1)),
                )
                for product, variant, units in chosen
            ],
            created_at=began,
            updated_at=began + timedelta(minutes=fake.integer(1, 280)),
        )


def _add_ordered_cart(db: Database, fake: Fake, order: Order) -> None:
    db.carts.add(
        customer_id=order.customer_id,
        status="checked_out",
        lines=[
            CartLine(variant_id=line.variant_id, item=line.item, quantity=line.quantity)
            for line in order.lines
        ],
        promotion_id=order.promotion_id,
        order_id=order.order_id,
        created_at=order.placed_at - timedelta(minutes=fake.integer(5, 2000)),
        updated_at=order.placed_at,
    )


def seed_reviews(db: Database, fake: Fake, count: int) -> None:
    """Make reviews of delivered products, one for each customer and product."""
    arrivals = _arrivals(db)
    product_of = {variant.variant_id: variant.product_id for variant in db.variants.all()}
    written: set[tuple[CustomerId, ProductId]] = set()
    made = 0
    for order in db.orders.all():
        if (
            order.status != "delivered"
            or made >= count
            or (db.today() - order.placed_at.date()).days < 8
        ):
            continue
        line = order.lines[0]
        pair = (order.customer_id, product_of[line.variant_id])
        if pair in written or fake.chance(0.5):
            continue
        written.add(pair)
        stars = 1 + made if made < 5 else fake.weighted({5: 44, 4: 29, 3: 13, 2: 8, 1: 6})
        arrived = arrivals[order.order_id].date()
        latest = min(arrived + timedelta(days=30), db.today())
        db.reviews.add(
            product_id=pair[1],
            product_name=db.products.get(pair[1]).name,
            customer_id=pair[0],
            rating=stars,
            title=fake.pick(HEADLINES[stars - 1]),
            body=f"{fake.pick(FIRST_WORDS[stars - 1])} {fake.pick(SECOND_WORDS[stars - 1])}",
            written_on=fake.day(arrived, latest),
        )
        made += 1


def _case_status(n: int) -> CaseStatus:
    if n % 5 == 1:
        return "open"
    return "waiting_for_customer" if n % 5 == 3 else "resolved"


def _reopen_accounts_with_money(db: Database) -> None:
    # Nobody can have closed an account while a gift card had money on it.
    for card in db.gift_cards.all():
        if card.balance > 0 and card.expires_on >= db.today():
            db.customers.update(card.customer_id, status="active")


def _case_time(
    db: Database, fake: Fake, order: Order, arrived: datetime | None, lost: bool
) -> tuple[datetime, timedelta]:
    # When the case is opened, and the time between its messages.
    if arrived is None or lost:
        whole = (db.now() if arrived is None else arrived) - order.placed_at
        return order.placed_at + whole * 4 // 5, whole // 20 if arrived is None else whole // 5
    span = min(db.now() - arrived, timedelta(minutes=12 * 1440))
    return arrived + span * fake.integer(5, 60) // 100, span // 10


def seed_cases(db: Database, fake: Fake, count: int) -> None:
    """Make support cases with their messages; those of older orders are resolved."""
    buyers = db.customers.all()
    arrivals = _arrivals(db)
    old, recent = _delivered(db)
    waiting = [order for order in db.orders.all() if order.status == "shipped"]
    priorities: dict[CasePriority, int] = {"low": 20, "normal": 55, "high": 18, "urgent": 7}
    for n in range(count):
        talk = TALKS[n * 3 % len(TALKS)]
        status = _case_status(n)
        lost = n * 3 % len(TALKS) == 0
        rows = old if status == "resolved" else waiting if lost else recent
        turn = n // len(TALKS) if rows == waiting else n
        order: Order | None = None
        customer_id = buyers[n * 7 % len(buyers)].customer_id
        opened = db.now() - timedelta(minutes=fake.integer(600, 8000))
        gap = timedelta(minutes=fake.integer(30, 150))
        if talk[0] in ("delivery", "returns", "payment") and turn < len(rows):
            order = rows[len(rows) - 1 - turn]
            customer_id = order.customer_id
            opened, gap = _case_time(db, fake, order, arrivals.get(order.order_id), lost)
        opened = opened.replace(second=0, microsecond=0)
        gap = timedelta(minutes=gap.days * 1440 + gap.seconds // 60)
        case = db.cases.add(
            customer_id=customer_id,
            order_id=None if order is None else order.order_id,
            topic=talk[0],
            priority=fake.weighted(priorities),
            status=status,
            subject=talk[1],
            opened_at=opened,
            resolved_at=opened + gap * 3 if status == "resolved" else None,
        )
        _add_messages(db, case, talk, order, gap)
    _reopen_accounts_with_money(db)


def _add_messages(
    db: Database,
    case: SupportCase,
    talk: tuple[CaseTopic, str, str, str, str],
    order: Order | None,
    gap: timedelta,
) -> None:
    item = "it" if order is None else order.lines[0].item
    words = "my order" if order is None else f"order {order.order_id}"
    asked = talk[2].replace("Order NUMBER", f"{words[:1].upper()}{words[1:]}")
    asked = asked.replace("order NUMBER", words).replace("ITEM", item)
    texts: list[tuple[MessageAuthor, str]] = [("customer", asked)]
    if case.status != "open":
        texts.append(("agent", talk[3]))
    if case.status == "resolved":
        texts.append(("agent", talk[4]))
    for turn, (author, text) in enumerate(texts):
        db.case_messages.add(
            case_id=case.case_id,
            author=author,
            text=text,
            sent_at=case.opened_at + gap * (3 if turn == 2 else turn),
        )
