"""Rate plans: what a night costs under them, and their terms."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from ..database.models import (
    Database,
    HotelId,
    NightRate,
    RatePlan,
    RatePlanId,
    Reservation,
    RoomType,
)
from ..errors import Rejected
from ..values import Money, Page, money, page
from .inputs import MOST_DAYS_AHEAD, _near

MOST_NIGHTS = 30
WEEKEND = Decimal("1.15")
SEASON = Decimal("1.20")
SEASON_MONTHS = (6, 7, 8, 9)


def _night_price(room_type: RoomType, plan: RatePlan, night: date) -> Money:
    price = room_type.base_rate * plan.base_percent / 100
    if night.weekday() in (4, 5):
        price = price * WEEKEND
    if night.month in SEASON_MONTHS:
        price = price * SEASON
    return price


def _nights(
    room_type: RoomType, plan: RatePlan, first: date, last: date, adults: int, children: int
) -> list[NightRate]:
    board = plan.board_price * adults + plan.board_price * children / 2
    days = [first + timedelta(days=n) for n in range((last - first).days)]
    return [
        NightRate(night=day, amount=money(_night_price(room_type, plan, day) + board))
        for day in days
    ]


def _sum(nights: list[NightRate]) -> Money:
    return money(sum((rate.amount for rate in nights), Decimal(0)))


def _deposit(plan: RatePlan, total: Money) -> Money:
    return money(total * plan.deposit_percent / 100)


def _late_fee(plan: RatePlan, total: Money) -> Money:
    return money(total * plan.late_cancel_percent / 100)


def _free_until(plan: RatePlan, arrival: date) -> date | None:
    if plan.free_cancel_days is None:
        return None
    return arrival - timedelta(days=plan.free_cancel_days)


def _earliest_departure(db: Database, reservation: Reservation) -> date:
    """Return the earliest day to which a stay can be made shorter; the one booked if to none."""
    plan = db.rate_plans.get(reservation.rate_plan_id)
    if plan.free_cancel_days is None:
        return reservation.departure
    shortest = reservation.arrival + timedelta(days=plan.min_nights)
    return min(reservation.departure, max(db.today(), shortest))


def _check_dates(db: Database, arrival: date, departure: date) -> None:
    if arrival < db.today():
        raise Rejected(
            "in_the_past", f"The arrival {arrival} is past; today is {db.today()}.", day=arrival
        )
    _near(db, arrival, MOST_DAYS_AHEAD)
    if not 1 <= (departure - arrival).days <= MOST_NIGHTS:
        raise Rejected(
            "nights_out_of_range",
            f"A stay has 1 to {MOST_NIGHTS} nights; check arrival and departure.",
            limit=MOST_NIGHTS,
        )


def _check_plan(plan: RatePlan, hotel_id: HotelId, nights: int) -> None:
    if plan.hotel_id != hotel_id:
        raise Rejected(
            "other_hotel",
            f"{plan.rate_plan_id} belongs to another hotel; list the plans of this one.",
            hotel=plan.hotel_id,
        )
    if nights < plan.min_nights:
        raise Rejected(
            "too_few_nights",
            f"{plan.name} is sold for {plan.min_nights} nights or more.",
            plan=plan.name,
            limit=plan.min_nights,
        )


def _check_on_sale(plan: RatePlan) -> None:
    if not plan.on_sale:
        raise Rejected(
            "off_sale",
            f"{plan.name} is off sale; list_rate_plans shows the plans on sale.",
            plan=plan.name,
        )


def get_rate_plan(db: Database, rate_plan_id: RatePlanId) -> RatePlan:
    """Show a rate plan and its terms of cancelling, one that is off sale too.

    Args:
        rate_plan_id: The rate plan, such as "RPL-00002".

    Raises:
        Rejected: The rate plan is unknown.
    """
    return db.rate_plans.get(rate_plan_id)


def list_rate_plans(
    db: Database, hotel_id: HotelId, cursor: str | None = None, limit: int = 50
) -> Page[RatePlan]:
    """List the rate plans on sale in a hotel, with their terms of cancelling.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The hotel is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    return page(db.rate_plans.where(hotel_id=hotel_id, on_sale=True), cursor, limit)
