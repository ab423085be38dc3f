"""The tools of Hotel group: what an agent can do, one function each.

Each runs in a transaction over the database it is given: on any error nothing is changed.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal

from .errors import Rejected
from .models import (
    Address,
    BookingStatus,
    CancellationQuote,
    CancelReason,
    Channel,
    Charge,
    ChargeId,
    ChargeKind,
    CleaningKind,
    Companion,
    Complaint,
    ComplaintCategory,
    ComplaintId,
    ComplaintStatus,
    Database,
    Employee,
    EmployeeId,
    ExtraKind,
    FaultCategory,
    Folio,
    FolioId,
    Guest,
    GuestId,
    GuestRequest,
    GuestRequestId,
    Hotel,
    HotelDay,
    HotelId,
    HousekeepingTask,
    HousekeepingTaskId,
    LoyaltyTier,
    MaintenanceTicket,
    MaintenanceTicketId,
    NightRate,
    Payment,
    PaymentId,
    PaymentMethod,
    PointsEntry,
    PointsReason,
    Priority,
    RatePlan,
    RatePlanId,
    Refund,
    RefundReason,
    RequestKind,
    Reservation,
    ReservationId,
    ReservationStatus,
    Room,
    RoomCondition,
    RoomId,
    RoomType,
    RoomTypeId,
    Service,
    ServiceBooking,
    ServiceBookingId,
    ServiceId,
    ServiceKind,
    ServiceSlot,
    Severity,
    StaffRole,
    Stay,
    StayId,
    StayOffer,
    TillMethod,
    Voucher,
    VoucherId,
    VoucherReason,
    VoucherStatus,
    WorkStatus,
)
from .values import Money, Page, contains, money, page

ACTIVE = ("confirmed", "checked_in")
MOST_NIGHTS = 30
MOST_DAYS_AHEAD = 500
WEEKEND = Decimal("1.15")
SEASON = Decimal("1.20")
SEASON_MONTHS = (6, 7, 8, 9)
LATE_HOUR_PRICE = Decimal("20.00")
MOST_LATE_HOURS = 6
MOST_KEY_CARDS = 6
LARGEST_AMOUNT = Decimal("20000.00")
POINTS_A_EURO = 100
POINTS_STEP = 500
POINTS_EARNED = {"classic": 5, "silver": 6, "gold": 8, "platinum": 10}
COMPENSATION = {"minor": 1000, "serious": 5000, "severe": 20000}
REOPEN_DAYS = 30


def _text(value: str, what: str) -> str:
    if not value.strip():
        raise Rejected(f"Empty {what}; say it in words.")
    if len(value) > 1000:
        raise Rejected(f"Too much text for the {what}; use at most 1000 characters.")
    return value.strip()


def _amount(value: Money, what: str) -> Money:
    if not 0 < value <= LARGEST_AMOUNT:
        raise Rejected(f"The {what} is above 0 and at most {LARGEST_AMOUNT}, not {value}.")
    return money(value)


def _near(db: Database, day: date) -> date:
    if abs((day - db.today()).days) > MOST_DAYS_AHEAD:
        raise Rejected(f"{day} is more than {MOST_DAYS_AHEAD} days from today, {db.today()}.")
    return day


def _covers(reservation: Reservation, arrival: date, departure: date) -> bool:
    overlaps = reservation.arrival < departure and arrival < reservation.departure
    return reservation.status in ACTIVE and overlaps


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


def _check_dates(db: Database, arrival: date, departure: date) -> None:
    if arrival < db.today():
        raise Rejected(f"The arrival {arrival} is past; today is {db.today()}.")
    _near(db, arrival)
    if not 1 <= (departure - arrival).days <= MOST_NIGHTS:
        raise Rejected(f"A stay has 1 to {MOST_NIGHTS} nights; check arrival and departure.")


def _check_party(room_type: RoomType, adults: int, children: int) -> None:
    if adults < 1 or children < 0:
        raise Rejected("A party has at least one adult, and no fewer than 0 children.")
    if adults + children > room_type.capacity:
        raise Rejected(
            f"{room_type.name} sleeps {room_type.capacity}; choose a larger room type or two rooms."
        )


def _check_plan(plan: RatePlan, hotel_id: HotelId, nights: int) -> None:
    if plan.hotel_id != hotel_id:
        raise Rejected(f"{plan.rate_plan_id} belongs to another hotel; list the plans of this one.")
    if nights < plan.min_nights:
        raise Rejected(f"{plan.name} is sold for {plan.min_nights} nights or more.")


def _rooms_left(
    db: Database, room_type_id: RoomTypeId, arrival: date, departure: date, but: str | None
) -> int:
    taken = [
        reservation
        for reservation in db.reservations.where(room_type_id=room_type_id)
        if reservation.reservation_id != but and _covers(reservation, arrival, departure)
    ]
    usable = [
        room
        for room in db.rooms.where(room_type_id=room_type_id)
        if room.condition != "out_of_order"
    ]
    days = [arrival + timedelta(days=n) for n in range((departure - arrival).days)]
    fullest = max(len([r for r in taken if r.arrival <= day < r.departure]) for day in days)
    return max(0, len(usable) - fullest)


def _check_rooms_left(
    db: Database, room_type: RoomType, arrival: date, departure: date, but: str | None
) -> None:
    if _rooms_left(db, room_type.room_type_id, arrival, departure, but) < 1:
        raise Rejected(
            f"No {room_type.name} is free from {arrival} to {departure}; try other dates or a room "
            "type that search_availability offers."
        )


def _room_is_free(
    db: Database, room_id: RoomId, arrival: date, departure: date, but: str | None
) -> bool:
    return not any(
        reservation.reservation_id != but and _covers(reservation, arrival, departure)
        for reservation in db.reservations.where(room_id=room_id)
    )


def _numbered_room(db: Database, hotel_id: HotelId, number: str) -> Room:
    db.hotels.get(hotel_id)
    rooms = db.rooms.where(hotel_id=hotel_id, number=number.strip())
    if not rooms:
        raise Rejected(f'Hotel {hotel_id} has no room "{number[:20]}"; list_rooms shows its rooms.')
    return rooms[0]


def _offer(
    db: Database,
    room_type: RoomType,
    plan: RatePlan,
    arrival: date,
    departure: date,
    adults: int,
    children: int,
) -> StayOffer:
    nights = _nights(room_type, plan, arrival, departure, adults, children)
    tax = db.hotels.get(room_type.hotel_id).city_tax * adults * len(nights)
    return StayOffer(
        room_type_id=room_type.room_type_id,
        room_type=room_type.name,
        rate_plan_id=plan.rate_plan_id,
        rate_plan=plan.name,
        board=plan.board,
        rooms_left=_rooms_left(db, room_type.room_type_id, arrival, departure, None),
        nights=tuple(nights),
        total=_sum(nights),
        city_tax=money(tax),
        deposit=_deposit(plan, _sum(nights)),
        free_until=_free_until(plan, arrival),
    )


def list_hotels(
    db: Database, city: str | None = None, cursor: str | None = None, limit: int = 50
) -> Page[Hotel]:
    """List the hotels of the group, by name.

    Args:
        city: Only hotels in this town.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The cursor or limit is bad.
    """
    hotels = [
        hotel for hotel in db.hotels.all() if city is None or contains(hotel.address.city, city)
    ]
    return page(sorted(hotels, key=lambda hotel: hotel.name), cursor, limit)


def get_hotel(db: Database, hotel_id: HotelId) -> Hotel:
    """Show a hotel: address, phone, stars and city tax.

    Args:
        hotel_id: The hotel's code, such as "LISBON".

    Raises:
        Rejected: The hotel is unknown.
    """
    return db.hotels.get(hotel_id)


def list_room_types(
    db: Database, hotel_id: HotelId, cursor: str | None = None, limit: int = 50
) -> Page[RoomType]:
    """List the room types of a hotel.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The hotel is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    return page(db.room_types.where(hotel_id=hotel_id), cursor, limit)


def list_rate_plans(
    db: Database, hotel_id: HotelId, cursor: str | None = None, limit: int = 50
) -> Page[RatePlan]:
    """List the rate plans a hotel sells, with their terms of cancelling.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The hotel is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    return page(db.rate_plans.where(hotel_id=hotel_id, on_sale=True), cursor, limit)


def search_availability(
    db: Database,
    hotel_id: HotelId,
    arrival: date,
    departure: date,
    adults: int,
    children: int = 0,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[StayOffer]:
    """Search what a hotel can offer a party for some nights, cheapest first.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        arrival: The first night.
        departure: The day of leaving.
        adults: People of twelve and older.
        children: People under twelve.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The hotel is unknown.
        Rejected: The dates are past, too far away, out of order or too long a stay.
        Rejected: The party has no adult or a negative number of children.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    _check_dates(db, arrival, departure)
    if adults < 1 or children < 0:
        raise Rejected("A party has at least one adult, and no fewer than 0 children.")
    offers = [
        _offer(db, room_type, plan, arrival, departure, adults, children)
        for room_type in db.room_types.where(hotel_id=hotel_id)
        if room_type.capacity >= adults + children
        and _rooms_left(db, room_type.room_type_id, arrival, departure, None) > 0
        for plan in db.rate_plans.where(hotel_id=hotel_id, on_sale=True)
        if plan.min_nights <= (departure - arrival).days
    ]
    return page(sorted(offers, key=lambda offer: offer.total), cursor, limit)


def quote_stay(
    db: Database,
    room_type_id: RoomTypeId,
    rate_plan_id: RatePlanId,
    arrival: date,
    departure: date,
    adults: int,
    children: int = 0,
) -> StayOffer:
    """Work out the price and terms of a stay without booking it.

    Args:
        room_type_id: The room type, such as "RTY-00003".
        rate_plan_id: The rate plan, such as "RPL-00002".
        arrival: The first night.
        departure: The day of leaving.
        adults: People of twelve and older.
        children: People under twelve.

    Raises:
        Rejected: The room type or rate plan is unknown, or they belong to different hotels.
        Rejected: The dates are past, too far away, out of order or too long a stay.
        Rejected: The stay is too short for the rate plan.
        Rejected: The party does not fit the room type.
    """
    room_type = db.room_types.get(room_type_id)
    plan = db.rate_plans.get(rate_plan_id)
    _check_dates(db, arrival, departure)
    _check_plan(plan, room_type.hotel_id, (departure - arrival).days)
    _check_party(room_type, adults, children)
    return _offer(db, room_type, plan, arrival, departure, adults, children)


def list_rooms(
    db: Database,
    hotel_id: HotelId,
    condition: RoomCondition | None = None,
    room_type_id: RoomTypeId | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Room]:
    """List the rooms of a hotel, floor by floor.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        condition: Only rooms in this condition.
        room_type_id: Only rooms of this type, such as "RTY-00003".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The hotel is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    rooms = [
        room
        for room in db.rooms.where(hotel_id=hotel_id)
        if (condition is None or room.condition == condition)
        and (room_type_id is None or room.room_type_id == room_type_id)
    ]
    return page(sorted(rooms, key=lambda room: (room.floor, room.room_id)), cursor, limit)


def find_room(db: Database, hotel_id: HotelId, number: str) -> Room:
    """Find a room by the number on its door.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        number: The number on the door, such as "204".

    Raises:
        Rejected: The hotel is unknown or has no such room.
    """
    return _numbered_room(db, hotel_id, number)


def list_free_rooms(
    db: Database,
    room_type_id: RoomTypeId,
    arrival: date,
    departure: date,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Room]:
    """List the rooms of a type that are set aside for nobody in some nights.

    Rooms out of order are left out; dirty ones and ones still occupied today are not.

    Args:
        room_type_id: The room type, such as "RTY-00003".
        arrival: The first night.
        departure: The day of leaving.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The room type is unknown.
        Rejected: The dates are past, too far away, out of order or too long a stay.
        Rejected: The cursor or limit is bad.
    """
    db.room_types.get(room_type_id)
    _check_dates(db, arrival, departure)
    rooms = [
        room
        for room in db.rooms.where(room_type_id=room_type_id)
        if room.condition != "out_of_order"
        and _room_is_free(db, room.room_id, arrival, departure, None)
    ]
    return page(rooms, cursor, limit)


def get_hotel_day(db: Database, hotel_id: HotelId, day: date) -> HotelDay:
    """Sum up one day of a hotel: arrivals, departures, occupancy and room revenue.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        day: The day, which may be past or to come.

    Raises:
        Rejected: The hotel is unknown.
        Rejected: The day is too far away.
    """
    db.hotels.get(hotel_id)
    _near(db, day)
    rooms = db.rooms.where(hotel_id=hotel_id)
    kept = [
        reservation
        for reservation in db.reservations.where(hotel_id=hotel_id)
        if reservation.status not in ("cancelled", "no_show")
    ]
    booked = [rate.amount for r in kept for rate in r.nights if rate.night == day]
    return HotelDay(
        hotel_id=hotel_id,
        day=day,
        rooms=len(rooms),
        out_of_order=len([room for room in rooms if room.condition == "out_of_order"]),
        booked=len(booked),
        arrivals=len([r for r in kept if r.arrival == day]),
        departures=len([r for r in kept if r.departure == day]),
        room_revenue=money(sum(booked, Decimal(0))),
        occupancy=round(100 * len(booked) / max(1, len(rooms)), 1),
    )


def _email(email: str) -> str:
    address = email.strip().lower()
    name, _, host = address.partition("@")
    if not name or "." not in host or " " in address or len(address) > 200:
        raise Rejected(f'"{email[:80]}" is no e-mail address; ask for one like ada@example.com.')
    return address


def _address(address: Address) -> Address:
    return Address(
        street=_text(address.street, "street"),
        city=_text(address.city, "city"),
        postcode=_text(address.postcode, "postcode"),
        country=_text(address.country, "country").upper(),
    )


def find_guest(db: Database, email: str) -> Guest:
    """Find a guest by e-mail address.

    Args:
        email: The address on the guest's account.

    Raises:
        Rejected: No guest has that address.
    """
    guests = db.guests.where(email=email.strip().lower())
    if not guests:
        raise Rejected(f'No guest has the address "{email[:80]}"; try search_guests by name.')
    return guests[0]


def search_guests(
    db: Database, name: str, cursor: str | None = None, limit: int = 50
) -> Page[Guest]:
    """Search guests by part of their name.

    Args:
        name: Part of a first and last name, such as "ann mor".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The name is empty.
        Rejected: The cursor or limit is bad.
    """
    words = _text(name, "name").split()
    guests = [
        guest
        for guest in db.guests.all()
        if all(
            contains(guest.first_name, word) or contains(guest.last_name, word) for word in words
        )
    ]
    return page(guests, cursor, limit)


def get_guest(db: Database, guest_id: GuestId) -> Guest:
    """Show a guest: contact details, tier, points and preferences.

    Args:
        guest_id: The guest, such as "GST-00012".

    Raises:
        Rejected: The guest is unknown.
    """
    return db.guests.get(guest_id)


def register_guest(
    db: Database, first_name: str, last_name: str, email: str, phone: str, address: Address
) -> Guest:
    """Open an account for a new guest.

    Args:
        first_name: First name.
        last_name: Last name.
        email: E-mail address, not used by another guest.
        phone: Telephone number.
        address: Home address.

    Raises:
        Rejected: A name, the phone or a part of the address is empty or too long.
        Rejected: The e-mail address is malformed or already in use.
    """
    first, last = _text(first_name, "first name"), _text(last_name, "last name")
    number, home, mail = _text(phone, "phone"), _address(address), _email(email)
    if db.guests.where(email=mail):
        raise Rejected(f"A guest with the address {mail} exists; find_guest shows the account.")
    return db.guests.add(
        first_name=first,
        last_name=last,
        email=mail,
        phone=number,
        address=home,
        joined_on=db.today(),
        tier="classic",
        nights_stayed=0,
        points=0,
        banned=False,
    )


def update_guest_contact(
    db: Database,
    guest_id: GuestId,
    email: str | None = None,
    phone: str | None = None,
    address: Address | None = None,
) -> Guest:
    """Change how a guest can be reached; what is left out stays.

    Args:
        guest_id: The guest, such as "GST-00012".
        email: The new e-mail address, not used by another guest.
        phone: The new telephone number.
        address: The new home address, complete.

    Raises:
        Rejected: The guest is unknown.
        Rejected: Nothing is to be changed, or a new value is empty or too long.
        Rejected: The e-mail address is malformed or already in use.
    """
    guest = db.guests.get(guest_id)
    if email is None and phone is None and address is None:
        raise Rejected("Nothing to change; give a new email, phone or address.")
    mail = guest.email if email is None else _email(email)
    if any(other.guest_id != guest_id for other in db.guests.where(email=mail)):
        raise Rejected(f"Another guest uses the address {mail}; ask for a different one.")
    return db.guests.update(
        guest_id,
        email=mail,
        phone=guest.phone if phone is None else _text(phone, "phone"),
        address=guest.address if address is None else _address(address),
    )


def set_guest_preferences(db: Database, guest_id: GuestId, preferences: str) -> Guest:
    """Note what a guest likes in a room, in place of what was noted before.

    Args:
        guest_id: The guest, such as "GST-00012".
        preferences: What they like, in their words.

    Raises:
        Rejected: The guest is unknown.
        Rejected: The text is empty or too long.
    """
    db.guests.get(guest_id)
    return db.guests.update(guest_id, preferences=_text(preferences, "preferences"))


def list_points_entries(
    db: Database, guest_id: GuestId, cursor: str | None = None, limit: int = 50
) -> Page[PointsEntry]:
    """List how a guest's points came and went, oldest first.

    Args:
        guest_id: The guest, such as "GST-00012".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The guest is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.guests.get(guest_id)
    return page(db.points_entries.where(guest_id=guest_id), cursor, limit)


def _confirmed(db: Database, reservation_id: ReservationId) -> Reservation:
    reservation = db.reservations.get(reservation_id)
    if reservation.status != "confirmed":
        raise Rejected(
            f"Reservation {reservation_id} is {reservation.status}; this is for confirmed ones, "
            "before check-in."
        )
    return reservation


def _folio(db: Database, reservation_id: ReservationId) -> Folio:
    return db.folios.where(reservation_id=reservation_id)[0]


def _booked_services(db: Database, reservation_id: ReservationId) -> list[ServiceBooking]:
    return db.service_bookings.where(reservation_id=reservation_id, status="booked")


def _check_services_within(
    db: Database, reservation_id: ReservationId, arrival: date, departure: date
) -> None:
    for booking in _booked_services(db, reservation_id):
        if not arrival <= booking.starts_at.date() <= departure:
            raise Rejected(
                f"Service booking {booking.booking_id} on {booking.starts_at.date()} would fall "
                "outside the stay; move or cancel it first."
            )


def _check_not_cheaper(db: Database, reservation: Reservation, total: Money) -> None:
    plan = db.rate_plans.get(reservation.rate_plan_id)
    free_until = _free_until(plan, reservation.arrival)
    if total < reservation.total and (free_until is None or db.today() > free_until):
        raise Rejected(
            f"Reservation {reservation.reservation_id} can no longer be made cheaper: {plan.name} "
            f"has no free changes now. The new price would be {total} instead of "
            f"{reservation.total}."
        )


def _reprice(
    db: Database,
    reservation: Reservation,
    room_type: RoomType,
    plan: RatePlan,
    adults: int,
    children: int,
) -> Reservation:
    first, last = reservation.arrival, reservation.departure
    nights = _nights(room_type, plan, first, last, adults, children)
    total = _sum(nights)
    _check_not_cheaper(db, reservation, total)
    kept = reservation.room_id if room_type.room_type_id == reservation.room_type_id else None
    return db.reservations.update(
        reservation.reservation_id,
        room_type_id=room_type.room_type_id,
        rate_plan_id=plan.rate_plan_id,
        room_id=kept,
        adults=adults,
        children=children,
        nights=nights,
        total=total,
        deposit_due=_deposit(plan, total),
    )


def _cancel_fee(db: Database, reservation: Reservation) -> Money:
    plan = db.rate_plans.get(reservation.rate_plan_id)
    free_until = _free_until(plan, reservation.arrival)
    if free_until is not None and db.today() <= free_until:
        return Decimal("0.00")
    return _late_fee(plan, reservation.total)


def _post(db: Database, folio_id: FolioId, charged: Money, paid: Money) -> Folio:
    """Add to what is charged and paid on a folio."""
    folio = db.folios.get(folio_id)
    charged, paid = money(folio.charged + charged), money(folio.paid + paid)
    return db.folios.update(folio_id, charged=charged, paid=paid, due=money(charged - paid))


def _charge(
    db: Database,
    folio_id: FolioId,
    kind: ChargeKind,
    description: str,
    quantity: int,
    unit_price: Money,
    night: date | None,
    booking_id: str | None,
) -> Charge:
    amount = money(quantity * unit_price)
    _post(db, folio_id, amount, Decimal(0))
    return db.charges.add(
        folio_id=folio_id,
        kind=kind,
        description=description,
        quantity=quantity,
        unit_price=money(unit_price),
        amount=amount,
        posted_at=db.now(),
        night=night,
        booking_id=booking_id,
        voided=False,
    )


def _add_points(
    db: Database,
    guest_id: GuestId,
    reservation_id: ReservationId | None,
    change: int,
    reason: PointsReason,
) -> None:
    guest = db.guests.get(guest_id)
    db.guests.update(guest_id, points=guest.points + change)
    db.points_entries.add(
        guest_id=guest_id,
        reservation_id=reservation_id,
        change=change,
        reason=reason,
        made_at=db.now(),
    )


def _refund(db: Database, payment: Payment, amount: Money, reason: RefundReason) -> Refund:
    folio = db.folios.get(payment.folio_id)
    if payment.voucher_id is not None:
        voucher = db.vouchers.get(payment.voucher_id)
        db.vouchers.update(
            payment.voucher_id, balance=money(voucher.balance + amount), status="active"
        )
    if payment.method == "points":
        reservation = db.reservations.get(folio.reservation_id)
        points = int(amount * POINTS_A_EURO)
        _add_points(db, reservation.guest_id, reservation.reservation_id, points, "returned")
    _post(db, folio.folio_id, Decimal(0), -amount)
    db.payments.update(payment.payment_id, refunded=money(payment.refunded + amount))
    return db.refunds.add(
        payment_id=payment.payment_id, amount=money(amount), reason=reason, made_at=db.now()
    )


def _give_back(db: Database, folio_id: FolioId, amount: Money, reason: RefundReason) -> None:
    left = amount
    for payment in reversed(db.payments.where(folio_id=folio_id)):
        part = min(left, payment.amount - payment.refunded)
        if part > 0:
            _refund(db, payment, part, reason)
            left = left - part


def _call_off(db: Database, reservation: Reservation, kind: ChargeKind, fee: Money) -> None:
    for booking in _booked_services(db, reservation.reservation_id):
        db.service_bookings.update(booking.booking_id, status="cancelled")
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


def get_reservation(db: Database, reservation_id: ReservationId) -> Reservation:
    """Show a reservation by its confirmation number.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".

    Raises:
        Rejected: The reservation is unknown.
    """
    return db.reservations.get(reservation_id)


def find_reservations(
    db: Database, last_name: str, arrival: date, cursor: str | None = None, limit: int = 50
) -> Page[Reservation]:
    """Find reservations by the guest's last name and the day of arrival.

    Args:
        last_name: The guest's last name, in full.
        arrival: The first night.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The name is empty.
        Rejected: The cursor or limit is bad.
    """
    name = _text(last_name, "last name").lower()
    found = [
        reservation
        for reservation in db.reservations.where(arrival=arrival)
        if db.guests.get(reservation.guest_id).last_name.lower() == name
    ]
    return page(found, cursor, limit)


def list_guest_reservations(
    db: Database,
    guest_id: GuestId,
    status: ReservationStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Reservation]:
    """List a guest's reservations by arrival, earliest first.

    Args:
        guest_id: The guest, such as "GST-00012".
        status: Only reservations in this status.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

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
    return page(sorted(found, key=lambda reservation: reservation.arrival), cursor, limit)


def list_arrivals(
    db: Database, hotel_id: HotelId, day: date, cursor: str | None = None, limit: int = 50
) -> Page[Reservation]:
    """List the confirmed reservations whose guests are still to arrive on a day.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        day: The day of arrival.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The hotel is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    found = db.reservations.where(hotel_id=hotel_id, arrival=day, status="confirmed")
    return page(found, cursor, limit)


def list_departures(
    db: Database, hotel_id: HotelId, day: date, cursor: str | None = None, limit: int = 50
) -> Page[Reservation]:
    """List the reservations in the house that leave on a day.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        day: The day of leaving.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The hotel is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    found = db.reservations.where(hotel_id=hotel_id, departure=day, status="checked_in")
    return page(found, cursor, limit)


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
        children: People under twelve.
        channel: How the booking came in.
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
    if guest.banned:
        raise Rejected(f"Guest {guest_id} is banned from the group's hotels; do not book for them.")
    _check_dates(db, arrival, departure)
    _check_plan(plan, room_type.hotel_id, (departure - arrival).days)
    if not plan.on_sale:
        raise Rejected(f"{plan.name} is off sale; list_rate_plans shows the plans on sale.")
    _check_party(room_type, adults, children)
    _check_rooms_left(db, room_type, arrival, departure, None)
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
    db.folios.add(
        reservation_id=reservation.reservation_id,
        hotel_id=room_type.hotel_id,
        status="open",
        opened_at=db.now(),
        charged=Decimal("0.00"),
        paid=Decimal("0.00"),
        due=Decimal("0.00"),
    )
    return reservation


def change_reservation_dates(
    db: Database, reservation_id: ReservationId, arrival: date, departure: date
) -> Reservation:
    """Move a confirmed reservation to other dates, at their prices.

    A room set aside is kept if it is free on the new dates, else given up.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".
        arrival: The new first night.
        departure: The new day of leaving.

    Raises:
        Rejected: The reservation is unknown or not confirmed.
        Rejected: The rate plan allows no changes, or the last day for them is past.
        Rejected: The dates are the same, past, too far away, out of order or too long a stay.
        Rejected: The stay would be too short for the rate plan.
        Rejected: A booked service would fall outside the stay.
        Rejected: No room of the type is free.
    """
    reservation = _confirmed(db, reservation_id)
    room_type = db.room_types.get(reservation.room_type_id)
    plan = db.rate_plans.get(reservation.rate_plan_id)
    if (arrival, departure) == (reservation.arrival, reservation.departure):
        raise Rejected(f"Reservation {reservation_id} has these dates already; nothing to change.")
    free_until = _free_until(plan, reservation.arrival)
    if free_until is None or db.today() > free_until:
        raise Rejected(
            f"{plan.name} allows no change of dates now; the guest can cancel and book anew."
        )
    _check_dates(db, arrival, departure)
    _check_plan(plan, reservation.hotel_id, (departure - arrival).days)
    _check_services_within(db, reservation_id, arrival, departure)
    _check_rooms_left(db, room_type, arrival, departure, reservation_id)
    adults, children = reservation.adults, reservation.children
    nights = _nights(room_type, plan, arrival, departure, adults, children)
    room_id = reservation.room_id
    if room_id is not None and not _room_is_free(db, room_id, arrival, departure, reservation_id):
        room_id = None
    return db.reservations.update(
        reservation_id,
        arrival=arrival,
        departure=departure,
        room_id=room_id,
        nights=nights,
        total=_sum(nights),
        deposit_due=_deposit(plan, _sum(nights)),
    )


def change_room_type(
    db: Database, reservation_id: ReservationId, room_type_id: RoomTypeId
) -> Reservation:
    """Rebook a confirmed reservation into another room type, at its price.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".
        room_type_id: The new room type, such as "RTY-00003".

    Raises:
        Rejected: The reservation or room type is unknown, or the reservation is not confirmed.
        Rejected: The room type is the same or of another hotel.
        Rejected: The party does not fit, or no room of the type is free.
        Rejected: It would become cheaper after the last day of free changes.
    """
    reservation = _confirmed(db, reservation_id)
    room_type = db.room_types.get(room_type_id)
    if room_type.hotel_id != reservation.hotel_id:
        raise Rejected(f"{room_type_id} is a room type of another hotel; choose one of this hotel.")
    if room_type_id == reservation.room_type_id:
        raise Rejected(f"Reservation {reservation_id} is for that room type already.")
    _check_party(room_type, reservation.adults, reservation.children)
    _check_rooms_left(db, room_type, reservation.arrival, reservation.departure, reservation_id)
    plan = db.rate_plans.get(reservation.rate_plan_id)
    adults, children = reservation.adults, reservation.children
    return _reprice(db, reservation, room_type, plan, adults, children)


def change_rate_plan(
    db: Database, reservation_id: ReservationId, rate_plan_id: RatePlanId
) -> Reservation:
    """Put a confirmed reservation on another rate plan, for instance to add meals.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".
        rate_plan_id: The new rate plan, such as "RPL-00002".

    Raises:
        Rejected: The reservation or rate plan is unknown, or the reservation is not confirmed.
        Rejected: The plan is the same, off sale, of another hotel or for longer stays.
        Rejected: It would become cheaper after the last day of free changes.
    """
    reservation = _confirmed(db, reservation_id)
    plan = db.rate_plans.get(rate_plan_id)
    if rate_plan_id == reservation.rate_plan_id or not plan.on_sale:
        raise Rejected(f"{plan.name} is off sale or the plan booked; choose another one on sale.")
    _check_plan(plan, reservation.hotel_id, len(reservation.nights))
    room_type = db.room_types.get(reservation.room_type_id)
    adults, children = reservation.adults, reservation.children
    return _reprice(db, reservation, room_type, plan, adults, children)


def change_party(
    db: Database, reservation_id: ReservationId, adults: int, children: int
) -> Reservation:
    """Change how many people a confirmed reservation is for; meals are priced anew.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".
        adults: People of twelve and older, the guest included.
        children: People under twelve.

    Raises:
        Rejected: The reservation is unknown or not confirmed.
        Rejected: The party is the same or does not fit the room type.
        Rejected: More companions are named than would come.
        Rejected: A service is booked for more people than would come.
        Rejected: It would become cheaper after the last day of free changes.
    """
    reservation = _confirmed(db, reservation_id)
    room_type = db.room_types.get(reservation.room_type_id)
    if (adults, children) == (reservation.adults, reservation.children):
        raise Rejected(f"Reservation {reservation_id} is for that party already.")
    _check_party(room_type, adults, children)
    if len(reservation.companions) >= adults + children:
        raise Rejected("More companions are named than would come; name them anew first.")
    for booking in _booked_services(db, reservation_id):
        if booking.persons > adults + children:
            raise Rejected(
                f"Service booking {booking.booking_id} is for {booking.persons} people; cancel it "
                "first."
            )
    plan = db.rate_plans.get(reservation.rate_plan_id)
    return _reprice(db, reservation, room_type, plan, adults, children)


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
        Rejected: A name is empty or too long.
    """
    reservation = db.reservations.get(reservation_id)
    if reservation.status not in ACTIVE:
        raise Rejected(f"Reservation {reservation_id} is {reservation.status}; it is over.")
    children = len([companion for companion in companions if companion.child])
    if children > reservation.children or len(companions) - children >= reservation.adults:
        raise Rejected(
            f"Reservation {reservation_id} is for {reservation.adults} adults, the guest included, "
            f"and {reservation.children} children; change the party first."
        )
    named = [
        Companion(name=_text(companion.name, "companion's name"), child=companion.child)
        for companion in companions
    ]
    return db.reservations.update(reservation_id, companions=named)


def set_special_wishes(db: Database, reservation_id: ReservationId, wishes: str) -> Reservation:
    """Note special wishes for a stay, in place of those noted before.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".
        wishes: The wishes, in the guest's words.

    Raises:
        Rejected: The reservation is unknown, or neither confirmed nor in the house.
        Rejected: The wishes are empty or too long.
    """
    reservation = db.reservations.get(reservation_id)
    if reservation.status not in ACTIVE:
        raise Rejected(f"Reservation {reservation_id} is {reservation.status}; it is over.")
    return db.reservations.update(reservation_id, wishes=_text(wishes, "wishes"))


def quote_cancellation(db: Database, reservation_id: ReservationId) -> CancellationQuote:
    """Work out what cancelling a reservation today would cost, without doing it.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".

    Raises:
        Rejected: The reservation is unknown or not confirmed.
    """
    reservation = _confirmed(db, reservation_id)
    folio = _folio(db, reservation_id)
    fee = _cancel_fee(db, reservation)
    owed = folio.charged + fee
    plan = db.rate_plans.get(reservation.rate_plan_id)
    return CancellationQuote(
        reservation_id=reservation_id,
        free_until=_free_until(plan, reservation.arrival),
        fee=fee,
        paid=folio.paid,
        refund=money(max(Decimal(0), folio.paid - owed)),
        still_due=money(max(Decimal(0), owed - folio.paid)),
    )


def cancel_reservation(
    db: Database, reservation_id: ReservationId, reason: CancelReason
) -> Reservation:
    """Cancel a confirmed reservation under the terms of its rate plan.

    The fee goes on the folio, anything paid above it goes back the way it came, and booked
    services and open requests are called off.

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

    Args:
        reservation_id: The confirmation number, such as "RES-00042".

    Raises:
        Rejected: The reservation is unknown or not confirmed.
        Rejected: The day of arrival is not over yet.
    """
    reservation = _confirmed(db, reservation_id)
    if reservation.arrival >= db.today():
        raise Rejected(f"The guest may still come: arrival is {reservation.arrival}.")
    plan = db.rate_plans.get(reservation.rate_plan_id)
    fee = _late_fee(plan, reservation.total)
    missed = db.reservations.update(reservation_id, status="no_show", room_id=None)
    _call_off(db, reservation, "no_show_fee", fee)
    return missed


def assign_room(db: Database, reservation_id: ReservationId, room_id: RoomId) -> Reservation:
    """Set a room aside for a confirmed reservation, in place of any before.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".
        room_id: The room, such as "ROM-00017".

    Raises:
        Rejected: The reservation or room is unknown, or the reservation is not confirmed.
        Rejected: The room is of another type than booked, or out of order.
        Rejected: The room is set aside for somebody else on those nights.
    """
    reservation = _confirmed(db, reservation_id)
    room = db.rooms.get(room_id)
    if room.room_type_id != reservation.room_type_id:
        raise Rejected(f"Room {room.number} is not of the type booked; change the room type first.")
    if room.condition == "out_of_order":
        raise Rejected(f"Room {room.number} is out of order; list_free_rooms shows usable ones.")
    if not _room_is_free(db, room_id, reservation.arrival, reservation.departure, reservation_id):
        raise Rejected(
            f"Room {room.number} is taken on those nights; list_free_rooms shows others."
        )
    return db.reservations.update(reservation_id, room_id=room_id)


def release_room(db: Database, reservation_id: ReservationId) -> Reservation:
    """Give up the room set aside for a confirmed reservation; the booking stands.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".

    Raises:
        Rejected: The reservation is unknown or not confirmed.
        Rejected: No room is set aside for it.
    """
    reservation = _confirmed(db, reservation_id)
    if reservation.room_id is None:
        raise Rejected(
            f"No room is set aside for reservation {reservation_id}; nothing to release."
        )
    return db.reservations.update(reservation_id, room_id=None)


def _in_house(db: Database, stay_id: StayId) -> Stay:
    stay = db.stays.get(stay_id)
    if stay.status != "in_house":
        raise Rejected(f"The guest of stay {stay_id} has left; this is for guests in the house.")
    return stay


def _check_ready(db: Database, room: Room) -> None:
    if db.stays.where(room_id=room.room_id, status="in_house"):
        raise Rejected(f"Room {room.number} is still occupied; choose another room.")
    if room.condition != "clean":
        raise Rejected(
            f"Room {room.number} is {room.condition}; have it made ready or choose a clean room."
        )


def _charge_nights(
    db: Database, reservation: Reservation, room: Room, nights: list[NightRate]
) -> None:
    folio_id = _folio(db, reservation.reservation_id).folio_id
    tax = db.hotels.get(reservation.hotel_id).city_tax
    for rate in nights:
        line = f"Room {room.number}, night of {rate.night}"
        _charge(db, folio_id, "room_night", line, 1, rate.amount, rate.night, None)
        line = f"City tax, night of {rate.night}"
        _charge(db, folio_id, "city_tax", line, reservation.adults, tax, rate.night, None)


def _void(db: Database, charge: Charge, reason: str) -> Charge:
    _post(db, charge.folio_id, -charge.amount, Decimal(0))
    return db.charges.update(charge.charge_id, voided=True, void_reason=reason)


def _order_cleaning(db: Database, room: Room, kind: CleaningKind, priority: Priority) -> None:
    db.housekeeping_tasks.add(
        hotel_id=room.hotel_id,
        room_id=room.room_id,
        kind=kind,
        status="open",
        priority=priority,
        due_on=db.today(),
    )


def _tier(nights: int) -> LoyaltyTier:
    if nights >= 50:
        return "platinum"
    if nights >= 25:
        return "gold"
    return "silver" if nights >= 10 else "classic"


def _credit_stay(db: Database, reservation: Reservation, folio_id: FolioId) -> None:
    guest = db.guests.get(reservation.guest_id)
    last = min(db.today(), reservation.departure)
    nights = guest.nights_stayed + max(0, (last - reservation.arrival).days)
    spent = sum(
        (
            charge.amount
            for charge in db.charges.where(folio_id=folio_id)
            if charge.kind == "room_night" and not charge.voided
        ),
        Decimal(0),
    )
    points = int(spent * POINTS_EARNED[guest.tier])
    db.guests.update(guest.guest_id, nights_stayed=nights, tier=_tier(nights))
    if points > 0:
        _add_points(db, guest.guest_id, reservation.reservation_id, points, "stay")


def check_in(
    db: Database, reservation_id: ReservationId, room_id: RoomId | None = None, key_cards: int = 1
) -> Stay:
    """Check a guest in on the day of arrival; nights and city tax go on the folio.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".
        room_id: The room, such as "ROM-00017"; the one set aside unless given.
        key_cards: Key cards to hand out, 1 to 6.

    Raises:
        Rejected: The reservation or room is unknown, or the reservation is not confirmed.
        Rejected: Today is not the day of arrival.
        Rejected: The guest is banned.
        Rejected: The deposit is not paid.
        Rejected: No room is set aside and none is given.
        Rejected: The room is of another type, occupied, not clean, or set aside for others.
        Rejected: The number of key cards is not 1 to 6.
    """
    reservation = _confirmed(db, reservation_id)
    if reservation.arrival != db.today():
        raise Rejected(f"Arrival is {reservation.arrival} but today is {db.today()}.")
    if db.guests.get(reservation.guest_id).banned:
        raise Rejected("The guest is banned from the group's hotels; call the duty manager.")
    if not 1 <= key_cards <= MOST_KEY_CARDS:
        raise Rejected(f"Hand out 1 to {MOST_KEY_CARDS} key cards.")
    missing = reservation.deposit_due - _folio(db, reservation_id).paid
    if missing > 0:
        raise Rejected(f"{missing} EUR of the deposit is not paid; take the payment first.")
    chosen = reservation.room_id if room_id is None else room_id
    if chosen is None:
        raise Rejected("No room is set aside; list_free_rooms shows rooms of the type booked.")
    room = db.rooms.get(chosen)
    if room.room_type_id != reservation.room_type_id:
        raise Rejected(f"Room {room.number} is not of the type booked; change the room type first.")
    _check_ready(db, room)
    if not _room_is_free(db, chosen, reservation.arrival, reservation.departure, reservation_id):
        raise Rejected(f"Room {room.number} is set aside for somebody else; choose another room.")
    db.reservations.update(reservation_id, status="checked_in", room_id=chosen)
    _charge_nights(db, reservation, room, list(reservation.nights))
    return db.stays.add(
        reservation_id=reservation_id,
        hotel_id=reservation.hotel_id,
        room_id=chosen,
        status="in_house",
        checked_in_at=db.now(),
        late_checkout_hours=0,
        key_cards=key_cards,
    )


def get_stay(db: Database, reservation_id: ReservationId) -> Stay:
    """Show the stay of a reservation whose guest has checked in.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".

    Raises:
        Rejected: The reservation is unknown, or its guest has not checked in.
    """
    reservation = db.reservations.get(reservation_id)
    stays = db.stays.where(reservation_id=reservation_id)
    if not stays:
        raise Rejected(f"Reservation {reservation_id} is {reservation.status}; it has no stay.")
    return stays[0]


def find_stay_in_room(db: Database, hotel_id: HotelId, number: str) -> Stay:
    """Find who is in a room now.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        number: The number on the door, such as "204".

    Raises:
        Rejected: The hotel is unknown or has no such room.
        Rejected: Nobody is in the room.
    """
    room = _numbered_room(db, hotel_id, number)
    stays = db.stays.where(room_id=room.room_id, status="in_house")
    if not stays:
        raise Rejected(f"Nobody is in room {room.number} of {hotel_id} now; check the number.")
    return stays[0]


def list_in_house(
    db: Database, hotel_id: HotelId, cursor: str | None = None, limit: int = 50
) -> Page[Stay]:
    """List the stays of the guests who are in a hotel now.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The hotel is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    return page(db.stays.where(hotel_id=hotel_id, status="in_house"), cursor, limit)


def move_room(db: Database, stay_id: StayId, room_id: RoomId) -> Stay:
    """Move a guest in the house to another room of the same or a better type, at no charge.

    The room left behind is sent to housekeeping.

    Args:
        stay_id: The stay, such as "STY-00021".
        room_id: The new room, such as "ROM-00017".

    Raises:
        Rejected: The stay or room is unknown, or the guest has left or leaves today.
        Rejected: The room is the same, of another hotel, of a cheaper type or too small.
        Rejected: The room is occupied, not clean, or set aside for others.
        Rejected: The better type is sold out.
    """
    stay = _in_house(db, stay_id)
    reservation = db.reservations.get(stay.reservation_id)
    room, old = db.rooms.get(room_id), db.rooms.get(stay.room_id)
    if room_id == stay.room_id or room.hotel_id != stay.hotel_id:
        raise Rejected("Choose another room of the same hotel.")
    if reservation.departure <= db.today():
        raise Rejected("The guest leaves today; there is no night left to move for.")
    booked, new = db.room_types.get(old.room_type_id), db.room_types.get(room.room_type_id)
    if new.base_rate < booked.base_rate:
        raise Rejected(f"{new.name} is a cheaper type than {booked.name}; choose as good a room.")
    _check_party(new, reservation.adults, reservation.children)
    _check_ready(db, room)
    if not _room_is_free(db, room_id, reservation.arrival, reservation.departure, None):
        raise Rejected(f"Room {room.number} is set aside for somebody else; choose another room.")
    if new.room_type_id != booked.room_type_id:
        _check_rooms_left(db, new, reservation.arrival, reservation.departure, None)
    db.reservations.update(
        reservation.reservation_id, room_id=room_id, room_type_id=new.room_type_id
    )
    db.rooms.update(old.room_id, condition="dirty")
    _order_cleaning(db, old, "departure_clean", "high")
    return db.stays.update(stay_id, room_id=room_id)


def extend_stay(db: Database, stay_id: StayId, departure: date) -> Reservation:
    """Let a guest in the house stay longer in the same room; the nights go on the folio.

    Args:
        stay_id: The stay, such as "STY-00021".
        departure: The new day of leaving.

    Raises:
        Rejected: The stay is unknown, or the guest has left.
        Rejected: The new day is not after the old one, or makes the stay too long.
        Rejected: The room is set aside for others, or its type is sold out.
    """
    stay = _in_house(db, stay_id)
    reservation = db.reservations.get(stay.reservation_id)
    if departure <= reservation.departure:
        raise Rejected(f"The guest stays until {reservation.departure} already; give a later day.")
    if (departure - reservation.arrival).days > MOST_NIGHTS:
        raise Rejected(f"A stay has at most {MOST_NIGHTS} nights; a new reservation is needed.")
    if not _room_is_free(
        db, stay.room_id, reservation.departure, departure, reservation.reservation_id
    ):
        raise Rejected("The room is set aside for somebody else on those nights; move room first.")
    room_type = db.room_types.get(reservation.room_type_id)
    _check_rooms_left(db, room_type, reservation.departure, departure, reservation.reservation_id)
    plan = db.rate_plans.get(reservation.rate_plan_id)
    adults, children = reservation.adults, reservation.children
    more = _nights(room_type, plan, reservation.departure, departure, adults, children)
    _charge_nights(db, reservation, db.rooms.get(stay.room_id), more)
    nights = [*reservation.nights, *more]
    return db.reservations.update(
        reservation.reservation_id, departure=departure, nights=nights, total=_sum(nights)
    )


def shorten_stay(db: Database, stay_id: StayId, departure: date) -> Reservation:
    """Let a guest in the house leave earlier; the nights not slept are taken off the folio.

    Args:
        stay_id: The stay, such as "STY-00021".
        departure: The new day of leaving, today at the earliest.

    Raises:
        Rejected: The stay is unknown, or the guest has left.
        Rejected: The new day is past, not before the old one, or leaves no night.
        Rejected: The rate plan gives nothing back.
        Rejected: A booked service would fall outside the stay.
        Rejected: A discount on the folio is larger than what would remain.
    """
    stay = _in_house(db, stay_id)
    reservation = db.reservations.get(stay.reservation_id)
    if not max(db.today(), reservation.arrival + timedelta(days=1)) <= departure:
        raise Rejected("The new day of leaving is today or later, after one night at least.")
    if departure >= reservation.departure:
        raise Rejected(f"The guest leaves on {reservation.departure} already; give an earlier day.")
    plan = db.rate_plans.get(reservation.rate_plan_id)
    if plan.free_cancel_days is None:
        raise Rejected(f"{plan.name} gives nothing back; the guest may leave but pays all nights.")
    _check_services_within(db, reservation.reservation_id, reservation.arrival, departure)
    folio = _folio(db, reservation.reservation_id)
    unslept = [
        charge
        for charge in db.charges.where(folio_id=folio.folio_id)
        if charge.night is not None and charge.night >= departure and not charge.voided
    ]
    if sum((charge.amount for charge in unslept), Decimal(0)) > folio.charged:
        raise Rejected("A discount is larger than what would remain; void the discount first.")
    for charge in unslept:
        _void(db, charge, "The guest leaves earlier.")
    nights = [rate for rate in reservation.nights if rate.night < departure]
    return db.reservations.update(
        reservation.reservation_id, departure=departure, nights=nights, total=_sum(nights)
    )


def grant_late_checkout(db: Database, stay_id: StayId, hours: int) -> Stay:
    """Let a guest keep the room past noon on the day of leaving.

    An hour costs 20 EUR; gold and platinum guests pay nothing.

    Args:
        stay_id: The stay, such as "STY-00021".
        hours: Hours past noon, 1 to 6.

    Raises:
        Rejected: The stay is unknown, or the guest has left.
        Rejected: The hours are not 1 to 6, or some were granted already.
        Rejected: The room is set aside for somebody who arrives that day.
    """
    stay = _in_house(db, stay_id)
    if not 1 <= hours <= MOST_LATE_HOURS:
        raise Rejected(f"A late check-out is 1 to {MOST_LATE_HOURS} hours, not {hours}.")
    if stay.late_checkout_hours > 0:
        raise Rejected(f"{stay.late_checkout_hours} hours were granted already.")
    reservation = db.reservations.get(stay.reservation_id)
    day = reservation.departure
    if db.reservations.where(room_id=stay.room_id, arrival=day, status="confirmed"):
        raise Rejected("The room is set aside for an arrival that day; offer to keep the luggage.")
    if db.guests.get(reservation.guest_id).tier not in ("gold", "platinum"):
        folio_id = _folio(db, stay.reservation_id).folio_id
        line = f"Late check-out on {day}"
        _charge(db, folio_id, "late_checkout", line, hours, LATE_HOUR_PRICE, None, None)
    return db.stays.update(stay_id, late_checkout_hours=hours)


def issue_key_card(db: Database, stay_id: StayId) -> Stay:
    """Hand out one more key card to a guest in the house.

    Args:
        stay_id: The stay, such as "STY-00021".

    Raises:
        Rejected: The stay is unknown, or the guest has left.
        Rejected: Six key cards are out already.
    """
    stay = _in_house(db, stay_id)
    if stay.key_cards >= MOST_KEY_CARDS:
        raise Rejected(f"{MOST_KEY_CARDS} key cards are out already; have some brought back.")
    return db.stays.update(stay_id, key_cards=stay.key_cards + 1)


def check_out(db: Database, stay_id: StayId) -> Stay:
    """Check a guest out with a settled folio.

    The folio is closed, nights and points are credited to the guest, requests still open are
    dropped, and the room goes to housekeeping. Nights not slept stay charged.

    Args:
        stay_id: The stay, such as "STY-00021".

    Raises:
        Rejected: The stay is unknown, or the guest has left.
        Rejected: The folio is not settled: something is due, or too much was paid.
        Rejected: A booked service is neither completed nor cancelled.
    """
    stay = _in_house(db, stay_id)
    reservation = db.reservations.get(stay.reservation_id)
    folio = _folio(db, stay.reservation_id)
    if folio.due > 0:
        raise Rejected(f"{folio.due} EUR is due; take the payment first.")
    if folio.due < 0:
        raise Rejected(f"{-folio.due} EUR was paid too much; refund it first.")
    for booking in _booked_services(db, stay.reservation_id):
        raise Rejected(
            f"Service booking {booking.booking_id} is open; complete or cancel it first."
        )
    for request in db.guest_requests.where(reservation_id=stay.reservation_id):
        if request.status in ("open", "in_progress"):
            db.guest_requests.update(request.request_id, status="cancelled", employee_id=None)
    db.reservations.update(stay.reservation_id, status="checked_out")
    db.folios.update(folio.folio_id, status="closed", closed_at=db.now())
    _credit_stay(db, reservation, folio.folio_id)
    room = db.rooms.update(stay.room_id, condition="dirty")
    _order_cleaning(db, room, "departure_clean", "normal")
    return db.stays.update(stay_id, status="departed", checked_out_at=db.now())


def _open_folio(db: Database, folio_id: FolioId) -> Folio:
    folio = db.folios.get(folio_id)
    if folio.status != "open":
        raise Rejected(f"Folio {folio_id} is closed; reopen it first if it has to be corrected.")
    return folio


def _chargeable(db: Database, folio_id: FolioId) -> Folio:
    folio = _open_folio(db, folio_id)
    if db.reservations.get(folio.reservation_id).status not in ("checked_in", "checked_out"):
        raise Rejected(f"The guest of folio {folio_id} has not checked in; nothing to charge yet.")
    return folio


def _payable(db: Database, folio: Folio, amount: Money) -> None:
    reservation = db.reservations.get(folio.reservation_id)
    owed = folio.charged
    if reservation.status == "confirmed":
        owed = owed + reservation.total
    due = max(Decimal(0), owed - folio.paid)
    if amount > due:
        raise Rejected(f"At most {due} EUR can be paid on folio {folio.folio_id}, not {amount}.")


def _take(
    db: Database,
    folio: Folio,
    method: PaymentMethod,
    amount: Money,
    card_last4: str | None,
    voucher_id: str | None,
) -> Payment:
    _post(db, folio.folio_id, Decimal(0), amount)
    return db.payments.add(
        folio_id=folio.folio_id,
        method=method,
        amount=money(amount),
        refunded=Decimal("0.00"),
        paid_at=db.now(),
        card_last4=card_last4,
        voucher_id=voucher_id,
    )


def get_folio(db: Database, reservation_id: ReservationId) -> Folio:
    """Show the folio of a reservation: what was charged, what was paid and what is due.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".

    Raises:
        Rejected: The reservation is unknown.
    """
    db.reservations.get(reservation_id)
    return _folio(db, reservation_id)


def list_charges(
    db: Database, folio_id: FolioId, cursor: str | None = None, limit: int = 50
) -> Page[Charge]:
    """List the charges of a folio in the order they were posted, voided ones too.

    Args:
        folio_id: The folio, such as "FOL-00042".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The folio is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.folios.get(folio_id)
    return page(db.charges.where(folio_id=folio_id), cursor, limit)


def list_payments(
    db: Database, folio_id: FolioId, cursor: str | None = None, limit: int = 50
) -> Page[Payment]:
    """List the payments of a folio, oldest first, with what went back of each.

    Args:
        folio_id: The folio, such as "FOL-00042".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The folio is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.folios.get(folio_id)
    return page(db.payments.where(folio_id=folio_id), cursor, limit)


def list_refunds(
    db: Database, folio_id: FolioId, cursor: str | None = None, limit: int = 50
) -> Page[Refund]:
    """List the refunds of a folio, payment by payment.

    Args:
        folio_id: The folio, such as "FOL-00042".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The folio is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.folios.get(folio_id)
    refunds = [
        refund
        for payment in db.payments.where(folio_id=folio_id)
        for refund in db.refunds.where(payment_id=payment.payment_id)
    ]
    return page(refunds, cursor, limit)


def post_charge(
    db: Database,
    folio_id: FolioId,
    kind: ExtraKind,
    description: str,
    unit_price: Money,
    quantity: int = 1,
) -> Charge:
    """Charge a guest for something consumed or broken.

    Args:
        folio_id: The folio, such as "FOL-00042".
        kind: What it is for.
        description: The line as it will be printed.
        unit_price: The price of one, in EUR.
        quantity: How many, 1 to 100.

    Raises:
        Rejected: The folio is unknown or closed, or its guest has not checked in.
        Rejected: The description is empty or too long.
        Rejected: The quantity is not 1 to 100, or the price not above zero or too large.
    """
    folio = _chargeable(db, folio_id)
    if not 1 <= quantity <= 100:
        raise Rejected(f"A quantity is 1 to 100, not {quantity}.")
    line, price = _text(description, "description"), _amount(unit_price, "unit price")
    return _charge(db, folio.folio_id, kind, line, quantity, price, None, None)


def give_discount(db: Database, folio_id: FolioId, amount: Money, reason: str) -> Charge:
    """Take an amount off a guest's folio, as a line of its own.

    Args:
        folio_id: The folio, such as "FOL-00042".
        amount: How much to take off, in EUR.
        reason: Why, as it will be printed.

    Raises:
        Rejected: The folio is unknown or closed, or its guest has not checked in.
        Rejected: The amount is not above zero, or more than what is charged.
        Rejected: The reason is empty or too long.
    """
    folio = _chargeable(db, folio_id)
    line, off = _text(reason, "reason"), _amount(amount, "amount")
    if off > folio.charged:
        raise Rejected(f"Only {folio.charged} EUR is charged; give no larger discount.")
    return _charge(db, folio.folio_id, "discount", line, 1, -off, None, None)


def void_charge(db: Database, charge_id: ChargeId, reason: str) -> Charge:
    """Take back a charge that was wrong, or waive a fee.

    Args:
        charge_id: The charge, such as "CHG-00310".
        reason: Why it is taken back.

    Raises:
        Rejected: The charge is unknown or voided already, or its folio is closed.
        Rejected: It is a room night or city tax.
        Rejected: The reason is empty or too long.
        Rejected: A discount on the folio is larger than what would remain.
    """
    charge = db.charges.get(charge_id)
    folio = _open_folio(db, charge.folio_id)
    why = _text(reason, "reason")
    if charge.voided:
        raise Rejected(f"Charge {charge_id} is voided already.")
    if charge.night is not None:
        raise Rejected("Nights and city tax cannot be voided; shorten the stay or give a discount.")
    if charge.amount > folio.charged:
        raise Rejected("A discount is larger than what would remain; void the discount first.")
    return _void(db, charge, why)


def transfer_charge(db: Database, charge_id: ChargeId, folio_id: FolioId) -> Charge:
    """Move a charge to the folio of another guest in the same hotel.

    Args:
        charge_id: The charge, such as "CHG-00310".
        folio_id: The folio that takes it over, such as "FOL-00042".

    Raises:
        Rejected: The charge or folio is unknown, or one of the folios is closed.
        Rejected: The guest of the other folio has not checked in.
        Rejected: The folios are the same or of different hotels.
        Rejected: The charge is voided, a night, city tax, a fee or a discount.
        Rejected: A discount on the folio is larger than what would remain.
    """
    charge = db.charges.get(charge_id)
    folio, target = _open_folio(db, charge.folio_id), _chargeable(db, folio_id)
    if folio.folio_id == folio_id or folio.hotel_id != target.hotel_id:
        raise Rejected("A charge moves to another folio of the same hotel; choose such a folio.")
    fixed = ("cancellation_fee", "no_show_fee", "discount", "late_checkout")
    if charge.voided or charge.night is not None or charge.kind in fixed:
        raise Rejected(f"Charge {charge_id} cannot be moved; only extras that stand can.")
    if charge.amount > folio.charged:
        raise Rejected("A discount is larger than what would remain; void the discount first.")
    _post(db, folio.folio_id, -charge.amount, Decimal(0))
    _post(db, target.folio_id, charge.amount, Decimal(0))
    return db.charges.update(charge_id, folio_id=folio_id)


def take_payment(
    db: Database,
    folio_id: FolioId,
    method: TillMethod,
    amount: Money,
    card_last4: str | None = None,
) -> Payment:
    """Take money for a folio: a deposit before arrival, or what is due.

    Before check-in up to the price of the stay can be paid.

    Args:
        folio_id: The folio, such as "FOL-00042".
        method: How it is paid.
        amount: How much, in EUR.
        card_last4: The last four digits of the card, for a card only.

    Raises:
        Rejected: The folio is unknown or closed.
        Rejected: The amount is not above zero, or more than can be paid.
        Rejected: The card's digits are missing, malformed, or given without a card.
    """
    folio = _open_folio(db, folio_id)
    sum_paid = _amount(amount, "amount")
    if (method == "card") != (card_last4 is not None):
        raise Rejected("Give the card's last four digits for a card payment, and only for one.")
    if card_last4 is not None and not (
        len(card_last4) == 4 and all(digit in "0123456789" for digit in card_last4)
    ):
        raise Rejected('The last four digits look like "4242"; ask the guest for them.')
    _payable(db, folio, sum_paid)
    return _take(db, folio, method, sum_paid, card_last4, None)


def pay_with_voucher(
    db: Database, folio_id: FolioId, voucher_id: VoucherId, amount: Money
) -> Payment:
    """Pay on a folio from its guest's voucher; what is left stays on the voucher.

    Args:
        folio_id: The folio, such as "FOL-00042".
        voucher_id: The voucher, such as "VCH-00007".
        amount: How much of it to spend, in EUR.

    Raises:
        Rejected: The folio or voucher is unknown, or the folio is closed.
        Rejected: The voucher is used, void or expired, or belongs to another guest.
        Rejected: The amount is not above zero, or more than is left or can be paid.
    """
    folio = _open_folio(db, folio_id)
    voucher = db.vouchers.get(voucher_id)
    spent = _amount(amount, "amount")
    if voucher.guest_id != db.reservations.get(folio.reservation_id).guest_id:
        raise Rejected(
            f"Voucher {voucher_id} is another guest's; list_guest_vouchers shows theirs."
        )
    if voucher.status != "active" or voucher.expires_on < db.today():
        raise Rejected(
            f"Voucher {voucher_id} is {voucher.status} and valid until {voucher.expires_on}; it "
            "cannot be spent today."
        )
    if spent > voucher.balance:
        raise Rejected(f"Only {voucher.balance} EUR is left on voucher {voucher_id}.")
    _payable(db, folio, spent)
    left = money(voucher.balance - spent)
    db.vouchers.update(voucher_id, balance=left, status="active" if left > 0 else "used")
    return _take(db, folio, "voucher", spent, None, voucher_id)


def pay_with_points(db: Database, folio_id: FolioId, points: int) -> Payment:
    """Pay on a folio with its guest's loyalty points, 100 points for 1 EUR.

    Args:
        folio_id: The folio, such as "FOL-00042".
        points: How many points to redeem, in steps of 500.

    Raises:
        Rejected: The folio is unknown or closed.
        Rejected: The points are not a positive multiple of 500, or the guest has fewer.
        Rejected: They are worth more than can be paid.
    """
    folio = _open_folio(db, folio_id)
    reservation = db.reservations.get(folio.reservation_id)
    guest = db.guests.get(reservation.guest_id)
    if points < POINTS_STEP or points % POINTS_STEP != 0:
        raise Rejected(f"Points are redeemed in steps of {POINTS_STEP}, not {points}.")
    if points > guest.points:
        raise Rejected(f"The guest has {guest.points} points only; redeem fewer.")
    amount = money(Decimal(points) / POINTS_A_EURO)
    _payable(db, folio, amount)
    _add_points(db, guest.guest_id, reservation.reservation_id, -points, "redeemed")
    return _take(db, folio, "points", amount, None, None)


def refund_payment(
    db: Database, payment_id: PaymentId, amount: Money, reason: RefundReason
) -> Refund:
    """Give back what was paid too much, the way it was paid.

    Before check-in the deposit stays. After that only what exceeds the charges can go back:
    void a wrong charge or give a discount first.

    Args:
        payment_id: The payment, such as "PAY-00120".
        amount: How much to give back, in EUR.
        reason: Why.

    Raises:
        Rejected: The payment is unknown, or its folio is closed.
        Rejected: The amount is not above zero, or more than was paid too much.
        Rejected: The amount is more than is left of the payment.
    """
    payment = db.payments.get(payment_id)
    folio = _open_folio(db, payment.folio_id)
    reservation = db.reservations.get(folio.reservation_id)
    back = _amount(amount, "amount")
    kept = folio.charged
    if reservation.status == "confirmed":
        kept = kept + reservation.deposit_due
    over = max(Decimal(0), folio.paid - kept)
    if back > over:
        raise Rejected(
            f"Only {over} EUR was paid too much on folio {folio.folio_id}; void a wrong charge or "
            "give a discount first if more is to go back."
        )
    if back > payment.amount - payment.refunded:
        raise Rejected(
            f"Only {payment.amount - payment.refunded} EUR is left of payment {payment_id}; refund "
            "the rest on another one."
        )
    return _refund(db, payment, back, reason)


def reopen_folio(db: Database, folio_id: FolioId) -> Folio:
    """Open a closed folio again to correct it, up to 30 days after it was closed.

    Args:
        folio_id: The folio, such as "FOL-00042".

    Raises:
        Rejected: The folio is unknown, open, or closed for more than 30 days.
    """
    folio = db.folios.get(folio_id)
    if folio.closed_at is None:
        raise Rejected(f"Folio {folio_id} is open; it can be corrected as it is.")
    if db.now() - folio.closed_at > timedelta(days=REOPEN_DAYS):
        raise Rejected(f"Folio {folio_id} was closed over {REOPEN_DAYS} days ago; issue a voucher.")
    return db.folios.update(folio_id, status="open", closed_at=None)


def close_folio(db: Database, folio_id: FolioId) -> Folio:
    """Close the settled folio of a reservation that is over.

    Args:
        folio_id: The folio, such as "FOL-00042".

    Raises:
        Rejected: The folio is unknown or closed.
        Rejected: The guest is still to come or in the house.
        Rejected: The folio is not settled.
    """
    folio = _open_folio(db, folio_id)
    if db.reservations.get(folio.reservation_id).status in ACTIVE:
        raise Rejected(f"The guest of folio {folio_id} is to come or in the house; check out.")
    if folio.due != 0:
        raise Rejected(f"Folio {folio_id} has {folio.due} EUR due; settle it first.")
    return db.folios.update(folio_id, status="closed", closed_at=db.now())


def get_voucher(db: Database, voucher_id: VoucherId) -> Voucher:
    """Show a voucher: what is left on it and until when it can be spent.

    Args:
        voucher_id: The voucher as printed on it, such as "VCH-00007".

    Raises:
        Rejected: The voucher is unknown.
    """
    return db.vouchers.get(voucher_id)


def list_guest_vouchers(
    db: Database,
    guest_id: GuestId,
    status: VoucherStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Voucher]:
    """List a guest's vouchers, oldest first.

    Args:
        guest_id: The guest, such as "GST-00012".
        status: Only vouchers in this status.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The guest is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.guests.get(guest_id)
    vouchers = [
        voucher
        for voucher in db.vouchers.where(guest_id=guest_id)
        if status is None or voucher.status == status
    ]
    return page(vouchers, cursor, limit)


def issue_voucher(
    db: Database, guest_id: GuestId, value: Money, reason: VoucherReason, expires_on: date
) -> Voucher:
    """Issue a voucher to a guest.

    Args:
        guest_id: Who gets it, such as "GST-00012".
        value: What it is worth, 10 to 1000 EUR; at most 200 EUR as goodwill.
        reason: Why it is issued.
        expires_on: The last day it can be spent, 30 to 500 days from today.

    Raises:
        Rejected: The guest is unknown or banned.
        Rejected: The value is out of range.
        Rejected: The last day is out of range.
    """
    guest = db.guests.get(guest_id)
    if guest.banned:
        raise Rejected(f"Guest {guest_id} is banned from the group's hotels; issue no voucher.")
    most = 200 if reason == "goodwill" else 1000
    if not 10 <= value <= most:
        raise Rejected(f"A {reason} voucher is worth 10 to {most} EUR, not {value}.")
    if not 30 <= (expires_on - db.today()).days <= MOST_DAYS_AHEAD:
        raise Rejected(f"A voucher is valid for 30 to {MOST_DAYS_AHEAD} days from {db.today()}.")
    return db.vouchers.add(
        guest_id=guest_id,
        reason=reason,
        value=money(value),
        balance=money(value),
        status="active",
        issued_on=db.today(),
        expires_on=expires_on,
    )


def extend_voucher(db: Database, voucher_id: VoucherId, expires_on: date) -> Voucher:
    """Let a voucher be spent for longer, expired or not.

    Args:
        voucher_id: The voucher as printed on it, such as "VCH-00007".
        expires_on: The new last day, within 500 days from today.

    Raises:
        Rejected: The voucher is unknown, used or void.
        Rejected: The new day is past, not later than the old one, or too far away.
    """
    voucher = db.vouchers.get(voucher_id)
    if voucher.status != "active":
        raise Rejected(f"Voucher {voucher_id} is {voucher.status}; only an active one is extended.")
    if expires_on <= max(voucher.expires_on, db.today()):
        raise Rejected(f"Give a day after today and after {voucher.expires_on}.")
    return db.vouchers.update(voucher_id, expires_on=_near(db, expires_on))


def void_voucher(db: Database, voucher_id: VoucherId) -> Voucher:
    """Make a voucher void that was issued by mistake and never spent.

    Args:
        voucher_id: The voucher as printed on it, such as "VCH-00007".

    Raises:
        Rejected: The voucher is unknown, used or void already.
        Rejected: Something was spent from it.
    """
    voucher = db.vouchers.get(voucher_id)
    if voucher.status != "active":
        raise Rejected(f"Voucher {voucher_id} is {voucher.status}; it cannot be made void.")
    if voucher.balance != voucher.value:
        raise Rejected(
            f"{voucher.value - voucher.balance} EUR was spent from it; leave it as it is."
        )
    return db.vouchers.update(voucher_id, status="void")


def _employee(db: Database, employee_id: EmployeeId, hotel_id: HotelId, role: str) -> Employee:
    employee = db.employees.get(employee_id)
    if employee.hotel_id != hotel_id or (role and employee.role != role):
        raise Rejected(
            f"{employee.name} is a {employee.role} of {employee.hotel_id}; choose a "
            f"{role or 'member of staff'} of {hotel_id}."
        )
    if not employee.on_shift:
        raise Rejected(f"{employee.name} is off shift; choose somebody on shift.")
    return employee


def list_employees(
    db: Database,
    hotel_id: HotelId,
    role: StaffRole | None = None,
    on_shift: bool | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Employee]:
    """List the staff of a hotel.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        role: Only staff with this role.
        on_shift: Only staff who are at work now, or only those who are not.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The hotel is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    staff = [
        employee
        for employee in db.employees.where(hotel_id=hotel_id)
        if (role is None or employee.role == role)
        and (on_shift is None or employee.on_shift == on_shift)
    ]
    return page(staff, cursor, limit)


def list_housekeeping_tasks(
    db: Database,
    hotel_id: HotelId,
    status: WorkStatus | None = None,
    due_on: date | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[HousekeepingTask]:
    """List the housekeeping tasks of a hotel, oldest first.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        status: Only tasks in this status.
        due_on: Only tasks to be done on this day.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The hotel is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    tasks = [
        task
        for task in db.housekeeping_tasks.where(hotel_id=hotel_id)
        if (status is None or task.status == status) and (due_on is None or task.due_on == due_on)
    ]
    return page(tasks, cursor, limit)


def create_housekeeping_task(
    db: Database,
    room_id: RoomId,
    kind: CleaningKind,
    due_on: date,
    priority: Priority = "normal",
    note: str | None = None,
) -> HousekeepingTask:
    """Ask housekeeping to do something in a room.

    Args:
        room_id: The room, such as "ROM-00017".
        kind: What is to be done.
        due_on: The day, today or within 60 days.
        priority: How soon.
        note: A remark for the housekeeper.

    Raises:
        Rejected: The room is unknown.
        Rejected: The day is past or more than 60 days away.
        Rejected: The same is asked for already.
        Rejected: The note is empty or too long.
    """
    room = db.rooms.get(room_id)
    if not 0 <= (due_on - db.today()).days <= 60:
        raise Rejected(f"Give a day from {db.today()} on, within 60 days.")
    for task in db.housekeeping_tasks.where(room_id=room_id, kind=kind, due_on=due_on):
        if task.status in ("open", "in_progress"):
            raise Rejected(f"Task {task.task_id} asks for that already; no second one is needed.")
    return db.housekeeping_tasks.add(
        hotel_id=room.hotel_id,
        room_id=room_id,
        kind=kind,
        status="open",
        priority=priority,
        due_on=due_on,
        note=None if note is None else _text(note, "note"),
    )


def _unfinished_task(db: Database, task_id: HousekeepingTaskId) -> HousekeepingTask:
    task = db.housekeeping_tasks.get(task_id)
    if task.status not in ("open", "in_progress"):
        raise Rejected(f"Task {task_id} is {task.status}; create a new one if there is more to do.")
    return task


def assign_housekeeping_task(
    db: Database, task_id: HousekeepingTaskId, employee_id: EmployeeId
) -> HousekeepingTask:
    """Give a housekeeping task to a housekeeper, who starts on it.

    Args:
        task_id: The task, such as "HKT-00031".
        employee_id: A housekeeper of the hotel, such as "EMP-00004".

    Raises:
        Rejected: The task or member of staff is unknown, or the task is over.
        Rejected: They are no housekeeper of the hotel, or off shift.
        Rejected: They have the task already.
    """
    task = _unfinished_task(db, task_id)
    employee = _employee(db, employee_id, task.hotel_id, "housekeeper")
    if task.employee_id == employee_id:
        raise Rejected(f"{employee.name} has task {task_id} already.")
    return db.housekeeping_tasks.update(task_id, employee_id=employee_id, status="in_progress")


def complete_housekeeping_task(db: Database, task_id: HousekeepingTaskId) -> HousekeepingTask:
    """Record that a housekeeping task is done; after cleaning the room is clean.

    Args:
        task_id: The task, such as "HKT-00031".

    Raises:
        Rejected: The task is unknown or over, or nobody was given it.
        Rejected: The room is to be cleaned after a departure and still occupied.
    """
    task = _unfinished_task(db, task_id)
    if task.employee_id is None:
        raise Rejected(f"Nobody was given task {task_id}; assign it to a housekeeper first.")
    room = db.rooms.get(task.room_id)
    occupied = db.stays.where(room_id=task.room_id, status="in_house")
    if task.kind == "departure_clean" and occupied:
        raise Rejected(f"Room {room.number} is occupied; clean it after the guest has left.")
    cleaned = task.kind in ("departure_clean", "stayover_clean", "deep_clean")
    if cleaned and room.condition == "dirty":
        db.rooms.update(task.room_id, condition="clean")
    return db.housekeeping_tasks.update(task_id, status="done", done_at=db.now())


def cancel_housekeeping_task(db: Database, task_id: HousekeepingTaskId) -> HousekeepingTask:
    """Call off a housekeeping task that is not needed any more.

    Args:
        task_id: The task, such as "HKT-00031".

    Raises:
        Rejected: The task is unknown or over.
        Rejected: It is the only cleaning left for a dirty room.
    """
    task = _unfinished_task(db, task_id)
    room = db.rooms.get(task.room_id)
    cleaning = ("departure_clean", "stayover_clean", "deep_clean")
    left = [
        other
        for other in db.housekeeping_tasks.where(room_id=task.room_id)
        if other.status in ("open", "in_progress") and other.kind in cleaning
    ]
    if room.condition == "dirty" and task.kind in cleaning and len(left) == 1:
        raise Rejected(f"Room {room.number} is dirty and nothing else would clean it.")
    return db.housekeeping_tasks.update(task_id, status="cancelled")


def list_maintenance_tickets(
    db: Database,
    hotel_id: HotelId,
    status: WorkStatus | None = None,
    room_id: RoomId | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[MaintenanceTicket]:
    """List what was reported broken in a hotel, oldest first.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        status: Only tickets in this status.
        room_id: Only tickets about this room, such as "ROM-00017".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The hotel is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    tickets = [
        ticket
        for ticket in db.maintenance_tickets.where(hotel_id=hotel_id)
        if (status is None or ticket.status == status)
        and (room_id is None or ticket.room_id == room_id)
    ]
    return page(tickets, cursor, limit)


def report_fault(
    db: Database,
    room_id: RoomId,
    category: FaultCategory,
    description: str,
    priority: Priority = "normal",
    blocks_room: bool = False,
) -> MaintenanceTicket:
    """Report something broken in a room, and take the room out of use if need be.

    Args:
        room_id: The room, such as "ROM-00017".
        category: What is broken.
        description: What was seen.
        priority: How soon it has to be repaired.
        blocks_room: Whether the room cannot be used meanwhile.

    Raises:
        Rejected: The room is unknown.
        Rejected: The description is empty or too long.
        Rejected: A ticket of that category is open for the room.
        Rejected: The room cannot be blocked: somebody is in it, or it is set aside for somebody.
    """
    room = db.rooms.get(room_id)
    seen = _text(description, "description")
    for ticket in db.maintenance_tickets.where(room_id=room_id, category=category):
        if ticket.status in ("open", "in_progress"):
            raise Rejected(f"Ticket {ticket.ticket_id} is about that already.")
    if blocks_room and db.stays.where(room_id=room_id, status="in_house"):
        raise Rejected(f"Room {room.number} is occupied; move the guest to another room first.")
    if blocks_room and db.reservations.where(room_id=room_id, status="confirmed"):
        raise Rejected(f"Room {room.number} is set aside for a guest; give them another room.")
    if blocks_room:
        db.rooms.update(room_id, condition="out_of_order")
    return db.maintenance_tickets.add(
        hotel_id=room.hotel_id,
        room_id=room_id,
        category=category,
        description=seen,
        priority=priority,
        blocks_room=blocks_room,
        status="open",
        opened_at=db.now(),
    )


def assign_maintenance_ticket(
    db: Database, ticket_id: MaintenanceTicketId, employee_id: EmployeeId
) -> MaintenanceTicket:
    """Give a maintenance ticket to a technician, who starts on it.

    Args:
        ticket_id: The ticket, such as "MNT-00012".
        employee_id: A technician of the hotel, such as "EMP-00005".

    Raises:
        Rejected: The ticket or member of staff is unknown, or the ticket is over.
        Rejected: They are no technician of the hotel, or off shift.
        Rejected: They have the ticket already.
    """
    ticket = db.maintenance_tickets.get(ticket_id)
    if ticket.closed_at is not None:
        raise Rejected(f"Ticket {ticket_id} is {ticket.status}; report the fault anew.")
    employee = _employee(db, employee_id, ticket.hotel_id, "technician")
    if ticket.employee_id == employee_id:
        raise Rejected(f"{employee.name} has ticket {ticket_id} already.")
    return db.maintenance_tickets.update(ticket_id, employee_id=employee_id, status="in_progress")


def close_maintenance_ticket(
    db: Database, ticket_id: MaintenanceTicketId, resolution: str, repaired: bool = True
) -> MaintenanceTicket:
    """End a maintenance ticket, repaired or dropped.

    When nothing blocks the room any more it goes to housekeeping for a deep clean.

    Args:
        ticket_id: The ticket, such as "MNT-00012".
        resolution: What was done, or why it was dropped.
        repaired: Whether the fault is repaired rather than dropped.

    Raises:
        Rejected: The ticket is unknown or over.
        Rejected: It is repaired, but no technician was given it.
        Rejected: The resolution is empty or too long.
    """
    ticket = db.maintenance_tickets.get(ticket_id)
    if ticket.closed_at is not None:
        raise Rejected(f"Ticket {ticket_id} is {ticket.status} already.")
    if repaired and ticket.employee_id is None:
        raise Rejected(f"Nobody was given ticket {ticket_id}; assign it to a technician first.")
    how = _text(resolution, "resolution")
    blocked = any(
        other.blocks_room and other.closed_at is None and other.ticket_id != ticket_id
        for other in db.maintenance_tickets.where(room_id=ticket.room_id)
    )
    if ticket.blocks_room and not blocked:
        room = db.rooms.update(ticket.room_id, condition="dirty")
        _order_cleaning(db, room, "deep_clean", "normal")
    return db.maintenance_tickets.update(
        ticket_id,
        status="done" if repaired else "cancelled",
        closed_at=db.now(),
        resolution=how,
    )


def _time(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M")


def _at(db: Database, day: date, hour: int) -> datetime:
    now = db.now()
    midnight = now - timedelta(hours=now.hour, minutes=now.minute, seconds=now.second)
    return midnight + timedelta(days=(day - db.today()).days, hours=hour)


def _places_left(db: Database, service: Service, starts_at: datetime) -> int:
    return service.places - sum(
        booking.persons
        for booking in db.service_bookings.where(service_id=service.service_id, status="booked")
        if booking.starts_at == starts_at
    )


def _check_slot(
    db: Database,
    service: Service,
    reservation: Reservation,
    starts_at: datetime,
    persons: int,
) -> None:
    if starts_at <= db.now():
        raise Rejected(
            f"{_time(starts_at)} is past; it is {_time(db.now())} now. Choose a later time."
        )
    if not reservation.arrival <= starts_at.date() <= reservation.departure:
        raise Rejected(
            f"The stay is from {reservation.arrival} to {reservation.departure}; "
            "choose a day in it."
        )
    on_the_hour = starts_at == _at(db, starts_at.date(), starts_at.hour)
    if not on_the_hour or not service.first_hour <= starts_at.hour <= service.last_hour:
        raise Rejected(
            f"{service.name} begins on the hour, from {service.first_hour}:00 to "
            f"{service.last_hour}:00; list_service_slots shows the free times."
        )
    left = _places_left(db, service, starts_at)
    if persons > left:
        raise Rejected(f"{service.name} has {left} places left then; choose another time.")


def _check_free_time(
    db: Database,
    service: Service,
    reservation_id: ReservationId,
    starts_at: datetime,
    but: str | None,
) -> None:
    ends_at = starts_at + timedelta(minutes=service.minutes)
    for other in _booked_services(db, reservation_id):
        length = timedelta(minutes=db.services.get(other.service_id).minutes)
        overlaps = other.starts_at < ends_at and starts_at < other.starts_at + length
        if other.booking_id != but and overlaps and other.service_id == service.service_id:
            raise Rejected(f"Booking {other.booking_id} is for that service at that time already.")


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
        limit: Rows on the page, 1 to 200.

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
        persons: For how many people.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The service is unknown.
        Rejected: The day is past or too far away.
        Rejected: The number of people is not above zero.
        Rejected: The cursor or limit is bad.
    """
    service = db.services.get(service_id)
    if day < db.today():
        raise Rejected(f"{day} is past; today is {db.today()}.")
    _near(db, day)
    if persons < 1:
        raise Rejected("A service is for one person or more.")
    slots = [
        ServiceSlot(
            starts_at=_at(db, day, hour),
            places_left=_places_left(db, service, _at(db, day, hour)),
        )
        for hour in range(service.first_hour, service.last_hour + 1)
    ]
    free = [slot for slot in slots if slot.places_left >= persons and slot.starts_at > db.now()]
    return page(free, cursor, limit)


def list_service_bookings(
    db: Database,
    reservation_id: ReservationId,
    status: BookingStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[ServiceBooking]:
    """List the services booked with a reservation, earliest first.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".
        status: Only bookings in this status.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

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
    return page(sorted(bookings, key=lambda booking: booking.starts_at), cursor, limit)


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
        Rejected: The number of people is below one or above the party's.
        Rejected: The time is past, outside the stay or no hour of the service.
        Rejected: Too few places are left.
        Rejected: The guest has that service at that time already.
        Rejected: The note is empty or too long.
    """
    reservation = db.reservations.get(reservation_id)
    service = db.services.get(service_id)
    if reservation.status not in ACTIVE or service.hotel_id != reservation.hotel_id:
        raise Rejected(
            f"{service.name} is for guests of {service.hotel_id} who are to come or in the house."
        )
    people = reservation.adults + reservation.children
    if not 1 <= persons <= people:
        raise Rejected(f"The party has {people} people; book for 1 to {people}.")
    _check_slot(db, service, reservation, starts_at, persons)
    _check_free_time(db, service, reservation_id, starts_at, None)
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
        raise Rejected(f"Service booking {booking_id} is {booking.status}; it is over.")
    return booking


def reschedule_service(
    db: Database, booking_id: ServiceBookingId, starts_at: datetime
) -> ServiceBooking:
    """Move a service booking to another time.

    Args:
        booking_id: The booking, such as "SBK-00051".
        starts_at: When it is to begin, on the hour.

    Raises:
        Rejected: The booking is unknown, or over or begun.
        Rejected: The time is the same, past, outside the stay or no hour of the service.
        Rejected: Too few places are left, or the guest has that service then already.
    """
    booking = _booked(db, booking_id)
    service = db.services.get(booking.service_id)
    reservation = db.reservations.get(booking.reservation_id)
    if booking.starts_at <= db.now() or booking.starts_at == starts_at:
        raise Rejected(f"Booking {booking_id} has begun or is for that time already.")
    _check_slot(db, service, reservation, starts_at, booking.persons)
    _check_free_time(db, service, booking.reservation_id, starts_at, booking_id)
    return db.service_bookings.update(booking_id, starts_at=starts_at)


def cancel_service(db: Database, booking_id: ServiceBookingId) -> ServiceBooking:
    """Cancel a service booking; within four hours of its time half the price is charged.

    Args:
        booking_id: The booking, such as "SBK-00051".

    Raises:
        Rejected: The booking is unknown or over.
        Rejected: The service has begun.
    """
    booking = _booked(db, booking_id)
    if booking.starts_at <= db.now():
        raise Rejected(f"Service booking {booking_id} has begun; complete it instead.")
    if booking.starts_at - db.now() < timedelta(hours=4):
        service = db.services.get(booking.service_id)
        folio_id = _folio(db, booking.reservation_id).folio_id
        line, fee = f"{service.name}, cancelled late", money(booking.price / 2)
        _charge(db, folio_id, service.kind, line, 1, fee, None, booking_id)
    return db.service_bookings.update(booking_id, status="cancelled")


def complete_service(db: Database, booking_id: ServiceBookingId) -> ServiceBooking:
    """Record that a service was given, and charge it to the guest's folio.

    Args:
        booking_id: The booking, such as "SBK-00051".

    Raises:
        Rejected: The booking is unknown or over.
        Rejected: The service has not begun yet.
        Rejected: The guest has not checked in.
    """
    booking = _booked(db, booking_id)
    if booking.starts_at > db.now():
        raise Rejected(
            f"Service booking {booking_id} begins {_time(booking.starts_at)}; wait for it."
        )
    if db.reservations.get(booking.reservation_id).status != "checked_in":
        raise Rejected("The guest has not checked in; check them in first.")
    service = db.services.get(booking.service_id)
    folio_id = _folio(db, booking.reservation_id).folio_id
    price = money(booking.price / booking.persons)
    line = f"{service.name}, {booking.starts_at.date()}"
    _charge(db, folio_id, service.kind, line, booking.persons, price, None, booking_id)
    return db.service_bookings.update(booking_id, status="completed")


def list_requests(
    db: Database,
    hotel_id: HotelId,
    status: WorkStatus | None = None,
    reservation_id: ReservationId | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[GuestRequest]:
    """List what guests of a hotel asked for, oldest first.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        status: Only requests in this status.
        reservation_id: Only requests of this reservation, such as "RES-00042".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The hotel is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    requests = [
        request
        for request in db.guest_requests.where(hotel_id=hotel_id)
        if (status is None or request.status == status)
        and (reservation_id is None or request.reservation_id == reservation_id)
    ]
    return page(requests, cursor, limit)


def create_request(
    db: Database,
    reservation_id: ReservationId,
    kind: RequestKind,
    details: str,
    wanted_on: date,
) -> GuestRequest:
    """Take down something a guest asks the house for.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".
        kind: What is asked for.
        details: What exactly, in words.
        wanted_on: The day it is wanted, during the stay.

    Raises:
        Rejected: The reservation is unknown, or neither confirmed nor in the house.
        Rejected: The day is past or outside the stay.
        Rejected: The details are empty or too long.
    """
    reservation = db.reservations.get(reservation_id)
    if reservation.status not in ACTIVE:
        raise Rejected(f"Reservation {reservation_id} is {reservation.status}; it is over.")
    if not max(reservation.arrival, db.today()) <= wanted_on <= reservation.departure:
        raise Rejected(
            f"Give a day of the stay, {reservation.arrival} to {reservation.departure}, not past."
        )
    return db.guest_requests.add(
        reservation_id=reservation_id,
        hotel_id=reservation.hotel_id,
        kind=kind,
        details=_text(details, "details"),
        wanted_on=wanted_on,
        status="open",
        made_at=db.now(),
    )


def _unfinished_request(db: Database, request_id: GuestRequestId) -> GuestRequest:
    request = db.guest_requests.get(request_id)
    if request.status not in ("open", "in_progress"):
        raise Rejected(f"Request {request_id} is {request.status}; take down a new one.")
    return request


def assign_request(
    db: Database, request_id: GuestRequestId, employee_id: EmployeeId
) -> GuestRequest:
    """Give a guest's request to a member of staff, who sees to it.

    Args:
        request_id: The request, such as "REQ-00018".
        employee_id: A member of the hotel's staff, such as "EMP-00004".

    Raises:
        Rejected: The request or member of staff is unknown, or the request is over.
        Rejected: They work in another hotel or are off shift.
        Rejected: They have the request already.
    """
    request = _unfinished_request(db, request_id)
    employee = _employee(db, employee_id, request.hotel_id, "")
    if request.employee_id == employee_id:
        raise Rejected(f"{employee.name} has request {request_id} already.")
    return db.guest_requests.update(request_id, employee_id=employee_id, status="in_progress")


def complete_request(db: Database, request_id: GuestRequestId) -> GuestRequest:
    """Record that a guest's request was met.

    Args:
        request_id: The request, such as "REQ-00018".

    Raises:
        Rejected: The request is unknown or over.
        Rejected: No member of staff was given it.
    """
    request = _unfinished_request(db, request_id)
    if request.employee_id is None:
        raise Rejected(f"Nobody was given request {request_id}; assign it first.")
    return db.guest_requests.update(request_id, status="done")


def cancel_request(db: Database, request_id: GuestRequestId) -> GuestRequest:
    """Drop a guest's request that is not wanted any more.

    Args:
        request_id: The request, such as "REQ-00018".

    Raises:
        Rejected: The request is unknown or over.
    """
    _unfinished_request(db, request_id)
    return db.guest_requests.update(request_id, status="cancelled", employee_id=None)


def list_complaints(
    db: Database,
    hotel_id: HotelId,
    status: ComplaintStatus | None = None,
    reservation_id: ReservationId | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Complaint]:
    """List the complaints about a hotel, oldest first.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        status: Only complaints in this status.
        reservation_id: Only complaints of this reservation, such as "RES-00042".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The hotel is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    complaints = [
        complaint
        for complaint in db.complaints.where(hotel_id=hotel_id)
        if (status is None or complaint.status == status)
        and (reservation_id is None or complaint.reservation_id == reservation_id)
    ]
    return page(complaints, cursor, limit)


def file_complaint(
    db: Database,
    reservation_id: ReservationId,
    category: ComplaintCategory,
    severity: Severity,
    details: str,
) -> Complaint:
    """Take down a complaint of a guest who stays or has stayed.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".
        category: What it is about.
        severity: How bad it is.
        details: What happened, in words.

    Raises:
        Rejected: The reservation is unknown, or its guest never checked in.
        Rejected: A complaint in the category is open for the stay.
        Rejected: The details are empty or too long.
    """
    reservation = db.reservations.get(reservation_id)
    if reservation.status not in ("checked_in", "checked_out"):
        raise Rejected(f"Reservation {reservation_id} is {reservation.status}; there was no stay.")
    for complaint in db.complaints.where(reservation_id=reservation_id, category=category):
        if complaint.status == "open":
            raise Rejected(f"Complaint {complaint.complaint_id} is about that already.")
    return db.complaints.add(
        reservation_id=reservation_id,
        hotel_id=reservation.hotel_id,
        category=category,
        severity=severity,
        details=_text(details, "details"),
        status="open",
        made_at=db.now(),
        points=0,
    )


def resolve_complaint(
    db: Database, complaint_id: ComplaintId, resolution: str, points: int = 0
) -> Complaint:
    """Resolve a complaint, with loyalty points to make up for it if wanted.

    At most 1000 points for a minor, 5000 for a serious and 20000 for a severe complaint.

    Args:
        complaint_id: The complaint, such as "CMP-00009".
        resolution: What was done about it.
        points: Points to give, 0 for none.

    Raises:
        Rejected: The complaint is unknown or resolved already.
        Rejected: The resolution is empty or too long.
        Rejected: The points are negative or too many for its severity.
    """
    complaint = db.complaints.get(complaint_id)
    if complaint.status != "open":
        raise Rejected(f"Complaint {complaint_id} is resolved already.")
    how = _text(resolution, "resolution")
    if not 0 <= points <= COMPENSATION[complaint.severity]:
        raise Rejected(
            f"A {complaint.severity} complaint is worth 0 to {COMPENSATION[complaint.severity]} "
            "points."
        )
    if points > 0:
        reservation = db.reservations.get(complaint.reservation_id)
        guest_id, reservation_id = reservation.guest_id, reservation.reservation_id
        _add_points(db, guest_id, reservation_id, points, "compensation")
    return db.complaints.update(
        complaint_id, status="resolved", resolved_at=db.now(), resolution=how, points=points
    )
