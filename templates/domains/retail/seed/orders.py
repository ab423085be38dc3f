"""Orders, their payments and their parcels."""

SHIP_FEES = {"standard": "5.95", "express": "12.95", "overnight": "24.95"}
CANCEL_REASONS: list[CancelReason] = [
    "changed_mind",
    "ordered_by_mistake",
    "found_cheaper",
    "too_slow",
    "payment_trouble",
    "out_of_stock",
]
CARRIERS: list[Carrier] = ["ups", "fedex", "usps", "dhl"]


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


def _usable_card(
    order: Order, cards: list[GiftCard], left: dict[GiftCardId, Decimal]
) -> GiftCard | None:
    for card in cards:
        if card.issued_on <= order.placed_at.date() and left.get(card.gift_card_id, card.balance):
            return card
    return None


def _on_card(db: Database, card: GiftCard, at: datetime) -> Decimal:
    # What was on a gift card at a time: what an order cancelled later gives back was not yet.
    paid = [row.amount for row in db.payments.where(gift_card_id=card.gift_card_id)]
    back = [
        row.amount
        for row in db.refunds.where(gift_card_id=card.gift_card_id)
        if row.refunded_at <= at
    ]
    return card.balance - sum(paid, Decimal(0)) + sum(back, Decimal(0))


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
    is_back_late = False
    if card is not None and fake.chance(0.6):
        balance = left.get(card.gift_card_id, card.balance)
        most = order.total if order.status != "pending" else order.total - 1
        by_card = min(balance, most)
        is_back_late = by_card > _on_card(db, card, order.placed_at)
        by_card = Decimal(0) if is_back_late else by_card
    if card is not None and by_card > 0:
        back = by_card if order.status == "cancelled" else Decimal(0)
        balance = left.get(card.gift_card_id, card.balance)
        left[card.gift_card_id] = balance - by_card + back
        _add_payment(db, order, by_card, back, None, card.gift_card_id)
    rest = charged - by_card
    if order.status != "pending" and rest > 0:
        back = rest if order.status == "cancelled" else gone
        method = methods[0] if is_back_late or fake.chance(0.7) else fake.pick(methods)
        _add_payment(db, order, rest, back, method.payment_method_id, None)


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
