"""Bookings that are called off, or that were and are wanted back."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from ..database.models import Database, Reservation, StayOffer
from ..values import money
from .agent import Agent, Given
from .booking import _terms_agreed, _terms_offered
from .changing import _first_full_night
from .draw import Draw
from .facts import Facts, facts
from .language import Outcome, maybe, only, outcome
from .laying import _coming, _fill, _most, _turn_price, _turn_terms
from .people import _booking_that, _with_booking

WHY = ("change_of_plans", "illness", "found_alternative", "travel_disruption", "booked_by_mistake")


def call_off(db: Database, draw: Draw) -> Facts:
    """A booking is no longer wanted; it is free to cancel, or costs a fee, or is gone already."""
    booking = _coming(db, draw)
    if draw.chance(0.15):
        draw.call(
            "cancel_reservation", reservation_id=booking.reservation_id, reason="change_of_plans"
        )
        when = db.now() - timedelta(days=draw.integer(1, 3), minutes=draw.integer(1, 300))
        draw.need(booking.booked_at < when)
        db.reservations.update(booking.reservation_id, cancelled_at=when)
    _turn_terms(db, draw, booking)
    reason = draw.one(WHY)
    may_come = reason in ("change_of_plans", "found_alternative") and draw.chance(0.7)
    return facts(
        _with_booking(db, booking),
        reason=reason,
        agrees={"fee": money(Decimal(draw.integer(20, 200)))} if may_come else True,
    )


def solve_call_off(agent: Agent, given: Given) -> Outcome:
    booking = _booking_that(agent, given, ("confirmed", "cancelled"))
    if booking.cancelled_at is not None:
        return outcome("off_already", day=booking.cancelled_at.date())
    terms = agent.quote_cancellation(booking.reservation_id)
    if not agent.agreed(fee=terms.fee, refund=terms.refund, amount_still_to_pay=terms.still_due):
        return outcome("kept", fee=terms.fee)
    agent.ask("reason")
    agent.cancel_reservation(booking.reservation_id, given.reason)
    if terms.fee == 0 and terms.refund == 0:
        return outcome("off_unpaid", fee=terms.fee)
    if terms.fee == 0:
        return outcome("off_free", refund=terms.refund)
    if terms.still_due > 0:
        return outcome("off_with_debt", fee=terms.fee, due=terms.still_due)
    return outcome("off_with_fee", fee=terms.fee, refund=terms.refund)


def want_back(db: Database, draw: Draw) -> Facts:
    """A booking that was cancelled is wanted back, at the prices and with the rooms of today."""
    booking = _coming(db, draw)
    # What else was noted would be wanted back, too.
    draw.need(len(booking.companions) == 0 and booking.wishes is None)
    if draw.chance(0.85):
        draw.call(
            "cancel_reservation", reservation_id=booking.reservation_id, reason="booked_by_mistake"
        )
        ago = db.now() - timedelta(minutes=draw.integer(20, 700))
        db.reservations.update(booking.reservation_id, cancelled_at=ago)
    plan = db.rate_plans.get(booking.rate_plan_id)
    now = draw.one(["same", "dearer", "off_sale", "off_sale", "full"])
    if now == "dearer":
        db.rate_plans.update(plan.rate_plan_id, base_percent=plan.base_percent + 7)
    if now == "off_sale":
        draw.need(plan.board in ("room_only", "breakfast"))
        for one in db.rate_plans.where(hotel_id=plan.hotel_id, board=plan.board, on_sale=False):
            db.rate_plans.update(one.rate_plan_id, on_sale=True)
        db.rate_plans.update(plan.rate_plan_id, on_sale=False)
    if now == "full":
        draw.need(db.reservations.get(booking.reservation_id).status == "cancelled")
        room_type = db.room_types.get(booking.room_type_id)
        nights = (booking.departure - booking.arrival).days
        draw.need(nights > 1)
        full = booking.arrival + timedelta(days=draw.integer(1, nights - 1))
        _fill(db, draw, room_type, full, full + timedelta(days=1))
    _turn_price(draw, db.room_types.get(booking.room_type_id))
    draw.turn(db.rate_plans.get(plan.rate_plan_id), on_sale=now == "off_sale")
    return facts(
        _with_booking(db, booking),
        agrees=_most(draw, booking),
        accepts=draw.chance(0.7),
    )


def solve_want_back(agent: Agent, given: Given) -> Outcome:
    booking = _booking_that(agent, given, ("confirmed", "cancelled"))
    if booking.status == "confirmed":
        return outcome("never_gone", price=booking.total)
    folio = agent.get_folio(booking.reservation_id)
    offers = [
        offer
        for offer in agent.search_availability(
            booking.hotel_id, booking.arrival, booking.departure, booking.adults, booking.children
        )
        if offer.room_type_id == booking.room_type_id
    ]
    if len(offers) == 0:
        night = _first_full_night(
            agent, booking, booking.room_type_id, booking.arrival, booking.departure
        )
        return outcome("gone_to_others", night=night)
    same = maybe(offer for offer in offers if offer.rate_plan_id == booking.rate_plan_id)
    if same is None:
        return _back_otherwise(agent, booking, offers)
    if not _terms_agreed(agent, same):
        return outcome("not_wanted_back", price=same.total)
    _booked_again(agent, booking, same)
    if folio.charged > 0:
        return outcome("back_with_fee", price=same.total, fee=folio.charged)
    return outcome("back", price=same.total, deposit=same.deposit)


def _back_otherwise(agent: Agent, booking: Reservation, offers: list[StayOffer]) -> Outcome:
    """Offer the cheapest rate with the same meals for one that is not sold any more."""
    rate = agent.get_rate_plan(booking.rate_plan_id)
    alike = only([offer for offer in offers if offer.board == rate.board][:1])
    if not _terms_offered(agent, "another_rate", alike):
        return outcome("other_rate_unwanted", rate=alike.rate_plan, price=alike.total)
    _booked_again(agent, booking, alike)
    return outcome("back_otherwise", rate=alike.rate_plan, price=alike.total)


def _booked_again(agent: Agent, booking: Reservation, offer: StayOffer) -> Reservation:
    """Book the same stay once more."""
    return agent.create_reservation(
        booking.guest_id,
        offer.room_type_id,
        offer.rate_plan_id,
        booking.arrival,
        booking.departure,
        booking.adults,
        booking.children,
    )
