"""What people say: which facts a message tells, how values are put, and what is held back."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest

from tests.tasks.scenarios.conftest import Solver, chance
from tests.tasks.scenarios.conftest import solver as solver
from toolworld.spec.scenarios import Scenario
from toolworld.tasks.wording.behaviours import _others, slips
from toolworld.tasks.wording.messages import Worded, fill, names_in
from toolworld.tasks.wording.values import Spoken, answers_to, in_words


def worded(solver: Solver, number: int, seed: int = 0, /, **words: Any) -> Worded:
    """Return the first situation of renting in the words of a message, some of them changed."""
    scenario = solver.scenario("rent_one")
    changed = scenario.words.model_validate({**scenario.words.model_dump(), **words})
    other = Scenario(name="rent_one", facts=scenario.facts, file=scenario.file, words=changed)
    facts = solver.situated.drawer(0).draw(scenario, 0).facts
    return solver.situated.wording.worded(other, facts, number, chance(seed))


def fact(solver: Solver, name: str, number: int = 0, **words: Any) -> dict[str, Any]:
    found: dict[str, Any] = person(worded(solver, number, **words))["facts"][name]
    return found


def person(one: Worded) -> dict[str, Any]:
    """Return the person of some words as JSON."""
    found: dict[str, Any] = one.person.model_dump(mode="json")
    return found


# Messages


@pytest.mark.parametrize(
    ("number", "said"),
    [(0, {"name", "model", "days"}), (1, {"email", "model"}), (2, {"email", "model", "days"})],
)
def test_a_fact_is_said_if_the_message_fills_it_in(
    solver: Solver, number: int, said: set[str]
) -> None:
    one = worded(solver, number)
    assert one.said == said
    for name, known in person(one)["facts"].items():
        assert known["said"] is (name in said)
        assert (str(known["value"]) in one.instruction) is (name in said)


def test_a_fact_that_is_held_back_has_its_answer_and_its_topics(solver: Solver) -> None:
    assert fact(solver, "email")["topics"][0] == "e-mail address"
    days = fact(solver, "days", 1)
    assert days["says"] == f"For {days['value']} days."
    assert days["topics"] == ["days", "how long", "long"]
    assert fact(solver, "name", 1)["says"].endswith("."), "it is a sentence of its own"
    assert fact(solver, "model", topics={})["topics"] == ["model"]


def test_what_a_message_asks_goes_with_it(solver: Solver) -> None:
    assert "last_day" in worded(solver, 1).asks
    assert "last_day" not in worded(solver, 0).asks


def test_a_question_goes_with_its_outcome(solver: Solver) -> None:
    one, endings = worded(solver, 0), solver.scenario("rent_one").words.outcomes
    asked = {name: one.question(ending) for name, ending in endings.items()}
    assert {name for name in asked if asked[name]} == {"too_long", "offered", "none_free"}
    too_long = asked["too_long"]
    assert too_long is not None and too_long.asks == ("most",)


def test_the_person_answers_as_the_situation_has_it(solver: Solver) -> None:
    declined, rented = (solver.ends("rent_one", end).worded for end in ("declined", "rented"))
    assert (person(declined)["agrees"], person(rented)["agrees"]) == (False, True)
    one = worded(solver, 0, when={"too_long": "Not even for {{ days }} days?"})
    assert person(one)["when"]["too_long"].startswith("Not even for ")
    assert "{{" not in person(one)["when"]["too_long"]


def test_people_put_a_value_in_several_ways(solver: Solver) -> None:
    value = str(fact(solver, "model")["value"])
    one = worded(solver, 0, ways={"model": {value: ["the old red one"]}})
    assert "the old red one" in one.instruction
    assert person(one)["facts"]["model"]["value"] == value
    other = worded(solver, 0, ways={"model": {"something else": ["the old red one"]}})
    assert value in other.instruction


def behaviours(solver: Solver, number: int, **words: Any) -> list[Any]:
    """Return how the people of some wordings behave, those who only answer left out."""
    found = [person(worded(solver, number, seed, **words))["behaviours"] for seed in range(200)]
    assert all(len(one) <= 1 for one in found)
    return [one[0] for one in found if one]


def test_some_people_behave_as_the_scenario_allows(solver: Solver) -> None:
    drawn = behaviours(solver, 0, behaviours=["insists", "off_topic"])
    assert 40 < len(drawn) < 100
    assert "insists" in {one["kind"] for one in drawn}
    assert all(one["says"] for one in drawn if one["kind"] == "off_topic")
    assert behaviours(solver, 0) == []


def test_a_slip_is_in_the_opening_alone(solver: Solver) -> None:
    wrong = behaviours(solver, 1, wrong_first=["email", "name"])
    right = fact(solver, "email")["value"]
    assert {one["fact"] for one in wrong} == {"email"}, "the message does not say the name"
    assert right not in [one["value"] for one in wrong]
    for seed in range(20):
        one = worded(solver, 1, seed, wrong_first=["email"])
        says = person(one)["behaviours"][0]["value"] if person(one)["behaviours"] else right
        assert says in one.instruction
        assert person(one)["facts"]["email"]["value"] == right
        assert "email" in one.said


def test_no_slip_hits_what_stands_in_the_data(solver: Solver) -> None:
    customers = (
        solver.situated.making.package.module("database.seed").default_base().tables["customers"]
    )
    known = {row.email for row in customers.rows.values()}
    assert all(solver.situated.uniqueness.is_taken(one.upper()) for one in known)
    wrong = {one["value"] for one in behaviours(solver, 1, wrong_first=["email"])}
    assert len(wrong) > 5 and not wrong & known


def test_a_change_of_mind_is_for_what_is_so_in_the_end(solver: Solver) -> None:
    change = {"fact": "days", "instead_of": [3, 4, "two"], "says": "Make it {{ days }} days."}
    days = fact(solver, "days")["value"]
    changed = behaviours(solver, 0, changes_mind=change)
    assert {(one["value"], one["says"]) for one in changed} == {(days, f"Make it {days} days.")}
    first = {person(worded(solver, 0, seed, changes_mind=change))["facts"]["days"]["value"]
             for seed in range(60)}  # fmt: skip
    assert first == {days, 3, 4}
    assert behaviours(solver, 1, changes_mind=change) == [], "it does not say how many days"


def test_of_a_day_another_one_is_some_days_off() -> None:
    days = list(_others(date(2026, 2, 28), [1, -2, "soon"]))
    assert days == [date(2026, 3, 1), date(2026, 2, 26)]


def test_people_who_only_answer_are_as_the_facts_are(solver: Solver) -> None:
    scenario = solver.scenario("rent_one")
    words = scenario.words.model_copy(update={"wrong_first": ("email",)})
    other = scenario.model_copy(update={"words": words})
    facts = solver.situated.drawer(0).draw(scenario, 0).facts
    for seed in range(20):
        one = solver.situated.wording.worded(other, facts, 1, chance(seed), plain=True)
        assert person(one)["behaviours"] == [] and facts.values["email"] in one.instruction


@pytest.mark.parametrize(
    ("text", "slipped"),
    [
        ("beat@a.de", ["baet@a.de", "bet@a.de", "beta@a.de", "bea@a.de"]),
        ("RES-00121", ["RES-01021", "RES-00211", "RES-00112"]),
        ("4711", ["7411", "4171"]),
        ("RES", []),
        ("", []),
    ],
)
def test_slips(text: str, slipped: list[str]) -> None:
    assert sorted(slips(text)) == sorted(slipped)


def test_a_reply_is_filled_with_the_values_of_the_outcome(solver: Solver) -> None:
    values = {"price": Decimal("66.00"), "last_day": date(2026, 3, 4)}
    reply = solver.situated.wording.reply("{{ price }} until {{ last_day | full }}.", values)
    assert reply == "€66.00 until March 4, 2026."


# Templates and filters


def said(text: str, value: Any, currency: str = "USD") -> str:
    return fill(text, {"it": Spoken.of(value, currency)})


def test_white_space_is_folded_and_a_hole_without_a_value_is_an_error() -> None:
    assert fill("One\n  and  {{ it }}.", {"it": "two"}) == "One and two."
    assert names_in("{{ a }} and {{ b | full }}, {% if c %}yes{% endif %}") == {"a", "b", "c"}
    with pytest.raises(Exception, match="undefined"):
        fill("{{ it }}", {})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (date(2026, 3, 4), "March 4"),
        (datetime(2026, 3, 4, 9, 5, tzinfo=UTC), "March 4, 09:05"),
        (Decimal("1234.5"), "$1,234.50"),
        ([], ""),
        (["a"], "a"),
        (["a", "b", Decimal("3")], "a, b and $3.00"),
        (True, "yes"),
        (False, "no"),
        (7, "7"),
    ],
)
def test_values_are_said_as_people_say_them(value: Any, text: str) -> None:
    assert in_words(value, "USD") == said("{{ it }}", value) == text


def test_money_has_its_sign_or_its_unit() -> None:
    found = [in_words(Decimal("5"), unit) for unit in ("EUR", "GBP", "CHF", "")]
    assert found == ["€5.00", "£5.00", "5.00 CHF", "5.00"]


@pytest.mark.parametrize(
    ("text", "value", "says"),
    [
        ("{{ it | full }}", date(2026, 3, 4), "March 4, 2026"),
        ("{{ it | full }}", datetime(2026, 3, 4, 9, 5, tzinfo=UTC), "March 4, 2026, 09:05"),
        ("{{ it | full }}", "soon", "soon"),
        ("{{ it | cents }}", Decimal("66"), "66.00"),
        ("{{ it | cents }}", 3, "3"),
        ("{{ it | capital }}", "it broke", "It broke"),
        ("{{ it | lower }}", "The Lamp", "the lamp"),
        ("{{ it | sentence }}", "it broke", "It broke."),
        ("{{ it | sentence }}", "why?", "Why?"),
        ("{{ it | sentence }}", "", "."),
    ],
)
def test_filters(text: str, value: Any, says: str) -> None:
    assert said(text, value) == says


@pytest.mark.parametrize(
    ("thing", "is_plural"),
    [
        ("earbuds", True), ("tent", False), ("hiking boots (brown, 42)", True), ("glass", False),
        ("bus", False), ("Tennis", False), ("book series", False), ("socks in blue", True),
        ("lamp in two parts", False), ("", False), ("Boots", True),
    ],
)  # fmt: skip
def test_a_verb_goes_with_the_thing(thing: str, is_plural: bool) -> None:
    expected = "are" if is_plural else "is"
    assert said("{{ it | plural('are', 'is') }}", thing) == expected


@pytest.mark.parametrize(
    ("value", "answers"),
    [
        (Decimal("66.00"), [66.0]),
        (date(2026, 3, 4), ["2026-03-04"]),
        (datetime(2026, 3, 4, 9, 5, tzinfo=UTC), ["2026-03-04"]),
        (True, ["yes"]),
        (3, [3]),
        ("city", ["city"]),
    ],
)
def test_a_goal_wants_a_value_in_plain_form(value: Any, answers: list[Any]) -> None:
    assert answers_to(value) == answers
