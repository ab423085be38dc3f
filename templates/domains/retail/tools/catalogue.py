"""Products and their variants: search, price and stock."""

MAX_DELIVERY = 100000
LOWEST_PRICE = Decimal("1.00")
HIGHEST_PRICE = Decimal("10000.00")


def _item(db: Database, variant: Variant) -> str:
    name = db.products.get(variant.product_id).name
    options = ", ".join(option.value for option in variant.options)
    return f"{name} ({options})" if options else name


def _add_stock(db: Database, variant_id: VariantId, quantity: int) -> None:
    variant = db.variants.get(variant_id)
    db.variants.update(variant_id, stock=variant.stock + quantity)


def _has_words(text: str, query: str) -> bool:
    return all(contains(text, word) for word in query.split())


def _stands_in(product: Product, query: str) -> bool:
    return _has_words(f"{product.name} {product.brand} {product.description}", query)


def _offers(db: Database, product: Product, max_price: Decimal | None, in_stock: bool) -> bool:
    return any(
        (max_price is None or variant.price <= max_price) and (variant.stock > 0 or not in_stock)
        for variant in db.variants.where(product_id=product.product_id)
    )


def search_products(
    db: Database,
    query: str | None = None,
    category: Category | None = None,
    max_price: Money | None = None,
    in_stock_only: bool = False,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Product]:
    """Search the products on sale by words, department and price, in id order.

    Args:
        query: Words, or parts of them, that stand in the name, brand or description, in any order;
            left out, all.
        category: Only this department.
        max_price: Only products with a variant at this price or below.
        in_stock_only: Only products with such a variant in stock; left out, all.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; left out, 50.

    Raises:
        Rejected: The cursor or limit is bad.
    """
    products = db.products.all() if category is None else db.products.where(category=category)
    found = [
        product
        for product in products
        if product.status == "active"
        and (query is None or _stands_in(product, query))
        and _offers(db, product, max_price, in_stock_only)
    ]
    return page(found, cursor, limit)


def get_product(db: Database, product_id: ProductId) -> Product:
    """Show a product with its department and return window, discontinued ones included.

    Args:
        product_id: The product, as a variant or a review names it.

    Raises:
        Rejected: The product is unknown.
    """
    return db.products.get(product_id)


def list_product_variants(
    db: Database,
    product_id: ProductId,
    in_stock_only: bool = False,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Variant]:
    """List a product's variants with options, prices and stock, in id order.

    Args:
        product_id: The product.
        in_stock_only: Only variants that can be delivered now; left out, all.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; left out, 50.

    Raises:
        Rejected: The product is unknown.
        Rejected: The cursor or limit is bad.
    """
    is_sold = db.products.get(product_id).status == "active"
    variants = db.variants.where(product_id=product_id)
    found = [row for row in variants if not in_stock_only or (is_sold and row.stock > 0)]
    return page(found, cursor, limit)


def find_variant_by_sku(db: Database, sku: str) -> Variant:
    """Find a variant by the stock-keeping code on its label.

    Args:
        sku: The code, in any case, such as "FOO-0001-BUR-7".

    Raises:
        Rejected: No variant has that code.
    """
    found = db.variants.where(sku=_capitals(sku))
    if not found:
        raise Rejected(
            "unknown_variant", "No variant has that code. Check it, or search the products by name."
        )
    return found[0]


def get_variant(db: Database, variant_id: VariantId) -> Variant:
    """Show a variant with its product, options, price and stock.

    Args:
        variant_id: The variant, as an order line or a cart names it.

    Raises:
        Rejected: The variant is unknown.
    """
    return db.variants.get(variant_id)


def _sold_variant(db: Database, variant_id: VariantId, advice: str = "Leave it out.") -> Variant:
    variant = db.variants.get(variant_id)
    product = db.products.get(variant.product_id)
    if product.status != "active":
        raise Rejected(
            "discontinued",
            f'"{product.name}" is discontinued and no longer sold. {advice}',
            product=product.name,
        )
    return variant


def set_variant_price(db: Database, variant_id: VariantId, price: Money) -> Variant:
    """Change a variant's price; placed orders keep theirs.

    Args:
        variant_id: The variant.
        price: The new price of one unit, tax included, 1.00 to 10000.00.

    Raises:
        Rejected: The variant is unknown or its product discontinued.
        Rejected: The price is out of bounds or the same as now.
        Rejected: The price would be more than half off what it was when the day began.
    """
    variant = _sold_variant(db, variant_id)
    before = variant.price
    if variant.price_before is not None and variant.priced_on == db.today():
        before = variant.price_before
    most = before - money(before / 2)
    lowest, highest = max(before - most, LOWEST_PRICE), min(before + most, HIGHEST_PRICE)
    if not LOWEST_PRICE <= price <= HIGHEST_PRICE:
        raise Rejected(
            "bad_price",
            f"A price is {LOWEST_PRICE} to {HIGHEST_PRICE}, and today this one can be {lowest} to "
            f"{highest}.",
            lowest=lowest,
            limit=highest,
        )
    if price == variant.price:
        raise Rejected("no_change", f"The price is {variant.price} already.", price=variant.price)
    if not lowest <= price <= highest:
        raise Rejected(
            "price_jump",
            f"A price may move by at most half in a day. When today began it was {before}, so it "
            f"can be {lowest} to {highest}.",
            lowest=lowest,
            limit=highest,
        )
    return db.variants.update(variant_id, price=price, priced_on=db.today(), price_before=before)


def restock_variant(db: Database, variant_id: VariantId, quantity: int) -> Variant:
    """Book units that have arrived at the warehouse into a variant's stock.

    Args:
        variant_id: The variant.
        quantity: Units that arrived, 1 to 100000.

    Raises:
        Rejected: The variant is unknown or its product discontinued.
        Rejected: The quantity is below 1 or above 100000.
    """
    variant = _sold_variant(db, variant_id)
    if not 1 <= quantity <= MAX_DELIVERY:
        raise Rejected(
            "bad_quantity", f"The quantity must be 1 to {MAX_DELIVERY}.", limit=MAX_DELIVERY
        )
    return db.variants.update(variant_id, stock=variant.stock + quantity)
