FIRST_NAMES = (
    "Anna",
    "Ben",
    "Clara",
    "David",
    "Elif",
    "Felix",
    "Greta",
    "Hannes",
    "Ida",
    "Jonas",
    "Katja",
    "Leon",
    "Mira",
    "Nils",
    "Olga",
    "Paul",
    "Rana",
    "Simon",
    "Tessa",
    "Umut",
    "Vera",
    "Willem",
    "Yara",
    "Zoe",
)
LAST_NAMES = (
    "Keller",
    "Brandt",
    "Vogel",
    "Hartmann",
    "Demir",
    "Lorenz",
    "Seidel",
    "Krause",
    "Winter",
    "Albers",
    "Novak",
    "Fischer",
    "Sommer",
    "Jansen",
    "Petrova",
    "Wagner",
    "Haddad",
    "Koch",
    "Maurer",
    "Aydin",
    "Lindner",
    "Peters",
    "Nassar",
    "Engel",
)
USER_STATUSES = ("active", "active", "active", "active", "active", "suspended", "active", "closed")
CATEGORY_NAMES = (
    "Bicycles",
    "Phones and tablets",
    "Computers",
    "Cameras",
    "Furniture",
    "Kitchen",
    "Clothing",
    "Designer bags",
    "Toys and games",
    "Books",
    "Musical instruments",
    "Watches and jewellery",
)
FEE_RATES = (0.08, 0.07, 0.07, 0.08, 0.09, 0.1, 0.1, 0.12, 0.09, 0.05, 0.08, 0.12)
SHIPPING_PRICES = (
    "14.90",
    "4.99",
    "6.99",
    "5.49",
    "24.90",
    "6.99",
    "4.49",
    "5.49",
    "4.99",
    "2.99",
    "12.90",
    "7.49",
)
CATEGORY_RESTRICTED = (
    False,
    False,
    False,
    False,
    False,
    False,
    False,
    True,
    False,
    False,
    False,
    True,
)
STREETS = (
    "Lindenstrasse",
    "Hauptstrasse",
    "Gartenweg",
    "Am Markt",
    "Bergstrasse",
    "Schulstrasse",
    "Uferweg",
)
CITIES = (
    "10969 Berlin",
    "20357 Hamburg",
    "80469 Munich",
    "50674 Cologne",
    "04109 Leipzig",
    "60316 Frankfurt",
)
REPORT_STATUSES = ("open", "upheld", "open", "dismissed", "open", "upheld", "open")
REPORT_REASONS = ("counterfeit", "prohibited_item", "fraud", "harassment", "fake_review", "spam")
UPHELD_NOTES = (
    "Clearly against the rules, seen in the pictures",
    "Same text sent to many users",
    "Logo and serial number are fake",
    "Admitted by the user",
)
DISMISSED_NOTES = (
    "Nothing against the rules found",
    "A quarrel between two users, no breach",
    "Proof of purchase was shown",
    "Reported twice, decided before",
)
SANCTION_KINDS = (
    "suspension",
    "suspension",
    "suspension",
    "warning",
    "warning",
    "warning",
    "suspension",
    "suspension",
    "warning",
    "suspension",
    "suspension",
    "warning",
)
SANCTION_STATUSES = (
    "active",
    "active",
    "active",
    "active",
    "active",
    "active",
    "lifted",
    "lifted",
    "lifted",
    "ended",
    "ended",
    "active",
)
LISTING_STATUSES = (
    "sold",
    "active",
    "sold",
    "reserved",
    "sold",
    "active",
    "draft",
    "sold",
    "active",
    "sold",
    "expired",
    "sold",
    "reserved",
    "sold",
    "active",
    "sold",
    "withdrawn",
    "sold",
    "active",
    "sold",
    "reserved",
    "sold",
    "active",
    "draft",
    "sold",
    "removed",
    "sold",
    "active",
)
LISTING_TITLES = (
    "City bike 28 inch",
    "Phone 128 GB black",
    "Laptop 14 inch",
    "Mirrorless camera",
    "Oak bookshelf",
    "Espresso machine",
    "Winter coat size M",
    "Leather handbag",
    "Wooden train set",
    "Crime novels, 12 books",
    "Acoustic guitar",
    "Steel wristwatch",
    "Road bike 56 cm",
    "Tablet 10 inch",
    "Gaming monitor",
    "Carbon tripod",
    "Desk 140 x 70 cm",
    "Stand mixer",
    "Rain jacket size L",
    "Canvas shoulder bag",
    "Board game bundle",
    "Cookbooks, set of 5",
    "Digital piano",
    "Silver necklace",
)
LISTING_DETAILS = (
    "with receipt",
    "original box",
    "bought in 2023",
    "smoke-free household",
    "rarely used",
    "second owner",
    "cleaned and checked",
)
LISTING_PRICES = (
    180,
    240,
    380,
    420,
    90,
    150,
    60,
    320,
    35,
    25,
    130,
    210,
    450,
    170,
    160,
    70,
    110,
    140,
    45,
    260,
    50,
    20,
    390,
    75,
)
CONDITIONS = ("new", "like_new", "like_new", "good", "good", "fair", "for_parts")
MESSAGE_QUESTIONS = (
    "Is it still available?",
    "Would you ship it this week?",
    "Are there any scratches or marks?",
    "Is the original receipt included?",
    "Could I pick it up on Saturday?",
    "What is your lowest price?",
    "How old is it exactly?",
    "Does everything work as it should?",
)
MESSAGE_ANSWERS = (
    "Yes, it is still here",
    "Yes, I can post it the day after payment",
    "Only a small mark on the back",
    "The receipt is included",
    "Saturday after ten is fine",
    "Make me an offer and I will think about it",
    "I bought it about two years ago",
    "Everything works, I tested it today",
)
RUDE_TEXTS = (
    "You are a thief and I will find out where you live",
    "Only an idiot would ask so much for this junk",
    "Stop wasting my time, you liar",
    "Answer me now or you will be sorry",
)
OFFER_STATUSES = (
    "open",
    "accepted",
    "declined",
    "countered",
    "accepted",
    "open",
    "expired",
    "accepted",
    "open",
    "declined",
    "accepted",
    "expired",
)
ORDER_STATUSES = (
    "completed",
    "completed",
    "completed",
    "completed",
    "completed",
    "refunded",
    "refunded",
    "refunded",
    "disputed",
    "disputed",
    "completed",
    "completed",
    "completed",
    "completed",
    "disputed",
    "disputed",
    "disputed",
    "delivered",
    "delivered",
    "shipped",
    "shipped",
    "shipped",
    "paid",
    "paid",
    "paid",
    "paid",
    "placed",
    "placed",
    "placed",
    "cancelled",
)
ORDER_DAYS = (
    34,
    33,
    31,
    30,
    28,
    26,
    25,
    20,
    12,
    11,
    12,
    10,
    9,
    8,
    10,
    9,
    15,
    6,
    7,
    4,
    5,
    14,
    1,
    2,
    3,
    6,
    1,
    3,
    1,
    2,
)
CANCEL_REASONS = (
    "not_paid",
    "buyer_changed_mind",
    "seller_unavailable",
    "suspected_fraud",
    "buyer_changed_mind",
)
PAYMENT_METHODS = ("card", "wallet", "card", "bank_transfer")
CARRIERS = ("dhl", "gls", "dpd", "ups", "postal_service")
SHIPMENT_STATUSES = (
    "delivered",
    "delivered",
    "delivered",
    "delivered",
    "delivered",
    "delivered",
    "lost",
    "delivered",
    "delivered",
    "delivered",
    "delivered",
    "delivered",
    "delivered",
    "in_transit",
    "lost",
    "delivered",
    "delivered",
    "in_transit",
    "in_transit",
    "lost",
)
PAYOUT_STATUSES = (
    "paid",
    "paid",
    "paid",
    "paid",
    "pending",
    "cancelled",
    "held",
    "held",
    "pending",
    "paid",
    "pending",
    "pending",
)
DISPUTE_ORDERS = (0, 8, 2, 14, 5, 3, 9, 6, 15, 4, 10, 16)
DISPUTE_STATUSES = (
    "settled",
    "answered",
    "settled",
    "open",
    "settled",
    "settled",
    "open",
    "settled",
    "answered",
    "settled",
    "settled",
    "open",
)
DISPUTE_REASONS = (
    "not_as_described",
    "counterfeit",
    "damaged",
    "wrong_item",
    "counterfeit",
    "not_as_described",
    "not_as_described",
    "damaged",
    "not_received",
    "wrong_item",
    "damaged",
    "not_received",
)
DISPUTE_TEXTS = (
    "The colour is not the one in the pictures",
    "The serial number does not exist",
    "One corner is broken off",
    "This is another model than I bought",
    "A shop told me it is a fake",
    "It was called rarely used but is worn",
    "It smells of smoke and has a dent",
    "It arrived in two pieces",
    "Nothing has come after five days",
    "I got a different size",
    "The lid is cracked right through",
    "The parcel never arrived",
)
DISPUTE_OUTCOMES = (
    "no_refund",
    "no_refund",
    "partial_refund",
    "no_refund",
    "full_refund",
    "partial_refund",
    "no_refund",
    "full_refund",
    "no_refund",
    "no_refund",
    "partial_refund",
    "no_refund",
)
DISPUTE_RESPONSES = (
    "It was fine when I packed it",
    "I can give part of the price back",
    "My pictures show exactly this",
    "I am sorry, it must have happened on the way",
)
REVIEW_RATINGS = (4, 5, 3, 3, 4, 1, 1, 2, 3, 5, 5, 4, 5, 5, 4, 5)
REVIEW_COMMENTS = (
    "Good seller, quick answers",
    "Easy pickup, very friendly",
    "Fine, but poorly packed",
    "Took a while to arrive",
    "Nice item, fair price",
    "This is a fake, stay away",
    "Not genuine, I want my money back",
    "Not what the listing said",
    "Lid was cracked",
    "Perfect, thank you",
    "Better than in the pictures",
    "All went well",
    "Paid at once",
    "Kind and patient buyer",
    "Smooth trade",
    "Gladly again",
)
REVIEW_STATUSES = (
    "visible",
    "visible",
    "visible",
    "removed",
    "visible",
    "visible",
    "visible",
    "visible",
    "visible",
    "visible",
    "visible",
    "visible",
    "visible",
    "visible",
    "removed",
    "visible",
)
REVIEW_REPLIES = (
    "Thank you, gladly again",
    "Sorry for the long wait",
    "Glad you like it",
    "Thanks, all the best",
)


def seed_users(db: Database, fake: Fake, count: int) -> None:
    """Make users."""
    for n in range(count):
        first = FIRST_NAMES[n % len(FIRST_NAMES)]
        last = LAST_NAMES[n % len(LAST_NAMES)]
        db.users.add(
            name=f"{first} {last}",
            email=f"{first}.{last}{n + 1}@example.com".lower(),
            phone=f"+49 151 55501{n:02d}",
            status=USER_STATUSES[n % len(USER_STATUSES)],
            verified=n % 3 != 2,
            joined_on=fake.day(date(2021, 1, 4), date(2025, 12, 19)),
        )


def seed_categories(db: Database, fake: Fake, count: int) -> None:
    """Make categories."""
    for n in range(count):
        db.categories.add(
            name=CATEGORY_NAMES[n % len(CATEGORY_NAMES)],
            fee_rate=FEE_RATES[n % len(FEE_RATES)],
            shipping_price=Decimal(SHIPPING_PRICES[n % len(SHIPPING_PRICES)]),
            restricted=CATEGORY_RESTRICTED[n % len(CATEGORY_RESTRICTED)],
        )


def seed_addresses(db: Database, fake: Fake, count: int) -> None:
    """Make addresses."""
    users = db.users.all()
    for n in range(count):
        user = users[n % len(users)]
        place = CITIES[n % len(CITIES)]
        db.addresses.add(
            user_id=user.user_id,
            label="Home" if n < len(users) else "Office",
            recipient=user.name,
            street=f"{STREETS[n % len(STREETS)]} {n + 3}",
            postal_code=place[:5],
            city=place[6:],
        )


def seed_reports(db: Database, fake: Fake, count: int) -> None:
    """Make reports."""
    members = [user for user in db.users.all() if user.status != "closed"]
    for n in range(count):
        status = REPORT_STATUSES[n % len(REPORT_STATUSES)]
        start = n * 4 + 1
        filed = db.now() - timedelta(days=5 + n % 10, hours=n % 6)
        note = UPHELD_NOTES[n % len(UPHELD_NOTES)]
        if status == "open":
            filed = db.now() - timedelta(days=1, hours=n)
        if status == "dismissed":
            note = DISMISSED_NOTES[n % len(DISMISSED_NOTES)]
        db.reports.add(
            reporter_id=members[start % len(members)].user_id,
            reported_user_id=members[(start + 1 + n % 5) % len(members)].user_id,
            target="user",
            reason=REPORT_REASONS[n % len(REPORT_REASONS)],
            status=status,
            note=None if status == "open" else note,
            filed_at=filed,
            decided_at=None if status == "open" else filed + timedelta(days=1),
        )


def seed_sanctions(db: Database, fake: Fake, count: int) -> None:
    """Make sanctions."""
    suspended = db.users.where(status="suspended")
    others = db.users.where(status="active")
    for n in range(count):
        user = others[n * 3 % len(others)]
        starts = db.today() - timedelta(days=10 * n)
        if n < len(suspended):
            user = suspended[n]
            starts = db.today() - timedelta(days=1 + n)
        kind = SANCTION_KINDS[n % len(SANCTION_KINDS)]
        status = SANCTION_STATUSES[n % len(SANCTION_STATUSES)]
        lifted = db.now() - timedelta(days=10 * n - 5)
        db.sanctions.add(
            user_id=user.user_id,
            kind=kind,
            reason=REPORT_REASONS[n % len(REPORT_REASONS)],
            status=status,
            starts_on=starts,
            ends_on=starts + timedelta(days=30) if kind == "suspension" else None,
            lifted_at=lifted if status == "lifted" else None,
        )


def seed_listings(db: Database, fake: Fake, count: int) -> None:
    """Make listings."""
    users = db.users.all()
    categories = db.categories.all()
    for n in range(count):
        status = LISTING_STATUSES[n % len(LISTING_STATUSES)]
        category = categories[n % len(categories)]
        wanted = "suspended" if status in ("withdrawn", "removed") else "active"
        sellers = [
            user
            for user in users
            if user.status == wanted
            and (user.verified or wanted == "suspended" or not category.restricted)
        ]
        ages = {"sold": 14 + (count - n) // 2, "expired": 33 + n % 10, "removed": 26}
        age = timedelta(days=ages.get(status, 3 + n % 20), hours=n % 7)
        published = db.now() - age
        expires = (published + timedelta(days=30)).date()
        title = LISTING_TITLES[n % len(LISTING_TITLES)]
        price = LISTING_PRICES[n % len(LISTING_PRICES)] + fake.integer(0, 9)
        db.listings.add(
            seller_id=sellers[n % len(sellers)].user_id,
            category_id=category.category_id,
            title=f"{title}, {LISTING_DETAILS[n % len(LISTING_DETAILS)]}",
            condition=fake.pick(CONDITIONS),
            price=money(Decimal(price)),
            status=status,
            published_at=None if status == "draft" else published,
            expires_on=None if status == "draft" else expires,
        )
    removed = db.listings.where(status="removed")
    live = db.listings.where(status="active")
    for n, report in enumerate(db.reports.all()):
        if report.reason in ("counterfeit", "prohibited_item", "fraud"):
            pool = removed if report.status == "upheld" else live
            listing = pool[n % len(pool)]
            others = [user for user in users if user.user_id != listing.seller_id]
            db.reports.update(
                report.report_id,
                target="listing",
                listing_id=listing.listing_id,
                reporter_id=others[n % len(others)].user_id,
                reported_user_id=listing.seller_id,
            )
            owner = listing.seller_id if report.status == "upheld" else ""
            for sanction in db.sanctions.where(user_id=owner, status="active"):
                db.sanctions.update(sanction.sanction_id, report_id=report.report_id)


def seed_watches(db: Database, fake: Fake, count: int) -> None:
    """Make watches."""
    users = db.users.where(status="active")
    live = db.listings.where(status="active") + db.listings.where(status="reserved")
    for n in range(count):
        listing = live[n % len(live)]
        others = [user for user in users if user.user_id != listing.seller_id]
        published = listing.published_at or db.now()
        db.watches.add(
            user_id=others[n * 7 % len(others)].user_id,
            listing_id=listing.listing_id,
            watched_price=money(listing.price + 10) if n % 4 == 0 else listing.price,
            watched_at=published + timedelta(days=2, hours=n % 5),
        )


def seed_messages(db: Database, fake: Fake, count: int) -> None:
    """Make messages."""
    users = db.users.where(status="active")
    live = db.listings.where(status="active") + db.listings.where(status="reserved")
    for n in range(count):
        pair = n // 2
        listing = live[pair % len(live)]
        others = [user for user in users if user.user_id != listing.seller_id]
        buyer_id = others[pair * 5 % len(others)].user_id
        asked = (listing.published_at or db.now()) + timedelta(days=1, hours=pair % 9)
        question = MESSAGE_QUESTIONS[pair % len(MESSAGE_QUESTIONS)]
        answer = MESSAGE_ANSWERS[pair % len(MESSAGE_ANSWERS)]
        db.messages.add(
            sender_id=buyer_id if n % 2 == 0 else listing.seller_id,
            recipient_id=listing.seller_id if n % 2 == 0 else buyer_id,
            listing_id=listing.listing_id,
            text=question if n % 2 == 0 else answer,
            sent_at=asked if n % 2 == 0 else asked + timedelta(hours=5),
            hidden=False,
        )
    for n, report in enumerate(db.reports.where(reason="harassment")):
        pool = [m for m in db.messages.all() if m.sent_at < report.filed_at]
        message = pool[(n * 6 + 4) % len(pool)]
        db.messages.update(
            message.message_id,
            text=RUDE_TEXTS[n % len(RUDE_TEXTS)],
            hidden=report.status == "upheld",
        )
        db.reports.update(
            report.report_id,
            target="message",
            message_id=message.message_id,
            reporter_id=message.recipient_id,
            reported_user_id=message.sender_id,
        )


def seed_offers(db: Database, fake: Fake, count: int) -> None:
    """Make offers."""
    users = db.users.where(status="active")
    active = db.listings.where(status="active")
    agreed = db.listings.where(status="reserved")[3:]
    agreed = agreed + db.listings.where(status="sold")[::3]
    for n in range(count):
        status = OFFER_STATUSES[n % len(OFFER_STATUSES)]
        listing = active[n % len(active)]
        if status == "accepted":
            listing = agreed[n // 3 % len(agreed)]
        others = [user for user in users if user.user_id != listing.seller_id]
        made = (listing.published_at or db.now()) + timedelta(days=1)
        if status in ("open", "countered"):
            made = db.now() - timedelta(hours=2 + 2 * n)
        amount = money(listing.price * (70 + n % 5 * 5) / 100)
        counter = money(listing.price * 95 / 100)
        countered = status == "countered" or n % 6 == 1
        final = counter if countered else amount
        db.offers.add(
            listing_id=listing.listing_id,
            buyer_id=others[n * 5 % len(others)].user_id,
            amount=amount,
            counter_amount=counter if countered else None,
            agreed_price=final if status == "accepted" else None,
            status=status,
            made_at=made,
            expires_at=made + timedelta(days=2),
        )


def seed_orders(db: Database, fake: Fake, count: int) -> None:
    """Make orders."""
    users = db.users.where(status="active")
    taken = db.listings.where(status="sold") + db.listings.where(status="reserved")[:3]
    gone = db.listings.where(status="withdrawn")
    pool = taken + db.listings.where(status="active")[:3] + gone
    for n in range(count):
        listing = pool[n % len(pool)]
        spot = min(n, 29)
        status = ORDER_STATUSES[spot % len(ORDER_STATUSES)]
        offers = db.offers.where(listing_id=listing.listing_id, status="accepted")
        others = [user for user in users if user.user_id != listing.seller_id]
        buyer_id = others[(n * 7 + 2) % len(others)].user_id
        price = listing.price
        for offer in offers:
            buyer_id = offer.buyer_id
            price = offer.agreed_price or listing.price
        pickup = n in (1, 11, 23, 27, 30)
        shipping = db.categories.get(listing.category_id).shipping_price
        if pickup:
            shipping = Decimal("0.00")
        address = db.addresses.where(user_id=buyer_id)[0]
        days = ORDER_DAYS[spot % len(ORDER_DAYS)]
        placed = db.now() - timedelta(days=days, hours=n % 9)
        done = status == "completed" or n in (5, 8, 9)
        reason = CANCEL_REASONS[n % len(CANCEL_REASONS)]
        db.orders.add(
            listing_id=listing.listing_id,
            buyer_id=buyer_id,
            seller_id=listing.seller_id,
            offer_id=offers[0].offer_id if offers else None,
            delivery="pickup" if pickup else "parcel",
            address_id=None if pickup else address.address_id,
            item_price=price,
            shipping_price=shipping,
            total=price + shipping,
            status=status,
            cancel_reason=reason if status == "cancelled" else None,
            placed_at=placed,
            completed_at=placed + timedelta(days=8) if done else None,
        )


def seed_payments(db: Database, fake: Fake, count: int) -> None:
    """Make payments."""
    paid = [
        order
        for order in db.orders.all()
        if order.status != "placed" and order.cancel_reason != "not_paid"
    ]
    for n in range(count):
        order = paid[n % len(paid)]
        refunded = Decimal("0.00")
        if order.status in ("refunded", "cancelled"):
            refunded = order.total
        elif n in (2, 3, 10, 13, 24):
            refunded = money(order.total / 4)
        part = refunded > 0
        full = refunded == order.total
        done = order.completed_at is not None
        db.payments.add(
            order_id=order.order_id,
            method=PAYMENT_METHODS[n % len(PAYMENT_METHODS)],
            amount=order.total,
            refunded_amount=refunded,
            status=(
                "refunded"
                if full
                else "partly_refunded"
                if part
                else "released"
                if done
                else "held"
            ),
            paid_at=order.placed_at + timedelta(minutes=20 + n),
        )


def seed_shipments(db: Database, fake: Fake, count: int) -> None:
    """Make shipments."""
    sent = [
        order
        for order in db.orders.all()
        if order.delivery == "parcel" and order.status not in ("placed", "paid", "cancelled")
    ]
    for n in range(count):
        order = sent[n % len(sent)]
        status = SHIPMENT_STATUSES[n % len(SHIPMENT_STATUSES)]
        carrier = CARRIERS[n % len(CARRIERS)]
        delivered = order.placed_at + timedelta(days=3, hours=n % 8)
        db.shipments.add(
            order_id=order.order_id,
            carrier=carrier,
            tracking_number=f"{carrier[:3].upper()}{10002233 + n * 37}",
            status=status,
            shipped_at=order.placed_at + timedelta(days=1),
            delivered_at=delivered if status == "delivered" else None,
        )


def seed_payouts(db: Database, fake: Fake, count: int) -> None:
    """Make payouts."""
    done = [order for order in db.orders.all() if order.completed_at is not None]
    for n in range(count):
        order = done[n % len(done)]
        category = db.categories.get(db.listings.get(order.listing_id).category_id)
        fee = money(order.item_price * Decimal(str(category.fee_rate)))
        payment = db.payments.where(order_id=order.order_id)[0]
        left = payment.amount - payment.refunded_amount - fee
        status = PAYOUT_STATUSES[n % len(PAYOUT_STATUSES)]
        created = order.completed_at or db.now()
        db.payouts.add(
            order_id=order.order_id,
            seller_id=order.seller_id,
            fee=fee,
            amount=left if left > 0 else Decimal("0.00"),
            status=status,
            created_at=created,
            paid_at=created + timedelta(days=1) if status == "paid" else None,
        )


def seed_disputes(db: Database, fake: Fake, count: int) -> None:
    """Make disputes."""
    orders = db.orders.all()
    for n in range(count):
        order = orders[DISPUTE_ORDERS[n % len(DISPUTE_ORDERS)]]
        status = DISPUTE_STATUSES[n % len(DISPUTE_STATUSES)]
        base = order.placed_at + timedelta(days=3)
        if order.completed_at is not None and order.status != "completed":
            base = order.completed_at
        opened = base + timedelta(days=1)
        heard = status != "open" and n != 7
        offered = heard and n in (1, 2, 10)
        response = DISPUTE_RESPONSES[n % len(DISPUTE_RESPONSES)]
        outcome = DISPUTE_OUTCOMES[n % len(DISPUTE_OUTCOMES)]
        db.disputes.add(
            order_id=order.order_id,
            reason=DISPUTE_REASONS[n % len(DISPUTE_REASONS)],
            description=DISPUTE_TEXTS[n % len(DISPUTE_TEXTS)],
            status=status,
            response=response if heard else None,
            offered_refund=money(order.total / 4) if offered else None,
            outcome=outcome if status == "settled" else None,
            opened_at=opened,
            answered_at=opened + timedelta(days=1) if heard else None,
            settled_at=opened + timedelta(days=4) if status == "settled" else None,
        )


def seed_reviews(db: Database, fake: Fake, count: int) -> None:
    """Make reviews."""
    done = [order for order in db.orders.all() if order.completed_at is not None]
    for n in range(count):
        order = done[n % len(done)]
        by_buyer = n < len(done)
        left = (order.completed_at or db.now()) + timedelta(hours=2 + n % 5)
        turn = n // 4
        reply = REVIEW_REPLIES[turn % len(REVIEW_REPLIES)]
        db.reviews.add(
            order_id=order.order_id,
            reviewer_id=order.buyer_id if by_buyer else order.seller_id,
            reviewee_id=order.seller_id if by_buyer else order.buyer_id,
            rating=REVIEW_RATINGS[n % len(REVIEW_RATINGS)],
            comment=REVIEW_COMMENTS[n % len(REVIEW_COMMENTS)],
            status=REVIEW_STATUSES[n % len(REVIEW_STATUSES)],
            created_at=left,
            reply=reply if n % 4 == 0 else None,
            replied_at=left + timedelta(hours=3) if n % 4 == 0 else None,
        )
    for user in db.users.all():
        about = db.reviews.where(reviewee_id=user.user_id, status="visible")
        if about:
            average = sum(review.rating for review in about) / len(about)
            db.users.update(user.user_id, rating=round(average, 2))
    for n, report in enumerate(db.reports.where(reason="fake_review")):
        shown = db.reviews.where(status="visible")
        pool = [review for review in shown if review.created_at < report.filed_at]
        review = pool[(n * 3 + 4) % len(pool)]
        db.reports.update(
            report.report_id,
            target="review",
            review_id=review.review_id,
            reporter_id=review.reviewee_id,
            reported_user_id=review.reviewer_id,
        )


def seed_refunds(db: Database, fake: Fake, count: int) -> None:
    """Make refunds."""
    paid = [payment for payment in db.payments.all() if payment.refunded_amount > 0]
    for n in range(count):
        payment = paid[n % len(paid)]
        order = db.orders.get(payment.order_id)
        lost = order.status == "refunded"
        given = payment.paid_at + timedelta(days=12 if lost else 1)
        disputes = db.disputes.where(order_id=order.order_id)
        for dispute in disputes:
            given = dispute.settled_at or given
        db.refunds.add(
            payment_id=payment.payment_id,
            order_id=order.order_id,
            amount=payment.refunded_amount,
            reason=(
                "dispute_settled"
                if disputes
                else "parcel_lost"
                if lost
                else "order_cancelled"
                if order.status == "cancelled"
                else "goodwill"
            ),
            refunded_at=given,
        )
