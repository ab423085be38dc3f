"""Packages and their graphs: the library with its tasks, retail with some, and a ferry."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tools import committed
from toolworld import emit
from toolworld.graph import ToolGraph, build_graph, kept_graph
from toolworld.packages import Package, load_package


def rng(seed: object) -> random.Random:
    """Return random numbers that depend on a seed alone."""
    return random.Random(str(seed))  # noqa: S311 - not for secrets


@pytest.fixture(scope="session")
def library(golden_package: Path) -> Package:
    return load_package(golden_package)


@pytest.fixture(scope="session")
def library_graph(library: Package) -> ToolGraph:
    return kept_graph(library.path, print)


@pytest.fixture(scope="session")
def retail() -> Package:
    return load_package(committed.SERVERS / "retail")


@pytest.fixture(scope="session")
def retail_tasks(retail: Package) -> list[dict[str, Any]]:
    """Tasks about an order of each of some customers, each with another last call."""
    state = retail.environment().state()
    tasks = []
    for number, order in enumerate(islice(state["orders"].values(), 0, 120, 5)):
        key, customer = order["order_id"], order["customer_id"]
        calls = [
            ("find_customer_by_email", {"email": state["customers"][customer]["email"]}),
            ("list_customer_orders", {"customer_id": {"$step": 0, "path": "customer_id"}}),
            ("get_order", {"order_id": key}),
            LAST[number % len(LAST)](key, customer),
        ]
        gold = [
            {"tool": tool, "arguments": given, "expect": outcome}
            for (tool, given), outcome in zip(calls, outcomes(retail, calls), strict=True)
        ]
        tasks.append({"id": key, "instruction": "Please.", "initial": {}, "gold": gold})
    return tasks


LAST: Sequence[Callable[[str, str], tuple[str, dict[str, Any]]]] = (
    lambda order, _: ("cancel_order", {"order_id": order, "reason": "changed_mind"}),
    lambda order, _: ("change_shipping_address", {"order_id": order, "address_label": "home"}),
    lambda _, customer: ("update_customer_contact", {"customer_id": customer, "phone": "555 0199"}),
    lambda order, _: ("summarize_order", {"order_id": order}),
)


def outcomes(package: Package, calls: Sequence[tuple[str, dict[str, Any]]]) -> list[str]:
    """Return what comes of calls made in order."""
    environment, resolve = package.environment(), package.module("tasks.task").resolve
    results: list[dict[str, Any]] = []
    found = []
    for tool, arguments in calls:
        given = {name: resolve(value, results) for name, value in arguments.items()}
        result = environment.call(tool, given)
        results.append(result.structured)
        found.append(str(result.outcome))
    return found


@pytest.fixture(scope="session")
def retail_graph(retail: Package) -> ToolGraph:
    """Its graph from few tries: most edges are there."""
    return build_graph(retail.path, tries=3)


FERRY = {
    "domain.yaml": """
name: ferry
title: Ferry
summary: Passengers book places on a ferry and call bookings off.
clock: 2026-03-02T09:00:00Z
enums:
  BookingStatus: {description: Where a booking stands., values: [open, cancelled]}
entities:
  Passenger:
    table: passengers
    key: passenger_id
    prefix: PAX
    description: A person who travels.
    columns:
      passenger_id: {type: text, description: The passenger.}
      name: {type: text, description: First and last name.}
      email: {type: text, unique: true, description: Where tickets go.}
  Booking:
    table: bookings
    key: code
    description: A place on a ferry.
    columns:
      code: {type: text, description: The code on the ticket.}
      passenger_id: {type: Passenger, description: Who travels.}
      deck: {type: integer, description: The deck.}
      status: {type: BookingStatus, description: Where it stands.}
      sails_on: {type: date, description: The day.}
seed:
  passengers: 12
  bookings: 40
""",
    "seed.py": """
def seed_passengers(db: Database, fake: Fake, count: int) -> None:
    \"\"\"Make passengers.\"\"\"
    for n in range(count):
        db.passengers.add(name=fake.first_name(), email=f"{n}@example.com")


def seed_bookings(db: Database, fake: Fake, count: int) -> None:
    \"\"\"Make bookings.\"\"\"
    passengers = db.passengers.all()
    for n in range(count):
        deck = 1 + n % 4
        db.bookings.add(
            code=f"KEY",
            passenger_id=fake.pick(passengers).passenger_id,
            deck=deck,
            status="open",
            sails_on=db.today() + timedelta(days=n),
        )
""",
    "tools.py": """
def cancel_booking(db: Database, code: BookingId) -> Booking:
    \"\"\"Call a booking off.

    Args:
        code: The code on the ticket.

    Raises:
        Rejected: The booking is unknown.
    \"\"\"
    return db.bookings.update(code, status="cancelled")


def find_passenger(db: Database, email: str) -> Passenger:
    \"\"\"Find a passenger by e-mail address.

    Args:
        email: Where tickets go.

    Raises:
        Rejected: No passenger has the address.
    \"\"\"
    found = db.passengers.where(email=email)
    if not found:
        raise Rejected("No passenger has that address; ask for another one.")
    return found[0]
""",
    "policy.md": "# Ferry: what an agent does\n\nCall off what a passenger asks for.\n",
}


@pytest.fixture
def ferry(tmp_path: Path) -> Callable[[str], Package]:
    """Builds a domain whose bookings have keys of a form, given as an f-string's inside."""

    def build(key: str) -> Package:
        spec = tmp_path / "spec"
        spec.mkdir()
        for name, text in FERRY.items():
            (spec / name).write_text(text.lstrip().replace("KEY", key), "utf-8")
        emit.build(spec, tmp_path / "package")
        return load_package(tmp_path / "package")

    return build
