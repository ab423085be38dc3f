"""Loyalty points that guests ask after."""

from __future__ import annotations

from datetime import timedelta

from ..database.models import Database, Reservation
from .agent import Agent, Given
from .draw import Draw
from .facts import Facts, facts
from .grievances import MADE_UP, POINTS_GIVEN_TEXT
from .language import Outcome, only, outcome
from .office import GRIEVANCES
from .people import _booking, _with_booking


def ask_for_points(db: Database, draw: Draw) -> Facts:
    """Somebody wants to know what points a stay gave; it may not be over, or never have been."""
    status = draw.one(["checked_out", "checked_out", "checked_out", "checked_in", "cancelled"])
    stay = draw.row("reservations", status=status)
    draw.need(stay.arrival > db.today() - timedelta(days=70))
    draw.need(stay.arrival < db.today())
    if status == "checked_out" and draw.chance(0.7):
        _made_up_for(db, draw, stay)
    return facts(_with_booking(db, stay))


def _made_up_for(db: Database, draw: Draw, stay: Reservation) -> None:
    """Have a complaint about a stay made up for with points."""
    known = db.complaints.where(reservation_id=stay.reservation_id, category="noise")
    draw.need(len(known) == 0)
    made = draw.call(
        "file_complaint",
        reservation_id=stay.reservation_id,
        category="noise",
        severity="minor",
        details=GRIEVANCES["noise"],
    )
    draw.call(
        "resolve_complaint",
        complaint_id=made.complaint_id,
        resolution=POINTS_GIVEN_TEXT,
        points=MADE_UP["minor"],
    )
    entries = db.points_entries.where(reservation_id=stay.reservation_id, reason="compensation")
    draw.turn(entries[-1], reservation_id=None)


def solve_ask_for_points(agent: Agent, given: Given) -> Outcome:
    stay = _booking(agent, given)
    guest = agent.get_guest(stay.guest_id)
    if stay.cancelled_at is not None:
        return outcome("no_points_ever", day=stay.cancelled_at.date(), balance=guest.points)
    if stay.status == "checked_in":
        return outcome("points_to_come", day=stay.departure, balance=guest.points)
    entries = agent.list_points_entries(stay.guest_id)
    earned = only(
        one for one in entries if one.reservation_id == stay.reservation_id and one.reason == "stay"
    )
    spent = [
        one.change
        for one in entries
        if one.reservation_id == stay.reservation_id and one.reason != "stay"
    ]
    if sum(spent) != 0:
        return outcome("points_and_more", points=earned.change, balance=guest.points)
    return outcome("points_given", points=earned.change, balance=guest.points)
