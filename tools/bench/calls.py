"""The time of a call in process, against ``json.dumps`` of its result."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from tools.bench import retail
from tools.bench.retail import BenchCall
from tools.bench.rows import BenchRow
from tools.bench.timing import race, repeated
from toolworld.packages import Package

READ_BAR, WRITE_BAR = 1.5, 3.0
READS = {
    "an order": BenchCall("get_order", {"order_id": "ORD-00042"}),
    "a customer": BenchCall("get_customer", {"customer_id": "CUS-00042"}),
    "a variant": BenchCall("get_variant", {"variant_id": "VAR-00042"}),
}
TIMES = 50


def reads(package: Package, rounds: int) -> Iterator[BenchRow]:
    """Measure reads by id."""
    environment = package.environment()
    for what, call in READS.items():
        result = call(environment).structured
        name = f"read {what} by id, {call.tool}"
        yield _row(name, lambda: call(environment), result, READ_BAR, rounds)  # noqa: B023


def writes(package: Package, rounds: int) -> Iterator[BenchRow]:
    """Measure writes that go back and forth between two values."""
    environment = package.environment()
    switches = {
        "an order": retail.readdress(environment),
        "a customer": retail.phone(READS["a customer"].arguments["customer_id"]),
        "a variant": retail.reprice(environment),
    }
    for what, switch in switches.items():
        switch.there(environment)
        result = switch.back(environment).structured
        name = f"write to {what}, {switch.there.tool}"
        yield _row(name, switch.on(environment), result, WRITE_BAR, rounds)


def _row(name: str, call: Callable[[], Any], result: Any, bar: float, rounds: int) -> BenchRow:
    ours, baseline = race(
        repeated(call, TIMES), repeated(lambda: json.dumps(result), TIMES), rounds
    )
    return BenchRow(
        name, ours, baseline, bar, f"json.dumps of the result, {len(json.dumps(result)):,} bytes"
    )
