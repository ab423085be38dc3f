"""Buying: what fits and is cheapest, sent in time, at a total that the customer agrees to."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from ..database.models import CartQuote, Customer, Database, Product, ShippingOption, Variant
from .agent import Agent, Given
from .draw import Draw
from .facts import Facts, facts, told
from .language import Outcome, maybe, only, outcome
from .laying import _goods, _shopper, _valid_method
from .people import _as_said, _customer, _me, _named_method


def _offered_sizes(kinds: list[Variant]) -> list[str]:
    """Return what can be chosen beside the color."""
    return [option.value for kind in kinds for option in kind.options if option.name != "color"]


def _needed_by(db: Database, draw: Draw) -> date:
    """Return a day by which something is needed; seldom one that cannot be met."""
    return db.today() + timedelta(days=draw.one([0, 1, 2, 2, 3, 4, 5, 6, 8]))


def _in_time(agent: Agent, needed: date) -> list[ShippingOption]:
    """Return the shipping methods that arrive by a day, the cheapest first."""
    shop = agent.get_shop_info()
    return [one for one in shop.shipping if shop.today + timedelta(days=one.days) <= needed]


def _soonest(agent: Agent) -> date:
    """Return the day on which something ordered today arrives at the earliest."""
    shop = agent.get_shop_info()
    return shop.today + timedelta(days=min(one.days for one in shop.shipping))


def _praised_with(db: Database, draw: Draw, product: Product) -> None:
    """Have the description of another product name this one, in some situations."""
    other = draw.row("products", status="active")
    if other.product_id != product.product_id and draw.chance(0.4):
        text = f"{other.description} Goes well with the {product.name}."
        db.products.update(other.product_id, description=text)


def _product_named(agent: Agent, name: str) -> Product:
    """Return the product of a name; a search finds others whose description has the words, too."""
    return only(one for one in agent.search_products(query=name) if one.name == name)


def buy_cheapest(db: Database, draw: Draw) -> Facts:
    """Something is wanted in a size, in the color that is cheapest; it may be sold out or dear."""
    customer = _shopper(db, draw)
    product = draw.row("products", status="active")
    _praised_with(db, draw, product)
    kinds = db.variants.where(product_id=product.product_id)
    size = draw.one(_offered_sizes(kinds))
    for kind in kinds:
        price = kind.price - draw.integer(0, 9)
        stock = draw.one([0, 1, 2]) if draw.chance(0.35) else kind.stock
        db.variants.update(kind.variant_id, price=price, stock=stock)
    count = draw.one([1, 1, 2, 2, 3])
    kinds = db.variants.where(product_id=product.product_id)
    draw.need(max(kind.stock for kind in kinds) > 0)
    prices = [
        kind.price
        for kind in kinds
        if kind.stock >= count and size in [option.value for option in kind.options]
    ]
    cheapest = min(prices) if prices else kinds[0].price
    for kind in kinds:
        if kind.price == cheapest:
            draw.turn(kind, stock=0)
    limit = cheapest * count + draw.one([Decimal("-5"), Decimal("30"), Decimal("40")])
    return facts(
        _me(customer),
        product=told(product.name, product, "name"),
        size=size,
        count=count,
        needed=_needed_by(db, draw),
        pay=_as_said(_valid_method(db, draw, customer)),
        agrees={"total": limit},
    )


def solve_buy_cheapest(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("product", "size", "count", "needed")
    product = _product_named(agent, given.product)
    kinds = agent.list_product_variants(product.product_id)
    fitting = [kind for kind in kinds if given.size in [option.value for option in kind.options]]
    stocked = [kind for kind in fitting if kind.stock >= given.count]
    if len(stocked) == 0:
        left = max(kind.stock for kind in fitting)
        price = min(kind.price for kind in fitting)
        if left == 0:
            return outcome("all_gone", price=price)
        return outcome("sold_out", left=left, price=price)
    methods = _in_time(agent, given.needed)
    lowest = min(kind.price for kind in stocked)
    if len(methods) == 0:
        return outcome("not_by_then", day=_soonest(agent), price=lowest)
    agent.ask("pay")
    paying = _named_method(agent, customer, given.pay)
    chosen = only(kind for kind in stocked if kind.price == lowest)
    cart = agent.add_to_cart(customer.customer_id, chosen.variant_id, given.count)
    quote = agent.quote_cart(customer.customer_id, methods[0].method)
    if not agent.agreed(total=quote.total):
        return outcome("left_in_cart", total=quote.total, price=lowest)
    order = agent.check_out_cart(cart.cart_id, shipping_method=methods[0].method)
    agent.pay_order(order.order_id, paying.payment_method_id)
    return outcome("bought", total=order.total, price=lowest)


def order_cart(db: Database, draw: Draw) -> Facts:
    """A full cart is to be ordered and be somewhere by a day; a thing in it may be sold out."""
    customer = _shopper(db, draw)
    goods = _goods(db, draw, draw.integer(2, 3), Decimal("160"))
    for variant in goods:
        draw.call(
            "add_to_cart",
            customer_id=customer.customer_id,
            variant_id=variant.variant_id,
            quantity=draw.one([1, 1, 1, 2]),
        )
    one = draw.one(goods)
    sold_out = draw.chance(0.5)
    if sold_out:
        db.variants.update(one.variant_id, stock=0)
    else:
        draw.turn(one, stock=0)
    to = draw.one(customer.addresses)
    wavers = draw.chance(0.15)
    # Who takes the rest takes it at its total, whether or not that is told in one breath.
    limit = Decimal("20") if draw.chance(0.35) and not sold_out else Decimal("9000")
    return facts(
        _me(customer),
        where=to.label,
        needed=_needed_by(db, draw),
        pay=_as_said(_valid_method(db, draw, customer)),
        agrees=False if wavers else {"total": limit},
        accepts=not wavers,
    )


def solve_order_cart(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("needed")
    methods = _in_time(agent, given.needed)
    if len(methods) == 0:
        quote = agent.quote_cart(customer.customer_id, "overnight")
        return outcome("too_soon", day=_soonest(agent), total=quote.total)
    method = methods[0].method
    quote = agent.quote_cart(customer.customer_id, method)
    missing = maybe(line for line in quote.lines if not line.in_stock)
    if missing is not None:
        if not agent.offer("order_the_rest", item=missing.item):
            return outcome("not_ordered", item=missing.item)
        agent.set_cart_quantity(quote.cart_id, missing.variant_id, 0)
        quote = agent.quote_cart(customer.customer_id, method)
        agent.ask("where", "pay")
        agent.agreed(total=quote.total)
        _place_order(agent, given, customer, quote)
        return outcome("rest_ordered", total=quote.total, item=missing.item)
    agent.ask("where", "pay")
    if not agent.agreed(total=quote.total):
        return outcome("not_at_that", total=quote.total)
    _place_order(agent, given, customer, quote)
    return outcome("ordered", total=quote.total)


def _place_order(agent: Agent, given: Given, customer: Customer, quote: CartQuote) -> None:
    """Order a cart to where it shall go, and pay it."""
    paying = _named_method(agent, customer, given.pay)
    order = agent.check_out_cart(quote.cart_id, given.where, quote.shipping_method)
    agent.pay_order(order.order_id, paying.payment_method_id)
