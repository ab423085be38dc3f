"""The seed of hotel: nobody was given a room that the tools would have refused them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from toolworld.packages import Package

Rows = dict[str, list[dict[str, Any]]]
TODAY = "2026-06-10"
CLEANINGS = ("departure_clean", "deep_clean")


@pytest.fixture
def tables(built: Callable[[str], Package]) -> Rows:
    state = built("hotel").environment().state()
    return {name: list(rows.values()) for name, rows in state.items()}


def test_nobody_was_given_a_room_under_a_fault(tables: Rows) -> None:
    for ticket in tables["maintenance_tickets"]:
        if ticket["priority"] == "urgent" or ticket["blocks_room"]:
            closed_at = ticket["closed_at"] or "9999"
            assert not [
                stay
                for stay in tables["stays"]
                if stay["room_id"] == ticket["room_id"]
                and ticket["opened_at"] < stay["checked_in_at"] < closed_at
            ], ticket


def test_no_room_was_blocked_with_a_guest_in_it(tables: Rows) -> None:
    for ticket in tables["maintenance_tickets"]:
        assert not ticket["blocks_room"] or not [
            stay
            for stay in tables["stays"]
            if stay["room_id"] == ticket["room_id"]
            and stay["checked_in_at"] < ticket["opened_at"] < (stay["checked_out_at"] or "9999")
        ], ticket


def test_rooms_left_today_were_cleaned_before_they_were_given_out(tables: Rows) -> None:
    for room in tables["rooms"]:
        room_id = room["room_id"]
        stays = [stay for stay in tables["stays"] if stay["room_id"] == room_id]
        stays.sort(key=lambda stay: stay["checked_in_at"])
        given_out = [(stay, after["checked_in_at"]) for stay, after in pairwise(stays)]
        if stays and room["condition"] == "clean":
            given_out.append((stays[-1], "9999"))
        for stay, before in given_out:
            left_at = stay["checked_out_at"]
            assert not (left_at or "").startswith(TODAY) or [
                task
                for task in tables["housekeeping_tasks"]
                if task["room_id"] == room_id
                and task["kind"] in CLEANINGS
                and left_at < (task["done_at"] or "") < before
            ], stay


def test_the_room_of_who_was_moved_was_cleaned(tables: Rows) -> None:
    rooms = {room["room_id"]: room for room in tables["rooms"]}
    numbers = {(room["hotel_id"], room["number"]): room["room_id"] for room in tables["rooms"]}
    folios = {folio["reservation_id"]: folio["folio_id"] for folio in tables["folios"]}
    moved = 0
    for stay in tables["stays"]:
        if rooms[stay["room_id"]]["room_type_id"] == stay["booked_type_id"]:
            continue
        moved += 1
        folio_id = folios[stay["reservation_id"]]
        line = next(
            line["description"]
            for line in tables["charges"]
            if line["folio_id"] == folio_id and line["kind"] == "room_night"
        )
        left = numbers[stay["hotel_id"], line.split(",")[0].removeprefix("Room ")]
        assert rooms[left]["condition"] != "clean" or [
            task
            for task in tables["housekeeping_tasks"]
            if task["room_id"] == left and task["kind"] in CLEANINGS and task["done_at"]
        ], stay
    assert moved > 0


def test_a_better_room_was_given_for_want_of_one_as_booked(tables: Rows) -> None:
    """But for the room that the guest has left, none of the type booked was ready."""
    rooms = {room["room_id"]: room for room in tables["rooms"]}
    in_house = {stay["room_id"] for stay in tables["stays"] if stay["checked_out_at"] is None}
    promised = {one["room_id"] for one in tables["reservations"] if one["status"] == "confirmed"}
    for stay in tables["stays"]:
        if rooms[stay["room_id"]]["room_type_id"] != stay["booked_type_id"]:
            ready = [
                room
                for room in rooms.values()
                if room["room_type_id"] == stay["booked_type_id"]
                and room["condition"] == "clean"
                and room["room_id"] not in in_house | promised
            ]
            assert len(ready) <= 1, stay
