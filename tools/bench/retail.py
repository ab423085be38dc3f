"""The retail package, and calls that work on any database of it, however large."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolworld import bundled, emit
from toolworld.packages import Package, load_package

Json = dict[str, Any]
WRITES = 10
PHONES = ("+1-555-0100", "+1-555-0101")


@dataclass(frozen=True)
class BenchCall:
    """A tool and its arguments."""

    tool: str
    arguments: Json

    def __call__(self, environment: Any) -> Any:
        """Call the tool.

        Raises:
            RuntimeError: The call fails, so there is nothing to measure.
        """
        result = environment.call(self.tool, self.arguments)
        if result.is_error:
            raise RuntimeError(f"{self.tool}({self.arguments}): {result.text}")
        return result


@dataclass(frozen=True)
class Switch:
    """Two calls of a writing tool, each of which undoes the other."""

    there: BenchCall
    back: BenchCall

    def on(self, environment: Any) -> Callable[[], Any]:
        """Return a function that makes the two calls in turns."""
        calls = (self.there, self.back)
        number = -1

        def next_call() -> Any:
            nonlocal number
            number += 1
            call = calls[number % 2]
            return environment.call(call.tool, call.arguments)

        return next_call


def build(folder: Path) -> Package:
    """Build retail as it ships, and import it."""
    emit.build(bundled.domain_folder("retail"), folder)
    return load_package(folder)


def readdress(environment: Any) -> Switch:
    """Return a write to an order: it goes to another address, and back."""
    state = environment.state()
    for key, order in state["orders"].items():
        customer = state["customers"][order["customer_id"]]
        labels = [address["label"] for address in customer["addresses"]]
        now = order["ship_to"]["label"]
        other = next((label for label in labels if label != now), None)
        if order["status"] in ("pending", "paid") and now in labels and other is not None:
            there, back = (
                BenchCall("change_shipping_address", {"order_id": key, "address_label": label})
                for label in (other, now)
            )
            return Switch(there, back)
    raise LookupError("No order can go to another address.")


def phone(customer_id: str) -> Switch:
    """Return a write to a customer: one telephone number, and another."""
    there, back = (
        BenchCall("update_customer_contact", {"customer_id": customer_id, "phone": number})
        for number in PHONES
    )
    return Switch(there, back)


def reprice(environment: Any) -> Switch:
    """Return a write to a small row: a variant's price goes up by a dollar, and down."""
    state = environment.state()
    for key, variant in state["variants"].items():
        if state["products"][variant["product_id"]]["status"] == "active":
            price = variant["price"]
            there, back = (
                BenchCall("set_variant_price", {"variant_id": key, "price": amount})
                for amount in (price + 1, price)
            )
            return Switch(there, back)
    raise LookupError("No variant is sold.")


def gift_card_buyer(environment: Any) -> tuple[str, str]:
    """Return a customer and a payment method that a gift card can be paid with."""
    for method in environment.state()["payment_methods"].values():
        buyer = {key: method[key] for key in ("customer_id", "payment_method_id")}
        if not environment.fork().call("issue_gift_card", {**buyer, "amount": 10}).is_error:
            return buyer["customer_id"], buyer["payment_method_id"]
    raise LookupError("No customer can buy a gift card.")


def first_active(environment: Any, table: str, count: int) -> list[str]:
    """Return the first keys of a table whose rows are active."""
    rows = environment._database.tables[table].all()
    keys = (row.__dict__[f"{table.removesuffix('s')}_id"] for row in rows if row.status == "active")
    return [key for key, _ in zip(keys, range(count), strict=False)]


def ten_writes(environment: Any) -> list[BenchCall]:
    """Return ten writes to ten rows of two tables."""
    return list(_writes(environment))


def _writes(environment: Any) -> Iterator[BenchCall]:
    active = set(first_active(environment, "products", WRITES))
    for customer_id in first_active(environment, "customers", WRITES // 2):
        yield phone(customer_id).there
    variants = environment._database.tables["variants"].all()
    sold = [row.variant_id for row in variants if row.product_id in active][: WRITES // 2]
    for variant_id in sold:
        yield BenchCall("restock_variant", {"variant_id": variant_id, "quantity": 1})
