"""Exchanges at the warehouse: the old thing is back, the new one is packed."""

SWAP_STAGES = ("open", "open", "open", "open", "open", "expired", "expired", "expired", "off", "done")


def _asked_to_swap(
    db: Database, draw: Draw, customer: Customer, order: Order, line: OrderLine, days: int
) -> Exchange:
    """Return an exchange of a line for another variant, requested some days ago."""
    old = db.variants.get(line.variant_id)
    kinds = db.variants.where(product_id=old.product_id)
    new = draw.one(kind for kind in kinds if kind.variant_id != old.variant_id and kind.stock > 2)
    step = draw.one([0, 0, 8, 8, 8, -6])
    new = db.variants.update(new.variant_id, price=max(old.price + step, Decimal(2)))
    method = _valid_method(db, draw, customer).payment_method_id if step > 0 else None
    swap = draw.call(
        "request_exchange", order_id=order.order_id, line_number=line.line_number,
        quantity=line.quantity, new_variant_id=new.variant_id, payment_method_id=method,
    )  # fmt: skip
    asked = db.now() - timedelta(days=days, minutes=draw.integer(5, 300))
    return db.exchanges.update(swap.exchange_id, requested_at=asked)


def finish_swap(db: Database, draw: Draw) -> Facts:
    """The old thing of an exchange is back; it may be worn, or the card may have expired."""
    customer = _shopper(db, draw)
    goods = _goods(db, draw, 2, Decimal("160"))
    order = _stood(db, draw, customer, goods, [1, 1], 10)
    line = draw.one(order.lines)
    swap = _asked_to_swap(db, draw, customer, order, line, 6)
    stage = draw.one(SWAP_STAGES)
    if swap.payment_method_id is not None:
        method = db.payment_methods.get(swap.payment_method_id)
        over = db.today() - timedelta(days=draw.integer(1, 5))
        draw.need(method.added_on < over)
        if stage == "expired" and method.expires_on is not None:
            db.payment_methods.update(method.payment_method_id, expires_on=over)
        elif method.expires_on is not None:
            draw.turn(method, expires_on=over)
    if stage == "off":
        draw.call("cancel_exchange", exchange_id=swap.exchange_id)
        ended = db.now() - timedelta(days=draw.integer(1, 3))
        db.exchanges.update(swap.exchange_id, closed_at=ended)
    carrier = draw.one(["ups", "fedex", "usps", "dhl"])
    label = _new_label(db, draw, carrier)
    if stage == "done":
        draw.call(
            "complete_exchange", exchange_id=swap.exchange_id, condition="as_new",
            carrier="dhl", tracking_number=f"JD{draw.integer(10000000, 99999999)}",
        )  # fmt: skip
    draw.turn(draw.row("shipments", status="delivered"), tracking_number=label)
    return facts(
        _me(customer),
        item=told(draw.name(line.item, among=_items_of(db, customer)), swap, "item"),
        state=draw.one(["as_new", "as_new", "as_new", "opened", "opened", "worn", "broken"]),
        carrier=carrier,
        label=label,
    )


def solve_finish_swap(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item", "state")
    swaps = agent.list_exchanges(customer_id=customer.customer_id)
    swap = only(one for one in swaps if fits(given.item, one.item))
    if swap.status == "cancelled":
        return outcome("swap_off", day=swap.closed_at.date(), number=swap.exchange_id)
    if swap.status == "completed":
        parcels = agent.list_order_shipments(swap.order_id)
        sent = only(one for one in parcels if swap.new_line_number in one.line_numbers)
        return outcome("swap_done", parcel=sent.tracking_number, number=swap.exchange_id)
    if given.state in ("worn", "broken"):
        agent.cancel_exchange(swap.exchange_id)
        street = agent.get_order(swap.order_id).ship_to.street
        return outcome("not_swapped", street=street, number=swap.exchange_id)
    agent.ask("carrier", "label")
    done = agent.attempt.complete_exchange(
        swap.exchange_id, given.state, given.carrier, given.label
    )
    if done.rejected("tracking_number_taken"):
        other = agent.track_shipment(given.label)
        return outcome("label_spent", order=other.order_id, new=swap.new_item)
    if done.rejected("card_expired"):
        day = date.fromisoformat(done.values.day)
        return outcome("card_over", day=day, sum=swap.difference, number=swap.exchange_id)
    if swap.difference > 0:
        return outcome("charged", sum=swap.difference, number=swap.exchange_id)
    return outcome("swapped", back=-swap.difference, number=swap.exchange_id)
