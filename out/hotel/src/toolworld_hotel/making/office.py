"""What the office decides: goodwill, vouchers, promised rooms and quiet days."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from ..database.models import Database
from ..values import money
from .agent import Agent, Given
from .colleagues import _audited, _full_name, _house_facts, _house_named, _in_a_room, _own_house
from .draw import Draw
from .facts import Facts, facts, told
from .language import Outcome, maybe, only, outcome
from .people import _welcome
from .rooming import _meet
from .till import _folio_of

CAPS: dict[str, int] = {"minor": 1000, "serious": 5000, "severe": 20000}
MAKING_UP: tuple[str, ...] = (
    "Apologised in person.", "Spoke with the night shift.", "Sent a letter of apology.",
)  # fmt: skip
GRIEVANCES: dict[str, str] = {
    "noise": "Music from the bar until two in the morning.",
    "cleanliness": "Hair in the shower on arrival.",
    "room_fault": "No hot water for a whole morning.",
    "staff": "Nobody answered the phone at the front desk.",
    "food": "Cold eggs at breakfast, twice.",
}


def points_for_complaint(db: Database, draw: Draw) -> Facts:
    """A complaint is to be closed with points, up to what its severity allows."""
    stage = draw.one(["open", "open", "open", "open", "open", "resolved", "none"])
    stay = _in_a_room(db, draw)
    booking = stay.reservation_id
    draw.need(len(db.complaints.where(reservation_id=booking)) == 0)
    category = draw.one(["noise", "cleanliness", "room_fault", "staff", "food"])
    severity = draw.one(["minor", "minor", "serious", "severe"])
    if stage != "none":
        complaint = draw.call(
            "file_complaint",
            reservation_id=booking,
            category=category,
            severity=severity,
            details=GRIEVANCES[category],
        )
        if severity != "severe":
            draw.turn(complaint, severity="minor" if severity == "serious" else "severe")
        if stage == "resolved":
            draw.call(
                "resolve_complaint",
                complaint_id=complaint.complaint_id,
                resolution=MAKING_UP[0],
                points=CAPS[severity],
            )
    room = db.rooms.get(stay.room_id)
    takes = draw.chance(0.65)
    return facts(
        _house_facts(db, stay.hotel_id),
        room=told(room.number, room, "number"),
        points=draw.one([500, 1000, 2000, 3000, 6000]),
        how=draw.one(MAKING_UP),
        agrees=takes,
        accepts=takes,
    )


def solve_points_for_complaint(agent: Agent, given: Given) -> Outcome:
    house = _own_house(agent, given)
    agent.ask("room")
    stay = agent.find_stay_in_room(house.hotel_id, given.room)
    found = agent.list_complaints(house.hotel_id, reservation_id=stay.reservation_id)
    complaint = maybe(found)
    if complaint is None:
        return outcome("no_complaint", guest=stay.guest, leaves=stay.departure)
    if complaint.status == "resolved":
        return outcome("closed_before", guest=stay.guest, got=complaint.points)
    agent.ask("points", "how")
    before = agent.get_guest(stay.guest_id).points
    done = agent.attempt.resolve_complaint(complaint.complaint_id, given.how, given.points)
    if not done.rejected("points_out_of_range"):
        return outcome("granted", guest=stay.guest, balance=before + done.points)
    most = done.values.limit
    if not agent.offer("fewer_points", points=most):
        return outcome("left_open", guest=stay.guest, most=most)
    agent.resolve_complaint(complaint.complaint_id, given.how, most)
    return outcome("granted_less", guest=stay.guest, most=most, balance=before + most)


def goodwill_voucher(db: Database, draw: Draw) -> Facts:
    """A guest is to get a voucher as goodwill, of a sum that may be too generous."""
    guest = draw.row("guests", banned=False)
    for _ in range(draw.integer(1, 3)):
        other = draw.call(
            "issue_voucher",
            guest_id=guest.guest_id,
            value=Decimal("25"),
            reason="promotion",
            expires_on=db.today() + timedelta(days=draw.integer(40, 200)),
        )
        draw.turn(other, status="void")
    if draw.chance(0.15):
        guest = db.guests.update(guest.guest_id, banned=True)
    draw.turn(guest, banned=not guest.banned)
    takes = draw.chance(0.65)
    return facts(
        email=told(guest.email, guest, "email"),
        hotel=draw.one(db.hotels.all()).name,
        value=Decimal(draw.one(["25", "60", "150", "200", "250", "400"])),
        until=db.today() + timedelta(days=draw.integer(40, 400)),
        agrees=takes,
        accepts=takes,
    )


def solve_goodwill_voucher(agent: Agent, given: Given) -> Outcome:
    agent.ask("email")
    guest = agent.find_guest(given.email)
    name = _full_name(guest)
    if guest.banned:
        agent.ask("hotel")
        house = only(one for one in agent.list_hotels() if one.name == given.hotel)
        return outcome("banned", guest=name, phone=house.phone)
    today = agent.get_time().today
    active = agent.list_guest_vouchers(guest.guest_id, status="active")
    others = len([one for one in active if one.expires_on >= today and one.balance > 0])
    agent.ask("value", "until")
    made = agent.attempt.issue_voucher(guest.guest_id, given.value, "goodwill", given.until)
    if not made.rejected("amount_out_of_range"):
        return outcome("issued", guest=name, others=others)
    most = Decimal(made.values.limit)
    if not agent.offer("smaller_voucher", value=most):
        return outcome("not_issued", guest=name, most=most)
    agent.issue_voucher(guest.guest_id, most, "goodwill", given.until)
    return outcome("issued_smaller", guest=name, most=most, others=others)


def undo_vouchers(db: Database, draw: Draw) -> Facts:
    """Two vouchers were issued by mistake; what was spent of cannot be taken back."""
    stay = _in_a_room(db, draw)
    booking = db.reservations.get(stay.reservation_id)
    folio = _folio_of(db, stay)
    draw.need(folio.due > 60)
    draw.need(not db.guests.get(booking.guest_id).banned)
    for _ in range(draw.integer(0, 4)):
        draw.call(
            "issue_voucher",
            guest_id=_welcome(db, draw).guest_id,
            value=Decimal("25"),
            reason="promotion",
            expires_on=db.today() + timedelta(days=90),
        )
    # Both by mistake: together they may be more than a guest can be given.
    made = [
        db.vouchers.add(
            guest_id=booking.guest_id,
            reason="goodwill",
            value=money(value),
            balance=money(value),
            status="active",
            issued_on=db.today(),
            expires_on=db.today() + timedelta(days=365),
        )
        for value in (Decimal(draw.integer(3, 9) * 10), Decimal(draw.integer(10, 20) * 10))
    ]
    stage = draw.one(["none", "none", "first", "second", "both", "void"])
    for place in (0, 1):
        if stage in (("first", "second")[place], "both"):
            draw.call(
                "pay_with_voucher",
                folio_id=folio.folio_id,
                voucher_id=made[place].voucher_id,
                amount=Decimal(draw.integer(10, 25)),
            )
    if stage == "none":
        draw.turn(made[0], status="void")
    if stage == "void":
        draw.call("void_voucher", voucher_id=made[1].voucher_id)
    return facts(
        hotel=draw.one(db.hotels.all()).name,
        first=told(made[0].voucher_id, made[0], "voucher_id"),
        second=told(made[1].voucher_id, made[1], "voucher_id"),
    )


def solve_undo_vouchers(agent: Agent, given: Given) -> Outcome:
    agent.ask("first", "second")
    both = [agent.get_voucher(number) for number in (given.first, given.second)]
    guest = _full_name(agent.get_guest(both[0].guest_id))
    whole = [one for one in both if one.status == "active" and one.balance == one.value]
    spent = [one for one in both if one.balance != one.value]
    for voucher in whole:
        agent.void_voucher(voucher.voucher_id)
    if len(spent) == 2:
        rest = sum((one.balance for one in spent), Decimal(0))
        return outcome("both_spent", guest=guest, rest=rest)
    if len(spent) == 1:
        used = spent[0].value - spent[0].balance
        return outcome("one_stays", guest=guest, number=spent[0].voucher_id, used=used)
    if len(whole) == 1:
        return outcome("one_was_void", guest=guest, number=whole[0].voucher_id)
    return outcome("both_void", guest=guest, total=sum((one.value for one in whole), Decimal(0)))


def promise_room(db: Database, draw: Draw) -> Facts:
    """A guest to come is promised a room on a certain floor, if one is free all through."""
    booking = draw.row("reservations", status="confirmed")
    draw.need(booking.arrival > db.today())
    hotel = db.hotels.get(booking.hotel_id)
    floors = [room.floor for room in db.rooms.where(room_type_id=booking.room_type_id)]
    floor = draw.one(floors) if draw.chance(0.4) else draw.integer(1, 4)
    if draw.chance(0.3):
        _audited(db, draw, hotel.hotel_id)
    room = draw.one(db.rooms.where(room_type_id=booking.room_type_id))
    if draw.chance(0.3) and room.condition != "out_of_order":
        draw.call("assign_room", reservation_id=booking.reservation_id, room_id=room.room_id)
    for one in db.rooms.where(room_type_id=booking.room_type_id, floor=floor):
        if len(db.reservations.where(room_id=one.room_id, status="confirmed")) == 0:
            draw.turn(booking, room_id=one.room_id)
        for other in db.reservations.where(room_type_id=booking.room_type_id, room_id=None):
            if other.status == "confirmed" and _meet(other, booking) and other != booking:
                draw.turn(other, room_id=one.room_id)
    takes = draw.chance(0.6)
    return facts(
        _house_facts(db, _house_named(db, draw, booking.hotel_id)),
        number=booking.reservation_id,
        floor=floor,
        agrees=takes,
        accepts=takes,
    )


def solve_promise_room(agent: Agent, given: Given) -> Outcome:
    house = _own_house(agent, given)
    agent.ask("number", "floor")
    booking = agent.get_reservation(given.number)
    if booking.hotel_id != house.hotel_id:
        return outcome("booked_elsewhere", house=agent.get_hotel(booking.hotel_id).name)
    guest = _full_name(agent.get_guest(booking.guest_id))
    rooms = agent.list_rooms(house.hotel_id, room_type_id=booking.room_type_id)
    own = maybe(one for one in rooms if one.room_id == booking.room_id)
    if own is not None and own.floor == given.floor:
        return outcome("has_it", guest=guest, room=own.number)
    free = agent.list_free_rooms(booking.room_type_id, booking.arrival, booking.departure)
    there = [one for one in free if one.floor == given.floor]
    if len(there) > 0:
        room = min(there, key=lambda one: one.number)
        agent.assign_room(given.number, room.room_id)
        return outcome("set_aside", guest=guest, room=room.number)
    if own is not None or len(free) == 0:
        return outcome("none_there", guest=guest, count=len(free))
    highest = max(free, key=lambda one: (one.floor, one.number))
    if not agent.offer("other_floor", room=highest.number):
        return outcome("not_set_aside", guest=guest, room=highest.number)
    agent.assign_room(given.number, highest.room_id)
    return outcome("set_aside_elsewhere", guest=guest, room=highest.number)


def quiet_day(db: Database, draw: Draw) -> Facts:
    """A deep cleaning is planned for the day with the fewest rooms booked, if one is quiet."""
    hotel = draw.one(db.hotels.all())
    room = draw.one(db.rooms.where(hotel_id=hotel.hotel_id))
    draw.need(room.condition != "out_of_order")
    first = db.today() + timedelta(days=draw.integer(1, 12))
    inside = first + timedelta(days=draw.integer(1, 2))
    stage = draw.one(["planned", "after", "after", "after", "beside", "none"])
    beside = draw.one(one for one in db.rooms.where(hotel_id=hotel.hotel_id) if one != room)
    most = draw.one([2, 3, 4, 6])
    days = [first + timedelta(days=n) for n in range(4)]
    figures = [draw.call("get_hotel_day", hotel_id=hotel.hotel_id, day=day) for day in days]
    # What is planned already is not too busy as well: it would matter which is said.
    is_quiet = min(one.booked for one in figures) <= most
    draw.need(is_quiet or stage != "planned")
    if stage != "none":
        task = draw.call(
            "create_housekeeping_task",
            room_id=beside.room_id if stage == "beside" else room.room_id,
            kind="deep_clean",
            due_on=inside + timedelta(days=5 if stage == "after" else 0),
        )
        if stage == "planned":
            draw.turn(task, status="cancelled")
        if stage == "after" and is_quiet:
            draw.turn(task, due_on=inside)
        if stage == "beside" and is_quiet:
            draw.turn(task, room_id=room.room_id)
    return facts(
        _house_facts(db, hotel.hotel_id),
        room=told(room.number, room, "number"),
        first=first,
        last=first + timedelta(days=3),
        most=most,
    )


def solve_quiet_day(agent: Agent, given: Given) -> Outcome:
    house = _own_house(agent, given)
    agent.ask("room", "first", "last", "most")
    room = agent.find_room(house.hotel_id, given.room)
    days = [given.first + timedelta(days=n) for n in range((given.last - given.first).days + 1)]
    figures = [agent.get_hotel_day(house.hotel_id, day) for day in days]
    best = min(figures, key=lambda one: (one.booked, one.day))
    tasks = agent.list_housekeeping_tasks(house.hotel_id, status="open")
    planned = [
        task
        for task in tasks
        if task.room_id == room.room_id and task.kind == "deep_clean" and task.due_on in days
    ]
    if len(planned) > 0:
        return outcome("planned_before", day=planned[0].due_on, booked=best.booked)
    if best.booked > given.most:
        return outcome("too_busy", day=best.day, booked=best.booked)
    agent.create_housekeeping_task(room.room_id, "deep_clean", best.day)
    return outcome("planned", day=best.day, booked=best.booked)
