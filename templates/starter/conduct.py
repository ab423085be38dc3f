"""What can be seen of an agent's conduct at the counter: one predicate for each clause."""


def _identified(past: Past) -> set[str]:
    return {call.result.customer_id for call in past.called("find_customer")}


def identified_first(db: Database, past: Past, event: Event) -> bool:
    """Nothing is changed for a customer who has not been found by what was said."""
    return not event.is_call or past.role == "owner" or len(_identified(past)) > 0


def own_rentals_only(db: Database, past: Past, event: Event) -> bool:
    """Every rental that changes is one of the customer who was found."""
    owners = {change.after.customer_id for change in event.changes if change.table == "rentals"}
    return len(owners - _identified(past)) == 0


def role_allows(db: Database, past: Past, event: Event) -> bool:
    """Nothing that only the owner may ask for is done because a customer asks."""
    return not event.is_call or past.may(event.tool)


def price_agreed(db: Database, past: Past, event: Event) -> bool:
    """A bike is rented out after its price was told and agreed to."""
    if event.tool != "rent_bike":
        return True
    agreed = past.yes_to()
    return agreed is not None and float(event.result.price) in agreed
