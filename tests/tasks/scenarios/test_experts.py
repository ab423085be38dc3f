"""What experts do is gold: steps, references, answers, and the branches that are taken."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest

from tests.tasks.scenarios.conftest import Solver
from toolworld.packages import Package
from toolworld.spec.scenarios import OutcomeWords
from toolworld.tasks.scenarios.gold import goal_of, gold_of


def tools(solved: Any) -> list[str]:
    return [step.tool or "(says)" for step in solved.run.steps]


def test_an_expert_does_the_same_each_time(solver: Solver) -> None:
    first, again = (solver.ends("rent_one", "rented").run for _ in range(2))
    assert first.steps == again.steps
    assert first.values == again.values
    assert first.branches == again.branches


def test_gold_is_what_the_expert_did_and_its_reply(solver: Solver) -> None:
    solved = solver.ends("rent_one", "rented", says=0)
    assert tools(solved)[:4] == ["(says)", "find_customer", "find_bike", "quote_rental"]
    assert tools(solved)[-2:] == ["rent_bike", "(says)"]
    gold = gold_of(solved.run)
    assert gold[0] == {"say": "Could you tell me the e-mail address, please?"}
    assert gold[-1] == {"say": solved.run.reply}
    assert solved.run.reply.startswith("It is yours; that is €")
    assert any(step.say for step in solved.run.steps[:-1])


def test_a_rejection_that_is_looked_for_is_part_of_gold(solver: Solver) -> None:
    gold = gold_of(solver.ends("bring_back", "was_back").run)
    (refused,) = [step for step in gold if step.get("expect") == "rejected"]
    assert (refused["tool"], refused["code"]) == ("return_bike", "back_already")


def test_what_the_person_told_is_not_asked_for(solver: Solver) -> None:
    assert "(says)" in tools(solver.solve("bring_back", 0, says=1))[:-1]
    assert "(says)" not in tools(solver.solve("bring_back", 0, says=0))[:-1]


def test_branches_are_counted_for_the_expert_and_its_helpers(
    solver: Solver, other_starter: Callable[..., Package]
) -> None:
    code = solver.situated.making.code
    texts = [(one.text, one.way) for one in code.branches_of("solve_bring_back")]
    late, back = "taken.price > rental.price", "taken.rejected('back_already')"
    assert texts == [(back, True), (back, False), (late, True), (late, False)]
    taken = {(one.text, one.way) for one in solver.ends("bring_back", "late").run.branches}
    assert taken == {(back, False), (late, True)}
    package = other_starter(
        "scenarios/rentals.py",
        '    agent.ask("email")\n',
        '    if not agent.knows("email"):\n        agent.ask("email")\n',
    )
    other = Solver(package)
    functions = [(one.function, one.text) for one in other.situated.making.code.branches]
    assert ("_customer", "not agent.knows('email')") in functions
    held_back = {one.way for one in other.ends("rent_one", "rented", says=0).run.branches
                 if one.function == "_customer"}  # fmt: skip
    told = {one.way for one in other.ends("rent_one", "rented", says=1).run.branches
            if one.function == "_customer"}  # fmt: skip
    assert (held_back, told) == ({True}, {False})


def test_noted_branches_do_not_leak_from_one_run_into_the_next(solver: Solver) -> None:
    before = solver.ends("bring_back", "late").run.branches
    solver.ends("bring_back", "was_back")
    assert solver.ends("bring_back", "late").run.branches == before


# References


@pytest.fixture(scope="module")
def repairing(other_starter: Callable[..., Package]) -> Solver:
    """A bike shop whose expert uses the key of a rental that it has made."""
    package = other_starter(
        "scenarios/rentals.py",
        "    agent.rent_bike(customer.customer_id, bike.bike_id, given.days)\n    return",
        "    rental = agent.rent_bike(customer.customer_id, bike.bike_id, given.days)\n"
        "    agent.return_bike(rental.rental_id)\n    return",
    )
    return Solver(package)


def test_a_key_that_the_run_made_is_a_reference_to_its_result(repairing: Solver) -> None:
    for number in range(100):
        solved = repairing.solve("rent_one", number)
        gold = gold_of(solved.run)
        if "return_bike" in tools(solved):
            break
    place = next(n for n, step in enumerate(gold) if step.get("tool") == "rent_bike")
    assert gold[place + 1]["arguments"] == {"rental_id": {"$step": place, "path": "rental_id"}}
    customer = gold[place]["arguments"]["customer_id"]  # type: ignore[index, call-overload]
    assert str(customer).startswith("CUS-"), "keys that were there before are themselves"


# Goals


def goal(values: dict[str, Any], said: str = "", **more: Any) -> list[Any]:
    """Return the answers of a goal of an outcome that tells all its values."""
    words = OutcomeWords(kind="done", tells=tuple(values), reply="Done.", **more)
    run = SimpleNamespace(values=values, changes=())

    def contains(text: str, one: object) -> bool:
        return str(one) in text

    return goal_of(run, words, list(values), said, contains)["answers"]  # type: ignore[arg-type, return-value]


def test_answers_are_what_the_outcome_tells_and_the_message_asks(solver: Solver) -> None:
    solved = solver.ends("rent_one", "rented", says=2)
    words = solved.situation.scenario.words.outcomes["rented"]
    contains = solver.situated.making.package.module("person.answers").contains_answer
    price = float(solved.run.values["price"])
    asked = goal_of(solved.run, words, ["price"], "", contains)
    assert asked["answers"] == [price]
    both = goal_of(solved.run, words, ["last_day", "price"], "", contains)
    assert both["answers"] == [price, solved.run.values["last_day"].isoformat()]
    assert goal_of(solved.run, words, ["most"], "", contains)["answers"] == []
    assert [change["table"] for change in asked["changes"]] == ["rentals"]  # type: ignore[index, union-attr, call-overload]


def test_what_the_person_said_or_knows_is_no_answer() -> None:
    assert goal({"model": "Swift 4", "most": 30}, said="Is the Swift 4 free?") == [30]


def test_other_words_for_a_value_are_alternatives() -> None:
    assert goal({"kind": "city"}, alternatives={"kind": ("town",)}) == [["city", "town"]]
    assert goal({"kind": "city"}) == ["city"]


def test_an_alternative_that_was_said_already_makes_it_no_answer() -> None:
    assert goal({"kind": "city"}, "in town", alternatives={"kind": ("town",)}) == []


def test_nothing_to_pay_may_be_said_in_words() -> None:
    (free,) = goal({"more": Decimal("0.00")})
    assert free[0] == 0.0
    assert {"free", "no charge"} <= set(free)


def test_each_value_of_a_list_is_an_answer_and_nothing_is_none() -> None:
    assert goal({"days": [1, 2], "left": None}) == [1, 2]
