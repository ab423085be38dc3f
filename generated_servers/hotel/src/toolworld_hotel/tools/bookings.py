"""Reservations: finding them and making new ones."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from ..database.models import (
    Channel,
    Companion,
    Database,
    Folio,
    GuestId,
    RatePlanId,
    Reservation,
    ReservationId,
    ReservationLine,
    ReservationStatus,
    RoomId,
    RoomTypeId,
)
from ..errors import Rejected
from ..values import Page, letters_of, page
from .guests import _check_not_banned, _guest_name
from .inputs import _name, _text
from .rates import _check_dates, _check_on_sale, _check_plan, _deposit, _nights, _sum
from .rooms import ACTIVE, _check_party, _check_rooms_left, _is_missed, _room_number


def _confirmed(db: Database, reservation_id: ReservationId) -> Reservation:
    reservation = db.reservations.get(reservation_id)
    if reservation.status != "confirmed":
        raise Rejected(
            "not_confirmed",
            f"Reservation {reservation_id} is {reservation.status}; this is for confirmed ones, "
            "before check-in.",
            status=reservation.status,
        )
    return reservation


def _check_not_missed(db: Database, reservation: Reservation) -> None:
    if _is_missed(db, reservation):
        raise Rejected(
            "arrival_over",
            f"The guest of reservation {reservation.reservation_id} did not come on "
            f"{reservation.arrival}; it is only cancelled or recorded as a no-show.",
            day=reservation.arrival,
        )


def _still_to_come(db: Database, reservation_id: ReservationId) -> Reservation:
    reservation = _confirmed(db, reservation_id)
    _check_not_missed(db, reservation)
    return reservation


def _check_active(reservation: Reservation) -> None:
    if reservation.status not in ACTIVE:
        raise Rejected(
            "reservation_over",
            f"Reservation {reservation.reservation_id} is {reservation.status}; it is over.",
            status=reservation.status,
        )


def _held_room(db: Database, reservation: Reservation) -> RoomId | None:
    """Return the room of a reservation: who did not come holds none, whatever was set aside."""
    return None if _is_missed(db, reservation) else reservation.room_id


def _reservation_line(db: Database, reservation: Reservation) -> ReservationLine:
    room_id = _held_room(db, reservation)
    return ReservationLine(
        reservation_id=reservation.reservation_id,
        guest_id=reservation.guest_id,
        guest=_guest_name(db, reservation.guest_id),
        hotel_id=reservation.hotel_id,
        room_type_id=reservation.room_type_id,
        room_type=db.room_types.get(reservation.room_type_id).name,
        rate_plan_id=reservation.rate_plan_id,
        rate_plan=db.rate_plans.get(reservation.rate_plan_id).name,
        room_id=room_id,
        room=_room_number(db, room_id),
        arrival=reservation.arrival,
        departure=reservation.departure,
        adults=reservation.adults,
        children=reservation.children,
        total=reservation.total,
        status=reservation.status,
    )


def _reservation_lines(
    db: Database, reservations: list[Reservation], cursor: str | None, limit: int
) -> Page[ReservationLine]:
    ordered = sorted(reservations, key=lambda reservation: reservation.arrival)
    return page([_reservation_line(db, each) for each in ordered], cursor, limit)


def get_reservation(db: Database, reservation_id: ReservationId) -> Reservation:
    """Show a reservation by its confirmation number.

    The room of a guest who did not come is still shown, but held no more once that day is over.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".

    Raises:
        Rejected: The reservation is unknown.
    """
    return db.reservations.get(reservation_id)


def find_reservations(
    db: Database, last_name: str, arrival: date, cursor: str | None = None, limit: int = 50
) -> Page[ReservationLine]:
    """Find reservations by the guest's last name and the day of arrival.

    Args:
        last_name: The guest's last name, in full; accents, case and signs do not matter.
        arrival: The first night.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The name is empty.
        Rejected: The cursor or limit is bad.
    """
    name = letters_of(_text(last_name, "last name"))
    found = [
        reservation
        for reservation in db.reservations.where(arrival=arrival)
        if letters_of(db.guests.get(reservation.guest_id).last_name) == name
    ]
    return _reservation_lines(db, found, cursor, limit)


def list_guest_reservations(
    db: Database,
    guest_id: GuestId,
    status: ReservationStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[ReservationLine]:
    """List a guest's reservations by arrival, earliest first.

    Args:
        guest_id: The guest, such as "GST-00012".
        status: Only reservations in this status.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The guest is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.guests.get(guest_id)
    found = [
        reservation
        for reservation in db.reservations.where(guest_id=guest_id)
        if status is None or reservation.status == status
    ]
    return _reservation_lines(db, found, cursor, limit)


def list_room_reservations(
    db: Database,
    room_id: RoomId,
    first: date | None = None,
    last: date | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[ReservationLine]:
    """List whom a room is set aside for, who is in it and who was, earliest first.

    Who did not come on the day of arrival has no room any more.

    Args:
        room_id: The room, such as "ROM-00017".
        first: Only reservations that leave on this day or later.
        last: Only reservations that arrive on this day or earlier.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The room is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.rooms.get(room_id)
    found = [
        reservation
        for reservation in db.reservations.where(room_id=room_id)
        if not _is_missed(db, reservation)
        and (first is None or reservation.departure >= first)
        and (last is None or reservation.arrival <= last)
    ]
    return _reservation_lines(db, found, cursor, limit)


def _new_folio(db: Database, reservation: Reservation) -> Folio:
    return db.folios.add(
        reservation_id=reservation.reservation_id,
        hotel_id=reservation.hotel_id,
        status="open",
        opened_at=db.now(),
        charged=Decimal("0.00"),
        paid=Decimal("0.00"),
        due=Decimal("0.00"),
    )


def create_reservation(
    db: Database,
    guest_id: GuestId,
    room_type_id: RoomTypeId,
    rate_plan_id: RatePlanId,
    arrival: date,
    departure: date,
    adults: int,
    children: int = 0,
    channel: Channel = "phone",
    wishes: str | None = None,
) -> Reservation:
    """Book a room of a type for a guest, and open its folio.

    No room is set aside yet, and the deposit is still to be taken.

    Args:
        guest_id: Who books and stays, such as "GST-00012".
        room_type_id: The room type, such as "RTY-00003".
        rate_plan_id: The rate plan, such as "RPL-00002".
        arrival: The first night.
        departure: The day of leaving.
        adults: People of twelve and older, the guest included.
        children: People under twelve; none unless given.
        channel: How the booking came in; by phone unless given.
        wishes: Special wishes for the stay.

    Raises:
        Rejected: The guest, room type or rate plan is unknown, or the last two do not match.
        Rejected: The guest is banned.
        Rejected: The dates are past, too far away, out of order or too long a stay.
        Rejected: The rate plan is off sale or needs a longer stay.
        Rejected: The party does not fit the room type.
        Rejected: No room of the type is free.
        Rejected: The wishes are empty or too long.
    """
    guest = db.guests.get(guest_id)
    room_type = db.room_types.get(room_type_id)
    plan = db.rate_plans.get(rate_plan_id)
    _check_not_banned(guest, "do not book for them")
    _check_dates(db, arrival, departure)
    _check_party(room_type, adults, children)
    _check_rooms_left(db, room_type, arrival, departure, None)
    _check_plan(plan, room_type.hotel_id, (departure - arrival).days)
    _check_on_sale(plan)
    wish = None if wishes is None else _text(wishes, "wishes")
    nights = _nights(room_type, plan, arrival, departure, adults, children)
    reservation = db.reservations.add(
        guest_id=guest_id,
        hotel_id=room_type.hotel_id,
        room_type_id=room_type_id,
        rate_plan_id=rate_plan_id,
        arrival=arrival,
        departure=departure,
        adults=adults,
        children=children,
        companions=[],
        nights=nights,
        total=_sum(nights),
        deposit_due=_deposit(plan, _sum(nights)),
        status="confirmed",
        channel=channel,
        booked_at=db.now(),
        wishes=wish,
    )
    _new_folio(db, reservation)
    return reservation


def _have_a_place(companions: list[Companion], adults: int, children: int) -> bool:
    """Say whether those named have an adult's or a child's place each, beside the guest."""
    small = len([companion for companion in companions if companion.child])
    return small <= children and len(companions) - small < adults


def _by_name(companion: Companion) -> str:
    return letters_of(companion.name)


def _check_one_by_one(db: Database, reservation: Reservation, named: list[Companion]) -> None:
    """Refuse to name somebody twice, or the guest besides."""
    names = [_guest_name(db, reservation.guest_id), *[companion.name for companion in named]]
    for place, name in enumerate(names):
        if letters_of(name) in [letters_of(other) for other in names[:place]]:
            raise Rejected(
                "named_twice",
                f'"{name[:40]}" is named twice, or the guest; name everybody else once.',
            )


def name_companions(
    db: Database, reservation_id: ReservationId, companions: list[Companion]
) -> Reservation:
    """Name the people who come along, in place of those named before.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".
        companions: Everybody but the guest, as far as known.

    Raises:
        Rejected: The reservation is unknown, or neither confirmed nor in the house.
        Rejected: More adults or children are named than the reservation is for.
        Rejected: A name is empty, too long or not seen in full, or the same are named already.
        Rejected: A name is the guest's own, or given twice.
    """
    reservation = db.reservations.get(reservation_id)
    _check_active(reservation)
    named = [
        Companion(name=_name(companion.name, "companion's name"), child=companion.child)
        for companion in companions
    ]
    _check_one_by_one(db, reservation, named)
    if not _have_a_place(named, reservation.adults, reservation.children):
        is_to_come = reservation.status == "confirmed" and not _is_missed(db, reservation)
        way = "name no more, or change the party first" if is_to_come else "name no more"
        raise Rejected(
            "too_many_companions",
            f"Reservation {reservation_id} is for {reservation.adults} adults, the guest included, "
            f"and {reservation.children} children; {way}.",
            adults=reservation.adults,
            children=reservation.children,
        )
    if sorted(named, key=_by_name) == sorted(reservation.companions, key=_by_name):
        raise Rejected(
            "nothing_to_change", f"They are named with reservation {reservation_id} already."
        )
    return db.reservations.update(reservation_id, companions=named)


def set_special_wishes(db: Database, reservation_id: ReservationId, wishes: str) -> Reservation:
    """Note special wishes for a stay, in place of those noted before.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".
        wishes: The wishes, in the guest's words.

    Raises:
        Rejected: The reservation is unknown, or neither confirmed nor in the house.
        Rejected: The wishes are empty or too long, or noted already.
    """
    reservation = db.reservations.get(reservation_id)
    _check_active(reservation)
    noted = _text(wishes, "wishes")
    if noted == reservation.wishes:
        raise Rejected(
            "nothing_to_change", f"That is noted with reservation {reservation_id} already."
        )
    return db.reservations.update(reservation_id, wishes=noted)
