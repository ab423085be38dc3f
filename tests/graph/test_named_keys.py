"""A domain whose rows people name, none of them minted, has a graph like any other."""

from __future__ import annotations

import time

import pytest

from toolworld import emit
from toolworld.graph import ToolGraph, build_graph

DOMAIN = """
name: named
title: Bikes
summary: A shop rents out bikes.
clock: 2026-03-02T09:00:00Z
entities:
  Bike:
    table: bikes
    key: bike_id
    description: A bike.
    columns:
      bike_id: {type: text, description: What is painted on it.}
      model: {type: text, description: Its model.}
  Rental:
    table: rentals
    key: rental_id
    description: A bike that is out.
    columns:
      rental_id: {type: text, description: What the shop calls it.}
      bike_id: {type: Bike, description: The bike.}
      due_on: {type: date, description: The last day.}
seed:
  bikes: 10
  rentals: 5
"""
SEED = '''
def seed_bikes(db: Database, fake: Fake, count: int) -> None:
    """Make bikes."""
    for n in range(count):
        db.bikes.add(bike_id=f"B{n}", model=fake.pick(["Swift", "Merlin"]))


def seed_rentals(db: Database, fake: Fake, count: int) -> None:
    """Let some of them out."""
    for n in range(count):
        db.rentals.add(rental_id=f"R{n}", bike_id=f"B{n}", due_on=db.today())
'''
TOOLS = '''
def list_bikes(
    db: Database, model: str | None = None, cursor: str | None = None, limit: int = 50
) -> Page[Bike]:
    """List the bikes.

    Args:
        model: Only those of a model.
        cursor: Where to go on.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The cursor or limit is bad.
    """
    found = db.bikes.all() if model is None else db.bikes.where(model=model)
    return page(found, cursor, limit)


def get_rental(db: Database, rental_id: RentalId) -> Rental:
    """Show a rental.

    Args:
        rental_id: The rental.

    Raises:
        Rejected: There is no such rental.
    """
    return db.rentals.get(rental_id)


def rent_bike(db: Database, name: str, bike_id: BikeId, due_on: date) -> Rental:
    """Let out a bike.

    Args:
        name: What to call the rental.
        bike_id: The bike.
        due_on: The last day.

    Raises:
        Rejected: There is no such bike, or it is out.
        Rejected: The name is taken.
    """
    db.bikes.get(bike_id)
    if db.rentals.where(bike_id=bike_id):
        raise Rejected("It is out; choose another.")
    if not name or db.rentals.find(name) is not None:
        raise Rejected("That name is taken; choose another.")
    return db.rentals.add(rental_id=name, bike_id=bike_id, due_on=due_on)


def end_rental(db: Database, rental_id: RentalId) -> Rental:
    """Take a bike back.

    Args:
        rental_id: The rental.

    Raises:
        Rejected: There is no such rental.
    """
    return db.rentals.remove(rental_id)
'''
LONGEST = 120.0
"""Seconds of processor time; it takes one or two."""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> ToolGraph:
    """The graph of that domain."""
    folder = tmp_path_factory.mktemp("named")
    spec = folder / "named"
    spec.mkdir()
    texts = {"domain.yaml": DOMAIN, "seed.py": SEED, "tools.py": TOOLS, "tasks.yaml": "[]\n"}
    texts["policy.md"] = "Take a bike back before you let it out again, and say what it costs.\n"
    for name, text in texts.items():
        (spec / name).write_text(text.lstrip())
    emit.build(spec, folder / "package")
    began = time.process_time()
    graph = build_graph(folder / "package", tries=24)
    assert time.process_time() - began < LONGEST
    return graph


def test_it_is_found_and_says_that_people_know_the_names(found: ToolGraph) -> None:
    assert not found.broken and not found.never
    known = {(one.tool, one.path): one.known for one in found.arguments}
    assert known["end_rental", "rental_id"] == "the name people use for the Rental"
    assert {edge.candidate.label for edge in found.strong} == {"data", "enables"}
    assert "only-by-id" not in {gap.code for gap in found.gaps}
