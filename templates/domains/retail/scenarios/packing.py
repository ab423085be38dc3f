"""Parcels at the packing table: sent, delivered, or written off."""

PACKED_STAGES = (
    "paid", "paid", "paid", "paid", "paid", "half", "half", "due", "gone", "off", "line_off",
)  # fmt: skip


def _new_label(db: Database, draw: Draw, carrier: Carrier) -> str:
    """Return the tracking number on a label; some were used by mistake before."""
    if draw.chance(0.1):
        return draw.row("shipments", carrier=carrier, status=("delivered", "lost")).tracking_number
    return f"{LABELS_OF[carrier]}{draw.integer(10000000, 99999999)}"


def pack_parcel(db: Database, draw: Draw) -> Facts:
    """A box is packed with one thing of an order, or with all; its label may be used."""
    customer = _shopper(db, draw)
    goods = _goods(db, draw, 3, Decimal("160"))
    order = _checked_out(db, draw, customer, goods, [1, 1, draw.one([1, 2])], draw.integer(1, 3))
    stage = draw.one(PACKED_STAGES)
    if stage != "due":
        order = _paid(db, draw, order)
    line = draw.one(order.lines)
    if stage == "half":
        others = [number for number in _all_lines(order) if number != line.line_number]
        _sent(db, draw, order, draw.one([others, others, others[:1]]), 0)
    if stage == "gone":
        _sent(db, draw, order, [line.line_number], 0)
    if stage == "off":
        draw.call("cancel_order", order_id=order.order_id, reason="changed_mind")
    if stage == "line_off":
        draw.call("cancel_order_line", order_id=order.order_id, line_number=line.line_number)
    carrier = draw.one(CARRIERS)
    label = _new_label(db, draw, carrier)
    draw.turn(draw.row("shipments", status="delivered"), tracking_number=label)
    items = [one.item for one in order.lines]
    return facts(
        number=told(order.order_id, order, "order_id"),
        item=told(draw.name(line.item, among=items), order, "lines.item"),
        carrier=carrier,
        label=label,
    )


def solve_pack_parcel(agent: Agent, given: Given) -> Outcome:
    agent.ask("number", "item")
    order = agent.get_order(given.number)
    line = only(line for line in order.lines if fits(given.item, line.item))
    if order.status == "cancelled":
        return outcome("order_off", day=order.cancelled_at.date(), sum=order.total)
    if order.status == "pending":
        due = agent.summarize_order(given.number).due
        return outcome("unpaid", due=due)
    if line.status == "cancelled":
        rest = [one for one in order.lines if one.status == "open"]
        return outcome("line_off", rest=[one.item for one in rest])
    if line.status == "shipped":
        parcel = _parcel_of(agent, order, line)
        return outcome("gone_before", number=parcel.tracking_number, day=parcel.promised_on)
    agent.ask("carrier", "label")
    sent = agent.attempt.ship_order(given.number, given.carrier, given.label, [line.line_number])
    if sent.rejected("tracking_number_taken"):
        other = agent.track_shipment(given.label)
        return outcome("label_used", order=other.order_id, left=other.shipped_at.date())
    left = [one for one in order.lines if one.status == "open" and one != line]
    if len(left) == 0:
        return outcome("last_sent", day=sent.promised_on, street=order.ship_to.street)
    return outcome(
        "sent", day=sent.promised_on, street=order.ship_to.street, item=left[0].item,
        count=len(left),
    )  # fmt: skip


def ship_oldest(db: Database, draw: Draw) -> Facts:
    """The next parcel is the paid order to a state that has waited longest."""
    for _ in range(draw.integer(2, 4)):
        customer = _shopper(db, draw)
        goods = _goods(db, draw, draw.one([1, 1, 2]), Decimal("150"))
        order = _checked_out(db, draw, customer, goods, [1, 1], draw.integer(2, 7))
        if draw.chance(0.75):
            _paid(db, draw, order)
    paid = db.orders.where(status="paid")
    carrier = draw.one(CARRIERS)
    elsewhere = draw.row("customers", status="active").addresses[0].state
    state = elsewhere if draw.chance(0.3) else draw.one(paid).ship_to.state
    label = _new_label(db, draw, carrier)
    draw.turn(draw.row("shipments", status="delivered"), tracking_number=label)
    return facts(state=state, carrier=carrier, label=label)


def solve_ship_oldest(agent: Agent, given: Given) -> Outcome:
    agent.ask("state", "carrier", "label")
    paid = agent.search_orders(status="paid", state=given.state)
    if len(paid) == 0:
        anywhere = agent.search_orders(status="paid")
        first = min(anywhere, key=lambda order: order.placed_at)
        return outcome("none_there", oldest=first.order_id, placed=first.placed_at.date())
    order = min(paid, key=lambda order: order.placed_at)
    sent = agent.attempt.ship_order(order.order_id, given.carrier, given.label)
    if sent.rejected("tracking_number_taken"):
        other = agent.track_shipment(given.label)
        return outcome("label_taken", number=order.order_id, other=other.order_id)
    return outcome("went_out", number=order.order_id, day=sent.promised_on)


def parcel_dropped(db: Database, draw: Draw) -> Facts:
    """A driver hands in a list; the parcel may be delivered, written off, or one of two."""
    customer = _shopper(db, draw)
    goods = _goods(db, draw, 2, Decimal("160"))
    days = draw.integer(7, 9)
    order = _paid(db, draw, _checked_out(db, draw, customer, goods, [1, 1], days))
    split = draw.chance(0.6)
    parcel = _sent(db, draw, order, [1] if split else [1, 2], days - draw.integer(1, 2))
    stage = draw.one(["way", "way", "way", "way", "there", "lost"])
    if split and draw.chance(0.6):
        other = _sent(db, draw, db.orders.get(order.order_id), [2], days - 2)
        again = draw.chance(0.3)
        if again and other.promised_on < db.today():
            draw.call(
                "replace_lost_shipment", lost_tracking_number=other.tracking_number,
                carrier="dhl", tracking_number=f"JD{draw.integer(10000000, 99999999)}",
            )  # fmt: skip
        elif draw.chance(0.3):
            _arrived(db, draw, other, 0)
    if stage == "there":
        _arrived(db, draw, parcel, draw.one([-1, 0]))
    if stage == "lost":
        draw.need(parcel.promised_on < db.today())
        draw.call(
            "replace_lost_shipment", lost_tracking_number=parcel.tracking_number, carrier="ups",
            tracking_number=f"1Z{draw.integer(10000000, 99999999)}",
        )  # fmt: skip
    parcel = db.shipments.get(parcel.shipment_id)
    draw.turn(parcel, promised_on=parcel.promised_on - timedelta(days=1))
    for one in db.shipments.where(order_id=order.order_id):
        if one.shipment_id != parcel.shipment_id:
            number = f"{LABELS_OF[one.carrier]}{draw.integer(10000000, 99999999)}"
            draw.turn(one, tracking_number=number)
    return facts(parcel=told(parcel.tracking_number, parcel, "tracking_number"))


def solve_parcel_dropped(agent: Agent, given: Given) -> Outcome:
    agent.ask("parcel")
    parcel = agent.track_shipment(given.parcel)
    if parcel.status == "delivered":
        day = parcel.delivered_at.date()
        return outcome("there_before", day=day, order=parcel.order_id)
    parcels = agent.list_order_shipments(parcel.order_id)
    if parcel.status == "lost":
        again = only(
            one
            for one in parcels
            if one.status != "lost" and one.line_numbers == parcel.line_numbers
        )
        return outcome("written_off", other=again.tracking_number, order=parcel.order_id)
    agent.record_delivery(given.parcel)
    order = agent.get_order(parcel.order_id)
    if order.status == "delivered":
        return outcome("complete", day=parcel.promised_on, order=order.order_id)
    if order.status == "part_shipped":
        still = only(line for line in order.lines if line.status == "open")
        return outcome("not_all_sent", item=still.item, order=order.order_id)
    other = only(one for one in parcels if one.status == "in_transit" and one != parcel)
    return outcome("one_more", other=other.tracking_number, order=order.order_id)


def write_off(db: Database, draw: Draw) -> Facts:
    """A parcel is missing; what was in it is sent again, or paid back if it is sold out."""
    customer = _shopper(db, draw)
    goods = _goods(db, draw, 2, Decimal("160"))
    days = draw.integer(9, 14)
    order = _paid(db, draw, _checked_out(db, draw, customer, goods, [1, draw.one([1, 2])], days))
    numbers = draw.one([[1], [2], [1, 2]])
    parcel = _sent(db, draw, order, numbers, days - 1)
    stage = draw.one(["lost", "lost", "lost", "lost", "lost", "due", "there", "off"])
    variant = db.variants.get(order.lines[numbers[-1] - 1].variant_id)
    if draw.chance(0.4):
        variant = db.variants.update(variant.variant_id, stock=0)
    elif draw.chance(0.3):
        count = order.lines[numbers[-1] - 1].quantity
        variant = db.variants.update(variant.variant_id, stock=count)
    draw.turn(variant, stock=0 if variant.stock > 0 else 30)
    for line in order.lines:
        if line.line_number not in numbers and draw.chance(0.4):
            db.variants.update(line.variant_id, stock=0)
    if stage == "due":
        due = db.today() + timedelta(days=draw.integer(0, 2))
        parcel = db.shipments.update(parcel.shipment_id, promised_on=due)
    if stage == "lost":
        draw.turn(parcel, promised_on=db.today())
    if stage == "there":
        parcel = _arrived(db, draw, parcel, draw.one([-1, 0, 2]))
    if stage == "off":
        draw.call("refund_lost_shipment", lost_tracking_number=parcel.tracking_number)
    carrier = draw.one(CARRIERS)
    return facts(
        parcel=told(parcel.tracking_number, parcel, "tracking_number"),
        carrier=carrier,
        label=_new_label(db, draw, carrier),
    )


def solve_write_off(agent: Agent, given: Given) -> Outcome:
    agent.ask("parcel", "carrier", "label")
    parcel = agent.track_shipment(given.parcel)
    if parcel.status == "delivered":
        return outcome("delivered", came=parcel.delivered_at.date(), order=parcel.order_id)
    if parcel.status == "lost":
        paid_back = agent.summarize_order(parcel.order_id).refunded
        return outcome("off_before", refund=paid_back, order=parcel.order_id)
    if parcel.promised_on >= agent.get_shop_info().today:
        return outcome("not_overdue", due=parcel.promised_on, order=parcel.order_id)
    order = agent.get_order(parcel.order_id)
    lines = [line for line in order.lines if line.line_number in parcel.line_numbers]
    short = [line for line in lines if agent.get_variant(line.variant_id).stock < line.quantity]
    if len(short) > 0:
        before = agent.summarize_order(order.order_id).refunded
        agent.refund_lost_shipment(given.parcel)
        refund = agent.summarize_order(order.order_id).refunded - before
        return outcome("paid_instead", refund=refund, order=order.order_id)
    again = agent.attempt.replace_lost_shipment(given.parcel, given.carrier, given.label)
    if again.rejected("tracking_number_taken"):
        other = agent.track_shipment(given.label)
        return outcome("label_in_use", other=other.order_id, order=order.order_id)
    return outcome("sent_again", day=again.promised_on, order=order.order_id)
