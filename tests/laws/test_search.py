"""Sequences of calls that break a law are found, and told as the shortest that do."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.laws.conftest import FEW, Changed
from toolworld import emit
from toolworld.emit.jobs import Limits
from toolworld.errors import ToolworldError
from toolworld.laws import LawSearch, LawsReport, prove_laws, read_report, still_broken
from toolworld.packages import Package

Search = Callable[..., LawsReport]
NOT_FREE = 'raise Rejected("not_free", f"Bike {bike_id} is out, or in'
IF_NOT_FREE = f"    if not _is_free(db, bike):\n        {NOT_FREE}"
REPAIR = ("tools.py", IF_NOT_FREE, f"    if bike.in_repair:\n        {NOT_FREE}")
"""A workshop that takes bikes which are out."""


def finding(report: LawsReport, law: str) -> Any:
    found = [one for one in report.content["findings"] if one["law"] == law]
    assert len(found) == 1, report.content["findings"]
    return found[0]


def tools_of(found: Any) -> list[str]:
    return [call["tool"] for call in found["calls"]]


def test_a_sound_world_keeps_its_laws(starter: Package) -> None:
    report = prove_laws(starter.path, FEW)
    assert report.passed
    assert report.content["findings"] == [] and report.content["idle"] == []
    assert report.content["unreached"] == []


def test_what_only_a_sequence_shows_is_found(search: Search) -> None:
    edit = ("tools.py", "money(rental.price + late_days * rate)", "money(rate)")
    found = finding(search(edit), "each_day_is_paid")
    assert tools_of(found)[-1] == "return_bike" and len(found["calls"]) <= 2
    assert found["clause"] == "3.2"
    assert found["sentence"] == "A rental costs the day rate for each day, late ones included."


def test_a_law_is_asked_of_rows_that_a_changed_one_refers_to(search: Search) -> None:
    found = finding(search(REPAIR), "no_bike_is_out_and_in_repair")
    assert tools_of(found)[-1] == "repair_bike" and len(found["calls"]) <= 2


def test_a_law_of_events_sees_rows_before_and_after(search: Search) -> None:
    edit = ("tools.py", 'if rental.status != "open":', 'if rental.status == "lost":')
    domain = ("domain.yaml", "values: [open, returned]", "values: [open, returned, lost]")
    found = finding(search(edit, domain), "a_rental_ends_once")
    assert tools_of(found)[-1] == "return_bike" and len(found["calls"]) <= 2


def test_a_law_that_names_a_rejection_is_asked_of_what_is_refused(search: Search) -> None:
    law = (
        "\n\ndef free_bikes_are_repaired(db: Database, past: Past, event: Event) -> bool:\n"
        '    """A bike that is not in repair may go there."""\n'
        '    bike = db.bikes.find(event.argument("bike_id") or "")\n'
        '    is_refused = event.tool == "repair_bike" and event.code == "not_free"\n'
        "    return not is_refused or bike is None or bike.in_repair\n"
    )
    found = finding(search(laws=law), "free_bikes_are_repaired")
    assert tools_of(found)[-1] == "repair_bike" and len(found["calls"]) <= 2


def test_a_law_that_names_a_tool_is_asked_of_a_call_that_changes_nothing(search: Search) -> None:
    law = (
        "\n\ndef a_workshop_takes_bikes(db: Database, past: Past, event: Event) -> bool:\n"
        '    """Who takes a bike into the workshop has it there."""\n'
        '    if event.tool != "repair_bike" or not event.ok:\n'
        "        return True\n"
        '    return db.bikes.get(event.argument("bike_id")).in_repair\n'
    )
    update = "    return db.bikes.update(bike_id, in_repair=True)"
    edit = ("tools.py", update, f"    if bike.day_rate < 1000:\n        return bike\n{update}")
    found = finding(search(edit, laws=law), "a_workshop_takes_bikes")
    assert tools_of(found) == ["repair_bike"]


def test_a_law_that_names_a_tool_that_looks_is_asked_of_what_it_shows(search: Search) -> None:
    law = (
        "\n\ndef quotes_are_what_is_paid(db: Database, past: Past, event: Event) -> bool:\n"
        '    """A quote is the day rate for each day."""\n'
        '    if event.tool != "quote_rental" or not event.ok:\n'
        "        return True\n"
        '    rate = db.bikes.get(event.argument("bike_id")).day_rate\n'
        "    return event.result.price == money(event.result.days * rate)\n"
    )
    edit = ("tools.py", "        price=money(days * bike.day_rate),\n    )\n\n\ndef rent_bike", "")
    dear = edit[1].replace("days *", "(days + 1) *")
    found = finding(search((edit[0], edit[1], dear), laws=law), "quotes_are_what_is_paid")
    assert tools_of(found) == ["quote_rental"]


def test_a_law_of_the_state_is_asked_after_each_change(search: Search, starter: Package) -> None:
    bikes = starter.environment().state()["bikes"].values()
    law = (
        "\n\ndef few_are_in_repair(db: Database) -> bool:\n"
        '    """No more bikes are in repair than were."""\n'
        "    return len([bike for bike in db.bikes.all() if bike.in_repair]) <= {}\n"
    )
    report = search(laws=law.format(sum(bike["in_repair"] for bike in bikes)))
    assert tools_of(finding(report, "few_are_in_repair")) == ["repair_bike"]


def test_rules_of_rows_are_asked_where_the_store_does_not(search: Search) -> None:
    in_repair = 'in_repair: {type: boolean, description: "Whether it is in the workshop'
    rule = (
        "    invariants:\n"
        "      - name: not_back_at_once\n"
        "        says: No bike comes back on the day it went out.\n"
        "        rule: >-\n          not db.rentals.where(bike_id=bike.bike_id, "
        "returned_on=db.today(), start_on=db.today())\n"
    )
    text = f'{in_repair}, and not for rent."}}\n'
    report = search(("domain.yaml", text, text + rule))
    assert tools_of(finding(report, "bikes.not_back_at_once"))[-1] == "return_bike"


def test_a_law_that_the_data_break_is_named_with_the_row(search: Search) -> None:
    law = (
        "\n\ndef bikes_are_dear(db: Database, bike: Bike) -> bool:\n"
        '    """A bike costs a thousand a day."""\n'
        "    return bike.day_rate >= 1000\n"
    )
    report = search(laws=law)
    found = [one for one in report.content["findings"] if one["calls"] == []]
    assert [(one["law"], one["row"]) for one in found] == [("bikes_are_dear", "BIK-00001")]
    assert not report.passed


def test_a_law_that_fails_is_named_with_its_error(search: Search) -> None:
    law = (
        "\n\ndef fails(db: Database, bike: Bike) -> bool:\n"
        '    """Nobody can tell."""\n'
        "    return bike.day_rate / (bike.day_rate - bike.day_rate) > 1\n"
    )
    report = search(laws=law)
    assert "DivisionByZero" in report.content["failed"]["fails"]
    assert report.content["findings"] == [] and not report.passed


def test_a_law_that_does_not_come_back_is_named(changed: Changed) -> None:
    law = (
        "\n\ndef _many(db: Database) -> list[Rental]:\n"
        "    rows = db.rentals.all()\n"
        "    return [a for a in rows for b in rows]\n"
        "\n\ndef hangs(db: Database, bike: Bike) -> bool:\n"
        '    """Nobody waits for it."""\n'
        "    rows = _many(db)\n"
        "    return all(bike.bike_id != '' for a in rows for b in rows for c in rows)\n"
    )
    limits = Limits(call=0.1, job=60, memory=512)
    report = prove_laws(changed(laws=law), LawSearch(calls=80, limits=limits))
    assert "does not come back" in report.content["failed"]["hangs"]


def test_a_world_in_which_nothing_can_be_done_is_told(search: Search) -> None:
    stop = '    raise Rejected("closed", "The shop is closed.")\n'
    edits = [
        ("tools.py", start, stop + start)
        for start in (
            "    db.customers.get(customer_id)\n    bike = _rentable(",
            "    rental = db.rentals.get(rental_id)\n",
            f"    bike = db.bikes.get(bike_id)\n{IF_NOT_FREE}",
        )
    ]
    report = search(*edits)
    assert report.content["unreached"] == ["rent_bike", "return_bike", "repair_bike"]
    assert "a_rental_ends_once" in report.content["idle"] and not report.passed


def test_the_same_search_finds_the_same_in_any_number_of_processes(changed: Changed) -> None:
    package = changed(REPAIR)
    one, two = (prove_laws(package, LawSearch(1_600, 3, workers)) for workers in (1, 2))
    assert one.content == two.content and one.content["findings"]


def test_an_episode_of_a_report_can_be_made_again(
    changed: Changed, starter: Package, tmp_path: Path
) -> None:
    package, file = changed(REPAIR), tmp_path / "laws.json"
    prove_laws(package, FEW).write(file)
    assert still_broken(package, read_report(file)) == [("no_bike_is_out_and_in_repair", True)]
    assert still_broken(starter.path, read_report(file)) == [
        ("no_bike_is_out_and_in_repair", False)
    ]


@pytest.mark.parametrize("text", ["[]", "no JSON", '{"findings": 3}', '{"findings": [{}]}'])
def test_what_is_no_report_is_refused(starter: Package, tmp_path: Path, text: str) -> None:
    file = tmp_path / "other.json"
    file.write_text(text, "utf-8")
    with pytest.raises(ToolworldError, match="report"):
        still_broken(starter.path, read_report(file))


def test_a_report_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ToolworldError, match="cannot be read"):
        read_report(tmp_path / "none.json")


def test_packages_without_laws_have_their_rules_asked(golden_package: Path) -> None:
    report = prove_laws(golden_package, LawSearch(calls=800))
    assert report.passed and report.content["laws"] > 0


def test_a_law_that_looks_for_a_row_that_is_not_there_is_broken(search: Search) -> None:
    law = (
        "\n\ndef knows_a_bike(db: Database, rental: Rental) -> bool:\n"
        '    """There is a bike that nobody has seen."""\n'
        '    return db.bikes.get("BIK-99999").day_rate > 0\n'
    )
    report = search(laws=law)
    assert {one["law"] for one in report.content["findings"]} == {"knows_a_bike"}
    assert report.content["failed"] == {}


def test_no_mutant_is_run_of_a_package_that_itself_breaks_a_law(changed: Changed) -> None:
    report = prove_laws(changed(REPAIR), LawSearch(calls=2_400, mutants=100))
    assert report.content["findings"] and "mutants" not in report.content


def test_laws_are_outside_the_wheel_of_a_domain_without_scenarios(
    tmp_path: Path, starter_spec: Path
) -> None:
    folder = tmp_path / "domain"
    shutil.copytree(starter_spec, folder, ignore=shutil.ignore_patterns("scenarios"))
    emit.build(folder, tmp_path / "package")
    settings = tomllib.loads((tmp_path / "package" / "pyproject.toml").read_text("utf-8"))
    assert "src/*/proof" in settings["tool"]["hatch"]["build"]["targets"]["wheel"]["exclude"]


def test_a_tool_that_does_what_none_may_is_named_with_its_episode(search: Search) -> None:
    edit = (
        "tools.py",
        "        due_on=db.today()",
        "        due_on=None if days == 3 else db.today()",
    )
    report = search(edit)
    assert not report.passed
    calls = report.content["broken"]["rent_bike"]["calls"]
    assert calls[-1]["tool"] == "rent_bike" and calls[-1]["arguments"]["days"] == 3


CONTRADICTING = '''

def a_long_rental_costs_little(db: Database, past: Past, event: Event) -> bool:
    """Whoever keeps a bike for long pays little (2.1)."""
    return all(one.after.price < 50 for one in event.changes if event.tool == "rent_bike")


def a_rental_is_worth_while(db: Database, past: Past, event: Event) -> bool:
    """No rental is for little money (2.1)."""
    return all(one.after.price >= 50 for one in event.changes if event.tool == "rent_bike")
'''


def test_laws_that_no_call_of_a_tool_keeps_are_named_together(search: Search) -> None:
    report = search(laws=CONTRADICTING)
    both = ["a_long_rental_costs_little", "a_rental_is_worth_while"]
    assert report.content["contradicting"] == {"rent_bike": both}
    assert {one["law"] for one in report.content["findings"]} == {*both}
