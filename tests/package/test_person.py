"""The simulated person: what they answer, agree to and never do."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from toolworld.packages import Package

from .conversations import (
    ALL,
    ASKS_YES,
    CHANGES,
    CLOSES,
    FACTS,
    REFUSES,
    WHEN,
    WRONG,
    Talk,
    beginner,
    kinds,
)


@pytest.fixture(scope="module")
def talk(library: Package) -> Talk:
    return beginner(library)


# Facts


def test_a_fact_is_given_when_it_is_asked_for_and_again(talk: Talk) -> None:
    person = talk()
    for _ in range(2):
        reply = person.say("What is your e-mail?")
        assert reply.text == "It's jo@example.com."
        assert [tuple(act) for act in reply.acts] == [("gives", "email", "jo@example.com")]


def test_several_facts_are_given_in_the_order_asked(talk: Talk) -> None:
    reply = talk().say("I need your zip code, the item and your e-mail.")
    assert reply.text == "04112. The oak lamp. It's jo@example.com."
    assert kinds(reply) == ["gives postcode", "gives item", "gives email"]


def test_a_fact_the_person_does_not_have(talk: Talk) -> None:
    reply = talk().say("What's the card number?")
    assert kinds(reply) == ["does_not_know card"]
    assert "don't know" in reply.text


def test_a_question_that_cannot_be_placed_gets_all_that_is_held_back(talk: Talk) -> None:
    person = talk()
    assert kinds(person.say("Could you provide more details?")) == ["gives email", "gives postcode"]
    assert kinds(person.say("Could you provide more details?")) == ["does_not_know"]


def test_what_was_given_is_not_held_back(talk: Talk) -> None:
    person = talk()
    person.say("Your e-mail?")
    assert kinds(person.say("I can't find an account.")) == ["gives postcode"]


def test_a_message_no_rule_fits_is_counted_and_gets_all_that_is_held_back(talk: Talk) -> None:
    person = talk()
    assert kinds(person.say("Hm.")) == ["unplaced", "gives email", "gives postcode"]
    assert kinds(person.say("Hm.")) == ["unplaced"]
    assert person.state.unplaced == 2


def test_what_is_only_told_is_noted(talk: Talk) -> None:
    person = talk(facts={})
    reply = person.say("It was delivered on March 5, 2026.")
    assert (reply.text, reply.acts) == ("Okay, thank you.", ())
    assert person.state.unplaced == 0


def test_who_is_told_something_or_that_it_was_done_adds_nothing(talk: Talk) -> None:
    assert "gives" not in " ".join(kinds(talk().say("Your order came to $42.50.")))
    done = talk().say("Noted.", wrote=True)
    assert "gives" not in " ".join(kinds(done))
    assert "gives email" in kinds(talk().say("Noted."))


def test_nothing_is_said_unasked_while_the_agent_looks_something_up(talk: Talk) -> None:
    assert talk().say("One moment, please.").acts == ()


# Yes and no


def test_the_person_agrees(talk: Talk) -> None:
    assert kinds(talk().say(ASKS_YES)) == ["agrees"]


def test_the_person_declines(talk: Talk) -> None:
    assert kinds(talk(agrees=False).say(ASKS_YES)) == ["declines"]
    person = talk(agrees=False, when={"declined": "Not at that price."})
    assert person.say(ASKS_YES).text == "Not at that price."


@pytest.mark.parametrize(
    ("message", "agrees"),
    [
        ("The fee is $5.00. Shall I go ahead?", True),
        ("The fee is $5.01. Shall I go ahead?", False),
        ("A $5.01 restocking charge applies. Is that okay?", False),
        ("You get $100.00 back and there's a fee of $3.00. Shall I go ahead?", True),
        ("$100.00 will be refunded. Shall I go ahead?", True),
        ("There is no fee. Shall I go ahead?", True),
        ("It comes to $7.00. Shall I go ahead?", False),
        ("The fee is $3.00 for one and the fee is $6.00 for the other. Okay?", False),
        ("It takes 10 days. Shall I go ahead?", True),
        ("Shall I go ahead?", True),
    ],
)
def test_the_person_agrees_up_to_a_limit(talk: Talk, message: str, agrees: bool) -> None:
    reply = talk(agrees={"fee": 5.0}).say(message)
    assert kinds(reply) == ["agrees" if agrees else "declines"]


def test_a_fee_told_before_counts_for_the_yes_after_it(talk: Talk) -> None:
    person = talk(agrees={"fee": 5.0})
    person.say("There is a fee of $6.95.")
    assert kinds(person.say("Shall I go ahead?")) == ["declines"]
    assert kinds(person.say("I can make the fee $4.00. Shall I go ahead?")) == ["agrees"]


def test_a_limit_of_another_name(talk: Talk) -> None:
    person = talk(agrees={"room_rate": 90.0}, called={"room_rate": ["per night", "rate"]})
    assert kinds(person.say("It is $95.00 per night. Shall I book it?")) == ["declines"]
    assert kinds(person.say("The rate is $85.00. Shall I book it?")) == ["agrees"]


def test_facts_and_a_yes_in_one_reply(talk: Talk) -> None:
    reply = talk().say("What's your e-mail? And shall I go ahead?")
    assert kinds(reply) == ["gives email", "agrees"]


# Refusals and offers


def test_a_refusal_gets_the_reply_of_the_outcome(talk: Talk) -> None:
    assert talk("too_late").say(REFUSES).text == "Oh. Then I'll keep it."
    assert talk("other", when={"refused": "A pity."}).say(REFUSES).text == "A pity."
    assert talk("other", when={}).say(REFUSES).text == "All right, I understand."


def test_a_person_with_nothing_to_agree_to_holds_to_the_wish(talk: Talk) -> None:
    reply = talk(agrees=None).say(ASKS_YES)
    assert kinds(reply) == ["holds"]
    assert reply.text == "If that is what I asked for, yes. Nothing else, please."


def test_a_fact_that_matters_comes_before_the_yes(talk: Talk) -> None:
    person = talk(first=["postcode", "item"])
    assert kinds(person.say(ASKS_YES)) == ["gives postcode"], "the item was said in the opening"
    assert kinds(person.say(ASKS_YES)) == ["agrees"]
    asked = talk(first=["postcode"]).say(f"What is your zip code? {ASKS_YES}")
    assert kinds(asked) == ["gives postcode", "agrees"]


QUESTION = {"says": "Since when is it too late?", "answers": [["2026-06-03", "June 3"], 20]}


def test_what_a_refusal_leaves_out_is_asked_for_once(talk: Talk) -> None:
    person = talk(question=QUESTION)
    asked = person.say(REFUSES)
    assert (asked.text, kinds(asked)) == ("Since when is it too late?", ["wants_to_know"])
    assert "Since when" not in person.say("I cannot return it since June 3, after 20 days.").text
    assert "Since when" not in person.say(REFUSES).text


def test_what_a_refusal_tells_is_not_asked_for(talk: Talk) -> None:
    person = talk(question=QUESTION)
    person.say("Returns are open for 20 days.")
    refused = person.say("I'm sorry, it cannot be returned since June 3.")
    assert refused.text == WHEN["too_late"]


def test_a_person_with_a_question_does_not_leave_before_asking_it(talk: Talk) -> None:
    reply = talk(question=QUESTION).say(f"{REFUSES} Is there anything else?")
    assert kinds(reply) == ["wants_to_know"]


def test_a_refusal_in_all_but_its_words_gets_the_question_too(talk: Talk) -> None:
    said = "By our records that was sent back already."
    assert kinds(talk(question=QUESTION).say(said)) == ["wants_to_know"]
    thanked = talk(question=QUESTION).say("Thank you, I have found your account.")
    assert "wants_to_know" not in kinds(thanked)


def test_finding_nothing_for_a_reason_gets_the_question_too(talk: Talk) -> None:
    said = "There is no paid order for that state; that label was used already."
    assert "wants_to_know" in kinds(talk(question=QUESTION, facts={}).say(said))
    assert kinds(talk(facts={}).say(said)) == ["does_not_know"]


def test_a_question_comes_before_leaving(talk: Talk) -> None:
    person = talk(question=QUESTION)
    person.say("Returns are open for 30 days.")
    assert kinds(person.say("Is there anything else?")) == ["wants_to_know"]
    assert kinds(person.say("Is there anything else?")) == ["leaves"]


def test_what_a_declined_proposal_leaves_out_is_asked_for(talk: Talk) -> None:
    reply = talk(question=QUESTION, agrees=False).say(ASKS_YES)
    assert kinds(reply) == ["declines", "wants_to_know"]


def test_an_offer_is_declined_unless_the_person_takes_offers(talk: Talk) -> None:
    offer = f"{REFUSES} Would you like to exchange it instead?"
    reply = talk().say(offer)
    assert (reply.text, kinds(reply)) == (WHEN["offered"], ["declines"])
    assert kinds(talk(takes_offer=True).say(offer)) == ["agrees"]


def test_who_is_offered_nothing_takes_an_offer_with_a_question_for_that_question(
    talk: Talk,
) -> None:
    offer = f"{REFUSES} Would you like 500 points instead? Shall I go ahead?"
    assert kinds(talk().say(offer)) == ["declines"]
    assert kinds(talk(takes_offer=None).say(offer)) == ["agrees"]
    assert kinds(talk(takes_offer=None, agrees=False).say(offer)) == ["declines"]


def test_of_several_amounts_those_that_a_good_agent_tells_are_measured(talk: Talk) -> None:
    message = "It is 58.95 instead of 47.95, so you pay 11.00 more. Shall I go ahead?"
    assert kinds(talk(agrees={"difference": 12}).say(message)) == ["declines"]
    assert kinds(talk(agrees={"difference": 12}, sums=[11]).say(message)) == ["agrees"]
    assert kinds(talk(agrees={"difference": 10}, sums=[11]).say(message)) == ["declines"]
    named = "It costs $58.95 today, the old one $47.95, so it costs $11.00. Shall I go ahead?"
    assert kinds(talk(agrees={"difference": 12}, sums=[11]).say(named)) == ["agrees"]
    other = "You pay 58.95 now. Shall I go ahead?"
    assert kinds(talk(agrees={"difference": 12}, sums=[11]).say(other)) == ["declines"]


def test_a_yes_for_the_same_thing_beside_a_refusal_is_no_offer(talk: Talk) -> None:
    message = "I can't waive the fee of $6.95. Do you still want to go ahead?"
    assert kinds(talk().say(message)) == ["agrees"]


# Ends


def test_the_person_leaves_and_says_nothing_more(talk: Talk) -> None:
    person = talk()
    assert kinds(person.say(CLOSES, wrote=True)) == ["leaves"]
    after = person.state
    assert tuple(person.say("What is your e-mail?")) == ("", ())
    assert person.state == after


def test_the_person_does_not_leave_before_what_was_agreed_to(talk: Talk) -> None:
    person = talk()
    person.say(ASKS_YES)
    assert person.say(CLOSES).acts == ()
    assert kinds(person.say(CLOSES, wrote=True)) == ["leaves"]


def test_the_person_does_not_leave_before_anything_was_done_or_told(talk: Talk) -> None:
    person = talk()
    assert person.say("Is there anything else?").acts == ()
    person.say("It was delivered on March 5, 2026.")
    assert kinds(person.say("Is there anything else?")) == ["leaves"]


def test_a_refusal_takes_back_what_was_agreed_to(talk: Talk) -> None:
    person = talk()
    person.say(ASKS_YES)
    person.say(REFUSES)
    assert kinds(person.say(CLOSES)) == ["leaves"]


def test_who_is_told_how_things_are_stays_until_something_was_done(talk: Talk) -> None:
    person = talk()
    assert kinds(person.say("Your booking is confirmed, and the deposit has been paid.")) == []
    assert kinds(person.say("Your booking is canceled.", wrote=True)) == ["leaves"]


def test_the_person_reminds_twice_and_then_leaves(talk: Talk) -> None:
    person = talk()
    person.say(ASKS_YES)
    assert [kinds(person.say("Done.")) for _ in range(3)] == [[], [], ["leaves"]]


# The description


@pytest.mark.parametrize(
    "parts",
    [
        {"behaviours": ["insists", {"kind": "insists", "says": "Really?"}]},
        {"behaviours": [{**CHANGES, "fact": "colour"}]},
        {"behaviours": [{**WRONG, "fact": "card"}]},
        {"behaviours": ["sings"]},
        {"behaviours": ["off_topic"]},
        {"facts": {"email": {"value": "jo@example.com"}}},
        {"mood": "bad"},
    ],
)
def test_a_description_that_does_not_fit_is_refused(talk: Talk, parts: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        talk(**parts)


def test_a_description_goes_through_json(library: Package) -> None:
    person = library.module("person.persona").Person
    described = person.model_validate({"facts": FACTS, "agrees": {"fee": 5}, "behaviours": ALL})
    assert person.model_validate_json(described.model_dump_json()) == described


# Any conversation

messages = st.one_of(
    st.text(max_size=80),
    st.sampled_from([
        "Your e-mail?", "Your zip code and the item?", "Could you provide more details?", ASKS_YES,
        REFUSES, CLOSES, f"{REFUSES} Would you like another one instead?", "One moment.", "Done.",
        "I can't find an account.", "So your zip code is 04221?", "The card number?", "bye",
    ]),
)  # fmt: skip
turns = st.lists(st.tuples(messages, st.booleans()), max_size=12)
descriptions = st.fixed_dictionaries({
    "agrees": st.sampled_from([True, False, {"fee": 5.0}]),
    "takes_offer": st.booleans(),
    "behaviours": st.lists(st.sampled_from(ALL), unique_by=str),
})  # fmt: skip


@settings(max_examples=100)
@given(turns, descriptions)
def test_any_conversation_is_the_same_again(
    talk: Talk, turns: list[tuple[str, bool]], description: dict[str, Any]
) -> None:
    one, other = talk(**description), talk(**description)
    for text, wrote in turns:
        assert one.say(text, wrote) == other.say(text, wrote)
        assert one.state == other.state
        hash(one.state)


@settings(max_examples=100)
@given(turns, turns, turns, descriptions)
def test_a_conversation_goes_on_from_any_state_it_was_in(
    talk: Talk,
    first: list[tuple[str, bool]],
    aside: list[tuple[str, bool]],
    last: list[tuple[str, bool]],
    description: dict[str, Any],
) -> None:
    person = talk(**description)
    for turn in first:
        person.say(*turn)
    kept = person.state
    straight = [person.say(*turn) for turn in last]
    person.state = kept
    for turn in aside:
        person.say(*turn)
    person.state = kept
    assert [person.say(*turn) for turn in last] == straight


@settings(max_examples=100)
@given(turns, descriptions)
def test_the_person_never_leaves_owed_something_without_reminding(
    talk: Talk, turns: list[tuple[str, bool]], description: dict[str, Any]
) -> None:
    person = talk(**description)
    for text, wrote in turns:
        before = person.state
        reply = person.say(text, wrote)
        assert before.left or reply.text
        if person.state.left and not before.left:
            assert wrote or not before.owed or before.reminders == 2 or "refuses" in {
                act.kind for act in person.understood(text)
            }  # fmt: skip
