"""Packages and their graphs: the library with its tasks, retail with some, and bike rentals."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from toolworld import bundled, emit
from toolworld.emit import Package, load_package
from toolworld.graph import ToolGraph, build_graph


def rng(seed: object) -> random.Random:
    """Return random numbers that depend on a seed alone."""
    return random.Random(str(seed))  # noqa: S311 - not for secrets


@pytest.fixture(scope="session")
def library(library_spec: Path, tmp_path_factory: pytest.TempPathFactory) -> Package:
    out = tmp_path_factory.mktemp("context") / "library"
    emit.build(library_spec, out)
    return load_package(out)


@pytest.fixture(scope="session")
def library_graph(library: Package) -> ToolGraph:
    return build_graph(library.path)


@pytest.fixture(scope="session")
def retail(tmp_path_factory: pytest.TempPathFactory) -> Package:
    out = tmp_path_factory.mktemp("context") / "retail"
    emit.build(bundled.domains()["retail"], out)
    return load_package(out)


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
    environment, resolve = package.environment(), package.module("task").resolve
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
    return build_graph(retail.path, tries=8)


@pytest.fixture
def rentals(tmp_path: Path) -> Callable[[str], Package]:
    """Builds a bike rental shop whose rentals have keys of another form, given as an f-string."""

    def build(key: str) -> Package:
        spec = tmp_path / "spec"
        bundled.start_domain("bikes", spec)
        (spec / "tasks.yaml").unlink()
        edit(spec / "domain.yaml", "    prefix: REN\n", "")
        edit(
            spec / "seed.py", "db.rentals.add(", f'db.rentals.add(\n            rental_id=f"{key}",'
        )
        tools = (spec / "tools.py").read_text("utf-8")
        before, rest = tools.split("def rent_bike(")
        tools = before + "def return_bike(" + rest.split("def return_bike(")[1]
        (spec / "tools.py").write_text(tools, "utf-8")
        shutil.rmtree(spec / "scenarios")
        (spec / "conduct.py").unlink()
        (spec / "policy.md").write_text("Rent bikes to customers, and take them back.\n", "utf-8")
        emit.build(spec, tmp_path / "package")
        return load_package(tmp_path / "package")

    return build


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
