"""Conduct: what a trace keeps, the parts of a grade, and how clauses are judged."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from mcp import Client, StdioServerParameters

from tests.package.rentals import (
    ASKS,
    BIKE,
    DAYS,
    EMAIL,
    EMAIL_FACT,
    MEGAN,
    OTHER_EMAIL,
    PRICE,
    RENTAL,
    ROBERT,
    Begin,
    find,
    kinds,
    rent,
    rent_as_agreed,
    rental_task,
)
from tests.server.conftest import control
from toolworld.packages import Package


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


# The trace


def test_a_trace_is_kept_with_a_task_only(starter: Package, begin: Begin) -> None:
    plain = starter.environment()
    find(plain)
    assert kinds(plain) == []
    environment = begin()
    find(environment)
    environment.say(ASKS)
    assert kinds(environment) == ["call", "message", "reply"]


def test_an_event_says_what_was_called_given_and_changed(begin: Begin) -> None:
    environment = begin()
    text = rent(environment).text
    (event,) = environment.trace
    assert (event.tool, event.outcome, event.text) == ("rent_bike", "ok", text)
    assert event.arguments == {"customer_id": MEGAN, "bike_id": BIKE, "days": DAYS}
    (written,) = event.writes
    assert (written.table, written.key, written.before) == ("rentals", "REN-00041", None)
    assert written.after.model_dump(mode="json") == {"rental_id": "REN-00041", **RENTAL}


def test_a_rejection_is_kept_with_its_code_and_values(begin: Begin) -> None:
    environment = begin()
    environment.call("quote_rental", {"bike_id": BIKE, "days": 31})
    environment.call("quote_rental", {"bike_id": BIKE})
    rejected, invalid = environment.trace
    assert (rejected.outcome, rejected.code, rejected.values) == (
        "rejected", "out_of_bounds", {"most": 30},
    )  # fmt: skip
    assert (invalid.outcome, invalid.code, invalid.writes) == ("invalid", "", ())


def test_a_message_and_its_reply_are_kept_with_what_they_do(begin: Begin) -> None:
    environment = begin()
    reply = environment.say("What is your e-mail address, please?")
    message, answer = environment.trace
    assert [(act.kind, act.name) for act in message.acts] == [("asks", "email")]
    assert (answer.text, answer.acts) == (reply.text, reply.acts)
    assert [(act.kind, act.value) for act in reply.acts] == [("gives", EMAIL)]


def test_a_snapshot_holds_the_trace_and_how_far_the_talk_has_come(begin: Begin) -> None:
    environment = begin()
    find(environment)
    before = environment.snapshot()
    rent_as_agreed(environment)
    went_on = kinds(environment)
    environment.restore(before)
    assert kinds(environment) == ["call"]
    environment.say(ASKS)
    assert kinds(environment) == ["call", "message", "reply"]
    assert went_on == ["call", "call", "message", "reply", "call"]


def test_forks_do_not_see_what_happens_in_each_other(begin: Begin) -> None:
    environment = begin()
    find(environment)
    fork = environment.fork()
    environment.say(ASKS)
    rent(fork)
    assert kinds(environment) == ["call", "message", "reply"]
    assert [event.tool for event in fork.trace] == ["find_customer", "rent_bike"]


def test_a_reset_leaves_no_trace(begin: Begin) -> None:
    environment = begin()
    rent_as_agreed(environment)
    environment.reset()
    assert kinds(environment) == []
    rent_as_agreed(environment)
    environment.reset(rental_task(id="another"))
    assert kinds(environment) == []


def test_more_than_a_trace_holds_earns_nothing(starter: Package, begin: Begin) -> None:
    most = starter.module("calls.trace").MOST_EVENTS
    environment = begin()
    rent_as_agreed(environment)
    left = most - len(environment.trace)
    for _ in range(left):
        environment.call("find_customer", {})
    assert environment.grade().reward == 1.0
    environment.call("find_customer", {})
    environment.call("find_customer", {})
    grade = environment.grade()
    assert grade.reward == 0.0
    assert grade.conduct.reasons == (f"More than {most} things happened.",)
    assert len(environment.trace) == most + 1


# The three parts of a grade


def test_all_three_parts_passed_earn_the_reward(begin: Begin) -> None:
    environment = begin()
    rent_as_agreed(environment)
    grade = environment.grade()
    assert (grade.reward, grade.score, grade.reasons) == (1.0, 1.0, ())
    assert grade.state.passed and grade.answers.passed and grade.conduct.passed


def test_each_part_says_what_is_wrong_in_it(begin: Begin) -> None:
    environment = begin()
    rent(environment, bike="BIK-00003")
    grade = environment.grade("It is yours.")
    assert grade.state.reasons == (
        "Missing: rentals \"REN-00041\" added with bike_id = 'BIK-00002', price = 66.0.",
        "Not asked for: rentals \"REN-00041\" added with bike_id = 'BIK-00003', price = 105.0.",
    )
    assert grade.answers.reasons == ('The agent does not say "66".',)
    assert [reason.split(": ")[0] for reason in grade.conduct.reasons] == [
        "Clause 1.1 is broken at the call of rent_bike",
        "Clause 1.2 is broken at the call of rent_bike",
    ]
    assert grade.reasons == grade.state.reasons + grade.answers.reasons + grade.conduct.reasons
    assert (grade.reward, grade.score) == (0.0, 0.0)


def test_a_broken_clause_alone_costs_the_reward(begin: Begin) -> None:
    environment = begin()
    find(environment)
    rent(environment)
    environment.say("It is yours for 66.00 euros.")
    grade = environment.grade()
    assert grade.state.passed and grade.answers.passed
    assert grade.conduct.reasons == (
        "Clause 2.2 is broken at the call of rent_bike: Say what it costs and wait for a yes "
        "before you rent it out.",
    )
    assert grade.reward == 0.0
    assert grade.score == pytest.approx(2 / 3)


# Clauses


def test_the_call_that_breaks_a_clause_is_named_once(begin: Begin) -> None:
    environment = begin()
    find(environment)
    environment.say(ASKS)
    rent(environment, ROBERT)
    rent(environment, ROBERT, "BIK-00003")
    broken = [reason.split(": ")[0] for reason in environment.grade().conduct.reasons]
    assert broken == [
        "Clause 1.2 is broken at the call of rent_bike",
        "Clause 2.2 is broken at the call of rent_bike",
    ]


def test_a_clause_can_be_broken_at_a_message(other_starter: Callable[..., Package]) -> None:
    package = other_starter(
        "conduct.py",
        'return not event.is_call or past.role == "owner" or len(_identified(past)) > 0',
        'return all(past.saw(value) for value in event.values("states"))',
    )
    environment = package.environment(rental_task())
    environment.say("A bike costs 23.50 a day.")
    grade = environment.grade()
    assert grade.conduct.reasons[0].startswith(
        'Clause 1.1 is broken at the message "A bike costs 23.50 a day."'
    )


def test_a_tool_of_another_role_may_not_be_used_for_a_customer(begin: Begin) -> None:
    environment = begin()
    find(environment)
    environment.call("repair_bike", {"bike_id": BIKE})
    assert "Clause 1.3 is broken at the call of repair_bike" in environment.grade().reasons[-1]
    owner = begin(role="owner")
    owner.call("repair_bike", {"bike_id": BIKE})
    assert owner.grade().conduct.passed


def test_reading_more_and_being_refused_never_cost(begin: Begin) -> None:
    environment = begin()
    for email in (OTHER_EMAIL, EMAIL):
        find(environment, email)
        environment.call("list_rentals", {"customer_id": ROBERT})
        environment.call("list_bikes")
        environment.call("get_shop_day")
        environment.call("find_bike", {"model": "nothing"})
    rent(environment, MEGAN, "BIK-00001")
    environment.say(ASKS)
    environment.call("quote_rental", {"bike_id": "BIK-00003", "days": 2})
    rent(environment)
    environment.call("list_rentals", {"customer_id": MEGAN})
    assert environment.grade().reward == 1.0


def test_a_yes_is_for_what_was_said_and_for_one_change(begin: Begin) -> None:
    environment = begin()
    find(environment)
    environment.say("That is 60.00 euros. Shall I go ahead?")
    rent(environment)
    assert "Clause 2.2" in environment.grade().reasons[-1]
    again = begin()
    rent_as_agreed(again)
    assert again.grade().conduct.passed
    rent(again, bike="BIK-00005")
    rent(again, bike="BIK-00008")
    assert again.grade().conduct.passed, "they are out or in repair, so nothing was changed"
    rent(again, bike="BIK-00006")
    assert "Clause 2.2" in again.grade().reasons[-1]


def test_one_yes_may_be_to_several_calls_and_to_each_once(begin: Begin) -> None:
    environment = begin()
    find(environment)
    other = {"bike_id": "BIK-00006", "days": DAYS}
    price = environment.call("quote_rental", other).structured["price"]
    environment.say(f"That is {PRICE} for one and {price} for the other. Shall I go ahead?")
    rental = rent(environment).structured
    rent(environment, bike="BIK-00006")
    assert environment.grade().conduct.passed
    environment.call("return_bike", {"rental_id": rental["rental_id"]})
    assert environment.grade().conduct.passed
    rent(environment)
    assert "Clause 2.2" in environment.grade().reasons[-1]


def test_a_yes_to_something_more_takes_nothing_from_the_one_before(begin: Begin) -> None:
    environment = begin()
    find(environment)
    assert [act.kind for act in environment.say(ASKS).acts] == ["agrees"]
    once_more = environment.say("It is for you alone, is that right?")
    assert [act.kind for act in once_more.acts] == ["agrees"]
    rent(environment)
    assert environment.grade().conduct.passed


def test_a_yes_is_to_all_that_was_told_since_the_last_decision(begin: Begin) -> None:
    environment = begin()
    find(environment)
    environment.say("That is 66.00 euros for three days.")
    assert [act.kind for act in environment.say("Shall I go ahead?").acts] == ["agrees"]
    rent(environment)
    assert environment.grade().conduct.passed


def test_a_no_to_an_offer_takes_no_yes_back(begin: Begin) -> None:
    environment = begin()
    find(environment)
    environment.say(ASKS)
    offer = environment.say("I could also offer a helmet for 5.00 euros.")
    assert [act.kind for act in offer.acts] == ["declines"]
    rent(environment)
    assert environment.grade().conduct.passed


def test_a_yes_is_used_up_when_the_agent_goes_on_to_talk(begin: Begin) -> None:
    environment = begin()
    rent_as_agreed(environment)
    environment.say("The first one is yours.")
    rental = environment.call(
        "rent_bike", {"customer_id": MEGAN, "bike_id": "BIK-00011", "days": 3}
    )
    assert rental.structured["price"] == PRICE, "it costs what was agreed to for the other"
    assert "Clause 2.2" in environment.grade().reasons[-1]


def test_a_no_takes_an_earlier_yes_back(begin: Begin) -> None:
    environment = begin(person={"facts": {"email": EMAIL_FACT}, "agrees": {"price": PRICE}})
    find(environment)
    assert [act.kind for act in environment.say(ASKS).acts] == ["agrees"]
    refused = environment.say("It is 90.00 euros with a helmet. Shall I go ahead?")
    assert [act.kind for act in refused.acts] == ["declines"]
    rent(environment)
    assert "Clause 2.2" in environment.grade().reasons[-1]


def test_a_change_of_mind_takes_an_earlier_yes_back(begin: Begin) -> None:
    change = {"kind": "changes_mind", "fact": "email", "says": "Wait.", "value": "other"}
    person = {"facts": {"email": EMAIL_FACT}, "agrees": {"price": PRICE}}
    environment = begin(person={**person, "behaviours": [{**change, "at": "after_yes"}]})
    find(environment)
    assert [act.kind for act in environment.say(ASKS).acts] == ["agrees"]
    assert [act.kind for act in environment.say("One moment.").acts] == ["changes_mind"]
    rent(environment)
    assert "Clause 2.2" in environment.grade().reasons[-1]


def test_without_messages_clauses_about_talk_are_listed_as_unseen(begin: Begin) -> None:
    environment = begin()
    find(environment)
    rent(environment)
    grade = environment.grade("It is yours for 66.00 euros.")
    assert grade.conduct.unseen == ("2.2",)
    assert grade.conduct.passed
    assert grade.reward == 1.0
    environment.say("Thank you, goodbye.")
    assert environment.grade().conduct.unseen == ()


def test_for_someone_of_no_role_all_clauses_are_unseen(begin: Begin) -> None:
    environment = begin(role="")
    rent(environment, ROBERT)
    conduct = environment.grade().conduct
    assert conduct.passed
    assert conduct.unseen == ("1.1", "1.2", "1.3", "2.2")


def test_a_task_that_needs_a_conversation_earns_nothing_without_one(begin: Begin) -> None:
    environment = begin(conversation=True)
    find(environment)
    rent(environment)
    grade = environment.grade("It is yours for 66.00 euros.")
    assert grade.state.passed and grade.answers.passed
    assert grade.reward == 0.0
    assert grade.reasons[0].startswith("The task needs a conversation")
    environment.reset()
    rent_as_agreed(environment)
    assert environment.grade().reward == 1.0


def test_a_predicate_that_fails_is_a_defect_with_its_name(
    other_starter: Callable[..., Package],
) -> None:
    package = other_starter(
        "conduct.py", "return agreed is not None and", "return event.result.bike_id == agreed[9] or"
    )
    environment = package.environment(rental_task())
    rent_as_agreed(environment)
    assert environment.call("return_bike", {"rental_id": "REN-00041"}).outcome == "ok"
    broken = package.module("errors").BrokenClause
    digest = environment.digest()
    with pytest.raises(broken, match=r"price_agreed of clause 2\.2 fails: IndexError.*conduct\.py"):
        environment.grade()
    assert environment.digest() == digest


# The control plane


@pytest.mark.anyio
async def test_a_harness_talks_to_the_person_over_stdio(starter: Package) -> None:
    arguments = ["-m", starter.module_name, "--control"]
    environment = {"PYTHONPATH": str(starter.path / "src")}
    server = StdioServerParameters(command=sys.executable, args=arguments, env=environment)
    async with Client(server) as client:
        assert "say" not in {tool.name for tool in (await client.list_tools()).tools}
        await control(client, "open", {"task": rental_task(conversation=True)})
        reply = await control(client, "say", {"text": "What is your e-mail address, please?"})
        assert reply["text"] == f"{EMAIL}."
        assert reply["acts"] == [{"kind": "gives", "name": "email", "value": EMAIL}]
        await client.call_tool("find_customer", {"email": EMAIL})
        assert (await control(client, "say", {"text": ASKS}))["acts"][0]["kind"] == "agrees"
        await client.call_tool("rent_bike", {"customer_id": MEGAN, "bike_id": BIKE, "days": DAYS})
        graded = await control(client, "grade", {"answer": "Enjoy."})
        assert (graded["reward"], graded["conduct"]["unseen"]) == (1.0, [])
