"""Services booked by guests for their stay."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal

from ..database.models import (
    BookingStatus,
    Database,
    Reservation,
    ReservationId,
    Service,
    ServiceBooking,
    ServiceBookingId,
    ServiceBookingLine,
    ServiceId,
)
from ..errors import Rejected
from ..values import Money, Page, money, page
from .bookings import _check_active, _check_not_missed, _held_room
from .charges import _charge
from .folios import _folio
from .guests import _guest_name
from .inputs import _text
from .rates import _earliest_departure
from .rooms import _room_number
from .slots import _check_slot, _time

LATE_HOURS = 4


def _booked_services(db: Database, reservation_id: ReservationId) -> list[ServiceBooking]:
    return db.service_bookings.where(reservation_id=reservation_id, status="booked")


def _at_that_time(
    db: Database, service: Service, reservation_id: ReservationId, moment: datetime
) -> list[ServiceBooking]:
    """Return the bookings of a service that a party has at a moment, paid ahead or not."""
    length = timedelta(minutes=service.minutes)
    return [
        booking
        for booking in db.service_bookings.where(
            reservation_id=reservation_id, service_id=service.service_id
        )
        if booking.starts_at <= moment < booking.starts_at + length
        and booking.status != "cancelled"
    ]


def _check_free_time(
    db: Database,
    service: Service,
    reservation: Reservation,
    starts_at: datetime,
    persons: int,
    but: str | None,
) -> None:
    """Refuse a service for more people at a time than are in the party, all bookings together."""
    hours = [timedelta(minutes=minutes) for minutes in range(0, service.minutes, 60)]
    for moment in [starts_at + after for after in hours]:
        others = [
            other
            for other in _at_that_time(db, service, reservation.reservation_id, moment)
            if other.booking_id != but
        ]
        together = persons + sum(other.persons for other in others)
        if others and together > reservation.adults + reservation.children:
            raise Rejected(
                "duplicate",
                f"Booking {others[0].booking_id} is for that service at that time already; there "
                f"are not {together} people in the party.",
                booking=others[0].booking_id,
            )


def _booking_lines(
    db: Database, bookings: list[ServiceBooking], cursor: str | None, limit: int
) -> Page[ServiceBookingLine]:
    ordered = sorted(bookings, key=lambda booking: booking.starts_at)
    return page([_booking_line(db, booking) for booking in ordered], cursor, limit)


def _booking_line(db: Database, booking: ServiceBooking) -> ServiceBookingLine:
    reservation = db.reservations.get(booking.reservation_id)
    return ServiceBookingLine(
        booking_id=booking.booking_id,
        reservation_id=booking.reservation_id,
        guest=_guest_name(db, reservation.guest_id),
        room=_room_number(db, _held_room(db, reservation)),
        service_id=booking.service_id,
        service=db.services.get(booking.service_id).name,
        starts_at=booking.starts_at,
        persons=booking.persons,
        price=booking.price,
        status=booking.status,
        note=booking.note,
    )


def list_service_bookings(
    db: Database,
    reservation_id: ReservationId,
    status: BookingStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[ServiceBookingLine]:
    """List the services booked with a reservation, earliest first.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".
        status: Only bookings in this status.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The reservation is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.reservations.get(reservation_id)
    bookings = [
        booking
        for booking in db.service_bookings.where(reservation_id=reservation_id)
        if status is None or booking.status == status
    ]
    return _booking_lines(db, bookings, cursor, limit)


def list_service_day(
    db: Database, service_id: ServiceId, day: date, cursor: str | None = None, limit: int = 50
) -> Page[ServiceBookingLine]:
    """List who has booked a service on a day, called-off bookings too, earliest first.

    Args:
        service_id: The service, such as "SVC-00003".
        day: The day.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The service is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.services.get(service_id)
    bookings = [
        booking
        for booking in db.service_bookings.where(service_id=service_id)
        if booking.starts_at.date() == day
    ]
    return _booking_lines(db, bookings, cursor, limit)


def book_service(
    db: Database,
    reservation_id: ReservationId,
    service_id: ServiceId,
    starts_at: datetime,
    persons: int,
    note: str | None = None,
) -> ServiceBooking:
    """Book a service for a guest during their stay; it is charged when it is given.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".
        service_id: The service, such as "SVC-00003".
        starts_at: When it begins, on the hour.
        persons: For how many people.
        note: A remark, such as an allergy.

    Raises:
        Rejected: The reservation or service is unknown, or they are of different hotels.
        Rejected: The reservation is neither confirmed nor in the house.
        Rejected: The day of arrival is over, and the guest did not come.
        Rejected: The number of people is below one or above the party's.
        Rejected: The time is past, outside the stay or no hour of the service.
        Rejected: Too few places are left.
        Rejected: The guest has that service at that time already, and with it more people would
            come than are in the party.
        Rejected: The note is empty or too long.
    """
    reservation = db.reservations.get(reservation_id)
    service = db.services.get(service_id)
    _check_active(reservation)
    _check_not_missed(db, reservation)
    if service.hotel_id != reservation.hotel_id:
        raise Rejected(
            "other_hotel",
            f"{service.name} is for guests of {service.hotel_id} only.",
            hotel=service.hotel_id,
        )
    people = reservation.adults + reservation.children
    if not 1 <= persons <= people:
        raise Rejected(
            "persons_out_of_range",
            f"The party has {people} people; book for 1 to {people}.",
            limit=people,
        )
    _check_slot(db, service, reservation, starts_at, persons)
    _check_free_time(db, service, reservation, starts_at, persons, None)
    return db.service_bookings.add(
        reservation_id=reservation_id,
        service_id=service_id,
        starts_at=starts_at,
        persons=persons,
        price=money(service.price * persons),
        status="booked",
        note=None if note is None else _text(note, "note"),
    )


def _booked(db: Database, booking_id: ServiceBookingId) -> ServiceBooking:
    booking = db.service_bookings.get(booking_id)
    if booking.status != "booked":
        way = "it is over"
        if booking.status == "completed" and booking.starts_at > db.now():
            way = f"it was charged before it begins, {_time(booking.starts_at)}"
            if db.reservations.get(booking.reservation_id).status == "checked_in":
                way = f"{way}, and is booked again once its charge is taken back"
        raise Rejected(
            "service_over",
            f"Service booking {booking_id} is {booking.status}; {way}.",
            status=booking.status,
        )
    return booking


def _check_not_begun(db: Database, booking: ServiceBooking) -> None:
    if booking.starts_at <= db.now():
        raise Rejected(
            "service_begun",
            f"Service booking {booking.booking_id} has begun; complete it instead.",
            starts_at=booking.starts_at,
        )


def _begins_soon(db: Database, booking: ServiceBooking) -> bool:
    return booking.starts_at - db.now() < timedelta(hours=LATE_HOURS)


def reschedule_service(
    db: Database, booking_id: ServiceBookingId, starts_at: datetime
) -> ServiceBooking:
    """Move a service booking to another time, four hours before its own at the latest.

    Args:
        booking_id: The booking, such as "SBK-00051".
        starts_at: When it is to begin, on the hour.

    Raises:
        Rejected: The booking is unknown, or over or begun.
        Rejected: The day of arrival is over, and the guest did not come.
        Rejected: The service begins in less than four hours.
        Rejected: The time is the same, past, outside the stay or no hour of the service.
        Rejected: Too few places are left, or the whole party has that service then already.
    """
    booking = _booked(db, booking_id)
    service = db.services.get(booking.service_id)
    reservation = db.reservations.get(booking.reservation_id)
    _check_not_missed(db, reservation)
    _check_not_begun(db, booking)
    if _begins_soon(db, booking):
        raise Rejected(
            "begins_soon",
            f"Service booking {booking_id} begins {_time(booking.starts_at)}, in less than "
            f"{LATE_HOURS} hours; it stays, or is cancelled at half its price.",
            starts_at=booking.starts_at,
        )
    if booking.starts_at == starts_at:
        raise Rejected(
            "nothing_to_change",
            f"Booking {booking_id} is for that time already.",
            starts_at=starts_at,
        )
    _check_slot(db, service, reservation, starts_at, booking.persons)
    _check_free_time(db, service, reservation, starts_at, booking.persons, booking_id)
    return db.service_bookings.update(booking_id, starts_at=starts_at)


def _cost_of_calling_off(db: Database, booking: ServiceBooking) -> Money:
    """Return what a booked service costs that is not wanted: all of it once it has begun."""
    if booking.starts_at <= db.now():
        return booking.price
    return money(booking.price / 2) if _begins_soon(db, booking) else Decimal("0.00")


def _call_service_off(db: Database, booking: ServiceBooking) -> ServiceBooking:
    """Cancel a booked service with its fee; one that has begun counts as had."""
    if booking.starts_at <= db.now():
        return _give_service(db, booking)
    if _begins_soon(db, booking):
        service = db.services.get(booking.service_id)
        folio_id = _folio(db, booking.reservation_id).folio_id
        line, fee = f"{service.name}, cancelled late", _cost_of_calling_off(db, booking)
        _charge(db, folio_id, service.kind, line, 1, fee, None, booking.booking_id)
    return db.service_bookings.update(booking.booking_id, status="cancelled")


def _give_service(db: Database, booking: ServiceBooking) -> ServiceBooking:
    """Charge a service in full, as one that was had."""
    service = db.services.get(booking.service_id)
    folio_id = _folio(db, booking.reservation_id).folio_id
    price = money(booking.price / booking.persons)
    line = f"{service.name}, {booking.starts_at.date()}"
    _charge(db, folio_id, service.kind, line, booking.persons, price, None, booking.booking_id)
    return db.service_bookings.update(booking.booking_id, status="completed")


def cancel_service(db: Database, booking_id: ServiceBookingId) -> ServiceBooking:
    """Cancel a service booking; within four hours of its time half the price is charged.

    Args:
        booking_id: The booking, such as "SBK-00051".

    Raises:
        Rejected: The booking is unknown or over.
        Rejected: The service has begun.
    """
    booking = _booked(db, booking_id)
    _check_not_begun(db, booking)
    return _call_service_off(db, booking)


def _can_be_had_today(db: Database, booking: ServiceBooking) -> bool:
    """Say whether a service is of today, for a guest in the house."""
    reservation = db.reservations.get(booking.reservation_id)
    return booking.starts_at.date() == db.today() and reservation.status == "checked_in"


def _can_be_had_ahead(db: Database, booking: ServiceBooking) -> bool:
    """Say whether a service is of today, for a guest who may check out today."""
    reservation = db.reservations.get(booking.reservation_id)
    earliest = _earliest_departure(db, reservation)
    return _can_be_had_today(db, booking) and (
        earliest == reservation.departure or earliest > db.today()
    )


def complete_service(db: Database, booking_id: ServiceBookingId) -> ServiceBooking:
    """Record that a service was given, and charge it to the guest's folio.

    One of today can be charged before it begins if its guest may check out today, so that they can
    go; should they stay longer, it is booked again and its charge taken back.

    Args:
        booking_id: The booking, such as "SBK-00051".

    Raises:
        Rejected: The booking is unknown or over.
        Rejected: The service has not begun yet, and it is not of today, or its guest is not in the
            house or still has to make the stay shorter before leaving today.
    """
    booking = _booked(db, booking_id)
    if booking.starts_at > db.now() and not _can_be_had_ahead(db, booking):
        way = "wait for it"
        if _can_be_had_today(db, booking):
            way = "wait for it, or make the stay shorter first if the guest leaves today"
        raise Rejected(
            "service_not_begun",
            f"Service booking {booking_id} begins {_time(booking.starts_at)}; {way}.",
            starts_at=booking.starts_at,
        )
    return _give_service(db, booking)
