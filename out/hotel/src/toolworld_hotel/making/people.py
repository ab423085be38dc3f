"""Who speaks: what guests know of themselves and how an agent finds them."""

from __future__ import annotations

from ..database.models import Database, Guest, Reservation
from .agent import Agent, Given
from .draw import Draw
from .facts import Facts, facts, told
from .language import only


def _me(guest: Guest) -> Facts:
    """Return what guests know of themselves."""
    return facts(
        email=told(guest.email, guest, "email"),
        first_name=told(guest.first_name, guest, "first_name"),
        last_name=told(guest.last_name, guest, "last_name"),
    )


def _with_booking(db: Database, booking: Reservation) -> Facts:
    """Return what guests know of themselves and of the booking that they mean."""
    guest = db.guests.get(booking.guest_id)
    # Somebody else of that name who comes on the same day could be meant as well.
    only(
        one
        for one in db.reservations.where(arrival=booking.arrival)
        if db.guests.get(one.guest_id).last_name == guest.last_name
    )
    return facts(
        _me(guest),
        arrival=told(booking.arrival, booking, "arrival"),
        number=booking.reservation_id,
    )


def _welcome(db: Database, draw: Draw) -> Guest:
    """Return a guest who may book."""
    return draw.row("guests", banned=False)


def _guest(agent: Agent, given: Given) -> Guest:
    """Find whoever speaks by e-mail address."""
    agent.ask("email")
    return agent.find_guest(given.email)


def _booking(agent: Agent, given: Given) -> Reservation:
    """Find whoever speaks, and the booking that they mean, whatever became of it."""
    return _booking_that(
        agent, given, ("confirmed", "checked_in", "checked_out", "cancelled", "no_show")
    )


def _booking_that(agent: Agent, given: Given, may_be: tuple[str, ...]) -> Reservation:
    """Find whoever speaks, and their booking: they are asked which only if several may be it."""
    if not agent.knows("email"):
        return _booking_by_name(agent, given)
    guest = agent.find_guest(given.email)
    lines = [one for one in agent.list_guest_reservations(guest.guest_id) if one.status in may_be]
    if len(lines) > 1:
        agent.ask("arrival")
        lines = [one for one in lines if one.arrival == given.arrival]
    return agent.get_reservation(only(lines).reservation_id)


def _booking_in_house(agent: Agent, given: Given) -> Reservation:
    """Find whoever speaks, and the booking of the room that they are in."""
    if not agent.knows("email"):
        return _booking_by_name(agent, given)
    guest = agent.find_guest(given.email)
    line = only(agent.list_guest_reservations(guest.guest_id, status="checked_in"))
    return agent.get_reservation(line.reservation_id)


def _booking_by_name(agent: Agent, given: Given) -> Reservation:
    """Find a booking by its number and the last name, or by the name and the arrival."""
    if agent.knows("number"):
        agent.ask("last_name")
        booking = agent.get_reservation(given.number)
        guest = agent.get_guest(booking.guest_id)
        return only(one for one in [booking] if guest.last_name == given.last_name)
    agent.ask("last_name", "arrival")
    lines = agent.find_reservations(given.last_name, given.arrival)
    return agent.get_reservation(only(lines).reservation_id)
