"""What looks wrong in any world is found without a law, and may be explained."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path

import pytest

from tests.laws.conftest import Changed
from toolworld.graph.evidence import PlannedCall
from toolworld.graph.guard import Watch
from toolworld.laws import LawSearch, prove_laws
from toolworld.laws.properties import PROPERTIES, Suspect, find_suspects
from toolworld.laws.properties.agreements import Agreements
from toolworld.packages import Package, load_package

Edit = tuple[str, str, str]
NOT_FREE = 'raise Rejected("not_free", f"Bike {bike_id} is out, or in'
REPAIR = (
    "tools.py",
    f"    if not _is_free(db, bike):\n        {NOT_FREE}",
    f"    if bike.in_repair:\n        {NOT_FREE}",
)
"""A workshop that takes bikes which are out."""
RENT = "        price=money(days * bike.day_rate),\n    )\n\n\ndef return_bike("
BACK = 'if rental.status != "open":'


def price(of: str) -> Edit:
    """A rental that costs something else than was quoted."""
    return ("tools.py", RENT, RENT.replace("days * bike.day_rate", of))


def longer(cap: str, cost: str) -> Edit:
    """A tool that makes a rental longer, by so many days at most, for so much."""
    tool = f'''def lengthen_rental(db: Database, rental_id: RentalId, days: int) -> Rental:
    """Keep a bike longer.

    Args:
        rental_id: The rental, such as "REN-00007".
        days: How many days longer.

    Raises:
        Rejected: The rental is unknown, or that is too long.
    """
    rental = db.rentals.get(rental_id)
    if not 0 < days <= {cap}:
        raise Rejected("too_long", "That is too long; ask for fewer days.", days=days)
    rate = db.bikes.get(rental.bike_id).day_rate
    return db.rentals.update(
        rental_id, due_on=rental.due_on + timedelta(days=days), price=money(rental.price + {cost})
    )


'''
    return ("tools.py", "def return_bike(", f"{tool}def return_bike(")


@pytest.fixture
def suspects(changed: Changed) -> Callable[..., list[Suspect]]:
    """Build a changed bike shop, and look at it by one property."""

    def find(name: str, *edits: Edit) -> list[Suspect]:
        package = load_package(changed(*edits))
        return find_suspects(package, name, "0", 6_000, Watch())

    return find


Suspects = Callable[..., list[Suspect]]


def tools(found: Sequence[Suspect]) -> set[tuple[str, ...]]:
    return {one.tools for one in found}


@pytest.mark.parametrize("name", PROPERTIES)
def test_a_sound_world_has_no_suspects(name: str, starter: Package) -> None:
    assert find_suspects(starter, name, "0", 2_000, Watch()) == []


def test_a_guard_that_looks_one_way_only_is_found(suspects: Suspects) -> None:
    (found,) = suspects("guard_both_ways", REPAIR)
    assert found.tools == ("rent_bike", "repair_bike") and found.about == "not_free"
    assert [call.tool for call in found.calls] == ["rent_bike", "repair_bike"]


def test_an_order_that_matters_is_found(suspects: Suspects) -> None:
    edit = price("days * bike.day_rate + len(db.bikes.where(in_repair=True))")
    assert ("rent_bike", "repair_bike") in tools(suspects("either_order", edit))


def test_what_costs_more_in_two_parts_is_found(suspects: Suspects) -> None:
    (found,) = suspects("two_for_one", longer("30", "days * rate + 1"))
    assert found.tools == ("lengthen_rental",) and found.about == "days"


def test_a_cap_that_holds_for_one_call_only_is_found(suspects: Suspects) -> None:
    found = suspects("caps_of_all", longer("5", "days * rate"))
    assert {(one.tools, one.about) for one in found} == {(("lengthen_rental",), "days too_long")}


def test_a_quote_that_is_not_kept_is_found(suspects: Suspects) -> None:
    edit = price("days * bike.day_rate + (1 if days == 5 else 0)")
    assert tools(suspects("quote_is_act", edit)) == {("quote_rental", "rent_bike")}


def test_advice_that_cannot_be_followed_is_found(suspects: Suspects) -> None:
    never = ("tools.py", BACK, "if rental.price >= 0:")
    advice = ("tools.py", "is out, or in", "is out; return it first, or in")
    assert tools(suspects("advice_works", never, advice)) == {("repair_bike", "return_bike")}


def test_a_row_that_nothing_brings_on_is_found(suspects: Suspects) -> None:
    edit = ("tools.py", BACK, f'{BACK[:-1]} or rental_id.endswith("3"):')
    (found,) = suspects("no_dead_ends", edit)
    assert found.about == "Rental.status open" and "3 on;" in found.says


def test_a_row_unlike_all_of_the_data_is_found(suspects: Suspects) -> None:
    due = "        due_on=db.today() + timedelta(days=days - {}),\n        price"
    found = suspects("seed_pattern", ("tools.py", due.format(1), due.format(9)))
    assert ("rent_bike",) in tools(found)
    assert {one.about for one in found} == {"rentals.start_on is at most rentals.due_on"}


def test_a_row_of_the_data_unlike_the_others_is_found(suspects: Suspects) -> None:
    rows = ("domain.yaml", "rentals: 40", "rentals: 80")
    early = ("seed.py", "timedelta(days=days - 1)", "timedelta(days=-9 if n == 30 else days - 1)")
    found = suspects("seed_pattern", rows, early)
    told = {one.about: one.says for one in found if not one.calls}
    says = told["rentals.start_on is at most rentals.due_on"]
    assert says == "REN-00031 is unlike 79 others; 1 are so."


def test_a_free_change_that_makes_the_end_cheaper_is_found(suspects: Suspects) -> None:
    late = "    return db.rentals.update(\n        rental_id,\n        status="
    fee = "    db.bikes.update(rental.bike_id, day_rate=money(rate + late_days))\n"
    found = suspects("no_free_detour", longer("30", "0"), ("tools.py", late, fee + late))
    assert ("lengthen_rental", "return_bike") in tools(found)


def test_sums_that_agree_but_once_are_told() -> None:
    agreements = Agreements()
    for number in range(20):
        paid, lost = Decimal(number + 1), Decimal(-number - 1)
        agreements.note(
            ("pay",), {"paid": paid}, {"lost": lost}, [PlannedCall("pay", {"n": number})]
        )
    assert list(agreements.disagreements()) == []
    agreements.note(("pay",), {"paid": Decimal(5)}, {"lost": Decimal(-4)}, [PlannedCall("pay", {})])
    (found,) = agreements.disagreements()
    assert found.names == ("paid", "lost") and found.agreed == 20
    assert found.calls == (PlannedCall("pay", {}),)


def test_a_tool_that_breaks_among_suspects_is_named(changed: Changed) -> None:
    due = "        due_on=db.today()"
    path = changed(
        ("tools.py", due, due.replace("db.today()", "None if days == 3 else db.today()"))
    )
    report = prove_laws(path, LawSearch(calls=8, suspects=100))
    assert "rent_bike" in report.content["broken"] and not report.passed


def test_suspects_that_are_meant_are_explained(changed: Changed, tmp_path: Path) -> None:
    path = changed(REPAIR)
    search = LawSearch(calls=80, suspects=300)
    report = prove_laws(path, search)
    (suspect,) = report.content["suspects"]
    assert suspect["because"] is None and suspect["property"] == "guard_both_ways"
    proof = next(path.glob("src/*/proof"))
    (proof / "explained.json").write_text(
        '[{"property": "guard_both_ways", "tools": ["rent_bike", "repair_bike"], "about": "",'
        ' "because": "It is repaired later."}, {"property": "conserved", "tools": ["rent_bike"],'
        ' "about": "", "because": "It was so once."}]'
    )
    report = prove_laws(path, search)
    assert [one["because"] for one in report.content["suspects"]] == ["It is repaired later."]
    assert report.content["stale_explanations"] == ["conserved rent_bike"]


ADD_BIKE = '''def add_bike(db: Database, model: str, kind: BikeKind, day_rate: Decimal) -> Bike:
    """Add a bike to the shop.

    Args:
        model: The model as on its frame, such as "Wagtail 3".
        kind: What kind of bike it is.
        day_rate: What a day costs, such as 14.00.

    Raises:
        Rejected: The model has a number that nobody rents.
    """
    if model.endswith(" 13"):
        raise Rejected("bad_number", "Nobody rents a number 13. Give it another number.")
    return db.bikes.add(model=model, kind=kind, day_rate=day_rate, in_repair=False)


'''


def test_rows_of_the_start_that_a_tool_would_not_create_are_suspects(suspects: Suspects) -> None:
    (found,) = suspects(
        "seed_accepted", ("tools.py", "def return_bike(", f"{ADD_BIKE}def return_bike(")
    )
    assert (found.tools, found.about) == (("add_bike",), "bad_number")
    assert found.says.startswith("1 rows of bikes would be refused, first BIK-00013:")


def test_a_tool_that_breaks_where_a_row_is_taken_away_is_not_broken(repository: Path) -> None:
    """Payments of hotel's seed data are taken again without themselves, which never adds up."""
    watch = Watch()
    hotel = load_package(repository / "generated_servers" / "hotel")
    assert find_suspects(hotel, "seed_accepted", "0", 3_000, watch)
    assert watch.found == {}
