"""What counts as told and agreed to in hotel, in whatever words and order it was."""

from __future__ import annotations

import pytest

from tests.package.stays import Begin, Built, Step, beginner, broken, done, fact, found, play, seen


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
    ("asks", "numbers"),
    [
        ("Your bill is 632.32. Which card shall I charge it to? Tell me the last four digits.", []),
        ("Which card shall I charge it to? Please tell me the last four digits.", ["6.2"]),
    ],
)
def test_naming_the_card_for_a_sum_that_was_told_is_a_yes(
    begin: Begin, asks: str, numbers: list[str]
) -> None:
    card = fact("4242", said=False, topics=["card", "last four digits"])
    email = "stephanie.riley1@example.com"
    episode = begin({"email": email}, facts={"card": card})
    charge = {"folio_id": "FOL-00001", "method": "card", "amount": 632.32, "card_last4": "4242"}
    play(episode, found(email), ("get_folio", {"reservation_id": "RES-00001"}), asks)
    done(episode, "take_payment", **charge)
    assert broken(episode) == numbers


@pytest.mark.parametrize(
    ("asks", "numbers"),
    [
        ("If you leave on 11 June 2026, your bill falls from 538.56 to 426.17. Shall I?", []),
        ("If you leave on 11 June 2026, your bill falls. Shall I change it?", ["5.6"]),
    ],
)
def test_another_day_of_leaving_may_be_told_by_the_bill_after_it(
    begin: Begin, asks: str, numbers: list[str]
) -> None:
    email = "susan.phillips40@example.com"
    episode = begin({"email": email})
    stay = play(episode, found(email), ("get_stay", {"reservation_id": "RES-00049"}))
    episode.say(asks)
    done(episode, "shorten_stay", stay_id=stay["stay_id"], departure="2026-06-11")
    assert broken(episode) == numbers


@pytest.mark.parametrize(
    "word", ["", "I've taken the complaint down and am adding the points now."]
)
def test_points_agreed_to_are_given_after_the_complaint_was_taken_down(
    begin: Begin, word: str
) -> None:
    email = "stephanie.riley1@example.com"
    episode = begin({"email": email, "what": "The shower was cold this morning."})
    details = "The shower was cold this morning."
    complaint = {"reservation_id": "RES-00001", "category": "room_fault", "severity": "minor"}
    play(episode, found(email), seen("RES-00001"))
    episode.say("I can give you 500 points. Would that be all right?")
    made = done(episode, "file_complaint", details=details, **complaint)
    play(episode, *([word] if word else []))
    given = {"resolution": "Points were given to make up for it.", "points": 500}
    done(episode, "resolve_complaint", complaint_id=made["complaint_id"], **given)
    assert broken(episode) == []


@pytest.mark.parametrize("between", [[], ["The first one is issued."]])
def test_two_vouchers_agreed_to_at_once_are_issued(begin: Begin, between: list[Step]) -> None:
    told = {"hotel": "GENOA", "last_name": "Riley", "value": 250}
    episode = begin(told, role="colleague", takes_offer=True)
    done(episode, "get_guest", guest_id="GST-00001")
    episode.say("The most is 100.00 in one and 50.00 in another. Shall I issue both?")
    voucher = {"guest_id": "GST-00001", "reason": "gift", "expires_on": "2026-12-31"}
    play(episode, ("issue_voucher", {**voucher, "value": 100}), *between)
    done(episode, "issue_voucher", **voucher, value=50)
    assert broken(episode) == []
