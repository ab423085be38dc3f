"""What a person's behaviours add: each has its turn once, and none is played by chance."""

from __future__ import annotations

import pytest

from toolworld.packages import Package

from .conversations import (
    ASKS_YES,
    CHANGES,
    CLOSES,
    REFUSES,
    WRONG,
    Talk,
    beginner,
    kinds,
)


@pytest.fixture(scope="module")
def talk(library: Package) -> Talk:
    return beginner(library)


# Behaviours


def test_insists_once(talk: Talk) -> None:
    person = talk(behaviours=["insists"])
    assert kinds(person.say(f"{REFUSES} {CLOSES}")) == ["insists"]
    assert person.say(REFUSES).text == "Oh. Then I'll keep it."


def test_changes_mind_instead_of_the_first_yes(talk: Talk) -> None:
    person = talk(behaviours=[CHANGES])
    reply = person.say(ASKS_YES)
    assert [tuple(act) for act in reply.acts] == [("changes_mind", "item", "chair")]
    assert kinds(person.say(ASKS_YES)) == ["agrees"]
    assert person.say("Which item?").text == "No, the chair."


def test_changes_mind_between_the_yes_and_the_write(talk: Talk) -> None:
    person = talk(behaviours=[{**CHANGES, "at": "after_yes"}])
    assert kinds(person.say(ASKS_YES)) == ["agrees"]
    assert kinds(person.say("One moment.")) == ["changes_mind item"]
    assert not person.state.owed
    person = talk(behaviours=[{**CHANGES, "at": "after_yes"}])
    person.say(ASKS_YES)
    assert kinds(person.say(CLOSES, wrote=True)) == ["leaves"]


def test_changes_mind_after_the_write(talk: Talk) -> None:
    person = talk(behaviours=[{**CHANGES, "at": "after_write"}])
    person.say(ASKS_YES)
    assert kinds(person.say(CLOSES, wrote=True)) == ["changes_mind item"]
    assert kinds(person.say(CLOSES)) == ["leaves"]


@pytest.mark.parametrize(
    "message",
    [
        "I can't find an account with that.",
        "So your zip code is 04221?",
        "I have 04221 here.",
        "What was the zip code again?",
        ASKS_YES,
        REFUSES,
        CLOSES,
    ],
)
def test_a_wrong_value_is_corrected_once_it_fails_or_is_said_back(talk: Talk, message: str) -> None:
    person = talk(behaviours=[WRONG])
    reply = person.say("Your zip code?")
    assert [tuple(act) for act in reply.acts] == [("gives", "postcode", "04221")]
    reply = person.say(message)
    assert ("corrects", "postcode", "04112") in [tuple(act) for act in reply.acts]
    assert "04112." in reply.text
    assert kinds(reply)[0] == "corrects postcode"
    assert "agrees" not in kinds(reply)
    assert person.say("Your zip code?").text == "04112."


def test_a_wrong_value_in_the_opening_is_corrected(talk: Talk) -> None:
    wrong = {"kind": "wrong_first", "fact": "item", "says": "The lamb.", "value": "oak lamb"}
    person = talk(behaviours=[wrong])
    assert kinds(person.say("There is no order with an oak lamb."))[0] == "corrects item"


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("There is no order with an oak lamb.", ["corrects item"]),
        ("No match. What is the item, and your zip code?", ["corrects item", "gives postcode"]),
    ],
)
def test_what_was_put_right_is_why_nothing_was_found(
    talk: Talk, message: str, told: list[str]
) -> None:
    """Nothing that was held back is told because nothing was found."""
    wrong = {"kind": "wrong_first", "fact": "item", "says": "The lamb.", "value": "oak lamb"}
    assert kinds(talk(behaviours=[wrong]).say(message)) == told


def test_nothing_is_corrected_before_it_was_said(talk: Talk) -> None:
    person = talk(behaviours=[WRONG])
    assert kinds(person.say("I can't find an account.")) == ["gives email", "gives postcode"]


def test_impatient_is_short_and_hurries_once(talk: Talk) -> None:
    person = talk(behaviours=["impatient"])
    assert person.say(ASKS_YES).text == "Yes, go ahead. I'm in a hurry."
    assert person.say(ASKS_YES).text == "Yes, go ahead."


def test_off_topic_adds_an_aside_once(talk: Talk) -> None:
    person = talk(behaviours=[{"kind": "off_topic", "says": "Lovely weather."}])
    assert person.say("Your e-mail?").text == "It's jo@example.com. Lovely weather."
    assert person.say("Your e-mail?").text == "It's jo@example.com."


def test_wants_more_before_leaving(talk: Talk) -> None:
    more = {"kind": "wants_more", "says": "And a voucher?", "refused": "Never mind."}
    person = talk(behaviours=[more])
    reply = person.say(CLOSES, wrote=True)
    assert (reply.text, kinds(reply)) == ("And a voucher?", ["wants_more"])
    reply = person.say(f"I'm sorry, I can't do that. {CLOSES}")
    assert (reply.text.split(".")[0], kinds(reply)) == ("Never mind", ["leaves"])
