"""Bills put right by colleagues: lines of others, something taken off; and what went back."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from ..database.models import Database, Folio
from ..values import Money, money
from .agent import Agent, Given
from .colleagues import _house_facts, _in_a_room, _own_house
from .draw import Draw
from .facts import Facts, facts, told
from .language import Outcome, maybe, only, outcome
from .laying import _coming
from .people import _booking, _with_booking
from .till import ALIKE_LINES, _folio_of, _give_back_latest, _pay_all, _slip_posted

SORRY: tuple[str, ...] = (
    "Building work in front of the window.", "No hot water in the morning.", "Noise from the bar.",
)  # fmt: skip


def _nights_of(db: Database, folio: Folio) -> Money:
    """Return what the nights on a folio come to, without city tax."""
    lines = db.charges.where(folio_id=folio.folio_id, kind="room_night", voided=False)
    return sum((line.amount for line in lines), Decimal(0))


def move_line(db: Database, draw: Draw) -> Facts:
    """An extra stands on the wrong bill; it may be paid, be a night, or be on the right one."""
    stage = draw.one(["due", "due", "due", "paid", "paid", "night", "off", "there", "nowhere"])
    wrong, right = draw.some(
        db.stays.where(hotel_id=draw.one(db.hotels.all()).hotel_id, status="in_house"), 2
    )
    if draw.chance(0.5):
        wrong, right = right, wrong
    folio, other = _folio_of(db, wrong), _folio_of(db, right)
    draw.need(folio.due >= 0 and other.due >= 0)
    on = other if stage == "there" else folio
    charge = _slip_posted(db, draw, on)
    lines = db.charges.where(folio_id=folio.folio_id, description=charge.description)
    draw.need(stage != "there" or len(lines) == 0)
    if stage == "paid":
        _pay_all(db, draw, folio)
    if stage == "off":
        draw.call("void_charge", charge_id=charge.charge_id, reason="Posted by mistake.")
    line = charge.description
    draw.turn(charge, description=ALIKE_LINES[charge.kind])
    if stage == "nowhere":
        line = ALIKE_LINES[charge.kind]
    if stage == "night":
        nights = db.charges.where(folio_id=folio.folio_id, kind="room_night")
        line = draw.one(nights).description
    room, other_room = db.rooms.get(wrong.room_id), db.rooms.get(right.room_id)
    return facts(
        _house_facts(db, wrong.hotel_id),
        room=told(room.number, room, "number"),
        other_room=other_room.number,
        line=line,
    )


def solve_move_line(agent: Agent, given: Given) -> Outcome:
    house = _own_house(agent, given)
    agent.ask("room", "other_room", "line")
    wrong = agent.find_stay_in_room(house.hotel_id, given.room)
    right = agent.find_stay_in_room(house.hotel_id, given.other_room)
    folio = agent.get_folio(wrong.reservation_id)
    other = agent.get_folio(right.reservation_id)
    charge = maybe(
        one for one in agent.list_charges(folio.folio_id) if one.description == given.line
    )
    if charge is None:
        there = maybe(
            one for one in agent.list_charges(other.folio_id) if one.description == given.line
        )
        if there is None:
            return outcome("on_neither_bill", guest=right.guest, due=other.due)
        return outcome("is_there_already", amount=there.amount, due=other.due)
    if charge.voided:
        return outcome("was_taken_back", amount=charge.amount, left=folio.due)
    if charge.night is not None:
        return outcome("nights_stay", amount=charge.amount, guest=wrong.guest)
    agent.transfer_charge(charge.charge_id, other.folio_id)
    over = charge.amount - folio.due
    if over <= 0:
        return outcome("line_moved", guest=right.guest, due=other.due + charge.amount)
    _give_back_latest(agent, folio, over, "billing_error")
    return outcome("moved_and_given_back", due=other.due + charge.amount, back=over)


def percent_off(db: Database, draw: Draw) -> Facts:
    """A share of the nights comes off a bill, up to a sum; it may be paid, or be done already."""
    stage = draw.one(["due", "due", "due", "undone", "just", "paid", "paid", "before"])
    stay = _in_a_room(db, draw)
    folio = _folio_of(db, stay)
    percent, most = draw.one([10, 15, 20, 25]), Decimal(draw.one([20, 40, 60, 90]))
    nights, why = _nights_of(db, folio), draw.one(SORRY)
    off = min(most, money(nights * percent / 100))
    draw.need(nights * percent == money(nights * percent / 100) * 100)
    draw.need(folio.due >= 0)
    if stage == "paid":
        _pay_all(db, draw, folio)
        draw.need(any(one.amount >= off for one in db.payments.where(folio_id=folio.folio_id)))
    if stage in ("due", "undone", "just"):
        draw.need(folio.due > off)
    if stage == "just":
        draw.call("take_payment", folio_id=folio.folio_id, method="cash", amount=folio.due - off)
    if stage == "undone":
        undone = draw.call("give_discount", folio_id=folio.folio_id, amount=off, reason=why)
        draw.call("void_charge", charge_id=undone.charge_id, reason="On the wrong bill.")
    if stage in ("due", "just"):
        other = draw.one(one for one in SORRY if one != why)
        made = draw.call("give_discount", folio_id=folio.folio_id, amount=Decimal(5), reason=other)
        _slip_of_five(draw, folio)
        draw.turn(made, description=why)
    if stage == "before":
        made = draw.call("give_discount", folio_id=folio.folio_id, amount=off, reason=why)
        draw.turn(made, description="Apology for the long wait at the desk.")
    room = db.rooms.get(stay.room_id)
    return facts(
        _house_facts(db, stay.hotel_id),
        room=told(room.number, room, "number"),
        percent=percent,
        most=most,
        why=why,
    )


def _slip_of_five(draw: Draw, folio: Folio) -> None:
    """Charge a guest five euros, so that what is due stays as it was."""
    draw.call(
        "post_charge",
        folio_id=folio.folio_id,
        kind="restaurant",
        description="Bar: one lemonade",
        unit_price=Decimal(5),
    )


def solve_percent_off(agent: Agent, given: Given) -> Outcome:
    house = _own_house(agent, given)
    agent.ask("room", "why")
    stay = agent.find_stay_in_room(house.hotel_id, given.room)
    folio = agent.get_folio(stay.reservation_id)
    lines = [one for one in agent.list_charges(folio.folio_id) if not one.voided]
    before = maybe(one for one in lines if one.description == given.why)
    if before is not None:
        return outcome("off_already", off=-before.amount, guest=stay.guest)
    agent.ask("percent", "most")
    nights = sum((one.amount for one in lines if one.kind == "room_night"), Decimal(0))
    off = min(given.most, money(nights * given.percent / 100))
    agent.give_discount(folio.folio_id, off, given.why)
    over = off - folio.due
    if over > 0:
        _give_back_latest(agent, folio, over, "service_failure")
        return outcome("off_and_given_back", off=off, back=over)
    return outcome("share_off", off=off, due=folio.due - off)


def money_back(db: Database, draw: Draw) -> Facts:
    """Somebody cancelled and misses their money: it went back, was kept, or was never paid."""
    if draw.chance(0.2):
        booking = draw.row("reservations", status="cancelled")
        _turn_day_of_refund(db, draw, only(db.folios.where(reservation_id=booking.reservation_id)))
        return facts(_with_booking(db, booking))
    booking = _coming(db, draw)
    folio = only(db.folios.where(reservation_id=booking.reservation_id))
    free_days = db.rate_plans.get(booking.rate_plan_id).free_cancel_days
    if draw.chance(0.45) and booking.total > folio.paid:
        draw.call(
            "take_payment",
            folio_id=folio.folio_id,
            method="card",
            amount=booking.total - folio.paid,
            card_last4=str(draw.integer(1000, 9999)),
        )
    draw.call("cancel_reservation", reservation_id=booking.reservation_id, reason="illness")
    most = (db.today() - booking.booked_at.date()).days - 1
    charges = db.charges.where(folio_id=folio.folio_id)
    if len(charges) > 0 and free_days is not None:
        most = min(most, free_days - 1 - (booking.arrival - db.today()).days)
    draw.need(most > 0)
    moment = db.now() - timedelta(days=draw.integer(1, min(most, 9)))
    db.reservations.update(booking.reservation_id, cancelled_at=moment)
    if db.folios.get(folio.folio_id).closed_at is not None:
        db.folios.update(folio.folio_id, closed_at=moment)
    for charge in charges:
        db.charges.update(charge.charge_id, posted_at=moment)
    for payment in db.payments.where(folio_id=folio.folio_id):
        db.payments.update(payment.payment_id, paid_at=min(payment.paid_at, moment))
        for refund in db.refunds.where(payment_id=payment.payment_id):
            db.refunds.update(refund.refund_id, made_at=moment)
    _turn_day_of_refund(db, draw, folio)
    return facts(_with_booking(db, booking))


def _turn_day_of_refund(db: Database, draw: Draw, folio: Folio) -> None:
    """Let a twin turn on when money went back, if it did so in one piece."""
    refunds = [
        refund
        for payment in db.payments.where(folio_id=folio.folio_id)
        for refund in db.refunds.where(payment_id=payment.payment_id)
    ]
    if len(refunds) == 1 and db.now() - refunds[0].made_at >= timedelta(days=1):
        draw.turn(refunds[0], made_at=refunds[0].made_at + timedelta(days=1))


def solve_money_back(agent: Agent, given: Given) -> Outcome:
    booking = _booking(agent, given)
    folio = agent.get_folio(booking.reservation_id)
    refunds = agent.list_refunds(folio.folio_id)
    if len(refunds) > 1:
        back = sum((one.amount for one in refunds), Decimal(0))
        return outcome("went_back_in_parts", back=back, day=refunds[0].made_at.date())
    refund = maybe(refunds)
    if refund is None:
        if folio.due > 0:
            return outcome("something_is_owed", fee=folio.charged, due=folio.due)
        day = date.fromisoformat(str(booking.cancelled_at)[:10])
        if folio.charged == 0:
            return outcome("never_paid", cancelled=day)
        return outcome("all_was_kept", fee=folio.charged, cancelled=day)
    payments = agent.list_payments(folio.folio_id)
    payment = only(one for one in payments if one.payment_id == refund.payment_id)
    day = refund.made_at.date()
    if payment.card_last4 is not None:
        return outcome("went_to_card", back=refund.amount, day=day, card=payment.card_last4)
    return outcome("went_back", back=refund.amount, day=day)
