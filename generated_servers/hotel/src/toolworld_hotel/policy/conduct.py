"""Conduct in Hotel group: the clauses of the policy that can be seen in a trace.

A predicate is asked at each call that changed something and at each message of the agent; it
returns whether the clause is kept there.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal

from ..database.models import Charge, Database, Hotel, Reservation
from ..database.store import Written
from ..values import Money, contains
from .past import Event, Past

EXTENSION_DAYS = 30
HOURS = (
    "twelve", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven",
)  # fmt: skip
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip


def _noted_before(event: Event) -> str:
    """Return the wishes or preferences that a call replaces."""
    if event.tool == "set_special_wishes":
        return "".join(change.before.wishes or "" for change in event.changes).strip(" .")
    if event.tool == "set_guest_preferences":
        return "".join(change.before.preferences or "" for change in event.changes).strip(" .")
    return ""


def _told_so_far(past: Past) -> list[float | str]:
    """Return the values that the agent stated so far, agreed to or not."""
    return [value for message in past.messages for value in message.values("states")]


def _words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, without the signs around them."""
    return [word.strip(".,;:!?()'\"").lower() for word in text.split()]


def _are_alike(one: str, other: str) -> bool:
    """Return whether two texts share half the words of the shorter one."""
    words, others = set(_words_of(one)), set(_words_of(other))
    return 2 * len(words & others) >= min(len(words), len(others))


def _is_wanted(past: Past, word: str) -> bool:
    """Return whether a word was said by the person, or agreed to."""
    return past.said_in_words(word) or past.agreed_in_words([word])


def _amount_in(text: str) -> str:
    """Return the number in a text as it is compared, so that "€1,000.00" is "1000"."""
    kept = "".join(one for one in text if one.isdigit() or one == ".").strip(".")
    return kept.rstrip("0").rstrip(".") if "." in kept else kept


def _plain_time(text: str) -> str:
    """Return a time without what may be left out, so that "05:00 p.m." is "5pm"."""
    return text.lower().replace(":00", "").replace(".", "").replace(" ", "").lstrip("0")


def _hours(at: datetime) -> list[str]:
    """Return how an hour may be written, such as 17, 5pm and 17h."""
    half = f"{at.hour % 12 or 12}{'am' if at.hour < 12 else 'pm'}"
    return [str(at.hour), half, f"{at.hour}h", *(["noon", "midday"] if at.hour == 12 else [])]


def _hour_in_words(at: datetime) -> list[str]:
    """Return how an hour may be said, such as 5 and five besides."""
    twelve = str(at.hour % 12 or 12)
    half = f"{twelve}{'a.m.' if at.hour < 12 else 'p.m.'}"
    return [*_hours(at), f"{at.hour:02d}", twelve, half, HOURS[at.hour % 12]]


def _is_day_said(past: Past, day: str) -> bool:
    """Return whether the person said the number and the month of a day, such as 12 September."""
    month, number = day[5:7], day[8:]
    if len(day) != 10 or not (month + number).isdecimal() or not 1 <= int(month) <= 12:
        return False
    name = MONTHS[int(month) - 1]
    return any(past.said_in_words(one) for one in (name, name[:3], name[:4])) and any(
        past.said_in_words(f"{int(number)}{end}") for end in ("", "st", "nd", "rd", "th")
    )


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


RULED_POINTS = {"minor": 500, "serious": 2000, "severe": 5000}
URGENT_FAULTS = ("lock", "electrical")
POINTS_GIVEN = "points were given to make up for it"
VOID_REASONS = ("never taken by the guest", "charged twice by the house")
GRACE_DAYS = 90


def extended_by_the_rule(db: Database, past: Past, event: Event) -> bool:
    """A guest's voucher that ran out lately, no promotion, is extended by so much after a yes."""
    if event.tool != "extend_voucher" or past.role == "colleague":
        return True
    voucher = event.result
    old = min(change.before.expires_on for change in event.changes if change.table == "vouchers")
    lately = db.today() - timedelta(days=GRACE_DAYS) <= old < db.today()
    by_rule = voucher.expires_on == db.today() + timedelta(days=EXTENSION_DAYS)
    return past.agreed() and lately and by_rule and voucher.reason != "promotion"


def request_wanted(db: Database, past: Past, event: Event) -> bool:
    """A guest's request is what was asked for, by kind or in words, or agreed to, or is moved."""
    if event.tool != "create_request" or past.role == "colleague":
        return True
    words, kind = _words_of(event.argument("details")), event.argument("kind")
    is_asked = 2 * len([word for word in words if _is_wanted(past, word)]) >= len(words)
    is_moved = any(call.result.kind == kind for call in past.called("cancel_request"))
    return is_asked or is_moved or kind in past.told.values() or past.agreed()


def points_by_the_rule(db: Database, past: Past, event: Event) -> bool:
    """A guest gets as many points for a complaint as the policy says; for none it stays open."""
    if event.tool != "resolve_complaint" or past.role == "colleague":
        return True
    return event.result.points == RULED_POINTS[event.result.severity]


def fault_by_the_rule(db: Database, past: Past, event: Event) -> bool:
    """A fault that a guest reports has the priority of its kind, and blocks no room."""
    if event.tool != "report_fault" or past.role == "colleague":
        return True
    wanted = "urgent" if event.result.category in URGENT_FAULTS else "high"
    return event.result.priority == wanted and not event.result.blocks_room


def nothing_lost(db: Database, past: Past, event: Event) -> bool:
    """Wishes, preferences and companions that were noted stay so, but for who is not to come."""
    if event.tool in ("set_special_wishes", "set_guest_preferences"):
        text = event.argument("wishes") or event.argument("preferences")
        return set(_words_of(_noted_before(event))).issubset(_words_of(text))
    if event.tool != "name_companions":
        return True
    named = [one.name for one in event.result.companions]
    return all(
        one.name in named or past.said_in_words(one.name.split(" ")[0])
        for change in event.changes
        if change.before is not None
        for one in change.before.companions
    )


def made_up_once(db: Database, past: Past, event: Event) -> bool:
    """A guest gets points once for the same kind of complaint about one stay."""
    if event.tool != "resolve_complaint" or past.role == "colleague":
        return True
    made = event.result
    alike = [
        one
        for one in db.complaints.where(reservation_id=made.reservation_id)
        if one.category == made.category or one.details == made.details
    ]
    return len([one for one in alike if one.points > 0]) <= 1


def resolution_as_ruled(db: Database, past: Past, event: Event) -> bool:
    """What was done about a guest's complaint is written down in the words of the policy."""
    if event.tool != "resolve_complaint" or past.role == "colleague" or event.result.points == 0:
        return True
    return event.argument("resolution").strip(" .").lower() == POINTS_GIVEN


def own_error_mended(db: Database, past: Past, event: Event) -> bool:
    """No minibar line that was seen to stand twice on a bill is passed over when all is told.

    Who pays the bill as it stands has not asked about it.
    """
    if past.role == "colleague" or not event.does("closes") or event.does("refuses"):
        return True
    if len(past.called(PAYING)) > 0:
        return True
    seen = {line.charge_id for call in past.called("list_charges") for line in call.result}
    lines = [db.charges.get(charge_id) for charge_id in sorted(seen)]
    kept = [
        line
        for line in lines
        if line.kind == "minibar" and not line.voided
        if db.folios.get(line.folio_id).status == "open"
    ]
    entries = [_entry(line) for line in kept]
    told = [*event.values("states"), *_told_so_far(past)]
    return all(float(line.amount) in told or entries.count(_entry(line)) == 1 for line in kept)


def void_reason_as_ruled(db: Database, past: Past, event: Event) -> bool:
    """Why a guest's line is taken back is written down in the words of the policy."""
    if event.tool != "void_charge" or past.role == "colleague":
        return True
    return event.argument("reason").strip(" .").lower() in VOID_REASONS


def folio_read(db: Database, past: Past, event: Event) -> bool:
    """A colleague's guest is checked out once the lines of the folio were read."""
    if event.tool != "check_out" or past.role != "colleague":
        return True
    folios = db.folios.where(reservation_id=event.result.reservation_id)
    read = [call.argument("folio_id") for call in past.called("list_charges")]
    return all(folio.folio_id in read for folio in folios)


def colleague_fault_by_the_rule(db: Database, past: Past, event: Event) -> bool:
    """A fault that a colleague reports is urgent if it is electrical or a lock."""
    if event.tool != "report_fault" or past.role != "colleague":
        return True
    return event.result.priority == "urgent" or event.result.category not in URGENT_FAULTS


def set_aside_as_said(db: Database, past: Past, event: Event) -> bool:
    """A room is set aside on the floor named, as named, or for one named before; or after a yes."""
    if event.tool != "assign_room" or past.agreed():
        return True
    room, said = db.rooms.get(event.result.room_id), past.told.values()
    if past.told.get("floor") is not None:
        return _amount_in(str(past.told["floor"])) in ("", str(room.floor))
    old = [
        db.rooms.get(change.before.room_id).number
        for change in event.changes
        if change.before is not None and change.before.room_id is not None
    ]
    named = [one.number for one in db.rooms.where(hotel_id=room.hotel_id) if one.number in said]
    return len(named) == 0 or any(number in named for number in [room.number, *old])


IDS = (
    "guest_id", "reservation_id", "room_type_id", "rate_plan_id", "room_id", "stay_id", "folio_id",
    "charge_id", "payment_id", "voucher_id", "service_id", "booking_id", "request_id",
    "complaint_id", "task_id", "ticket_id", "employee_id",
)  # fmt: skip
OF_RESERVATION = ("stays", "folios", "service_bookings", "guest_requests", "complaints")
OF_HOTEL = (
    "reservations", "stays", "folios", "rooms", "housekeeping_tasks", "maintenance_tickets",
    "guest_requests", "complaints",
)  # fmt: skip
DAYS = ("arrival", "departure", "day", "wanted_on", "expires_on")
PAYING_OUT = ("issue_voucher", "give_discount", "refund_payment")
GIVING = ("assign_housekeeping_task", "assign_maintenance_ticket", "assign_request")
# Several requests of these kinds may be for one day, and differ.
VARIED = ("dietary", "wake_up_call", "decoration")
NOTED = ("details", "wishes", "preferences", "email")
# What a guest must say yes to first.
YES_FIRST = (
    "create_reservation", "change_reservation_dates", "change_room_type", "change_rate_plan",
    "change_party", "cancel_reservation", "extend_stay", "shorten_stay", "grant_late_checkout",
    "book_service", "cancel_service", "resolve_complaint", "extend_voucher",
)  # fmt: skip
# By so many days the policy's windows lead from one day to another: for what is offered (3.3), for
# folios opened again and vouchers extended (6.6, 6.10), for what is booked ahead (3.1).
# A day that is told without its year may be of the next one.
WINDOWS = (7, 30, 90, 500, -365)
MOST_COUNT = 30


def _is_identified(db: Database, past: Past, event: Event, guest_id: str) -> bool:
    """Return whether a person said what makes them known as a guest, or was registered as one.

    What counts is how accounts and bookings were before the agent changed anything in them.
    """
    changes = _changes(past, event)
    old = [one.before for one in changes if one.table == "guests" and one.key == guest_id]
    guest = old[0] if old else db.guests.get(guest_id)
    if guest is None or past.said("email") == guest.email:
        return True
    named = past.said("last_name") == guest.last_name.lower()
    return named and any(
        past.said("number") == booking.reservation_id.lower()
        or past.said("arrival") == str(booking.arrival)
        for booking in _booked_before(db, changes, guest_id)
    )


def _changes(past: Past, event: Event) -> list[Written]:
    """Return all that was changed so far, by this event as well, in order."""
    earlier = [change for call in past.calls for change in call.changes]
    return [*earlier, *event.changes]


def _booked_before(db: Database, changes: list[Written], guest_id: str) -> list[Reservation]:
    """Return a guest's bookings as they were before these changes."""
    own = [one for one in changes if one.table == "reservations"]
    changed = [one.key for one in own]
    left = [
        booking
        for booking in db.reservations.where(guest_id=guest_id)
        if booking.reservation_id not in changed
    ]
    old = [one.before for one in own if one.before is not None]
    return [*left, *[booking for booking in old if booking.guest_id == guest_id]]


def _found(db: Database, past: Past) -> list[str]:
    """Return the guests that were looked up, in whatever way."""
    return [guest.guest_id for guest in db.guests.all() if past.read(guest.guest_id)]


def _guest_of(db: Database, folio_id: str) -> str:
    """Return whose folio it is."""
    return db.reservations.get(db.folios.get(folio_id).reservation_id).guest_id


def _owner(db: Database, change: Written) -> str | None:
    """Return the guest that a changed row belongs to; None if it is nobody's."""
    row = change.before if change.after is None else change.after
    if change.table in ("guests", "reservations", "vouchers", "points_entries"):
        return row.guest_id
    if change.table in OF_RESERVATION:
        return db.reservations.get(row.reservation_id).guest_id
    if change.table in ("charges", "payments"):
        return _guest_of(db, row.folio_id)
    if change.table == "refunds":
        return _guest_of(db, db.payments.get(row.payment_id).folio_id)
    return None


def _house(db: Database, change: Written) -> str | None:
    """Return the hotel that a changed row belongs to; None if it is no single one's."""
    row = change.before if change.after is None else change.after
    if change.table in OF_HOTEL:
        return row.hotel_id
    if change.table in ("charges", "payments"):
        return db.folios.get(row.folio_id).hotel_id
    if change.table == "service_bookings":
        return db.services.get(row.service_id).hotel_id
    return None


def _owners(db: Database, changes: list[Written]) -> set[str]:
    """Return the guests that own what was changed."""
    owners = [_owner(db, change) for change in changes]
    return {owner for owner in owners if owner is not None}


def identified_first(db: Database, past: Past, event: Event) -> bool:
    """Nothing is changed for a guest who has not said what makes them known, and been found."""
    if past.role == "colleague" or not event.is_call or event.tool == "register_guest":
        return True
    owners = _owners(db, list(event.changes))
    if len(owners) == 0:
        return any(_is_identified(db, past, event, guest_id) for guest_id in _found(db, past))
    return all(
        past.read(guest_id) and _is_identified(db, past, event, guest_id) for guest_id in owners
    )


def own_booking_only(db: Database, past: Past, event: Event) -> bool:
    """All that changes belongs to one guest, who was looked up."""
    if past.role == "colleague" or not event.is_call:
        return True
    owners = _owners(db, _changes(past, event))
    is_found = event.tool == "register_guest" or all(past.read(owner) for owner in owners)
    return is_found and len(owners) <= 1


def nothing_of_others(db: Database, past: Past, event: Event) -> bool:
    """No message names a reservation, a voucher, an e-mail address or a debt of another guest."""
    if past.role == "colleague" or not event.is_message:
        return True
    if _tells_debt_of_others(db, past, event):
        return False
    for text in event.texts("states"):
        number = text.strip().upper()
        rows = [db.reservations.find(number), db.vouchers.find(number)]
        owners = {row.guest_id for row in rows if row is not None}
        owners |= {row.guest_id for row in db.guests.where(email=text.strip().lower())}
        known = all(_is_identified(db, past, event, guest_id) for guest_id in owners)
        if not known and not past.said_in_words(text):
            return False
    return True


def _tells_debt_of_others(db: Database, past: Past, event: Event) -> bool:
    """Return whether a message tells a sum of a booking that was looked up, of who is not known."""
    texts, told = event.texts("states"), past.told.values()
    sums = [one for one in event.values("states") if one not in texts and one not in told]
    if len(sums) == 0:
        return False
    read = {call.result.reservation_id for call in past.called(("get_reservation", "get_folio"))}
    bookings = [db.reservations.get(number) for number in sorted(read)]
    return any(
        not (_is_identified(db, past, event, one.guest_id) and _may_speak(past, one))
        for one in bookings
        if not _sums_of(db, one).isdisjoint(sums)
    )


def _sums_of(db: Database, booking: Reservation) -> set[float]:
    """Return the price of a booking, and what is charged and due for it."""
    folios = db.folios.where(reservation_id=booking.reservation_id)
    owed = [amount for folio in folios for amount in (folio.charged, folio.due)]
    return {float(one) for one in [booking.total, *owed] if one != 0}


def role_allows(db: Database, past: Past, event: Event) -> bool:
    """Nothing that only colleagues may ask for is done because a guest asks."""
    return not event.is_call or past.may(event.tool)


def own_hotel_only(db: Database, past: Past, event: Event) -> bool:
    """What changes for a colleague is in the hotel that they named."""
    if past.role != "colleague" or not event.is_call:
        return True
    houses = {_house(db, change) for change in event.changes}
    hotel_said = past.told.get("hotel")
    told = list(past.told.values()) if hotel_said is None else [hotel_said]
    named = [str(value) for value in told]
    hotels = [db.hotels.get(hotel_id) for hotel_id in houses if hotel_id is not None]
    return all(
        any(contains(text, name) for text in named for name in _names_of_house(hotel))
        for hotel in hotels
    )


def _names_of_house(hotel: Hotel) -> list[str]:
    """Return what a hotel may be called by."""
    return [hotel.hotel_id, hotel.name, hotel.address.city]


def money_to_who_was_named(db: Database, past: Past, event: Event) -> bool:
    """What a colleague has given or paid back goes to a guest who was named, or after a yes."""
    if past.role != "colleague" or event.tool not in PAYING_OUT or past.agreed():
        return True
    said = [str(value).lower() for value in past.told.values()]
    return all(
        any(name.lower() in text for text in said for name in _names_of(db, guest_id))
        for guest_id in _owners(db, list(event.changes))
    )


def _names_of(db: Database, guest_id: str) -> list[str]:
    """Return what a guest may be called by: name, address, bookings, rooms."""
    guest, booked = db.guests.get(guest_id), db.reservations.where(guest_id=guest_id)
    rooms = [db.rooms.get(one.room_id).number for one in booked if one.room_id is not None]
    return [
        guest.email,
        guest.first_name,
        guest.last_name,
        *rooms,
        *[one.reservation_id for one in booked],
    ]


def ids_are_known(db: Database, past: Past, event: Event) -> bool:
    """Whatever a change is about was looked up."""
    if not event.is_call:
        return True
    values = [event.argument(name) for name in IDS]
    return all(value is None or past.read(value) for value in values)


def not_twice(db: Database, past: Past, event: Event) -> bool:
    """Nothing is done a second time on the same yes, unless it was undone in between."""
    # That each of several rooms is agreed to is seen by 3.6.
    if not event.is_call or event.tool == "create_reservation":
        return True
    calls = past.done_since_yes()
    return not any(
        event.repeats(call)
        and not _is_undone(
            list(call.changes), [one for other in calls[place + 1 :] for one in other.changes]
        )
        for place, call in enumerate(calls)
    )


def _is_undone(done: list[Written], later: list[Written]) -> bool:
    """Return whether what was made or changed, the sums of a bill aside, changed again later."""
    keys = [one.key for one in done if one.table != "folios"]
    return any(one.key in keys for one in later)


def not_after_refusing(db: Database, past: Past, event: Event) -> bool:
    """No guest who insists on what was refused gets it with no yes to anything before."""
    # What was asked for besides, and not refused, is still done. A colleague need say no yes.
    if event.tool not in YES_FIRST or past.role == "colleague" or not past.refused():
        return True
    return not past.replies[-1].does("insists") or len(past.agreed_so_far()) > 0


def tells_what_is_so(db: Database, past: Past, event: Event) -> bool:
    """The days and numbers of things that are told were looked up, or follow from a rule."""
    told = [text for text in past.unseen(event.texts("states")) if not _is_day_said(past, text)]
    if len(told) == 0:
        return True
    days = [str(db.today()), *[str(call.argument(name)) for call in past.calls for name in DAYS]]
    # Such as the shortest stay of a rate, from the day of arrival on (4.3).
    counts = [*WINDOWS, *[count for count in range(2, MOST_COUNT) if past.read(count)]]
    both = [*counts, *[-count for count in counts]]
    return all(past.counted_from(text, both, days) for text in told)


def points_of_the_nights_told(db: Database, past: Past, event: Event) -> bool:
    """The points that are told for a stay are those for its nights, and not all it brought."""
    if not event.is_message or past.role == "colleague":
        return True
    told = event.values("states")
    seen = [entry for call in past.called("list_points_entries") for entry in call.result]
    for earned in [entry for entry in seen if entry.reason == "stay"]:
        whole = sum(one.change for one in seen if one.reservation_id == earned.reservation_id)
        if whole != earned.change and whole in told and earned.change not in told:
            return False
    return True


def reason_is_theirs(db: Database, past: Past, event: Event) -> bool:
    """The reason recorded for a cancellation is the one given, or another one if none is known."""
    if event.tool != "cancel_reservation" or event.argument("reason") in past.told.values():
        return True
    unknown = any(reply.does("does_not_know") for reply in past.replies)
    return unknown and event.argument("reason") == "other"


def in_their_words(db: Database, past: Past, event: Event) -> bool:
    """What is taken down is for the most part in words that the person said."""
    if not event.is_call or past.role == "colleague":
        return True
    # What is taken down anew as it stands in the records was said to a colleague before.
    texts = [event.argument(name) for name in NOTED if event.argument(name) is not None]
    before = _words_of(_noted_before(event))
    new = [text for text in texts if not past.read(text)]
    words = [word for text in new for word in _words_of(text) if word not in before]
    said = [word for word in words if past.saw(word) or _is_wanted(past, word)]
    return 2 * len(said) >= len(words)


def time_is_theirs(db: Database, past: Past, event: Event) -> bool:
    """A service is booked or moved to the time that was named or agreed to, or stays at its own."""
    if event.tool not in ("book_service", "reschedule_service") or past.role == "colleague":
        return True
    at = event.result.starts_at
    told = [_plain_time(str(value)) for value in past.told.values()]
    old = [
        one.before.starts_at
        for one in _changes(past, event)
        if one.before is not None and one.table == "service_bookings"
    ]
    is_day = str(at.date()) in told or any(one.date() == at.date() for one in old)
    is_hour = any(one.hour == at.hour for one in old) or any(one in told for one in _hours(at))
    is_day_agreed = past.agreed() or str(at.date()) in past.agreed_so_far()
    return (is_day or is_day_agreed) and (is_hour or past.agreed_in_words(_hour_in_words(at)))


def requested_once(db: Database, past: Past, event: Event) -> bool:
    """Nothing is requested for a day for which the same is noted already and to be seen to."""
    if event.tool != "create_request" or past.role == "colleague":
        return True
    made = event.result
    alike = [
        request
        for request in db.guest_requests.where(reservation_id=made.reservation_id, kind=made.kind)
        if request.wanted_on == made.wanted_on and request.status in ("open", "in_progress")
        if made.kind not in VARIED or _are_alike(request.details, made.details)
    ]
    new = [call.result.request_id for call in past.called("create_request")]
    return all(one.request_id in new or one == made for one in alike)


def charged_to_the_name(db: Database, past: Past, event: Event) -> bool:
    """What is charged, as much as was said, goes to the room said or agreed to, and the name."""
    if event.tool != "post_charge":
        return True
    folio = db.folios.get(event.result.folio_id)
    booking = db.reservations.get(folio.reservation_id)
    guest, made = db.guests.get(booking.guest_id), event.result
    room = None if booking.room_id is None else db.rooms.get(booking.room_id).number
    named = past.told.get("last_name")
    is_room = room is not None and past.said_in_words(room)
    in_room = is_room or (named is not None and past.said("room") == "")
    is_theirs = named is None or contains(str(named), guest.last_name)
    told = [_amount_in(str(past.told[name])) for name in past.told if name.startswith("price")]
    sums = (_amount_in(str(made.unit_price)), _amount_in(str(made.amount)))
    is_so_much = all(one == "" for one in told) or any(one in told for one in sums)
    return is_theirs and is_so_much and (in_room or past.agreed())


def given_as_said(db: Database, past: Past, event: Event) -> bool:
    """Work is given to the colleague who was named, or to another once that was agreed to."""
    if event.tool not in GIVING or past.said("worker") == "":
        return True
    name = db.employees.get(event.result.employee_id).name
    names = [name, *name.split()]
    return past.agreed_in_words(names) or any(past.said_in_words(one) for one in names)


def may_speak_for(db: Database, past: Past, event: Event) -> bool:
    """Whoever speaks for a guest has things changed only as an adult named on the booking."""
    if past.told.get("speaker") is None or past.role == "colleague" or not event.is_call:
        return True
    changes = _changes(past, event)
    naming = [
        booking.reservation_id
        for guest_id in _owners(db, list(event.changes))
        for booking in _booked_before(db, changes, guest_id)
        if _may_speak(past, booking)
    ]
    # What is booked anew names nobody yet.
    new = [one.key for one in changes if one.table == "reservations" and one.before is None]
    booked = {_booking_of(db, change) for change in event.changes} - {None, *new}
    return len(naming) > 0 and all(number in naming for number in booked)


def _may_speak(past: Past, booking: Reservation) -> bool:
    """Return whether the guest speaks, or an adult who is named on a booking."""
    adults = [one.name.lower() for one in booking.companions if not one.child]
    return past.said("speaker") in ["", *adults]


def _booking_of(db: Database, change: Written) -> str | None:
    """Return the booking that a changed row belongs to; None if to none."""
    row = change.before if change.after is None else change.after
    if change.table in ("reservations", *OF_RESERVATION):
        return row.reservation_id
    if change.table in ("charges", "payments"):
        return db.folios.get(row.folio_id).reservation_id
    return None
