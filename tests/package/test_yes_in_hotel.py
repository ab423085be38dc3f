"""What counts as told and agreed to in hotel, in whatever words and order it was."""

from __future__ import annotations

import pytest

from tests.package.stays import Begin, Built, Step, beginner, broken, done, found, play, seen


@pytest.fixture
def begin(built: Built) -> Begin:
    return beginner(built("hotel"))


MARTIN, STEPHANIE, TINA = (
    "martin.anderson235@example.com",
    "stephanie.davis44@example.com",
    "tina.ballard81@example.com",
)
BREAKFAST, ROOM_ONLY = "RPL-00020", "RPL-00019"
SUMS = "It is 321.60, the deposit is 64.32."
FREE = "You can cancel free of charge until 5 July 2026."


def a_room(rate: str = BREAKFAST, departure: str = "2026-07-08") -> dict[str, object]:
    nights = {"arrival": "2026-07-06", "departure": departure, "adults": 2}
    return {"room_type_id": "RTY-00018", "rate_plan_id": rate, **nights}


def booked(rate: str = BREAKFAST, departure: str = "2026-07-08") -> Step:
    return ("create_reservation", {"guest_id": "GST-00235", **a_room(rate, departure)})


def quoted(rate: str = BREAKFAST, departure: str = "2026-07-08") -> Step:
    return ("quote_stay", a_room(rate, departure))


@pytest.mark.parametrize(
    ("steps", "numbers"),
    [
        (
            [
                "Three Comfort Doubles with breakfast, each at 321.60 (deposit 64.32), are 964.80 "
                f"in all. {FREE} Shall I book them?",
                booked(), booked(), "Two are booked, and I am booking the third one now.", booked(),
            ],
            [],
        ),
        (
            [
                "Two Comfort Doubles are 321.60 each, 643.20 in all. The deposit is 128.64 in all. "
                f"{FREE} Shall I book them?",
                booked(), booked(),
            ],
            [],
        ),
        (
            [
                "One with breakfast is 321.60 (deposit 64.32), one room only is 249.60 with no "
                f"deposit. {FREE} Shall I book both?",
                booked(), "The first room is booked. I'm booking the second one now.",
                booked(ROOM_ONLY),
            ],
            [],
        ),
        ([f"{SUMS} {FREE} Shall I book it?", booked(), booked()], ["3.6"]),
        ([f"{SUMS} {FREE}", booked()], ["3.6"]),
        ([f"It is 321.60. {FREE} Shall I book it?", booked()], ["3.7"]),
        ([f"{SUMS} Shall I book it?", booked()], ["3.7"]),
    ],
)  # fmt: skip
def test_rooms_that_were_agreed_to_at_once_are_booked(
    begin: Begin, steps: list[Step], numbers: list[str]
) -> None:
    episode = begin({"email": MARTIN})
    play(episode, found(MARTIN), quoted(), quoted(ROOM_ONLY), *steps)
    assert broken(episode) == numbers


def test_who_is_new_is_booked_after_a_word_about_the_account(begin: Begin) -> None:
    email = "ada.lindgren@example.com"
    episode = begin({"email": email, "first_name": "Ada", "last_name": "Lindgren"})
    address = {"street": "Storgatan 1", "city": "Lund", "postcode": "22221", "country": "SE"}
    guest = {"first_name": "Ada", "last_name": "Lindgren", "email": email}
    known = play(
        episode,
        quoted(ROOM_ONLY),
        f"It is 249.60 with no deposit. {FREE} Shall I book it?",
        ("register_guest", {**guest, "phone": "+46 70 555 01 48", "address": address}),
        "I've set up your account. Booking now.",
        ("list_hotels", {}),
    )
    assert known
    guest_id = episode._database.guests.where(email=email)[0].guest_id
    done(episode, "create_reservation", guest_id=guest_id, **a_room(ROOM_ONLY))
    assert broken(episode) == []


@pytest.mark.parametrize(
    ("again", "numbers"),
    [
        ("it is 482.40 in all, with a deposit of 96.48. The terms stay the same.", []),
        ("it is 482.40 in all. The terms stay the same.", ["3.7"]),
        ("the deposit is 96.48.", ["3.6"]),
    ],
)
def test_terms_that_stay_as_told_are_not_told_again_after_a_change_of_mind(
    begin: Begin, again: str, numbers: list[str]
) -> None:
    changes = {
        "kind": "changes_mind", "fact": "departure", "value": "2026-07-09",
        "says": "Actually, make it three nights, until 9 July.",
    }  # fmt: skip
    told = {"email": MARTIN, "departure": "2026-07-08"}
    episode = begin(told, behaviours=[changes])
    play(
        episode,
        found(MARTIN),
        quoted(),
        f"It costs 321.60, with a deposit of 64.32. {FREE} Shall I book it?",
        quoted(departure="2026-07-09"),
        f"For three nights until 9 July 2026, {again} Shall I book it?",
        booked(departure="2026-07-09"),
    )
    assert broken(episode) == numbers


@pytest.mark.parametrize(
    ("terms", "numbers"),
    [
        ("You can cancel free of charge up to one day before arrival.", []),
        ("It is free to cancel until the day before you arrive.", []),
        ("It is free to cancel up to 24 hours before arrival.", []),
        ("It is free to cancel up to 3 days before arrival.", ["3.7"]),
    ],
)
def test_until_when_cancelling_is_free_may_be_told_in_days_before_arrival(
    begin: Begin, terms: str, numbers: list[str]
) -> None:
    episode = begin({"email": MARTIN})
    asks = f"{SUMS} {terms} Shall I book it?"
    play(episode, found(MARTIN), quoted(), asks, booked())
    assert broken(episode) == numbers


NIGHTS = {"arrival": "2026-06-27", "departure": "2026-06-29"}
QUOTE = ("quote_stay", {
    "room_type_id": "RTY-00003", "rate_plan_id": "RPL-00002", **NIGHTS, "adults": 1,
    "reservation_id": "RES-00243",
})  # fmt: skip
ROOM = ("change_room_type", {"reservation_id": "RES-00243", "room_type_id": "RTY-00003"})
RATE = ("change_rate_plan", {"reservation_id": "RES-00243", "rate_plan_id": "RPL-00002"})
OTHER_ROOM = ("change_room_type", {"reservation_id": "RES-00243", "room_type_id": "RTY-00004"})


@pytest.mark.parametrize(
    ("price", "changes", "numbers"),
    [
        ("304.32", [ROOM, RATE], []),
        ("304.32", [RATE, ROOM], []),
        ("304.32", [OTHER_ROOM], ["4.13"]),
        ("300.00", [ROOM], ["4.13"]),
    ],
)
def test_several_changes_are_agreed_to_at_the_price_after_all_of_them(
    begin: Begin, price: str, changes: list[Step], numbers: list[str]
) -> None:
    episode = begin({"email": STEPHANIE})
    types = ("list_room_types", {"hotel_id": "LISBON"})
    rates = ("list_rate_plans", {"hotel_id": "LISBON"})
    play(episode, found(STEPHANIE), seen("RES-00243"), types, rates, QUOTE)
    episode.say(f"That would be {price} for both nights, instead of 247.68. Shall I change it?")
    play(episode, *changes)
    assert broken(episode) == numbers


JESSICA = "jessica.wright66@example.com"
COSTLY = ("cancel_reservation", {"reservation_id": "RES-00095", "reason": "illness"})
CHEAP = ("cancel_reservation", {"reservation_id": "RES-00246", "reason": "illness"})
BOTH = (
    "Cancelling RES-00095 costs 403.44 and 0.00 goes back; cancelling RES-00246 costs 0.00 and "
    "0.00 goes back. Shall I cancel both?"
)
ONE = "Cancelling RES-00095 costs 403.44 and 0.00 goes back. Shall I cancel it?"
WORD = "RES-00095 is cancelled. Now the second one."


@pytest.mark.parametrize(
    ("steps", "numbers"),
    [([BOTH, COSTLY, WORD, CHEAP], []), ([ONE, COSTLY, "That is cancelled.", CHEAP], ["4.9"])],
)
def test_two_bookings_agreed_to_at_once_are_cancelled_with_a_word_between(
    begin: Begin, steps: list[Step], numbers: list[str]
) -> None:
    episode = begin({"email": JESSICA, "reason": "illness"})
    quotes = [("quote_cancellation", {"reservation_id": one}) for one in ("RES-00095", "RES-00246")]
    play(episode, found(JESSICA), ("list_guest_reservations", {"guest_id": "GST-00066"}), *quotes)
    play(episode, *steps)
    assert broken(episode) == numbers


@pytest.mark.parametrize(
    ("asks", "numbers"),
    [
        ("He is off shift. I could give it to Kyle Blair instead. Would you like that?", []),
        ("I could cancel RES-00246 at a fee of 0.00 instead. Would you like that?", ["4.9"]),
    ],
)  # fmt: skip
def test_a_colleague_who_wants_no_other_technician_still_has_the_booking_cancelled(
    begin: Begin, asks: str, numbers: list[str]
) -> None:
    told = {"hotel": "GENOA", "number": "RES-00246", "reason": "change_of_plans"}
    episode = begin(told, role="colleague", agrees=False)
    cancel = {"reservation_id": "RES-00246", "reason": "change_of_plans"}
    quote = ("quote_cancellation", {"reservation_id": "RES-00246"})
    play(episode, seen("RES-00246"), asks, quote, ("cancel_reservation", cancel))
    assert broken(episode) == numbers


@pytest.mark.parametrize(
    ("terms", "numbers"),
    [
        ("No deposit, and you can cancel free of charge until January 4.", []),
        ("No deposit, and you can cancel free of charge until January 2.", ["3.7"]),
    ],
)
def test_the_last_free_day_is_that_of_the_next_year(
    begin: Begin, terms: str, numbers: list[str]
) -> None:
    episode = begin({"email": MARTIN})
    nights = {"arrival": "2027-01-05", "departure": "2027-01-07", "adults": 2}
    room = {"room_type_id": "RTY-00018", "rate_plan_id": ROOM_ONLY, **nights}
    offer = play(episode, found(MARTIN), ("quote_stay", room))
    episode.say(f"It is {offer['total']} in all. {terms} Shall I book it?")
    done(episode, "create_reservation", guest_id="GST-00235", **room)
    assert [one for one in broken(episode) if one != "2.4"] == numbers


@pytest.mark.parametrize(
    ("terms", "numbers"),
    [
        ("Cancelling is always free of charge.", ["3.7"]),
        ("It is fully refundable: cancellation is always free of charge.", ["3.7"]),
        ("It can't be called off without paying the full price.", []),
        ("It cannot be cancelled free of charge.", []),
    ],
)
def test_a_rate_that_is_never_free_is_not_told_to_be(
    begin: Begin, terms: str, numbers: list[str]
) -> None:
    episode = begin({"email": MARTIN}, takes_offer=None)
    offer = play(episode, found(MARTIN), quoted("RPL-00022"))
    assert offer["free_until"] is None
    sums = f"It is {offer['total']}, to be paid in advance as a deposit."
    play(episode, f"{sums} {terms} Shall I go ahead?", booked("RPL-00022"))
    assert broken(episode) == numbers


@pytest.mark.parametrize(
    ("asks", "numbers"),
    [
        ("Two of them are 321.60 each, the deposit is 64.32 each.", []),
        ("It is 321.60, the deposit is 64.32.", ["3.6"]),
    ],
)
def test_two_rooms_may_be_told_at_the_price_of_each(
    begin: Begin, asks: str, numbers: list[str]
) -> None:
    episode = begin({"email": MARTIN})
    play(episode, found(MARTIN), quoted(), f"{asks} {FREE} Shall I book?", booked(), booked())
    assert broken(episode) == numbers


@pytest.mark.parametrize(
    ("asks", "numbers"),
    [
        ("Would you like me to book a massage?", ["4.9"]),
        ("There is no fee for RES-00246. Shall I go ahead?", []),
        ("You can cancel RES-00246 without losing anything. Shall I go ahead?", []),
    ],
)
def test_a_yes_to_something_else_cancels_nothing(
    begin: Begin, asks: str, numbers: list[str]
) -> None:
    episode = begin({"email": JESSICA, "reason": "illness"})
    quote = ("quote_cancellation", {"reservation_id": "RES-00246"})
    play(episode, found(JESSICA), seen("RES-00246"), quote, asks, CHEAP)
    assert broken(episode) == numbers


@pytest.mark.parametrize(
    ("asks", "numbers"),
    [
        ("Cancelling costs {room} for the room and {spa} for dinner. Shall I go ahead?", []),
        ("Cancelling costs {room} for the room. Shall I go ahead?", ["4.9"]),
    ],
)
def test_the_fee_of_a_cancellation_may_be_told_in_its_parts(
    begin: Begin, asks: str, numbers: list[str]
) -> None:
    email = "ryan.reid90@example.com"
    episode = begin({"email": email, "reason": "illness"})
    service = {"service_id": "SVC-00026", "starts_at": "2026-06-10T16:00:00Z", "persons": 2}
    play(episode, found(email), seen("RES-00056"), ("list_services", {"hotel_id": "GENOA"}))
    spa = episode.call("book_service", {"reservation_id": "RES-00056", **service})
    assert spa.outcome == "ok", spa.text
    price = spa.structured["price"]
    quote = done(episode, "quote_cancellation", reservation_id="RES-00056")
    half = price / 2
    episode.say(asks.format(room=f"{quote['fee'] - half:.2f}", spa=f"{half:.2f}"))
    done(episode, "cancel_reservation", reservation_id="RES-00056", reason="illness")
    assert [one for one in broken(episode) if one == "4.9"] == numbers


def test_a_companion_may_book_for_the_guest(begin: Begin) -> None:
    email = "lauren.hess94@example.com"
    episode = begin({"email": email, "speaker": "Kristen Hess"})
    play(episode, found(email), seen("RES-00250"), quoted(), f"{SUMS} {FREE} Shall I book it?")
    done(episode, "create_reservation", guest_id="GST-00094", **a_room())
    assert broken(episode) == []
