"""Amounts, units and changes that several laws look at."""

FOR_LINES = ("price_adjustment", "damaged_item", "goodwill")
CENTS = Decimal("0.02")
GOLD_EXTRA_DAYS = 15
FAULT_DAYS = 60


def _worth(line: OrderLine) -> Decimal:
    """Return what was paid for a line."""
    return line.unit_price * line.quantity - line.discount


def _total(amounts: list[Decimal]) -> Decimal:
    return sum(amounts, Decimal(0))


def _went_back(
    db: Database, order: Order, numbers: Collection[int | None], reasons: Collection[str]
) -> Decimal:
    """Return what went back for lines, or for a whole order, for some reasons."""
    return _total(
        [
            refund.amount
            for refund in db.refunds.where(order_id=order.order_id)
            if refund.line_number in numbers and refund.reason in reasons
        ]
    )


def _settled(db: Database, order: Order, number: int) -> int:
    """Return how many units of a line came back for money or were swapped."""
    returned = [
        part.quantity
        for back in db.returns.where(order_id=order.order_id, status="refunded")
        for part in back.lines
        if part.line_number == number and part.accepted
    ]
    swaps = db.exchanges.where(order_id=order.order_id, status="completed")
    return sum([*returned, *[one.quantity for one in swaps if one.line_number == number]])


def _was_delivered(db: Database, order_id: OrderId, line_number: int) -> bool:
    return any(
        parcel.status == "delivered" and line_number in parcel.line_numbers
        for parcel in db.shipments.where(order_id=order_id)
    )


def _window(db: Database, line: OrderLine) -> int:
    """Return how many days after delivery a thing may come back; 0 is a final sale."""
    return db.products.get(db.variants.get(line.variant_id).product_id).return_days


def _days_for_a_fault(db: Database, order_id: OrderId, number: int) -> int:
    """Return how many days after delivery a line may come back for a fault of the shop."""
    order = db.orders.get(order_id)
    days = _window(db, order.lines[number - 1])
    gold = db.customers.get(order.customer_id).tier == "gold"
    return max(days + GOLD_EXTRA_DAYS if gold else days, FAULT_DAYS)


def _of(event: Event, table: str) -> list[Written]:
    """Return what a call added to a table or changed in it."""
    return [
        change for change in event.changes if change.table == table and change.after is not None
    ]


def _new(event: Event, table: str) -> list[Written]:
    """Return what a call added to a table."""
    return [change for change in _of(event, table) if change.before is None]


def _changed(event: Event, table: str) -> list[Written]:
    """Return what a call changed of a table's rows that were there, and still are."""
    return [change for change in _of(event, table) if change.before is not None]


def _stock_gained(event: Event) -> int:
    """Return how many units more can be sold after a call, of all variants."""
    return sum(change.after.stock - change.before.stock for change in _changed(event, "variants"))


def _refunded(event: Event) -> Decimal:
    """Return what a call paid back."""
    return _total([change.after.amount for change in _new(event, "refunds")])
