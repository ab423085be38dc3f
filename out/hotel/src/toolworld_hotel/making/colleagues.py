"""Colleagues who speak: their house, and the rooms and work in it."""

from __future__ import annotations

from datetime import date, timedelta

from ..database.models import Database, Guest, Hotel, HotelId, Room, RoomTypeId, Stay
from .agent import Agent, Given
from .draw import Draw
from .facts import Facts, facts, told
from .language import only

FAULTS_SEEN: dict[str, str] = {
    "plumbing": "The shower drain is blocked and the water comes up.",
    "electrical": "The bedside lamp sparks when it is switched on.",
    "heating": "The air conditioning blows warm air only.",
    "furniture": "One leg of the bed has broken off.",
    "electronics": "The television shows no channels.",
    "lock": "The door lock does not read key cards.",
}


def _house_facts(db: Database, hotel_id: HotelId) -> Facts:
    """Return what colleagues say of the house that they work in."""
    hotel = db.hotels.get(hotel_id)
    return facts(hotel=told(hotel.name, hotel, "name"))


def _house_named(db: Database, draw: Draw, hotel_id: HotelId) -> HotelId:
    """Return the house that colleagues name as theirs: now and then not that of a booking."""
    others = [one.hotel_id for one in db.hotels.all() if one.hotel_id != hotel_id]
    return draw.one(others) if draw.chance(0.12) else hotel_id


def _own_house(agent: Agent, given: Given) -> Hotel:
    """Find the house of whoever speaks."""
    agent.ask("hotel")
    return only(one for one in agent.list_hotels() if one.name == given.hotel)


def _audited(db: Database, draw: Draw, hotel_id: HotelId) -> None:
    """Have the no-shows of yesterday recorded in a house."""
    yesterday = db.today() - timedelta(days=1)
    for late in db.reservations.where(hotel_id=hotel_id, status="confirmed", arrival=yesterday):
        draw.call("mark_no_show", reservation_id=late.reservation_id)


def _in_a_room(db: Database, draw: Draw) -> Stay:
    """Return the stay of a guest who is in a house now."""
    return draw.row("stays", status="in_house")


def _full_name(guest: Guest) -> str:
    """Return first and last name of a guest."""
    return f"{guest.first_name} {guest.last_name}"


def _ready_rooms(
    agent: Agent, hotel_id: HotelId, room_type_id: RoomTypeId, first: date, last: date
) -> list[Room]:
    """Return the rooms of a type that are clean, empty and free on some nights, by number."""
    in_use = [line.room_id for line in agent.list_in_house(hotel_id)]
    rooms = agent.list_free_rooms(room_type_id, first, last)
    ready = [room for room in rooms if room.condition == "clean" and room.room_id not in in_use]
    return sorted(ready, key=lambda room: room.number)


def _soil(db: Database, draw: Draw, room_type_id: RoomTypeId) -> None:
    """Leave no room of a type clean that nobody is in, each with its cleaning ordered."""
    for room in db.rooms.where(room_type_id=room_type_id, condition="clean"):
        if len(db.stays.where(room_id=room.room_id, status="in_house")) == 0:
            db.rooms.update(room.room_id, condition="dirty")
            draw.call(
                "create_housekeeping_task",
                room_id=room.room_id,
                kind="departure_clean",
                due_on=db.today(),
            )


def _has_ticket(db: Database, room: Room, category: str) -> bool:
    """Say whether a fault of a kind is reported for a room and not repaired yet."""
    tickets = db.maintenance_tickets.where(room_id=room.room_id, category=category)
    return any(ticket.closed_at is None for ticket in tickets)
