"""Who speaks: what customers know of themselves, and how an agent finds them."""


def _me(customer: Customer) -> Facts:
    """Return what customers know of themselves."""
    home = only(one for one in customer.addresses if one.label == customer.default_address)
    return facts(
        email=told(customer.email, customer, "email"),
        first_name=told(customer.first_name, customer, "first_name"),
        last_name=told(customer.last_name, customer, "last_name"),
        postcode=told(home.postcode, customer, "addresses.postcode"),
    )


def _items_of(db: Database, customer: Customer) -> list[str]:
    """Return everything a customer ever ordered."""
    orders = db.orders.where(customer_id=customer.customer_id)
    return [line.item for order in orders for line in order.lines]


def _customer(agent: Agent, given: Given) -> Customer:
    """Identify whoever speaks, by what was said if that is enough."""
    if agent.knows("first_name", "last_name", "postcode") and not agent.knows("email"):
        return agent.find_customer_by_name(given.first_name, given.last_name, given.postcode)
    agent.ask("email")
    return agent.find_customer_by_email(given.email)


def _bought(agent: Agent, customer: Customer, item: str) -> tuple[Order, OrderLine]:
    """Return the order line that somebody means, and its order."""
    orders = agent.list_customer_orders(customer.customer_id)
    return only((order, line) for order in orders for line in order.lines if fits(item, line.item))


def _parcel_of(agent: Agent, order: Order, line: OrderLine) -> Shipment:
    """Return the parcel in which a line travels or came; lost ones do not count."""
    parcels = agent.list_order_shipments(order.order_id)
    return only(
        parcel
        for parcel in parcels
        if line.line_number in parcel.line_numbers and parcel.status != "lost"
    )


def _refunded_for(summary: OrderSummary, line: OrderLine) -> Decimal:
    """Return what went back for a line before."""
    return sum(
        (one.amount for one in summary.refunds if one.line_number == line.line_number), Decimal(0)
    )


def _net(line: OrderLine) -> Decimal:
    """Return what was to be paid for a line."""
    return line.unit_price * line.quantity - line.discount


def _half_left(summary: OrderSummary, line: OrderLine) -> Decimal:
    """Return how much of half of what was paid for a line has not gone back."""
    return max(money(_net(line) / 2) - _refunded_for(summary, line), Decimal(0))


def _half_of_goods(order: Order) -> Decimal:
    """Return half of what was paid for each line of an order, in all."""
    lines = [line for line in order.lines if line.status != "cancelled"]
    return sum((money(_net(line) / 2) for line in lines), Decimal(0))


def _as_said(method: PaymentMethod) -> str:
    """Return how people name a payment method of theirs."""
    if method.last_four is None:
        return "PayPal account"
    return f"{method.kind.capitalize()} ending in {method.last_four}"


def _day(moment: datetime | None) -> date:
    """Return the day of something that has happened."""
    return date.fromisoformat(str(moment)[:10])


def _named_method(agent: Agent, customer: Customer, said: str) -> PaymentMethod:
    """Return the saved payment method that somebody means."""
    methods = agent.list_payment_methods(customer.customer_id)
    return only(method for method in methods if _as_said(method) == said)
