"""What calling a booking off costs, and what of its payments stays before arrival."""

from __future__ import annotations

from decimal import Decimal

from ..database.models import Database, Reservation, ReservationId
from ..values import Money, money
from .rates import _free_until, _late_fee
from .rooms import _is_missed
from .service_bookings import _booked_services, _cost_of_calling_off


def _cancel_fee(db: Database, reservation: Reservation) -> Money:
    plan = db.rate_plans.get(reservation.rate_plan_id)
    free_until = _free_until(plan, reservation.arrival)
    if free_until is not None and db.today() <= free_until:
        return Decimal("0.00")
    return _late_fee(plan, reservation.total)


def _cost_of_services(db: Database, reservation_id: ReservationId) -> Money:
    booked = _booked_services(db, reservation_id)
    return money(sum((_cost_of_calling_off(db, booking) for booking in booked), Decimal(0)))


def _cost_of_not_coming(db: Database, reservation: Reservation) -> Money:
    """Return what a no-show costs, with the services that are booked."""
    plan = db.rate_plans.get(reservation.rate_plan_id)
    services = _cost_of_services(db, reservation.reservation_id)
    return money(_late_fee(plan, reservation.total) + services)


def _kept_before_arrival(db: Database, reservation: Reservation) -> Money:
    """Return what of a booking's payments stays: its deposit, or what calling it off costs."""
    if reservation.status != "confirmed":
        return Decimal("0.00")
    if _is_missed(db, reservation):
        return max(reservation.deposit_due, _cost_of_not_coming(db, reservation))
    services = _cost_of_services(db, reservation.reservation_id)
    return max(reservation.deposit_due, money(_cancel_fee(db, reservation) + services))
