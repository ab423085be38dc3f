"""Meals added under the terms booked, bills split on two cards, and a day's missing guests."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from ..database.models import Database
from .agent import Agent, Given
from .booking import MEALS
from .changing import _is_bound, _is_looser
from .colleagues import _audited, _house_facts, _own_house
from .draw import Draw
from .facts import Facts, facts
from .language import Outcome, only, outcome
from .laying import _coming, _most, _rooms_free, _turn_price, _turn_terms
from .people import _booking, _with_booking
from .staying import _guest_in_house
from .till import _pay_all


def add_meals(db: Database, draw: Draw) -> Facts:
    """Meals are wanted on top; who is bound by the terms booked gets no rate that is looser."""
    booking = draw.row("reservations", status="confirmed")
    if draw.chance(0.7):
        booking = _coming(db, draw)
    draw.need(booking.arrival > db.today())
    plan = db.rate_plans.get(booking.rate_plan_id)
    saver = plan.free_cancel_days is None
    draw.need(saver or plan.board in ("room_only", "breakfast"))
    meals = draw.one(["breakfast", "breakfast", "half_board"])
    draw.need((booking.departure - booking.arrival).days > 1 or meals == "breakfast")
    # A quote counts the room booked already: it would look as if none were left.
    draw.need(_rooms_free(db, draw, booking, booking.arrival, booking.departure) > 0)
    draw.need(plan.board != "breakfast" or meals == "half_board" or draw.chance(0.6))
    _turn_terms(db, draw, booking)
    _turn_price(draw, db.room_types.get(booking.room_type_id))
    return facts(_with_booking(db, booking), meals=meals, agrees=_most(draw, booking))


def solve_add_meals(agent: Agent, given: Given) -> Outcome:
    booking = _booking(agent, given)
    agent.ask("meals")
    plan = agent.get_rate_plan(booking.rate_plan_id)
    if plan.board in MEALS[given.meals]:
        return outcome("meals_included", rate=plan.name)
    bound = _is_bound(agent, booking)
    nights = (booking.departure - booking.arrival).days
    rates = [
        one
        for one in agent.list_rate_plans(booking.hotel_id)
        if one.board in MEALS[given.meals]
        and one.min_nights <= nights
        and not (bound and _is_looser(one, plan))
    ]
    if len(rates) == 0:
        return outcome("bound_to_terms", rate=plan.name)
    quotes = [
        agent.quote_stay(
            booking.room_type_id,
            one.rate_plan_id,
            booking.arrival,
            booking.departure,
            booking.adults,
            booking.children,
            booking.reservation_id,
        )
        for one in rates
    ]
    best = min(quotes, key=lambda one: one.total)
    if not agent.agreed(rate=best.rate_plan, price=best.total):
        return outcome("without_meals", price=best.total)
    agent.change_rate_plan(booking.reservation_id, best.rate_plan_id)
    return outcome("meals_added", rate=best.rate_plan, price=best.total)


def two_cards(db: Database, draw: Draw) -> Facts:
    """A guest in the house pays the bill with two cards: a sum on one, the rest on the other."""
    stay = _guest_in_house(db, draw)
    folio = only(db.folios.where(reservation_id=stay.reservation_id))
    draw.need(folio.due > 0 or draw.chance(0.25))
    if draw.chance(0.15):
        _pay_all(db, draw, folio)
    amount = Decimal(draw.one([50, 100, 100, 150, 200, 250, 400]))
    if draw.chance(0.2) and folio.due > 0:
        amount = Decimal((int(folio.due) // 50 + 1) * 50)
    draw.need(folio.due != amount * 2)
    first = draw.integer(1000, 4999)
    return facts(
        _with_booking(db, stay),
        amount=amount,
        first_card=str(first),
        second_card=str(first + draw.integer(1, 4000)),
        agrees=draw.chance(0.75),
    )


def solve_two_cards(agent: Agent, given: Given) -> Outcome:
    booking = _booking(agent, given)
    folio = agent.get_folio(booking.reservation_id)
    if folio.due <= 0:
        return outcome("nothing_due", paid=folio.paid)
    agent.ask("amount")
    first = min(given.amount, folio.due)
    rest = folio.due - first
    if not agent.agreed(amount_for_the_first_card=first, amount_for_the_second_card=rest):
        return outcome("cards_put_away", due=folio.due, rest=rest)
    agent.ask("first_card")
    agent.take_payment(folio.folio_id, "card", first, given.first_card)
    if rest == 0:
        return outcome("one_card_did", due=first)
    agent.ask("second_card")
    agent.take_payment(folio.folio_id, "card", rest, given.second_card)
    return outcome("both_charged", rest=rest)


def missing_guests(db: Database, draw: Draw) -> Facts:
    """All who never came on a day are to be put down as no-shows; some may still come."""
    day = db.today() - timedelta(days=draw.one([0, 1, 1, 1, 1]))
    hotel = draw.one(db.hotels.all())
    booked = db.reservations.where(hotel_id=hotel.hotel_id, arrival=day, status="confirmed")
    if draw.chance(0.25):
        _audited(db, draw, hotel.hotel_id)
        booked = db.reservations.where(hotel_id=hotel.hotel_id, arrival=day, status="confirmed")
    came = db.reservations.where(hotel_id=hotel.hotel_id, arrival=day, status="checked_in")
    draw.need(len(booked) > 0 or len(came) > 0)
    if day < db.today() and len(booked) > 0:
        plan = db.rate_plans.get(draw.one(booked).rate_plan_id)
        draw.turn(plan, late_cancel_percent=0 if plan.late_cancel_percent > 50 else 100)
    return facts(_house_facts(db, hotel.hotel_id), day=day)


def solve_missing_guests(agent: Agent, given: Given) -> Outcome:
    house = _own_house(agent, given)
    agent.ask("day")
    missing = agent.list_arrivals(house.hotel_id, given.day)
    today = agent.get_time().today
    if given.day >= today:
        return outcome("may_all_come", count=len(missing))
    if len(missing) == 0:
        here = [one for one in agent.list_in_house(house.hotel_id) if one.arrival == given.day]
        return outcome("nobody_is_missing", count=len(here))
    fees = [agent.quote_cancellation(one.reservation_id).fee for one in missing]
    for one in missing:
        agent.mark_no_show(one.reservation_id)
    return outcome("all_put_down", count=len(missing), fees=sum(fees, Decimal(0)))
