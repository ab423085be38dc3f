"""Keys for those who may have one, rooms passed on to others, and cleaning nobody needs."""

PASSING = (
    "free", "free", "free", "free", "free", "needed", "needed", "needed", "needed", "type", "in_it",
)  # fmt: skip


def another_key(db: Database, draw: Draw) -> Facts:
    """Somebody who stays with a guest wants a key card; six may be out, or they not be named."""
    stay = _guest_in_house(db, draw)
    lived = only(db.stays.where(reservation_id=stay.reservation_id))
    last_name = db.guests.get(stay.guest_id).last_name
    stage = draw.one(["named", "named", "named", "all_out", "all_out", "stranger", "child"])
    speaker = draw.one(SPEAKERS)
    if stage == "child":
        draw.need(stay.children > 0)
        speaker = f"{draw.one(CHILDREN_NAMED)} {last_name}"
    else:
        draw.need(stay.adults > 1)
    beside = Companion(name=speaker, child=stage == "child")
    if stage == "stranger":
        beside = Companion(name=f"Robin {last_name}", child=False)
    draw.call("name_companions", reservation_id=stay.reservation_id, companions=[beside])
    more = 6 - lived.key_cards if stage == "all_out" else draw.integer(0, 2)
    for _ in range(more):
        draw.call("issue_key_card", stay_id=lived.stay_id)
    if stage in ("named", "all_out"):
        draw.turn(lived, key_cards=6 if stage == "named" else 3)
        draw.turn(lived, key_cards=2 if lived.key_cards + more != 2 else 1)
    return facts(_with_booking(db, stay), speaker=speaker)


def solve_another_key(agent: Agent, given: Given) -> Outcome:
    booking = _booking(agent, given)
    agent.ask("speaker")
    grown = [one.name for one in booking.companions if not one.child]
    if given.speaker not in grown:
        return outcome("no_key_for_them", phone=agent.get_hotel(booking.hotel_id).phone)
    stay = agent.get_stay(booking.reservation_id)
    if stay.key_cards >= 6:
        return outcome("all_cards_out", cards=stay.key_cards)
    agent.issue_key_card(stay.stay_id)
    return outcome("key_given", cards=stay.key_cards + 1)


def _meet(one: Reservation, other: Reservation) -> bool:
    """Say whether two bookings share a night."""
    return one.arrival < other.departure and other.arrival < one.departure


def pass_room_on(db: Database, draw: Draw) -> Facts:
    """A room set aside for one guest is to go to another; somebody else may need it, too."""
    stage = draw.one(PASSING)
    status = "checked_in" if stage == "in_it" else "confirmed"
    first = draw.row("reservations", status=status)
    draw.need(first.room_id is not None and first.arrival <= db.today() + timedelta(days=30))
    room = db.rooms.get(first.room_id)
    alike = [
        one
        for one in db.reservations.where(hotel_id=first.hotel_id, status="confirmed")
        if one.reservation_id != first.reservation_id and one.arrival > db.today()
        and one.room_type_id != first.room_type_id
        and one.room_id != first.room_id and one.guest_id != first.guest_id
    ]  # fmt: skip
    if stage == "type":
        second = draw.one(alike)
    elif stage == "in_it":
        # Who comes only when the guest has left could have the room all the same.
        begins = db.today() + timedelta(days=1)
        draw.need(first.departure > begins)
        ends = first.departure + timedelta(days=draw.integer(1, 3))
        second = _booked_for(db, draw, first, begins, ends)
    else:
        draw.need(first.arrival > db.today())
        begins = draw.one([first.arrival, first.departure - timedelta(days=1)])
        ends = max(begins, first.departure) + timedelta(days=draw.integer(1, 3))
        second = _booked_for(db, draw, first, begins, ends)
        _third_guest(db, draw, room, second, stage)
    last_name = db.guests.get(first.guest_id).last_name
    return facts(
        _house_facts(db, first.hotel_id),
        room=told(room.number, room, "number"),
        last_name=last_name,
        number=second.reservation_id,
    )


def _booked_for(
    db: Database, draw: Draw, alike: Reservation, arrival: date, departure: date
) -> Reservation:
    """Have somebody book the room type of another booking."""
    plan = draw.one(db.rate_plans.where(hotel_id=alike.hotel_id, min_nights=1, on_sale=True))
    return draw.call(
        "create_reservation",
        guest_id=_welcome(db, draw).guest_id,
        room_type_id=alike.room_type_id,
        rate_plan_id=plan.rate_plan_id,
        arrival=arrival,
        departure=departure,
        adults=1,
        channel="website",
    )


def _third_guest(db: Database, draw: Draw, room: Room, second: Reservation, stage: str) -> None:
    """Have a third guest come on the last night of another, or just before or after them."""
    night = timedelta(days=1)
    third = _booked_for(db, draw, second, second.departure - night, second.departure)
    if stage == "needed":
        draw.call("assign_room", reservation_id=third.reservation_id, room_id=room.room_id)
        draw.turn(third, room_id=None)
        return
    draw.turn(third, room_id=room.room_id)
    begins = draw.one([None, second.departure, second.arrival - night])
    if begins is not None:
        fourth = _booked_for(db, draw, second, begins, begins + night)
        draw.call("assign_room", reservation_id=fourth.reservation_id, room_id=room.room_id)


def solve_pass_room_on(agent: Agent, given: Given) -> Outcome:
    house = _own_house(agent, given)
    agent.ask("room", "last_name", "number")
    room = agent.find_room(house.hotel_id, given.room)
    lines = agent.list_room_reservations(room.room_id, first=agent.get_time().today)
    old = only(one for one in lines if fits(given.last_name, one.guest))
    if old.status == "checked_in":
        return outcome("is_living_there", guest=old.guest, day=old.departure)
    booking = agent.get_reservation(given.number)
    guest = _full_name(agent.get_guest(booking.guest_id))
    if booking.room_type_id != room.room_type_id:
        types = agent.list_room_types(house.hotel_id)
        booked = only(one for one in types if one.room_type_id == booking.room_type_id)
        return outcome("other_type_booked", guest=guest, type=booked.name)
    other = maybe(
        one
        for one in lines
        if one != old and one.arrival < booking.departure and booking.arrival < one.departure
    )
    if other is not None:
        return outcome("needed_for_third", other=other.guest, day=other.arrival)
    agent.release_room(old.reservation_id)
    agent.assign_room(given.number, room.room_id)
    return outcome("passed_on", guest=guest, day=booking.arrival)


def needless_cleaning(db: Database, draw: Draw) -> Facts:
    """What is planned in rooms that are being left is called off, where it may be."""
    stage = draw.one(["turndown", "linen_change", "stayover_clean", "only", "only", "none"])
    hotel = draw.one(db.hotels.all())
    day = db.today() + timedelta(days=0 if stage == "only" else draw.integer(0, 2))
    kind = {"only": "stayover_clean", "none": draw.one(["turndown", "linen_change"])}
    wanted = kind[stage] if stage in kind else stage
    lived = [
        (one, db.reservations.get(one.reservation_id).departure)
        for one in db.stays.where(hotel_id=hotel.hotel_id, status="in_house")
    ]
    leaving = [stay for stay, leaves in lived if leaves == day]
    staying = [stay for stay, leaves in lived if leaves > day]
    draw.need(len(leaving) > 1)
    planned = db.housekeeping_tasks.where(hotel_id=hotel.hotel_id, due_on=day)
    known = [one.room_id for one in planned if one.kind == wanted]
    free = [one for one in leaving if one.room_id not in known]
    some = draw.some(free, draw.integer(2, min(4, len(free)))) if len(free) > 1 else free
    near = draw.some(staying, draw.integer(0, min(2, len(staying))))
    if stage == "none":
        draw.need(len(free) == len(leaving))
    made = [
        draw.call("create_housekeeping_task", room_id=one.room_id, kind=wanted, due_on=day)
        for one in [*([] if stage == "none" else some), *near]
        if one.room_id not in known
    ]
    if stage != "none" and draw.chance(0.5):
        beside = draw.one(one for one in ("turndown", "linen_change") if one != wanted)
        draw.call("create_housekeeping_task", room_id=some[0].room_id, kind=beside, due_on=day)
    if stage == "only":
        room = db.rooms.get(some[0].room_id)
        draw.need(room.condition == "clean")
        db.rooms.update(room.room_id, condition="dirty")
        if draw.chance(0.5):
            for one in made[1:]:
                draw.call("cancel_housekeeping_task", task_id=one.task_id)
    if stage not in ("none", "only") and len(made) > 0:
        draw.turn(made[0], status="cancelled")
    return facts(_house_facts(db, hotel.hotel_id), kind=wanted, day=day)


def solve_needless_cleaning(agent: Agent, given: Given) -> Outcome:
    house = _own_house(agent, given)
    agent.ask("kind", "day")
    leaving = agent.list_departures(house.hotel_id, given.day)
    left = [one.room_id for one in leaving]
    open_tasks = agent.list_housekeeping_tasks(house.hotel_id, status="open")
    planned = [
        one
        for one in open_tasks
        if one.kind == given.kind and one.due_on == given.day and one.room_id in left
    ]
    if len(planned) == 0:
        return outcome("nothing_planned", count=len(leaving))
    running = agent.list_housekeeping_tasks(house.hotel_id, status="in_progress")
    cleaned = [
        one.room_id
        for one in [*open_tasks, *running]
        if one.kind in ("stayover_clean", "deep_clean") and one.due_on <= given.day
    ]
    dirty = [one.room_id for one in agent.list_rooms(house.hotel_id) if one.condition == "dirty"]
    stuck = maybe(
        one
        for one in planned
        if given.kind in CLEANINGS
        and one.room_id in dirty
        and len([other for other in cleaned if other == one.room_id]) == 1
    )
    off = [one for one in planned if one != stuck]
    for task in off:
        agent.cancel_housekeeping_task(task.task_id)
    if stuck is None:
        return outcome("all_called_off", count=len(off))
    if len(off) == 0:
        return outcome("only_one_stays", room=stuck.room)
    return outcome("called_off_but_one", count=len(off), room=stuck.room)
