"""Carts, reviews and cases."""

# By stars, from one: headlines, first sentences, second sentences.
HEADLINES = [
    ["Broke at once", "Do not buy", "Sending it back"],
    ["Disappointed", "Not as described", "Expected better"],
    ["It is okay", "Mixed feelings", "Does the job"],
    ["Very good", "Happy with it", "Good, not perfect", "Nearly there"],
    ["Love it", "Best I have owned", "Great quality", "Worth every cent", "Could not be happier"],
]
FIRST_WORDS = [
    ["It broke on the second use.", "It arrived damaged.", "Mine never worked properly."],
    [
        "It shows wear already.",
        "The material is thinner than I thought.",
        "It looks cheaper than in the pictures.",
    ],
    [
        "It works, but I expected a little more for the money.",
        "It looks great, but it is smaller than it seems online.",
        "Fine for occasional use.",
    ],
    [
        "I use it a lot and it does its job well.",
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
    ["I would not buy it again.", "The description should say so.", "I had hoped for more."],
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
        "It came well packed.",
        "I bought a second one as a gift.",
        "It comes along wherever we go.",
        "I recommend it to everyone.",
    ],
]
# Topic, subject, the customer's message, the agent's answer, how it ended.
TALKS: list[tuple[CaseTopic, str, str, str, str]] = [
    (
        "delivery",
        "Where is my parcel?",
        "The tracking page says only that order NUMBER is on its way. When will it be here?",
        "I have asked the carrier where the parcel is and will tell you what they say.",
        "The parcel has arrived since; the customer has it.",
    ),
    (
        "returns",
        "How do I send this back?",
        "I would like to return ITEM from order NUMBER. Where do I find the label?",
        "Happy to help. Tell me why it comes back and I will open the return for you.",
        "Explained how a return is asked for and where its label is found.",
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

NEVER_CAME = "Left with the wrong neighbor"
# Instead of that, from whoever sent something back, and so had the parcel.
LEFT_IN_THE_RAIN: tuple[CaseTopic, str, str, str, str] = (
    "delivery",
    "Left out in the rain",
    "The parcel of order NUMBER was left out in the rain. Please tell the driver to ring the bell.",
    "I am sorry. Where should the driver leave a parcel when nobody is at home?",
    "The driver has been told to ring, and where to leave a parcel.",
)


def seed_carts(db: Database, fake: Fake, count: int) -> None:
    """Make carts: open ones, abandoned ones and those that became orders."""
    shelves = [shelf for shelf in _shelves(db) if shelf[0].status == "active"]
    buyers = [customer for customer in db.customers.all() if customer.status == "active"]
    orders = db.orders.all()
    # What is put in a cart before an order would have been ordered with it.
    last = {order.customer_id: order.placed_at for order in orders}
    for n in range(count):
        if n % 6 == 5 and n < len(orders):
            _add_ordered_cart(db, fake, orders[len(orders) - 1 - n])
            continue
        taken = n % 6 < 4 and n < len(buyers)
        began = db.now() - timedelta(minutes=fake.integer(300, 14000 if taken else 90000))
        chosen = _basket(fake, shelves, fake.weighted({1: 35, 2: 30, 3: 25, 4: 10}))
        customer_id = buyers[n % len(buyers)].customer_id
        if taken:
            began = max(began, last.get(customer_id, began))
        db.carts.add(
            customer_id=customer_id,
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
            updated_at=min(began + timedelta(minutes=fake.integer(1, 280)), db.now()),
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


def _was_sent_back(db: Database, order: Order, before: datetime) -> bool:
    asked = [
        *[back.requested_at for back in db.returns.where(order_id=order.order_id)],
        *[swap.requested_at for swap in db.exchanges.where(order_id=order.order_id)],
    ]
    return any(time < before for time in asked)


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
        found = opened + gap * 3 if status == "resolved" else db.now()
        if talk[1] == NEVER_CAME and order is not None and _was_sent_back(db, order, found):
            talk = LEFT_IN_THE_RAIN
        # What is urgent is answered by telephone.
        priority = fake.weighted(priorities)
        case = db.cases.add(
            customer_id=customer_id,
            order_id=None if order is None else order.order_id,
            topic=talk[0],
            priority="high"
            if priority == "urgent" and status == "waiting_for_customer"
            else priority,
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
