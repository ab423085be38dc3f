"""Products and promotions."""

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
ADJECTIVES = ["Made to last", "A shop favorite", "Tested by our staff", "Much loved", "Simple"]
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
