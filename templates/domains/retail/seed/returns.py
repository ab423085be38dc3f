"""Returns, exchanges and adjustments."""

FAULTY = ("defective", "wrong_item", "damaged_in_transit")
REASONS: list[ReturnReason] = [
    "changed_mind",
    "wrong_size",
    "defective",
    "not_as_described",
    "wrong_item",
    "damaged_in_transit",
]
ADJUSTMENTS: list[RefundReason] = [
    "late_delivery",
    "goodwill",
    "damaged_item",
    "price_adjustment",
]


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
        card_id = credit if payment.gift_card_id is None else payment.gift_card_id
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
    dearer = new.price - db.variants.get(line.variant_id).price
    unit_price = max(line.unit_price + dearer, Decimal(0))
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
    # When each variant was last ordered; orders come oldest first.
    sold = {line.variant_id: order.placed_at for order in db.orders.all() for line in order.lines}
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
        is_old = (db.now() - order.placed_at).days >= 12
        is_half_off = line.discount * 2 >= line.unit_price * line.quantity
        if reason == "price_adjustment" and (is_old or is_half_off):
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
        if reason == "price_adjustment":
            # A price falls by at most half, and after everybody had ordered who paid the old one.
            amount = min(amount, worth - money(line.unit_price / 2) * line.quantity)
            when = max(when, sold[line.variant_id] + timedelta(minutes=90))
        if reason == "damaged_item":
            # All units of the line are damaged.
            amount = min(money(worth / 2), free)
        if reason == "late_delivery":
            amount, number = min(order.shipping_fee, money(order.total / 2), free), None
        _give_back(db, order, paid, amount, when, reason, line_number=number)
        if reason == "price_adjustment":
            price = money((worth - amount) / line.quantity)
            db.variants.update(
                line.variant_id, price=price, priced_on=when.date(), price_before=line.unit_price
            )
