MOST_DAYS = 30


def get_shop_day(db: Database) -> ShopDay:
    """Tell today's date, and how many bikes can be rented."""
    free = [bike for bike in db.bikes.all() if _is_free(db, bike)]
    return ShopDay(today=db.today(), bikes_free=len(free))


def find_customer(db: Database, email: str) -> Customer:
    """Find a customer by e-mail address.

    Args:
        email: The customer's address, such as "ada.brook1@example.com".

    Raises:
        Rejected: No customer has that address.
    """
    found = db.customers.where(email=email.strip().lower())
    if not found:
        raise Rejected(
            "unknown_email", f'No customer has the address "{email}"; ask for another one.'
        )
    return found[0]


def find_bike(db: Database, model: str) -> Bike:
    """Find a bike by its model, whether it can be rented or not.

    Args:
        model: The model as on its frame, such as "Wagtail 3".

    Raises:
        Rejected: No bike is of that model.
    """
    found = db.bikes.where(model=model.strip())
    if not found:
        raise Rejected("unknown_model", f'No bike is called "{model}"; list the bikes there are.')
    return found[0]


def list_bikes(
    db: Database, kind: BikeKind | None = None, cursor: str | None = None, limit: int = 50
) -> Page[Bike]:
    """List the bikes that can be rented today, in id order.

    Args:
        kind: Only bikes of this kind.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The cursor or limit is bad.
    """
    bikes = [bike for bike in db.bikes.all() if kind is None or bike.kind == kind]
    return page([bike for bike in bikes if _is_free(db, bike)], cursor, limit)


def list_rentals(
    db: Database,
    customer_id: CustomerId,
    status: RentalStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Rental]:
    """List a customer's rentals, oldest first.

    Args:
        customer_id: The customer, such as "CUS-00012".
        status: Only rentals in this status.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The customer is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.customers.get(customer_id)
    rentals = db.rentals.where(customer_id=customer_id)
    return page([r for r in rentals if status is None or r.status == status], cursor, limit)


def quote_rental(db: Database, bike_id: BikeId, days: int) -> RentalQuote:
    """Tell what a rental from today on would cost; nothing is changed.

    Args:
        bike_id: The bike, such as "BIK-00003".
        days: For how many days, today included, 1 to 30.

    Raises:
        Rejected: The bike is unknown, is out or in repair.
        Rejected: The number of days is out of bounds.
    """
    bike = _rentable(db, bike_id, days)
    return RentalQuote(
        model=bike.model,
        days=days,
        last_day=db.today() + timedelta(days=days - 1),
        price=money(days * bike.day_rate),
    )


def rent_bike(db: Database, customer_id: CustomerId, bike_id: BikeId, days: int) -> Rental:
    """Rent a bike to a customer, from today on.

    Args:
        customer_id: Who rents, such as "CUS-00012".
        bike_id: The bike, such as "BIK-00003".
        days: For how many days, today included, 1 to 30.

    Raises:
        Rejected: The customer or the bike is unknown.
        Rejected: The number of days is out of bounds.
        Rejected: The bike is out or in repair.
    """
    db.customers.get(customer_id)
    bike = _rentable(db, bike_id, days)
    return db.rentals.add(
        customer_id=customer_id,
        bike_id=bike_id,
        status="open",
        start_on=db.today(),
        due_on=db.today() + timedelta(days=days - 1),
        price=money(days * bike.day_rate),
    )


def return_bike(db: Database, rental_id: RentalId) -> Rental:
    """Take a bike back; each day late costs the bike's day rate.

    Args:
        rental_id: The rental, such as "REN-00007".

    Raises:
        Rejected: The rental is unknown, or the bike is back already.
    """
    rental = db.rentals.get(rental_id)
    if rental.status != "open":
        raise Rejected(
            "back_already",
            f"The bike of rental {rental_id} is back already.",
            day=rental.returned_on,
        )
    rate = db.bikes.get(rental.bike_id).day_rate
    late_days = max(0, (db.today() - rental.due_on).days)
    return db.rentals.update(
        rental_id,
        status="returned",
        returned_on=db.today(),
        price=money(rental.price + late_days * rate),
    )


def repair_bike(db: Database, bike_id: BikeId) -> Bike:
    """Take a bike into the workshop, so that it is not rented.

    Args:
        bike_id: The bike, such as "BIK-00003".

    Raises:
        Rejected: The bike is unknown, is out, or is in repair already.
    """
    bike = db.bikes.get(bike_id)
    if not _is_free(db, bike):
        raise Rejected("not_free", f"Bike {bike_id} is out, or in repair already.")
    return db.bikes.update(bike_id, in_repair=True)


def _rentable(db: Database, bike_id: BikeId, days: int) -> Bike:
    """Return a bike that can be rented for some days."""
    bike = db.bikes.get(bike_id)
    if not 1 <= days <= MOST_DAYS:
        raise Rejected(
            "out_of_bounds",
            f"A bike is rented for 1 to {MOST_DAYS} days, not {days}.",
            most=MOST_DAYS,
        )
    if not _is_free(db, bike):
        raise Rejected("not_free", f"Bike {bike_id} is out or in repair; choose another one.")
    return bike


def _is_free(db: Database, bike: Bike) -> bool:
    return not bike.in_repair and not db.rentals.where(bike_id=bike.bike_id, status="open")
