"""Bills of guests in the house: what is owed, what is wrong on them, and leaving."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from ..database.models import Charge, Database, Reservation
from .agent import Agent, Given
from .draw import Draw
from .facts import Facts, facts
from .language import Outcome, maybe, only, outcome
from .laying import _with_service
from .people import _booking_in_house, _with_booking
from .treats import _clock

EXTRA_LINES = (
    ("minibar", "Minibar: prosecco", "19.00", "I never had the prosecco."),
    ("minibar", "Minibar: chocolate", "6.50", "I did not eat any chocolate."),
    ("minibar", "Minibar: beer", "7.00", "I do not drink beer at all."),
    ("restaurant", "Bar: two cocktails", "23.00", "I was never in the bar."),
    ("laundry", "Laundry: two shirts", "9.60", "I gave nothing to the laundry."),
    ("parking", "Garage, one night", "18.00", "I came by train and used no garage."),
)

OTHER_LINES = {
    "minibar": "Minibar: peanuts",
    "restaurant": "Bar: two lemonades",
    "laundry": "Laundry: one coat",
    "parking": "Garage, car wash",
}


def _house_guest(db: Database, draw: Draw) -> Reservation:
    """Return the booking of a guest who came before today and is still in the house."""
    stay = draw.row("reservations", status="checked_in")
    draw.need(stay.arrival < db.today())
    return stay


def _laid_line(
    db: Database, draw: Draw, stay: Reservation, line: tuple[str, str, str, str], hour: int
) -> Charge:
    """Put a line on the bill, last night at some hour."""
    folio = only(db.folios.where(reservation_id=stay.reservation_id))
    draw.need(
        all(one.description != line[1] for one in db.charges.where(folio_id=folio.folio_id))
        or hour < 0
    )
    made = draw.call(
        "post_charge",
        folio_id=folio.folio_id,
        kind=line[0],
        description=line[1],
        unit_price=Decimal(line[2]),
    )
    return db.charges.update(
        made.charge_id, posted_at=db.now() - timedelta(hours=14 + max(hour, 0))
    )


def ask_what_is_due(db: Database, draw: Draw) -> Facts:
    """Somebody asks what they owe; the house has charged something twice on some bills."""
    stay = _house_guest(db, draw)
    stage = draw.one(
        ["paid", "later", "other_sum", "mended", "other_line", "other_line", "twice", "twice"]
    )
    line = draw.one(EXTRA_LINES[3:] if stage == "paid" else [*EXTRA_LINES, *EXTRA_LINES[:3]])
    first = _laid_line(db, draw, stay, line, 2)
    second = _laid_line(db, draw, stay, _second_line(line, stage), -1)
    hours = 3 if stage == "later" else 0
    db.charges.update(second.charge_id, posted_at=first.posted_at + timedelta(hours=hours))
    if stage == "paid":
        folio = only(db.folios.where(reservation_id=stay.reservation_id))
        draw.call(
            "take_payment",
            folio_id=folio.folio_id,
            method="card",
            amount=folio.due,
            card_last4="7071",
        )
    if stage == "mended":
        draw.call("void_charge", charge_id=second.charge_id, reason="Charged twice by the house.")
    if stage == "twice":
        draw.turn(second, posted_at=first.posted_at + timedelta(hours=3))
    if stage == "later":
        draw.turn(second, posted_at=first.posted_at)
    if stage in ("paid", "other_line"):
        draw.turn(second, description=line[1])
    return facts(_with_booking(db, stay))


def _second_line(line: tuple[str, str, str, str], stage: str) -> tuple[str, str, str, str]:
    """Return the line that stands beside another: the same, or of another sum or thing."""
    kind, text, price, dispute = line
    if stage == "other_sum":
        return kind, text, f"{Decimal(price) + 5}", dispute
    if stage in ("paid", "other_line"):
        return kind, OTHER_LINES[kind], price, dispute
    return line


def solve_ask_what_is_due(agent: Agent, given: Given) -> Outcome:
    stay = _booking_in_house(agent, given)
    folio = agent.get_folio(stay.reservation_id)
    lines = [one for one in agent.list_charges(folio.folio_id) if not one.voided]
    again = maybe(
        one
        for place, one in enumerate(lines)
        for before in lines[:place]
        if one.description == before.description
        and one.posted_at == before.posted_at
        and one.amount == before.amount
    )
    if again is None:
        if folio.due <= 0:
            return outcome("nothing_due", total=folio.charged)
        return outcome("due_told", due=folio.due, total=folio.charged)
    if again.kind != "minibar":
        return outcome("error_told", due=folio.due, twice=again.amount)
    agent.void_charge(again.charge_id, "Charged twice by the house.")
    return outcome("error_mended", due=folio.due - again.amount, twice=again.amount)


def _leaves_it_charged(agent: Agent, given: Given) -> Outcome:
    """What stands twice on the bill is passed over."""
    stay = _booking_in_house(agent, given)
    folio = agent.get_folio(stay.reservation_id)
    agent.list_charges(folio.folio_id)
    return outcome("nothing_due", total=folio.charged)


def dispute_charge(db: Database, draw: Draw) -> Facts:
    """Somebody says they never had what is on the bill."""
    stay = _house_guest(db, draw)
    stage = draw.one(["plain", "twice", "much", "much", "spared", "spared", "spared", "known"])
    line = draw.one([*EXTRA_LINES, *EXTRA_LINES[:3]])
    if stage in ("much", "spared"):
        line = EXTRA_LINES[0]
        _lay_line_taken_back(db, draw, stay, stage)
    if stage in ("known", "twice"):
        line = draw.one(EXTRA_LINES[3:])
    if stage == "twice":
        again = _laid_line(db, draw, stay, line, 2)
        draw.call("void_charge", charge_id=again.charge_id, reason="Charged twice by the house.")
    draw.need(stage != "known" or stay.arrival < db.today() - timedelta(days=1))
    _laid_line(db, draw, stay, line, {"known": 28, "twice": -1}.get(stage, 2))
    known = db.complaints.where(reservation_id=stay.reservation_id, category="billing")
    draw.need(len(known) == 0)
    if stage in ("much", "twice", "plain"):
        other = draw.call(
            "file_complaint",
            reservation_id=stay.reservation_id,
            category="staff",
            severity="minor",
            details="Nobody could explain my bill to me.",
        )
        draw.turn(other, category="billing")
    if stage == "known":
        made = draw.call(
            "file_complaint",
            reservation_id=stay.reservation_id,
            category="billing",
            severity="minor",
            details=line[3],
        )
        ago = timedelta(hours=draw.integer(3, 38))
        db.complaints.update(made.complaint_id, made_at=db.now() - ago)
    return facts(_with_booking(db, stay), line=line[1], dispute=line[3])


def _lay_line_taken_back(db: Database, draw: Draw, stay: Reservation, stage: str) -> None:
    """Have a line taken back before: from the minibar, up to the most or over it, or another."""
    kind, other = ("restaurant", "minibar") if stage == "spared" else ("minibar", "restaurant")
    price = draw.one(["14.00", "14.00", "11.00"]) if stage == "much" else "14.00"
    before = _laid_line(db, draw, stay, (kind, "Champagne, one glass", price, ""), 5)
    draw.call("void_charge", charge_id=before.charge_id, reason="Never taken by the guest.")
    draw.turn(before, kind=other)


def solve_dispute_charge(agent: Agent, given: Given) -> Outcome:
    stay = _booking_in_house(agent, given)
    agent.ask("line")
    folio = agent.get_folio(stay.reservation_id)
    lines = agent.list_charges(folio.folio_id)
    charge = only(one for one in lines if one.description == given.line and not one.voided)
    gone = [one.amount for one in lines if one.voided and one.kind == "minibar"]
    if charge.kind == "minibar" and sum(gone, Decimal(0)) + charge.amount <= 30:
        agent.void_charge(charge.charge_id, "Never taken by the guest.")
        return outcome("line_taken_back", amount=charge.amount, due=folio.due - charge.amount)
    open_ones = agent.list_complaints(
        stay.hotel_id, status="open", reservation_id=stay.reservation_id
    )
    known = maybe(one for one in open_ones if one.category == "billing")
    if known is not None:
        return outcome("disputed_before", due=folio.due, day=known.made_at.date())
    agent.ask("dispute")
    agent.file_complaint(stay.reservation_id, "billing", "minor", given.dispute)
    return outcome("line_disputed", amount=charge.amount, due=folio.due)


def check_me_out(db: Database, draw: Draw) -> Facts:
    """Somebody leaves today, pays what is due, and wants to know what it came to."""
    stay = draw.row("reservations", status="checked_in")
    draw.need(stay.departure == db.today() and stay.arrival < db.today())
    stage = draw.one(["plain", "plain", "extra", "extra", "service", "paid", "over"])
    folio = only(db.folios.where(reservation_id=stay.reservation_id))
    booked = db.service_bookings.where(reservation_id=stay.reservation_id, status="booked")
    draw.need(len(booked) == 0)
    if stage == "extra":
        _laid_line(db, draw, stay, draw.one(EXTRA_LINES), 1)
    if stage == "service":
        service = _with_service(db, draw, stay, db.today(), 1)
        if draw.chance(0.5):
            begun = db.now() - timedelta(hours=draw.integer(1, 3))
            offered = db.services.get(service.service_id)
            draw.need(offered.first_hour <= begun.hour <= offered.last_hour)
            db.service_bookings.update(service.booking_id, starts_at=begun)
    if stage == "plain" and draw.chance(0.6):
        called_off = _with_service(db, draw, stay, db.today(), 1)
        draw.need(called_off.starts_at - db.now() >= timedelta(hours=4))
        draw.call("cancel_service", booking_id=called_off.booking_id)
    owed = db.folios.get(folio.folio_id).due
    if stage in ("paid", "over") and owed > 0:
        if stage == "over":
            line = _laid_line(db, draw, stay, draw.one(EXTRA_LINES), 1)
            owed = owed + line.amount
        draw.call(
            "take_payment", folio_id=folio.folio_id, method="card", amount=owed, card_last4="7071"
        )
        if stage == "over":
            draw.call("void_charge", charge_id=line.charge_id, reason="Never taken by the guest.")
    if db.folios.get(folio.folio_id).due > 0:
        _turn_status(draw, db, stay)
    return facts(
        _with_booking(db, stay), card=f"{draw.integer(1000, 9999)}", agrees=draw.chance(0.75)
    )


def _turn_status(draw: Draw, db: Database, stay: Reservation) -> None:
    """Let a service that was called off or given stand as booked in the twin."""
    for one in db.service_bookings.where(reservation_id=stay.reservation_id):
        if one.starts_at.date() <= db.today() and one.status == "cancelled":
            draw.turn(one, status="booked")


def solve_check_me_out(agent: Agent, given: Given) -> Outcome:
    booking = _booking_in_house(agent, given)
    stay = agent.get_stay(booking.reservation_id)
    now = agent.get_time().now
    for service in agent.list_service_bookings(booking.reservation_id, status="booked"):
        if service.starts_at > now:
            time = _clock(service.starts_at)
            return outcome("service_still_open", service=service.service, time=time)
        agent.complete_service(service.booking_id)
    folio = agent.get_folio(booking.reservation_id)
    if folio.due < 0:
        agent.check_out(stay.stay_id)
        return outcome("left_and_back", back=-folio.due, total=folio.charged)
    if folio.due == 0:
        agent.check_out(stay.stay_id)
        return outcome("left_even", total=folio.charged)
    if not agent.agreed(amount_due=folio.due):
        return outcome("left_unpaid", due=folio.due)
    agent.ask("card")
    agent.take_payment(folio.folio_id, "card", folio.due, given.card)
    agent.check_out(stay.stay_id)
    return outcome("left_paid", due=folio.due, total=folio.charged)
