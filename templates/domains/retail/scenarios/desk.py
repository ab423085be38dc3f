"""The office: cases that wait, goodwill, orders nobody paid for, and orders to be undone."""

URGENCY = ("low", "normal", "high", "urgent")
GOODWILL_REFUNDS = ("late_delivery", "price_adjustment", "damaged_item", "goodwill")
CASE_SUBJECTS = ("Please answer me", "One more thing", "A question", "Following up")
CASE_TEXTS = (
    "I wrote to you last week and have not heard anything.",
    "Can somebody please look into this?",
    "What do I have to do next?",
)


def _case_laid(
    db: Database, draw: Draw, customer: Customer, topic: str, order_id: str | None, days: int
) -> SupportCase:
    """Return a case that a customer opened some days ago."""
    case = draw.call(
        "open_case", customer_id=customer.customer_id, topic=topic,
        subject=draw.one(CASE_SUBJECTS), text=draw.one(CASE_TEXTS), order_id=order_id,
        priority=draw.one(["low", "normal", "high", "high"]),
    )  # fmt: skip
    opened = db.now() - timedelta(days=days, minutes=draw.integer(5, 600))
    for message in db.case_messages.where(case_id=case.case_id):
        db.case_messages.update(message.message_id, sent_at=opened)
    return db.cases.update(case.case_id, opened_at=opened)


def _case_settled(db: Database, draw: Draw, case: SupportCase, hours: int) -> SupportCase:
    """Return a case that a colleague resolved some hours ago."""
    draw.call("resolve_case", case_id=case.case_id, resolution="Settled on the phone.")
    ended = db.now() - timedelta(hours=hours)
    for message in db.case_messages.where(case_id=case.case_id):
        if message.author == "agent":
            db.case_messages.update(message.message_id, sent_at=ended)
    return db.cases.update(case.case_id, resolved_at=ended)


def answer_next(db: Database, draw: Draw) -> Facts:
    """The case that comes next is to be answered, unless it is urgent or none is open."""
    topic = draw.one(["delivery", "returns", "payment", "product", "account"])
    waiting = db.cases.where(topic=topic, status="open")
    if draw.chance(0.12):
        for case in waiting:
            draw.call("resolve_case", case_id=case.case_id, resolution="Settled on the phone.")
    else:
        for _ in range(draw.integer(0, 2)):
            _case_laid(db, draw, _shopper(db, draw), topic, None, draw.integer(2, 12))
        draw.turn(draw.one(waiting), priority="urgent")
    return facts(
        topic=topic,
        words=draw.one([
            "We are sorry that you had to wait. A colleague will call you tomorrow morning.",
            "Thank you for your patience. We are looking into it and will write again by Friday.",
            "Could you please send us a few more details? Then we can settle this quickly.",
        ]),
    )  # fmt: skip


def solve_answer_next(agent: Agent, given: Given) -> Outcome:
    agent.ask("topic")
    waiting = agent.list_cases(status="open", topic=given.topic)
    if len(waiting) == 0:
        others = agent.list_cases(status="waiting_for_customer", topic=given.topic)
        return outcome("none_open", count=len(others))
    highest = max(URGENCY.index(case.priority) for case in waiting)
    first = [case for case in waiting if URGENCY.index(case.priority) == highest]
    case = min(first, key=lambda case: case.opened_at)
    customer = agent.get_customer(case.customer_id)
    if case.priority == "urgent":
        return outcome("urgent", number=case.case_id, phone=customer.phone)
    agent.list_case_messages(case.case_id)
    agent.ask("words")
    agent.reply_to_case(case.case_id, "agent", given.words)
    return outcome("answered", number=case.case_id, surname=customer.last_name)


def close_delivery(db: Database, draw: Draw) -> Facts:
    """A parcel has come after all, and the case about it can be closed, if nothing is missing."""
    customer = _shopper(db, draw)
    goods = _goods(db, draw, 2, Decimal("150"))
    days = draw.integer(8, 12)
    order = _paid(db, draw, _checked_out(db, draw, customer, goods, [1, 1], days))
    split = draw.chance(0.5)
    parcel = _sent(db, draw, order, [1] if split else [1, 2], days - 1)
    if split:
        other = _sent(db, draw, db.orders.get(order.order_id), [2], days - 2)
        if draw.chance(0.4):
            _arrived(db, draw, other, 0)
    stage = draw.one(["open", "open", "open", "open", "none", "settled", "lost"])
    if stage != "none":
        case = _case_laid(db, draw, customer, "delivery", order.order_id, 2)
        if stage == "settled":
            _case_settled(db, draw, case, 24)
        else:
            draw.turn(case, topic="product")
    if stage == "lost":
        draw.need(parcel.promised_on < db.today())
        draw.call("refund_lost_shipment", lost_tracking_number=parcel.tracking_number)
    return facts(
        parcel=told(parcel.tracking_number, parcel, "tracking_number"),
        words=draw.one([
            "Your parcel was handed over today. We are sorry for the delay.",
            "The carrier has found your parcel and brought it to you this morning.",
        ]),
    )  # fmt: skip


def solve_close_delivery(agent: Agent, given: Given) -> Outcome:
    agent.ask("parcel")
    parcel = agent.track_shipment(given.parcel)
    order = agent.get_order(parcel.order_id)
    if parcel.status == "lost":
        back = agent.summarize_order(order.order_id).refunded
        return outcome("written_off_before", refund=back, order=order.order_id)
    cases = agent.list_cases(customer_id=order.customer_id, topic="delivery")
    case = maybe(
        case for case in cases if case.order_id == order.order_id and case.status != "resolved"
    )
    agent.record_delivery(given.parcel)
    if case is None:
        return outcome("no_case", day=parcel.promised_on, order=order.order_id)
    agent.list_case_messages(case.case_id)
    parcels = agent.list_order_shipments(order.order_id)
    still = maybe(one for one in parcels if one.status == "in_transit")
    if still is not None:
        return outcome("case_stays", other=still.tracking_number, number=case.case_id)
    agent.ask("words")
    agent.resolve_case(case.case_id, given.words)
    return outcome("closed", day=parcel.promised_on, number=case.case_id)


def goodwill_credit(db: Database, draw: Draw) -> Facts:
    """The office grants store credit out of goodwill; half of the order may not allow it."""
    customer = _shopper(db, draw)
    goods = _goods(db, draw, draw.integer(1, 2), Decimal("140"))
    order = _checked_out(db, draw, customer, goods, [1, 1], draw.integer(4, 12))
    stage = draw.one(["paid"] if draw.chance(0.7) else ["due", "off", "used", "used"])
    if stage != "due":
        order = _paid(db, draw, order)
    if stage == "off":
        draw.call("cancel_order", order_id=order.order_id, reason="changed_mind")
    elif stage == "paid" and len(goods) > 1 and draw.chance(0.4):
        order = _line_cancelled(db, draw, order, 2)
    if stage in ("paid", "used") and draw.chance(0.95):
        numbers = [line.line_number for line in order.lines if line.status == "open"]
        _arrived(db, draw, _sent(db, draw, order, numbers, 3), -4)
    half = _half_of_goods(order)
    draw.need(half > 25)
    amount = draw.one([10, 15, 20, 25, 30, 40])
    before = half if stage == "used" else money(half * draw.one([0, 0, 40, 60]) / 100)
    if stage == "paid" and amount < half and draw.chance(0.1):
        before = half - amount
    if stage in ("paid", "used") and before > 0:
        draw.call("refund_order", order_id=order.order_id, amount=before, reason="goodwill")
        yesterday = db.now() - timedelta(hours=21)
        for refund in db.refunds.where(order_id=order.order_id):
            if refund.reason == "goodwill":
                db.refunds.update(refund.refund_id, refunded_at=yesterday)
    item = draw.one(line.item for line in order.lines if line.status != "cancelled")
    wants = draw.chance(0.6)
    if stage == "paid" and draw.chance(0.12):
        draw.call("close_customer_account", customer_id=customer.customer_id)
    else:
        draw.turn(customer, status="closed")
    return facts(
        _me(customer),
        item=told(draw.name(item, among=_items_of(db, customer)), order, "lines.item"),
        amount=amount,
        agrees=wants,
        accepts=wants,
    )


def solve_goodwill_credit(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item", "amount")
    order, _ = _bought(agent, customer, given.item)
    summary = agent.summarize_order(order.order_id)
    if order.status == "pending":
        return outcome("not_paid_yet", due=summary.due)
    if order.status == "cancelled":
        day = _day(order.cancelled_at)
        return outcome("is_off", day=day, refund=summary.refunded)
    before = sum(
        (one.amount for one in summary.refunds if one.reason in GOODWILL_REFUNDS), Decimal(0)
    )
    lines = [line for line in order.lines if line.status != "cancelled"]
    left = sum((_half_left(summary, line) for line in lines), Decimal(0))
    if left == 0:
        return outcome("used_up", sum=before, day=summary.refunds[-1].refunded_on)
    if customer.status == "closed":
        return outcome("credit_of_no_use", paid=summary.paid)
    if given.amount > left:
        if not agent.agreed(sum=left):
            return outcome("less_declined", sum=left)
        done = agent.refund_order(order.order_id, left, "goodwill", refund_to="gift_card")
        card = agent.get_gift_card(done.refunds[-1].gift_card_id)
        return outcome("less_granted", sum=left, until=card.expires_on)
    amount = Decimal(given.amount)
    done = agent.refund_order(order.order_id, amount, "goodwill", refund_to="gift_card")
    card = agent.get_gift_card(done.refunds[-1].gift_card_id)
    return outcome("granted", until=card.expires_on, left=left - amount)


def clear_unpaid(db: Database, draw: Draw) -> Facts:
    """Orders that nobody paid for are to go; one is in dispute, or none is that old."""
    for place in range(draw.integer(1, 3)):
        customer = _shopper(db, draw)
        goods = _goods(db, draw, draw.integer(1, 2), Decimal("150"))
        order = _checked_out(db, draw, customer, goods, [1, 1], draw.integer(4, 12))
        matter = draw.one(["this", "this", "settled", "other"]) if place == 0 else "none"
        if matter == "this":
            case = _case_laid(db, draw, customer, "payment", order.order_id, 2)
            draw.turn(case, topic=draw.one(["product", "account"]))
        elif matter == "settled":
            case = _case_laid(db, draw, customer, "payment", order.order_id, 3)
            _case_settled(db, draw, case, 30)
        elif matter == "other":
            case = _case_laid(db, draw, customer, "payment", None, 2)
            draw.turn(case, order_id=order.order_id)
    pending = db.orders.where(status="pending")
    ages = [(db.today() - order.placed_at.date()).days for order in pending]
    due = 0 if draw.chance(0.2) else draw.integer(1, 3)
    days = draw.one([day for day in range(3, 14) if sum(1 for age in ages if age > day) == due])
    return facts(days=days, reason="payment_trouble")


def solve_clear_unpaid(agent: Agent, given: Given) -> Outcome:
    agent.ask("days")
    today = agent.get_shop_info().today
    pending = agent.search_orders(status="pending")
    old = [order for order in pending if (today - order.placed_at.date()).days > given.days]
    if len(old) == 0:
        first = min(pending, key=lambda order: order.placed_at)
        return outcome("none_old", number=first.order_id, day=first.placed_at.date())
    cases = agent.list_cases(topic="payment")
    asked = [case.order_id for case in cases if case.status != "resolved"]
    spared = maybe(order for order in old if order.order_id in asked)
    going = [order for order in old if order.order_id not in asked]
    for order in going:
        agent.ask("reason")
        agent.cancel_order(order.order_id, given.reason)
    total = sum((order.total for order in going), Decimal(0))
    if spared is None:
        return outcome("cleared", count=len(going), sum=total)
    if len(going) == 0:
        return outcome("only_spared", number=spared.order_id, day=spared.placed_at.date())
    return outcome("one_spared", count=len(going), sum=total, number=spared.order_id)


def undo_order(db: Database, draw: Draw) -> Facts:
    """An order is to be undone of which some has left and some has come."""
    customer = _shopper(db, draw)
    goods = _goods(db, draw, 3, Decimal("150"))
    days = draw.integer(8, 12)
    order = _paid(db, draw, _checked_out(db, draw, customer, goods, [1, 1, draw.one([1, 2])], days))
    came = draw.one([[], [], [1], [1, 2], [2]])
    gone = draw.one([[], [3], [2, 3], [1, 2, 3]])
    gone = [number for number in gone if number not in came]
    draw.need(not came or len(came) + len(gone) < 3)
    kinds = [db.products.get(goods[number - 1].product_id) for number in came]
    draw.need(all(product.return_days >= 14 for product in kinds))
    if came:
        draw.turn(kinds[0], return_days=0)
        if draw.chance(0.3):
            db.products.update(kinds[0].product_id, return_days=0)
    if came:
        _arrived(db, draw, _sent(db, draw, order, came, days - 1), 0)
    if gone:
        parcel = _sent(db, draw, db.orders.get(order.order_id), gone, draw.integer(1, 3))
        draw.turn(parcel, promised_on=parcel.promised_on + timedelta(days=2))
    order = db.orders.get(order.order_id)
    return facts(
        number=told(order.order_id, order, "order_id"),
        reason="changed_mind",
        refund_to=draw.one(["original_payment", "original_payment", "gift_card"]),
    )


def solve_undo_order(agent: Agent, given: Given) -> Outcome:
    agent.ask("number", "reason")
    order = agent.get_order(given.number)
    if order.status == "paid":
        agent.ask("refund_to")
        agent.cancel_order(given.number, given.reason, given.refund_to)
        return outcome("all_undone", refund=agent.summarize_order(given.number).refunded)
    parcels = agent.list_order_shipments(given.number)
    came = [
        one for parcel in parcels if parcel.status == "delivered" for one in parcel.line_numbers
    ]
    travelling = maybe(parcel for parcel in parcels if parcel.status == "in_transit")
    left = [line for line in order.lines if line.status == "open"]
    if len(left) == 0 and len(came) == 0:
        parcel = only(parcels)
        return outcome("all_gone", day=parcel.promised_on, parcel=parcel.tracking_number)
    agent.ask("refund_to")
    for line in left:
        agent.cancel_order_line(given.number, line.line_number, given.refund_to)
    refund = sum((_net(line) for line in left), Decimal(0))
    if len(came) == 0:
        return outcome("rest_undone", refund=refund, day=only(parcels).promised_on)
    lines = [line for line in order.lines if line.line_number in came]
    final = maybe(line for line in lines if _is_final(agent, line))
    back = [line for line in lines if line != final]
    if len(back) > 0:
        items = [
            ReturnItem(line_number=line.line_number, quantity=line.quantity, reason=given.reason)
            for line in back
        ]
        agent.request_return(given.number, items, given.refund_to)
    if final is not None:
        return outcome("one_stays", refund=refund, item=final.item)
    if travelling is not None:
        return outcome("one_travels", refund=refund, day=travelling.promised_on)
    return outcome("rest_comes_back", refund=refund, count=len(back))


def _is_final(agent: Agent, line: OrderLine) -> bool:
    """Return whether a line was a final sale."""
    product = agent.get_product(agent.get_variant(line.variant_id).product_id)
    return product.return_days == 0
