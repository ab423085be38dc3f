"""Times at which services can be had."""

from __future__ import annotations

from datetime import datetime

from ..database.models import Database, Reservation, Service
from ..errors import Rejected
from .services import _at, _places_left


def _time(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M")


def _check_slot(
    db: Database,
    service: Service,
    reservation: Reservation,
    starts_at: datetime,
    persons: int,
) -> None:
    if starts_at <= db.now():
        raise Rejected(
            "in_the_past",
            f"{_time(starts_at)} is past; it is {_time(db.now())} now. Choose a later time.",
            now=db.now(),
        )
    if not reservation.arrival <= starts_at.date() <= reservation.departure:
        raise Rejected(
            "outside_stay",
            f"The stay is from {reservation.arrival} to {reservation.departure}; "
            "choose a day in it.",
            first=reservation.arrival,
            last=reservation.departure,
        )
    on_the_hour = starts_at == _at(db, starts_at.date(), starts_at.hour)
    if not on_the_hour or not service.first_hour <= starts_at.hour <= service.last_hour:
        raise Rejected(
            "no_such_hour",
            f"{service.name} begins on the hour, from {service.first_hour}:00 to "
            f"{service.last_hour}:00; list_service_slots shows the free times.",
            first=service.first_hour,
            last=service.last_hour,
        )
    left = _places_left(db, service, starts_at)
    if persons > left:
        raise Rejected(
            "too_few_places",
            f"{service.name} has {left} places left then; choose another time.",
            left=left,
        )
