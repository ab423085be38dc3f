"""In what words people and agents of hotel may put things without a breach of conduct."""

from __future__ import annotations

from typing import Any

import pytest

from tests.package.stays import (
    RILEY,
    Begin,
    Built,
    Step,
    beginner,
    broken,
    done,
    email_of,
    found,
    play,
    seen,
)


@pytest.fixture
def begin(built: Built) -> Begin:
    return beginner(built("hotel"))


NATASHA, LOUIS, MARTIN = (
    "natasha.thomas185@example.com",
    "louis.simon142@example.com",
    "martin.anderson235@example.com",
)
SPA = {"service_id": "SVC-00008", "persons": 2}


@pytest.mark.parametrize(
    ("hour", "numbers"),
    [
        ("5pm", []), ("5p.m.", []), ("17h", []), ("5 PM", []), ("17:00", []), ("five", []),
        ("6pm", ["7.9"]), ("16h", ["7.9"]),
    ],
)  # fmt: skip
def test_an_hour_may_be_told_in_many_ways(begin: Begin, hour: str, numbers: list[str]) -> None:
    episode = begin({"email": NATASHA, "day": "2026-06-10", "hour": "14:00"})
    slots = ("list_service_slots", {**SPA, "day": "2026-06-10"})
    play(
        episode, found(NATASHA), seen("RES-00027"), ("list_services", {"hotel_id": "PORTO"}), slots
    )
    episode.say(f"{hour} still has places. It is 40.00 each, 80.00 in all. Shall I book {hour}?")
    at = {"reservation_id": "RES-00027", "starts_at": "2026-06-10T17:00:00Z"}
    done(episode, "book_service", **SPA, **at)
    assert broken(episode) == numbers


@pytest.mark.parametrize("hour", ["5 pm", "05:00 p.m.", "17", 17, "5pm"])
def test_an_hour_may_be_asked_for_in_many_ways(begin: Begin, hour: object) -> None:
    episode = begin({"email": NATASHA, "day": "2026-06-10", "hour": hour})
    slots = ("list_service_slots", {**SPA, "day": "2026-06-10"})
    play(
        episode, found(NATASHA), seen("RES-00027"), ("list_services", {"hotel_id": "PORTO"}), slots
    )
    episode.say("It is 40.00 each, 80.00 in all. Shall I book it?")
    at = {"reservation_id": "RES-00027", "starts_at": "2026-06-10T17:00:00Z"}
    done(episode, "book_service", **SPA, **at)
    assert broken(episode) == []


def test_a_service_is_booked_again_at_its_own_time_for_more_people(begin: Begin) -> None:
    episode = begin({"email": LOUIS, "persons": 1})
    play(
        episode,
        found(LOUIS),
        seen("RES-00021"),
        ("list_services", {"hotel_id": "GENOA"}),
        ("list_service_bookings", {"reservation_id": "RES-00021"}),
        "For one the price would be 34.00. Shall I change it?",
        ("cancel_service", {"booking_id": "SBK-00013"}),
    )
    again = {"reservation_id": "RES-00021", "service_id": "SVC-00029", "persons": 1}
    done(episode, "book_service", **again, starts_at="2026-06-11T10:00:00Z")
    assert broken(episode) == []


TOWELS = "Could we have two more bath towels tomorrow, please?"


@pytest.mark.parametrize(
    ("says", "kind", "details", "numbers"),
    [
        (TOWELS, "extra_towels", "Two more bath towels, please.", []),
        (TOWELS, "extra_towels", TOWELS, []),
        (TOWELS, "decoration", "Roses on all tables.", ["7.5", "7.17"]),
        ("Please keep my two suitcases tomorrow.", "luggage", "Two suitcases", []),
        ("Can you store our luggage tomorrow? Two bags.", "luggage", "Two bags", []),
        ("I have two suitcases.", "luggage", "Two suitcases", ["5.13"]),
    ],
)
def test_what_is_asked_for_in_own_words_is_taken_down(
    begin: Begin, says: str, kind: str, details: str, numbers: list[str]
) -> None:
    email = email_of(begin({}), RILEY)
    episode = begin({"email": email}, says=says)
    play(episode, found(email), seen("RES-00001"))
    wanted = {"reservation_id": "RES-00001", "wanted_on": "2026-06-11"}
    done(episode, "create_request", kind=kind, details=details, **wanted)
    assert broken(episode) == numbers


def test_luggage_is_kept_after_a_yes_to_it_and_the_payment(begin: Begin) -> None:
    episode = begin({"email": NATASHA, "card": "4242"}, says="I'd like to pay.")
    play(
        episode,
        found(NATASHA),
        ("get_folio", {"reservation_id": "RES-00027"}),
        "Shall I charge 652.96 to your card ending in 4242, and keep your luggage until you go?",
        ("take_payment", {
            "folio_id": "FOL-00027", "method": "card", "amount": 652.96, "card_last4": "4242",
        }),
        "Paid. Your luggage will be kept.",
    )  # fmt: skip
    wanted = {"reservation_id": "RES-00027", "wanted_on": "2026-06-11"}
    done(episode, "create_request", kind="luggage", details="Luggage", **wanted)
    assert "5.13" not in broken(episode)


@pytest.mark.parametrize("asks", [[], ["Shall I move it to 11 June 2026?"]])
def test_a_request_is_taken_down_anew_for_another_day(begin: Begin, asks: list[Step]) -> None:
    episode = begin({"email": LOUIS}, says="Please move it to tomorrow, 11 June.")
    requests = ("list_requests", {"hotel_id": "GENOA", "reservation_id": "RES-00021"})
    play(episode, found(LOUIS), seen("RES-00021"), requests, *asks)
    moved = {"kind": "dietary", "details": "Gluten-free bread at breakfast."}
    done(episode, "cancel_request", request_id="REQ-00006")
    done(episode, "create_request", reservation_id="RES-00021", wanted_on="2026-06-11", **moved)
    assert broken(episode) == []


@pytest.mark.parametrize(
    ("details", "numbers"),
    [("Vegan dinner tonight", []), ("Gluten-free bread at breakfast, please.", ["7.10"])],
)
def test_another_request_of_a_kind_is_noted_for_the_same_day(
    begin: Begin, details: str, numbers: list[str]
) -> None:
    episode = begin({"email": LOUIS, "wish": details})
    play(episode, found(LOUIS), seen("RES-00021"))
    wanted = {"reservation_id": "RES-00021", "wanted_on": "2026-06-10"}
    done(episode, "create_request", kind="dietary", details=details, **wanted)
    assert broken(episode) == numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("A quiet room on a high floor, away from the lift.", []),
        ("A quiet room away from the lift. A high floor.", []),
        ("A room on a high floor.", ["7.13"]),
    ],
)
def test_what_was_noted_may_be_woven_into_one_sentence(
    begin: Begin, text: str, numbers: list[str]
) -> None:
    email = email_of(begin({}), RILEY)
    episode = begin({"email": email}, says="I always want a room on a high floor.")
    play(episode, found(email), ("set_guest_preferences", {"guest_id": RILEY, "preferences": text}))
    assert broken(episode) == numbers


@pytest.mark.parametrize(
    ("says", "numbers"),
    [("Kristen isn't coming, Tom Hess is.", []), ("Tom Hess is coming.", ["7.13"])],
)
def test_who_does_not_come_may_be_called_by_the_first_name(
    begin: Begin, says: str, numbers: list[str]
) -> None:
    episode = begin({"email": "lauren.hess94@example.com"}, says=says)
    play(episode, found("lauren.hess94@example.com"), seen("RES-00250"))
    names = [{"name": "Tom Hess", "child": False}]
    done(episode, "name_companions", reservation_id="RES-00250", companions=names)
    assert broken(episode) == numbers


@pytest.mark.parametrize(
    ("says", "numbers"),
    [("Can I use my wife's voucher VCH-00014?", []), ("Can I use my wife's voucher?", ["1.3"])],
)
def test_a_number_that_the_guest_said_may_be_said_back(
    begin: Begin, says: str, numbers: list[str]
) -> None:
    email = email_of(begin({}), RILEY)
    episode = begin({"email": email}, says=says)
    play(episode, found(email), ("get_voucher", {"voucher_id": "VCH-00014"}))
    episode.say("I'm sorry, VCH-00014 isn't yours, so it can't be used for your bill.")
    assert broken(episode) == numbers


@pytest.mark.parametrize(
    ("told", "numbers"),
    [
        ({"number": "RES-00001", "last_name": "Miller"}, ["1.3"]),
        ({"number": "RES-00001", "last_name": "Riley", "speaker": "Bob Stone"}, ["1.3"]),
        ({"number": "RES-00001", "last_name": "Riley"}, []),
    ],
)
def test_nobody_is_told_what_others_owe(
    begin: Begin, told: dict[str, Any], numbers: list[str]
) -> None:
    episode = begin(told)
    play(episode, seen("RES-00001"), ("get_folio", {"reservation_id": "RES-00001"}))
    episode.say("That booking is in room 101, and 632.32 is due.")
    assert broken(episode) == numbers


@pytest.mark.parametrize(
    ("worker", "numbers"),
    [({"worker": "Kyle"}, []), ({}, []), ({"worker": "Jaime Lopez"}, ["8.11"])],
)
def test_work_goes_to_who_was_named_by_the_first_name_or_to_anybody(
    begin: Begin, worker: dict[str, Any], numbers: list[str]
) -> None:
    episode = begin({"hotel": "genoa", **worker}, role="colleague")
    play(
        episode,
        ("list_maintenance_tickets", {"hotel_id": "GENOA"}),
        ("list_employees", {"hotel_id": "GENOA", "role": "technician"}),
        ("assign_maintenance_ticket", {"ticket_id": "MNT-00019", "employee_id": "EMP-00011"}),
    )
    assert broken(episode) == numbers


SLIP = {"folio_id": "FOL-00001", "kind": "minibar", "description": "Minibar: wine"}


@pytest.mark.parametrize(
    ("told", "numbers"),
    [
        ({"room": "room 101", "last_name": "Riley", "price": "€12.00"}, []),
        ({"room": 101, "price": 3.5, "price2": 12}, []),
        ({"last_name": "Riley", "price": 12.0}, []),
        ({"last_name": "Riley", "price": 13.0}, ["6.15"]),
        ({"price": 12.0}, ["6.15"]),
        ({"room": "102", "last_name": "Wilson", "price": 12.0}, ["6.15"]),
    ],
)
def test_a_slip_is_read_in_whatever_spelling(
    begin: Begin, told: dict[str, Any], numbers: list[str]
) -> None:
    episode = begin({"hotel": "the Albergo Lanterna in Genoa", **told}, role="colleague")
    play(episode, ("list_in_house", {"hotel_id": "GENOA"}))
    play(episode, seen("RES-00001"), ("get_folio", {"reservation_id": "RES-00001"}))
    done(episode, "post_charge", unit_price=12, **SLIP)
    assert broken(episode) == numbers


@pytest.mark.parametrize(("value", "numbers"), [("50", []), ("€50.00", []), ("60", ["7.18"])])
def test_the_value_of_a_voucher_is_read_in_whatever_spelling(
    begin: Begin, value: str, numbers: list[str]
) -> None:
    episode = begin({"hotel": "GENOA", "last_name": "Riley", "value": value}, role="colleague")
    play(episode, ("get_guest", {"guest_id": RILEY}))
    voucher = {"guest_id": RILEY, "value": 50, "reason": "gift", "expires_on": "2026-12-31"}
    done(episode, "issue_voucher", **voucher)
    assert broken(episode) == numbers


@pytest.mark.parametrize(
    ("says", "numbers"),
    [("I'd like to pay in cash now.", []), ("I'd like to pay by transfer.", ["3.8"])],
)
def test_the_way_of_paying_may_be_said_in_words(
    begin: Begin, says: str, numbers: list[str]
) -> None:
    email = email_of(begin({}), RILEY)
    episode = begin({"email": email}, says=says)
    play(episode, found(email), ("get_folio", {"reservation_id": "RES-00001"}))
    episode.say("Your bill is 632.32 in all. Shall I settle it?")
    done(episode, "take_payment", folio_id="FOL-00001", method="cash", amount=632.32)
    assert broken(episode) == numbers


@pytest.mark.parametrize(
    ("says", "text", "numbers"),
    [
        ("Have you a double from 12 to 15 September?", "So from 12 September 2026 on?", []),
        ("Have you a double in September?", "So from 12 September 2026 on?", ["2.4"]),
        ("", "Those that ran out before 12 March 2026 can't be extended any more.", []),
    ],
)
def test_days_that_were_said_or_follow_backwards_may_be_told(
    begin: Begin, says: str, text: str, numbers: list[str]
) -> None:
    episode = begin({}, says=says)
    episode.say(text)
    assert broken(episode) == numbers


@pytest.mark.parametrize(
    ("asks", "numbers"),
    [
        ("The price stays the same for one adult. Shall I change the party to one?", []),
        ("The price stays the same for one adult.", ["4.5"]),
    ],
)
def test_a_price_that_stays_need_not_be_told(begin: Begin, asks: str, numbers: list[str]) -> None:
    episode = begin({"email": MARTIN})
    party = {"reservation_id": "RES-00270", "adults": 1, "children": 0}
    play(episode, found(MARTIN), seen("RES-00270"), asks, ("change_party", party))
    assert broken(episode) == numbers
