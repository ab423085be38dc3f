"""Rows that several recipes look at."""

SHIP_DAYS = {"standard": 5, "express": 2, "overnight": 1}


def _methods_by_customer(db: Database) -> dict[CustomerId, list[PaymentMethod]]:
    found: dict[CustomerId, list[PaymentMethod]] = {}
    for method in db.payment_methods.all():
        if method.expires_on is None or method.expires_on >= db.today():
            found.setdefault(method.customer_id, []).append(method)
    return found


def _item_name(product: Product, variant: Variant) -> str:
    return f"{product.name} ({', '.join(option.value for option in variant.options)})"


def _basket(
    fake: Fake, products: list[tuple[Product, list[Variant]]], size: int
) -> list[tuple[Product, Variant, int]]:
    return [
        (product, fake.pick(variants), fake.weighted({1: 76, 2: 17, 3: 5, 4: 2}))
        for product, variants in fake.picks(products, min(size, len(products)))
    ]


def _shelves(db: Database) -> list[tuple[Product, list[Variant]]]:
    variants: dict[ProductId, list[Variant]] = {}
    for variant in db.variants.all():
        variants.setdefault(variant.product_id, []).append(variant)
    return [(product, variants[product.product_id]) for product in db.products.all()]


def _payment_status(amount: Decimal, refunded: Decimal) -> PaymentStatus:
    if refunded == 0:
        return "captured"
    return "refunded" if refunded == amount else "part_refunded"


def _tracking(carrier: Carrier, number: int) -> str:
    # Multiplying by a number prime to ten scatters the numbers and keeps them apart.
    code = (number * 733_261_937 + 104_729) % 1_000_000_000
    starts = {"ups": "1Z8V40", "fedex": "7946", "usps": "94001118", "dhl": "JD0146"}
    return f"{starts[carrier]}{code:09d}"


def _arrivals(db: Database) -> dict[OrderId, datetime]:
    # When all that was ordered had arrived; what came in exchange later is left out.
    found: dict[OrderId, datetime] = {}
    for parcel in db.shipments.all():
        first = db.orders.get(parcel.order_id).lines[parcel.line_numbers[0] - 1]
        if parcel.delivered_at is not None and first.replaces is None:
            before = found.get(parcel.order_id, parcel.delivered_at)
            found[parcel.order_id] = max(before, parcel.delivered_at)
    return found


def _delivered(db: Database) -> tuple[list[Order], list[Order]]:
    # Delivered orders, old and of the last four weeks.
    arrivals = _arrivals(db)
    rows = [order for order in db.orders.all() if order.status == "delivered"]
    edge = db.now() - timedelta(days=28)
    old = [order for order in rows if arrivals[order.order_id] < edge]
    return old, [order for order in rows if arrivals[order.order_id] >= edge]
