"""Customers who rent a bike, or bring one back."""


def _me(customer: Customer) -> Facts:
    return facts(name=customer.name, email=told(customer.email, customer, "email"))


def _customer(agent: Agent, given: Given) -> Customer:
    agent.ask("email")
    return agent.find_customer(given.email)


def rent_one(db: Database, draw: Draw) -> Facts:
    """Somebody wants a certain bike for some days; it may be out, and another may do."""
    bike = draw.row("bikes")
    if draw.chance(0.4):
        bike = db.bikes.get(draw.row("rentals", status="open").bike_id)
    if draw.chance(0.15):
        for other in db.bikes.where(kind=bike.kind):
            db.bikes.update(other.bike_id, in_repair=True)
    draw.turn(bike, in_repair=not bike.in_repair)
    return facts(
        _me(draw.row("customers")),
        model=told(bike.model, bike, "model"),
        days=draw.integer(2, 6) if draw.chance(0.85) else draw.integer(31, 40),
        agrees=draw.chance(0.7),
        accepts=draw.chance(0.6),
    )


def solve_rent_one(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("model", "days")
    bike = agent.find_bike(given.model)
    quote = agent.attempt.quote_rental(bike.bike_id, given.days)
    if quote.rejected("out_of_bounds"):
        return outcome("too_long", most=quote.values.most)
    if quote.rejected("not_free"):
        others = agent.list_bikes(bike.kind)
        if len(others) == 0:
            return outcome("none_free", kind=bike.kind, free=agent.get_shop_day().bikes_free)
        other = min(others, key=lambda one: (one.day_rate, one.bike_id))
        instead = agent.quote_rental(other.bike_id, given.days)
        if not agent.offer("another_bike", model=other.model, price=instead.price):
            return outcome("offered", model=other.model, price=instead.price)
        agent.rent_bike(customer.customer_id, other.bike_id, given.days)
        return outcome("rented", price=instead.price, last_day=instead.last_day)
    if not agent.agreed(price=quote.price):
        return outcome("declined", price=quote.price, last_day=quote.last_day)
    agent.rent_bike(customer.customer_id, bike.bike_id, given.days)
    return outcome("rented", price=quote.price, last_day=quote.last_day)


def bring_back(db: Database, draw: Draw) -> Facts:
    """Somebody brings a bike back, sometimes late, and sometimes one that is back already."""
    rental = draw.row("rentals", status="open" if draw.chance(0.7) else "returned")
    customer = db.customers.get(rental.customer_id)
    bike = db.bikes.get(rental.bike_id)
    draw.need(len(db.rentals.where(customer_id=customer.customer_id, bike_id=bike.bike_id)) == 1)
    draw.turn(rental, due_on=db.today() - timedelta(days=draw.integer(-2, 3)))
    return facts(_me(customer), model=bike.model, since=told(rental.start_on, rental, "start_on"))


def solve_bring_back(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("model")
    bike = agent.find_bike(given.model)
    rentals = agent.list_rentals(customer.customer_id)
    rental = only(one for one in rentals if one.bike_id == bike.bike_id)
    taken = agent.attempt.return_bike(rental.rental_id)
    if taken.rejected("back_already"):
        return outcome("was_back", day=rental.returned_on, price=rental.price)
    if taken.price > rental.price:
        return outcome("late", price=taken.price, more=taken.price - rental.price)
    return outcome("in_time", price=taken.price)
