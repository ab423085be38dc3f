"""Housekeeping: who cleans what next, and what is done."""

from __future__ import annotations

from ..database.models import Database, Employee, Hotel, HotelId, Room, StaffRole
from .agent import Agent, Given
from .colleagues import _house_facts, _own_house
from .draw import Draw
from .facts import Facts, facts, told
from .language import Outcome, maybe, only, outcome

CLEANINGS = ("departure_clean", "stayover_clean", "deep_clean")
UNFINISHED = ("open", "in_progress")


def _workers(db: Database, draw: Draw, hotel_id: HotelId, role: StaffRole) -> Employee:
    """Return somebody of a house, mostly of the trade wanted and mostly on shift."""
    staff = db.employees.where(hotel_id=hotel_id)
    right = [one for one in staff if one.role == role]
    if draw.chance(0.6):
        return draw.one(one for one in right if one.on_shift)
    return draw.one([*[one for one in right if not one.on_shift], draw.one(staff)])


def _departure_left(db: Database, draw: Draw, room: Room) -> None:
    """Leave a room dirty after a departure, with nobody cleaning it yet."""
    tasks = db.housekeeping_tasks.where(room_id=room.room_id, kind="departure_clean")
    if any(task.status in UNFINISHED for task in tasks):
        return
    db.rooms.update(room.room_id, condition="dirty")
    draw.call(
        "create_housekeeping_task",
        room_id=room.room_id,
        kind="departure_clean",
        due_on=db.today(),
    )


def clean_soonest(db: Database, draw: Draw) -> Facts:
    """Somebody of housekeeping is free and gets the room that is needed soonest."""
    hotel = draw.one(db.hotels.all())
    coming = db.reservations.where(hotel_id=hotel.hotel_id, arrival=db.today(), status="confirmed")
    promised = [db.rooms.get(one.room_id) for one in coming if one.room_id is not None]
    usable = [
        room
        for room in promised
        if room.condition != "out_of_order"
        and len(db.stays.where(room_id=room.room_id, status="in_house")) == 0
    ]
    if draw.chance(0.8):
        for room in draw.some(usable, min(len(usable), draw.integer(1, 3))):
            _departure_left(db, draw, room)
    worker = _workers(db, draw, hotel.hotel_id, "housekeeper")
    draw.turn(worker, on_shift=not worker.on_shift)
    if draw.chance(0.5):
        _give_turndowns(db, draw, hotel.hotel_id)
    takes = draw.chance(0.7)
    return facts(
        _house_facts(db, hotel.hotel_id),
        worker=told(worker.name, worker, "name"),
        agrees=takes,
        accepts=takes,
    )


def _give_turndowns(db: Database, draw: Draw, hotel_id: HotelId) -> None:
    """Give some rooms to make ready for the night to the first housekeeper by name."""
    staff = db.employees.where(hotel_id=hotel_id, role="housekeeper", on_shift=True)
    first = min(staff, key=lambda one: one.name)
    lived_in = db.stays.where(hotel_id=hotel_id, status="in_house")
    for stay in draw.some(lived_in, min(len(lived_in), 4)):
        task = draw.call(
            "create_housekeeping_task", room_id=stay.room_id, kind="turndown", due_on=db.today()
        )
        draw.call("assign_housekeeping_task", task_id=task.task_id, employee_id=first.employee_id)


def solve_clean_soonest(agent: Agent, given: Given) -> Outcome:
    house = _own_house(agent, given)
    tasks = agent.list_housekeeping_tasks(house.hotel_id, status="open")
    arrivals = agent.list_arrivals(house.hotel_id, agent.get_time().today)
    coming = {line.room_id: line for line in arrivals}
    cleanings = [task for task in tasks if task.kind == "departure_clean"]
    needed = [task for task in cleanings if task.room_id in coming]
    if len(needed) == 0:
        return outcome("none_needed", count=len(cleanings))
    first = min(needed, key=lambda task: task.room)
    guest = coming[first.room_id].guest
    agent.ask("worker")
    staff = agent.list_employees(house.hotel_id)
    worker = only(one for one in staff if one.name == given.worker)
    if worker.role == "housekeeper" and worker.on_shift:
        agent.assign_housekeeping_task(first.task_id, worker.employee_id)
        return outcome("given", room=first.room, guest=guest)
    other = _least_busy(agent, house, staff)
    if not agent.offer("other_colleague", colleague=other.name, room=first.room):
        return outcome("nobody_given", room=first.room, other=other.name)
    agent.assign_housekeeping_task(first.task_id, other.employee_id)
    return outcome("given_to_other", room=first.room, guest=guest, other=other.name)


def _least_busy(agent: Agent, house: Hotel, staff: list[Employee]) -> Employee:
    """Return the housekeeper on shift with the fewest tasks in hand, by name of several."""
    running = agent.list_housekeeping_tasks(house.hotel_id, status="in_progress")
    fit = [one for one in staff if one.role == "housekeeper" and one.on_shift]
    return min(
        fit,
        key=lambda one: (
            len([task for task in running if task.employee_id == one.employee_id]),
            one.name,
        ),
    )


def room_is_done(db: Database, draw: Draw) -> Facts:
    """A cleaned room is reported; nobody may have been given it, or it was recorded before."""
    hotel = draw.one(db.hotels.all())
    stage = draw.one(["in_hand", "in_hand", "nobody", "nobody", "done", "occupied"])
    rooms = db.rooms.where(hotel_id=hotel.hotel_id, condition="dirty")
    empty = [
        room for room in rooms if len(db.stays.where(room_id=room.room_id, status="in_house")) == 0
    ]
    used = [
        room
        for room in db.rooms.where(hotel_id=hotel.hotel_id)
        if len(db.stays.where(room_id=room.room_id, status="in_house")) == 1
    ]
    room = draw.one(used if stage == "occupied" else empty)
    _departure_left(db, draw, room)
    tasks = db.housekeeping_tasks.where(room_id=room.room_id, kind="departure_clean")
    task = draw.one(one for one in tasks if one.status in UNFINISHED)
    worker = _workers(db, draw, hotel.hotel_id, "housekeeper")
    if stage != "nobody" and task.employee_id is None:
        fit = db.employees.where(hotel_id=hotel.hotel_id, role="housekeeper", on_shift=True)
        first, second = draw.some(fit, 2)
        draw.call("assign_housekeeping_task", task_id=task.task_id, employee_id=first.employee_id)
        draw.turn(task, employee_id=second.employee_id)
    draw.need(stage != "nobody" or task.employee_id is None)
    if stage == "nobody":
        draw.turn(worker, on_shift=not worker.on_shift)
    if stage == "done":
        draw.call("complete_housekeeping_task", task_id=task.task_id)
    others = db.housekeeping_tasks.where(room_id=room.room_id)
    draw.need(len([one for one in others if one.kind == "departure_clean"]) == 1)
    return facts(
        _house_facts(db, hotel.hotel_id),
        room=told(room.number, room, "number"),
        worker=told(worker.name, worker, "name"),
    )


def solve_room_is_done(agent: Agent, given: Given) -> Outcome:
    house = _own_house(agent, given)
    agent.ask("room")
    cleanings = [
        one
        for one in agent.list_housekeeping_tasks(house.hotel_id)
        if one.kind == "departure_clean"
    ]
    task = only(one for one in cleanings if one.room == given.room)
    left = len([one for one in cleanings if one.status in UNFINISHED and one != task])
    if task.status == "done":
        return outcome("done_before", by=task.employee, left=left)
    here = maybe(one for one in agent.list_in_house(house.hotel_id) if one.room == given.room)
    if here is not None:
        return outcome("guest_still_in", guest=here.guest, left=left)
    if task.employee_id is not None:
        agent.complete_housekeeping_task(task.task_id)
        return outcome("recorded", by=task.employee, left=left)
    agent.ask("worker")
    worker = only(one for one in agent.list_employees(house.hotel_id) if one.name == given.worker)
    if worker.role != "housekeeper" or not worker.on_shift:
        return outcome("not_theirs", trade=worker.role, left=left)
    agent.assign_housekeeping_task(task.task_id, worker.employee_id)
    agent.complete_housekeeping_task(task.task_id)
    return outcome("given_and_recorded", by=worker.name, left=left)
