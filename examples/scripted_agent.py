"""A scripted agent at the counter of the bike shop: it takes bikes back, by the policy.

    toolworld init bike_shop
    toolworld build bike_shop --out servers/bike_shop
    toolworld tasks servers/bike_shop -n 50
    python examples/scripted_agent.py servers/bike_shop

No model: what it needs to know it finds in the message, or asks the person for.
"""

from __future__ import annotations

import re
import sys
from typing import Any

from toolworld.client import Environment

EMAIL = re.compile(r"[\w.]+@[\w.]+\w")
MODEL = re.compile(r"(?<=the )[A-Z]\w+ \d+")


def find_out(shop: Environment, pattern: re.Pattern[str], heard: str, question: str) -> str:
    """Return what is in the message, or else in the answer to a question."""
    found = pattern.search(heard) or pattern.search(shop.say(question).text)
    if found is None:
        raise LookupError(f"The person does not answer: {question}")
    return found[0].rstrip(".")


def take_back(shop: Environment, message: str) -> str:
    """Take a bike back; return what to tell the person."""

    def read(tool: str, **arguments: object) -> Any:
        return shop.call(tool, arguments).structured

    email = find_out(shop, EMAIL, message, "Could you tell me your e-mail address, please?")
    customer = read("find_customer", email=email)
    model = find_out(shop, MODEL, message, "Which model is it?")
    bike = read("find_bike", model=model)
    rentals = read("list_rentals", customer_id=customer["customer_id"])["items"]
    rental = next(one for one in rentals if one["bike_id"] == bike["bike_id"])
    taken = read("return_bike", rental_id=rental["rental_id"])
    if not taken:
        day, price = rental["returned_on"], rental["price"]
        return f"By our records it came back on {day}, and {price:.2f} was charged."
    more = taken["price"] - rental["price"]
    late = f"It was late, so {more:.2f} is added. " if more else ""
    return f"Thank you. {late}It comes to {taken['price']:.2f} euros in all."


if __name__ == "__main__":
    with Environment.local(sys.argv[1]) as shop:
        for task in shop.tasks:
            if task["scenario"] == "bring_back":
                shop.reset(task["id"])
                grade = shop.grade(take_back(shop, task["instruction"]))
                print(task["id"], task["outcome"], grade.reward, *grade.reasons)
