"""What is told, and agreed to, before it is done."""

CHANGING = (
    "change_reservation_dates", "change_room_type", "change_rate_plan", "change_party",
)  # fmt: skip
PAYING = ("take_payment", "pay_with_voucher", "pay_with_points")
MOST_MINIBAR = Decimal("30.00")
DISPUTED = "never taken by the guest"


def _agreed_values(past: Past) -> list[float]:
    """Return all values stated in messages that the person said yes to."""
    return [
        value
        for message, reply in zip(past.messages, past.replies, strict=False)
        if reply.does("agrees")
        for value in message.values("states")
    ]


def _told_and_agreed(past: Past, amount: Money) -> bool:
    """Say whether the person said yes to an amount, and nothing was changed since."""
    agreed = past.yes_to()
    return agreed is not None and (float(amount) in agreed or float(-amount) in agreed)


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
    """A room is booked once its price was told and agreed to."""
    if event.tool != "create_reservation" or past.role == "colleague":
        return True
    return _told_and_agreed(past, event.result.total)


def terms_told(db: Database, past: Past, event: Event) -> bool:
    """A guest who agrees to a booking knows its deposit and its last day to cancel freely."""
    if event.tool != "create_reservation" or past.role == "colleague":
        return True
    booked = event.result
    days = db.rate_plans.get(booked.rate_plan_id).free_cancel_days
    free_until = None if days is None else booked.arrival - timedelta(days=days)
    agreed = past.yes_to()
    return agreed is not None and (
        (booked.deposit_due == 0 or float(booked.deposit_due) in agreed)
        and (free_until is None or free_until < db.today() or str(free_until) in agreed)
    )


def deposit_offered(db: Database, past: Past, event: Event) -> bool:
    """Money is taken with a card that the person named."""
    if event.tool != "take_payment" or past.role == "colleague":
        return True
    digits = event.argument("card_last4")
    return digits is None or digits in past.told.values()


def change_agreed(db: Database, past: Past, event: Event) -> bool:
    """A reservation is changed once its new price was told and agreed to."""
    if event.tool not in CHANGING or past.role == "colleague" or _is_upgrade(event):
        return True
    return _told_and_agreed(past, event.result.total)


def upgrade_agreed(db: Database, past: Past, event: Event) -> bool:
    """A better room is booked before check-in once its price was told and agreed to."""
    if not _is_upgrade(event) or past.role == "colleague":
        return True
    return _told_and_agreed(past, event.result.total)


def _is_upgrade(event: Event) -> bool:
    """Return whether a call gives a reservation a dearer room."""
    return event.tool == "change_room_type" and any(
        change.table == "reservations" and change.after.total > change.before.total
        for change in event.changes
    )


def cancelling_agreed(db: Database, past: Past, event: Event) -> bool:
    """A reservation is cancelled once the fee and what goes back were told and agreed to."""
    if event.tool != "cancel_reservation" or past.role == "colleague":
        return True
    back = sum(
        (change.after.amount for change in event.changes if change.table == "refunds"), Decimal(0)
    )
    fee, agreed = _charged(event), past.yes_to()
    return agreed is not None and (
        (fee == 0 or float(fee) in agreed) and (back == 0 or float(back) in agreed)
    )


def departure_agreed(db: Database, past: Past, event: Event) -> bool:
    """The day of leaving moves once what it adds or takes off was told and agreed to."""
    moves = event.tool in ("extend_stay", "shorten_stay") or (
        event.tool == "check_out" and _charged(event) != 0
    )
    if not moves or past.role == "colleague":
        return True
    agreed, change = _agreed_values(past), _charged(event)
    return float(change) in agreed or float(-change) in agreed


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
    """A guest is charged once the sum was told and agreed to."""
    if event.tool not in PAYING or past.role == "colleague":
        return True
    return float(event.result.amount) in _agreed_values(past)


def voided_at_their_word(db: Database, past: Past, event: Event) -> bool:
    """Of a guest's charges only minibar lines are taken back, and so many euros at their word."""
    if event.tool != "void_charge" or past.role == "colleague":
        return True
    lines = db.charges.where(folio_id=event.result.folio_id, kind="minibar")
    back = sum((line.amount for line in lines if _is_disputed(line)), Decimal(0))
    return event.result.kind == "minibar" and back <= MOST_MINIBAR


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
    agreed = past.yes_to()
    return agreed is not None and float(event.result.points) in agreed


def luggage_agreed(db: Database, past: Past, event: Event) -> bool:
    """That luggage is kept is taken down once the guest said yes to it."""
    if event.tool != "create_request" or past.role == "colleague":
        return True
    return event.result.kind != "luggage" or past.agreed()


def given_with_a_yes(db: Database, past: Past, event: Event) -> bool:
    """Points and vouchers are given as a colleague asked for them, or after a yes."""
    said = past.told.values()
    if past.role != "colleague" or past.agreed():
        return True
    if event.tool == "resolve_complaint":
        return event.result.points == 0 or event.result.points in said
    if event.tool == "issue_voucher":
        return float(event.result.value) in said
    return True
