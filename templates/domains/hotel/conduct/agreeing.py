"""What is told, and agreed to, before it is done."""

CHANGING = (
    "change_reservation_dates", "change_room_type", "change_rate_plan", "change_party",
)  # fmt: skip
PAYING = ("take_payment", "pay_with_voucher", "pay_with_points")
MOST_MINIBAR = Decimal("30.00")
MOST_ROOMS = 6
OF_CANCELLING = (
    "cancel", "cancelled", "canceled", "cancelling", "canceling", "cancellation", "cancellations",
    "refund", "refunds", "refunded", "refundable", "nonrefundable", "terms", "conditions",
    "called off", "returned", "money back",
)  # fmt: skip
AHEAD = ("before", "prior", "ahead", "in advance")
QUOTED = ("room_type_id", "rate_plan_id", "arrival", "departure", "adults", "children")
OF_PAYING = (
    "pay", "paid", "paying", "payment", "charge", "charged", "charging", "take", "put", "card",
    "cash", "transfer", "voucher", "points", "settle", "settled", "settling", "bill me",
)  # fmt: skip
LUGGAGE = ("luggage", "baggage", "bag", "bags", "suitcase", "suitcases", "cases")
# What is merely named when the agent asks what the luggage is, such as "two bags", is no wish.
ASKED_TO_KEEP = (
    "luggage", "baggage", "my bag", "my bags", "our bags", "keep my", "keep our", "store my",
    "store our", "leave my", "leave our", "look after my", "look after our",
)  # fmt: skip
DISPUTED = "never taken by the guest"


def _told_and_agreed(past: Past, amount: Money) -> bool:
    """Say whether the person said yes to an amount, and has had no other wish since."""
    agreed = past.agreed_so_far()
    return float(amount) in agreed or float(-amount) in agreed


def _charged(event: Event) -> Money:
    """Return what a call added to a folio, or took off it."""
    return sum(
        (
            change.after.charged - change.before.charged
            for change in event.changes
            if change.table == "folios" and change.before is not None
        ),
        Decimal(0),
    )


def price_agreed(db: Database, past: Past, event: Event) -> bool:
    """A room is booked once its price was told and agreed to, or that of several alike."""
    if event.tool != "create_reservation" or past.role == "colleague":
        return True
    total = event.result.total
    alike = len([call for call in past.called("create_reservation") if event.repeats(call)])
    is_fresh = float(total) in (past.yes_to() or [])
    agreed = past.agreed_so_far()
    if alike > 0 and float(total) in agreed and past.agreed_in_words(("each", "both", "apiece")):
        return True
    return is_fresh or any(float(n * total) in agreed for n in range(alike + 1, MOST_ROOMS + 1))


def terms_told(db: Database, past: Past, event: Event) -> bool:
    """A guest who agrees to a booking knows its deposit and until when cancelling it is free.

    Both may have been told for another wish already: they are this booking's own all the same.
    """
    if event.tool != "create_reservation" or past.role == "colleague":
        return True
    booked = event.result
    told = _told_so_far(past)
    if booked.deposit_due > 0 and not _is_deposit_told(booked, told):
        return False
    days = db.rate_plans.get(booked.rate_plan_id).free_cancel_days
    if days is None or booked.arrival - timedelta(days=days) < db.today():
        is_untrue = past.agreed_in_words(("always free", "always refundable"))
        return past.agreed_in_words(OF_CANCELLING) and not is_untrue
    free_until = booked.arrival - timedelta(days=days)
    # A day told without its year is read as the nearest one.
    is_told = any(str(value)[4:] == str(free_until)[4:] for value in told)
    return is_told or past.agreed_in_words(_days_ahead(days))


def _is_deposit_told(booked: Reservation, told: list[float | str]) -> bool:
    """Return whether the deposit of a room, or of several alike, is among what was told."""
    several = [n * booked.deposit_due for n in range(2, MOST_ROOMS + 1)]
    # The price of a room may happen to be the deposit of several.
    deposits = [booked.deposit_due, *[one for one in several if one % booked.total != 0]]
    return any(float(one) in told for one in deposits)


def _days_ahead(days: int) -> list[str]:
    """Return how so many days before another may be said, such as "the day before"."""
    spans = ["day", "24 hours"] if days == 1 else [f"{days} days", f"{HOURS[days % 12]} days"]
    return [
        f"{span} {ahead}" for span in [*spans, *(["week"] if days == 7 else [])] for ahead in AHEAD
    ]


def deposit_offered(db: Database, past: Past, event: Event) -> bool:
    """Money is taken with a card, or in another way, that the person named."""
    if event.tool != "take_payment" or past.role == "colleague":
        return True
    way = event.argument("card_last4") or event.argument("method")
    return _is_wanted(past, way.replace("_", " "))


def change_agreed(db: Database, past: Past, event: Event) -> bool:
    """A reservation is changed once its new price was told and agreed to."""
    if event.tool not in CHANGING or past.role == "colleague" or _is_upgrade(event):
        return True
    is_same = any(
        change.table == "reservations" and change.after.total == change.before.total
        for change in event.changes
    )
    return _new_price_agreed(past, event) or (is_same and past.agreed())


def upgrade_agreed(db: Database, past: Past, event: Event) -> bool:
    """A better room is booked before check-in once its price was told and agreed to."""
    if not _is_upgrade(event) or past.role == "colleague":
        return True
    return _new_price_agreed(past, event)


def _new_price_agreed(past: Past, event: Event) -> bool:
    """Return whether the price after a change was agreed to, or that after several at once."""
    quoted = [
        quote.result.total
        for quote in past.called("quote_stay")
        if quote.argument("reservation_id") == event.argument("reservation_id")
        if all(event.argument(name) in (None, quote.argument(name) or 0) for name in QUOTED)
    ]
    return any(_told_and_agreed(past, total) for total in [event.result.total, *quoted])


def _is_upgrade(event: Event) -> bool:
    """Return whether a call gives a reservation a dearer room."""
    return event.tool == "change_room_type" and any(
        change.table == "reservations" and change.after.total > change.before.total
        for change in event.changes
    )


def cancelling_agreed(db: Database, past: Past, event: Event) -> bool:
    """A reservation is cancelled once the fee and what goes back were told and agreed to.

    That nothing is to be paid may be told in other words. A yes to some bookings is for these only.
    """
    if event.tool != "cancel_reservation":
        return True
    if past.role == "colleague":
        return not _is_called_off(past, event)
    agreed, last = past.agreed_so_far(), past.yes_to()
    # An older yes counts for what was told to be cancelled in it, by its number or at its fee.
    is_bound = event.result.reservation_id in agreed or _charged(event) > 0
    return (is_bound and _is_yes_to_cancelling(db, past, event, agreed)) or (
        last is not None and _is_yes_to_cancelling(db, past, event, last)
    )


def _is_yes_to_cancelling(
    db: Database, past: Past, event: Event, agreed: list[float | str]
) -> bool:
    """Return whether the fee and what goes back are among values, and no other booking is."""
    back = sum(
        (change.after.amount for change in event.changes if change.table == "refunds"), Decimal(0)
    )
    named = [value for value in agreed if db.reservations.find(str(value)) is not None]
    number, fee = event.result.reservation_id, float(_charged(event))
    quoted = [call.argument("reservation_id") for call in past.called("quote_cancellation")]
    is_free_told = past.agreed_in_words(OF_CANCELLING) and number in [*named, *quoted]
    in_parts = fee > 0 and all(float(abs(part)) in agreed for part in _parts(event))
    is_told = fee in agreed or in_parts or (fee == 0 and (back > 0 or is_free_told))
    is_back_told = back == 0 or float(back) in agreed
    return is_told and is_back_told and (len(named) == 0 or number in named)


def _is_called_off(past: Past, event: Event) -> bool:
    """Return whether a colleague's last word on a cancelling is a no, not one to another offer."""
    about, agrees = {event.result.reservation_id, float(_charged(event))}, True
    for place, reply in enumerate(past.replies):
        message = past.messages[place]
        is_other = message.does("offers") and about.isdisjoint(message.values("states"))
        if reply.does("agrees") or (reply.does("declines") and not is_other):
            agrees = reply.does("agrees")
    return not agrees


def departure_agreed(db: Database, past: Past, event: Event) -> bool:
    """The day of leaving moves once what it adds or takes off was told and agreed to."""
    moves = event.tool in ("extend_stay", "shorten_stay") or (
        event.tool == "check_out" and _charged(event) != 0
    )
    if not moves or past.role == "colleague":
        return True
    # A guest may be moved, or pay, before the day of leaving is: a yes is not used up by that.
    agreed, change = past.agreed_so_far(), _charged(event)
    in_all = float(change) in agreed or float(-change) in agreed
    return (
        in_all
        or any(float(abs(bill)) in agreed for bill in _bills(event))
        or all(float(abs(part)) in agreed for part in _parts(event))
    )


def _bills(event: Event) -> list[Money]:
    """Return what a folio comes to after a call, and what of that is due."""
    folios = [change.after for change in event.changes if change.table == "folios"]
    sums = [*[folio.charged for folio in folios], *[folio.due for folio in folios]]
    return [one for one in sums if one != 0]


def _parts(event: Event) -> list[Money]:
    """Return what a call put on a folio or took off it, by kind: nights, city tax, late hours."""
    lines = [change.after for change in event.changes if change.table == "charges"]
    return [
        sum(
            (-one.amount if one.voided else one.amount for one in lines if one.kind == kind),
            Decimal(0),
        )
        for kind in sorted({line.kind for line in lines})
    ]


def late_checkout_agreed(db: Database, past: Past, event: Event) -> bool:
    """A late check-out that costs something is granted once that was agreed to."""
    return _is_promised(past) or _late_hours_paid(past, event)


def promised_hours_paid(db: Database, past: Past, event: Event) -> bool:
    """Hours that a colleague is said to have promised are granted at their price, agreed to."""
    return not _is_promised(past) or _late_hours_paid(past, event)


def _is_promised(past: Past) -> bool:
    """Return whether the person named the colleague who is said to have promised something."""
    return past.told.get("colleague") is not None


def _late_hours_paid(past: Past, event: Event) -> bool:
    """Return whether late hours that a call grants cost nothing, or their price was agreed to."""
    if event.tool != "grant_late_checkout" or past.role == "colleague":
        return True
    lines = [change.after for change in event.changes if change.table == "charges"]
    price = sum((line.amount for line in lines if not line.voided), Decimal(0))
    return price == 0 or _told_and_agreed(past, price)


def payment_agreed(db: Database, past: Past, event: Event) -> bool:
    """A guest is charged once the sum was told and agreed to, if only by naming the card for it."""
    if event.tool not in PAYING or past.role == "colleague":
        return True
    points = event.argument("points")
    by = (event.argument("card_last4"), event.argument("voucher_id"))
    giving = [name for name, value in past.told.items() if str(value) in by]
    is_about_it = past.agreed_in_words(OF_PAYING, giving) or any(
        past.said_in_words(word) for word in OF_PAYING
    )
    amount = event.result.amount if points is None else points
    return is_about_it and float(amount) in past.agreed_so_far(giving)


def voided_at_their_word(db: Database, past: Past, event: Event) -> bool:
    """Of a guest's charges only minibar lines are taken back: so many euros, or one of a pair."""
    if event.tool != "void_charge" or past.role == "colleague":
        return True
    lines = db.charges.where(folio_id=event.result.folio_id, kind="minibar")
    if not _is_disputed(event.result):
        others = [line for line in lines if line.charge_id != event.result.charge_id]
        alike = [_entry(line) for line in others if not line.voided or _is_disputed(line)]
        return _entry(event.result) in alike
    back = sum((line.amount for line in lines if _is_disputed(line)), Decimal(0))
    return event.result.kind == "minibar" and back <= MOST_MINIBAR


def _entry(line: Charge) -> tuple[str, str, str, datetime, Decimal]:
    """Return what of a line is alike where it stands twice on a bill."""
    return (line.folio_id, line.kind, line.description, line.posted_at, line.amount)


def _is_disputed(line: Charge) -> bool:
    """Return whether a line was taken back at the guest's word, and not as the house's mistake."""
    return (line.void_reason or "").strip(" .").lower() == DISPUTED


def service_price_agreed(db: Database, past: Past, event: Event) -> bool:
    """A service is booked once its price was told and agreed to."""
    if event.tool != "book_service" or past.role == "colleague":
        return True
    return _told_and_agreed(past, event.result.price)


def service_fee_agreed(db: Database, past: Past, event: Event) -> bool:
    """A service whose cancelling costs something is cancelled once that was agreed to."""
    if event.tool != "cancel_service" or past.role == "colleague":
        return True
    return _charged(event) == 0 or _told_and_agreed(past, _charged(event))


def points_agreed(db: Database, past: Past, event: Event) -> bool:
    """A guest gets points for a complaint once they were told and agreed to."""
    if event.tool != "resolve_complaint" or past.role == "colleague" or event.result.points == 0:
        return True
    return _told_and_agreed(past, event.result.points)


def luggage_agreed(db: Database, past: Past, event: Event) -> bool:
    """That luggage is kept is taken down once the guest asked for it or said yes to it."""
    if event.tool != "create_request" or past.role == "colleague":
        return True
    if event.argument("kind") != "luggage" or past.agreed() or past.agreed_in_words(LUGGAGE):
        return True
    return any(past.said_in_words(word) for word in ASKED_TO_KEEP)


def given_with_a_yes(db: Database, past: Past, event: Event) -> bool:
    """Points and vouchers are given as a colleague asked for them, or after a yes to so many."""
    if past.role != "colleague" or event.tool not in ("resolve_complaint", "issue_voucher"):
        return True
    given = event.result.points if event.tool == "resolve_complaint" else event.result.value
    said = [_amount_in(str(value)) for value in past.told.values()]
    return given == 0 or _amount_in(str(given)) in said or _told_and_agreed(past, given)
