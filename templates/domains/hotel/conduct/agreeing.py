"""What is told, and agreed to, before it is done."""

CHANGING = (
    "change_reservation_dates", "change_room_type", "change_rate_plan", "change_party",
)  # fmt: skip
PAYING = ("take_payment", "pay_with_voucher", "pay_with_points")
MOST_MINIBAR = Decimal("30.00")
OF_CANCELLING = (
    "cancel", "cancelled", "canceled", "cancelling", "canceling", "cancellation", "cancellations",
    "refund", "refunds", "refunded", "refundable", "nonrefundable",
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
    """A room is booked once its price was told and agreed to."""
    if event.tool != "create_reservation" or past.role == "colleague":
        return True
    total = float(event.result.total)
    return total in _agreed_to_room(past, total)


def _agreed_to_room(past: Past, total: float) -> list[float | str]:
    """Return what was told and agreed to for a room, or for two that are alike."""
    agreed = past.yes_to()
    if agreed is not None:
        return agreed
    values = past.agreed_so_far()
    return values if 2 * total in values else []


def terms_told(db: Database, past: Past, event: Event) -> bool:
    """A guest who agrees to a booking knows its deposit and until when cancelling it is free."""
    if event.tool != "create_reservation" or past.role == "colleague":
        return True
    booked = event.result
    days = db.rate_plans.get(booked.rate_plan_id).free_cancel_days
    free_until = None if days is None else booked.arrival - timedelta(days=days)
    agreed = _agreed_to_room(past, float(booked.total))
    is_free = free_until is not None and free_until >= db.today()
    return (booked.deposit_due == 0 or float(booked.deposit_due) in agreed) and (
        str(free_until) in agreed if is_free else past.agreed_in_words(OF_CANCELLING)
    )


def deposit_offered(db: Database, past: Past, event: Event) -> bool:
    """Money is taken with a card, or in another way, that the person named."""
    if event.tool != "take_payment" or past.role == "colleague":
        return True
    said = [str(value) for value in past.told.values()]
    return (event.argument("card_last4") or event.argument("method")) in said


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
    """A reservation is cancelled once the fee and what goes back were told and agreed to.

    That nothing is to be paid may be told in other words. A yes to some bookings is for these only.
    """
    if event.tool != "cancel_reservation":
        return True
    if past.role == "colleague":
        decided = [
            reply for reply in past.replies if reply.does("agrees") or reply.does("declines")
        ]
        return len(decided) == 0 or decided[-1].does("agrees")
    back = sum(
        (change.after.amount for change in event.changes if change.table == "refunds"), Decimal(0)
    )
    number, agreed = event.result.reservation_id, past.yes_to()
    if agreed is None or not (back == 0 or float(back) in agreed):
        return False
    named = [value for value in agreed if db.reservations.find(str(value)) is not None]
    fee = float(_charged(event))
    quoted = [call.argument("reservation_id") for call in past.called("quote_cancellation")]
    is_told = fee in agreed or (fee == 0 and (back > 0 or number in [*named, *quoted]))
    return is_told and (len(named) == 0 or number in named)


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
    return in_all or all(float(abs(part)) in agreed for part in _parts(event))


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
    """A guest is charged once the sum was told and agreed to."""
    if event.tool not in PAYING or past.role == "colleague":
        return True
    agreed, points = past.agreed_so_far(), event.argument("points")
    return float(event.result.amount) in agreed and (points is None or float(points) in agreed)


def voided_at_their_word(db: Database, past: Past, event: Event) -> bool:
    """Of a guest's charges only minibar lines are taken back: so many euros, or one of a pair."""
    if event.tool != "void_charge" or past.role == "colleague":
        return True
    lines = db.charges.where(folio_id=event.result.folio_id, kind="minibar")
    if not _is_disputed(event.result):
        kept = [_entry(line) for line in lines if not line.voided]
        return _entry(event.result) in kept
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
    agreed = past.yes_to()
    return agreed is not None and float(event.result.points) in agreed


def luggage_agreed(db: Database, past: Past, event: Event) -> bool:
    """That luggage is kept is taken down once the guest said yes to it."""
    if event.tool != "create_request" or past.role == "colleague":
        return True
    return event.result.kind != "luggage" or past.agreed()


def given_with_a_yes(db: Database, past: Past, event: Event) -> bool:
    """Points and vouchers are given as a colleague asked for them, or after a yes to so many."""
    if past.role != "colleague" or event.tool not in ("resolve_complaint", "issue_voucher"):
        return True
    given = event.result.points if event.tool == "resolve_complaint" else event.result.value
    said = [str(value) for value in past.told.values()]
    is_said = str(given) in said or float(given) in past.told.values()
    return given == 0 or is_said or float(given) in (past.yes_to() or [])
