"""Who speaks, what is told, and what may be done for them."""

IDS = (
    "guest_id", "reservation_id", "room_type_id", "rate_plan_id", "room_id", "stay_id", "folio_id",
    "charge_id", "payment_id", "voucher_id", "service_id", "booking_id", "request_id",
    "complaint_id", "task_id", "ticket_id", "employee_id",
)  # fmt: skip
DETAILS = (
    "arrival", "departure", "adults", "children", "companions", "wishes", "preferences", "reason",
    "email", "phone", "address", "key_cards", "hours", "method", "amount", "points", "value",
    "expires_on", "kind", "category", "description", "details", "unit_price", "quantity",
    "starts_at", "persons", "wanted_on", "due_on", "resolution",
)  # fmt: skip
OF_RESERVATION = ("stays", "folios", "service_bookings", "guest_requests", "complaints")
OF_HOTEL = (
    "reservations", "stays", "folios", "rooms", "housekeeping_tasks", "maintenance_tickets",
    "guest_requests", "complaints",
)  # fmt: skip
DAYS = ("arrival", "departure", "day", "wanted_on", "expires_on")
GIVING = ("assign_housekeeping_task", "assign_maintenance_ticket", "assign_request")
NOTED = ("details", "wishes", "preferences")
FEWEST_DIGITS = 5


def _identified(db: Database, past: Past) -> set[str]:
    """Return the guests that were found by what the person said."""
    found = {call.result.guest_id for call in past.called(("find_guest", "register_guest"))}
    found |= {line.guest_id for call in past.called("find_reservations") for line in call.result}
    named = {call.result.guest_id for call in past.called("get_guest")}
    named |= {line.guest_id for call in past.called("search_guests") for line in call.result}
    booked = {call.result.guest_id for call in past.called("get_reservation")}
    return found | {one for one in booked if one in named or past.read(_name(db, one))}


def _name(db: Database, guest_id: str) -> str:
    """Return a guest's name as lists have it."""
    guest = db.guests.get(guest_id)
    return f"{guest.first_name} {guest.last_name}"


def _guest_of(db: Database, folio_id: str) -> str:
    """Return whose folio it is."""
    return db.reservations.get(db.folios.get(folio_id).reservation_id).guest_id


def _owner(db: Database, change: Written) -> str | None:
    """Return the guest that a changed row belongs to; None if it is nobody's."""
    row = change.before if change.after is None else change.after
    if change.table in ("guests", "reservations", "vouchers", "points_entries"):
        return row.guest_id
    if change.table in OF_RESERVATION:
        return db.reservations.get(row.reservation_id).guest_id
    if change.table in ("charges", "payments"):
        return _guest_of(db, row.folio_id)
    if change.table == "refunds":
        return _guest_of(db, db.payments.get(row.payment_id).folio_id)
    return None


def _house(db: Database, change: Written) -> str | None:
    """Return the hotel that a changed row belongs to; None if it is no single one's."""
    row = change.before if change.after is None else change.after
    if change.table in OF_HOTEL:
        return row.hotel_id
    if change.table in ("charges", "payments"):
        return db.folios.get(row.folio_id).hotel_id
    if change.table == "service_bookings":
        return db.services.get(row.service_id).hotel_id
    return None


def identified_first(db: Database, past: Past, event: Event) -> bool:
    """Nothing is changed for a guest who has not been found by what was said."""
    if past.role == "colleague" or not event.is_call or event.tool == "register_guest":
        return True
    return len(_identified(db, past)) > 0


def own_booking_only(db: Database, past: Past, event: Event) -> bool:
    """What changes belongs to the guest that was identified."""
    if past.role == "colleague" or event.tool == "register_guest":
        return True
    owners = {_owner(db, change) for change in event.changes}
    return len(owners - _identified(db, past) - {None}) == 0


def nothing_of_others(db: Database, past: Past, event: Event) -> bool:
    """No message names a reservation, a voucher or an e-mail address of another guest."""
    if past.role == "colleague" or not event.is_message:
        return True
    for text in event.texts("states"):
        number = text.strip().upper()
        rows = [db.reservations.find(number), db.vouchers.find(number)]
        owners = {row.guest_id for row in rows if row is not None}
        owners |= {row.guest_id for row in db.guests.where(email=text.strip().lower())}
        if len(owners - _identified(db, past)) > 0 and text not in past.told.values():
            return False
    return True


def role_allows(db: Database, past: Past, event: Event) -> bool:
    """Nothing that only colleagues may ask for is done because a guest asks."""
    return not event.is_call or past.may(event.tool)


def own_hotel_only(db: Database, past: Past, event: Event) -> bool:
    """What changes for a colleague is in the hotel that they named."""
    if past.role != "colleague" or not event.is_call:
        return True
    houses = {_house(db, change) for change in event.changes}
    named = list(past.told.values())
    return all(
        hotel.hotel_id in named or hotel.name in named or hotel.address.city in named
        for hotel in [db.hotels.get(hotel_id) for hotel_id in houses if hotel_id is not None]
    )


def ids_are_known(db: Database, past: Past, event: Event) -> bool:
    """Whatever a change is about was looked up, or named by the person."""
    if not event.is_call:
        return True
    values = [event.argument(name) for name in IDS]
    return all(value is None or past.saw(value) for value in values)


def not_twice(db: Database, past: Past, event: Event) -> bool:
    """Nothing is done a second time."""
    if not event.is_call:
        return True
    names = [*IDS, *DETAILS]
    return not any(
        len(call.changes) > 0 and all(call.argument(name) == event.argument(name) for name in names)
        for call in past.called(event.tool)
    )


def not_after_refusing(db: Database, past: Past, event: Event) -> bool:
    """Nothing is changed after it was refused, unless the person said something new."""
    # To take down a complaint about what was refused is no way around the refusal.
    return not event.is_call or event.tool == "file_complaint" or not past.refused()


def tells_what_is_so(db: Database, past: Past, event: Event) -> bool:
    """The days and numbers of things that are told were looked up, or follow from a rule."""
    if not event.is_message:
        return True
    days = [str(db.today() + timedelta(days=EXTENSION_DAYS))]
    days += [str(call.argument(name)) for call in past.calls for name in DAYS]
    return all(
        text in days or _is_plain(text) or any(past.saw(near) for near in _days_around(text))
        for text in event.texts("states")
    )


def points_of_the_nights_told(db: Database, past: Past, event: Event) -> bool:
    """The points that are told for a stay are those for its nights, and not all it brought."""
    if not event.is_message or past.role == "colleague":
        return True
    told = event.values("states")
    seen = [entry for call in past.called("list_points_entries") for entry in call.result]
    for earned in [entry for entry in seen if entry.reason == "stay"]:
        whole = sum(one.change for one in seen if one.reservation_id == earned.reservation_id)
        if whole != earned.change and whole in told and earned.change not in told:
            return False
    return True


def _is_plain(text: str) -> bool:
    """Return whether a text is no day and no number of a thing: a count, a name, an extension."""
    # Digits alone are a part of a telephone number, or of a card's; a name has few of them.
    digits = [letter for letter in text if letter in "0123456789"]
    return text.isdigit() or (len(digits) < FEWEST_DIGITS and "@" not in text)


def _days_around(text: str) -> list[str]:
    """Return a text, and of a day the one before and after: "until the 13th", "from the 14th"."""
    if len(text) != 10 or text[4] != "-" or text[7] != "-":
        return [text]
    day = date.fromisoformat(text)
    return [str(day + timedelta(days=count)) for count in (-1, 0, 1)]


def reason_is_theirs(db: Database, past: Past, event: Event) -> bool:
    """The reason that is recorded for a cancellation is the one that the person gave."""
    return event.tool != "cancel_reservation" or event.argument("reason") in past.told.values()


def in_their_words(db: Database, past: Past, event: Event) -> bool:
    """What is taken down is for the most part in words that the person said."""
    if not event.is_call or past.role == "colleague":
        return True
    texts = [event.argument(name) for name in NOTED if event.argument(name) is not None]
    before = _noted_before(event)
    words = [word.strip(".,;:!?") for text in texts for word in text.replace(before, "").split()]
    return 2 * len([word for word in words if past.saw(word)]) >= len(words)


def time_is_theirs(db: Database, past: Past, event: Event) -> bool:
    """A service is booked or moved to the time that the person named, or said yes to."""
    if event.tool not in ("book_service", "reschedule_service") or past.role == "colleague":
        return True
    at, told = event.result.starts_at, list(past.told.values())
    return past.agreed() or (str(at.date()) in told and at.hour in told)


def requested_once(db: Database, past: Past, event: Event) -> bool:
    """Nothing is requested for a day for which it was requested and is still to be seen to."""
    if event.tool != "create_request" or past.role == "colleague":
        return True
    made = event.result
    alike = [
        request
        for request in db.guest_requests.where(reservation_id=made.reservation_id, kind=made.kind)
        if request.wanted_on == made.wanted_on and request.status in ("open", "in_progress")
    ]
    return len(alike) == 1


def charged_to_the_name(db: Database, past: Past, event: Event) -> bool:
    """A slip is charged to a guest whose last name was said, in the room said or agreed to."""
    if event.tool != "post_charge":
        return True
    folio = db.folios.get(event.result.folio_id)
    booking = db.reservations.get(folio.reservation_id)
    guest, said = db.guests.get(booking.guest_id), past.told.values()
    in_room = booking.room_id is not None and db.rooms.get(booking.room_id).number in said
    return guest.last_name in said and (in_room or past.agreed())


def given_as_said(db: Database, past: Past, event: Event) -> bool:
    """Work is given to the colleague who was named, or to another once that was agreed to."""
    if event.tool not in GIVING:
        return True
    return db.employees.get(event.result.employee_id).name in past.told.values() or past.agreed()


def may_speak_for(db: Database, past: Past, event: Event) -> bool:
    """Whoever speaks for a guest has things changed only as an adult named on the booking."""
    speaker = past.told.get("speaker")
    if speaker is None or not event.is_call:
        return True
    booked = [
        db.reservations.get(change.after.reservation_id)
        for change in event.changes
        if change.table in ("service_bookings", "guest_requests", "reservations", "stays")
        and change.after is not None
    ]
    return all(
        any(one.name == speaker and not one.child for one in booking.companions)
        for booking in booked
    )
