"""Services of the hotels and the times at which they have places."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from ..database.models import Database, HotelId, Service, ServiceId, ServiceKind, ServiceSlot
from ..errors import Rejected
from ..values import Page, page
from .inputs import MOST_DAYS_AHEAD, _near
from .rates import MOST_NIGHTS


def _at(db: Database, day: date, hour: int) -> datetime:
    now = db.now()
    midnight = now - timedelta(hours=now.hour, minutes=now.minute, seconds=now.second)
    return midnight + timedelta(days=(day - db.today()).days, hours=hour)


def _places_left(db: Database, service: Service, starts_at: datetime) -> int:
    return service.places - sum(
        booking.persons
        for booking in db.service_bookings.where(service_id=service.service_id)
        if booking.starts_at == starts_at and booking.status != "cancelled"
    )


def list_services(
    db: Database,
    hotel_id: HotelId,
    kind: ServiceKind | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Service]:
    """List what guests of a hotel can book, with prices and hours.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        kind: Only services of this kind.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The hotel is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    services = [
        service
        for service in db.services.where(hotel_id=hotel_id)
        if kind is None or service.kind == kind
    ]
    return page(services, cursor, limit)


def list_service_slots(
    db: Database,
    service_id: ServiceId,
    day: date,
    persons: int = 1,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[ServiceSlot]:
    """List the times of a day at which a service still has places.

    Args:
        service_id: The service, such as "SVC-00003".
        day: The day.
        persons: For how many people; one unless given.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The service is unknown.
        Rejected: The day is past or too far away.
        Rejected: The number of people is not above zero.
        Rejected: The cursor or limit is bad.
    """
    service = db.services.get(service_id)
    if day < db.today():
        raise Rejected("in_the_past", f"{day} is past; today is {db.today()}.", day=day)
    _near(db, day, MOST_DAYS_AHEAD + MOST_NIGHTS)
    if persons < 1:
        raise Rejected("persons_out_of_range", "A service is for one person or more.")
    slots = [
        ServiceSlot(
            starts_at=_at(db, day, hour),
            places_left=_places_left(db, service, _at(db, day, hour)),
        )
        for hour in range(service.first_hour, service.last_hour + 1)
    ]
    free = [slot for slot in slots if slot.places_left >= persons and slot.starts_at > db.now()]
    return page(free, cursor, limit)
