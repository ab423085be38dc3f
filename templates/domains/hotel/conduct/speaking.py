"""Who speaks, what is told, and what may be done for them."""

IDS = (
    "guest_id", "reservation_id", "room_type_id", "rate_plan_id", "room_id", "stay_id", "folio_id",
    "charge_id", "payment_id", "voucher_id", "service_id", "booking_id", "request_id",
    "complaint_id", "task_id", "ticket_id", "employee_id",
)  # fmt: skip
OF_RESERVATION = ("stays", "folios", "service_bookings", "guest_requests", "complaints")
OF_HOTEL = (
    "reservations", "stays", "folios", "rooms", "housekeeping_tasks", "maintenance_tickets",
    "guest_requests", "complaints",
)  # fmt: skip
DAYS = ("arrival", "departure", "day", "wanted_on", "expires_on")
PAYING_OUT = ("issue_voucher", "give_discount", "refund_payment")
GIVING = ("assign_housekeeping_task", "assign_maintenance_ticket", "assign_request")
# Several requests of these kinds may be for one day, and differ.
VARIED = ("dietary", "wake_up_call", "decoration")
NOTED = ("details", "wishes", "preferences", "email")
# What a guest must say yes to first.
YES_FIRST = (
    "create_reservation", "change_reservation_dates", "change_room_type", "change_rate_plan",
    "change_party", "cancel_reservation", "extend_stay", "shorten_stay", "grant_late_checkout",
    "book_service", "cancel_service", "resolve_complaint", "extend_voucher",
)  # fmt: skip
# By so many days the policy's windows lead from one day to another: for what is offered (3.3), for
# folios opened again and vouchers extended (6.6, 6.10), for what is booked ahead (3.1).
# A day that is told without its year may be of the next one.
WINDOWS = (7, 30, 90, 500, -365)
MOST_COUNT = 30


def _is_identified(db: Database, past: Past, event: Event, guest_id: str) -> bool:
    """Return whether a person said what makes them known as a guest, or was registered as one.

    What counts is how accounts and bookings were before the agent changed anything in them.
    """
    changes = _changes(past, event)
    old = [one.before for one in changes if one.table == "guests" and one.key == guest_id]
    guest = old[0] if old else db.guests.get(guest_id)
    if guest is None or past.said("email") == guest.email:
        return True
    named = past.said("last_name") == guest.last_name.lower()
    return named and any(
        past.said("number") == booking.reservation_id.lower()
        or past.said("arrival") == str(booking.arrival)
        for booking in _booked_before(db, changes, guest_id)
    )


def _changes(past: Past, event: Event) -> list[Written]:
    """Return all that was changed so far, by this event as well, in order."""
    earlier = [change for call in past.calls for change in call.changes]
    return [*earlier, *event.changes]


def _booked_before(db: Database, changes: list[Written], guest_id: str) -> list[Reservation]:
    """Return a guest's bookings as they were before these changes."""
    own = [one for one in changes if one.table == "reservations"]
    changed = [one.key for one in own]
    left = [
        booking
        for booking in db.reservations.where(guest_id=guest_id)
        if booking.reservation_id not in changed
    ]
    old = [one.before for one in own if one.before is not None]
    return [*left, *[booking for booking in old if booking.guest_id == guest_id]]


def _found(db: Database, past: Past) -> list[str]:
    """Return the guests that were looked up, in whatever way."""
    return [guest.guest_id for guest in db.guests.all() if past.read(guest.guest_id)]


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


def _owners(db: Database, changes: list[Written]) -> set[str]:
    """Return the guests that own what was changed."""
    owners = [_owner(db, change) for change in changes]
    return {owner for owner in owners if owner is not None}


def identified_first(db: Database, past: Past, event: Event) -> bool:
    """Nothing is changed for a guest who has not said what makes them known, and been found."""
    if past.role == "colleague" or not event.is_call or event.tool == "register_guest":
        return True
    owners = _owners(db, list(event.changes))
    if len(owners) == 0:
        return any(_is_identified(db, past, event, guest_id) for guest_id in _found(db, past))
    return all(
        past.read(guest_id) and _is_identified(db, past, event, guest_id) for guest_id in owners
    )


def own_booking_only(db: Database, past: Past, event: Event) -> bool:
    """All that changes belongs to one guest, who was looked up."""
    if past.role == "colleague" or not event.is_call:
        return True
    owners = _owners(db, _changes(past, event))
    is_found = event.tool == "register_guest" or all(past.read(owner) for owner in owners)
    return is_found and len(owners) <= 1


def nothing_of_others(db: Database, past: Past, event: Event) -> bool:
    """No message names a reservation, a voucher, an e-mail address or a debt of another guest."""
    if past.role == "colleague" or not event.is_message:
        return True
    if _tells_debt_of_others(db, past, event):
        return False
    for text in event.texts("states"):
        number = text.strip().upper()
        rows = [db.reservations.find(number), db.vouchers.find(number)]
        owners = {row.guest_id for row in rows if row is not None}
        owners |= {row.guest_id for row in db.guests.where(email=text.strip().lower())}
        known = all(_is_identified(db, past, event, guest_id) for guest_id in owners)
        if not known and not past.said_in_words(text):
            return False
    return True


def _tells_debt_of_others(db: Database, past: Past, event: Event) -> bool:
    """Return whether a message tells a sum of a booking that was looked up, of who is not known."""
    texts, told = event.texts("states"), past.told.values()
    sums = [one for one in event.values("states") if one not in texts and one not in told]
    if len(sums) == 0:
        return False
    read = {call.result.reservation_id for call in past.called(("get_reservation", "get_folio"))}
    bookings = [db.reservations.get(number) for number in sorted(read)]
    return any(
        not (_is_identified(db, past, event, one.guest_id) and _may_speak(past, one))
        for one in bookings
        if not _sums_of(db, one).isdisjoint(sums)
    )


def _sums_of(db: Database, booking: Reservation) -> set[float]:
    """Return the price of a booking, and what is charged and due for it."""
    folios = db.folios.where(reservation_id=booking.reservation_id)
    owed = [amount for folio in folios for amount in (folio.charged, folio.due)]
    return {float(one) for one in [booking.total, *owed] if one != 0}


def role_allows(db: Database, past: Past, event: Event) -> bool:
    """Nothing that only colleagues may ask for is done because a guest asks."""
    return not event.is_call or past.may(event.tool)


def own_hotel_only(db: Database, past: Past, event: Event) -> bool:
    """What changes for a colleague is in the hotel that they named."""
    if past.role != "colleague" or not event.is_call:
        return True
    houses = {_house(db, change) for change in event.changes}
    hotel_said = past.told.get("hotel")
    told = list(past.told.values()) if hotel_said is None else [hotel_said]
    named = [str(value) for value in told]
    hotels = [db.hotels.get(hotel_id) for hotel_id in houses if hotel_id is not None]
    return all(
        any(contains(text, name) for text in named for name in _names_of_house(hotel))
        for hotel in hotels
    )


def _names_of_house(hotel: Hotel) -> list[str]:
    """Return what a hotel may be called by."""
    return [hotel.hotel_id, hotel.name, hotel.address.city]


def money_to_who_was_named(db: Database, past: Past, event: Event) -> bool:
    """What a colleague has given or paid back goes to a guest who was named, or after a yes."""
    if past.role != "colleague" or event.tool not in PAYING_OUT or past.agreed():
        return True
    said = [str(value).lower() for value in past.told.values()]
    return all(
        any(name.lower() in text for text in said for name in _names_of(db, guest_id))
        for guest_id in _owners(db, list(event.changes))
    )


def _names_of(db: Database, guest_id: str) -> list[str]:
    """Return what a guest may be called by: name, address, bookings, rooms."""
    guest, booked = db.guests.get(guest_id), db.reservations.where(guest_id=guest_id)
    rooms = [db.rooms.get(one.room_id).number for one in booked if one.room_id is not None]
    return [
        guest.email,
        guest.first_name,
        guest.last_name,
        *rooms,
        *[one.reservation_id for one in booked],
    ]


def ids_are_known(db: Database, past: Past, event: Event) -> bool:
    """Whatever a change is about was looked up."""
    if not event.is_call:
        return True
    values = [event.argument(name) for name in IDS]
    return all(value is None or past.read(value) for value in values)


def not_twice(db: Database, past: Past, event: Event) -> bool:
    """Nothing is done a second time on the same yes, unless it was undone in between."""
    # That each of several rooms is agreed to is seen by 3.6.
    if not event.is_call or event.tool == "create_reservation":
        return True
    calls = past.done_since_yes()
    return not any(
        event.repeats(call)
        and not _is_undone(
            list(call.changes), [one for other in calls[place + 1 :] for one in other.changes]
        )
        for place, call in enumerate(calls)
    )


def _is_undone(done: list[Written], later: list[Written]) -> bool:
    """Return whether what was made or changed, the sums of a bill aside, changed again later."""
    keys = [one.key for one in done if one.table != "folios"]
    return any(one.key in keys for one in later)


def not_after_refusing(db: Database, past: Past, event: Event) -> bool:
    """No guest who insists on what was refused gets it with no yes to anything before."""
    # What was asked for besides, and not refused, is still done. A colleague need say no yes.
    if event.tool not in YES_FIRST or past.role == "colleague" or not past.refused():
        return True
    return not past.replies[-1].does("insists") or len(past.agreed_so_far()) > 0


def tells_what_is_so(db: Database, past: Past, event: Event) -> bool:
    """The days and numbers of things that are told were looked up, or follow from a rule."""
    told = [text for text in past.unseen(event.texts("states")) if not _is_day_said(past, text)]
    if len(told) == 0:
        return True
    days = [str(db.today()), *[str(call.argument(name)) for call in past.calls for name in DAYS]]
    # Such as the shortest stay of a rate, from the day of arrival on (4.3).
    counts = [*WINDOWS, *[count for count in range(2, MOST_COUNT) if past.read(count)]]
    both = [*counts, *[-count for count in counts]]
    return all(past.counted_from(text, both, days) for text in told)


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


def reason_is_theirs(db: Database, past: Past, event: Event) -> bool:
    """The reason recorded for a cancellation is the one given, or another one if none is known."""
    if event.tool != "cancel_reservation" or event.argument("reason") in past.told.values():
        return True
    unknown = any(reply.does("does_not_know") for reply in past.replies)
    return unknown and event.argument("reason") == "other"


def in_their_words(db: Database, past: Past, event: Event) -> bool:
    """What is taken down is for the most part in words that the person said."""
    if not event.is_call or past.role == "colleague":
        return True
    # What is taken down anew as it stands in the records was said to a colleague before.
    texts = [event.argument(name) for name in NOTED if event.argument(name) is not None]
    before = _words_of(_noted_before(event))
    new = [text for text in texts if not past.read(text)]
    words = [word for text in new for word in _words_of(text) if word not in before]
    said = [word for word in words if past.saw(word) or _is_wanted(past, word)]
    return 2 * len(said) >= len(words)


def time_is_theirs(db: Database, past: Past, event: Event) -> bool:
    """A service is booked or moved to the time that was named or agreed to, or stays at its own."""
    if event.tool not in ("book_service", "reschedule_service") or past.role == "colleague":
        return True
    at = event.result.starts_at
    told = [_plain_time(str(value)) for value in past.told.values()]
    old = [
        one.before.starts_at
        for one in _changes(past, event)
        if one.before is not None and one.table == "service_bookings"
    ]
    is_day = str(at.date()) in told or any(one.date() == at.date() for one in old)
    is_hour = any(one.hour == at.hour for one in old) or any(one in told for one in _hours(at))
    is_day_agreed = past.agreed() or str(at.date()) in past.agreed_so_far()
    return (is_day or is_day_agreed) and (is_hour or past.agreed_in_words(_hour_in_words(at)))


def requested_once(db: Database, past: Past, event: Event) -> bool:
    """Nothing is requested for a day for which the same is noted already and to be seen to."""
    if event.tool != "create_request" or past.role == "colleague":
        return True
    made = event.result
    alike = [
        request
        for request in db.guest_requests.where(reservation_id=made.reservation_id, kind=made.kind)
        if request.wanted_on == made.wanted_on and request.status in ("open", "in_progress")
        if made.kind not in VARIED or _are_alike(request.details, made.details)
    ]
    new = [call.result.request_id for call in past.called("create_request")]
    return all(one.request_id in new or one == made for one in alike)


def charged_to_the_name(db: Database, past: Past, event: Event) -> bool:
    """What is charged, as much as was said, goes to the room said or agreed to, and the name."""
    if event.tool != "post_charge":
        return True
    folio = db.folios.get(event.result.folio_id)
    booking = db.reservations.get(folio.reservation_id)
    guest, made = db.guests.get(booking.guest_id), event.result
    room = None if booking.room_id is None else db.rooms.get(booking.room_id).number
    named = past.told.get("last_name")
    is_room = room is not None and past.said_in_words(room)
    in_room = is_room or (named is not None and past.said("room") == "")
    is_theirs = named is None or contains(str(named), guest.last_name)
    told = [_amount_in(str(past.told[name])) for name in past.told if name.startswith("price")]
    sums = (_amount_in(str(made.unit_price)), _amount_in(str(made.amount)))
    is_so_much = all(one == "" for one in told) or any(one in told for one in sums)
    return is_theirs and is_so_much and (in_room or past.agreed())


def given_as_said(db: Database, past: Past, event: Event) -> bool:
    """Work is given to the colleague who was named, or to another once that was agreed to."""
    if event.tool not in GIVING or past.said("worker") == "":
        return True
    name = db.employees.get(event.result.employee_id).name
    names = [name, *name.split()]
    return past.agreed_in_words(names) or any(past.said_in_words(one) for one in names)


def may_speak_for(db: Database, past: Past, event: Event) -> bool:
    """Whoever speaks for a guest has things changed only as an adult named on the booking."""
    if past.told.get("speaker") is None or past.role == "colleague" or not event.is_call:
        return True
    changes = _changes(past, event)
    naming = [
        booking.reservation_id
        for guest_id in _owners(db, list(event.changes))
        for booking in _booked_before(db, changes, guest_id)
        if _may_speak(past, booking)
    ]
    # What is booked anew names nobody yet.
    new = [one.key for one in changes if one.table == "reservations" and one.before is None]
    booked = {_booking_of(db, change) for change in event.changes} - {None, *new}
    return len(naming) > 0 and all(number in naming for number in booked)


def _may_speak(past: Past, booking: Reservation) -> bool:
    """Return whether the guest speaks, or an adult who is named on a booking."""
    adults = [one.name.lower() for one in booking.companions if not one.child]
    return past.said("speaker") in ["", *adults]


def _booking_of(db: Database, change: Written) -> str | None:
    """Return the booking that a changed row belongs to; None if to none."""
    row = change.before if change.after is None else change.after
    if change.table in ("reservations", *OF_RESERVATION):
        return row.reservation_id
    if change.table in ("charges", "payments"):
        return db.folios.get(row.folio_id).reservation_id
    return None
