"""The shop's lists tell the newest first, also of what was done at one moment."""

from __future__ import annotations

from collections.abc import Callable

from toolworld.packages import Package

BUYER, THING = "CUS-00264", "VAR-00001"


def test_the_last_of_several_orders_is_listed_first(built: Callable[[str], Package]) -> None:
    environment = built("retail").environment()
    placed = []
    for _ in range(3):
        filled = environment.call("add_to_cart", {"customer_id": BUYER, "variant_id": THING})
        cart = filled.structured["cart_id"]
        placed.append(environment.call("check_out_cart", {"cart_id": cart}).structured["order_id"])
    listed = environment.call("list_customer_orders", {"customer_id": BUYER}).structured["items"]
    assert [order["order_id"] for order in listed[:3]] == placed[::-1]
