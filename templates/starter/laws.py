"""What holds in the shop at every moment, whatever was called before."""


def no_bike_is_out_and_in_repair(db: Database, bike: Bike) -> bool:
    """A bike in the workshop is not out (clause 2.3)."""
    return not bike.in_repair or not db.rentals.where(bike_id=bike.bike_id, status="open")


def each_day_is_paid(db: Database, rental: Rental) -> bool:
    """A rental costs the day rate for each day, late ones included (clause 3.2)."""
    last = rental.due_on if rental.returned_on is None else max(rental.due_on, rental.returned_on)
    rate = db.bikes.get(rental.bike_id).day_rate
    return rental.price == money(((last - rental.start_on).days + 1) * rate)


def a_rental_ends_once(db: Database, past: Past, event: Event) -> bool:
    """A bike that is back stays back (clause 3.1)."""
    return all(
        change.before is None or change.before.status == "open"
        for change in event.changes
        if change.table == "rentals"
    )
