"""Cases, and what is left alone while they are open."""


def _unresolved_on(db: Database, order_id: str) -> list[SupportCase]:
    """Return the cases about an order that are not resolved."""
    return [case for case in db.cases.where(order_id=order_id) if case.status != "resolved"]


def delivery_case_is_high(db: Database, past: Past, event: Event) -> bool:
    """A case about a parcel that the agent cannot settle has high priority."""
    if event.tool != "open_case" or event.argument("topic") != "delivery":
        return True
    return event.argument("order_id") is None or event.argument("priority") == "high"


def priority_fits(db: Database, past: Past, event: Event) -> bool:
    """A case has high priority about delivery or for gold customers, and otherwise normal."""
    if event.tool != "open_case" or past.role == "staff":
        return True
    tier = db.customers.get(event.argument("customer_id")).tier
    is_high = event.argument("topic") == "delivery" or tier == "gold"
    return event.argument("priority") in (("high",) if is_high else ("normal", None))


def cases_read_first(db: Database, past: Past, event: Event) -> bool:
    """For a damaged item, money goes back once the open cases about its order were read."""
    if event.tool != "refund_order" or event.argument("reason") != "damaged_item":
        return True
    read = [call.argument("case_id") for call in past.called("list_case_messages")]
    read += [call.result.case_id for call in past.called("open_case")]
    cases = _unresolved_on(db, event.argument("order_id"))
    return past.role == "staff" or all(case.case_id in read for case in cases)


def case_was_read(db: Database, past: Past, event: Event) -> bool:
    """A colleague's answer in a case is written after its messages were read."""
    if past.role != "staff" or event.tool not in ("reply_to_case", "resolve_case"):
        return True
    return any(
        call.argument("case_id") == event.argument("case_id")
        for call in past.called("list_case_messages")
    )


def nothing_on_its_way(db: Database, past: Past, event: Event) -> bool:
    """A case on delivery is resolved once no parcel of its order is on its way."""
    if past.role != "staff" or event.tool != "resolve_case" or event.result.topic != "delivery":
        return True
    order_id = event.result.order_id
    return order_id is None or all(
        parcel.status != "in_transit" for parcel in db.shipments.where(order_id=order_id)
    )


def disputed_is_left(db: Database, past: Past, event: Event) -> bool:
    """What a case that is not resolved is about is neither cleared out nor paid."""
    if past.role != "staff" or event.tool not in ("cancel_order", "refund_return"):
        return True
    topic = "returns" if event.tool == "refund_return" else "payment"
    if event.tool == "cancel_order" and event.argument("reason") != "payment_trouble":
        return True
    cases = _unresolved_on(db, event.result.order_id)
    return all(case.topic != topic for case in cases)


def urgent_is_called(db: Database, past: Past, event: Event) -> bool:
    """An urgent case is not answered in writing for a colleague."""
    if past.role != "staff" or event.tool != "reply_to_case":
        return True
    return event.result.priority != "urgent"
