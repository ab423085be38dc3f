"""Parcels: sent, tracked, delivered or lost."""

SHIPPING_DAYS = {"standard": 5, "express": 2, "overnight": 1}


def _progress(db: Database, order_id: OrderId, lines: list[OrderLine]) -> OrderStatus:
    # How far an order is of which something has shipped.
    if any(line.status == "open" for line in lines):
        return "part_shipped"
    parcels = db.shipments.where(order_id=order_id)
    return "shipped" if any(row.status == "in_transit" for row in parcels) else "delivered"


def _new_tracking(db: Database, tracking_number: str) -> str:
    number = tracking_number.strip()
    if not 6 <= len(number) <= 34 or not (number.isascii() and number.isalnum()):
        raise Rejected("bad_tracking_number", "A tracking number is 6 to 34 letters and digits.")
    number = number.upper()
    if db.shipments.where(tracking_number=number):
        raise Rejected(
            "tracking_number_taken", f"The tracking number {number} is in use. Check the label."
        )
    return number


def _send(
    db: Database, order: Order, carrier: Carrier, number: str, lines: list[OrderLine]
) -> Shipment:
    return db.shipments.add(
        order_id=order.order_id,
        carrier=carrier,
        tracking_number=number,
        status="in_transit",
        line_numbers=[line.line_number for line in lines],
        items=[line.item for line in lines],
        shipped_at=db.now(),
        promised_on=db.today() + timedelta(days=SHIPPING_DAYS[order.shipping_method]),
    )


def ship_order(
    db: Database,
    order_id: OrderId,
    carrier: Carrier,
    tracking_number: str,
    line_numbers: list[int] | None = None,
) -> Shipment:
    """Send open lines of a paid order in one parcel.

    Args:
        order_id: The order number.
        carrier: Who carries the parcel.
        tracking_number: The tracking number on the label, letters and digits.
        line_numbers: The lines in the parcel; left out, all that are open.

    Raises:
        Rejected: The order is unknown, not paid, or nothing of it is left to ship.
        Rejected: A line is unknown or not open, or none is named.
        Rejected: The tracking number is badly formed or in use.
    """
    order = db.orders.get(order_id)
    if order.status == "pending":
        raise Rejected("not_paid", "The order is pending; only a paid one can ship.")
    if order.status not in ("paid", "part_shipped"):
        raise Rejected(
            "nothing_to_ship",
            f"The order is {order.status}; only one with open lines can ship.",
            status=order.status,
        )
    number = _new_tracking(db, tracking_number)
    open_lines = [line.line_number for line in order.lines if line.status == "open"]
    chosen = open_lines if line_numbers is None else sorted(set(line_numbers))
    if not chosen or any(line_number not in open_lines for line_number in chosen):
        raise Rejected(
            "line_not_open", f"Name open lines to ship; open are {open_lines}.", open=open_lines
        )
    packed = [line for line in order.lines if line.line_number in chosen]
    shipment = _send(db, order, carrier, number, packed)
    lines = [
        line.replace(status="shipped") if line.line_number in chosen else line
        for line in order.lines
    ]
    db.orders.update(order_id, lines=lines, status=_progress(db, order_id, lines))
    return shipment


def _find_shipment(db: Database, tracking_number: str) -> Shipment:
    found = db.shipments.where(tracking_number=_capitals(tracking_number))
    if not found:
        raise Rejected(
            "unknown_shipment",
            "No parcel has that tracking number. Look at the parcels of the order.",
        )
    return found[0]


def track_shipment(db: Database, tracking_number: str) -> Shipment:
    """Show where a parcel stands, by its tracking number.

    Args:
        tracking_number: The carrier's number, in any case.

    Raises:
        Rejected: No parcel has that number.
    """
    return _find_shipment(db, tracking_number)


def list_order_shipments(
    db: Database, order_id: OrderId, cursor: str | None = None, limit: int = 50
) -> Page[Shipment]:
    """List the parcels of an order, first sent first.

    Args:
        order_id: The order number.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; left out, 50.

    Raises:
        Rejected: The order is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.orders.get(order_id)
    parcels = db.shipments.where(order_id=order_id)
    return page(sorted(parcels, key=lambda row: row.shipped_at), cursor, limit)


def _in_transit(shipment: Shipment) -> Shipment:
    if shipment.status != "in_transit":
        raise Rejected(
            "not_in_transit",
            f"The parcel {shipment.tracking_number} is {shipment.status} already.",
            status=shipment.status,
        )
    return shipment


def record_delivery(db: Database, tracking_number: str) -> Shipment:
    """Record that a parcel has arrived; the order is delivered when all of it has.

    Args:
        tracking_number: The carrier's number, in any case.

    Raises:
        Rejected: No parcel has that number.
        Rejected: The parcel is delivered or lost already.
    """
    parcel = _in_transit(_find_shipment(db, tracking_number))
    delivered = db.shipments.update(parcel.shipment_id, status="delivered", delivered_at=db.now())
    order = db.orders.get(parcel.order_id)
    status = _progress(db, order.order_id, list(order.lines))
    if status != order.status:
        db.orders.update(order.order_id, status=status)
    return delivered


def _way_for_shipped(db: Database, order: Order, numbers: list[int]) -> str:
    """Say that a parcel with some of these lines can be written off, if one is overdue."""
    is_overdue = any(
        parcel.status == "in_transit" and parcel.promised_on < db.today()
        for parcel in db.shipments.where(order_id=order.order_id)
        if any(number in numbers for number in parcel.line_numbers)
    )
    return " A parcel that is overdue can be written off." if is_overdue else ""


def _overdue(db: Database, tracking_number: str) -> Shipment:
    parcel = _in_transit(_find_shipment(db, tracking_number))
    if parcel.promised_on >= db.today():
        raise Rejected(
            "not_overdue",
            f"The parcel is due by {parcel.promised_on}. Wait until that day has passed.",
            day=parcel.promised_on,
        )
    return parcel


def replace_lost_shipment(
    db: Database, lost_tracking_number: str, carrier: Carrier, tracking_number: str
) -> Shipment:
    """Write off an overdue parcel as lost and send its lines again from stock.

    Args:
        lost_tracking_number: The number of the parcel that never arrived.
        carrier: Who carries the new parcel.
        tracking_number: The new parcel's tracking number.

    Raises:
        Rejected: No parcel has the lost number, or it is delivered or lost already.
        Rejected: The parcel is not overdue yet.
        Rejected: Something in the parcel is out of stock.
        Rejected: The new tracking number is badly formed or in use.
    """
    lost = _overdue(db, lost_tracking_number)
    order = db.orders.get(lost.order_id)
    lines = [line for line in order.lines if line.line_number in lost.line_numbers]
    for line in lines:
        if db.variants.get(line.variant_id).stock < line.quantity:
            raise Rejected(
                "out_of_stock",
                f"{line.item} is out of stock. Refund the lost parcel instead.",
                item=line.item,
            )
    number = _new_tracking(db, tracking_number)
    for line in lines:
        _add_stock(db, line.variant_id, -line.quantity)
    db.shipments.update(lost.shipment_id, status="lost")
    return _send(db, order, carrier, number, lines)
