"""Carts, orders, codes, parcels, prices and stock."""

FREE_SHIPPING = Decimal("75.00")
STANDARD_SHIPPING = Decimal("5.95")
OF_CODES = (
    "promotion_not_running",
    "promotion_used_up",
    "promotion_used_before",
    "nothing_covered",
    "below_minimum",
)


def once_per_customer_is_once(db: Database, order: Order) -> bool:
    """A promotion that works once per customer is on one order of theirs (clause 2.3)."""
    number = order.promotion_id
    if number is None or not db.promotions.get(number).once_per_customer:
        return True
    using = db.orders.where(promotion_id=number, customer_id=order.customer_id)
    return sum(1 for other in using if other.status != "cancelled") <= 1


def promotions_are_used_while_they_run(db: Database, order: Order) -> bool:
    """An order with a promotion is placed on a day that it runs (clause 2.2)."""
    return order.promotion_id is None or (
        db.promotions.get(order.promotion_id).starts_on
        <= order.placed_at.date()
        <= db.promotions.get(order.promotion_id).ends_on
    )


def a_lost_parcel_is_settled_once(db: Database, parcel: Shipment) -> bool:
    """What was in a lost parcel is sent again or paid back, never both (clause 3.3)."""
    lines = db.orders.get(parcel.order_id).lines
    again = [
        number
        for other in db.shipments.where(order_id=parcel.order_id)
        if other.status != "lost"
        for number in other.line_numbers
    ]
    return parcel.status != "lost" or all(
        lines[number - 1].status != "cancelled" or number not in again
        for number in parcel.line_numbers
    )


def cancelled_units_go_back_to_stock(db: Database, past: Past, event: Event) -> bool:
    """Units of lines that are cancelled before they ship can be sold again (clause 2.5)."""
    freed = sum(
        line.quantity
        for change in _changed(event, "orders")
        for place, line in enumerate(change.before.lines)
        if line.status == "open" and change.after.lines[place].status == "cancelled"
    )
    return freed == 0 or _stock_gained(event) == freed


def ordered_units_leave_the_stock(db: Database, past: Past, event: Event) -> bool:
    """What is ordered can be sold to nobody else."""
    taken = sum(line.quantity for change in _new(event, "orders") for line in change.after.lines)
    return taken == 0 or _stock_gained(event) == -taken


def a_cart_is_ordered_once(db: Database, past: Past, event: Event) -> bool:
    """A cart that was checked out is closed."""
    return event.tool != "check_out_cart" or (
        db.carts.get(event.argument("cart_id")).status == "checked_out"
    )


def carts_tell_when_they_changed(db: Database, past: Past, event: Event) -> bool:
    """A cart that changes says that it changed now."""
    return all(change.after.updated_at == db.now() for change in _of(event, "carts"))


def discontinued_products_stay_as_they_are(db: Database, past: Past, event: Event) -> bool:
    """Neither stock nor prices of a discontinued product are changed by hand (clause 7.6)."""
    return event.tool not in ("restock_variant", "set_variant_price") or all(
        db.products.get(change.after.product_id).status == "active"
        for change in _of(event, "variants")
    )


def only_what_is_sold_is_ordered(db: Database, past: Past, event: Event) -> bool:
    """Only what is on sale is ordered or sent in exchange (clause 2.4)."""
    ordered = [line.variant_id for change in _new(event, "orders") for line in change.after.lines]
    swapped = [change.after.new_variant_id for change in _new(event, "exchanges")]
    return all(
        db.products.get(db.variants.get(variant_id).product_id).status == "active"
        for variant_id in [*ordered, *swapped]
    )


def what_was_delivered_stays_so(db: Database, past: Past, event: Event) -> bool:
    """A delivery is recorded once, of a parcel on its way (clause 7.5)."""
    return all(
        change.before.status != "delivered"
        or change.after.delivered_at == change.before.delivered_at
        for change in _changed(event, "shipments")
    )


def parcels_are_lost_after_their_day(db: Database, past: Past, event: Event) -> bool:
    """A parcel is written off only when its promised day is over (clause 3.2)."""
    return all(
        change.before.status == "lost"
        or change.after.status != "lost"
        or change.after.promised_on < db.today()
        for change in _changed(event, "shipments")
    )


def carts_hold_what_was_put_in(db: Database, past: Past, event: Event) -> bool:
    """What is put in a cart is in it afterwards, as often as was said."""
    if event.tool not in ("add_to_cart", "set_cart_quantity"):
        return True
    wanted, variant_id = event.argument("quantity"), event.argument("variant_id")
    there = [
        line.quantity
        for change in _of(event, "carts")
        for line in change.after.lines
        if line.variant_id == variant_id
    ]
    if event.tool == "set_cart_quantity":
        return sum(there) == wanted
    return sum(there) >= (1 if wanted is None else wanted)


def carts_have_the_code_that_was_put_on(db: Database, past: Past, event: Event) -> bool:
    """A code that is put on a cart is on it, and runs today (clause 2.2)."""
    if event.tool != "apply_promotion":
        return True
    code = event.argument("code")
    on = [change.after.promotion_id for change in _of(event, "carts")]
    if code is None:
        return on == [None]
    return all(
        promotion_id is not None
        and db.promotions.get(promotion_id).code == code.strip().upper()
        and db.promotions.get(promotion_id).starts_on
        <= db.today()
        <= db.promotions.get(promotion_id).ends_on
        for promotion_id in on
    )


def what_is_sent_again_leaves_the_stock(db: Database, past: Past, event: Event) -> bool:
    """What is sent in place of a lost parcel is taken from the stock (clause 3.3)."""
    if event.tool != "replace_lost_shipment":
        return True
    units = sum(
        db.orders.get(change.after.order_id).lines[number - 1].quantity
        for change in _new(event, "shipments")
        for number in change.after.line_numbers
    )
    return _stock_gained(event) == -units


def what_has_all_arrived_is_delivered(db: Database, order: Order) -> bool:
    """An order of which every parcel has arrived is delivered (clause 7.5)."""
    return order.status != "shipped" or any(
        parcel.status != "delivered" for parcel in db.shipments.where(order_id=order.order_id)
    )


def _first_price(past: Past, change: Written) -> Decimal:
    """Return the price of a variant at the start of the day, of which every call is."""
    earlier = [other for call in past.calls for other in _changed(call, "variants")]
    variant_id = change.before.variant_id
    same = [other.before.price for other in earlier if other.before.variant_id == variant_id]
    return [*same, change.before.price][0]


def prices_move_by_half_in_a_day(db: Database, past: Past, event: Event) -> bool:
    """A price moves by at most half of what it was when the day began (clause 7.1)."""
    return all(
        abs(change.after.price - _first_price(past, change)) <= _first_price(past, change) / 2
        for change in _changed(event, "variants")
    )


def prices_are_refused_beyond_half(db: Database, past: Past, event: Event) -> bool:
    """Only what is more than half off the price of the morning is refused as too far (7.7)."""
    if event.code != "price_jump":
        return True
    variant = db.variants.get(event.argument("variant_id"))
    first = variant.price if variant.priced_on != db.today() else variant.price_before
    return first is not None and abs(money(event.argument("price")) - first) > first / 2


def codes_make_orders_cost_less(db: Database, past: Past, event: Event) -> bool:
    """An order with a code costs less than without it, shipping included (clause 2.3)."""
    return all(
        order.promotion_id is None or order.total < _without_code(db, order)
        for change in _new(event, "orders")
        for order in [change.after]
    )


def _without_code(db: Database, order: Order) -> Decimal:
    """Return what an order would have cost without a code."""
    worth = _total([line.unit_price * line.quantity for line in order.lines])
    is_free = worth >= FREE_SHIPPING or db.customers.get(order.customer_id).tier == "gold"
    standard = Decimal(0) if is_free else STANDARD_SHIPPING
    return worth + (standard if order.shipping_method == "standard" else order.shipping_fee)


def prices_are_as_they_were_set(db: Database, past: Past, event: Event) -> bool:
    """A price that is set is the variant's price afterwards."""
    if event.tool != "set_variant_price":
        return True
    price = money(event.argument("price"))
    return db.variants.get(event.argument("variant_id")).price == price


def carts_take_what_there_is(db: Database, past: Past, event: Event) -> bool:
    """No more of a thing is put in a cart than is in stock, nor over 20 of it (clause 2.4)."""
    if event.tool not in ("add_to_cart", "set_cart_quantity"):
        return True
    return all(
        line.quantity <= min(20, db.variants.get(line.variant_id).stock)
        for change in _of(event, "carts")
        for line in change.after.lines
        if line.variant_id == event.argument("variant_id")
    )


def promotions_begin_and_end_within_a_year(db: Database, past: Past, event: Event) -> bool:
    """A new promotion starts within a year from today, and ends within one of that (7.1)."""
    return all(
        change.after.starts_on - db.today() <= timedelta(days=366)
        and change.after.ends_on - change.after.starts_on <= timedelta(days=366)
        for change in _new(event, "promotions")
    )


def an_open_cart_is_the_only_one(db: Database, cart: Cart) -> bool:
    """Who has an open cart orders with that one, so all orders came before it (section 2)."""
    return cart.status != "open" or all(
        order.placed_at <= cart.created_at
        for order in db.orders.where(customer_id=cart.customer_id)
    )


def what_was_ordered_cost_its_price(db: Database, order: Order) -> bool:
    """What costs another price than when it was ordered was priced since (clause 7.1)."""
    for line in order.lines:
        priced_on = db.variants.get(line.variant_id).priced_on
        is_as_then = line.unit_price == db.variants.get(line.variant_id).price
        is_since = priced_on is not None and order.placed_at.date() <= priced_on
        if line.replaces is None and not (is_as_then or is_since):
            return False
    return True


def codes_are_refused_where_the_things_can_be_bought(
    db: Database, past: Past, event: Event
) -> bool:
    """What is sold out is told before what is wrong with a code (clause 2.4)."""
    if event.tool != "quote_cart" or event.code not in OF_CODES:
        return True
    carts = db.carts.where(customer_id=event.argument("customer_id"), status="open")
    return all(
        db.variants.get(line.variant_id).stock >= line.quantity
        for cart in carts
        for line in cart.lines
    )
