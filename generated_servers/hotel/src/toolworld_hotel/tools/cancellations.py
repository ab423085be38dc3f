"""Reservations that come to nothing: cancelled ones and no-shows."""

from __future__ import annotations

from decimal import Decimal

from ..database.models import (
    CancellationQuote,
    CancelReason,
    ChargeKind,
    Database,
    Reservation,
    ReservationId,
)
from ..errors import Rejected
from ..values import Money, money
from .bookings import _confirmed
from .charges import _charge
from .fees import _cancel_fee, _cost_of_services
from .folios import _folio
from .rates import _free_until, _late_fee
from .refunds import _give_back
from .service_bookings import _booked_services, _call_service_off


def _call_off(db: Database, reservation: Reservation, kind: ChargeKind, fee: Money) -> None:
    for booking in _booked_services(db, reservation.reservation_id):
        _call_service_off(db, booking)
    for request in db.guest_requests.where(reservation_id=reservation.reservation_id):
        if request.status in ("open", "in_progress"):
            db.guest_requests.update(request.request_id, status="cancelled", employee_id=None)
    folio = _folio(db, reservation.reservation_id)
    if fee > 0:
        line = f"Fee for reservation {reservation.reservation_id}"
        _charge(db, folio.folio_id, kind, line, 1, fee, None, None)
    due = db.folios.get(folio.folio_id).due
    if due <= 0:
        _give_back(db, folio.folio_id, -due, "cancellation")
        db.folios.update(folio.folio_id, status="closed", closed_at=db.now())


def quote_cancellation(db: Database, reservation_id: ReservationId) -> CancellationQuote:
    """Work out what cancelling a reservation today would cost, without doing it.

    The fee includes booked services: half of those less than four hours away, all of those begun.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".

    Raises:
        Rejected: The reservation is unknown or not confirmed.
    """
    reservation = _confirmed(db, reservation_id)
    folio = _folio(db, reservation_id)
    services = _cost_of_services(db, reservation_id)
    fee = money(_cancel_fee(db, reservation) + services)
    owed = folio.charged + fee
    plan = db.rate_plans.get(reservation.rate_plan_id)
    return CancellationQuote(
        reservation_id=reservation_id,
        free_until=_free_until(plan, reservation.arrival),
        fee=fee,
        services=services,
        paid=folio.paid,
        refund=money(max(Decimal(0), folio.paid - owed)),
        still_due=money(max(Decimal(0), owed - folio.paid)),
    )


def cancel_reservation(
    db: Database, reservation_id: ReservationId, reason: CancelReason
) -> Reservation:
    """Cancel a confirmed reservation under the terms of its rate plan.

    The fee goes on the folio, anything paid above it goes back the way it came, and booked
    services and open requests are called off: a service less than four hours away costs half,
    one that has begun all of its price.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".
        reason: Why the guest cancels.

    Raises:
        Rejected: The reservation is unknown or not confirmed.
    """
    reservation = _confirmed(db, reservation_id)
    fee = _cancel_fee(db, reservation)
    cancelled = db.reservations.update(
        reservation_id,
        status="cancelled",
        room_id=None,
        cancelled_at=db.now(),
        cancel_reason=reason,
    )
    _call_off(db, reservation, "cancellation_fee", fee)
    return cancelled


def mark_no_show(db: Database, reservation_id: ReservationId) -> Reservation:
    """Record that a guest never came, and charge the no-show fee of the rate plan.

    Booked services and open requests are called off as by cancel_reservation.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".

    Raises:
        Rejected: The reservation is unknown or not confirmed.
        Rejected: The day of arrival is not over yet.
    """
    reservation = _confirmed(db, reservation_id)
    if reservation.arrival >= db.today():
        raise Rejected(
            "may_still_come",
            f"The guest may still come: arrival is {reservation.arrival}.",
            day=reservation.arrival,
        )
    plan = db.rate_plans.get(reservation.rate_plan_id)
    fee = _late_fee(plan, reservation.total)
    missed = db.reservations.update(reservation_id, status="no_show", room_id=None)
    _call_off(db, reservation, "no_show_fee", fee)
    return missed
