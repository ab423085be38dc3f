"""Housekeeping: what is to be done in rooms, and by whom."""

from __future__ import annotations

from datetime import date, timedelta

from ..database.models import (
    CleaningKind,
    Database,
    EmployeeId,
    HotelId,
    HousekeepingTask,
    HousekeepingTaskId,
    HousekeepingTaskLine,
    Priority,
    Room,
    RoomId,
    WorkStatus,
)
from ..errors import Rejected
from ..values import Page, page
from .employees import _employee, _employee_name
from .inputs import _text

URGENCY: list[Priority] = ["low", "normal", "high", "urgent"]


def _order_cleaning(db: Database, room: Room, kind: CleaningKind, priority: Priority) -> None:
    """Have a room cleaned today; what is planned for today already becomes as urgent."""
    for task in db.housekeeping_tasks.where(room_id=room.room_id, kind=kind, due_on=db.today()):
        if task.status in ("open", "in_progress"):
            if URGENCY.index(priority) > URGENCY.index(task.priority):
                db.housekeeping_tasks.update(task.task_id, priority=priority)
            return
    db.housekeeping_tasks.add(
        hotel_id=room.hotel_id,
        room_id=room.room_id,
        kind=kind,
        status="open",
        priority=priority,
        due_on=db.today(),
    )


def _call_off_between_nights(db: Database, room: Room) -> None:
    """Call off what is still to be done by today for a guest who has left the room."""
    for task in db.housekeeping_tasks.where(room_id=room.room_id):
        is_for_guest = task.kind in ("stayover_clean", "turndown") and task.due_on <= db.today()
        if is_for_guest and task.status in ("open", "in_progress"):
            db.housekeeping_tasks.update(task.task_id, status="cancelled")


def _task_line(db: Database, task: HousekeepingTask) -> HousekeepingTaskLine:
    return HousekeepingTaskLine(
        task_id=task.task_id,
        room_id=task.room_id,
        room=db.rooms.get(task.room_id).number,
        kind=task.kind,
        status=task.status,
        priority=task.priority,
        due_on=task.due_on,
        employee_id=task.employee_id,
        employee=_employee_name(db, task.employee_id),
        done_at=task.done_at,
        note=task.note,
    )


def list_housekeeping_tasks(
    db: Database,
    hotel_id: HotelId,
    status: WorkStatus | None = None,
    due_on: date | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[HousekeepingTaskLine]:
    """List the housekeeping tasks of a hotel, by number.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        status: Only tasks in this status.
        due_on: Only tasks to be done on this day.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The hotel is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    tasks = [
        task
        for task in db.housekeeping_tasks.where(hotel_id=hotel_id)
        if (status is None or task.status == status) and (due_on is None or task.due_on == due_on)
    ]
    return page([_task_line(db, task) for task in tasks], cursor, limit)


def create_housekeeping_task(
    db: Database,
    room_id: RoomId,
    kind: CleaningKind,
    due_on: date,
    priority: Priority = "normal",
    note: str | None = None,
) -> HousekeepingTask:
    """Ask housekeeping to do something in a room.

    Args:
        room_id: The room, such as "ROM-00017".
        kind: What is to be done.
        due_on: The day, today or within 60 days.
        priority: How soon; normal unless given.
        note: A remark for the housekeeper.

    Raises:
        Rejected: The room is unknown.
        Rejected: The day is past or more than 60 days away.
        Rejected: The same is asked for already.
        Rejected: The note is empty or too long.
    """
    room = db.rooms.get(room_id)
    if not 0 <= (due_on - db.today()).days <= 60:
        raise Rejected(
            "day_out_of_range",
            f"Give a day from {db.today()} on, within 60 days.",
            first=db.today(),
            last=db.today() + timedelta(days=60),
        )
    for task in db.housekeeping_tasks.where(room_id=room_id, kind=kind, due_on=due_on):
        if task.status in ("open", "in_progress"):
            raise Rejected(
                "duplicate",
                f"Task {task.task_id} asks for that already; no second one is needed.",
                task=task.task_id,
            )
    return db.housekeeping_tasks.add(
        hotel_id=room.hotel_id,
        room_id=room_id,
        kind=kind,
        status="open",
        priority=priority,
        due_on=due_on,
        note=None if note is None else _text(note, "note"),
    )


def _unfinished_task(db: Database, task_id: HousekeepingTaskId) -> HousekeepingTask:
    task = db.housekeeping_tasks.get(task_id)
    if task.status not in ("open", "in_progress"):
        raise Rejected(
            "task_over",
            f"Task {task_id} is {task.status}; create a new one if there is more to do.",
            status=task.status,
        )
    return task


def assign_housekeeping_task(
    db: Database, task_id: HousekeepingTaskId, employee_id: EmployeeId
) -> HousekeepingTask:
    """Give a housekeeping task to a housekeeper, who starts on it.

    Args:
        task_id: The task, such as "HKT-00031".
        employee_id: A housekeeper of the hotel, such as "EMP-00004".

    Raises:
        Rejected: The task or member of staff is unknown, or the task is over.
        Rejected: They are no housekeeper of the hotel, or off shift.
        Rejected: They have the task already.
    """
    task = _unfinished_task(db, task_id)
    employee = _employee(db, employee_id, task.hotel_id, "housekeeper")
    if task.employee_id == employee_id:
        raise Rejected(
            "already_assigned", f"{employee.name} has task {task_id} already.", name=employee.name
        )
    return db.housekeeping_tasks.update(task_id, employee_id=employee_id, status="in_progress")


def _makes_clean(task: HousekeepingTask, is_occupied: bool) -> bool:
    """Say whether a task makes its room clean, as long as nobody comes or goes."""
    return task.kind in ("deep_clean", "stayover_clean" if is_occupied else "departure_clean")


def complete_housekeeping_task(db: Database, task_id: HousekeepingTaskId) -> HousekeepingTask:
    """Record that a housekeeping task is done; after cleaning the room is clean.

    A room with nobody in it is clean only after a departure clean or a deep clean.

    Args:
        task_id: The task, such as "HKT-00031".

    Raises:
        Rejected: The task is unknown or over, or nobody was given it.
        Rejected: The day it is due is still to come.
        Rejected: The room is to be cleaned after a departure and still occupied.
    """
    task = _unfinished_task(db, task_id)
    if task.due_on > db.today():
        raise Rejected(
            "too_early",
            f"Task {task_id} is for {task.due_on}; it is recorded as done from that day on.",
            day=task.due_on,
        )
    room = db.rooms.get(task.room_id)
    is_occupied = len(db.stays.where(room_id=task.room_id, status="in_house")) > 0
    if task.kind == "departure_clean" and is_occupied:
        raise Rejected(
            "room_occupied",
            f"Room {room.number} is occupied; clean it after the guest has left.",
            room=room.number,
        )
    if task.employee_id is None:
        raise Rejected(
            "not_assigned", f"Nobody was given task {task_id}; assign it to a housekeeper first."
        )
    if _makes_clean(task, is_occupied) and room.condition == "dirty":
        db.rooms.update(task.room_id, condition="clean")
    return db.housekeeping_tasks.update(task_id, status="done", done_at=db.now())


def cancel_housekeeping_task(db: Database, task_id: HousekeepingTaskId) -> HousekeepingTask:
    """Call off a housekeeping task that is not needed any more.

    A departure clean does not stand in for a cleaning as long as a guest is in the room.

    Args:
        task_id: The task, such as "HKT-00031".

    Raises:
        Rejected: The task is unknown or over.
        Rejected: It is the only cleaning left for a dirty room by the day it is due.
    """
    task = _unfinished_task(db, task_id)
    room = db.rooms.get(task.room_id)
    is_occupied = len(db.stays.where(room_id=task.room_id, status="in_house")) > 0
    left = [
        other
        for other in db.housekeeping_tasks.where(room_id=task.room_id)
        if other.status in ("open", "in_progress")
        and other.task_id != task_id
        and other.due_on <= task.due_on
        and _makes_clean(other, is_occupied)
    ]
    if room.condition == "dirty" and _makes_clean(task, is_occupied) and not left:
        raise Rejected(
            "only_cleaning",
            f"Room {room.number} is dirty and nothing else would clean it by {task.due_on}.",
            room=room.number,
        )
    return db.housekeeping_tasks.update(task_id, status="cancelled")
