"""Laws of Hotel group: what holds at every moment, whatever was called before.

A law of a state is asked after each call that changed something, a law of a row for each row that
changed and those it refers to, and a law of an event at each such call.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal

from ..database.models import (
    Charge,
    ChargeKind,
    Complaint,
    Database,
    Folio,
    FolioId,
    Guest,
    GuestRequest,
    HousekeepingTask,
    MaintenanceTicket,
    Payment,
    RatePlan,
    Reservation,
    ReservationId,
    Room,
    RoomTypeId,
    ServiceBooking,
    ServiceId,
    Stay,
    StayOffer,
    Voucher,
)
from ..database.store import Written
from ..policy.past import Event, Past
from ..values import money

CAME = ("checked_in", "checked_out")
CALLED_OFF = ("cancelled", "no_show")
OVER = ("checked_out", "cancelled", "no_show")


def _terms(db: Database, booking: Reservation) -> RatePlan:
    return db.rate_plans.get(booking.rate_plan_id)


def _can_go_free(db: Database, booking: Reservation) -> bool:
    """Return whether a reservation could still be cancelled free of charge today."""
    days = _terms(db, booking).free_cancel_days
    return days is not None and db.today() <= booking.arrival - timedelta(days=days)


def _booking_of(db: Database, folio_id: FolioId) -> Reservation:
    return db.reservations.get(db.folios.get(folio_id).reservation_id)


def _new(event: Event, table: str) -> list[Written]:
    """Return what a call added to a table."""
    return [change for change in event.changes if change.table == table and change.before is None]


def _changed(event: Event, table: str) -> list[Written]:
    """Return what a call changed of a table's rows that were there, and still are."""
    return [
        change
        for change in event.changes
        if change.table == table and change.before is not None and change.after is not None
    ]


def _altered(event: Event) -> list[Written]:
    """Return the bookings that a call changes and that are still to come."""
    changed = _changed(event, "reservations")
    return [one for one in changed if one.before.status == one.after.status == "confirmed"]


def _arrived(event: Event) -> list[ReservationId]:
    """Return the bookings of those who check in."""
    return [change.after.reservation_id for change in _new(event, "stays")]


def _left(event: Event) -> list[ReservationId]:
    """Return the bookings of those who check out."""
    stays = _changed(event, "stays")
    return [one.after.reservation_id for one in stays if one.before.status != one.after.status]


def _moved(event: Event) -> list[Written]:
    """Return the stays of those who move to another room."""
    stays = _changed(event, "stays")
    return [change for change in stays if change.before.room_id != change.after.room_id]


def _may_leave_today(db: Database, booking: Reservation) -> bool:
    """Return whether a guest in the house may check out without making the stay shorter first."""
    plan = db.rate_plans.get(booking.rate_plan_id)
    shortest = booking.arrival + timedelta(days=plan.min_nights)
    is_bound = plan.free_cancel_days is None or shortest > db.today()
    return booking.status == "checked_in" and (is_bound or booking.departure <= db.today())


def _takes_a_room(db: Database, booking: Reservation) -> bool:
    """Return whether a guest is in the house or still to come, and was not missed."""
    is_to_come = booking.status == "confirmed" and booking.arrival >= db.today()
    return booking.status == "checked_in" or is_to_come


def _rooms_left(
    db: Database, room_type_id: RoomTypeId, nights: list[date], but: ReservationId | None
) -> int:
    """Return how many rooms of a type bookings other than a certain one leave on all nights."""
    taken = [
        other
        for other in db.reservations.where(room_type_id=room_type_id)
        if _takes_a_room(db, other) and other.reservation_id != but
    ]
    fullest = max(
        len([other for other in taken if other.arrival <= night < other.departure])
        for night in nights
    )
    rooms = db.rooms.where(room_type_id=room_type_id)
    return max(0, len([room for room in rooms if room.condition != "out_of_order"]) - fullest)


def _has_urgent_fault(db: Database, room: Room) -> bool:
    """Return whether a room has an urgent fault that is not repaired."""
    return any(
        ticket.priority == "urgent" and ticket.closed_at is None
        for ticket in db.maintenance_tickets.where(room_id=room.room_id)
    )


def _as_given(event: Event, name: str, value: object) -> bool:
    """Return whether a value is the one that a call gives for it, if it gives one."""
    return event.argument(name) is None or event.argument(name) == value


def rates_are_sold_while_on_sale(db: Database, past: Past, event: Event) -> bool:
    """A rate that is off sale is not booked (clause 3.4)."""
    return all(
        _terms(db, change.after).on_sale
        for change in [*_new(event, "reservations"), *_altered(event)]
        if change.before is None or change.before.rate_plan_id != change.after.rate_plan_id
    )


def bookings_are_as_long_as_their_rate_asks(db: Database, past: Past, event: Event) -> bool:
    """A booking that is made or changed is no shorter than its rate is sold for (clause 3.4)."""
    return all(
        len(change.after.nights) >= _terms(db, change.after).min_nights
        for change in [*_new(event, "reservations"), *_altered(event)]
        if change.before is None
        or change.before.rate_plan_id != change.after.rate_plan_id
        or len(change.before.nights) != len(change.after.nights)
    )


def bookings_are_as_they_were_asked_for(db: Database, past: Past, event: Event) -> bool:
    """A booking has the party and the rate that were asked for."""
    return all(
        _as_given(event, "adults", change.after.adults)
        and _as_given(event, "children", change.after.children)
        and _as_given(event, "rate_plan_id", change.after.rate_plan_id)
        for change in event.changes
        if change.table == "reservations"
    )


def bookings_that_are_over_do_not_change(db: Database, past: Past, event: Event) -> bool:
    """A booking that was cancelled or missed, or whose guest has left, stays so (clause 4.1)."""
    return all(change.before.status not in OVER for change in _changed(event, "reservations"))


def dates_move_while_cancelling_is_free(db: Database, past: Past, event: Event) -> bool:
    """The days of a booking move only as long as cancelling is free (clause 4.2)."""
    return all(
        _can_go_free(db, change.before)
        or (change.before.arrival, change.before.departure)
        == (change.after.arrival, change.after.departure)
        for change in _altered(event)
    )


def terms_first_agreed_hold(db: Database, past: Past, event: Event) -> bool:
    """What could not be cancelled free of charge cannot be after a change (clause 4.3)."""
    return all(
        _can_go_free(db, change.before) or not _can_go_free(db, change.after)
        for change in _altered(event)
    )


def prices_do_not_fall_after_the_free_days(db: Database, past: Past, event: Event) -> bool:
    """A booking that cannot be cancelled free of charge gets no cheaper (clause 4.4)."""
    return all(
        _can_go_free(db, change.before) or change.after.total >= change.before.total
        for change in _altered(event)
    )


def called_off_bookings_keep_no_room(db: Database, booking: Reservation) -> bool:
    """A booking that was called off has no room set aside (clause 4.11)."""
    return booking.status not in CALLED_OFF or booking.room_id is None


def no_shows_had_their_day(db: Database, booking: Reservation) -> bool:
    """A guest is a no-show only when the day of arrival is over (clause 4.12)."""
    return booking.status != "no_show" or booking.arrival < db.today()


def contacts_are_as_they_were_given(db: Database, past: Past, event: Event) -> bool:
    """A guest's e-mail address, number and street are those that were given."""
    email, phone, home = [event.argument(name) for name in ("email", "phone", "address")]
    return all(
        (email is None or change.after.email == email.strip().lower())
        and (phone is None or change.after.phone == phone.strip())
        and (home is None or change.after.address.street == home["street"].strip())
        for change in event.changes
        if change.table == "guests"
    )


def no_time_to_come_is_oversold(db: Database, service: ServiceBooking) -> bool:
    """No more people come at a time than there are places, paid ahead or not (clause 7.1)."""
    coming = [
        other.persons
        for other in db.service_bookings.where(service_id=service.service_id)
        if other.starts_at == service.starts_at and other.status != "cancelled"
    ]
    is_past = service.starts_at <= db.now() or service.status == "cancelled"
    return is_past or sum(coming) <= db.services.get(service.service_id).places


def guests_can_be_written_to(db: Database, guest: Guest) -> bool:
    """A guest's e-mail address has a host with a dot, and their country has two letters."""
    name, _, host = guest.email.partition("@")
    parts = host.split(".")
    return len(guest.address.country) == 2 and len(parts) > 1 and all([name, *parts])


def rates_are_quoted_only_where_they_can_be_had(db: Database, past: Past, event: Event) -> bool:
    """A rate off sale is quoted only for a booking that is on it already (clause 3.4)."""
    if event.tool != "quote_stay" or not event.ok:
        return True
    plan, number = event.result.rate_plan_id, event.argument("reservation_id")
    is_own = number is not None and db.reservations.get(number).rate_plan_id == plan
    return is_own or db.rate_plans.get(plan).on_sale


def only_what_can_be_changed_is_quoted_a_change(db: Database, past: Past, event: Event) -> bool:
    """A change is quoted of what may still change, in the hotel booked (clause 4.1)."""
    number = event.argument("reservation_id")
    if event.tool != "quote_stay" or not event.ok or number is None:
        return True
    booking = db.reservations.get(number)
    is_to_come = booking.status == "confirmed" and booking.arrival >= db.today()
    is_longer = booking.status == "checked_in" and _is_as_booked(db, booking, event.result)
    hotel_id = db.room_types.get(event.result.room_type_id).hotel_id
    return booking.hotel_id == hotel_id and (is_to_come or is_longer)


def _is_as_booked(db: Database, booking: Reservation, quote: StayOffer) -> bool:
    """Say whether a quote is of nights that follow those of a stay, as they were booked."""
    stay, tax = db.stays.where(reservation_id=booking.reservation_id)[0], quote.city_tax
    return (
        quote.room_type_id == stay.booked_type_id
        and quote.rate_plan_id == booking.rate_plan_id
        and quote.nights[0].night == booking.departure
        and len(booking.nights) + len(quote.nights) <= 30
        and tax == db.hotels.get(booking.hotel_id).city_tax * booking.adults * len(quote.nights)
    )


def what_is_added_in_the_house_has_no_deposit(db: Database, past: Past, event: Event) -> bool:
    """What a guest in the house adds has neither a deposit nor a free day (clause 4.1)."""
    number = event.argument("reservation_id")
    if event.tool != "quote_stay" or not event.ok or number is None:
        return True
    in_house = db.reservations.get(number).status == "checked_in"
    return not in_house or (event.result.deposit == 0 and event.result.free_until is None)


def who_is_known_gets_no_other_account(db: Database, past: Past, event: Event) -> bool:
    """No account is opened with the name and telephone number of another one (clause 1.8)."""
    return not any(
        other.guest_id != change.key and _digits(other.phone) == _digits(change.after.phone)
        for change in _new(event, "guests")
        for other in db.guests.where(
            first_name=change.after.first_name, last_name=change.after.last_name
        )
    )


def _digits(phone: str) -> str:
    """Return the digits of a telephone number, in which "+44 20" and "0044 (0)20" are the same."""
    return "".join(sign for sign in phone if sign in "123456789")


def what_is_so_already_is_not_done_again(db: Database, past: Past, event: Event) -> bool:
    """What is as the guest wishes already is left as it is, and that is said (clause 4.8)."""
    noting = (
        "assign_room", "update_guest_contact", "name_companions", "set_special_wishes",
        "set_guest_preferences",
    )  # fmt: skip
    changes = [change for change in event.changes if change.before != change.after]
    return event.tool not in noting or not event.ok or len(changes) > 0


def rooms_in_use_suffice_for_the_bookings(db: Database, past: Past, event: Event) -> bool:
    """A room is blocked only if those left in use suffice for the nights booked (clause 8.1)."""
    return all(
        _most_booked(db, change.after.room_type_id)
        <= len(
            [
                room
                for room in db.rooms.where(room_type_id=change.after.room_type_id)
                if room.condition != "out_of_order"
            ]
        )
        for change in _changed(event, "rooms")
        if change.after.condition == "out_of_order" and change.before.condition != "out_of_order"
    )


def _most_booked(db: Database, room_type_id: RoomTypeId) -> int:
    """Return how many rooms of a type are booked on the night on which most are."""
    nights = [
        rate.night
        for booking in db.reservations.where(room_type_id=room_type_id)
        if _takes_a_room(db, booking)
        for rate in booking.nights
        if rate.night >= db.today()
    ]
    return max([nights.count(night) for night in nights], default=0)


def quotes_count_the_rooms_that_are_left(db: Database, past: Past, event: Event) -> bool:
    """A quote counts the rooms that others leave, and not that of the booking it is for."""
    if event.tool != "quote_stay" or not event.ok:
        return True
    quote, but = event.result, event.argument("reservation_id")
    nights = [rate.night for rate in quote.nights]
    return quote.rooms_left == _rooms_left(db, quote.room_type_id, nights, but)


def who_asks_for_a_room_gets_it(db: Database, past: Past, event: Event) -> bool:
    """Who is given a room by its number lives in it, or has it set aside, afterwards."""
    changed = [*_new(event, "stays"), *_changed(event, "stays"), *_changed(event, "reservations")]
    is_report = event.tool == "report_fault"
    return is_report or all(_as_given(event, "room_id", change.after.room_id) for change in changed)


def what_is_before_a_guest_again_is_booked(db: Database, past: Past, event: Event) -> bool:
    """A service whose charge is taken back as the stay becomes longer is booked (clause 5.9)."""
    taken_back = [
        change.after.booking_id
        for change in _changed(event, "charges")
        if change.after.voided and not change.before.voided and change.after.booking_id is not None
    ]
    return event.tool != "extend_stay" or all(
        db.service_bookings.get(booking_id).status == "booked" for booking_id in taken_back
    )


def what_is_called_off_is_not_had(db: Database, past: Past, event: Event) -> bool:
    """A service that a guest calls off is cancelled, and not charged as had (clause 7.4)."""
    return event.tool != "cancel_service" or all(
        change.after.status == "cancelled" for change in _changed(event, "service_bookings")
    )


def who_never_came_has_nothing_changed(db: Database, past: Past, event: Event) -> bool:
    """A booking keeps its price once the day of arrival is over: it is called off (clause 4.4)."""
    return all(
        change.before.arrival >= db.today() or change.before.nights == change.after.nights
        for change in _altered(event)
    )


def a_quoted_change_tells_the_deposit_of_it(db: Database, past: Past, event: Event) -> bool:
    """What was paid of a deposit is part of the one that a change is quoted with (clause 4.5)."""
    number = event.argument("reservation_id")
    if event.tool != "quote_stay" or not event.ok or number is None:
        return True
    booking = db.reservations.get(number)
    paid = db.folios.where(reservation_id=number)[0].paid
    return booking.status != "confirmed" or event.result.deposit >= min(booking.deposit_due, paid)


def no_day_that_is_past_is_told_as_free(db: Database, past: Past, event: Event) -> bool:
    """Until when cancelling is free is told only while it is (clause 3.7)."""
    if event.tool != "quote_stay" or not event.ok:
        return True
    return event.result.free_until is None or event.result.free_until >= db.today()


def no_two_accounts_are_one_guest(db: Database, past: Past, event: Event) -> bool:
    """No account comes to have the name and telephone number of another one (clause 1.8)."""
    return all(
        _digits(other.phone) != _digits(change.after.phone) or other.guest_id == change.key
        for change in _changed(event, "guests")
        if _digits(change.before.phone) != _digits(change.after.phone)
        for other in db.guests.where(
            first_name=change.after.first_name, last_name=change.after.last_name
        )
    )


def banned_guests_are_reached_as_before(db: Database, past: Past, event: Event) -> bool:
    """The telephone number of a banned guest is not changed (clause 1.6)."""
    return all(
        not change.before.banned or change.before.phone == change.after.phone
        for change in _changed(event, "guests")
    )


FEES = ("cancellation_fee", "no_show_fee")


def _dropped(db: Database, event: Event) -> list[ServiceBooking]:
    """Return the services that a call cancels by themselves, and not with the whole stay."""
    return [
        change.before
        for change in _changed(event, "service_bookings")
        if change.after.status == "cancelled"
        and db.reservations.get(change.after.reservation_id).status not in CALLED_OFF
    ]


def services_are_for_those_who_stay(db: Database, booking: Reservation) -> bool:
    """A service is for no more people than stay, and for a day of the stay (clause 4.7)."""
    return all(
        service.persons <= booking.adults + booking.children
        and booking.arrival <= service.starts_at.date() <= booking.departure
        for service in db.service_bookings.where(reservation_id=booking.reservation_id)
        if service.status == "booked"
    )


def no_service_is_left_after_the_stay(db: Database, booking: Reservation) -> bool:
    """When a stay is over or called off, no service is still booked (clause 5.9)."""
    return booking.status not in OVER or not db.service_bookings.where(
        reservation_id=booking.reservation_id, status="booked"
    )


def no_request_is_left_after_the_stay(db: Database, booking: Reservation) -> bool:
    """When a stay is over or called off, no request but for luggage is left (clause 7.11)."""
    return booking.status not in OVER or all(
        request.status in ("done", "cancelled")
        or (request.kind == "luggage" and booking.status == "checked_out")
        for request in db.guest_requests.where(reservation_id=booking.reservation_id)
    )


def extras_are_for_those_who_came(db: Database, past: Past, event: Event) -> bool:
    """Who has not come is charged nothing but fees, and services booked (clause 7.4)."""
    return all(
        _booking_of(db, change.after.folio_id).status in CAME
        or change.after.kind in FEES
        or change.after.booking_id is not None
        for change in event.changes
        if change.table == "charges"
    )


def services_begin_in_their_hours(db: Database, service: ServiceBooking) -> bool:
    """A service begins on the hour, in its hours (clause 7.1)."""
    offered, begins = db.services.get(service.service_id), service.starts_at
    return begins.minute == 0 and offered.first_hour <= begins.hour <= offered.last_hour


def services_are_booked_for_later(db: Database, past: Past, event: Event) -> bool:
    """A service is booked for a time to come, or moved to one (clause 7.4)."""
    return all(
        change.after.starts_at > db.now()
        for change in event.changes
        if change.table == "service_bookings"
        and (change.before is None or change.before.starts_at != change.after.starts_at)
    )


def _having(
    db: Database, service_id: ServiceId, reservation_id: ReservationId, at: datetime
) -> int:
    """Return how many people of a party have a service at a time, paid ahead or not."""
    length = timedelta(minutes=db.services.get(service_id).minutes)
    booked = db.service_bookings.where(reservation_id=reservation_id, service_id=service_id)
    return sum(
        one.persons
        for one in booked
        if one.status != "cancelled" and one.starts_at <= at < one.starts_at + length
    )


def nobody_has_a_service_twice_at_a_time(db: Database, service: ServiceBooking) -> bool:
    """No more people have a service to come at a time than are in the party (clause 7.1)."""
    party = db.reservations.get(service.reservation_id)
    is_past = service.starts_at <= db.now() or service.status == "cancelled"
    together = _having(db, service.service_id, service.reservation_id, service.starts_at)
    return is_past or together <= party.adults + party.children


def others_of_a_party_can_join(db: Database, past: Past, event: Event) -> bool:
    """A service is refused as booked already only for people who have it then (clause 7.1)."""
    if event.tool != "book_service" or event.code != "duplicate":
        return True
    number, service_id = event.argument("reservation_id"), event.argument("service_id")
    party, length = db.reservations.get(number), db.services.get(service_id).minutes
    begins = datetime.fromisoformat(event.argument("starts_at"))
    times = [begins, *[begins + timedelta(hours=hours) for hours in range(1, 1 + length // 60)]]
    most = max(
        _having(db, service_id, number, at)
        for at in times
        if at < begins + timedelta(minutes=length)
    )
    return most + event.argument("persons") > party.adults + party.children


def services_that_have_begun_are_had(db: Database, past: Past, event: Event) -> bool:
    """A service that has begun is not cancelled or moved any more (clause 7.3)."""
    moved = [
        change.before
        for change in _changed(event, "service_bookings")
        if change.before.starts_at != change.after.starts_at
    ]
    return all(service.starts_at > db.now() for service in [*moved, *_dropped(db, event)])


def services_cancelled_late_cost_half(db: Database, past: Past, event: Event) -> bool:
    """A service cancelled less than four hours before it begins costs half (clause 7.3)."""
    charged = [change.after.amount for change in _new(event, "charges")]
    return all(
        charged == [money(service.price / 2)]
        for service in _dropped(db, event)
        if service.starts_at - db.now() < timedelta(hours=4)
    )


def services_given_have_begun(db: Database, service: ServiceBooking) -> bool:
    """No service is completed before it begins, but one of the same day may be (clause 7.4)."""
    return service.status != "completed" or service.starts_at.date() <= db.today()


def services_given_cost_their_price(db: Database, service: ServiceBooking) -> bool:
    """A service that was given is charged once, at its price."""
    charges = db.charges.where(booking_id=service.booking_id)
    standing = [one.amount for one in charges if not one.voided]
    is_charged = standing == [service.price] or (len(charges) > 0 and len(standing) == 0)
    return service.status != "completed" or is_charged


def requests_are_for_days_of_the_stay(db: Database, past: Past, event: Event) -> bool:
    """A request is for a day of the stay, today at the earliest (clause 7.11)."""
    return all(
        max(booking.arrival, db.today()) <= change.after.wanted_on <= booking.departure
        for change in _new(event, "guest_requests")
        for booking in [db.reservations.get(change.after.reservation_id)]
    )


def extra_beds_are_for_rooms_that_hold_one(db: Database, booking: Reservation) -> bool:
    """An extra bed that is still to come goes into a room type that sleeps three (clause 7.12)."""
    beds = [
        request
        for request in db.guest_requests.where(reservation_id=booking.reservation_id)
        if request.kind == "extra_bed" and request.status in ("open", "in_progress")
    ]
    return len(beds) == 0 or db.room_types.get(booking.room_type_id).capacity >= 3


LATE_HOURS = 4


def _is_late(db: Database, service: ServiceBooking) -> bool:
    """Return whether a service begins in less than four hours, or has begun."""
    return service.starts_at - db.now() < timedelta(hours=LATE_HOURS)


def _ended_services(event: Event, status: str) -> list[ServiceBooking]:
    """Return the services that a call completed or cancelled, as they were booked."""
    return [
        change.before
        for change in _changed(event, "service_bookings")
        if change.before.status == "booked" and change.after.status == status
    ]


def _charged_for(event: Event, service: ServiceBooking) -> Decimal:
    """Return what a call charged for a service."""
    lines = [
        change.after.amount
        for change in _new(event, "charges")
        if change.after.booking_id == service.booking_id
    ]
    return sum(lines, Decimal(0))


def services_about_to_begin_are_not_moved(db: Database, past: Past, event: Event) -> bool:
    """A service less than four hours away is not moved (clause 7.3)."""
    return all(
        change.before.status != "booked"
        or not _is_late(db, change.before)
        or change.after.starts_at == change.before.starts_at
        for change in _changed(event, "service_bookings")
    )


def services_called_off_late_cost_half(db: Database, past: Past, event: Event) -> bool:
    """Whoever calls a service off within four hours of it pays half, by any way (clause 7.3)."""
    return all(
        not _is_late(db, service) or _charged_for(event, service) == money(service.price / 2)
        for service in _ended_services(event, "cancelled")
    )


def services_that_have_begun_count_as_had(db: Database, past: Past, event: Event) -> bool:
    """A service that has begun is not called off, and is charged in full (clause 7.4)."""
    called_off = _ended_services(event, "cancelled")
    return all(service.starts_at > db.now() for service in called_off) and all(
        _charged_for(event, service) == service.price
        for service in _ended_services(event, "completed")
    )


def only_who_stayed_has_extras(db: Database, charge: Charge) -> bool:
    """Nobody who never checked in has had anything from the house (clause 6.15)."""
    booking = _booking_of(db, charge.folio_id)
    return charge.kind not in ("minibar", "laundry", "parking", "damage") or booking.status in (
        "checked_in",
        "checked_out",
    )


def services_had_are_within_the_stay(db: Database, booking: Reservation) -> bool:
    """What was had was had on a day of the stay, however it was moved (clause 4.7)."""
    return all(
        booking.arrival <= service.starts_at.date() <= booking.departure
        for service in db.service_bookings.where(
            reservation_id=booking.reservation_id, status="completed"
        )
    )


def what_is_had_ahead_is_paid_by_its_guest(db: Database, service: ServiceBooking) -> bool:
    """What a guest has ahead is charged to them, and stays so when they have left (clause 5.9)."""
    booking = db.reservations.get(service.reservation_id)
    if service.status != "completed" or service.starts_at <= db.now():
        return True
    lines = db.charges.where(booking_id=service.booking_id)
    payers = [_booking_of(db, line.folio_id) for line in lines if not line.voided]
    return payers == [booking]


def requests_are_met_on_their_day(db: Database, past: Past, event: Event) -> bool:
    """A request is met from its day on, for who is there or arrives then (clause 7.11).

    Luggage is kept for who has left, too.
    """
    met = [
        change.after
        for change in _changed(event, "guest_requests")
        if change.after.status == "done" and change.before.status != "done"
    ]
    return all(
        request.wanted_on <= db.today()
        and (
            booking.status == "checked_in"
            or booking.arrival == db.today()
            or (booking.status == "checked_out" and request.kind == "luggage")
        )
        for request in met
        for booking in [db.reservations.get(request.reservation_id)]
    )


def a_request_is_taken_down_once(db: Database, request: GuestRequest) -> bool:
    """What is still to be seen to is noted once for a day, in its words (clause 7.10)."""
    alike = [
        other
        for other in db.guest_requests.where(
            reservation_id=request.reservation_id, kind=request.kind, wanted_on=request.wanted_on
        )
        if other.status in ("open", "in_progress") and _worded(other) == _worded(request)
    ]
    return len(alike) <= 1


def _worded(request: GuestRequest) -> str:
    """Return what is asked for, without the full stop and in small letters."""
    return request.details.strip(" .").lower()


def luggage_outlives_the_stay(db: Database, past: Past, event: Event) -> bool:
    """Luggage that is kept on the day of leaving is still kept after the check-out (clause 5.8)."""
    return len(_left(event)) == 0 or not any(
        change.before.kind == "luggage"
        and change.before.wanted_on == db.today()
        and change.after.status == "cancelled"
        for change in _changed(event, "guest_requests")
    )


def _folio_of(db: Database, reservation_id: ReservationId) -> Folio:
    return db.folios.where(reservation_id=reservation_id)[0]


def _lines(db: Database, booking: Reservation, kind: ChargeKind) -> list[Charge]:
    """Return what is charged for a booking of a kind, and was not taken back."""
    folio_id = _folio_of(db, booking.reservation_id).folio_id
    return [one for one in db.charges.where(folio_id=folio_id, kind=kind) if not one.voided]


def _ended(event: Event, ends: tuple[str, ...]) -> list[Reservation]:
    """Return the bookings that a call brings to an end, as they were before."""
    changed = _changed(event, "reservations")
    ended = [one for one in changed if one.before.status != one.after.status]
    return [one.before for one in ended if one.after.status in ends]


def deposits_are_the_share_of_the_rate(db: Database, past: Past, event: Event) -> bool:
    """A new price asks for the rate's share, or for more if that was paid before (clause 6.1)."""
    return all(
        change.after.deposit_due
        == max(
            money(change.after.total * _terms(db, change.after).deposit_percent / 100),
            Decimal(0)
            if change.before is None
            else min(change.before.deposit_due, _folio_of(db, change.after.reservation_id).paid),
        )
        for change in [*_new(event, "reservations"), *_altered(event)]
        if change.before is None or change.before.total != change.after.total
    )


def the_fee_is_kept(db: Database, past: Past, event: Event) -> bool:
    """Of a booking that is called off too late, the fee stays on the folio (clause 4.9)."""
    return all(
        _can_go_free(db, booking)
        or _folio_of(db, booking.reservation_id).charged
        >= money(booking.total * _terms(db, booking).late_cancel_percent / 100)
        for booking in _ended(event, CALLED_OFF)
    )


def a_fee_is_not_waived(db: Database, past: Past, event: Event) -> bool:
    """A fee for calling off or not coming is taken back only beside a larger one (clause 4.11)."""
    return all(
        any(
            not one.voided
            and one.booking_id == change.after.booking_id
            and one.amount >= change.after.amount
            for one in db.charges.where(folio_id=change.after.folio_id, kind=change.after.kind)
        )
        for change in _changed(event, "charges")
        if change.after.voided and _is_of_what_was_called_off(db, change.after)
    )


def _is_of_what_was_called_off(db: Database, charge: Charge) -> bool:
    if charge.booking_id is None:
        return charge.kind in FEES
    booking = db.service_bookings.get(charge.booking_id)
    never_came = db.reservations.get(booking.reservation_id).status not in CAME
    return booking.status == "cancelled" or never_came


def a_fee_stays_where_it_is(db: Database, past: Past, event: Event) -> bool:
    """Nobody pays for what another called off, or booked and never came to (clause 6.9)."""
    return not any(
        change.before.folio_id != change.after.folio_id
        and _is_of_what_was_called_off(db, change.after)
        for change in _changed(event, "charges")
    )


def what_calling_off_costs_stays_paid(db: Database, past: Past, event: Event) -> bool:
    """Before check-in, what cancelling or not coming costs by now is not paid back (clause 6.4)."""
    return all(
        _can_go_free(db, booking)
        or folio.paid >= money(booking.total * _terms(db, booking).late_cancel_percent / 100)
        for payment in _paid_back(db, event)
        for folio in [db.folios.get(payment.folio_id)]
        for booking in [db.reservations.get(folio.reservation_id)]
        if booking.status == "confirmed"
    )


def _paid_back(db: Database, event: Event) -> list[Payment]:
    """Return the payments of which something goes back that was noted on the right folio."""
    back = [change.after for change in _new(event, "refunds")]
    return [db.payments.get(one.payment_id) for one in back if one.reason != "wrong_folio"]


def who_checks_in_has_paid_the_deposit(db: Database, past: Past, event: Event) -> bool:
    """Nobody checks in who owes the deposit (clause 5.1)."""
    return all(
        _folio_of(db, reservation_id).paid >= db.reservations.get(reservation_id).deposit_due
        for reservation_id in _arrived(event)
    )


def nights_are_charged_once_as_agreed(db: Database, booking: Reservation) -> bool:
    """Who stays or stayed is charged each night once, at the price agreed, and no other."""
    charged = _lines(db, booking, "room_night")
    agreed = [(rate.night, rate.amount) for rate in booking.nights]
    return (
        booking.status not in CAME or sorted((one.night, one.amount) for one in charged) == agreed
    )


def city_tax_is_for_each_adult_and_night(db: Database, booking: Reservation) -> bool:
    """Who stays or stayed is charged city tax for each adult and night."""
    tax = db.hotels.get(booking.hotel_id).city_tax * booking.adults * len(booking.nights)
    charged = sum((one.amount for one in _lines(db, booking, "city_tax")), Decimal(0))
    return booking.status not in CAME or charged == tax


def who_leaves_has_settled(db: Database, past: Past, event: Event) -> bool:
    """Nobody checks out who owes anything or is owed anything (clause 5.9)."""
    return all(_folio_of(db, reservation_id).due == 0 for reservation_id in _left(event))


def who_is_even_at_the_end_has_a_closed_folio(db: Database, past: Past, event: Event) -> bool:
    """When a stay ends or is called off, its folio is closed unless something is due."""
    folios = [_folio_of(db, booking.reservation_id) for booking in _ended(event, OVER)]
    return all(folio.status == "closed" or folio.due > 0 for folio in folios)


def nobody_pays_more_than_is_due(db: Database, past: Past, event: Event) -> bool:
    """No more is taken than is due, before check-in than the price of the stay (clause 6.1)."""
    return all(
        -folio.due <= (booking.total if booking.status == "confirmed" else 0)
        for folio in [db.folios.get(change.after.folio_id) for change in _new(event, "payments")]
        for booking in [db.reservations.get(folio.reservation_id)]
    )


def money_goes_back_only_where_too_much_was_paid(db: Database, past: Past, event: Event) -> bool:
    """What goes back was paid above the charges, and above the deposit to come (clause 6.4)."""
    return all(
        -folio.due >= (booking.deposit_due if booking.status == "confirmed" else 0)
        for folio in [db.folios.get(payment.folio_id) for payment in _paid_back(db, event)]
        for booking in [db.reservations.get(folio.reservation_id)]
    )


def no_folio_charges_less_than_nothing(db: Database, folio: Folio) -> bool:
    """Discounts take off no more than is charged (clause 6.4)."""
    return folio.charged >= 0


def vouchers_are_spent_by_their_owner(db: Database, past: Past, event: Event) -> bool:
    """A voucher pays for its owner alone, and within its date (clause 6.5)."""
    return all(
        voucher.guest_id == _booking_of(db, change.after.folio_id).guest_id
        and voucher.expires_on >= db.today()
        for change in _new(event, "payments")
        if change.after.voucher_id is not None
        for voucher in [db.vouchers.get(change.after.voucher_id)]
    )


def points_pay_their_worth(db: Database, folio: Folio) -> bool:
    """For each 1.00 paid with points and not given back, 100 points are gone (clause 6.7)."""
    paid = db.payments.where(folio_id=folio.folio_id, method="points")
    gone = [
        entry.change
        for entry in db.points_entries.where(reservation_id=folio.reservation_id)
        if entry.reason in ("redeemed", "returned")
    ]
    return sum(gone) == -100 * sum((one.amount - one.refunded for one in paid), Decimal(0))


def closed_folios_take_nothing(db: Database, past: Past, event: Event) -> bool:
    """A closed folio takes no charges and payments (clause 6.10)."""
    return all(
        change.before.status == "open"
        or (change.before.charged, change.before.paid) == (change.after.charged, change.after.paid)
        for change in _changed(event, "folios")
    )


def folios_are_reopened_within_30_days(db: Database, past: Past, event: Event) -> bool:
    """A folio is reopened within 30 days of when it was closed (clause 6.10)."""
    return all(
        change.before.closed_at is None or (db.today() - change.before.closed_at.date()).days <= 30
        for change in _changed(event, "folios")
    )


def vouchers_are_within_bounds(db: Database, past: Past, event: Event) -> bool:
    """A voucher is worth 10 to 1,000 for 30 to 500 days, as goodwill at most 200 (clause 6.11)."""
    return all(
        10 <= change.after.value <= (200 if change.after.reason == "goodwill" else 1000)
        and 30 <= (change.after.expires_on - db.today()).days <= 500
        for change in _new(event, "vouchers")
    )


def spent_vouchers_are_not_voided(db: Database, past: Past, event: Event) -> bool:
    """A voucher of which something is spent is not voided (clause 6.11)."""
    changed = [change.after for change in _changed(event, "vouchers")]
    return all(one.status != "void" or one.balance == one.value for one in changed)


def who_leaves_is_credited_the_stay(db: Database, past: Past, event: Event) -> bool:
    """The nights that who checks out has slept count for their tier (clause 6.16)."""
    guests = _changed(event, "guests")
    credited = [one.key for one in guests if one.before.nights_stayed < one.after.nights_stayed]
    left = [db.reservations.get(reservation_id) for reservation_id in _left(event)]
    return all(one.guest_id in credited or one.arrival == db.today() for one in left)


def who_leaves_gets_points_once(db: Database, booking: Reservation) -> bool:
    """Points are given once for a stay at most, when the guest has left (clause 6.16)."""
    given = db.points_entries.where(reservation_id=booking.reservation_id, reason="stay")
    return len(given) <= (1 if booking.status == "checked_out" else 0)


def complaints_are_made_up_for_within_bounds(db: Database, complaint: Complaint) -> bool:
    """A complaint brings no more points than its severity allows (clause 7.8)."""
    most = {"minor": 1000, "serious": 5000, "severe": 20000}
    return 0 <= complaint.points <= most[complaint.severity]


def points_of_complaints_are_given(db: Database, booking: Reservation) -> bool:
    """The points that complaints are said to have brought are those on the account."""
    said = [one.points for one in db.complaints.where(reservation_id=booking.reservation_id)]
    given = db.points_entries.where(reservation_id=booking.reservation_id, reason="compensation")
    return sum(said) == sum(entry.change for entry in given)


REOPEN_DAYS = 30


def _price_of_night(
    db: Database, booking: Reservation, room_type_id: RoomTypeId, night: date
) -> Decimal:
    """Return what a night costs at the rate and for the party booked."""
    plan = db.rate_plans.get(booking.rate_plan_id)
    price = db.room_types.get(room_type_id).base_rate * plan.base_percent / 100
    price = price * Decimal("1.15") if night.weekday() in (4, 5) else price
    price = price * Decimal("1.20") if night.month in (6, 7, 8, 9) else price
    meals = plan.board_price * booking.adults + plan.board_price * booking.children / 2
    return money(price + meals)


def _last_free_day(db: Database, booking: Reservation) -> date:
    """Return until when a guest who leaves today pays: no night after it is owed."""
    plan = db.rate_plans.get(booking.rate_plan_id)
    if plan.free_cancel_days is None:
        return booking.departure
    return max(db.today(), booking.arrival + timedelta(days=max(1, plan.min_nights)))


def a_deposit_paid_stays_a_deposit(db: Database, past: Past, event: Event) -> bool:
    """What was paid of a deposit stays one when the booking is changed (clause 4.5)."""
    changed = [
        change
        for change in _changed(event, "reservations")
        if change.before.status == "confirmed" and change.after.status == "confirmed"
    ]
    return all(
        change.after.deposit_due >= min(change.before.deposit_due, folio.paid - folio.charged)
        for change in changed
        for folio in db.folios.where(reservation_id=change.after.reservation_id)
    )


def added_nights_have_the_price_booked(db: Database, past: Past, event: Event) -> bool:
    """A night added to a stay costs what the type and rate booked cost (clause 5.4)."""
    longer = [
        change
        for change in _changed(event, "reservations")
        if change.before.status == "checked_in"
        and len(change.after.nights) > len(change.before.nights)
    ]
    return all(
        rate.amount == _price_of_night(db, change.after, stay.booked_type_id, rate.night)
        for change in longer
        for stay in db.stays.where(reservation_id=change.after.reservation_id)
        for rate in change.after.nights[len(change.before.nights) :]
    )


def nights_not_slept_are_given_back(db: Database, past: Past, event: Event) -> bool:
    """Who leaves early pays no night that the rate gives back (clause 5.5)."""
    left = [db.reservations.get(reservation_id) for reservation_id in _left(event)]
    return not any(
        charge.night is not None
        and charge.night >= _last_free_day(db, booking)
        and not charge.voided
        for booking in left
        for folio in db.folios.where(reservation_id=booking.reservation_id)
        for charge in db.charges.where(folio_id=folio.folio_id)
    )


def who_checks_in_has_paid_what_was_charged(db: Database, past: Past, event: Event) -> bool:
    """What was charged before check-in is paid besides the deposit (clause 5.1)."""
    nights = sum(
        (
            change.after.amount
            for change in _new(event, "charges")
            if change.after.night is not None
        ),
        Decimal(0),
    )
    return all(
        folio.paid >= db.reservations.get(reservation_id).deposit_due + folio.charged - nights
        for reservation_id in _arrived(event)
        for folio in db.folios.where(reservation_id=reservation_id)
    )


def folios_reopen_soon_after_the_stay(db: Database, past: Past, event: Event) -> bool:
    """A folio is opened again within 30 days of check-out, however often (clause 6.10)."""
    opened = [
        change.after.reservation_id
        for change in _changed(event, "folios")
        if change.before.status == "closed" and change.after.status == "open"
    ]
    return all(
        stay.checked_out_at is None or (db.today() - stay.checked_out_at.date()).days <= REOPEN_DAYS
        for reservation_id in opened
        for stay in db.stays.where(reservation_id=reservation_id)
    )


def the_share_kept_never_falls(db: Database, past: Past, event: Event) -> bool:
    """Of a booking that is not free to cancel, no change lowers the share kept (clause 4.3)."""
    return all(
        _can_go_free(db, change.before)
        or _terms(db, change.after).late_cancel_percent
        >= _terms(db, change.before).late_cancel_percent
        for change in _altered(event)
    )


def who_may_leave_today_has_what_is_to_come_settled(db: Database, past: Past, event: Event) -> bool:
    """A service of today is completed ahead for a guest who may check out (clause 5.9)."""
    if event.tool != "complete_service" or event.code != "service_not_begun":
        return True
    service = db.service_bookings.get(event.argument("booking_id"))
    booking = db.reservations.get(service.reservation_id)
    return service.starts_at.date() != db.today() or not _may_leave_today(db, booking)


def a_grievance_is_made_up_for_once(db: Database, booking: Reservation) -> bool:
    """Complaints of one kind bring, in a stay, no more than the worst of them (clause 7.8)."""
    most = {"minor": 1000, "serious": 5000, "severe": 20000}
    complaints = db.complaints.where(reservation_id=booking.reservation_id)
    return all(
        sum(one.points for one in complaints if one.category == complaint.category)
        <= max(most[one.severity] for one in complaints if one.category == complaint.category)
        for complaint in complaints
    )


def vouchers_are_extended_by_500_days_at_most(db: Database, past: Past, event: Event) -> bool:
    """A voucher is extended to a later day, within 500 days (clause 6.11)."""
    return all(
        change.before.expires_on < change.after.expires_on
        and 0 < (change.after.expires_on - db.today()).days <= 500
        for change in _changed(event, "vouchers")
        if change.before.expires_on != change.after.expires_on
    )


def goodwill_is_200_a_month_at_most(db: Database, past: Past, event: Event) -> bool:
    """A guest gets no more than 200.00 of goodwill vouchers in 30 days (clause 6.11)."""
    return all(
        sum(
            (
                voucher.value
                for voucher in db.vouchers.where(guest_id=change.after.guest_id, reason="goodwill")
                if voucher.status != "void" and voucher.issued_on > db.today() - timedelta(days=30)
            ),
            Decimal(0),
        )
        <= 200
        for change in _new(event, "vouchers")
        if change.after.reason == "goodwill"
    )


def who_did_not_come_pays_the_fee_at_most(db: Database, past: Past, event: Event) -> bool:
    """Once the day of arrival is over, no more is taken than a no-show costs (clause 4.12)."""
    return all(
        -folio.due
        <= money(booking.total * _terms(db, booking).late_cancel_percent / 100)
        + sum((service.price for service in services), Decimal(0))
        for change in _new(event, "payments")
        for folio in [db.folios.get(change.after.folio_id)]
        for booking in [db.reservations.get(folio.reservation_id)]
        for services in [
            db.service_bookings.where(reservation_id=booking.reservation_id, status="booked")
        ]
        if booking.status == "confirmed" and booking.arrival < db.today()
    )


def _lines_of_a_stay(db: Database, stay: Stay) -> Decimal:
    """Return what goes with a day of leaving: late hours, and services that are to come."""
    folio = _folio_of(db, stay.reservation_id)
    return sum(
        (
            line.amount
            for line in db.charges.where(folio_id=folio.folio_id)
            if not line.voided and (line.kind == "late_checkout" or _is_ahead(db, line))
        ),
        Decimal(0),
    )


def _is_ahead(db: Database, line: Charge) -> bool:
    if line.booking_id is None:
        return False
    service = db.service_bookings.get(line.booking_id)
    return service.status == "completed" and service.starts_at > db.now()


def discounts_keep_nobody_from_paying_more(db: Database, past: Past, event: Event) -> bool:
    """No discount is in the way of hours or nights that come to more than it (clause 6.4)."""
    if event.tool not in ("grant_late_checkout", "extend_stay") or (
        event.code != "discount_too_large"
    ):
        return True
    stay = db.stays.get(event.argument("stay_id"))
    booking = db.reservations.get(stay.reservation_id)
    left = _folio_of(db, stay.reservation_id).charged - _lines_of_a_stay(db, stay)
    if event.tool == "grant_late_checkout":
        is_free = db.guests.get(booking.guest_id).tier in ("gold", "platinum")
        added = Decimal(0) if is_free else Decimal(20 * event.argument("hours"))
        return left + added < 0
    last = date.fromisoformat(event.argument("departure"))
    nights = [booking.departure + timedelta(days=n) for n in range((last - booking.departure).days)]
    added = sum(
        (_price_of_night(db, booking, stay.booked_type_id, night) for night in nights), Decimal(0)
    )
    return left + added < 0


def points_are_for_nights_less_discounts(db: Database, past: Past, event: Event) -> bool:
    """Who leaves gets points for what the nights cost less the discounts (clause 6.16)."""
    a_euro = {"classic": 5, "silver": 6, "gold": 8, "platinum": 10}
    tiers = {change.key: change.before.tier for change in _changed(event, "guests")}
    given = sum(
        change.after.change
        for change in _new(event, "points_entries")
        if change.after.reason == "stay"
    )
    return all(
        given == max(0, int(cost * a_euro[tiers[booking.guest_id]]))
        for booking in [db.reservations.get(reservation_id) for reservation_id in _left(event)]
        for lines in [[*_lines(db, booking, "room_night"), *_lines(db, booking, "discount")]]
        for cost in [sum((line.amount for line in lines), Decimal(0))]
    )


def services_are_settled_before_the_folio(db: Database, past: Past, event: Event) -> bool:
    """Nobody pays to check out while a service is open that may add to the folio (clause 5.9)."""
    if event.tool != "check_out" or event.code not in ("not_settled", "overpaid"):
        return True
    stay = db.stays.get(event.argument("stay_id"))
    return not db.service_bookings.where(reservation_id=stay.reservation_id, status="booked")


def only_vouchers_that_may_be_are_extended(db: Database, past: Past, event: Event) -> bool:
    """No promotion is extended, and nothing that ran out over 90 days ago (clause 6.6)."""
    return all(
        change.before.reason != "promotion"
        and change.before.expires_on >= db.today() - timedelta(days=90)
        for change in _changed(event, "vouchers")
        if change.before.expires_on != change.after.expires_on
    )


def who_leaves_gets_back_what_is_over(db: Database, past: Past, event: Event) -> bool:
    """Nobody is kept from checking out because too much was paid: it goes back then (5.9)."""
    return event.tool != "check_out" or event.code != "overpaid"


def what_was_called_off_and_paid_has_no_open_folio(db: Database, past: Past, event: Event) -> bool:
    """With what is still due of a booking called off its folio is closed (clause 6.10)."""
    folios = [db.folios.get(change.after.folio_id) for change in _new(event, "payments")]
    return all(
        folio.due != 0 or folio.status == "closed"
        for folio in folios
        if db.reservations.get(folio.reservation_id).status in ("cancelled", "no_show")
    )


WORK = ("housekeeping_tasks", "maintenance_tickets", "guest_requests")


def guests_get_clean_rooms(db: Database, past: Past, event: Event) -> bool:
    """Who checks in or moves gets a room that is clean (clause 5.2)."""
    return all(
        db.rooms.get(change.after.room_id).condition == "clean"
        for change in [*_new(event, "stays"), *_moved(event)]
    )


def blocked_rooms_are_set_aside_for_nobody(db: Database, room: Room) -> bool:
    """A room that is out of order is set aside for nobody (clause 8.1)."""
    return room.condition != "out_of_order" or not any(
        booking.arrival >= db.today()
        for booking in db.reservations.where(room_id=room.room_id, status="confirmed")
    )


def tasks_given_out_are_begun(db: Database, task: HousekeepingTask) -> bool:
    """A housekeeping task waits just as long as nobody has it (clause 8.4)."""
    return task.status == "cancelled" or (task.status == "open") == (task.employee_id is None)


def tickets_given_out_are_begun(db: Database, ticket: MaintenanceTicket) -> bool:
    """A maintenance ticket waits just as long as nobody has it (clause 8.4)."""
    return ticket.status == "cancelled" or (ticket.status == "open") == (ticket.employee_id is None)


def work_that_is_over_does_not_change(db: Database, past: Past, event: Event) -> bool:
    """Work that is done or called off is neither given out nor ended again (clause 8.4)."""
    changed = [change.before for table in WORK for change in _changed(event, table)]
    return all(work.status not in ("done", "cancelled") for work in changed)


def a_room_that_was_left_is_cleaned(db: Database, past: Past, event: Event) -> bool:
    """A room that a guest has left is cleaned before it is given out (clause 8.5)."""
    departed = [db.stays.where(reservation_id=reservation_id)[0] for reservation_id in _left(event)]
    left = [*departed, *[change.before for change in _moved(event)]]
    return all(db.rooms.get(stay.room_id).condition != "clean" for stay in left)


def dirty_rooms_wait_for_cleaning(db: Database, room: Room) -> bool:
    """A dirty room has a cleaning that is still to be done (clause 8.5)."""
    return room.condition != "dirty" or any(
        _would_clean(db, task) and task.status in ("open", "in_progress")
        for task in db.housekeeping_tasks.where(room_id=room.room_id)
    )


def a_fault_is_reported_once(db: Database, ticket: MaintenanceTicket) -> bool:
    """Of a room, one ticket about the same thing is not over (clause 8.9)."""
    others = db.maintenance_tickets.where(room_id=ticket.room_id, category=ticket.category)
    return len([other for other in others if other.closed_at is None]) <= 1


def housekeeping_is_planned_60_days_ahead(db: Database, past: Past, event: Event) -> bool:
    """Housekeeping is planned for a day from today on, within 60 days (clause 8.12)."""
    return all(
        0 <= (change.after.due_on - db.today()).days <= 60
        for change in _new(event, "housekeeping_tasks")
    )


def _would_clean(db: Database, task: HousekeepingTask) -> bool:
    """Return whether a task makes its room clean, as long as nobody comes or goes."""
    guests = db.stays.where(room_id=task.room_id, status="in_house")
    return task.kind == "deep_clean" or task.kind == (
        "stayover_clean" if guests else "departure_clean"
    )


def a_dirty_room_keeps_its_cleaning(db: Database, past: Past, event: Event) -> bool:
    """The only cleaning of a dirty room that is due by then is not called off (clause 8.5)."""
    called_off = [
        change.after
        for change in _changed(event, "housekeeping_tasks")
        if change.after.status == "cancelled"
        and _would_clean(db, change.after)
        and db.rooms.get(change.after.room_id).condition == "dirty"
    ]
    return all(
        any(
            _would_clean(db, other)
            and other.status in ("open", "in_progress")
            and other.due_on <= task.due_on
            for other in db.housekeeping_tasks.where(room_id=task.room_id)
        )
        for task in called_off
    )


def who_has_left_is_cleaned_up_after(db: Database, past: Past, event: Event) -> bool:
    """No room that is empty is made clean by a cleaning between nights (clause 8.5)."""
    made_clean = [
        change.after.room_id
        for change in _changed(event, "rooms")
        if change.before.condition == "dirty" and change.after.condition == "clean"
    ]
    return not any(
        change.after.kind == "stayover_clean"
        and change.after.room_id in made_clean
        and len(db.stays.where(room_id=change.after.room_id, status="in_house")) == 0
        for change in _changed(event, "housekeeping_tasks")
    )


def the_same_work_is_planned_once(db: Database, task: HousekeepingTask) -> bool:
    """What is planned already is not planned again for the same day (clause 8.12)."""
    alike = [
        other.task_id
        for other in db.housekeeping_tasks.where(room_id=task.room_id, kind=task.kind)
        if other.due_on == task.due_on and other.status in ("open", "in_progress")
    ]
    return len(alike) <= 1


def a_room_left_in_mid_stay_is_cleaned_soon(db: Database, past: Past, event: Event) -> bool:
    """The room of a guest who moves is cleaned today, at high priority at least (clause 8.5)."""
    return all(
        any(
            task.due_on == db.today()
            and task.priority in ("high", "urgent")
            and task.status in ("open", "in_progress")
            for task in db.housekeeping_tasks.where(
                room_id=change.before.room_id, kind="departure_clean"
            )
        )
        for change in _moved(event)
    )


def _dates(reservation: Reservation) -> tuple[date, date]:
    return reservation.arrival, reservation.departure


def nobody_gets_a_room_with_an_urgent_fault(db: Database, past: Past, event: Event) -> bool:
    """A room with an urgent fault is given to nobody, and set aside for nobody (clause 8.9)."""
    given = [change.after.room_id for change in [*_new(event, "stays"), *_moved(event)]]
    set_aside = [
        change.after.room_id
        for change in _altered(event)
        if change.after.room_id not in (None, change.before.room_id)
        or (change.after.room_id is not None and _dates(change.after) != _dates(change.before))
    ]
    return not any(_has_urgent_fault(db, db.rooms.get(one)) for one in [*given, *set_aside])


def nobody_is_sent_to_a_room_with_an_urgent_fault(db: Database, past: Past, event: Event) -> bool:
    """A room with an urgent fault is no reason to refuse a better one (clauses 5.3 and 8.9)."""
    if event.tool != "move_room" or event.code != "better_not_needed":
        return True
    stay, new = db.stays.get(event.argument("stay_id")), db.rooms.get(event.argument("room_id"))
    wanted = db.room_types.get(new.room_type_id)
    return any(
        room.condition == "clean"
        and db.room_types.get(room.room_type_id).base_rate <= wanted.base_rate
        and len(db.stays.where(room_id=room.room_id, status="in_house")) == 0
        and not _has_urgent_fault(db, room)
        for room in db.rooms.where(hotel_id=stay.hotel_id)
        if room.room_id != new.room_id
    )


def what_is_worse_than_noted_can_be_said(db: Database, past: Past, event: Event) -> bool:
    """A report is refused as known only if no more was said than was noted (clause 8.6)."""
    if event.tool != "report_fault" or event.code != "duplicate":
        return True
    known = db.maintenance_tickets.where(
        room_id=event.argument("room_id"), category=event.argument("category")
    )
    return event.argument("priority") != "urgent" or any(
        ticket.closed_at is None and ticket.priority == "urgent" for ticket in known
    )


def what_is_reported_is_noted(db: Database, past: Past, event: Event) -> bool:
    """A fault is noted in the words and as urgent as it is reported, the room blocked (8.6)."""
    reported = [
        change.after
        for change in event.changes
        if change.table == "maintenance_tickets" and event.tool == "report_fault"
    ]
    is_urgent, blocks = event.argument("priority") == "urgent", event.argument("blocks_room")
    return all(
        (ticket.priority == "urgent" or not is_urgent)
        and (not blocks or ticket.blocks_room)
        and (not blocks or db.rooms.get(ticket.room_id).condition == "out_of_order")
        and event.argument("description").strip() in ticket.description
        for ticket in reported
    )


def faults_are_described_in_a_thousand_characters(db: Database, ticket: MaintenanceTicket) -> bool:
    """However often a fault is reported, its description is as short as any text (clause 8.6)."""
    return len(ticket.description) <= 1000


def nothing_is_done_between_nights_of_who_left(db: Database, past: Past, event: Event) -> bool:
    """Nothing of today waits in a room for the guest who has left it, or moved (clause 8.5)."""
    departed = [db.stays.where(reservation_id=reservation_id)[0] for reservation_id in _left(event)]
    left = [*departed, *[change.before for change in _moved(event)]]
    return not any(
        task.kind in ("stayover_clean", "turndown")
        and task.status in ("open", "in_progress")
        and task.due_on <= db.today()
        for stay in left
        for task in db.housekeeping_tasks.where(room_id=stay.room_id)
    )


def rooms_are_seen_to_on_their_day(db: Database, past: Past, event: Event) -> bool:
    """What is planned in a room is not recorded as done before its day (clause 8.4)."""
    return all(
        change.after.due_on <= db.today()
        for change in _changed(event, "housekeeping_tasks")
        if change.before.status != change.after.status == "done"
    )


def a_fault_that_blocks_nothing_sends_nobody_away(db: Database, past: Past, event: Event) -> bool:
    """A fault that may not block its room is still reported without that (clause 8.1)."""
    return (
        event.tool != "report_fault"
        or event.argument("blocks_room") is True
        or (event.code not in ("room_occupied", "room_taken", "sold_out"))
    )


def who_did_not_come_is_listed_in_no_room(db: Database, past: Past, event: Event) -> bool:
    """The list of a room names nobody who did not come: they hold none (clause 4.12)."""
    if event.tool != "list_room_reservations" or not event.ok:
        return True
    return all(line.status != "confirmed" or line.arrival >= db.today() for line in event.result)


TRADES = {"housekeeping_tasks": "housekeeper", "maintenance_tickets": "technician"}
FIXED_KINDS = (
    "room_night", "city_tax", "cancellation_fee", "no_show_fee", "discount", "late_checkout",
)  # fmt: skip


def work_is_given_to_who_can_do_it(db: Database, past: Past, event: Event) -> bool:
    """Work is given to staff on shift, of the trade and of the hotel (clause 8.3)."""
    return all(
        employee.on_shift
        and employee.hotel_id == change.after.hotel_id
        and employee.role == TRADES.get(table, employee.role)
        for table in WORK
        for change in _changed(event, table)
        if change.after.employee_id not in (None, change.before.employee_id)
        for employee in [db.employees.get(change.after.employee_id)]
    )


def work_that_is_done_was_given(db: Database, past: Past, event: Event) -> bool:
    """Work is recorded as done by somebody who had it (clause 8.4)."""
    ended = [change for table in WORK for change in _changed(event, table)]
    return all(
        change.before.employee_id is not None
        and change.after.employee_id == change.before.employee_id
        for change in ended
        if change.after.status == "done"
    )


def work_is_given_out_as_asked(db: Database, past: Past, event: Event) -> bool:
    """Whoever is named for a piece of work has it, and goes about it (clause 8.11)."""
    named = event.argument("employee_id")
    given = [change.after for table in WORK for change in _changed(event, table)]
    return named is None or all(
        work.employee_id == named and work.status == "in_progress" for work in given
    )


def work_that_ends_is_over(db: Database, past: Past, event: Event) -> bool:
    """Work that is said to be done or called off is over."""
    ending = event.tool.startswith(("complete_", "cancel_", "close_maintenance"))
    ended = [change.after.status for table in WORK for change in _changed(event, table)]
    is_moved_to = event.tool.startswith("cancel_reservation")
    return is_moved_to or not ending or all(status in ("done", "cancelled") for status in ended)


def guests_get_the_type_booked(db: Database, past: Past, event: Event) -> bool:
    """Who checks in, or has a room set aside, gets one of the type booked (clause 5.2)."""
    given = [
        change.after
        for change in _changed(event, "reservations")
        if change.after.room_id is not None
        and change.after.room_id != change.before.room_id
        and (change.before.status, change.after.status) != ("checked_in", "checked_in")
    ]
    return all(db.rooms.get(one.room_id).room_type_id == one.room_type_id for one in given)


def nobody_moves_to_less_than_booked(db: Database, past: Past, event: Event) -> bool:
    """Nobody is moved to a cheaper type than booked, or to another hotel (clause 5.3)."""
    return all(
        room.hotel_id == change.after.hotel_id
        and db.room_types.get(room.room_type_id).base_rate
        >= db.room_types.get(change.after.booked_type_id).base_rate
        for change in _moved(event)
        for room in [db.rooms.get(change.after.room_id)]
    )


def two_are_not_given_a_room(db: Database, past: Past, event: Event) -> bool:
    """Nobody gets a room on nights for which it is somebody else's (clauses 5.2 and 5.15)."""
    given = [
        change.after
        for change in event.changes
        if change.table == "reservations"
        and change.after.room_id is not None
        and _takes_a_room(db, change.after)
    ]
    return not any(
        other.reservation_id != booking.reservation_id
        and _takes_a_room(db, other)
        and other.arrival < booking.departure
        and booking.arrival < other.departure
        and db.today() < other.departure
        for booking in given
        for other in db.reservations.where(room_id=booking.room_id)
    )


def stays_and_bookings_have_one_room(db: Database, stay: Stay) -> bool:
    """Who is in the house lives in the room that their booking has."""
    booking = db.reservations.get(stay.reservation_id)
    return stay.status != "in_house" or (
        booking.room_id == stay.room_id
        and booking.status == "checked_in"
        and db.rooms.get(stay.room_id).room_type_id == booking.room_type_id
    )


def folios_close_when_all_is_over(db: Database, past: Past, event: Event) -> bool:
    """A folio is closed when the stay is over and it is even, at that moment (clause 6.10)."""
    closed = [
        change.after
        for change in _changed(event, "folios")
        if change.before.status == "open" and change.after.status == "closed"
    ]
    return all(
        folio.due == 0
        and folio.closed_at == db.now()
        and db.reservations.get(folio.reservation_id).status in OVER
        for folio in closed
    )


def folios_are_opened_and_closed_as_asked(db: Database, past: Past, event: Event) -> bool:
    """A folio that is opened again is open, and one that is closed is closed (clause 6.10)."""
    wanted = {"reopen_folio": "open", "close_folio": "closed", "check_out": "closed"}
    ended = [change.after.status for change in _changed(event, "folios")]
    return not event.ok or event.tool not in wanted or wanted[event.tool] in ended


def vouchers_have_what_was_not_spent(db: Database, voucher: Voucher) -> bool:
    """What is left on a voucher is its value less what was spent and not given back."""
    paid = db.payments.where(voucher_id=voucher.voucher_id)
    spent = sum((one.amount - one.refunded for one in paid), Decimal(0))
    is_known = len(paid) > 0 or voucher.issued_on == db.today()
    return not is_known or voucher.value - voucher.balance == spent


def only_what_can_be_spent_is(db: Database, past: Past, event: Event) -> bool:
    """A voucher that is used or void is not spent and not extended (clauses 6.5 and 6.6)."""
    return all(
        change.before.status == "active"
        for change in _changed(event, "vouchers")
        if change.after.balance < change.before.balance
        or change.after.expires_on != change.before.expires_on
        or change.after.status == "void"
    )


def what_went_back_is_noted(db: Database, payment: Payment) -> bool:
    """Of a payment as much is given back as its refunds come to, and no more (clause 6.4)."""
    back = sum((one.amount for one in db.refunds.where(payment_id=payment.payment_id)), Decimal(0))
    return payment.refunded == back <= payment.amount


def folios_add_up(db: Database, folio: Folio) -> bool:
    """A folio charges what its lines come to, and has paid what its payments do."""
    lines = db.charges.where(folio_id=folio.folio_id)
    paid = db.payments.where(folio_id=folio.folio_id)
    return (
        folio.charged == sum((one.amount for one in lines if not one.voided), Decimal(0))
        and folio.paid == sum((one.amount - one.refunded for one in paid), Decimal(0))
        and folio.due == folio.charged - folio.paid
    )


def only_what_was_had_moves(db: Database, past: Past, event: Event) -> bool:
    """Only what a guest had or broke moves to another folio of the hotel (clause 6.9)."""
    return all(
        change.before.kind not in FIXED_KINDS
        and not change.before.voided
        and db.folios.get(change.before.folio_id).hotel_id
        == db.folios.get(change.after.folio_id).hotel_id
        for change in _changed(event, "charges")
        if change.before.folio_id != change.after.folio_id
    )


def lines_are_taken_back_once(db: Database, past: Past, event: Event) -> bool:
    """A line that was taken back stays so, and nothing of it is changed (clause 6.9)."""
    return all(
        not change.before.voided and change.after.void_reason is not None
        for change in _changed(event, "charges")
        if change.after.voided or change.before.voided
    )


def complaints_are_closed_once(db: Database, past: Past, event: Event) -> bool:
    """A complaint that is resolved stays as it is, and one is resolved as asked (clause 7.6)."""
    return all(
        change.before.status == "open"
        and change.after.status == "resolved"
        and change.after.resolved_at == db.now()
        and change.after.points == (event.argument("points") or 0)
        for change in _changed(event, "complaints")
    )


def a_complaint_of_a_kind_is_open_once(db: Database, complaint: Complaint) -> bool:
    """A complaint of the same kind that is open is not taken down twice (clause 7.6)."""
    alike = db.complaints.where(
        reservation_id=complaint.reservation_id, category=complaint.category, status="open"
    )
    return len(alike) <= 1


def who_complains_stays_or_stayed(db: Database, past: Past, event: Event) -> bool:
    """Complain can who stays or has stayed (clause 7.6)."""
    return all(
        db.reservations.get(change.after.reservation_id).status in CAME
        for change in _new(event, "complaints")
    )


def bookings_end_as_asked(db: Database, past: Past, event: Event) -> bool:
    """What is cancelled, missed, checked in or checked out is so, from then on (clause 4.1)."""
    wanted = {
        "cancel_reservation": "cancelled", "mark_no_show": "no_show",
        "check_in": "checked_in", "check_out": "checked_out",
    }  # fmt: skip
    changed = [change.after for change in _changed(event, "reservations")]
    return (
        not event.ok
        or event.tool not in wanted
        or all(
            one.status == wanted[event.tool]
            and (one.status != "cancelled" or one.cancelled_at == db.now())
            for one in changed
        )
    )


def payments_are_numbered_in_their_order(db: Database, folio: Folio) -> bool:
    """The payment with the highest number is the latest one (clause 6.14)."""
    times = [payment.paid_at for payment in db.payments.where(folio_id=folio.folio_id)]
    return times == sorted(times)


def banned_guests_get_nothing_new(db: Database, past: Past, event: Event) -> bool:
    """A banned guest is not booked, not checked in, and gets no voucher (clause 1.6)."""
    arrived = [db.reservations.get(reservation_id).guest_id for reservation_id in _arrived(event)]
    given = [*_new(event, "reservations"), *_new(event, "vouchers")]
    return not any(
        db.guests.get(guest_id).banned
        for guest_id in [*arrived, *[change.after.guest_id for change in given]]
    )


def stays_last_a_month_at_most(db: Database, booking: Reservation) -> bool:
    """A stay has 1 to 30 nights (clause 3.1)."""
    return 1 <= len(booking.nights) <= 30


def stays_begin_within_500_days(db: Database, past: Past, event: Event) -> bool:
    """A stay that is booked or moved begins today or within 500 days (clause 3.1)."""
    return all(
        0 <= (change.after.arrival - db.today()).days <= 500
        for change in [*_new(event, "reservations"), *_altered(event)]
        if change.before is None or change.before.arrival != change.after.arrival
    )


def guests_arrive_on_their_day(db: Database, past: Past, event: Event) -> bool:
    """A guest checks in on the day of arrival only (clause 5.1)."""
    arrived = [db.reservations.get(reservation_id) for reservation_id in _arrived(event)]
    return all(booking.arrival == db.today() for booking in arrived)


def who_moves_stays_on(db: Database, past: Past, event: Event) -> bool:
    """Nobody moves on the day of leaving (clause 5.3)."""
    bookings = [db.reservations.get(change.after.reservation_id) for change in _moved(event)]
    return all(booking.departure > db.today() for booking in bookings)


def late_checkout_has_its_price(db: Database, past: Past, event: Event) -> bool:
    """An hour of late check-out costs 20.00, and nothing for gold and platinum (clause 5.7)."""
    charged = sum((change.after.amount for change in _new(event, "charges")), Decimal(0))
    granted = [
        change.after
        for change in _changed(event, "stays")
        if change.before.late_checkout_hours < change.after.late_checkout_hours
    ]
    return all(
        charged == (0 if guest.tier in ("gold", "platinum") else 20 * stay.late_checkout_hours)
        for stay in granted
        for guest in [db.guests.get(db.reservations.get(stay.reservation_id).guest_id)]
    )


def late_checkout_is_of_the_last_day(db: Database, past: Past, event: Event) -> bool:
    """Who stays longer or leaves earlier is granted late check-out anew (clause 5.8)."""
    return all(
        stay.late_checkout_hours == 0
        for change in _changed(event, "reservations")
        if change.before.departure != change.after.departure
        for stay in db.stays.where(reservation_id=change.after.reservation_id)
    )


def _is_wanted_by(db: Database, room: Room, booking: Reservation) -> bool:
    """Return whether a room is set aside for others while a guest is still there."""
    return any(
        other.reservation_id != booking.reservation_id
        and _takes_a_room(db, other)
        and other.arrival < booking.departure
        and db.today() < other.departure
        for other in db.reservations.where(room_id=room.room_id)
    )


def better_rooms_are_given_only_where_needed(db: Database, past: Past, event: Event) -> bool:
    """Nobody moves to another type while a room of the type booked is ready (clause 5.3)."""
    moved = [
        change.after
        for change in _changed(event, "stays")
        if change.before.room_id != change.after.room_id
        and db.rooms.get(change.after.room_id).room_type_id != change.after.booked_type_id
    ]
    left = [change.before.room_id for change in _changed(event, "stays")]
    return not any(
        room.room_id not in left
        for stay in moved
        for room in _ready_as_booked(db, stay, db.reservations.get(stay.reservation_id))
    )


def _ready_as_booked(db: Database, stay: Stay, booking: Reservation) -> list[Room]:
    """Return the rooms of the type booked in which a guest could live from now on."""
    nights = [rate.night for rate in booking.nights if rate.night >= db.today()]
    return [
        room
        for room in db.rooms.where(room_type_id=stay.booked_type_id)
        if room.condition == "clean"
        and len(db.stays.where(room_id=room.room_id, status="in_house")) == 0
        and not _is_wanted_by(db, room, booking)
        and not _has_urgent_fault(db, room)
        and _rooms_left(db, room.room_type_id, nights, booking.reservation_id) > 0
    ]


def stays_are_as_long_as_their_rate_asks(db: Database, booking: Reservation) -> bool:
    """A rate is sold from its shortest stay on, and no stay becomes shorter (clause 3.4)."""
    return len(booking.nights) >= db.rate_plans.get(booking.rate_plan_id).min_nights


def companions_have_a_place(db: Database, booking: Reservation) -> bool:
    """Who is named takes an adult's or a child's place, the guest's own aside (clause 4.6)."""
    children = len([one for one in booking.companions if one.child])
    return children <= booking.children and len(booking.companions) - children < booking.adults


def what_is_to_be_seen_to_is_within_the_stay(db: Database, booking: Reservation) -> bool:
    """What is still to be seen to is for a day of the stay (clause 7.11)."""
    return all(
        booking.arrival <= request.wanted_on <= booking.departure
        for request in db.guest_requests.where(reservation_id=booking.reservation_id)
        if request.status in ("open", "in_progress")
    )


def late_hours_go_with_their_charge(db: Database, booking: Reservation) -> bool:
    """Of a guest in the house, the hours past noon that are charged are granted (clause 5.8)."""
    charged = sum(
        charge.quantity
        for folio in db.folios.where(reservation_id=booking.reservation_id)
        for charge in db.charges.where(folio_id=folio.folio_id, kind="late_checkout")
        if not charge.voided
    )
    is_free = db.guests.get(booking.guest_id).tier in ("gold", "platinum")
    return all(
        stay.late_checkout_hours == charged or (is_free and charged == 0)
        for stay in db.stays.where(reservation_id=booking.reservation_id, status="in_house")
    )


def who_leaves_today_need_not_move_back(db: Database, past: Past, event: Event) -> bool:
    """Nobody is kept from leaving today because they were given a better room (clause 5.5)."""
    is_kept = event.tool == "shorten_stay" and event.code == "better_not_needed"
    return not is_kept or event.argument("departure") != str(db.today())


def who_is_to_move_back_is_not_told_to_stay(db: Database, past: Past, event: Event) -> bool:
    """Who leaves earlier is told first of the room to move back to, if any (clause 5.5)."""
    if event.tool != "shorten_stay" or event.code != "better_by_longer_stay":
        return True
    stay = db.stays.get(event.argument("stay_id"))
    booking = db.reservations.get(stay.reservation_id)
    lives_as_booked = booking.room_type_id == stay.booked_type_id
    leaves_today = event.argument("departure") == str(db.today())
    return lives_as_booked or leaves_today or len(_ready_as_booked(db, stay, booking)) == 0


def nobody_pays_before_a_room_is_ready(db: Database, past: Past, event: Event) -> bool:
    """The deposit is asked for at check-in only once the room is ready (clause 5.12)."""
    if event.tool != "check_in" or event.code != "deposit_due":
        return True
    booking = db.reservations.get(event.argument("reservation_id"))
    chosen = event.argument("room_id") or booking.room_id
    return any(
        room.room_id == chosen
        and room.condition == "clean"
        and len(db.stays.where(room_id=room.room_id, status="in_house")) == 0
        for room in db.rooms.where(room_type_id=booking.room_type_id)
    )


def who_leaves_within_the_shortest_stay_may_go(db: Database, past: Past, event: Event) -> bool:
    """Who leaves before the shortest stay is over need not make it shorter first (clause 5.5)."""
    if event.tool != "check_out" or event.code != "leaves_earlier":
        return True
    stay = db.stays.get(event.argument("stay_id"))
    return _last_free_day(db, db.reservations.get(stay.reservation_id)) <= db.today()


def who_stays_longer_has_a_room_of_the_type_booked(db: Database, past: Past, event: Event) -> bool:
    """Who stays longer does so in a room of the type booked, and of no better one (clause 5.4)."""
    return all(
        db.rooms.get(stay.room_id).room_type_id == stay.booked_type_id
        for change in _changed(event, "reservations")
        if change.after.departure > change.before.departure
        for stay in db.stays.where(reservation_id=change.key, status="in_house")
    )


def who_stays_on_has_what_is_to_come_before_them(db: Database, booking: Reservation) -> bool:
    """What is to come is completed ahead only for a guest who leaves, or may leave (clause 5.9)."""
    completed = db.service_bookings.where(reservation_id=booking.reservation_id, status="completed")
    return (
        booking.status == "checked_out"
        or _may_leave_today(db, booking)
        or all(service.starts_at <= db.now() for service in completed)
    )


def nobody_left_before_today(db: Database, past: Past, event: Event) -> bool:
    """A stay becomes no shorter than until today, and has a night left (clause 5.5)."""
    return all(
        change.after.departure >= max(db.today(), change.after.arrival + timedelta(days=1))
        for change in _changed(event, "reservations")
        if change.after.departure < change.before.departure
    )


def nobody_moves_up_with_the_day_of_leaving(db: Database, past: Past, event: Event) -> bool:
    """Whose day of leaving moves gets no other room than of the type booked (clause 5.4)."""
    other_days = [
        change.key
        for change in _changed(event, "reservations")
        if change.before.departure != change.after.departure
    ]
    return all(
        db.rooms.get(change.after.room_id).room_type_id == change.after.booked_type_id
        for change in _moved(event)
        if change.after.reservation_id in other_days
    )


def late_hours_end_later_than_now(db: Database, past: Past, event: Event) -> bool:
    """No hour past noon is granted, or given up, that is over already (clauses 5.7 and 5.8)."""
    return all(
        db.reservations.get(change.after.reservation_id).departure > db.today()
        or 12 + change.after.late_checkout_hours > db.now().hour
        for change in _changed(event, "stays")
        if event.tool == "grant_late_checkout"
    )


def nothing_is_taken_on_for_who_did_not_come(db: Database, past: Past, event: Event) -> bool:
    """Once the day of arrival is over no room, service or request is taken on (clause 4.12)."""
    taken_on = [
        *_new(event, "service_bookings"),
        *_new(event, "guest_requests"),
        *[one for one in _altered(event) if one.after.room_id not in (None, one.before.room_id)],
    ]
    bookings = [db.reservations.get(change.after.reservation_id) for change in taken_on]
    return all(one.status != "confirmed" or one.arrival >= db.today() for one in bookings)
