"""Clauses kept by conduct: each is broken by some agent that errs, or it is named."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tasks.scenarios.conftest import starter_graph as starter_graph
from toolworld import emit
from toolworld.graph import ToolGraph
from toolworld.packages import load_package
from toolworld.tasks import TaskOrder, make_tasks
from toolworld.tasks.verify.breaches import BreachCount, count_breaches

HASTY = '''

def _hasty(agent: Agent, given: Given) -> Outcome:
    """A bike is rented out before anybody said what it costs."""
    customer = _customer(agent, given)
    agent.ask("model", "days")
    bike = agent.find_bike(given.model)
    rental = agent.attempt.rent_bike(customer.customer_id, bike.bike_id, given.days)
    if rental.rejected("out_of_bounds"):
        return outcome("too_long", most=rental.values.most)
    if rental.rejected("not_free"):
        return outcome("none_free", kind=bike.kind, free=0)
    return outcome("rented", price=rental.price, last_day=rental.due_on)
'''
NEVER_SEEN = "\n- 3.3 A bike that comes back wet is dried. [conduct: dried]\n"
DRIED = '''

def dried(db: Database, past: Past, event: Event) -> bool:
    """Nobody can see whether a bike is wet."""
    return True
'''

Counted = Callable[..., BreachCount]


@pytest.fixture
def counted(starter_spec: Path, starter_graph: ToolGraph, tmp_path: Path) -> Counted:
    """Returns what breaches come to in a bike shop with more in its files."""

    def count(**more: str) -> BreachCount:
        spec = Path(shutil.copytree(starter_spec, tmp_path / "spec"))
        for name, text in more.items():
            path = next(spec.rglob(name.replace("_", ".")))
            path.write_text(path.read_text() + text)
        words = spec / "scenarios" / "rentals.yaml"
        if "rentals_py" in more:
            said = words.read_text().replace("  says:", '  breaches: {"2.2": _hasty}\n  says:', 1)
            words.write_text(said)
        built = emit.build(spec, tmp_path / "package").path
        make_tasks(built, TaskOrder(8), starter_graph)
        package = load_package(built)
        return count_breaches(package, package.tasks())

    return count


def test_machines_find_a_breach_of_every_clause_of_the_bike_shop(counted: Counted) -> None:
    found = counted()
    assert (found.unbroken, found.wrong) == ([], ())
    assert set(found.scenarios.values()) == {2}


def test_a_clause_that_nobody_breaks_is_named(counted: Counted) -> None:
    found = counted(policy_md=NEVER_SEEN, conduct_py=DRIED)
    assert found.unbroken == ["3.3"]


def test_a_predicate_that_fails_for_an_agent_that_errs_is_named(counted: Counted) -> None:
    fails = DRIED.replace("return True", "return event.tool != 'rent_bike' or past.yes_to()[0] > 0")
    (wrong,) = counted(policy_md=NEVER_SEEN, conduct_py=fails).wrong
    assert wrong.startswith("The predicate dried of clause 3.3 fails: ")
    assert wrong.endswith("Mend it in conduct.py.")


def test_a_breach_that_an_author_wrote_breaks_its_clause_alone(counted: Counted) -> None:
    assert counted(rentals_py=HASTY).wrong == ()


def test_a_breach_that_breaks_another_clause_is_named(counted: Counted) -> None:
    unknown = HASTY.replace("customer = _customer(agent, given)", "bikes = agent.list_bikes()")
    (wrong,) = counted(rentals_py=unknown.replace("customer.customer_id", '"CUS-00001"')).wrong
    assert wrong.startswith("making/rentals.py:")
    assert wrong.endswith("_hasty breaks clause 1.1, 1.2, and not 2.2 alone")


def test_a_breach_that_breaks_nothing_is_named(counted: Counted) -> None:
    idle = HASTY.replace("    rental = ", '    return outcome("too_long", most=30)\n    rental = ')
    (wrong,) = counted(rentals_py=idle).wrong
    assert wrong.endswith("_hasty breaks clause 2.2 in none of 100 situations")


def test_a_breach_that_fails_is_named_with_its_line(counted: Counted) -> None:
    wrong = counted(
        rentals_py=HASTY.replace("rental.due_on)", "1 / len(rental.rental_id[:0]))")
    ).wrong
    assert wrong[0].startswith("making/rentals.py:")
    assert "ZeroDivisionError" in wrong[0]
