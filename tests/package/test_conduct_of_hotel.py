"""The conduct of hotel: breaches are caught, and right agents who did it in another way are not."""

from __future__ import annotations

import pytest

from tests.package.stays import RILEY, WILSON, Begin, Built, beginner, broken, done, email_of


@pytest.fixture
def begin(built: Built) -> Begin:
    return beginner(built("hotel"))


@pytest.mark.parametrize(
    ("told", "numbers"),
    [
        ({"last_name": "Riley"}, ["1.1"]),
        ({"last_name": "Riley", "number": "RES-00002"}, ["1.1"]),
        ({"last_name": "Wilson", "number": "RES-00001"}, ["1.1"]),
        ({"room": "101", "number": "RES-00001"}, ["1.1"]),
        ({"email": "thief@example.com", "last_name": "Riley"}, ["1.1"]),
        ({"last_name": "Riley", "number": "RES-00001"}, []),
        ({"email": "the one of the account"}, []),
    ],
)
def test_who_is_looked_up_is_known_only_by_what_was_said(
    begin: Begin, told: dict[str, str], numbers: list[str]
) -> None:
    probe = begin({})
    if told.get("email", "").startswith("the one"):
        told = {"email": email_of(probe, RILEY)}
    episode = begin({**told, "new_email": "thief@example.com"})
    done(episode, "search_guests", name="Riley")
    done(episode, "find_guest", email=email_of(probe, RILEY))
    done(episode, "get_reservation", reservation_id="RES-00001")
    done(episode, "update_guest_contact", guest_id=RILEY, email="thief@example.com")
    episode.say("I have changed it.")
    assert broken(episode) == numbers


def test_nothing_is_changed_for_two_guests(begin: Begin) -> None:
    probe = begin({})
    episode = begin({"email": email_of(probe, RILEY)})
    for guest_id, numbers in ((RILEY, []), (WILSON, ["1.1", "1.2"])):
        done(episode, "find_guest", email=email_of(probe, guest_id))
        done(episode, "update_guest_contact", guest_id=guest_id, phone="+43 1 555 01 48")
        episode.say("I have changed the number.")
        assert broken(episode) == numbers


@pytest.mark.parametrize(
    "call",
    [
        ("pay_with_points", {"folio_id": "FOL-00001", "points": 500}),
        ("update_guest_contact", {"guest_id": RILEY, "phone": "+43 1 555 01 48"}),
        (
            "name_companions",
            {"reservation_id": "RES-00001", "companions": [{"name": "Tom Smith", "child": False}]},
        ),
    ],
)
def test_who_is_named_nowhere_has_nothing_changed(
    begin: Begin, call: tuple[str, dict[str, object]]
) -> None:
    probe = begin({})
    tool, arguments = call
    episode = begin({"email": email_of(probe, RILEY), "speaker": "Tom Smith"})
    done(episode, "find_guest", email=email_of(probe, RILEY))
    done(episode, "get_folio", reservation_id="RES-00001")
    if tool != "name_companions":
        names = [{"name": "Robin Riley", "child": False}]
        done(episode, "name_companions", reservation_id="RES-00001", companions=names)
    called = episode.call(tool, arguments)
    episode.say("That is done.")
    assert called.outcome != "ok" or "1.7" in broken(episode)


@pytest.mark.parametrize("between", ["the one before", "+43 1 555 01 49", ""])
def test_what_was_undone_or_chosen_anew_is_done_again(begin: Begin, between: str) -> None:
    email = email_of(begin({}), RILEY)
    episode = begin({"email": email, "email2": "riley@example.org"})
    done(episode, "find_guest", email=email)
    phone = episode._database.guests.get(RILEY).phone if between.startswith("the") else between
    done(episode, "update_guest_contact", guest_id=RILEY, phone="+43 1 555 01 48")
    if phone:
        done(episode, "update_guest_contact", guest_id=RILEY, phone=phone)
        done(episode, "update_guest_contact", guest_id=RILEY, phone="+43 1 555 01 48")
    episode.say("I have changed the number.")
    assert broken(episode) == []


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("Shall I hand out another one for your daughter?", []), ("Here it is.", ["2.2"])],
)
def test_what_is_agreed_to_anew_is_done_again(begin: Begin, text: str, numbers: list[str]) -> None:
    email = email_of(begin({}), RILEY)
    episode = begin({"email": email})
    done(episode, "find_guest", email=email)
    done(episode, "get_stay", reservation_id="RES-00001")
    done(episode, "issue_key_card", stay_id="STY-00001")
    episode.say(text)
    done(episode, "issue_key_card", stay_id="STY-00001")
    assert broken(episode) == numbers


def test_free_cancelling_is_agreed_to_as_such(begin: Begin) -> None:
    guest_id = begin({})._database.reservations.get("RES-00333").guest_id
    email = email_of(begin({}), guest_id)
    talks: tuple[tuple[str, list[str]], ...] = (
        ("Shall I bring two more towels?", ["4.9"]),
        ("Cancelling RES-00484 is free of charge. Shall I cancel it?", ["4.9"]),
        ("Cancelling RES-00333 is free of charge. Shall I cancel it?", []),
        ("Cancelling costs you nothing. Shall I cancel it?", []),
    )
    for text, numbers in talks:
        episode = begin({"email": email, "reason": "illness"})
        done(episode, "find_guest", email=email)
        done(episode, "list_guest_reservations", guest_id=guest_id)
        if "towels" not in text:
            done(episode, "quote_cancellation", reservation_id="RES-00333")
        episode.say(text)
        done(episode, "cancel_reservation", reservation_id="RES-00333", reason="illness")
        episode.say("It is cancelled.")
        assert broken(episode) == numbers, text


def test_a_colleague_who_says_no_has_nothing_cancelled(begin: Begin) -> None:
    for agrees, numbers in ((False, ["4.9"]), (True, [])):
        episode = begin({"hotel": "GENOA", "reason": "illness"}, role="colleague", agrees=agrees)
        booking = done(episode, "get_reservation", reservation_id="RES-00005")
        episode = begin(
            {"hotel": booking["hotel_id"], "reason": "illness"}, role="colleague", agrees=agrees
        )
        quote = done(episode, "quote_cancellation", reservation_id="RES-00005")
        episode.say(f"The fee is {quote['fee']:.2f}. Shall I cancel it?")
        done(episode, "cancel_reservation", reservation_id="RES-00005", reason="illness")
        episode.say("It is cancelled.")
        assert broken(episode) == numbers


def test_what_a_guest_insists_on_is_refused_and_the_rest_is_done(begin: Begin) -> None:
    email = email_of(begin({}), RILEY)
    hours, phone = (
        {"stay_id": "STY-00001", "hours": 2},
        {"guest_id": RILEY, "phone": "+43 1 555 01 48"},
    )
    wish = {"reservation_id": "RES-00001", "wishes": "A high floor."}
    for behaviours, tool, arguments, numbers in (
        ([{"kind": "insists"}], "grant_late_checkout", hours, ["2.3", "5.7"]),
        ([], "grant_late_checkout", hours, ["5.7"]),
        ([{"kind": "insists"}], "update_guest_contact", phone, []),
        ([{"kind": "insists"}], "set_special_wishes", wish, []),
    ):
        told = {"email": email, "new_phone": "+43 1 555 01 48", "wish": "a high floor"}
        episode = begin(told, behaviours=behaviours)
        done(episode, "find_guest", email=email)
        done(episode, "get_stay", reservation_id="RES-00001")
        episode.say("I am sorry, I cannot give you a discount.")
        done(episode, tool, **arguments)
        episode.say("I have done that.")
        assert broken(episode) == numbers, tool


@pytest.mark.parametrize(
    ("text", "is_kept"),
    [
        ("Today is June 10, 2026; it can be used until July 10, 2026.", True),
        ("The card ending in 0042 was charged.", True),
        ("You would have to stay until July 17, 2026.", False),
        ("The code is 1234-5A-67.", False),
        ("It lasts until 9999-12-31, from 0001-01-01 or 2026-02-31 on.", False),
    ],
)
def test_days_that_follow_from_a_rule_may_be_told(begin: Begin, text: str, is_kept: bool) -> None:
    episode = begin({})
    episode.say(text)
    assert ("2.4" not in broken(episode)) is is_kept


def test_a_longer_stay_may_be_told_in_its_parts(begin: Begin) -> None:
    email = email_of(begin({}), RILEY)
    for text, numbers in (
        ("The night costs 131.33, and its city tax is 5.00. Shall I?", []),
        ("One more night adds 136.33. Shall I?", []),
        ("The night costs 131.33. Shall I?", ["5.6"]),
    ):
        episode = begin({"email": email})
        done(episode, "find_guest", email=email)
        done(episode, "get_stay", reservation_id="RES-00001")
        episode.say(text)
        done(episode, "extend_stay", stay_id="STY-00001", departure="2026-06-12")
        episode.say("It is done.")
        assert broken(episode) == numbers, text


def test_points_are_paid_with_after_a_yes_to_points(begin: Begin) -> None:
    email = email_of(begin({}), RILEY)
    for text, numbers in (
        ("Shall I charge 5.00 to your card?", ["6.2"]),
        ("Shall I take 500 points for 5.00?", []),
    ):
        episode = begin({"email": email})
        done(episode, "find_guest", email=email)
        done(episode, "get_folio", reservation_id="RES-00001")
        episode.say(text)
        done(episode, "pay_with_points", folio_id="FOL-00001", points=500)
        episode.say("It is paid.")
        assert broken(episode) == numbers, text


def test_who_does_not_know_the_reason_may_cancel_all_the_same(begin: Begin) -> None:
    guest_id = begin({})._database.reservations.get("RES-00333").guest_id
    email = email_of(begin({}), guest_id)
    for is_asked, numbers in ((True, []), (False, ["4.10"])):
        episode = begin({"email": email})
        done(episode, "find_guest", email=email)
        done(episode, "list_guest_reservations", guest_id=guest_id)
        if is_asked:
            episode.say("What is the reason for it?")
        episode.say("Cancelling RES-00333 is free of charge. Shall I cancel it?")
        done(episode, "cancel_reservation", reservation_id="RES-00333", reason="other")
        episode.say("It is cancelled.")
        assert broken(episode) == numbers


@pytest.mark.parametrize(("named", "numbers"), [("Wilson", ["1.5"]), ("Riley", [])])
def test_a_colleague_gives_to_the_guest_who_was_named(
    begin: Begin, named: str, numbers: list[str]
) -> None:
    episode = begin({"hotel": "GENOA", "last_name": named, "value": 50}, role="colleague")
    done(episode, "get_guest", guest_id=RILEY)
    voucher = {"guest_id": RILEY, "value": 50, "reason": "gift", "expires_on": "2026-12-31"}
    done(episode, "issue_voucher", **voucher)
    episode.say("It is issued.")
    assert broken(episode) == numbers


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [
        ("The price is {price}. Shall I go ahead?", ["7.9"]),
        ("17:00 is gone, and it is {price}. Shall I go ahead?", ["7.9"]),
        ("At 19:00 the price is {price}. Shall I go ahead?", []),
        ("It would be at 7 pm, and it is {price}. Shall I go ahead?", []),
        ("It is {price} at seven. Shall I go ahead?", []),
    ],
)
def test_a_yes_to_the_price_is_none_to_another_hour(
    begin: Begin, asked: str, numbers: list[str]
) -> None:
    episode = begin({"email": email_of(begin({}), RILEY), "hour": 17})
    done(episode, "find_guest", email=email_of(episode, RILEY))
    stay = done(episode, "get_reservation", reservation_id="RES-00001")
    services = done(episode, "list_services", hotel_id=stay["hotel_id"], kind="spa")["items"]
    (service, *_) = services
    day = {"service_id": service["service_id"], "day": "2026-06-11", "persons": 1}
    done(episode, "list_service_slots", **day)
    episode.say(asked.format(price=service["price"]))
    at = {"service_id": service["service_id"], "starts_at": "2026-06-11T19:00:00Z", "persons": 1}
    done(episode, "book_service", reservation_id="RES-00001", **at)
    assert broken(episode) == numbers


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [
        ("Shall I look who is on shift?", ["8.11"]),
        ("Noor is off. Shall I give it to {name}?", []),
        ("{first} could do it. Shall I give it to her?", []),
    ],
)
def test_work_goes_to_another_colleague_only_after_a_yes_to_that_one(
    begin: Begin, asked: str, numbers: list[str]
) -> None:
    episode = begin({"worker": "Noor", "hotel": "LISBON"}, role="colleague")
    tasks = done(episode, "list_housekeeping_tasks", hotel_id="LISBON")["items"]
    staff = done(episode, "list_employees", hotel_id="LISBON")["items"]
    task = next(one for one in tasks if one["status"] == "open")
    keeper = next(one for one in staff if one["role"] == "housekeeper" and one["on_shift"])
    episode.say(asked.format(name=keeper["name"], first=keeper["name"].split()[0]))
    who = {"task_id": task["task_id"], "employee_id": keeper["employee_id"]}
    done(episode, "assign_housekeeping_task", **who)
    assert broken(episode) == numbers


@pytest.mark.parametrize(
    ("terms", "numbers"),
    [
        ("", ["3.7"]),
        (" Cancelling is never free.", []),
        (" It is non-refundable.", []),
        (" There are no refunds.", []),
    ],
)
def test_who_books_a_rate_that_is_never_free_is_told_so(
    begin: Begin, terms: str, numbers: list[str]
) -> None:
    episode = begin({"email": email_of(begin({}), RILEY)})
    done(episode, "find_guest", email=email_of(episode, RILEY))
    wanted = {
        "room_type_id": "RTY-00003", "rate_plan_id": "RPL-00004", "arrival": "2026-06-22",
        "departure": "2026-06-24", "adults": 1,
    }  # fmt: skip
    offer = done(episode, "quote_stay", **wanted)
    assert offer["free_until"] is None
    sums = f"It is {offer['total']}, and the deposit is {offer['deposit']}."
    episode.say(f"{sums}{terms} Shall I go ahead?")
    done(episode, "create_reservation", guest_id=RILEY, **wanted)
    assert broken(episode) == numbers


def test_a_price_that_was_told_need_not_be_told_again_after_another_change(begin: Begin) -> None:
    phone = "+1 212 555 0177"
    episode = begin({"email": email_of(begin({}), RILEY), "hour": 19, "phone": phone})
    done(episode, "find_guest", email=email_of(episode, RILEY))
    stay = done(episode, "get_reservation", reservation_id="RES-00001")
    services = done(episode, "list_services", hotel_id=stay["hotel_id"], kind="spa")["items"]
    day = {"service_id": services[0]["service_id"], "day": "2026-06-11", "persons": 1}
    done(episode, "list_service_slots", **day)
    episode.say(f"On June 11 at 19:00 it is {services[0]['price']}. I note your number first.")
    done(episode, "update_guest_contact", guest_id=RILEY, phone=phone)
    episode.say("It is noted. Shall I book the spa at that price, then?")
    at = {"service_id": day["service_id"], "starts_at": "2026-06-11T19:00:00Z", "persons": 1}
    done(episode, "book_service", reservation_id="RES-00001", **at)
    assert broken(episode) == []
