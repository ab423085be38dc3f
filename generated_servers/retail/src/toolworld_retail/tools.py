"""The tools of Online shop: what an agent can do, one function each.

Each runs in a transaction over the database it is given: on any error nothing is changed.
"""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from .errors import Rejected
from .models import (
    Address,
    AdjustmentReason,
    CancelReason,
    Carrier,
    Cart,
    CartId,
    CartLine,
    CartQuote,
    CaseMessage,
    CasePriority,
    CaseStatus,
    CaseTopic,
    Category,
    Customer,
    CustomerId,
    Database,
    Exchange,
    ExchangeId,
    ExchangeStatus,
    Finding,
    GiftCard,
    GiftCardId,
    ItemCondition,
    MessageAuthor,
    Order,
    OrderId,
    OrderLine,
    OrderStatus,
    OrderSummary,
    PaidPart,
    Payment,
    PaymentMethod,
    PaymentMethodId,
    PaymentMethodKind,
    Product,
    ProductId,
    ProductReturn,
    ProductReturnId,
    Promotion,
    PromotionKind,
    QuoteLine,
    RatingSummary,
    RefundPart,
    RefundReason,
    RefundTarget,
    ReturnItem,
    ReturnLine,
    ReturnQuote,
    ReturnReason,
    ReturnStatus,
    Review,
    ReviewId,
    Shipment,
    ShippingMethod,
    SpendingSummary,
    SupportCase,
    SupportCaseId,
    Variant,
    VariantId,
)
from .values import Money, Page, contains, money, page

SHIPPING_FEES = {
    "standard": Decimal("5.95"),
    "express": Decimal("12.95"),
    "overnight": Decimal("24.95"),
}
SHIPPING_DAYS = {"standard": 5, "express": 2, "overnight": 1}
FREE_SHIPPING_FROM = Decimal("75.00")
RETURN_FEE = Decimal("6.95")
OPENED_RATE = Decimal("0.85")
FAULTS = ("defective", "wrong_item", "damaged_in_transit")
FAULT_DAYS = 60
GOLD_EXTRA_DAYS = 15
PRICE_ADJUSTMENT_DAYS = 14
GIFT_CARD_DAYS = 1825
MAX_ADDRESSES = 8
MAX_CART_LINES = 30
MAX_LINE_QUANTITY = 20
MAX_STOCK = 100000
MAX_MESSAGE = 4000
UNDER_WAY = ("pending", "paid", "part_shipped", "shipped")
OPEN_RETURNS = ("requested", "received", "inspected")


def _text(value: str, what: str, longest: int) -> str:
    text = value.strip()
    if not text or len(text) > longest:
        raise Rejected(f"The {what} must be 1 to {longest} characters long.")
    return text


def _email(value: str) -> str:
    email = _text(value, "e-mail address", 120).lower()
    parts = email.split("@")
    sound = len(parts) == 2 and parts[0] and "." in parts[1]
    if not sound or any(letter.isspace() for letter in email):
        raise Rejected(f'"{email}" is not an e-mail address. Ask for one like "ann@example.com".')
    return email


def _digits(value: str, count: int) -> bool:
    return len(value) == count and all(letter in "0123456789" for letter in value)


def _postal(address: Address) -> Address:
    postcode = address.postcode.strip()
    state = address.state.strip().upper()
    if not _digits(postcode, 5):
        raise Rejected("The postcode must be a five-digit ZIP code.")
    if len(state) != 2 or not state.isalpha():
        raise Rejected('The state must be two letters, such as "OR".')
    return Address(
        label=_text(address.label, "address label", 30).lower(),
        street=_text(address.street, "street", 120),
        city=_text(address.city, "city", 80),
        state=state,
        postcode=postcode,
    )


def _active_customer(db: Database, customer_id: CustomerId) -> Customer:
    customer = db.customers.get(customer_id)
    if customer.status != "active":
        raise Rejected(f"The account {customer_id} is closed and cannot be changed or used to buy.")
    return customer


def _check_email_free(db: Database, email: str) -> None:
    if db.customers.where(email=email):
        raise Rejected(f'There is already an account for "{email}". Use that account.')


def _saved_address(customer: Customer, label: str | None) -> Address:
    wanted = customer.default_address if label is None else label.strip().lower()
    for address in customer.addresses:
        if address.label == wanted:
            return address
    labels = ", ".join(address.label for address in customer.addresses)
    raise Rejected(f'The customer has no address called "{wanted}". Saved are: {labels}.')


def _usable_method(
    db: Database, customer_id: CustomerId, payment_method_id: PaymentMethodId
) -> PaymentMethod:
    method = db.payment_methods.get(payment_method_id)
    if method.customer_id != customer_id:
        raise Rejected(f"{payment_method_id} is not saved by {customer_id}. Use one of their own.")
    if method.expires_on is not None and method.expires_on < db.today():
        raise Rejected(f"The card {payment_method_id} expired on {method.expires_on}. Use another.")
    return method


def _item(product: Product, variant: Variant) -> str:
    options = ", ".join(option.value for option in variant.options)
    return f"{product.name} ({options})" if options else product.name


def find_customer_by_email(db: Database, email: str) -> Customer:
    """Find a customer by e-mail address.

    Args:
        email: The address of the account, in any case, such as "ann.lee3@example.com".

    Raises:
        Rejected: No account has that address.
    """
    found = db.customers.where(email=email.strip().lower())
    if not found:
        raise Rejected("No account has that e-mail address. Ask for another, or name and postcode.")
    return found[0]


def find_customer_by_name(db: Database, first_name: str, last_name: str, postcode: str) -> Customer:
    """Find a customer by full name and the postcode of any saved address.

    Args:
        first_name: First name, in any case.
        last_name: Last name, in any case.
        postcode: Five-digit ZIP code of one of the customer's addresses.

    Raises:
        Rejected: Nobody fits.
        Rejected: Several customers fit.
    """
    wanted = (first_name.strip().lower(), last_name.strip().lower())
    found = [
        customer
        for customer in db.customers.all()
        if (customer.first_name.lower(), customer.last_name.lower()) == wanted
        and any(address.postcode == postcode.strip() for address in customer.addresses)
    ]
    if not found:
        raise Rejected("No customer has that name and postcode. Ask for the e-mail address.")
    if len(found) > 1:
        raise Rejected("Several customers fit that name and postcode. Ask for the e-mail address.")
    return found[0]


def get_customer(db: Database, customer_id: CustomerId) -> Customer:
    """Show a customer with addresses, contact details and tier.

    Args:
        customer_id: The customer, as an order, return or case names them.

    Raises:
        Rejected: The customer is unknown.
    """
    return db.customers.get(customer_id)


def create_customer(
    db: Database, first_name: str, last_name: str, email: str, phone: str, address: Address
) -> Customer:
    """Open an account with one address, which becomes the default.

    Args:
        first_name: First name.
        last_name: Last name.
        email: E-mail address; no other account may have it.
        phone: Telephone number.
        address: The first address.

    Raises:
        Rejected: A name, the phone or the address is empty, too long or badly formed.
        Rejected: The e-mail address is badly formed or taken.
    """
    wanted = _email(email)
    _check_email_free(db, wanted)
    first = _postal(address)
    return db.customers.add(
        first_name=_text(first_name, "first name", 60),
        last_name=_text(last_name, "last name", 60),
        email=wanted,
        phone=_text(phone, "phone number", 30),
        tier="standard",
        status="active",
        addresses=[first],
        default_address=first.label,
        marketing_opt_in=False,
        joined_on=db.today(),
    )


def update_customer_contact(
    db: Database,
    customer_id: CustomerId,
    email: str | None = None,
    phone: str | None = None,
    marketing_opt_in: bool | None = None,
) -> Customer:
    """Change a customer's e-mail address, phone number or newsletter choice.

    Args:
        customer_id: The customer.
        email: The new e-mail address; left out, it stays.
        phone: The new phone number; left out, it stays.
        marketing_opt_in: Whether to send the newsletter; left out, it stays.

    Raises:
        Rejected: The customer is unknown or the account closed.
        Rejected: Nothing is to change.
        Rejected: The e-mail address or phone number is badly formed, or the address taken.
    """
    customer = _active_customer(db, customer_id)
    wanted = customer.email if email is None else _email(email)
    number = customer.phone if phone is None else _text(phone, "phone number", 30)
    letters = customer.marketing_opt_in if marketing_opt_in is None else marketing_opt_in
    if (wanted, number, letters) == (customer.email, customer.phone, customer.marketing_opt_in):
        raise Rejected("Nothing would change. Give a new e-mail, phone or newsletter choice.")
    if wanted != customer.email:
        _check_email_free(db, wanted)
    return db.customers.update(customer_id, email=wanted, phone=number, marketing_opt_in=letters)


def save_customer_address(
    db: Database, customer_id: CustomerId, address: Address, make_default: bool = False
) -> Customer:
    """Add an address to an account, or replace the one with the same label.

    Args:
        customer_id: The customer.
        address: The address; its label says which one it replaces.
        make_default: Whether orders go there unless another address is named.

    Raises:
        Rejected: The customer is unknown or the account closed.
        Rejected: The address is badly formed.
        Rejected: The account already has 8 addresses and none with that label.
    """
    customer = _active_customer(db, customer_id)
    new = _postal(address)
    known = any(old.label == new.label for old in customer.addresses)
    if not known and len(customer.addresses) >= MAX_ADDRESSES:
        raise Rejected(f"The account has {MAX_ADDRESSES} addresses. Replace one by its label.")
    addresses = [new if old.label == new.label else old for old in customer.addresses]
    if not known:
        addresses = [*addresses, new]
    label = new.label if make_default else customer.default_address
    return db.customers.update(customer_id, addresses=addresses, default_address=label)


def close_customer_account(db: Database, customer_id: CustomerId) -> Customer:
    """Close an account for good; an open cart is given up.

    Args:
        customer_id: The customer.

    Raises:
        Rejected: The customer is unknown or the account already closed.
        Rejected: An order, return, exchange or support case is still under way.
        Rejected: A gift card that may be used still has money on it.
    """
    _active_customer(db, customer_id)
    if any(order.status in UNDER_WAY for order in db.orders.where(customer_id=customer_id)):
        raise Rejected("An order is still under way. Wait for it or cancel it first.")
    if any(back.status in OPEN_RETURNS for back in db.returns.where(customer_id=customer_id)):
        raise Rejected("A return is still under way. Finish or cancel it first.")
    if any(swap.status == "requested" for swap in db.exchanges.where(customer_id=customer_id)):
        raise Rejected("An exchange is still under way. Complete or cancel it first.")
    if any(case.status != "resolved" for case in db.cases.where(customer_id=customer_id)):
        raise Rejected("A support case is not resolved. Resolve it first.")
    cards = db.gift_cards.where(customer_id=customer_id)
    if any(card.balance > 0 and _card_problem(db, card) is None for card in cards):
        raise Rejected("A gift card still has money on it. It must be spent or expire first.")
    cart = _find_open_cart(db, customer_id)
    if cart is not None:
        db.carts.update(cart.cart_id, status="abandoned", updated_at=db.now())
    return db.customers.update(customer_id, status="closed")


def list_payment_methods(
    db: Database, customer_id: CustomerId, cursor: str | None = None, limit: int = 50
) -> Page[PaymentMethod]:
    """List a customer's saved cards and PayPal accounts, in id order, expired ones included.

    Args:
        customer_id: The customer.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The customer is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.customers.get(customer_id)
    return page(db.payment_methods.where(customer_id=customer_id), cursor, limit)


def add_payment_method(
    db: Database,
    customer_id: CustomerId,
    kind: PaymentMethodKind,
    last_four: str | None = None,
    expires_on: date | None = None,
) -> PaymentMethod:
    """Save a card or PayPal account for a customer.

    Args:
        customer_id: The customer.
        kind: Card brand or PayPal.
        last_four: The card's last four digits; left out for PayPal.
        expires_on: The card's last valid day; left out for PayPal.

    Raises:
        Rejected: The customer is unknown or the account closed.
        Rejected: A card comes without four digits or expiry date, or PayPal with them.
        Rejected: The card has expired.
        Rejected: The customer has saved the same one already.
    """
    _active_customer(db, customer_id)
    if kind == "paypal" and (last_four is not None or expires_on is not None):
        raise Rejected("PayPal has no card digits or expiry date. Leave both out.")
    if kind != "paypal" and (last_four is None or expires_on is None):
        raise Rejected("A card needs its last four digits and its expiry date.")
    if last_four is not None and not _digits(last_four, 4):
        raise Rejected('The last four digits must be four digits, such as "4242".')
    if expires_on is not None and expires_on < db.today():
        raise Rejected("The card has expired. Ask for another.")
    saved = db.payment_methods.where(customer_id=customer_id)
    if any(
        (old.kind, old.last_four, old.expires_on) == (kind, last_four, expires_on) for old in saved
    ):
        raise Rejected("The customer has saved that payment method already. Use it.")
    return db.payment_methods.add(
        customer_id=customer_id,
        kind=kind,
        last_four=last_four,
        expires_on=expires_on,
        added_on=db.today(),
    )


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
        query: Words that stand in the name, brand or description; left out, all.
        category: Only this department.
        max_price: Only products with a variant at this price or below.
        in_stock_only: Only products with such a variant in stock.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The cursor or limit is bad.
    """
    words = "" if query is None else query.strip()
    found = [
        product
        for product in db.products.all()
        if product.status == "active"
        and (category is None or product.category == category)
        and contains(f"{product.name} {product.brand} {product.description}", words)
        and _offers(db, product, max_price, in_stock_only)
    ]
    return page(found, cursor, limit)


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
        in_stock_only: Only variants that can be delivered now.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The product is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.products.get(product_id)
    variants = db.variants.where(product_id=product_id)
    return page([row for row in variants if row.stock > 0 or not in_stock_only], cursor, limit)


def find_variant_by_sku(db: Database, sku: str) -> Variant:
    """Find a variant by the stock-keeping code on its label.

    Args:
        sku: The code, in any case, such as "FOO-0001-NAV-42".

    Raises:
        Rejected: No variant has that code.
    """
    found = db.variants.where(sku=sku.strip().upper())
    if not found:
        raise Rejected("No variant has that code. Check it, or search the products by name.")
    return found[0]


def get_variant(db: Database, variant_id: VariantId) -> Variant:
    """Show a variant with its product, options, price and stock.

    Args:
        variant_id: The variant, as an order line or a cart names it.

    Raises:
        Rejected: The variant is unknown.
    """
    return db.variants.get(variant_id)


def _sold_variant(db: Database, variant_id: VariantId) -> Variant:
    variant = db.variants.get(variant_id)
    product = db.products.get(variant.product_id)
    if product.status != "active":
        raise Rejected(f'"{product.name}" is discontinued. Choose another product.')
    return variant


def set_variant_price(db: Database, variant_id: VariantId, price: Money) -> Variant:
    """Change a variant's price; placed orders keep theirs.

    Args:
        variant_id: The variant.
        price: The new price of one unit, tax included, 1.00 to 10000.00.

    Raises:
        Rejected: The variant is unknown or its product discontinued.
        Rejected: The price is out of bounds or the same as now.
        Rejected: The price would move by more than half.
    """
    variant = _sold_variant(db, variant_id)
    if not 1 <= price <= 10000:
        raise Rejected("A price must be 1.00 to 10000.00.")
    if price == variant.price:
        raise Rejected(f"The price is {variant.price} already.")
    if abs(price - variant.price) * 2 > variant.price:
        raise Rejected("A price may move by at most half at a time. Choose one nearer.")
    return db.variants.update(variant_id, price=price)


def restock_variant(db: Database, variant_id: VariantId, quantity: int) -> Variant:
    """Book units that have arrived at the warehouse into a variant's stock.

    Args:
        variant_id: The variant.
        quantity: Units that arrived, at least 1.

    Raises:
        Rejected: The variant is unknown or its product discontinued.
        Rejected: The quantity is below 1, or stock would pass 100000.
    """
    variant = _sold_variant(db, variant_id)
    if quantity < 1 or variant.stock + quantity > MAX_STOCK:
        raise Rejected(f"The quantity must be at least 1, and stock at most {MAX_STOCK} after it.")
    return db.variants.update(variant_id, stock=variant.stock + quantity)


def _find_promotion(db: Database, code: str) -> Promotion:
    found = db.promotions.where(code=code.strip().upper())
    if not found:
        raise Rejected("No promotion has that code. Check the spelling.")
    return found[0]


def list_promotions(
    db: Database,
    category: Category | None = None,
    running_only: bool = True,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Promotion]:
    """List promotions in id order.

    Args:
        category: Only those that cover this department, store-wide ones included.
        running_only: Only those that run today and have uses left.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The cursor or limit is bad.
    """
    found = [
        promotion
        for promotion in db.promotions.all()
        if (category is None or promotion.category in (None, category))
        and (not running_only or _promotion_runs(db, promotion))
    ]
    return page(found, cursor, limit)


def _promotion_runs(db: Database, promotion: Promotion) -> bool:
    in_time = promotion.starts_on <= db.today() <= promotion.ends_on
    return in_time and (promotion.max_uses is None or promotion.uses < promotion.max_uses)


def _check_promotion_value(
    kind: PromotionKind, percent: int | None, amount: Decimal | None, minimum_spend: Decimal
) -> None:
    if (kind == "percent") != (percent is not None) or (kind == "amount") != (amount is not None):
        raise Rejected("Give percent for percent, amount for amount, and neither for shipping.")
    if percent is not None and not 1 <= percent <= 80:
        raise Rejected("A percentage must be 1 to 80.")
    if not 0 <= minimum_spend <= 10000:
        raise Rejected("The minimum spend must be 0 to 10000.")
    if amount is not None and not 0 < amount * 2 <= minimum_spend:
        raise Rejected("An amount must be above 0 and at most half the minimum spend.")


def create_promotion(
    db: Database,
    code: str,
    title: str,
    kind: PromotionKind,
    starts_on: date,
    ends_on: date,
    percent: int | None = None,
    amount: Money | None = None,
    minimum_spend: Money | None = None,
    category: Category | None = None,
    max_uses: int | None = None,
    once_per_customer: bool = False,
) -> Promotion:
    """Set up a promotion code.

    Args:
        code: The code, 4 to 20 letters and digits; kept in capitals.
        title: What it offers, in a line.
        kind: What it takes off.
        starts_on: First day, today or later.
        ends_on: Last day, at most a year after the first.
        percent: Percent off the lines, 1 to 80; only for kind percent.
        amount: Amount off the lines, at most half the minimum spend; only for kind amount.
        minimum_spend: What the lines it covers must be worth; left out, nothing.
        category: The only department it covers; left out, all.
        max_uses: How many orders may use it; left out, any number.
        once_per_customer: Whether a customer may use it on one order only.

    Raises:
        Rejected: The code or title is badly formed, or the code is taken.
        Rejected: Percent, amount or minimum spend do not fit the kind.
        Rejected: The dates are past, in the wrong order or more than a year apart.
        Rejected: The number of uses is below 1.
    """
    wanted = code.strip().upper()
    if not 4 <= len(wanted) <= 20 or not (wanted.isascii() and wanted.isalnum()):
        raise Rejected("A code must be 4 to 20 letters and digits.")
    if db.promotions.where(code=wanted):
        raise Rejected(f"The code {wanted} is taken. Choose another.")
    minimum = Decimal(0) if minimum_spend is None else minimum_spend
    _check_promotion_value(kind, percent, amount, minimum)
    if not db.today() <= starts_on <= ends_on or (ends_on - starts_on).days > 366:
        raise Rejected("A promotion starts today or later and ends within a year of its start.")
    if max_uses is not None and max_uses < 1:
        raise Rejected("The number of uses must be at least 1.")
    return db.promotions.add(
        code=wanted,
        title=_text(title, "title", 120),
        kind=kind,
        percent=percent,
        amount=amount,
        minimum_spend=minimum,
        category=category,
        starts_on=starts_on,
        ends_on=ends_on,
        max_uses=max_uses,
        uses=0,
        once_per_customer=once_per_customer,
    )


def _find_open_cart(db: Database, customer_id: CustomerId) -> Cart | None:
    carts = [cart for cart in db.carts.where(customer_id=customer_id) if cart.status == "open"]
    return carts[0] if carts else None


def _open_cart(db: Database, cart_id: CartId) -> Cart:
    cart = db.carts.get(cart_id)
    if cart.status != "open":
        raise Rejected(f"The cart {cart_id} is {cart.status}. Use the customer's open cart.")
    return cart


def _check_wanted(db: Database, variant_id: VariantId, quantity: int) -> None:
    variant = _sold_variant(db, variant_id)
    if not 1 <= quantity <= MAX_LINE_QUANTITY:
        raise Rejected(f"A cart line holds 1 to {MAX_LINE_QUANTITY} units.")
    if quantity > variant.stock:
        raise Rejected(
            f"Only {variant.stock} of {variant.sku} are in stock. Take fewer or another."
        )


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
            f"{promotion.code} runs from {promotion.starts_on} to {promotion.ends_on}, not today."
        )
    if promotion.max_uses is not None and promotion.uses >= promotion.max_uses:
        raise Rejected(f"{promotion.code} has been used up. Take it off or try another.")
    if promotion.once_per_customer and any(
        order.promotion_id == promotion.promotion_id and order.status != "cancelled"
        for order in db.orders.where(customer_id=cart.customer_id)
    ):
        raise Rejected(f"The customer has used {promotion.code} before; it works once.")
    worth = sum(_covered_worth(db, promotion, cart), Decimal(0))
    if worth == 0:
        raise Rejected(f"Nothing in the cart is covered by {promotion.code}.")
    if worth < promotion.minimum_spend:
        raise Rejected(
            f"{promotion.code} needs goods it covers worth {promotion.minimum_spend}; "
            f"the cart has {worth}."
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


def _shipping_fee(db: Database, cart: Cart, method: ShippingMethod, worth: Decimal) -> Decimal:
    if method == "standard":
        tier = db.customers.get(cart.customer_id).tier
        free = cart.promotion_id is not None and (
            db.promotions.get(cart.promotion_id).kind == "free_shipping"
        )
        if free or tier == "gold" or worth >= FREE_SHIPPING_FROM:
            return Decimal(0)
    return SHIPPING_FEES[method]


def _quote_line(db: Database, line: CartLine, discount: Decimal) -> QuoteLine:
    variant = db.variants.get(line.variant_id)
    product = db.products.get(variant.product_id)
    return QuoteLine(
        variant_id=line.variant_id,
        item=_item(product, variant),
        quantity=line.quantity,
        unit_price=variant.price,
        discount=discount,
        in_stock=product.status == "active" and variant.stock >= line.quantity,
    )


def _quote(db: Database, cart: Cart, method: ShippingMethod) -> CartQuote:
    discounts = _discounts(db, cart)
    subtotal = sum((_worth(db, line) for line in cart.lines), Decimal(0))
    discount = sum(discounts, Decimal(0))
    fee = _shipping_fee(db, cart, method, subtotal - discount)
    code = None if cart.promotion_id is None else db.promotions.get(cart.promotion_id).code
    return CartQuote(
        cart_id=cart.cart_id,
        promotion_code=code,
        lines=tuple(
            _quote_line(db, line, discounts[place]) for place, line in enumerate(cart.lines)
        ),
        subtotal=subtotal,
        discount=discount,
        shipping_method=method,
        shipping_fee=fee,
        total=subtotal - discount + fee,
    )


def quote_cart(
    db: Database, customer_id: CustomerId, shipping_method: ShippingMethod = "standard"
) -> CartQuote:
    """Show a customer's open cart with prices, discount, shipping and total.

    Args:
        customer_id: The customer.
        shipping_method: How the order would travel.

    Raises:
        Rejected: The customer is unknown or has no open cart.
        Rejected: The promotion on the cart no longer applies.
    """
    db.customers.get(customer_id)
    cart = _find_open_cart(db, customer_id)
    if cart is None:
        raise Rejected("The customer has no open cart. Put something in one first.")
    if cart.promotion_id is not None:
        _check_promotion(db, db.promotions.get(cart.promotion_id), cart)
    return _quote(db, cart, shipping_method)


def _with_quantity(
    lines: tuple[CartLine, ...], variant_id: VariantId, quantity: int
) -> list[CartLine]:
    kept = [
        line.replace(quantity=quantity) if line.variant_id == variant_id else line for line in lines
    ]
    if all(line.variant_id != variant_id for line in lines):
        kept = [*kept, CartLine(variant_id=variant_id, quantity=quantity)]
    return [line for line in kept if line.quantity > 0]


def add_to_cart(
    db: Database, customer_id: CustomerId, variant_id: VariantId, quantity: int = 1
) -> Cart:
    """Put units of a variant into a customer's open cart, beginning one if there is none.

    Args:
        customer_id: The customer.
        variant_id: The variant.
        quantity: Units to add to those already in the cart.

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
        raise Rejected("The quantity must be at least 1.")
    _check_wanted(db, variant_id, held + quantity)
    if held == 0 and len(lines) >= MAX_CART_LINES:
        raise Rejected(f"A cart holds {MAX_CART_LINES} lines. Check this one out first.")
    new_lines = _with_quantity(lines, variant_id, held + quantity)
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
        Rejected: The quantity is out of bounds or more than is in stock.
    """
    cart = _open_cart(db, cart_id)
    held = sum(line.quantity for line in cart.lines if line.variant_id == variant_id)
    if held == 0:
        raise Rejected(f"{variant_id} is not in the cart. Add it instead.")
    if held == quantity:
        raise Rejected(f"The cart holds {quantity} of it already.")
    if quantity != 0:
        _check_wanted(db, variant_id, quantity)
    lines = _with_quantity(cart.lines, variant_id, quantity)
    return db.carts.update(cart_id, lines=lines, updated_at=db.now())


def apply_promotion(db: Database, cart_id: CartId, code: str | None = None) -> Cart:
    """Put a promotion code on an open cart in place of any other, or take it off.

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
            raise Rejected("The cart has no promotion to take off. Give a code to put one on.")
        return db.carts.update(cart_id, promotion_id=None, updated_at=db.now())
    promotion = _find_promotion(db, code)
    if promotion.promotion_id == cart.promotion_id:
        raise Rejected(f"{promotion.code} is on the cart already.")
    _check_promotion(db, promotion, cart)
    return db.carts.update(cart_id, promotion_id=promotion.promotion_id, updated_at=db.now())


def _order_lines(quote: CartQuote) -> list[OrderLine]:
    return [
        OrderLine(
            line_number=number,
            variant_id=line.variant_id,
            item=line.item,
            quantity=line.quantity,
            unit_price=line.unit_price,
            discount=line.discount,
            status="open",
            returned=0,
            exchanged=0,
        )
        for number, line in enumerate(quote.lines, 1)
    ]


def check_out_cart(
    db: Database,
    cart_id: CartId,
    address_label: str | None = None,
    shipping_method: ShippingMethod = "standard",
) -> Order:
    """Turn an open cart into a pending order and set its stock aside; the order is then to be paid.

    Args:
        cart_id: The cart.
        address_label: Which saved address it goes to; left out, the default one.
        shipping_method: How it travels.

    Raises:
        Rejected: The cart is unknown, no longer open or empty, or the account closed.
        Rejected: The customer has no address with that label.
        Rejected: The promotion on the cart no longer applies.
        Rejected: Something in the cart is discontinued or out of stock.
    """
    cart = _open_cart(db, cart_id)
    customer = _active_customer(db, cart.customer_id)
    ship_to = _saved_address(customer, address_label)
    if not cart.lines:
        raise Rejected("The cart is empty. Put something in it first.")
    for line in cart.lines:
        _check_wanted(db, line.variant_id, line.quantity)
    if cart.promotion_id is not None:
        promotion = db.promotions.get(cart.promotion_id)
        _check_promotion(db, promotion, cart)
        db.promotions.update(promotion.promotion_id, uses=promotion.uses + 1)
    quote = _quote(db, cart, shipping_method)
    order = db.orders.add(
        customer_id=cart.customer_id,
        status="pending",
        lines=_order_lines(quote),
        subtotal=quote.subtotal,
        discount=quote.discount,
        shipping_method=shipping_method,
        shipping_fee=quote.shipping_fee,
        total=quote.total,
        ship_to=ship_to,
        promotion_id=cart.promotion_id,
        placed_at=db.now(),
    )
    for line in cart.lines:
        _add_stock(db, line.variant_id, -line.quantity)
    db.carts.update(cart_id, status="checked_out", order_id=order.order_id, updated_at=db.now())
    return order


def _add_stock(db: Database, variant_id: VariantId, quantity: int) -> None:
    variant = db.variants.get(variant_id)
    db.variants.update(variant_id, stock=variant.stock + quantity)


def get_order(db: Database, order_id: OrderId) -> Order:
    """Show an order with its lines.

    Args:
        order_id: The order number, such as "ORD-00042".

    Raises:
        Rejected: The order is unknown.
    """
    return db.orders.get(order_id)


def list_customer_orders(
    db: Database,
    customer_id: CustomerId,
    status: OrderStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Order]:
    """List a customer's orders, newest first.

    Args:
        customer_id: The customer.
        status: Only orders in this status.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The customer is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.customers.get(customer_id)
    orders = [
        order
        for order in db.orders.where(customer_id=customer_id)
        if status is None or order.status == status
    ]
    return page(sorted(orders, key=lambda order: order.placed_at, reverse=True), cursor, limit)


def search_orders(
    db: Database,
    status: OrderStatus | None = None,
    placed_from: date | None = None,
    placed_to: date | None = None,
    minimum_total: Money | None = None,
    state: str | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Order]:
    """Search all orders by status, day, total and destination, oldest first.

    Args:
        status: Only orders in this status.
        placed_from: Only orders placed on this day or later.
        placed_to: Only orders placed on this day or earlier.
        minimum_total: Only orders with at least this total.
        state: Only orders that go to this state, such as "OR".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The first day is after the last.
        Rejected: The cursor or limit is bad.
    """
    if placed_from is not None and placed_to is not None and placed_from > placed_to:
        raise Rejected("The first day is after the last. Swap them.")
    found = [
        order
        for order in db.orders.all()
        if (status is None or order.status == status)
        and (placed_from is None or order.placed_at.date() >= placed_from)
        and (placed_to is None or order.placed_at.date() <= placed_to)
        and (minimum_total is None or order.total >= minimum_total)
        and (state is None or order.ship_to.state == state.strip().upper())
    ]
    return page(sorted(found, key=lambda order: order.placed_at), cursor, limit)


def _units(order: Order) -> int:
    return sum(line.quantity for line in order.lines if line.status != "cancelled")


def _paid(db: Database, order_id: OrderId) -> Decimal:
    return sum((payment.amount for payment in db.payments.where(order_id=order_id)), Decimal(0))


def _refunded(db: Database, order_id: OrderId) -> Decimal:
    return sum((payment.refunded for payment in db.payments.where(order_id=order_id)), Decimal(0))


def _due(db: Database, order: Order) -> Decimal:
    return order.total - _paid(db, order.order_id) if order.status == "pending" else Decimal(0)


def _delivered_on(db: Database, order_id: OrderId, line_number: int | None = None) -> date | None:
    days = [
        parcel.delivered_at.date()
        for parcel in db.shipments.where(order_id=order_id)
        if parcel.delivered_at is not None
        and (line_number is None or line_number in parcel.line_numbers)
    ]
    return max(days) if days else None


def _summary(db: Database, order: Order) -> OrderSummary:
    order_id = order.order_id
    return OrderSummary(
        order_id=order_id,
        status=order.status,
        units=_units(order),
        total=order.total,
        paid=_paid(db, order_id),
        refunded=_refunded(db, order_id),
        due=_due(db, order),
        payments=tuple(
            PaidPart(
                payment_id=payment.payment_id,
                payment_method_id=payment.payment_method_id,
                gift_card_id=payment.gift_card_id,
                amount=payment.amount,
                refunded=payment.refunded,
            )
            for payment in db.payments.where(order_id=order_id)
        ),
        refunds=tuple(
            RefundPart(
                payment_id=refund.payment_id,
                gift_card_id=refund.gift_card_id,
                amount=refund.amount,
                reason=refund.reason,
                refunded_on=refund.refunded_at.date(),
            )
            for refund in db.refunds.where(order_id=order_id)
        ),
        delivered_on=_delivered_on(db, order_id),
        open_returns=sum(
            1 for row in db.returns.where(order_id=order_id) if row.status in OPEN_RETURNS
        ),
        open_exchanges=sum(
            1 for row in db.exchanges.where(order_id=order_id) if row.status == "requested"
        ),
    )


def summarize_order(db: Database, order_id: OrderId) -> OrderSummary:
    """Show what of an order is paid, refunded, due, delivered and coming back.

    Args:
        order_id: The order number.

    Raises:
        Rejected: The order is unknown.
    """
    return _summary(db, db.orders.get(order_id))


def summarize_spending(
    db: Database,
    customer_id: CustomerId,
    placed_from: date | None = None,
    placed_to: date | None = None,
) -> SpendingSummary:
    """Add up what a customer paid and got back for orders placed over a time.

    Args:
        customer_id: The customer.
        placed_from: Only orders placed on this day or later.
        placed_to: Only orders placed on this day or earlier.

    Raises:
        Rejected: The customer is unknown.
        Rejected: The first day is after the last.
    """
    db.customers.get(customer_id)
    if placed_from is not None and placed_to is not None and placed_from > placed_to:
        raise Rejected("The first day is after the last. Swap them.")
    orders = [
        order
        for order in db.orders.where(customer_id=customer_id)
        if (placed_from is None or order.placed_at.date() >= placed_from)
        and (placed_to is None or order.placed_at.date() <= placed_to)
    ]
    kept = [order for order in orders if order.status != "cancelled"]
    paid = sum((_paid(db, order.order_id) for order in kept), Decimal(0))
    refunded = sum((_refunded(db, order.order_id) for order in kept), Decimal(0))
    return SpendingSummary(
        customer_id=customer_id,
        orders=len(kept),
        cancelled_orders=len(orders) - len(kept),
        units=sum(_units(order) for order in kept),
        paid=paid,
        refunded=refunded,
        net=paid - refunded,
    )


def _store_credit(db: Database, customer_id: CustomerId) -> GiftCard:
    return db.gift_cards.add(
        customer_id=customer_id,
        status="active",
        loaded=Decimal(0),
        balance=Decimal(0),
        issued_on=db.today(),
        expires_on=db.today() + timedelta(days=GIFT_CARD_DAYS),
    )


def _card_for_refund(db: Database, order: Order, payment: Payment) -> GiftCardId | None:
    # Money from a gift card goes back to it, unless it can no longer be used.
    if payment.gift_card_id is None:
        return None
    if _card_problem(db, db.gift_cards.get(payment.gift_card_id)) is None:
        return payment.gift_card_id
    return _store_credit(db, order.customer_id).gift_card_id


def _refund_part(
    db: Database,
    payment: Payment,
    amount: Decimal,
    card_id: GiftCardId | None,
    reason: RefundReason,
    return_id: ProductReturnId | None,
) -> None:
    refunded = payment.refunded + amount
    db.payments.update(
        payment.payment_id,
        refunded=refunded,
        status="refunded" if refunded == payment.amount else "part_refunded",
    )
    db.refunds.add(
        order_id=payment.order_id,
        payment_id=payment.payment_id,
        return_id=return_id,
        gift_card_id=card_id,
        amount=amount,
        reason=reason,
        refunded_at=db.now(),
    )
    if card_id is not None:
        db.gift_cards.update(card_id, balance=db.gift_cards.get(card_id).balance + amount)


def _refundable(db: Database, order_id: OrderId) -> Decimal:
    return _paid(db, order_id) - _refunded(db, order_id)


def _pay_back(
    db: Database,
    order: Order,
    amount: Decimal,
    reason: RefundReason,
    refund_to: RefundTarget = "original_payment",
    return_id: ProductReturnId | None = None,
) -> None:
    # Saved methods get their money back before gift cards do.
    payments = sorted(
        db.payments.where(order_id=order.order_id),
        key=lambda row: (row.gift_card_id is not None, row.paid_at, row.amount),
    )
    credit = None
    if refund_to == "gift_card" and amount > 0:
        credit = _store_credit(db, order.customer_id).gift_card_id
    left = amount
    for payment in payments:
        part = min(left, payment.amount - payment.refunded)
        if part > 0:
            card_id = _card_for_refund(db, order, payment) if credit is None else credit
            _refund_part(db, payment, part, card_id, reason, return_id)
            left -= part


def _release_promotion(db: Database, order: Order) -> None:
    if order.promotion_id is not None:
        promotion = db.promotions.get(order.promotion_id)
        db.promotions.update(promotion.promotion_id, uses=promotion.uses - 1)


def cancel_order(
    db: Database,
    order_id: OrderId,
    reason: CancelReason,
    refund_to: RefundTarget = "original_payment",
) -> Order:
    """Cancel an order of which nothing has shipped; stock goes back and so does the money.

    Args:
        order_id: The order number.
        reason: Why it is cancelled.
        refund_to: Where the money goes.

    Raises:
        Rejected: The order is unknown.
        Rejected: Something of it has shipped, or it is cancelled already.
    """
    order = db.orders.get(order_id)
    if order.status not in ("pending", "paid"):
        raise Rejected(
            f"The order is {order.status}. Only one of which nothing has shipped can be cancelled."
        )
    for line in order.lines:
        if line.status == "open":
            _add_stock(db, line.variant_id, line.quantity)
    _release_promotion(db, order)
    _pay_back(db, order, _refundable(db, order_id), "cancellation", refund_to)
    return db.orders.update(
        order_id,
        status="cancelled",
        lines=[line.replace(status="cancelled") for line in order.lines],
        cancelled_at=db.now(),
        cancel_reason=reason,
    )


def _line(order: Order, line_number: int) -> OrderLine:
    if not 1 <= line_number <= len(order.lines):
        raise Rejected(f"The order has lines 1 to {len(order.lines)}. Look at it and choose one.")
    return order.lines[line_number - 1]


def _progress(db: Database, order_id: OrderId, lines: list[OrderLine]) -> OrderStatus:
    # How far an order is of which something has shipped.
    if any(line.status == "open" for line in lines):
        return "part_shipped"
    parcels = db.shipments.where(order_id=order_id)
    return "shipped" if any(row.status == "in_transit" for row in parcels) else "delivered"


def cancel_order_line(
    db: Database, order_id: OrderId, line_number: int, refund_to: RefundTarget = "original_payment"
) -> Order:
    """Cancel one line that has not shipped; the rest of the order and its shipping fee stay.

    Args:
        order_id: The order number.
        line_number: The line.
        refund_to: Where the money goes, if more was paid than the rest costs.

    Raises:
        Rejected: The order or the line is unknown.
        Rejected: The line has shipped or is cancelled already.
        Rejected: Nothing else is left in the order, so the whole of it should be cancelled.
        Rejected: Adjustments have used up what was paid for the line.
    """
    order = db.orders.get(order_id)
    line = _line(order, line_number)
    if line.status != "open":
        raise Rejected(f"Line {line_number} is {line.status}. Only an open line can be cancelled.")
    lines = [
        row.replace(status="cancelled") if row.line_number == line_number else row
        for row in order.lines
    ]
    if all(row.status == "cancelled" for row in lines):
        raise Rejected("It is the only line left. Cancel the whole order instead.")
    worth = line.unit_price * line.quantity
    total = order.total - worth + line.discount
    # What is paid beyond the new total goes back; a settled order has paid the line in full.
    excess = order.total - _due(db, order) - total
    if excess > _refundable(db, order_id):
        raise Rejected("Too much of the order has been refunded. Cancel the whole of it instead.")
    _add_stock(db, line.variant_id, line.quantity)
    _pay_back(db, order, max(excess, Decimal(0)), "cancellation", refund_to)
    status: OrderStatus = "pending" if excess < 0 else "paid"
    if any(row.status == "shipped" for row in lines):
        status = _progress(db, order_id, lines)
    return db.orders.update(
        order_id,
        status=status,
        lines=lines,
        subtotal=order.subtotal - worth,
        discount=order.discount - line.discount,
        total=total,
    )


def change_shipping_address(db: Database, order_id: OrderId, address_label: str) -> Order:
    """Send an order of which nothing has shipped to another saved address of the customer.

    Args:
        order_id: The order number.
        address_label: The label of the saved address, such as "work".

    Raises:
        Rejected: The order is unknown.
        Rejected: Something of it has shipped, or it is cancelled.
        Rejected: The customer has no address with that label, or it goes there already.
    """
    order = db.orders.get(order_id)
    if order.status not in ("pending", "paid"):
        raise Rejected(f"The order is {order.status}; its address can no longer be changed.")
    address = _saved_address(db.customers.get(order.customer_id), address_label)
    if address == order.ship_to:
        raise Rejected("The order goes to that address already.")
    return db.orders.update(order_id, ship_to=address)


def _payable(db: Database, order_id: OrderId) -> Order:
    order = db.orders.get(order_id)
    if order.status != "pending":
        raise Rejected(f"The order is {order.status}; there is nothing to pay.")
    return order


def pay_order(db: Database, order_id: OrderId, payment_method_id: PaymentMethodId) -> Payment:
    """Pay all that is due on a pending order with one of the customer's saved methods.

    Args:
        order_id: The order number.
        payment_method_id: The saved card or PayPal account.

    Raises:
        Rejected: The order is unknown or not pending.
        Rejected: The payment method is unknown, someone else's or expired.
    """
    order = _payable(db, order_id)
    _usable_method(db, order.customer_id, payment_method_id)
    payment = db.payments.add(
        order_id=order_id,
        payment_method_id=payment_method_id,
        amount=_due(db, order),
        refunded=Decimal(0),
        status="captured",
        paid_at=db.now(),
    )
    db.orders.update(order_id, status="paid")
    return payment


def _card_problem(db: Database, card: GiftCard) -> str | None:
    if card.status != "active":
        return "is blocked"
    if card.expires_on < db.today():
        return f"expired on {card.expires_on}"
    return None


def pay_order_with_gift_card(db: Database, order_id: OrderId, gift_card_id: GiftCardId) -> Payment:
    """Pay a pending order with a gift card, as far as its balance goes.

    Args:
        order_id: The order number.
        gift_card_id: The number on the card, such as "GFT-00017"; anyone holding it may use it.

    Raises:
        Rejected: The order is unknown or not pending.
        Rejected: The gift card is unknown, blocked, expired or empty.
    """
    order = _payable(db, order_id)
    card = db.gift_cards.get(gift_card_id)
    problem = _card_problem(db, card)
    if problem is not None:
        raise Rejected(f"The gift card {gift_card_id} {problem}. Pay another way.")
    if card.balance == 0:
        raise Rejected(f"The gift card {gift_card_id} is empty. Pay another way.")
    due = _due(db, order)
    amount = min(due, card.balance)
    db.gift_cards.update(gift_card_id, balance=card.balance - amount)
    payment = db.payments.add(
        order_id=order_id,
        gift_card_id=gift_card_id,
        amount=amount,
        refunded=Decimal(0),
        status="captured",
        paid_at=db.now(),
    )
    if amount == due:
        db.orders.update(order_id, status="paid")
    return payment


def _check_adjustment(db: Database, order: Order, reason: AdjustmentReason) -> None:
    parcels = db.shipments.where(order_id=order.order_id)
    if reason == "late_delivery" and not any(
        (db.today() if row.delivered_at is None else row.delivered_at.date()) > row.promised_on
        for row in parcels
    ):
        raise Rejected("No parcel of the order is late. Choose another reason if one applies.")
    if reason == "damaged_item" and all(row.status != "delivered" for row in parcels):
        raise Rejected("Nothing of the order has arrived, so nothing can have arrived damaged.")
    if reason == "price_adjustment" and (db.now() - order.placed_at).days >= PRICE_ADJUSTMENT_DAYS:
        raise Rejected(f"Prices are adjusted within {PRICE_ADJUSTMENT_DAYS} days of the order.")


def refund_order(
    db: Database,
    order_id: OrderId,
    amount: Money,
    reason: AdjustmentReason,
    refund_to: RefundTarget = "original_payment",
) -> OrderSummary:
    """Pay back part of an order though nothing is sent back, at most half of its total in all.

    Args:
        order_id: The order number.
        amount: How much, above zero.
        reason: Why.
        refund_to: Where the money goes.

    Raises:
        Rejected: The order is unknown, not yet paid or cancelled.
        Rejected: The amount is not above zero, or passes half the total or what is left of it.
        Rejected: The reason does not hold: no parcel is late, nothing arrived, or too long ago.
    """
    order = db.orders.get(order_id)
    if order.status in ("pending", "cancelled"):
        raise Rejected(f"The order is {order.status}; there is nothing to adjust.")
    _check_adjustment(db, order, reason)
    adjusted = sum(
        (
            refund.amount
            for refund in db.refunds.where(order_id=order_id)
            if refund.reason in ("late_delivery", "price_adjustment", "damaged_item", "goodwill")
        ),
        Decimal(0),
    )
    most = min(money(order.total / 2) - adjusted, _refundable(db, order_id))
    if not 0 < amount <= most:
        raise Rejected(f"The amount must be above 0 and at most {max(most, Decimal(0))}.")
    _pay_back(db, order, amount, reason, refund_to)
    return _summary(db, order)


def get_gift_card(db: Database, gift_card_id: GiftCardId) -> GiftCard:
    """Show a gift card's balance, status and expiry date.

    Args:
        gift_card_id: The number on the card.

    Raises:
        Rejected: The gift card is unknown.
    """
    return db.gift_cards.get(gift_card_id)


def list_gift_cards(
    db: Database,
    customer_id: CustomerId,
    usable_only: bool = False,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[GiftCard]:
    """List the gift cards a customer bought or got as store credit, in id order.

    Args:
        customer_id: The customer.
        usable_only: Only active cards with a balance that have not expired.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The customer is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.customers.get(customer_id)
    cards = [
        card
        for card in db.gift_cards.where(customer_id=customer_id)
        if not usable_only or (card.balance > 0 and _card_problem(db, card) is None)
    ]
    return page(cards, cursor, limit)


def issue_gift_card(
    db: Database, customer_id: CustomerId, amount: Money, payment_method_id: PaymentMethodId
) -> GiftCard:
    """Sell a customer a gift card, valid for five years.

    Args:
        customer_id: Who buys it.
        amount: What it holds, 10.00 to 500.00.
        payment_method_id: The buyer's saved method that pays for it.

    Raises:
        Rejected: The customer is unknown or the account closed.
        Rejected: The amount is out of bounds.
        Rejected: The payment method is unknown, someone else's or expired.
    """
    _active_customer(db, customer_id)
    if not 10 <= amount <= 500:
        raise Rejected("A gift card holds 10.00 to 500.00.")
    _usable_method(db, customer_id, payment_method_id)
    return db.gift_cards.add(
        customer_id=customer_id,
        status="active",
        loaded=amount,
        balance=amount,
        payment_method_id=payment_method_id,
        issued_on=db.today(),
        expires_on=db.today() + timedelta(days=GIFT_CARD_DAYS),
    )


def block_gift_card(db: Database, gift_card_id: GiftCardId) -> GiftCard:
    """Block a lost or stolen gift card, so that nobody can pay with it any more.

    Args:
        gift_card_id: The number on the card.

    Raises:
        Rejected: The gift card is unknown or blocked already.
    """
    if db.gift_cards.get(gift_card_id).status == "blocked":
        raise Rejected("The gift card is blocked already.")
    return db.gift_cards.update(gift_card_id, status="blocked")


def _new_tracking(db: Database, tracking_number: str) -> str:
    number = tracking_number.strip().upper()
    if not 6 <= len(number) <= 34 or not (number.isascii() and number.isalnum()):
        raise Rejected("A tracking number is 6 to 34 letters and digits.")
    if db.shipments.where(tracking_number=number):
        raise Rejected(f"The tracking number {number} is in use. Check the label.")
    return number


def _send(
    db: Database, order: Order, carrier: Carrier, number: str, line_numbers: list[int]
) -> Shipment:
    return db.shipments.add(
        order_id=order.order_id,
        carrier=carrier,
        tracking_number=number,
        status="in_transit",
        line_numbers=line_numbers,
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
    if order.status not in ("paid", "part_shipped"):
        raise Rejected(f"The order is {order.status}; only a paid one with open lines can ship.")
    number = _new_tracking(db, tracking_number)
    open_lines = [line.line_number for line in order.lines if line.status == "open"]
    chosen = open_lines if line_numbers is None else sorted(set(line_numbers))
    if not chosen or any(line_number not in open_lines for line_number in chosen):
        raise Rejected(f"Name open lines to ship; open are {open_lines}.")
    shipment = _send(db, order, carrier, number, chosen)
    lines = [
        line.replace(status="shipped") if line.line_number in chosen else line
        for line in order.lines
    ]
    db.orders.update(order_id, lines=lines, status=_progress(db, order_id, lines))
    return shipment


def _find_shipment(db: Database, tracking_number: str) -> Shipment:
    found = db.shipments.where(tracking_number=tracking_number.strip().upper())
    if not found:
        raise Rejected("No parcel has that tracking number. Look at the parcels of the order.")
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
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The order is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.orders.get(order_id)
    parcels = db.shipments.where(order_id=order_id)
    return page(sorted(parcels, key=lambda row: row.shipped_at), cursor, limit)


def _in_transit(shipment: Shipment) -> Shipment:
    if shipment.status != "in_transit":
        raise Rejected(f"The parcel {shipment.tracking_number} is {shipment.status} already.")
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
        Rejected: The new tracking number is badly formed or in use.
        Rejected: Something in the parcel is out of stock.
    """
    lost = _in_transit(_find_shipment(db, lost_tracking_number))
    if lost.promised_on >= db.today():
        raise Rejected(f"The parcel is due by {lost.promised_on}. Wait until that day has passed.")
    number = _new_tracking(db, tracking_number)
    order = db.orders.get(lost.order_id)
    lines = [line for line in order.lines if line.line_number in lost.line_numbers]
    for line in lines:
        if db.variants.get(line.variant_id).stock < line.quantity:
            raise Rejected(f"{line.item} is out of stock. Refund or restock before sending again.")
    for line in lines:
        _add_stock(db, line.variant_id, -line.quantity)
    db.shipments.update(lost.shipment_id, status="lost")
    return _send(db, order, carrier, number, [line.line_number for line in lines])


def _return_days(db: Database, order: Order, line: OrderLine, fault: bool) -> int:
    days = db.products.get(db.variants.get(line.variant_id).product_id).return_days
    gold = db.customers.get(order.customer_id).tier == "gold"
    days = days + GOLD_EXTRA_DAYS if gold and days > 0 else days
    return max(days, FAULT_DAYS) if fault else days


def _last_return_day(
    db: Database, order: Order, line_number: int, quantity: int, fault: bool
) -> date:
    line = _line(order, line_number)
    arrived = _delivered_on(db, order.order_id, line_number)
    if order.status != "delivered" or arrived is None:
        raise Rejected(f"The order is {order.status}. Only what was delivered can come back.")
    left = line.quantity - line.returned - line.exchanged
    if not 1 <= quantity <= left:
        raise Rejected(f"Of line {line_number}, {left} can come back. Name 1 to that many.")
    days = _return_days(db, order, line, fault)
    if days == 0:
        raise Rejected(f"{line.item} is a final sale; only a faulty or wrong item comes back.")
    last = arrived + timedelta(days=days)
    if last < db.today():
        raise Rejected(f"The last day to send line {line_number} back was {last}.")
    return last


def _units_settled(db: Database, order_id: OrderId, line_number: int) -> int:
    back = sum(
        part.quantity
        for row in db.returns.where(order_id=order_id)
        if row.status == "refunded"
        for part in row.lines
        if part.line_number == line_number and part.accepted
    )
    swapped = sum(
        row.quantity
        for row in db.exchanges.where(order_id=order_id)
        if row.status == "completed" and row.line_number == line_number
    )
    return back + swapped


def _paid_for(db: Database, order: Order, line_number: int, quantity: int) -> Decimal:
    # Counting from the units settled before makes the parts of a line add up to the line.
    line = order.lines[line_number - 1]
    total = line.unit_price * line.quantity - line.discount
    before = _units_settled(db, order.order_id, line_number)
    upto = money(total * (before + quantity) / line.quantity)
    return upto - money(total * before / line.quantity)


def _return_fee(db: Database, order: Order, reasons: list[ReturnReason]) -> Decimal:
    gold = db.customers.get(order.customer_id).tier == "gold"
    return Decimal(0) if gold or all(reason in FAULTS for reason in reasons) else RETURN_FEE


def quote_return(
    db: Database, order_id: OrderId, line_number: int, quantity: int, reason: ReturnReason
) -> ReturnQuote:
    """Say until when units of an order line can come back and what would be refunded.

    Args:
        order_id: The order number.
        line_number: The line.
        quantity: Units that would come back.
        reason: Why.

    Raises:
        Rejected: The order or the line is unknown.
        Rejected: The order is not delivered, or fewer units can come back.
        Rejected: The item is a final sale or its return window has passed.
    """
    order = db.orders.get(order_id)
    last = _last_return_day(db, order, line_number, quantity, reason in FAULTS)
    refund = _paid_for(db, order, line_number, quantity)
    fee = min(_return_fee(db, order, [reason]), refund)
    return ReturnQuote(
        order_id=order_id,
        line_number=line_number,
        item=order.lines[line_number - 1].item,
        quantity=quantity,
        last_day=last,
        refund=refund,
        fee=fee,
        net=refund - fee,
    )


def _count_returned(db: Database, order: Order, units: dict[int, int]) -> None:
    lines = [
        line.replace(returned=line.returned + units.get(line.line_number, 0))
        for line in order.lines
    ]
    db.orders.update(order.order_id, lines=lines)


def request_return(
    db: Database,
    order_id: OrderId,
    items: list[ReturnItem],
    refund_to: RefundTarget = "original_payment",
) -> ProductReturn:
    """Open a return for delivered units; the refund follows when they are back and inspected.

    Args:
        order_id: The order number.
        items: What comes back, each order line once.
        refund_to: Where the money is to go.

    Raises:
        Rejected: The order or a line is unknown, or nothing or a line twice is named.
        Rejected: The order is not delivered, or fewer units can come back.
        Rejected: An item is a final sale or its return window has passed.
    """
    order = db.orders.get(order_id)
    if not items or len(set(item.line_number for item in items)) < len(items):
        raise Rejected("Name at least one line to return, and each line once.")
    for item in items:
        _last_return_day(db, order, item.line_number, item.quantity, item.reason in FAULTS)
    _count_returned(db, order, {item.line_number: item.quantity for item in items})
    return db.returns.add(
        order_id=order_id,
        customer_id=order.customer_id,
        status="requested",
        lines=[
            ReturnLine(
                line_number=item.line_number,
                quantity=item.quantity,
                reason=item.reason,
                condition=None,
                accepted=None,
                refund=Decimal(0),
            )
            for item in items
        ],
        refund_to=refund_to,
        fee=Decimal(0),
        refund_amount=Decimal(0),
        requested_at=db.now(),
    )


def list_returns(
    db: Database,
    customer_id: CustomerId | None = None,
    status: ReturnStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[ProductReturn]:
    """List returns, oldest request first.

    Args:
        customer_id: Only this customer's.
        status: Only returns in this status.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The customer is unknown.
        Rejected: The cursor or limit is bad.
    """
    if customer_id is None:
        rows = db.returns.all()
    else:
        db.customers.get(customer_id)
        rows = db.returns.where(customer_id=customer_id)
    found = [row for row in rows if status is None or row.status == status]
    return page(sorted(found, key=lambda row: row.requested_at), cursor, limit)


def _return_in(db: Database, return_id: ProductReturnId, status: ReturnStatus) -> ProductReturn:
    row = db.returns.get(return_id)
    if row.status != status:
        raise Rejected(f"The return is {row.status}; it would have to be {status} for that.")
    return row


def receive_return(db: Database, return_id: ProductReturnId) -> ProductReturn:
    """Record that the parcel of a requested return has reached the warehouse.

    Args:
        return_id: The return number.

    Raises:
        Rejected: The return is unknown or not in status requested.
    """
    _return_in(db, return_id, "requested")
    return db.returns.update(return_id, status="received", received_at=db.now())


def _inspected(line: ReturnLine, condition: ItemCondition) -> ReturnLine:
    accepted = line.reason in FAULTS or condition in ("as_new", "opened")
    return line.replace(condition=condition, accepted=accepted)


def inspect_return(
    db: Database, return_id: ProductReturnId, findings: list[Finding]
) -> ProductReturn:
    """Record how the items of a received return came back, which decides what is accepted.

    Worn or broken items are refused unless the shop is at fault; items as new go back to stock.

    Args:
        return_id: The return number.
        findings: The condition found, for each line of the return once.

    Raises:
        Rejected: The return is unknown or not in status received.
        Rejected: The findings do not cover each line of the return once.
    """
    row = _return_in(db, return_id, "received")
    conditions = {finding.line_number: finding.condition for finding in findings}
    wanted = sorted(line.line_number for line in row.lines)
    if sorted(finding.line_number for finding in findings) != wanted:
        raise Rejected(f"Give one finding for each of the lines {wanted}.")
    lines = [_inspected(line, conditions[line.line_number]) for line in row.lines]
    order = db.orders.get(row.order_id)
    for line in lines:
        if line.accepted and line.condition == "as_new":
            _add_stock(db, order.lines[line.line_number - 1].variant_id, line.quantity)
    refused = {line.line_number: -line.quantity for line in lines if not line.accepted}
    if refused:
        _count_returned(db, order, refused)
    if len(refused) == len(lines):
        return db.returns.update(return_id, lines=lines, status="refused", closed_at=db.now())
    return db.returns.update(return_id, lines=lines, status="inspected")


def _refund_for(db: Database, order: Order, line: ReturnLine) -> Decimal:
    if not line.accepted:
        return Decimal(0)
    paid = _paid_for(db, order, line.line_number, line.quantity)
    kept = line.condition == "opened" and line.reason not in FAULTS
    return money(paid * OPENED_RATE) if kept else paid


def refund_return(db: Database, return_id: ProductReturnId) -> ProductReturn:
    """Pay back what an inspected return is worth.

    Opened items bring 85 percent unless the shop is at fault. A return fee of 6.95 comes off
    unless all accepted items are the shop's fault or the customer is gold. Never more is paid
    back than is left of the order's payments.

    Args:
        return_id: The return number.

    Raises:
        Rejected: The return is unknown or not in status inspected.
    """
    row = _return_in(db, return_id, "inspected")
    order = db.orders.get(row.order_id)
    lines = [line.replace(refund=_refund_for(db, order, line)) for line in row.lines]
    worth = sum((line.refund for line in lines), Decimal(0))
    fee = min(_return_fee(db, order, [line.reason for line in lines if line.accepted]), worth)
    amount = min(worth - fee, _refundable(db, row.order_id))
    _pay_back(db, order, amount, "product_return", row.refund_to, return_id)
    return db.returns.update(
        return_id,
        status="refunded",
        lines=lines,
        fee=fee,
        refund_amount=amount,
        closed_at=db.now(),
    )


def cancel_return(db: Database, return_id: ProductReturnId) -> ProductReturn:
    """Call off a return whose parcel has not reached the warehouse.

    Args:
        return_id: The return number.

    Raises:
        Rejected: The return is unknown or not in status requested.
    """
    row = _return_in(db, return_id, "requested")
    order = db.orders.get(row.order_id)
    _count_returned(db, order, {line.line_number: -line.quantity for line in row.lines})
    return db.returns.update(return_id, status="cancelled", closed_at=db.now())


def _swap_target(
    db: Database, line: OrderLine, new_variant_id: VariantId, quantity: int
) -> Variant:
    new = _sold_variant(db, new_variant_id)
    old = db.variants.get(line.variant_id)
    if new.variant_id == old.variant_id or new.product_id != old.product_id:
        raise Rejected("An exchange is for another variant of the same product.")
    if new.stock < quantity:
        raise Rejected(f"Only {new.stock} of {new.sku} are in stock. Take fewer or another.")
    return new


def _count_exchanged(db: Database, order: Order, line_number: int, units: int) -> None:
    lines = [
        line.replace(exchanged=line.exchanged + units) if line.line_number == line_number else line
        for line in order.lines
    ]
    db.orders.update(order.order_id, lines=lines)


def request_exchange(
    db: Database,
    order_id: OrderId,
    line_number: int,
    quantity: int,
    new_variant_id: VariantId,
    payment_method_id: PaymentMethodId | None = None,
) -> Exchange:
    """Swap delivered units for another variant of the same product, which is set aside.

    The difference in price is charged or refunded when the exchange is completed.

    Args:
        order_id: The order number.
        line_number: The line to exchange from.
        quantity: Units to exchange.
        new_variant_id: The variant wanted instead.
        payment_method_id: What pays if the new variant costs more; needed only then.

    Raises:
        Rejected: The order, the line or the new variant is unknown, or the account closed.
        Rejected: The order is not delivered, or fewer units can come back.
        Rejected: The item is a final sale or its return window has passed.
        Rejected: The new variant is the same, of another product, discontinued or out of stock.
        Rejected: It costs more and the payment method is missing, someone else's or expired.
    """
    order = db.orders.get(order_id)
    _active_customer(db, order.customer_id)
    _last_return_day(db, order, line_number, quantity, False)
    new = _swap_target(db, _line(order, line_number), new_variant_id, quantity)
    difference = new.price * quantity - _paid_for(db, order, line_number, quantity)
    if difference > 0:
        if payment_method_id is None:
            raise Rejected(f"The new variant costs {difference} more. Give a payment method.")
        _usable_method(db, order.customer_id, payment_method_id)
    _add_stock(db, new.variant_id, -quantity)
    _count_exchanged(db, order, line_number, quantity)
    return db.exchanges.add(
        order_id=order_id,
        customer_id=order.customer_id,
        line_number=line_number,
        quantity=quantity,
        new_variant_id=new_variant_id,
        difference=difference,
        payment_method_id=payment_method_id if difference > 0 else None,
        status="requested",
        requested_at=db.now(),
    )


def list_exchanges(
    db: Database,
    customer_id: CustomerId | None = None,
    status: ExchangeStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Exchange]:
    """List exchanges, oldest request first.

    Args:
        customer_id: Only this customer's.
        status: Only exchanges in this status.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The customer is unknown.
        Rejected: The cursor or limit is bad.
    """
    if customer_id is None:
        rows = db.exchanges.all()
    else:
        db.customers.get(customer_id)
        rows = db.exchanges.where(customer_id=customer_id)
    found = [row for row in rows if status is None or row.status == status]
    return page(sorted(found, key=lambda row: row.requested_at), cursor, limit)


def _requested_exchange(db: Database, exchange_id: ExchangeId) -> Exchange:
    row = db.exchanges.get(exchange_id)
    if row.status != "requested":
        raise Rejected(f"The exchange is {row.status} already.")
    return row


def complete_exchange(db: Database, exchange_id: ExchangeId, condition: ItemCondition) -> Exchange:
    """Finish an exchange when the old units are back: settle the difference, send the new ones.

    Args:
        exchange_id: The exchange.
        condition: How the old units came back; those as new go back to stock.

    Raises:
        Rejected: The exchange is unknown, or completed or cancelled already.
        Rejected: The old units came back worn or broken.
        Rejected: The card that was to pay the difference has expired.
    """
    row = _requested_exchange(db, exchange_id)
    order = db.orders.get(row.order_id)
    if condition not in ("as_new", "opened"):
        raise Rejected("Worn or broken units cannot be exchanged. Cancel the exchange.")
    if row.payment_method_id is not None:
        _usable_method(db, row.customer_id, row.payment_method_id)
        db.payments.add(
            order_id=row.order_id,
            payment_method_id=row.payment_method_id,
            amount=row.difference,
            refunded=Decimal(0),
            status="captured",
            paid_at=db.now(),
        )
    back = min(max(-row.difference, Decimal(0)), _refundable(db, row.order_id))
    _pay_back(db, order, back, "exchange_difference")
    if condition == "as_new":
        _add_stock(db, order.lines[row.line_number - 1].variant_id, row.quantity)
    return db.exchanges.update(
        exchange_id, status="completed", condition=condition, closed_at=db.now()
    )


def cancel_exchange(db: Database, exchange_id: ExchangeId) -> Exchange:
    """Call off an exchange; the units set aside go back to stock, nothing is charged.

    Args:
        exchange_id: The exchange.

    Raises:
        Rejected: The exchange is unknown, or completed or cancelled already.
    """
    row = _requested_exchange(db, exchange_id)
    _add_stock(db, row.new_variant_id, row.quantity)
    _count_exchanged(db, db.orders.get(row.order_id), row.line_number, -row.quantity)
    return db.exchanges.update(exchange_id, status="cancelled", closed_at=db.now())


def list_product_reviews(
    db: Database,
    product_id: ProductId,
    rating: int | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Review]:
    """List a product's reviews, newest first.

    Args:
        product_id: The product.
        rating: Only reviews with this many stars.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The product is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.products.get(product_id)
    reviews = [
        review
        for review in db.reviews.where(product_id=product_id)
        if rating is None or review.rating == rating
    ]
    return page(sorted(reviews, key=lambda row: row.written_on, reverse=True), cursor, limit)


def summarize_product_rating(db: Database, product_id: ProductId) -> RatingSummary:
    """Show how many reviews a product has and their mean rating.

    Args:
        product_id: The product.

    Raises:
        Rejected: The product is unknown.
    """
    product = db.products.get(product_id)
    stars = [review.rating for review in db.reviews.where(product_id=product_id)]
    return RatingSummary(
        product_id=product_id,
        name=product.name,
        reviews=len(stars),
        average=round(sum(stars) / len(stars), 2) if stars else None,
        five_star=sum(1 for star in stars if star == 5),
        one_star=sum(1 for star in stars if star == 1),
    )


def _has_received(db: Database, customer_id: CustomerId, product_id: ProductId) -> bool:
    return any(
        db.variants.get(line.variant_id).product_id == product_id
        for order in db.orders.where(customer_id=customer_id)
        if order.status == "delivered"
        for line in order.lines
        if line.status == "shipped"
    )


def write_review(
    db: Database, customer_id: CustomerId, product_id: ProductId, rating: int, title: str, body: str
) -> Review:
    """Publish a customer's review of a product that was delivered to them.

    Args:
        customer_id: Who writes it.
        product_id: The product.
        rating: Stars, 1 to 5.
        title: Its headline, up to 100 characters.
        body: The review, up to 2000 characters.

    Raises:
        Rejected: The customer or product is unknown, or the account closed.
        Rejected: The rating is out of bounds, or the title or body empty or too long.
        Rejected: The product was never delivered to the customer.
        Rejected: The customer has reviewed the product already.
    """
    _active_customer(db, customer_id)
    db.products.get(product_id)
    if not 1 <= rating <= 5:
        raise Rejected("A rating must be 1 to 5 stars.")
    if not _has_received(db, customer_id, product_id):
        raise Rejected("Only a product that was delivered to the customer can be reviewed.")
    written = db.reviews.where(customer_id=customer_id)
    if any(review.product_id == product_id for review in written):
        raise Rejected("The customer has reviewed it already. Delete that review first.")
    return db.reviews.add(
        product_id=product_id,
        customer_id=customer_id,
        rating=rating,
        title=_text(title, "title", 100),
        body=_text(body, "review", 2000),
        written_on=db.today(),
    )


def delete_review(db: Database, review_id: ReviewId) -> Review:
    """Delete a review for good.

    Args:
        review_id: The review.

    Raises:
        Rejected: The review is unknown.
    """
    return db.reviews.remove(review_id)


def open_case(
    db: Database,
    customer_id: CustomerId,
    topic: CaseTopic,
    subject: str,
    text: str,
    order_id: OrderId | None = None,
    priority: CasePriority = "normal",
) -> SupportCase:
    """Open a support case with the customer's first message.

    Args:
        customer_id: Who asks.
        topic: What it is about.
        subject: What it is about in a line, up to 120 characters.
        text: The customer's message, up to 4000 characters.
        order_id: The order it is about, if any.
        priority: How soon it needs an answer.

    Raises:
        Rejected: The customer or order is unknown.
        Rejected: The order is someone else's.
        Rejected: The customer has an unresolved case on the same topic and order.
        Rejected: The subject or text is empty or too long.
    """
    db.customers.get(customer_id)
    if order_id is not None and db.orders.get(order_id).customer_id != customer_id:
        raise Rejected(f"{order_id} is not an order of {customer_id}.")
    for case in db.cases.where(customer_id=customer_id):
        if case.status != "resolved" and (case.topic, case.order_id) == (topic, order_id):
            raise Rejected(f"{case.case_id} is about the same and not resolved. Write to it.")
    message = _text(text, "message", MAX_MESSAGE)
    case = db.cases.add(
        customer_id=customer_id,
        order_id=order_id,
        topic=topic,
        priority=priority,
        status="open",
        subject=_text(subject, "subject", 120),
        opened_at=db.now(),
    )
    _post(db, case.case_id, "customer", message)
    return case


def _post(db: Database, case_id: SupportCaseId, author: MessageAuthor, text: str) -> None:
    db.case_messages.add(case_id=case_id, author=author, text=text, sent_at=db.now())


def list_cases(
    db: Database,
    customer_id: CustomerId | None = None,
    status: CaseStatus | None = None,
    topic: CaseTopic | None = None,
    priority: CasePriority | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[SupportCase]:
    """List support cases, oldest first.

    Args:
        customer_id: Only this customer's.
        status: Only cases in this status.
        topic: Only cases on this topic.
        priority: Only cases with this priority.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The customer is unknown.
        Rejected: The cursor or limit is bad.
    """
    if customer_id is None:
        rows = db.cases.all()
    else:
        db.customers.get(customer_id)
        rows = db.cases.where(customer_id=customer_id)
    found = [
        row
        for row in rows
        if status in (None, row.status)
        and topic in (None, row.topic)
        and priority in (None, row.priority)
    ]
    return page(sorted(found, key=lambda row: row.opened_at), cursor, limit)


def list_case_messages(
    db: Database, case_id: SupportCaseId, cursor: str | None = None, limit: int = 50
) -> Page[CaseMessage]:
    """List the messages of a support case, oldest first.

    Args:
        case_id: The case number.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The case is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.cases.get(case_id)
    messages = db.case_messages.where(case_id=case_id)
    return page(sorted(messages, key=lambda row: row.sent_at), cursor, limit)


def reply_to_case(
    db: Database, case_id: SupportCaseId, author: MessageAuthor, text: str
) -> SupportCase:
    """Add a message to a case; it then waits for the other side, and a customer reopens it.

    Args:
        case_id: The case number.
        author: Who writes.
        text: The message, up to 4000 characters.

    Raises:
        Rejected: The case is unknown.
        Rejected: The case is resolved and an agent writes.
        Rejected: The text is empty or too long.
    """
    case = db.cases.get(case_id)
    if case.status == "resolved" and author == "agent":
        raise Rejected("The case is resolved; only the customer can reopen it.")
    _post(db, case_id, author, _text(text, "message", MAX_MESSAGE))
    status: CaseStatus = "waiting_for_customer" if author == "agent" else "open"
    return db.cases.update(case_id, status=status, resolved_at=None)


def resolve_case(db: Database, case_id: SupportCaseId, resolution: str) -> SupportCase:
    """Close a case with a last message that says what was done.

    Args:
        case_id: The case number.
        resolution: What was done, up to 4000 characters.

    Raises:
        Rejected: The case is unknown or resolved already.
        Rejected: The resolution is empty or too long.
    """
    if db.cases.get(case_id).status == "resolved":
        raise Rejected("The case is resolved already.")
    _post(db, case_id, "agent", _text(resolution, "resolution", MAX_MESSAGE))
    return db.cases.update(case_id, status="resolved", resolved_at=db.now())
