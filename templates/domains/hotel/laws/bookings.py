"""Bookings, their dates, rates and rooms."""


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
