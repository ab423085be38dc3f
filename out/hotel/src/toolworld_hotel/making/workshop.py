"""Faults in rooms: reported, given out and closed by colleagues."""

from __future__ import annotations

from datetime import date, timedelta

from ..database.models import Database, Employee, Hotel, HotelId, MaintenanceTicket, Priority, Room
from .agent import Agent, Given
from .colleagues import FAULTS_SEEN, _has_ticket, _house_facts, _own_house
from .draw import Draw
from .facts import Facts, facts, told
from .language import Outcome, maybe, only, outcome
from .linen import _workers

USES = {"free": "none", "known": "none", "promised": "promised", "lived_in": "lived_in"}
URGENT = ("electrical", "lock")
RANKS: dict[Priority, int] = {"urgent": 0, "high": 1, "normal": 2, "low": 3}
REPAIRS: dict[str, str] = {
    "plumbing": "Cleared the drain and tested it.",
    "electrical": "Replaced the lamp and its socket.",
    "heating": "Refilled the coolant.",
    "furniture": "Fitted a new leg.",
    "electronics": "Reset and tuned the television.",
    "lock": "Changed the battery of the lock.",
}


def _use_of(db: Database, room: Room) -> str:
    """Say whether somebody is in a room, it is set aside for one arrival of today, or neither."""
    if len(db.stays.where(room_id=room.room_id, status="in_house")) > 0:
        return "lived_in"
    coming = db.reservations.where(room_id=room.room_id, status="confirmed")
    if len(coming) == 0:
        return "none"
    return "promised" if [one.arrival for one in coming] == [db.today()] else "other"


def fault_in_room(db: Database, draw: Draw) -> Facts:
    """A colleague finds something broken; the room may be lived in, promised, or needed."""
    stage = draw.one(["free", "free", "promised", "promised", "promised", "lived_in", "known"])
    room = draw.one(
        one
        for one in db.rooms.where(hotel_id=draw.one(db.hotels.all()).hotel_id)
        if one.condition != "out_of_order" and _use_of(db, one) == USES[stage]
    )
    category, seen = draw.one(list(FAULTS_SEEN.items()))
    if stage == "promised" and draw.chance(0.5):
        category, seen = draw.one([one for one in FAULTS_SEEN.items() if one[0] in URGENT])
    draw.need(not _has_ticket(db, room, category))
    if stage == "known":
        known = draw.call("report_fault", room_id=room.room_id, category=category, description=seen)
        _reported_before(db, draw, known)
    for coming in db.reservations.where(room_id=room.room_id, status="confirmed"):
        draw.turn(coming, room_id=None)
    for loose in db.reservations.where(room_type_id=room.room_type_id, room_id=None):
        if stage == "free" and loose.status == "confirmed":
            draw.turn(loose, room_id=room.room_id)
    return facts(
        _house_facts(db, room.hotel_id),
        room=told(room.number, room, "number"),
        category=category,
        seen=seen,
    )


def solve_fault_in_room(agent: Agent, given: Given) -> Outcome:
    house = _own_house(agent, given)
    agent.ask("room", "category")
    room = agent.find_room(house.hotel_id, given.room)
    tickets = agent.list_maintenance_tickets(house.hotel_id, room_id=room.room_id)
    known = maybe(
        one for one in tickets if one.closed_at is None and one.category == given.category
    )
    types = agent.list_room_types(house.hotel_id)
    kind = only(one for one in types if one.room_type_id == room.room_type_id).name
    if known is not None:
        return outcome("known_before", day=known.opened_at.date(), type=kind)
    agent.ask("seen")
    priority = "urgent" if given.category in URGENT else "normal"
    here = maybe(one for one in agent.list_in_house(house.hotel_id) if one.room == given.room)
    if here is not None:
        agent.report_fault(room.room_id, given.category, given.seen, priority)
        return outcome("somebody_in", guest=here.guest, type=kind)
    lines = agent.list_room_reservations(room.room_id)
    coming = maybe(one for one in lines if one.status == "confirmed")
    if coming is not None:
        free = agent.list_free_rooms(room.room_type_id, coming.arrival, coming.departure)
        if priority != "urgent" or len(free) == 0:
            agent.report_fault(room.room_id, given.category, given.seen, priority)
            return outcome("promised", guest=coming.guest, type=kind)
        other = min(free, key=lambda one: one.number)
        agent.assign_room(coming.reservation_id, other.room_id)
    blocked = agent.attempt.report_fault(
        room.room_id, given.category, given.seen, priority, blocks_room=True
    )
    if blocked.rejected("sold_out"):
        agent.report_fault(room.room_id, given.category, given.seen, priority)
        return outcome("needed", night=date.fromisoformat(blocked.values.day), type=kind)
    if coming is not None:
        return outcome("other_room_promised", other=other.number, guest=coming.guest, type=kind)
    return outcome("out_of_use", type=kind)


def _reported_before(db: Database, draw: Draw, ticket: MaintenanceTicket) -> MaintenanceTicket:
    """Have a ticket opened up to three days ago."""
    opened = db.now() - timedelta(hours=draw.integer(2, 70))
    return db.maintenance_tickets.update(ticket.ticket_id, opened_at=opened)


def _laid_ticket(db: Database, draw: Draw, hotel_id: HotelId) -> MaintenanceTicket:
    """Report a fault of some days ago in a room of a house."""
    room = draw.one(db.rooms.where(hotel_id=hotel_id))
    category, seen = draw.one(list(FAULTS_SEEN.items()))
    draw.need(not _has_ticket(db, room, category))
    ticket = draw.call(
        "report_fault",
        room_id=room.room_id,
        category=category,
        description=seen,
        priority=draw.one(["low", "normal", "normal", "high"]),
    )
    return _reported_before(db, draw, ticket)


def next_repair(db: Database, draw: Draw) -> Facts:
    """A technician is free and gets the ticket whose turn it is, if trade and shift fit."""
    hotel = draw.one(db.hotels.all())
    for _ in range(draw.integer(0, 3)):
        _laid_ticket(db, draw, hotel.hotel_id)
    if draw.chance(0.15):
        fit = db.employees.where(hotel_id=hotel.hotel_id, role="technician", on_shift=True)
        for ticket in db.maintenance_tickets.where(hotel_id=hotel.hotel_id, status="open"):
            draw.call(
                "assign_maintenance_ticket",
                ticket_id=ticket.ticket_id,
                employee_id=fit[0].employee_id,
            )
    worker = _workers(db, draw, hotel.hotel_id, "technician")
    if worker.role == "technician" and not worker.on_shift:
        draw.turn(worker, on_shift=True)
    for ticket in db.maintenance_tickets.where(hotel_id=hotel.hotel_id, status="open"):
        draw.turn(ticket, priority="urgent")
    takes = draw.chance(0.7)
    return facts(
        _house_facts(db, hotel.hotel_id),
        worker=told(worker.name, worker, "name"),
        agrees=takes,
        accepts=takes,
    )


def solve_next_repair(agent: Agent, given: Given) -> Outcome:
    house = _own_house(agent, given)
    waiting = agent.list_maintenance_tickets(house.hotel_id, status="open")
    if len(waiting) == 0:
        running = agent.list_maintenance_tickets(house.hotel_id, status="in_progress")
        oldest = min(running, key=lambda one: one.opened_at)
        return outcome("all_given", oldest=oldest.room, day=oldest.opened_at.date())
    first = min(waiting, key=lambda one: (RANKS[one.priority], one.opened_at))
    day = first.opened_at.date()
    agent.ask("worker")
    staff = agent.list_employees(house.hotel_id)
    worker = only(one for one in staff if one.name == given.worker)
    if worker.role == "technician" and worker.on_shift:
        agent.assign_maintenance_ticket(first.ticket_id, worker.employee_id)
        return outcome("repair_given", room=first.room, day=day)
    other = only(one for one in staff if one.role == "technician" and one.on_shift)
    if not agent.offer("other_technician", colleague=other.name, room=first.room):
        return outcome("repair_waits", room=first.room, other=other.name)
    agent.assign_maintenance_ticket(first.ticket_id, other.employee_id)
    return outcome("other_took_it", room=first.room, day=day, other=other.name)


def repair_done(db: Database, draw: Draw) -> Facts:
    """Something is repaired; a second fault may block the room, or nobody had been given it."""
    hotel = draw.one(db.hotels.all())
    stage = draw.one(["blocking", "blocking", "two", "two", "plain", "plain", "closed"])
    rooms = [
        room
        for room in db.rooms.where(hotel_id=hotel.hotel_id)
        if len(db.maintenance_tickets.where(room_id=room.room_id)) == 0
        and (stage in ("plain", "closed") or _use_of(db, room) == "none")
    ]
    room = draw.one(rooms)
    (category, seen), other = draw.some(list(FAULTS_SEEN.items()), 2)
    other_first = draw.chance(0.5)
    fit = db.employees.where(hotel_id=hotel.hotel_id, role="technician", on_shift=True)
    if other_first:
        _other_fault(draw, room, other, stage, fit[0])
    ticket = draw.call(
        "report_fault",
        room_id=room.room_id,
        category=category,
        description=seen,
        blocks_room=stage in ("blocking", "two"),
    )
    _reported_before(db, draw, ticket)
    if not other_first:
        _other_fault(draw, room, other, stage, fit[0])
    if stage in ("blocking", "two") and draw.chance(0.5):
        _cleaning_waits(db, draw, hotel)
    if stage == "closed" or draw.chance(0.5):
        draw.call(
            "assign_maintenance_ticket",
            ticket_id=ticket.ticket_id,
            employee_id=fit[0].employee_id,
        )
        if stage != "closed" and len(fit) > 1:
            draw.turn(ticket, employee_id=fit[1].employee_id)
    if stage == "closed":
        draw.call(
            "close_maintenance_ticket", ticket_id=ticket.ticket_id, resolution="Repaired on site."
        )
    worker = _workers(db, draw, hotel.hotel_id, "technician")
    # Whoever is named may be off shift in the twin: one more is there then.
    trade = db.employees.where(hotel_id=hotel.hotel_id, role="technician")
    others = [one for one in trade if one.employee_id != worker.employee_id]
    if worker.role == "technician" and not any(one.on_shift for one in others):
        db.employees.update(others[0].employee_id, on_shift=True)
    draw.turn(worker, on_shift=not worker.on_shift)
    return facts(
        _house_facts(db, hotel.hotel_id),
        room=told(room.number, room, "number"),
        category=category,
        done=REPAIRS[category],
        worker=told(worker.name, worker, "name"),
    )


def _cleaning_waits(db: Database, draw: Draw, hotel: Hotel) -> None:
    """Have a room of a hotel wait for a thorough cleaning, and another cleaning be overdue."""
    near = draw.one(db.rooms.where(hotel_id=hotel.hotel_id, condition="clean"))
    draw.call(
        "create_housekeeping_task",
        room_id=near.room_id,
        kind="deep_clean",
        due_on=db.today() + timedelta(days=draw.integer(0, 3)),
    )
    waiting = db.housekeeping_tasks.where(hotel_id=hotel.hotel_id, status="open")
    db.housekeeping_tasks.update(
        waiting[0].task_id, due_on=db.today() - timedelta(days=draw.integer(1, 3))
    )


def _other_fault(
    draw: Draw, room: Room, fault: tuple[str, str], stage: str, worker: Employee
) -> None:
    """Report another fault of a room: it blocks the room as well, or was repaired before."""
    other = draw.call(
        "report_fault",
        room_id=room.room_id,
        category=fault[0],
        description=fault[1],
        blocks_room=stage == "two",
    )
    if stage == "two":
        return
    draw.call(
        "assign_maintenance_ticket", ticket_id=other.ticket_id, employee_id=worker.employee_id
    )
    draw.call("close_maintenance_ticket", ticket_id=other.ticket_id, resolution=REPAIRS[fault[0]])


def solve_repair_done(agent: Agent, given: Given) -> Outcome:
    house = _own_house(agent, given)
    agent.ask("room", "category")
    room = agent.find_room(house.hotel_id, given.room)
    tickets = agent.list_maintenance_tickets(house.hotel_id, room_id=room.room_id)
    ticket = only(one for one in tickets if one.category == given.category)
    if ticket.closed_at is not None:
        return outcome("closed_before", by=ticket.employee, how=ticket.resolution)
    name = ticket.employee
    if ticket.employee_id is None:
        agent.ask("worker")
        staff = agent.list_employees(house.hotel_id)
        worker = only(one for one in staff if one.name == given.worker)
        if worker.role != "technician" or not worker.on_shift:
            other = only(one for one in staff if one.role == "technician" and one.on_shift)
            return outcome("cannot_have_it", trade=worker.role, by=other.name)
        agent.assign_maintenance_ticket(ticket.ticket_id, worker.employee_id)
        name = worker.name
    agent.ask("done")
    agent.close_maintenance_ticket(ticket.ticket_id, given.done)
    still = maybe(one for one in tickets if one.closed_at is None and one != ticket)
    if still is not None:
        return outcome("still_blocked", by=name, fault=still.category)
    if not ticket.blocks_room:
        return outcome("repaired", by=name, reported=ticket.opened_at.date())
    line = only(
        one
        for one in agent.list_housekeeping_tasks(house.hotel_id, status="open")
        if one.room_id == room.room_id and one.kind == "deep_clean"
    )
    return outcome("cleaning_next", by=name, cleaning=line.due_on)
