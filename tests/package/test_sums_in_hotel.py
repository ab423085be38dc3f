"""What counts as a yes to a sum in hotel: to pay, to be given, or to leave earlier."""

from __future__ import annotations

from typing import Any

import pytest

from tests.package.stays import Begin, Built, Step, beginner, broken, done, fact, found, play, seen


@pytest.fixture
def begin(built: Built) -> Begin:
    return beginner(built("hotel"))


BILL = "Your bill stands at 652.96."


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


@pytest.mark.parametrize(
    ("says", "asks", "numbers"),
    [
        ("", f"{BILL} Late check-out is 60.00 more. Would you like it?", ["6.2"]),
        ("I'd like to pay.", f"{BILL} Shall I go ahead?", []),
        ("", f"{BILL} Shall I charge it to your card ending in 4242?", []),
    ],
)
def test_a_bill_is_paid_on_a_yes_to_paying(
    begin: Begin, says: str, asks: str, numbers: list[str]
) -> None:
    email = "natasha.thomas185@example.com"
    episode = begin({"email": email, "number": "4242"}, says=says)
    folio = ("get_folio", {"reservation_id": "RES-00027"})
    play(episode, found(email), folio, asks)
    charge = {"folio_id": "FOL-00027", "method": "card", "card_last4": "4242"}
    done(episode, "take_payment", amount=652.96, **charge)
    assert broken(episode) == numbers


def test_points_are_used_after_a_yes_to_so_many(begin: Begin) -> None:
    email = "stephanie.riley1@example.com"
    episode = begin({"email": email}, says="I'd like to use my points.")
    play(episode, found(email), ("get_folio", {"reservation_id": "RES-00001"}))
    episode.say("You have 6,286 points, so I can use 6,000 of them for your bill. Shall I?")
    done(episode, "pay_with_points", folio_id="FOL-00001", points=6000)
    assert broken(episode) == []


LINE = {"kind": "minibar", "description": "Minibar: salted almonds", "unit_price": 5}
AS_RULED = "Charged twice by the house."


def doubled(begin: Begin, says: str = "") -> tuple[Any, list[str]]:
    """Begin an episode in which one line stands on a guest's bill twice."""
    email = "stephanie.riley1@example.com"
    episode = begin({"email": email, "number": "4242"}, says=says)
    play(episode, found(email), ("get_folio", {"reservation_id": "RES-00001"}))
    lines = [done(episode, "post_charge", folio_id="FOL-00001", **LINE) for _ in range(2)]
    done(episode, "list_charges", folio_id="FOL-00001")
    return episode, [line["charge_id"] for line in lines]


def of_the_bill(numbers: list[str]) -> list[str]:
    """Leave out what is broken as a guest's bill was charged to begin with."""
    return [number for number in numbers if number in ("6.2", "6.8", "6.12")]


@pytest.mark.parametrize(
    ("reasons", "numbers"),
    [
        (["Never taken by the guest.", AS_RULED], []),
        ([AS_RULED, "Never taken by the guest."], []),
        ([AS_RULED, AS_RULED], ["6.8"]),
    ],
)
def test_both_lines_of_a_pair_are_taken_back_in_either_order(
    begin: Begin, reasons: list[str], numbers: list[str]
) -> None:
    episode, lines = doubled(begin)
    for charge_id, reason in zip(lines, reasons, strict=True):
        done(episode, "void_charge", charge_id=charge_id, reason=reason)
    assert of_the_bill(broken(episode)) == numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("I've issued another key card. The almonds stand there twice: I'll take 5.00 back.", []),
        ("I've issued another key card. All is in order.", ["6.12"]),
    ],
)
def test_a_line_that_stands_twice_is_told_before_it_is_taken_back(
    begin: Begin, text: str, numbers: list[str]
) -> None:
    episode, lines = doubled(begin)
    episode.say(text)
    done(episode, "void_charge", charge_id=lines[0], reason=AS_RULED)
    assert of_the_bill(broken(episode)) == numbers


def test_who_only_pays_has_not_asked_about_the_bill(begin: Begin) -> None:
    episode, _ = doubled(begin, "I'd like to pay.")
    episode.say("Your bill comes to 642.32. Shall I charge it to your card ending in 4242?")
    charge = {"folio_id": "FOL-00001", "method": "card", "card_last4": "4242"}
    done(episode, "take_payment", amount=642.32, **charge)
    episode.say("Your payment has been taken. You're all set.")
    assert of_the_bill(broken(episode)) == []
