"""The bike shop's task of renting a bike, and what an agent does in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MEGAN, ROBERT = "CUS-00001", "CUS-00002"
EMAIL, OTHER_EMAIL = "megan.chang1@example.com", "robert.green2@example.com"
BIKE, DAYS, PRICE = "BIK-00002", 3, 66.0
"""A bike that is free, and what three days of it cost."""
ASKS = "That is 66.00 euros for three days. Shall I go ahead?"
RENTAL = {
    "customer_id": MEGAN, "bike_id": BIKE, "status": "open", "start_on": "2026-03-02",
    "due_on": "2026-03-04", "returned_on": None, "price": PRICE,
}  # fmt: skip
ADDED = {"table": "rentals", "key": "REN-00041", "before": None}
EMAIL_FACT = {"says": f"{EMAIL}.", "value": EMAIL, "topics": ["e-mail address"]}

Begin = Callable[..., Any]


def rental_task(**parts: Any) -> dict[str, Any]:
    """Return the task of renting a bike to Megan, with other parts."""
    goal = {"changes": [{**ADDED, "after": {"rental_id": "REN-00041", **RENTAL}}], "answers": [66]}
    return {
        "id": "rent_one", "instruction": "Hi, I'd like a bike for three days.", "role": "customer",
        "person": {"facts": {"email": EMAIL_FACT}}, "goal": goal, **parts,
    }  # fmt: skip


def find(environment: Any, email: str = EMAIL) -> None:
    assert environment.call("find_customer", {"email": email}).outcome == "ok"


def rent(environment: Any, customer: str = MEGAN, bike: str = BIKE) -> Any:
    arguments = {"customer_id": customer, "bike_id": bike, "days": DAYS}
    return environment.call("rent_bike", arguments)


def rent_as_agreed(environment: Any) -> None:
    """Do all that the policy wants, and what the task wants."""
    find(environment)
    environment.say(ASKS)
    rent(environment)


def kinds(environment: Any) -> list[str]:
    return [event.kind for event in environment.trace]
