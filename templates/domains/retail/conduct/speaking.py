"""Who speaks, what is told, and what may be done for them."""

IDENTIFYING = ("find_customer_by_email", "find_customer_by_name", "create_customer")
IDS = (
    "customer_id", "order_id", "cart_id", "return_id", "exchange_id", "case_id", "variant_id",
    "new_variant_id", "payment_method_id", "gift_card_id", "review_id", "product_id",
    "lost_tracking_number",
)  # fmt: skip
OWNED = (
    "customers", "payment_methods", "carts", "orders", "returns", "exchanges", "reviews", "cases",
)  # fmt: skip
OF_ORDER = ("payments", "refunds", "shipments")
CARD_OWNERS_ONLY = ("issue_gift_card", "block_gift_card", "replace_gift_card")
WRITING = ("open_case", "reply_to_case")
FINAL = ("close_customer_account", "delete_review")
REASONED = ("cancel_order", "request_return")
# Of gift cards one may want several that are alike; each is agreed to (5.6).
SEVERAL = ("issue_gift_card",)
# Days are counted by these, by the return window of a product, and by that and what gold adds.
# What is ordered today arrives 1, 2 or 5 days later.
WINDOWS = (1, 2, 5, 14, 60, 365, 1825)
GOLD_DAYS = 15
SIGNS = ".,;:!?()"


def _identified(past: Past) -> set[str]:
    """Return the customers that were found by what was said."""
    return {call.result.customer_id for call in past.called(IDENTIFYING)}


def _own(past: Past) -> set[str]:
    """Return the customers found by what the person said of themselves, if they said that."""
    email = past.said("email")
    name = [past.said("first_name"), past.said("last_name")]
    found = past.called(IDENTIFYING)
    if email == "" and "" in name:
        return _identified(past)
    return {
        call.result.customer_id
        for call in found
        if (email != "" and email in (call.result.email, _given(call, "email")))
        or ("" not in name and name in _names(call))
    }


def _names(event: Event) -> list[list[str]]:
    """Return the name of the customer that was found, and the name that was looked for."""
    found = [event.result.first_name.lower(), event.result.last_name.lower()]
    return [found, [_given(event, "first_name"), _given(event, "last_name")]]


def _given(event: Event, name: str) -> str:
    """Return an argument of a call in lower case; nothing if it was left out."""
    return str(event.argument(name) or "").strip().lower()


def _owner(db: Database, change: Written) -> str | None:
    """Return the customer that a changed row belongs to; None if it is nobody's."""
    row = change.before if change.after is None else change.after
    if change.table in OF_ORDER:
        return db.orders.get(row.order_id).customer_id
    return row.customer_id if change.table in OWNED else None


def identified_first(db: Database, past: Past, event: Event) -> bool:
    """Nothing is changed for a customer who has not been found by what was said."""
    if past.role == "staff" or not event.is_call or event.tool in IDENTIFYING:
        return True
    return len(_identified(past)) > 0


def own_account_only(db: Database, past: Past, event: Event) -> bool:
    """What changes belongs to the customer that was identified."""
    if past.role == "staff" or event.tool in IDENTIFYING:
        return True
    return len(_owners(db, event) - _identified(past)) == 0


def _owners(db: Database, event: Event) -> set[str]:
    """Return the customers to whom belongs what a call changed."""
    if event.tool in CARD_OWNERS_ONLY:
        return {event.result.customer_id}
    owners = [_owner(db, change) for change in event.changes]
    return {owner for owner in owners if owner is not None}


def nothing_of_others(db: Database, past: Past, event: Event) -> bool:
    """No message names an order, return, case or e-mail address of a customer not identified."""
    if past.role == "staff" or not event.is_message:
        return True
    # What the person said themselves is told to nobody new.
    said = [str(value).lower() for value in past.told.values()]
    for text in event.texts("states"):
        if text.strip().lower() in said:
            continue
        number = text.strip().upper()
        rows = [
            db.orders.find(number), db.returns.find(number), db.exchanges.find(number),
            db.cases.find(number),
        ]  # fmt: skip
        owners = {row.customer_id for row in rows if row is not None}
        owners |= {row.customer_id for row in db.customers.where(email=text.strip().lower())}
        if not _all_permit(db, past, owners):
            return False
    return True


def _all_permit(db: Database, past: Past, owners: set[str]) -> bool:
    """Return whether the person may see to what belongs to some customers."""
    others = owners - _own(past)
    return len(others) == 0 or len(others - _permitting(db, past)) == 0


def role_allows(db: Database, past: Past, event: Event) -> bool:
    """Nothing that only staff may ask for is done because a customer asks."""
    return not event.is_call or past.may(event.tool)


def ids_are_known(db: Database, past: Past, event: Event) -> bool:
    """Whatever a change is about was looked up, or named by the person."""
    if not event.is_call:
        return True
    values = [event.argument(name) for name in IDS]
    return all(value is None or past.saw(value) for value in values)


def not_twice(db: Database, past: Past, event: Event) -> bool:
    """Nothing is done a second time, unless something else was done to the same in between."""
    if not event.is_call or event.tool in SEVERAL:
        return True
    calls = [
        call
        for call in past.calls
        if len(call.changes) > 0
        and (event.repeats(call) or len(_changed_by(call) & _changed_by(event)) > 0)
    ]
    return len(calls) == 0 or not event.repeats(calls[-1])


def _changed_by(event: Event) -> set[str]:
    """Return the keys of the rows that a call changed."""
    return {f"{change.table} {change.key}" for change in event.changes}


def not_after_refusing(db: Database, past: Past, event: Event) -> bool:
    """Nothing is changed because a person insists on what was refused, and says nothing new."""
    # What was asked for besides, and not refused, is still done. A late parcel's shipping fee goes
    # back without asking (3.7), and a case about what was refused is no way around that.
    is_due = event.tool == "refund_order" and event.argument("reason") == "late_delivery"
    if not event.is_call or is_due or event.tool in WRITING or not past.refused():
        return True
    return not past.replies[-1].does("insists")


def tells_what_is_so(db: Database, past: Past, event: Event) -> bool:
    """The days and numbers of things that are told stand in what tools returned."""
    told = past.unseen(event.texts("states"))
    if len(told) == 0:
        return True
    returns = [call.result.return_days for call in past.called("get_product")]
    returns += [one.return_days for call in past.called("search_products") for one in call.result]
    counts = [*WINDOWS, *returns, *[days + GOLD_DAYS for days in returns]]
    return all(past.counted_from(text, counts, [str(db.today())]) for text in told)


def final_agreed(db: Database, past: Past, event: Event) -> bool:
    """What cannot be undone is done after a yes, and nothing else on that yes before."""
    if event.tool not in FINAL or past.role == "staff":
        return True
    return past.agreed() and all(call.tool in FINAL for call in past.done_since_yes())


def reasons_are_theirs(db: Database, past: Past, event: Event) -> bool:
    """The reason that is written down is one that the person gave."""
    if event.tool not in REASONED:
        return True
    items = event.argument("items")
    reasons = [event.argument("reason")] if items is None else [item["reason"] for item in items]
    given = list(past.told.values())
    return all(reason in given for reason in reasons)


def review_in_their_words(db: Database, past: Past, event: Event) -> bool:
    """What a person writes in a review, and a customer in a case, is what they said."""
    if event.tool == "write_review":
        return past.said_in_words(event.argument("title")) and past.said_in_words(
            event.argument("body")
        )
    is_theirs = event.tool in WRITING and past.role != "staff"
    return not is_theirs or past.said_in_words(event.argument("text"))


def author_speaks(db: Database, past: Past, event: Event) -> bool:
    """A message in a case is written in the name of the person who speaks."""
    author = "agent" if past.role == "staff" else "customer"
    return event.tool != "reply_to_case" or event.argument("author") == author


def mandate_seen(db: Database, past: Past, event: Event) -> bool:
    """What is not the person's own is changed with a permission in writing."""
    if past.role == "staff" or not event.is_call or event.tool in IDENTIFYING:
        return True
    return _all_permit(db, past, _owners(db, event) | _card_not_named(db, past, event))


def _permitting(db: Database, past: Past) -> set[str]:
    """Return whose account the person may act for, by what stands in a case that was read."""
    found = past.called(IDENTIFYING)
    speakers = [call.result.email for call in found if call.result.customer_id in _own(past)]
    return {
        case.customer_id
        for call in past.called("list_case_messages")
        for message in call.result
        for case in [db.cases.get(message.case_id)]
        if case.status != "resolved" and message.author == "customer"
        for word in message.text.lower().split()
        if word.strip(SIGNS) in speakers
    }


def _card_not_named(db: Database, past: Past, event: Event) -> set[str]:
    """Return whose gift card pays that was looked up, and that the person has not named (5.9)."""
    number = event.argument("gift_card_id")
    if event.tool != "pay_order_with_gift_card" or not past.read(number):
        return set()
    said = [str(value).strip().upper() for value in past.told.values()]
    return set() if number in said else {db.gift_cards.get(number).customer_id}
