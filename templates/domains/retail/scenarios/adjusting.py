"""Money back though nothing comes back: a price fell, or a thing is kept though damaged."""

SEWN = ("Tent", "Bag", "Backpack")
SOFT = ("Mat", "Bands", "Roller")


def _running_code(db: Database, draw: Draw) -> str | None:
    """Return a promotion that takes a percentage off today, or none."""
    if draw.chance(0.7):
        return None
    promotion = draw.row("promotions", kind="percent", category=None, once_per_customer=False)
    draw.need(promotion.starts_on <= db.today() <= promotion.ends_on)
    return promotion.code


def price_drop(db: Database, draw: Draw) -> Facts:
    """Something costs less now than when it was bought, or seems to."""
    customer = _shopper(db, draw)
    goods = _goods(db, draw, draw.integer(1, 2), Decimal("300"))
    units = draw.one([1, 1, 2, 3])
    falls = draw.chance(0.75)
    days = draw.one([2, 5, 9, 12, 13, 14, 15, 16, 19]) if falls else draw.integer(2, 13)
    code = _running_code(db, draw)
    order = _checked_out(db, draw, customer, goods, [units, 1], days, "standard", code)
    order = _paid(db, draw, order)
    if draw.chance(0.7):
        parcel = _sent(db, draw, order, _all_lines(order), days - 1)
        if days > 6:
            _arrived(db, draw, parcel, 0)
    variant = goods[0]
    tenth = money(variant.price / 10)
    if falls:
        variant = db.variants.update(
            variant.variant_id, price=variant.price - tenth * draw.integer(1, 3)
        )
        if days <= 14 and draw.chance(0.2):
            _adjusted_before(db, draw, order, variant.price, draw.chance(0.5))
    elif draw.chance(0.3):
        variant = db.variants.update(variant.variant_id, price=variant.price + tenth)
    draw.turn(variant, price=order.lines[0].unit_price + tenth)
    draw.turn(order, placed_at=order.placed_at - timedelta(days=20))
    _bought_since(db, draw, customer)
    order = db.orders.get(order.order_id)
    return facts(
        _me(customer),
        item=told(
            draw.name(order.lines[0].item, among=_items_of(db, customer)), order, "lines.item"
        ),
        bought=order.placed_at.date(),
        refund_to=draw.one(["original_payment", "original_payment", "gift_card"]),
    )


def _adjusted_before(db: Database, draw: Draw, order: Order, price: Decimal, is_all: bool) -> None:
    """Have the difference to a price be paid back already, or half of it."""
    line = order.lines[0]
    most = _net(line) - price * line.quantity
    draw.need(most > 1)
    half = money(most / 2)
    for amount in [half, most - half] if is_all else [half]:
        draw.call(
            "refund_order", order_id=order.order_id, amount=amount,
            reason="price_adjustment", line_number=1,
        )  # fmt: skip
    for place, refund in enumerate(db.refunds.where(order_id=order.order_id)):
        refunded = db.now() - timedelta(hours=38 - 18 * place)
        db.refunds.update(refund.refund_id, refunded_at=refunded)


def solve_price_drop(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item")
    order, line = _bought(agent, customer, given.item)
    price = agent.get_variant(line.variant_id).price
    summary = agent.summarize_order(order.order_id)
    back = _refunded_for(summary, line)
    kept = line.quantity - line.returned - line.exchanged
    difference = _net(line) - back - price * kept
    if difference <= 0:
        if back > 0:
            on = max(one.refunded_on for one in summary.refunds)
            return outcome("had_the_difference", sum=back, on=on)
        return outcome("no_cheaper", price=price)
    agent.ask("refund_to")
    paid = agent.attempt.refund_order(
        order.order_id, difference, "price_adjustment", line.line_number, given.refund_to
    )
    if paid.rejected("window_over"):
        return outcome("too_long_ago", day=date.fromisoformat(paid.values.day))
    return outcome("difference_back", difference=difference, price=price)


def _damage(db: Database, draw: Draw, line: OrderLine) -> str:
    """Return what can be wrong with a thing of its kind."""
    product = db.products.get(db.variants.get(line.variant_id).product_id)
    if product.category in ("footwear", "clothing") or product.name.endswith(SEWN):
        return draw.one(["torn at a seam", "stained"])
    is_soft = product.category == "home" or product.name.endswith(SOFT)
    return "stained" if is_soft else draw.one(["scratched", "dented"])


def _paid_for_damage(
    db: Database, draw: Draw, order: Order, line: OrderLine, other: OrderLine | None
) -> None:
    """Have half of a line be paid back for damage; for a twin, it was another line's half."""
    less = _net(line) if other is None else min(_net(line), _net(other))
    draw.call(
        "refund_order", order_id=order.order_id, amount=money(less / 2),
        reason="damaged_item", line_number=line.line_number,
    )  # fmt: skip
    for refund in db.refunds.where(order_id=order.order_id):
        if other is not None:
            draw.turn(refund, line_number=other.line_number)


def keeps_damaged(db: Database, draw: Draw) -> Facts:
    """Something arrived damaged and is to be kept, for some money back."""
    customer = _shopper(db, draw)
    goods = _goods(db, draw, draw.one([1, 2, 2, 2]), Decimal("250"))
    order = _delivered_but(db, draw, customer, goods, draw.integer(1, 14))
    line = draw.one(one for one in order.lines if one.status == "shipped")
    share = money(_net(line) / 2)
    draw.need(share * 2 == _net(line))
    stage = draw.one(["new", "new", "new", "had", "much", "much"])
    draw.need(stage != "had" or len(goods) > 1)
    other = maybe(one for one in order.lines if one != line and one.status == "shipped")
    if stage == "had":
        _paid_for_damage(db, draw, order, line, other)
    if stage == "new" and other is not None and draw.chance(0.85):
        _paid_for_damage(db, draw, order, other, line)
    if stage == "much":
        amount = money(_half_of_goods(order) * draw.integer(2, 6) / 10)
        draw.call("refund_order", order_id=order.order_id, amount=amount, reason="goodwill")
    for refund in db.refunds.where(order_id=order.order_id):
        refunded = db.now() - timedelta(hours=20)
        refund = db.refunds.update(refund.refund_id, refunded_at=refunded)
        if refund.reason == "goodwill" and refund.line_number == line.line_number:
            draw.turn(refund, reason="damaged_item")
    order = db.orders.get(order.order_id)
    content = draw.chance(0.7)
    return facts(
        _me(customer),
        item=told(draw.name(line.item, among=_items_of(db, customer)), order, "lines.item"),
        damage=_damage(db, draw, line),
        refund_to=draw.one(["original_payment", "original_payment", "gift_card"]),
        agrees=content,
        accepts=content,
    )


def solve_keeps_damaged(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item")
    order, line = _bought(agent, customer, given.item)
    summary = agent.summarize_order(order.order_id)
    before = maybe(
        one
        for one in summary.refunds
        if one.reason == "damaged_item" and one.line_number == line.line_number
    )
    if before is not None:
        return outcome("had_half", sum=before.amount, on=before.refunded_on)
    agent.list_cases(customer.customer_id)
    refund = _half_left(summary, line)
    if not agent.agreed(refund=refund):
        quote = agent.quote_return(order.order_id, line.line_number, 1, "damaged_in_transit")
        return outcome("rather_not", refund=refund, day=quote.last_day)
    agent.ask("refund_to")
    agent.refund_order(order.order_id, refund, "damaged_item", line.line_number, given.refund_to)
    return outcome("damage_paid", refund=refund)
