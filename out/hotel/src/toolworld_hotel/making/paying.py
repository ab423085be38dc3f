"""Stays that are paid for beforehand: with a card, a voucher or points."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from ..database.models import Database, Folio, Reservation
from ..values import money
from .agent import Agent, Given
from .draw import Draw
from .facts import Facts, facts
from .language import Outcome, only, outcome
from .people import _booking, _welcome, _with_booking

PARTS = ("deposit", "everything")


def _unpaid(db: Database, draw: Draw) -> Reservation:
    """Return a booking to come of which something is left to pay."""
    booking = draw.row("reservations", status="confirmed")
    draw.need(booking.arrival > db.today())
    folio = only(db.folios.where(reservation_id=booking.reservation_id))
    draw.need(booking.total + folio.charged > folio.paid)
    return booking


def _just_booked(db: Database, draw: Draw) -> Reservation:
    """Return a booking to come whose deposit is still to be paid."""
    plan = draw.row("rate_plans", on_sale=True)
    draw.need(plan.deposit_percent > 0)
    arrival = db.today() + timedelta(days=draw.integer(8, 40))
    return draw.call(
        "create_reservation",
        guest_id=_welcome(db, draw).guest_id,
        room_type_id=draw.one(db.room_types.where(hotel_id=plan.hotel_id)).room_type_id,
        rate_plan_id=plan.rate_plan_id,
        arrival=arrival,
        departure=arrival + timedelta(days=draw.integer(3, 5)),
        adults=1,
        channel="phone",
    )


def _left_to_pay(booking: Reservation, folio: Folio) -> Decimal:
    """Return what can be paid of a stay to come."""
    return booking.total + folio.charged - folio.paid


def pay_ahead(db: Database, draw: Draw) -> Facts:
    """Somebody pays the deposit, or all of a stay, by card; it may be paid already."""
    is_new = draw.chance(0.55)
    booking = _just_booked(db, draw) if is_new else _unpaid(db, draw)
    folio = only(db.folios.where(reservation_id=booking.reservation_id))
    if booking.deposit_due > folio.paid and draw.chance(0.3):
        draw.call(
            "take_payment",
            folio_id=folio.folio_id,
            method="bank_transfer",
            amount=booking.deposit_due - folio.paid,
        )
    folio = db.folios.get(folio.folio_id)
    draw.turn(booking, deposit_due=folio.paid)
    draw.turn(booking, deposit_due=booking.total)
    draw.turn(booking, deposit_due=Decimal("0.00"))
    return facts(
        _with_booking(db, booking),
        part="deposit" if is_new and draw.chance(0.8) else draw.one(PARTS),
        card=f"{draw.integer(1000, 9999)}",
        agrees=draw.one([True, True, True, False]),
    )


def solve_pay_ahead(agent: Agent, given: Given) -> Outcome:
    booking = _booking(agent, given)
    agent.ask("part")
    folio = agent.get_folio(booking.reservation_id)
    if given.part == "deposit" and booking.deposit_due == 0:
        return outcome("no_deposit", price=_left_to_pay(booking, folio))
    if given.part == "deposit" and folio.paid >= booking.deposit_due:
        return outcome("paid_before", paid=folio.paid, left=_left_to_pay(booking, folio))
    if _left_to_pay(booking, folio) == 0:
        return outcome("all_paid", paid=folio.paid)
    wanted = booking.deposit_due if given.part == "deposit" else booking.total + folio.charged
    amount = wanted - folio.paid
    agent.ask("card")
    if not agent.agreed(amount=amount):
        return outcome("not_paid", amount=amount)
    agent.take_payment(folio.folio_id, "card", amount, given.card)
    return outcome("paid", amount=amount)


def spend_voucher(db: Database, draw: Draw) -> Facts:
    """Somebody pays with a voucher, which may be too old, void, or somebody else's."""
    booking = _unpaid(db, draw)
    stage = draw.one(
        ["good", "good", "late", "late", "late", "too_late", "void", "promotion", "others"]
    )
    voucher = draw.row("vouchers", status="active")
    draw.need(voucher.balance == voucher.value and voucher.guest_id != booking.guest_id)
    ended = {"late": (1, 89), "too_late": (91, 130), "promotion": (1, 80)}
    first, last = ended[stage] if stage in ended else (-300, -1)
    days = draw.integer(first, last)
    if stage in ("good", "late") and draw.chance(0.3):
        days = 0 if stage == "good" else 90
    over = db.today() - timedelta(days=days)
    reasons = ["promotion"] if stage == "promotion" else ["gift"]
    db.vouchers.update(
        voucher.voucher_id,
        guest_id=voucher.guest_id if stage == "others" else booking.guest_id,
        reason=draw.one(["gift", "promotion"] if stage == "good" else reasons),
        expires_on=over,
        issued_on=over - timedelta(days=365),
    )
    if stage == "void":
        draw.call("void_voucher", voucher_id=voucher.voucher_id)
    draw.turn(voucher, expires_on=db.today() - timedelta(days=draw.one([20, 90, 91, 99])))
    draw.turn(voucher, status="void")
    return facts(
        _with_booking(db, booking),
        voucher=voucher.voucher_id,
        agrees=draw.chance(0.85),
    )


def solve_spend_voucher(agent: Agent, given: Given) -> Outcome:
    booking = _booking(agent, given)
    agent.ask("voucher")
    voucher = agent.get_voucher(given.voucher)
    folio = agent.get_folio(booking.reservation_id)
    left = _left_to_pay(booking, folio)
    if voucher.guest_id != booking.guest_id:
        return outcome("not_theirs", left=left)
    if voucher.status != "active":
        return outcome("not_valid", left=left)
    today = agent.get_time().today
    over = (today - voucher.expires_on).days
    if over > 0 and (over > 90 or voucher.reason == "promotion"):
        return outcome("ran_out", day=voucher.expires_on, left=left)
    amount = min(voucher.balance, left)
    if not agent.agreed(amount=amount):
        return outcome("kept_for_later", amount=amount)
    if over > 0:
        agent.extend_voucher(voucher.voucher_id, today + timedelta(days=30))
        agent.pay_with_voucher(folio.folio_id, voucher.voucher_id, amount)
        return outcome("extended_and_spent", amount=amount, left=left - amount)
    agent.pay_with_voucher(folio.folio_id, voucher.voucher_id, amount)
    return outcome("spent", amount=amount, left=left - amount)


def spend_points(db: Database, draw: Draw) -> Facts:
    """Somebody pays with as many points as possible; there may be too few."""
    booking = _unpaid(db, draw)
    folio = only(db.folios.where(reservation_id=booking.reservation_id))
    guest = db.guests.get(booking.guest_id)
    steps = guest.points // 500 * 500
    if draw.chance(0.2):
        draw.need(0 < steps < guest.points and steps // 100 < _left_to_pay(booking, folio))
        draw.call("pay_with_points", folio_id=folio.folio_id, points=steps)
    elif draw.chance(0.4):
        left = _left_to_pay(booking, folio)
        worth = steps // 100
        rest = draw.one([1, 2, 3, 4, 5, 5, worth - 1, worth - 2, worth - 3, worth - 4, worth + 7])
        part = money(left - rest)
        draw.need(part > 0)
        draw.call("take_payment", folio_id=folio.folio_id, method="bank_transfer", amount=part)
    draw.need(db.guests.get(booking.guest_id).points > 0)
    return facts(_with_booking(db, booking), agrees=draw.chance(0.8))


def solve_spend_points(agent: Agent, given: Given) -> Outcome:
    booking = _booking(agent, given)
    guest = agent.get_guest(booking.guest_id)
    folio = agent.get_folio(booking.reservation_id)
    left = _left_to_pay(booking, folio)
    if guest.points < 500:
        return outcome("too_few_points", points=guest.points)
    if left < 5:
        return outcome("too_little_left", left=left)
    points = min(guest.points // 500, int(left) // 5) * 500
    amount = money(Decimal(points) / 100)
    if not agent.agreed(number_of_points=points, amount=amount):
        return outcome("points_kept", amount=amount)
    agent.pay_with_points(folio.folio_id, points)
    if points < guest.points // 500 * 500:
        return outcome("all_paid_with_points", points=points, amount=amount, left=left - amount)
    return outcome("paid_with_points", points=points, amount=amount, left=left - amount)
