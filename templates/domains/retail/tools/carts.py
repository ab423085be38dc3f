"""Carts: what is in them and what it would cost."""

SHIPPING_FEES = {
    "standard": Decimal("5.95"),
    "express": Decimal("12.95"),
    "overnight": Decimal("24.95"),
}
FREE_SHIPPING_FROM = Decimal("75.00")
MAX_CART_LINES = 30
MAX_LINE_QUANTITY = 20


def _find_open_cart(db: Database, customer_id: CustomerId) -> Cart | None:
    carts = [cart for cart in db.carts.where(customer_id=customer_id) if cart.status == "open"]
    return carts[0] if carts else None


def _open_cart(db: Database, cart_id: CartId) -> Cart:
    cart = db.carts.get(cart_id)
    if cart.status != "open":
        raise Rejected(
            "cart_not_open",
            f"The cart {cart_id} is {cart.status}, and no longer changed or ordered.",
            status=cart.status,
        )
    return cart


def _check_wanted(db: Database, variant_id: VariantId, quantity: int, held: int = 0) -> Variant:
    variant = _sold_variant(db, variant_id)
    if quantity > MAX_LINE_QUANTITY < variant.stock:
        raise Rejected(
            "bad_quantity",
            f"A cart line holds at most {MAX_LINE_QUANTITY} units.",
            limit=MAX_LINE_QUANTITY,
        )
    if quantity > variant.stock:
        # The least that a change to more, or to less, comes to.
        least = held + 1 if quantity > held else 1
        advice = "Take fewer or another." if variant.stock >= least else "Take another."
        raise Rejected(
            "out_of_stock",
            f"Only {variant.stock} of {variant.sku} are in stock. {advice}",
            left=variant.stock,
        )
    return variant


def _check_all_wanted(db: Database, cart: Cart) -> None:
    for line in cart.lines:
        _check_wanted(db, line.variant_id, line.quantity)


def _covers(db: Database, promotion: Promotion, line: CartLine) -> bool:
    product = db.products.get(db.variants.get(line.variant_id).product_id)
    return promotion.category is None or promotion.category == product.category


def _worth(db: Database, line: CartLine) -> Decimal:
    return db.variants.get(line.variant_id).price * line.quantity


def _covered_worth(db: Database, promotion: Promotion, cart: Cart) -> list[Decimal]:
    return [_worth(db, line) if _covers(db, promotion, line) else Decimal(0) for line in cart.lines]


def _check_promotion(db: Database, promotion: Promotion, cart: Cart) -> None:
    if not promotion.starts_on <= db.today() <= promotion.ends_on:
        raise Rejected(
            "promotion_not_running",
            f"{promotion.code} runs from {promotion.starts_on} to {promotion.ends_on}, not today.",
            starts_on=promotion.starts_on,
            ends_on=promotion.ends_on,
        )
    if promotion.max_uses is not None and promotion.uses >= promotion.max_uses:
        raise Rejected(
            "promotion_used_up",
            f"{promotion.code} has been used up. Use another or none.",
            limit=promotion.max_uses,
        )
    if promotion.once_per_customer and any(
        order.promotion_id == promotion.promotion_id and order.status != "cancelled"
        for order in db.orders.where(customer_id=cart.customer_id)
    ):
        raise Rejected(
            "promotion_used_before",
            f"The customer has used {promotion.code} before; it works once.",
        )
    worth = sum(_covered_worth(db, promotion, cart), Decimal(0))
    if worth == 0:
        raise Rejected("nothing_covered", f"Nothing in the cart is covered by {promotion.code}.")
    if worth < promotion.minimum_spend:
        raise Rejected(
            "below_minimum",
            f"{promotion.code} needs goods it covers worth {promotion.minimum_spend}; "
            f"the cart has {worth}.",
            minimum=promotion.minimum_spend,
            worth=worth,
        )


def _taken_off(promotion: Promotion, worth: Decimal) -> Decimal:
    if promotion.percent is not None:
        return money(worth * promotion.percent / 100)
    if promotion.amount is not None:
        return promotion.amount
    return Decimal(0)


def _spread(total: Decimal, worths: list[Decimal]) -> list[Decimal]:
    # Rounding the running sum, not each part, keeps the parts adding up to the total.
    whole = sum(worths, Decimal(0))
    parts: list[Decimal] = []
    worth_so_far = Decimal(0)
    for worth in worths:
        worth_so_far += worth
        parts.append(money(total * worth_so_far / whole) - sum(parts, Decimal(0)))
    return parts


def _discounts(db: Database, cart: Cart) -> list[Decimal]:
    if cart.promotion_id is None:
        return [Decimal(0) for _ in cart.lines]
    promotion = db.promotions.get(cart.promotion_id)
    worths = _covered_worth(db, promotion, cart)
    return _spread(_taken_off(promotion, sum(worths, Decimal(0))), worths)


def _ships_free(db: Database, cart: Cart) -> bool:
    if cart.promotion_id is None:
        return False
    return db.promotions.get(cart.promotion_id).kind == "free_shipping"


def _shipping_fee(
    db: Database, cart: Cart, method: ShippingMethod, worth: Decimal, free: bool
) -> Decimal:
    if method == "standard":
        tier = db.customers.get(cart.customer_id).tier
        if free or tier == "gold" or worth >= FREE_SHIPPING_FROM:
            return Decimal(0)
    return SHIPPING_FEES[method]


def _quote_line(db: Database, line: CartLine, discount: Decimal) -> QuoteLine:
    variant = db.variants.get(line.variant_id)
    product = db.products.get(variant.product_id)
    return QuoteLine(
        variant_id=line.variant_id,
        item=line.item,
        quantity=line.quantity,
        unit_price=variant.price,
        discount=discount,
        in_stock=product.status == "active" and variant.stock >= line.quantity,
    )


def _quote(db: Database, cart: Cart, method: ShippingMethod) -> CartQuote:
    discounts = _discounts(db, cart)
    subtotal = sum((_worth(db, line) for line in cart.lines), Decimal(0))
    discount = sum(discounts, Decimal(0))
    fee = _shipping_fee(db, cart, method, subtotal - discount, _ships_free(db, cart))
    return CartQuote(
        cart_id=cart.cart_id,
        promotion_code=_promotion_code(db, cart.promotion_id),
        lines=tuple(
            _quote_line(db, line, discounts[place]) for place, line in enumerate(cart.lines)
        ),
        subtotal=subtotal,
        discount=discount,
        shipping_method=method,
        shipping_fee=fee,
        total=subtotal - discount + fee,
    )


def get_cart(db: Database, customer_id: CustomerId) -> Cart:
    """Show a customer's open cart with what is in it, without prices.

    Args:
        customer_id: The customer.

    Raises:
        Rejected: The customer is unknown or has no open cart.
    """
    customer = db.customers.get(customer_id)
    cart = _find_open_cart(db, customer_id)
    if cart is None:
        is_open = customer.status == "active"
        advice = "Put something in one first." if is_open else "The account is closed."
        raise Rejected("no_open_cart", f"The customer has no open cart. {advice}")
    return cart


def quote_cart(
    db: Database, customer_id: CustomerId, shipping_method: ShippingMethod = "standard"
) -> CartQuote:
    """Show a customer's open cart with prices, discount, shipping and total.

    Only what checks a cart out refuses a promotion with which it costs no less.

    Args:
        customer_id: The customer.
        shipping_method: How the order would travel; left out, standard.

    Raises:
        Rejected: The customer is unknown, or has no open cart or an empty one.
        Rejected: A promotion is on the cart, and something in it is discontinued or out of stock.
        Rejected: The promotion on the cart no longer applies.
    """
    cart = get_cart(db, customer_id)
    if not cart.lines:
        raise Rejected("cart_empty", "The cart is empty. Put something in it first.")
    if cart.promotion_id is not None:
        _check_all_wanted(db, cart)
        _check_promotion(db, db.promotions.get(cart.promotion_id), cart)
    return _quote(db, cart, shipping_method)


def _with_line(lines: tuple[CartLine, ...], wanted: CartLine) -> list[CartLine]:
    kept = [wanted if line.variant_id == wanted.variant_id else line for line in lines]
    return kept if wanted in kept else [*kept, wanted]


def add_to_cart(
    db: Database, customer_id: CustomerId, variant_id: VariantId, quantity: int = 1
) -> Cart:
    """Put units of a variant into a customer's open cart, beginning one if there is none.

    Args:
        customer_id: The customer.
        variant_id: The variant.
        quantity: Units to add to those already in the cart; left out, 1.

    Raises:
        Rejected: The customer is unknown or the account closed.
        Rejected: The variant is unknown or its product discontinued.
        Rejected: The quantity is below 1, or the line would pass 20 units or the stock.
        Rejected: The cart already has 30 lines.
    """
    _active_customer(db, customer_id)
    cart = _find_open_cart(db, customer_id)
    lines = () if cart is None else cart.lines
    held = sum(line.quantity for line in lines if line.variant_id == variant_id)
    if quantity < 1:
        raise Rejected("bad_quantity", "The quantity must be at least 1.")
    variant = _check_wanted(db, variant_id, held + quantity, held)
    if held == 0 and len(lines) >= MAX_CART_LINES:
        raise Rejected(
            "too_many_lines",
            f"A cart holds {MAX_CART_LINES} lines. Take something out or check it out first.",
            limit=MAX_CART_LINES,
        )
    line = CartLine(variant_id=variant_id, item=_item(db, variant), quantity=held + quantity)
    new_lines = _with_line(lines, line)
    if cart is not None:
        return db.carts.update(cart.cart_id, lines=new_lines, updated_at=db.now())
    return db.carts.add(
        customer_id=customer_id,
        status="open",
        lines=new_lines,
        created_at=db.now(),
        updated_at=db.now(),
    )


def set_cart_quantity(db: Database, cart_id: CartId, variant_id: VariantId, quantity: int) -> Cart:
    """Change how many of a variant are in an open cart; 0 takes it out.

    Args:
        cart_id: The cart.
        variant_id: A variant in the cart.
        quantity: The new number of units, 0 to 20.

    Raises:
        Rejected: The cart is unknown or no longer open.
        Rejected: The variant is not in the cart, or has that quantity already.
        Rejected: The quantity is out of bounds or more than is in stock, or the product
            discontinued and the quantity not 0.
    """
    cart = _open_cart(db, cart_id)
    held = sum(line.quantity for line in cart.lines if line.variant_id == variant_id)
    if held == 0:
        raise Rejected("not_in_cart", f"{variant_id} is not in the cart.")
    if held == quantity:
        raise Rejected("no_change", f"The cart holds {quantity} of it already.", quantity=quantity)
    if quantity < 0:
        raise Rejected(
            "bad_quantity",
            f"The quantity must be 0 to {MAX_LINE_QUANTITY}; 0 takes it out.",
            limit=MAX_LINE_QUANTITY,
        )
    if quantity != 0:
        _check_wanted(db, variant_id, quantity, held)
    lines = [
        line.replace(quantity=quantity) if line.variant_id == variant_id else line
        for line in cart.lines
        if line.variant_id != variant_id or quantity != 0
    ]
    return db.carts.update(cart_id, lines=lines, updated_at=db.now())


def apply_promotion(db: Database, cart_id: CartId, code: str | None = None) -> Cart:
    """Put a promotion code on an open cart in place of any other, or take it off.

    That all in the cart is on sale and in stock is looked at in a quote and at the checkout.

    Args:
        cart_id: The cart.
        code: The code, in any case; left out, the cart's promotion is taken off.

    Raises:
        Rejected: The cart is unknown or no longer open.
        Rejected: No promotion has that code, or it is on the cart already.
        Rejected: The promotion does not run today or is used up.
        Rejected: The customer has used it before and it works once.
        Rejected: The cart does not have what it covers, or not enough of it.
        Rejected: There is no promotion to take off.
    """
    cart = _open_cart(db, cart_id)
    if code is None:
        if cart.promotion_id is None:
            raise Rejected(
                "no_change", "The cart has no promotion to take off. Give a code to put one on."
            )
        return db.carts.update(cart_id, promotion_id=None, updated_at=db.now())
    promotion = _find_promotion(db, code)
    if promotion.promotion_id == cart.promotion_id:
        raise Rejected(
            "already_on_cart",
            f"{promotion.code} is on the cart already. A quote tells whether it counts.",
        )
    _check_promotion(db, promotion, cart)
    return db.carts.update(cart_id, promotion_id=promotion.promotion_id, updated_at=db.now())
