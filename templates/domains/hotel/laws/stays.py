"""Guests in the house: arriving, moving, staying on, leaving."""


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
