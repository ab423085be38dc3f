"""Staff of the hotels."""

from __future__ import annotations

from ..database.models import Database, Employee, EmployeeId, HotelId, StaffRole
from ..errors import Rejected
from ..values import Page, page


def _employee(db: Database, employee_id: EmployeeId, hotel_id: HotelId, role: str) -> Employee:
    employee = db.employees.get(employee_id)
    if employee.hotel_id != hotel_id:
        raise Rejected(
            "other_hotel",
            f"{employee.name} is a {employee.role} of {employee.hotel_id}; choose a "
            f"{role or 'member of staff'} of {hotel_id}.",
            name=employee.name,
            hotel=employee.hotel_id,
        )
    if role and employee.role != role:
        raise Rejected(
            "other_trade",
            f"{employee.name} is a {employee.role}; choose a {role} of {hotel_id}.",
            name=employee.name,
            role=employee.role,
        )
    if not employee.on_shift:
        raise Rejected(
            "off_shift",
            f"{employee.name} is off shift; choose somebody on shift.",
            name=employee.name,
        )
    return employee


def _employee_name(db: Database, employee_id: EmployeeId | None) -> str | None:
    return None if employee_id is None else db.employees.get(employee_id).name


def list_employees(
    db: Database,
    hotel_id: HotelId,
    role: StaffRole | None = None,
    on_shift: bool | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Employee]:
    """List the staff of a hotel.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        role: Only staff with this role.
        on_shift: Only staff who are at work now, or only those who are not.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The hotel is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    staff = [
        employee
        for employee in db.employees.where(hotel_id=hotel_id)
        if (role is None or employee.role == role)
        and (on_shift is None or employee.on_shift == on_shift)
    ]
    return page(staff, cursor, limit)
