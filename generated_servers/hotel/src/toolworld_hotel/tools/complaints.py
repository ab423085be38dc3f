"""Complaints and what came of them."""

from __future__ import annotations

from ..database.models import (
    Complaint,
    ComplaintCategory,
    ComplaintId,
    ComplaintLine,
    ComplaintStatus,
    Database,
    HotelId,
    ReservationId,
    Severity,
)
from ..errors import Rejected
from ..values import Page, page
from .guests import _guest_name
from .inputs import _text
from .loyalty import _add_points
from .rooms import _room_number

COMPENSATION = {"minor": 1000, "serious": 5000, "severe": 20000}


def _complaint_line(db: Database, complaint: Complaint) -> ComplaintLine:
    reservation = db.reservations.get(complaint.reservation_id)
    return ComplaintLine(
        complaint_id=complaint.complaint_id,
        reservation_id=complaint.reservation_id,
        guest=_guest_name(db, reservation.guest_id),
        room=_room_number(db, reservation.room_id),
        category=complaint.category,
        severity=complaint.severity,
        details=complaint.details,
        status=complaint.status,
        made_at=complaint.made_at,
        resolved_at=complaint.resolved_at,
        resolution=complaint.resolution,
        points=complaint.points,
    )


def list_complaints(
    db: Database,
    hotel_id: HotelId,
    status: ComplaintStatus | None = None,
    reservation_id: ReservationId | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[ComplaintLine]:
    """List the complaints about a hotel, by number.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        status: Only complaints in this status.
        reservation_id: Only complaints of this reservation, such as "RES-00042".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The hotel or reservation is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    if reservation_id is not None:
        db.reservations.get(reservation_id)
    complaints = [
        complaint
        for complaint in db.complaints.where(hotel_id=hotel_id)
        if (status is None or complaint.status == status)
        and (reservation_id is None or complaint.reservation_id == reservation_id)
    ]
    return page([_complaint_line(db, complaint) for complaint in complaints], cursor, limit)


def file_complaint(
    db: Database,
    reservation_id: ReservationId,
    category: ComplaintCategory,
    severity: Severity,
    details: str,
) -> Complaint:
    """Take down a complaint of a guest who stays or has stayed.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".
        category: What it is about.
        severity: How bad it is.
        details: What happened, in words.

    Raises:
        Rejected: The reservation is unknown, or its guest never checked in.
        Rejected: A complaint in the category is open for the stay.
        Rejected: The details are empty or too long.
    """
    reservation = db.reservations.get(reservation_id)
    if reservation.status not in ("checked_in", "checked_out"):
        raise Rejected(
            "not_checked_in",
            f"Reservation {reservation_id} is {reservation.status}; there was no stay.",
            status=reservation.status,
        )
    for complaint in db.complaints.where(reservation_id=reservation_id, category=category):
        if complaint.status == "open":
            raise Rejected(
                "duplicate",
                f"Complaint {complaint.complaint_id} is about that already.",
                complaint=complaint.complaint_id,
            )
    return db.complaints.add(
        reservation_id=reservation_id,
        hotel_id=reservation.hotel_id,
        category=category,
        severity=severity,
        details=_text(details, "details"),
        status="open",
        made_at=db.now(),
        points=0,
    )


def _most_points(db: Database, complaint: Complaint) -> int:
    """Return what a complaint may bring, after others of its kind in the same stay."""
    alike = db.complaints.where(
        reservation_id=complaint.reservation_id, category=complaint.category
    )
    return max(0, COMPENSATION[complaint.severity] - sum(other.points for other in alike))


def resolve_complaint(
    db: Database, complaint_id: ComplaintId, resolution: str, points: int = 0
) -> Complaint:
    """Resolve a complaint, with loyalty points to make up for it if wanted.

    At most 1000 points for a minor, 5000 for a serious and 20000 for a severe complaint, less what
    others of its kind brought in the same stay.

    Args:
        complaint_id: The complaint, such as "CMP-00009".
        resolution: What was done about it.
        points: Points to give; none unless given.

    Raises:
        Rejected: The complaint is unknown or resolved already.
        Rejected: The resolution is empty or too long.
        Rejected: The points are negative, or too many for its severity and what was given before.
    """
    complaint = db.complaints.get(complaint_id)
    if complaint.status != "open":
        raise Rejected("complaint_resolved", f"Complaint {complaint_id} is resolved already.")
    how = _text(resolution, "resolution")
    most = _most_points(db, complaint)
    if not 0 <= points <= most:
        raise Rejected(
            "points_out_of_range",
            f"A {complaint.severity} complaint is worth 0 to {most} points here, after what others "
            "of its kind brought in the same stay.",
            limit=most,
        )
    if points > 0:
        reservation = db.reservations.get(complaint.reservation_id)
        guest_id, reservation_id = reservation.guest_id, reservation.reservation_id
        _add_points(db, guest_id, reservation_id, points, "compensation")
    return db.complaints.update(
        complaint_id, status="resolved", resolved_at=db.now(), resolution=how, points=points
    )
