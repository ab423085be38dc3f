"""Support cases, a promise made in one, and a permission given in one."""

SHARES = ("0.20", "0.25", "0.30", "0.40", "0.50", "0.60", "0.70", "0.80", "0.90")
MATTERS = (
    ("payment", "Wrong invoice", "The invoice has my old company name on it. I need a new one."),
    ("payment", "Invoice missing", "I never got an invoice for this order. Please send me one."),
    ("product", "How do I clean this?", "What can I clean this with? Soap, or something else?"),
    (
        "product",
        "Strange smell",
        "There is a strong smell of glue even after a week. Is that normal?",
    ),
    (
        "returns",
        "Where do I send it?",
        "I have lost the slip with the address for sending it back.",
    ),
)
OTHERS = ("payment", "product", "returns")


def complain(db: Database, draw: Draw) -> Facts:
    """A customer has a matter for the support; there may be a case on it, open or resolved."""
    customer = _shopper(db, draw)
    order = draw.one(
        order
        for order in db.orders.where(customer_id=customer.customer_id)
        if order.status == "delivered"
    )
    line = draw.one(order.lines)
    topic, subject, words = draw.one(MATTERS)
    stage = draw.one(["none", "none", "same", "same", "same", "resolved", "other", "full", "full"])
    if stage == "full":
        _three_cases(db, draw, customer)
    elif stage != "none":
        on = draw.one(one for one in OTHERS if (one == topic) == (stage != "other"))
        case = draw.call(
            "open_case", customer_id=customer.customer_id, topic=on,
            subject="Question about my order", text="Could somebody please look into this?",
            order_id=order.order_id,
        )  # fmt: skip
        opened = db.now() - timedelta(days=draw.integer(1, 6), minutes=draw.integer(5, 500))
        db.cases.update(case.case_id, opened_at=opened)
        for message in db.case_messages.where(case_id=case.case_id):
            db.case_messages.update(message.message_id, sent_at=opened)
        if stage == "resolved":
            draw.call("resolve_case", case_id=case.case_id, resolution="Answered by e-mail.")
        else:
            draw.turn(db.cases.get(case.case_id), topic="account")
            if stage == "other":
                draw.turn(db.cases.get(case.case_id), topic=topic)
    draw.turn(customer, tier="standard" if customer.tier == "gold" else "gold")
    return facts(
        _me(customer),
        item=told(draw.name(line.item, among=_items_of(db, customer)), order, "lines.item"),
        topic=topic,
        subject=subject,
        words=words,
    )


def _three_cases(db: Database, draw: Draw, customer: Customer) -> None:
    """Have a customer ask three other things that nobody has answered yet."""
    for age, topic in enumerate(["account", "delivery", "product"]):
        case = draw.call(
            "open_case", customer_id=customer.customer_id, topic=topic,
            subject="A question", text="I have a question. Please call me back.",
        )  # fmt: skip
        opened = db.now() - timedelta(days=9 - 2 * age, minutes=draw.integer(5, 500))
        db.cases.update(case.case_id, opened_at=opened)
        for message in db.case_messages.where(case_id=case.case_id):
            db.case_messages.update(message.message_id, sent_at=opened)


def solve_complain(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item", "topic")
    order, line = _bought(agent, customer, given.item)
    cases = agent.list_cases(customer.customer_id)
    unresolved = [case for case in cases if case.status != "resolved"]
    case = maybe(
        one for one in unresolved if (one.order_id, one.topic) == (order.order_id, given.topic)
    )
    if case is not None:
        agent.ask("words")
        agent.reply_to_case(case.case_id, "customer", given.words)
        return outcome("added", number=case.case_id, day=case.opened_at.date())
    if len(unresolved) >= 3:
        oldest = unresolved[0]
        return outcome("too_many", number=oldest.case_id, day=oldest.opened_at.date())
    agent.ask("subject", "words")
    priority = "high" if customer.tier == "gold" else "normal"
    agent.open_case(
        customer.customer_id, given.topic, given.subject, given.words, order.order_id, priority
    )
    return outcome("opened", count=len(unresolved) + 1)


def settle_case(db: Database, draw: Draw) -> Facts:
    """A colleague wants a case on a return settled, if the money has gone back."""
    customer = _shopper(db, draw)
    order, back = _sent_in(db, draw, customer)
    other, _ = _sent_in(db, draw, customer)
    stage = draw.one(["refunded", "refunded", "refunded", "inspected", "received", "requested"])
    is_worn = stage == "refunded" and draw.chance(0.3)
    if stage != "requested":
        draw.call("receive_return", return_id=back.return_id)
    if stage in ("refunded", "inspected"):
        found = Finding(line_number=1, condition="worn" if is_worn else "opened")
        draw.call("inspect_return", return_id=back.return_id, findings=[found])
    if stage == "refunded" and not is_worn:
        draw.call("refund_return", return_id=back.return_id)
    case = draw.call(
        "open_case", customer_id=customer.customer_id, topic="returns",
        subject="Where is my refund?", text="I sent it back. When do I get my money?",
        order_id=order.order_id,
    )  # fmt: skip
    draw.turn(case, order_id=other.order_id)
    if draw.chance(0.15):
        draw.call("resolve_case", case_id=case.case_id, resolution="Answered by phone.")
    return facts(
        number=told(case.case_id, case, "case_id"),
        done=draw.one([
            "Your refund has gone out. Thank you for your patience.",
            "We have paid the money back to you. Please allow your bank two days.",
            "Good news: we have refunded your return. Sorry that it took a while.",
        ]),
        wait=draw.one([
            "Your return is being processed. We will write again when the money is out.",
            "Thank you for asking. It is not finished yet, please give us a few more days.",
            "We are still working on your return. You will hear from us when it is done.",
        ]),
    )  # fmt: skip


def _sent_in(db: Database, draw: Draw, customer: Customer) -> tuple[Order, ProductReturn]:
    """Return an order of one thing that is on its way back, and its return."""
    goods = _goods(db, draw, 1, Decimal("200"))
    order = _paid(db, draw, _checked_out(db, draw, customer, goods, [1], 9))
    _arrived(db, draw, _sent(db, draw, order, [1], 9), 0)
    back = draw.call(
        "request_return", order_id=order.order_id,
        items=[ReturnItem(line_number=1, quantity=1, reason="changed_mind")],
    )  # fmt: skip
    return (db.orders.get(order.order_id), back)


def solve_settle_case(agent: Agent, given: Given) -> Outcome:
    agent.ask("number")
    case = agent.get_case(given.number)
    returns = agent.list_returns(customer_id=case.customer_id)
    back = only(one for one in returns if one.order_id == case.order_id)
    if case.status == "resolved":
        return outcome("settled_before", number=back.return_id)
    agent.list_case_messages(case.case_id)
    if back.status == "refunded":
        agent.ask("done")
        agent.resolve_case(case.case_id, given.done)
        return outcome("settled", number=back.return_id, sum=back.refund_amount)
    if back.status == "refused":
        item = only(back.lines).item
        return outcome("was_refused", number=back.return_id, item=item)
    agent.ask("wait")
    agent.reply_to_case(case.case_id, "agent", given.wait)
    return outcome("not_refunded_yet", number=back.return_id, item=only(back.lines).item)


def promised_money(db: Database, draw: Draw) -> Facts:
    """A colleague wrote that money goes back for a damaged thing; it may be more than allowed."""
    customer = _shopper(db, draw)
    goods = _goods(db, draw, draw.integer(1, 2), Decimal("220"))
    days = draw.integer(8, 25)
    order = _paid(db, draw, _checked_out(db, draw, customer, goods, [1, 1], days))
    _arrived(db, draw, _sent(db, draw, order, _all_lines(order), days), draw.one([-1, 0]))
    order = db.orders.get(order.order_id)
    line = draw.one(order.lines)
    share = draw.one(SHARES)
    promised = money(_net(line) * Decimal(share))
    other = money(_net(line) * Decimal("0.75" if share < "0.5" else "0.35"))
    apology = "I am sorry about the damage. If you keep it, we will pay you back"
    case = draw.call(
        "open_case", customer_id=customer.customer_id, topic="product", subject="Arrived damaged",
        text=f"The {line.item} arrived damaged. I would keep it all the same.",
        order_id=order.order_id,
    )  # fmt: skip
    opened = db.now() - timedelta(days=2, minutes=draw.integer(5, 300))
    db.cases.update(case.case_id, opened_at=opened)
    text = f"{apology} ${promised:.2f} in the next days."
    draw.call("reply_to_case", case_id=case.case_id, author="agent", text=text)
    for message in db.case_messages.where(case_id=case.case_id):
        if message.author == "agent":
            sent = opened + timedelta(minutes=90)
            message = db.case_messages.update(message.message_id, sent_at=sent)
            draw.turn(message, text=f"{apology} ${other:.2f} in the next days.")
        else:
            db.case_messages.update(message.message_id, sent_at=opened)
    beside = maybe(one for one in order.lines if one != line)
    if beside is not None and draw.chance(0.4):
        draw.call(
            "refund_order", order_id=order.order_id, amount=money(_net(beside) / 4),
            reason="damaged_item", line_number=beside.line_number,
        )  # fmt: skip
    if draw.chance(0.15):
        amount = min(promised, money(_net(line) / 2))
        draw.call(
            "refund_order", order_id=order.order_id, amount=amount, reason="damaged_item",
            line_number=line.line_number,
        )  # fmt: skip
    wavers = draw.chance(0.3)
    return facts(
        _me(customer),
        item=told(draw.name(line.item, among=_items_of(db, customer)), order, "lines.item"),
        refund_to=draw.one(["original_payment", "original_payment", "gift_card"]),
        agrees=not wavers,
        accepts=not wavers,
    )


def solve_promised_money(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item")
    order, line = _bought(agent, customer, given.item)
    summary = agent.summarize_order(order.order_id)
    before = maybe(
        one
        for one in summary.refunds
        if (one.reason, one.line_number) == ("damaged_item", line.line_number)
    )
    cases = agent.list_cases(customer.customer_id)
    case = only(case for case in cases if case.order_id == order.order_id)
    messages = agent.list_case_messages(case.case_id)
    promise = only(message for message in messages if message.author == "agent")
    day = promise.sent_at.date()
    if before is not None:
        return outcome("paid_before", sum=before.amount, day=day)
    promised = only(
        Decimal(word.removeprefix("$")) for word in promise.text.split() if word.startswith("$")
    )
    most = money(_net(line) / 2)
    if promised > most:
        if not agent.agreed(sum=most):
            return outcome("less_declined", sum=most, day=day)
        _pay_promised(agent, given, order, line, most)
        return outcome("less_paid", sum=most, day=day)
    if not agent.agreed(sum=promised):
        return outcome("promise_declined", sum=promised, day=day)
    _pay_promised(agent, given, order, line, promised)
    return outcome("promise_kept", sum=promised, day=day)


def _pay_promised(
    agent: Agent, given: Given, order: Order, line: OrderLine, amount: Decimal
) -> None:
    """Pay back a part of the price of a damaged thing that the customer keeps."""
    agent.ask("refund_to")
    agent.refund_order(order.order_id, amount, "damaged_item", line.line_number, given.refund_to)


def for_another(db: Database, draw: Draw) -> Facts:
    """Somebody wants another's order cancelled; the owner may have allowed it in writing."""
    speaker, owner = _shopper(db, draw), _shopper(db, draw)
    draw.need(speaker.customer_id != owner.customer_id)
    goods = _goods(db, draw, draw.integer(1, 2), Decimal("250"))
    order = _paid(db, draw, _checked_out(db, draw, owner, goods, [1, 1], draw.integer(0, 3)))
    stage = draw.one(["may", "may", "may", "may", "gone", "ended", "other", "asked", "none"])
    if stage == "gone":
        _sent(db, draw, order, _all_lines(order), draw.integer(0, 2))
    if stage == "asked":
        case = _case_laid(db, draw, owner, "account", None, 2)
        text = f"Please write here whether {speaker.email} may act for you."
        message = draw.call("reply_to_case", case_id=case.case_id, author="agent", text=text)
        draw.need(message.case_id == case.case_id)
    elif stage != "none":
        whom = draw.row("customers", status="active") if stage == "other" else speaker
        _allowed(db, draw, owner, whom, stage == "ended")
    line = draw.one(db.orders.get(order.order_id).lines)
    return facts(
        _me(speaker),
        owner_email=told(owner.email, owner, "email"),
        whose=draw.one(["my neighbor", "my partner", "my boss", "a friend of mine"]),
        item=told(line.item, order, "lines.item"),
        reason=draw.one(["changed_mind", "ordered_by_mistake", "found_cheaper", "too_slow"]),
        agrees=not draw.chance(0.15),
    )


def _allowed(db: Database, draw: Draw, owner: Customer, whom: Customer, is_over: bool) -> None:
    """Have a customer allow somebody in writing to act for them; it may be over."""
    case = draw.call(
        "open_case", customer_id=owner.customer_id, topic="account",
        subject="Somebody will act for me",
        text=f"The person with the e-mail address {whom.email} may see to my orders for me.",
    )  # fmt: skip
    if is_over:
        draw.call("resolve_case", case_id=case.case_id, resolution="Ended by the customer.")
    message = db.case_messages.where(case_id=case.case_id)[0]
    draw.turn(message, text="I am away for a while. Please send no parcels until July.")


def solve_for_another(agent: Agent, given: Given) -> Outcome:
    speaker = _customer(agent, given)
    agent.ask("owner_email", "item")
    owner = agent.find_customer_by_email(given.owner_email)
    allowing = [
        message
        for case in agent.list_cases(owner.customer_id, topic="account")
        if case.status != "resolved"
        for message in agent.list_case_messages(case.case_id)
        if message.author == "customer" and speaker.email in message.text
    ]
    if len(allowing) == 0:
        return outcome("not_allowed", price=_price_of(agent, given.item))
    order, line = _bought(agent, owner, given.item)
    if order.status not in ("pending", "paid"):
        day = _parcel_of(agent, order, line).promised_on
        return outcome("left_already", day=day, price=_price_of(agent, given.item))
    agent.ask("reason")
    summary = agent.summarize_order(order.order_id)
    refund = summary.paid - summary.refunded
    if not agent.agreed(refund=refund):
        return outcome("theirs_kept", refund=refund)
    agent.cancel_order(order.order_id, given.reason)
    return outcome("theirs_cancelled", refund=refund)


def _price_of(agent: Agent, item: str) -> Decimal:
    """Return what a thing costs today, by its name and options in words."""
    name, options = item.removesuffix(")").split(" (")
    product = _product_named(agent, name)
    return only(
        kind.price
        for kind in agent.list_product_variants(product.product_id)
        if ", ".join(option.value for option in kind.options) == options
    )
