"""A domain whose rows people name, none of them minted, has a graph like any other."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping

import pytest

from toolworld import emit
from toolworld.bundled import templates
from toolworld.graph import ToolGraph, build_graph

SEEDS = {
    "db.customers.add(": 'db.customers.add(customer_id=f"C{n}",',
    "db.bikes.add(": 'db.bikes.add(bike_id=f"{MODELS[n % 5]} {n // 5}",',
    "db.rentals.add(": 'db.rentals.add(rental_id=f"R{n}",',
}
TOOLS = {
    "def rent_bike(db: Database, ": "def rent_bike(db: Database, name: str, ",
    "        customer_id: Who rents,": '        name: Its name, "R7".\n        customer_id: Who,',
    "    bike = db.bikes.get(bike_id)\n    if not 1": """    bike = db.bikes.get(bike_id)
    if db.rentals.find(name) is not None:
        raise Rejected("That name is taken; choose another.")
    if not 1""",
    "db.rentals.add(": "db.rentals.add(rental_id=name,",
}
LONGEST = 120.0
"""Seconds of processor time; it takes about two."""


def replaced(text: str, changes: Mapping[str, str]) -> str:
    for old, new in changes.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> ToolGraph:
    """The graph of the starter domain without prefixes."""
    folder = tmp_path_factory.mktemp("named")
    spec = folder / "named"
    spec.mkdir()
    texts = {path.name: path.read_text() for path in (templates() / "starter").iterdir()}
    texts["domain.yaml"] = re.sub(r"    prefix: .*\n", "", texts["domain.yaml"])
    texts["seed.py"] = replaced(texts["seed.py"], SEEDS)
    texts["tools.py"] = replaced(texts["tools.py"], TOOLS)
    texts["tasks.yaml"] = "[]\n"
    for name, text in texts.items():
        (spec / name).write_text(text.replace("name: starter", "name: named", 1))
    emit.build(spec, folder / "package")
    began = time.process_time()
    graph = build_graph(folder / "package", tries=24)
    assert time.process_time() - began < LONGEST
    return graph


def test_it_is_found_and_says_that_people_know_the_names(found: ToolGraph) -> None:
    assert not found.broken and not found.never
    known = {(one.tool, one.path): one.known for one in found.arguments}
    assert known["return_bike", "rental_id"] == "the name people use for the Rental"
    assert {edge.candidate.label for edge in found.strong} == {"data", "enables", "shared table"}
    assert "only-by-id" not in {gap.code for gap in found.gaps}
