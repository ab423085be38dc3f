"""What guests ask for beside the room: things, wishes, and somebody more to come along."""

WANTED = {
    "I need two more bath towels, please.": "extra_towels",
    "I need a cot for the baby.": "baby_cot",
    "I need an extra bed in the room.": "extra_bed",
    "Please wake me at half past five.": "wake_up_call",
    "I would like a flat pillow without feathers.": "pillow",
    "I need gluten-free bread at breakfast.": "dietary",
    "I would like flowers in the room for a birthday.": "decoration",
}
NEW_WISHES = (
    "No calls to my room before nine.",
    "I travel with a small dog.",
    "Please leave the heating on low.",
    "I cannot climb stairs.",
    "A desk to work at would help me.",
)
COMING = {
    "a friend of mine": ("Robin Hale", "Kim Laurent", "Alex Verne"),
    "my sister": ("Clara Weiss", "Nora Bianchi"),
    "my brother-in-law": ("Hugo Lindt", "Paul Serrano"),
}
SMALL = {"my little son": ("Leo", "Max"), "my baby daughter": ("Mia", "Ida")}


def ask_for_extra(db: Database, draw: Draw) -> Facts:
    """Something is wanted in the room on a day; it may be noted already, or not be possible."""
    stay = _visiting(db, draw)
    wish = draw.one(list(WANTED))
    stage = draw.one(
        [
            "new",
            "taken_back",
            "taken_back",
            "other_day",
            "other_day",
            "noted",
            "away",
            "gone",
            "bed",
        ]
    )
    wish = "I need an extra bed in the room." if stage == "bed" else wish
    kind, day = WANTED[wish], _day_of(db, draw, stay)
    alike = db.guest_requests.where(reservation_id=stay.reservation_id, kind=kind)
    draw.need(len(alike) == 0)
    has_place = kind != "extra_bed" or db.room_types.get(stay.room_type_id).capacity >= 3
    if has_place and stage in ("noted", "taken_back", "other_day"):
        on = day
        if stage == "other_day":
            on = _day_of(db, draw, stay)
            draw.need(on != day)
        request = draw.call(
            "create_request",
            reservation_id=stay.reservation_id,
            kind=kind,
            details=wish,
            wanted_on=on,
        )
        days = min(draw.integer(1, 6), (db.today() - stay.booked_at.date()).days)
        draw.need(days > 0)
        db.guest_requests.update(request.request_id, made_at=db.now() - timedelta(days=days))
        if stage == "noted":
            draw.turn(request, status="cancelled")
        if stage == "taken_back":
            draw.call("cancel_request", request_id=request.request_id)
            draw.turn(request, status="open")
        if stage == "other_day":
            draw.turn(request, wanted_on=day)
    if stage == "away":
        day = stay.departure + timedelta(days=draw.integer(1, 2))
    if stage == "gone":
        draw.need(stay.status == "confirmed")
        draw.call("cancel_reservation", reservation_id=stay.reservation_id, reason="illness")
    return facts(_with_booking(db, stay), wish=wish, day=day)


def solve_ask_for_extra(agent: Agent, given: Given) -> Outcome:
    stay = _booking_that(agent, given, ("confirmed", "checked_in", "cancelled"))
    agent.ask("wish", "day")
    if stay.cancelled_at is not None:
        return outcome("stay_called_off", day=stay.cancelled_at.date())
    if not stay.arrival <= given.day <= stay.departure:
        return outcome("extra_outside_stay", first=stay.arrival, last=stay.departure)
    kind = WANTED[given.wish]
    noted = [
        request
        for request in agent.list_requests(stay.hotel_id, reservation_id=stay.reservation_id)
        if request.kind == kind
        and request.wanted_on == given.day
        and request.status in ("open", "in_progress")
    ]
    if len(noted) > 0:
        return outcome("extra_noted_before", day=noted[0].made_at.date())
    rooms = agent.list_room_types(stay.hotel_id)
    room = only(one for one in rooms if one.room_type_id == stay.room_type_id)
    if kind == "extra_bed" and room.capacity < 3:
        return outcome("no_bed_fits", room=room.name, most=room.capacity)
    agent.create_request(stay.reservation_id, kind, given.wish, given.day)
    return outcome("extra_noted", room=room.name)


def _notes_it_again(agent: Agent, given: Given) -> Outcome:
    """What may be noted already is noted in a few more words."""
    stay = _booking_that(agent, given, ("confirmed", "checked_in", "cancelled"))
    agent.ask("wish", "day")
    rooms = agent.list_room_types(stay.hotel_id)
    room = only(one for one in rooms if one.room_type_id == stay.room_type_id)
    details = f"{given.wish} Thank you."
    kind = WANTED[given.wish]
    noted = agent.attempt.create_request(stay.reservation_id, kind, details, given.day)
    if noted.rejected("no_place_for_a_bed", "outside_stay", "reservation_over"):
        return outcome("stay_called_off", day=given.day)
    return outcome("extra_noted", room=room.name)


def add_wish(db: Database, draw: Draw) -> Facts:
    """A wish is to be noted, for this stay or for all; what was noted before must stay noted."""
    stay = _visiting(db, draw)
    guest = db.guests.get(stay.guest_id)
    wish, span = draw.one(NEW_WISHES), draw.one(["this_stay", "always"])
    stage = draw.one(["beside", "beside", "first", "noted", "gone"])
    old = draw.one(NEW_WISHES)
    draw.need(old != wish)
    if stage == "gone":
        draw.need(stay.status == "confirmed")
        draw.call("cancel_reservation", reservation_id=stay.reservation_id, reason="illness")
    both = f"{old} {wish}"
    now = both if stage == "noted" else old
    turned = old if stage == "noted" else both
    if span == "this_stay" and stage in ("beside", "noted"):
        draw.call("set_special_wishes", reservation_id=stay.reservation_id, wishes=now)
    if span == "always" and stage in ("beside", "noted"):
        draw.call("set_guest_preferences", guest_id=guest.guest_id, preferences=now)
    if span == "this_stay":
        draw.turn(stay, wishes=turned)
    else:
        draw.turn(guest, preferences=turned)
    return facts(_with_booking(db, stay), wish=wish, span=span)


def solve_add_wish(agent: Agent, given: Given) -> Outcome:
    stay = _booking_that(agent, given, ("confirmed", "checked_in", "cancelled"))
    agent.ask("wish", "span")
    if given.span == "always":
        guest = agent.get_guest(stay.guest_id)
        if guest.preferences is not None and fits(given.wish, guest.preferences):
            return outcome("wish_was_noted", noted=guest.preferences)
        text = given.wish if guest.preferences is None else f"{guest.preferences} {given.wish}"
        agent.set_guest_preferences(guest.guest_id, text)
        if guest.preferences is not None:
            return outcome("wish_noted_beside", noted=guest.preferences)
        return outcome("wish_noted_first")
    if stay.cancelled_at is not None:
        return outcome("no_stay_to_wish_for", day=stay.cancelled_at.date())
    if stay.wishes is not None and fits(given.wish, stay.wishes):
        return outcome("wish_was_noted", noted=stay.wishes)
    text = given.wish if stay.wishes is None else f"{stay.wishes} {given.wish}"
    agent.set_special_wishes(stay.reservation_id, text)
    if stay.wishes is not None:
        return outcome("wish_noted_beside", noted=stay.wishes)
    return outcome("wish_noted_first")


def bring_friend(db: Database, draw: Draw) -> Facts:
    """Somebody more comes along and is named late; the booking or the room may be too small."""
    stay = draw.row("reservations", status=draw.one(["confirmed", "confirmed", "checked_in"]))
    draw.need(db.today() <= stay.arrival or stay.status == "checked_in")
    draw.need(stay.departure > db.today() and stay.adults + stay.children < 5)
    grown = len([one for one in stay.companions if not one.child])
    is_full = grown == stay.adults - 1
    draw.need(is_full or draw.chance(0.4))
    who = draw.one([*COMING, *SMALL] if stay.children == 0 and is_full else list(COMING))
    last_name = db.guests.get(stay.guest_id).last_name
    friend = f"{draw.one(SMALL[who])} {last_name}" if who in SMALL else draw.one(COMING[who])
    if not is_full and stay.children > 0 and len(stay.companions) == 0 and draw.chance(0.8):
        small = Companion(name=f"Ella {last_name}", child=True)
        draw.call("name_companions", reservation_id=stay.reservation_id, companions=[small])
    if not is_full and len(stay.companions) == 0:
        draw.turn(stay, adults=stay.adults - 1)
    _turn_price(draw, db.room_types.get(stay.room_type_id))
    return facts(
        _with_booking(db, stay),
        who=who,
        friend=friend,
        agrees=_most(draw, stay),
        accepts=draw.chance(0.65),
    )


def solve_bring_friend(agent: Agent, given: Given) -> Outcome:
    stay = _booking_that(agent, given, ("confirmed", "checked_in"))
    agent.ask("who", "friend")
    is_small = given.who in SMALL
    named = [*stay.companions, Companion(name=given.friend, child=is_small)]
    free = stay.children if is_small else stay.adults - 1
    if len([one for one in stay.companions if one.child == is_small]) < free:
        agent.name_companions(stay.reservation_id, named)
        return outcome("friend_named", people=stay.adults + stay.children)
    if stay.status == "checked_in":
        return outcome("friend_too_late", people=stay.adults + stay.children)
    adults = stay.adults + (0 if is_small else 1)
    children = stay.children + (1 if is_small else 0)
    rooms = agent.list_room_types(stay.hotel_id)
    room = only(one for one in rooms if one.room_type_id == stay.room_type_id)
    if adults + children > room.capacity:
        return _friend_with_larger_room(agent, stay, named, adults, children)
    quote = agent.quote_stay(
        stay.room_type_id,
        stay.rate_plan_id,
        stay.arrival,
        stay.departure,
        adults,
        children,
        stay.reservation_id,
    )
    if not agent.agreed(price=quote.total):
        return outcome("friend_stays_home", price=quote.total)
    agent.change_party(stay.reservation_id, adults, children)
    agent.name_companions(stay.reservation_id, named)
    return outcome("friend_added", price=quote.total)


def _friend_with_larger_room(
    agent: Agent, stay: Reservation, named: list[Companion], adults: int, children: int
) -> Outcome:
    """Offer the cheapest room that sleeps one more, at the same rate, and name who comes."""
    offers = [
        offer
        for offer in agent.search_availability(
            stay.hotel_id, stay.arrival, stay.departure, adults, children, stay.reservation_id
        )
        if offer.rate_plan_id == stay.rate_plan_id
    ]
    larger = only(offers[:1])
    if not agent.offer("larger_room", room=larger.room_type, price=larger.total):
        return outcome("friend_needs_larger", room=larger.room_type, price=larger.total)
    agent.change_party(stay.reservation_id, adults, children, larger.room_type_id)
    agent.name_companions(stay.reservation_id, named)
    return outcome("friend_in_larger", room=larger.room_type, price=larger.total)
