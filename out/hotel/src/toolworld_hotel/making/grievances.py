"""What guests complain about, and what they get to make up for it."""

from __future__ import annotations

from datetime import timedelta

from ..database.models import Complaint, Database, Reservation
from .agent import Agent, Given
from .draw import Draw
from .facts import Facts, facts
from .language import Outcome, maybe, outcome
from .people import _booking_that, _with_booking

SUFFERED = {
    "The corridor was rather loud until midnight.": ("noise", "minor"),
    "There was hair in the sink when I came into the room.": ("cleanliness", "minor"),
    "The television showed no channels.": ("room_fault", "minor"),
    "The young man at the desk was short with me.": ("staff", "minor"),
    "The music from the bar kept me up all night.": ("noise", "serious"),
    "My dinner was burnt and I went to bed hungry.": ("food", "serious"),
    "I fell ill from the fish in your restaurant.": ("food", "severe"),
    "The ceiling leaked on the bed and I had to leave the room.": ("room_fault", "severe"),
    "The bathroom had not been cleaned, and I slipped and hurt my arm.": ("cleanliness", "severe"),
}
ON_THE_PHONE = "The young man at the desk was short with me."
POINTS_GIVEN_TEXT = "Points were given to make up for it."
MADE_UP = {"minor": 500, "serious": 2000, "severe": 5000}


def _stayed(db: Database, draw: Draw) -> Reservation:
    """Return the booking of a guest who is in the house, or was within the last weeks."""
    stay = draw.row("reservations", status=draw.one(["checked_in", "checked_out"]))
    draw.need(stay.departure > db.today() - timedelta(days=40))
    draw.need(stay.arrival < db.today())
    return stay


def _laid_complaint(db: Database, draw: Draw, stay: Reservation, happened: str) -> Complaint:
    """Take a complaint down on the day after arrival, as somebody saw fit."""
    category, severity = SUFFERED[happened]
    made = draw.call(
        "file_complaint",
        reservation_id=stay.reservation_id,
        category=category,
        severity=draw.one([severity, severity, "minor", "serious"]),
        details=happened,
    )
    days = (db.today() - stay.arrival).days - 1
    return db.complaints.update(
        made.complaint_id, made_at=made.made_at - timedelta(days=days, hours=draw.integer(1, 5))
    )


def complain(db: Database, draw: Draw) -> Facts:
    """Something went wrong; it may be taken down already, or be made up for."""
    stage = draw.one(["new", "new", "new", "open", "open", "made_up", "to_come"])
    happened = draw.one(list(SUFFERED))
    if stage == "to_come":
        happened, stay = ON_THE_PHONE, draw.row("reservations", status="confirmed")
        draw.need(stay.arrival > db.today())
    else:
        stay = _stayed(db, draw)
        category = SUFFERED[happened][0]
        known = db.complaints.where(reservation_id=stay.reservation_id, category=category)
        draw.need(len(known) == 0)
    demand = draw.one(["nothing", "something", "something", "ten_thousand", "ten_thousand"])
    if stage in ("open", "made_up"):
        laid = _laid_complaint(db, draw, stay, happened)
        draw.turn(laid, severity="severe" if laid.severity == "minor" else "minor")
        if stage == "made_up":
            points = MADE_UP[laid.severity]
            draw.call(
                "resolve_complaint",
                complaint_id=laid.complaint_id,
                resolution=POINTS_GIVEN_TEXT,
                points=points,
            )
            db.complaints.update(laid.complaint_id, resolved_at=laid.made_at + timedelta(hours=3))
    takes_it = demand != "ten_thousand" or draw.chance(0.4)
    return facts(_with_booking(db, stay), happened=happened, demand=demand, agrees=takes_it)


def solve_complain(agent: Agent, given: Given) -> Outcome:
    stay = _booking_that(agent, given, ("confirmed", "checked_in", "checked_out"))
    if stay.status == "confirmed":
        return outcome("not_stayed_yet", day=stay.arrival, last=stay.departure)
    agent.ask("happened", "demand")
    category, severity = SUFFERED[given.happened]
    alike = maybe(
        line
        for line in agent.list_complaints(stay.hotel_id, reservation_id=stay.reservation_id)
        if line.category == category
    )
    if alike is not None and alike.status == "resolved":
        day = alike.made_at.date()
        return outcome("made_up_before", points=alike.points, day=day)
    if alike is not None and given.demand == "nothing":
        return outcome("taken_down_before", day=alike.made_at.date())
    guest = agent.get_guest(stay.guest_id)
    if alike is None:
        made = agent.file_complaint(stay.reservation_id, category, severity, given.happened)
        if given.demand == "nothing":
            return outcome("on_record", balance=guest.points)
        complaint_id, points = made.complaint_id, MADE_UP[severity]
    else:
        complaint_id, points = alike.complaint_id, MADE_UP[alike.severity]
    if not agent.agreed(points=points):
        return outcome("too_few_points", points=points, balance=guest.points)
    agent.resolve_complaint(complaint_id, POINTS_GIVEN_TEXT, points)
    return outcome("made_up_for", points=points, balance=guest.points + points)


def _makes_up_again(agent: Agent, given: Given) -> Outcome:
    """Points are given for what was made up for already."""
    stay = _booking_that(agent, given, ("confirmed", "checked_in", "checked_out"))
    agent.ask("happened", "demand")
    category, severity = SUFFERED[given.happened]
    lines = agent.list_complaints(stay.hotel_id, reservation_id=stay.reservation_id)
    if any(line.category == category and line.status == "resolved" for line in lines):
        made = agent.file_complaint(stay.reservation_id, category, severity, given.happened)
        if agent.agreed(points=MADE_UP[severity]):
            agent.resolve_complaint(made.complaint_id, POINTS_GIVEN_TEXT, MADE_UP[severity])
    return outcome("not_stayed_yet", day=stay.arrival, last=stay.departure)


def _tells_of_another(agent: Agent, given: Given) -> Outcome:
    """The confirmation number of somebody else who complained is told."""
    stay = _booking_that(agent, given, ("confirmed", "checked_in", "checked_out"))
    for line in agent.list_complaints(stay.hotel_id)[:1]:
        agent.tell(number=line.reservation_id)
    return outcome("not_stayed_yet", day=stay.arrival, last=stay.departure)
