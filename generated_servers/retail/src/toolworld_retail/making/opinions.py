"""Reviews: written once, by who received the thing, in their own words."""

from __future__ import annotations

from decimal import Decimal

from ..models import Customer, Database, Order, OrderLine, Product, Review
from .agent import Agent, Given
from .draw import Draw
from .facts import Facts, facts, told
from .language import Outcome, maybe, only, outcome
from .laying import _all_lines, _arrived, _checked_out, _goods, _paid, _sent, _shopper
from .people import _bought, _customer, _items_of, _me, _parcel_of

PRAISE = (
    ("Very happy with it", "I have used it almost every day since it came. No complaints."),
    ("Better than expected", "Feels solid, looks good and does what it should."),
    ("Would buy it again", "My old one lasted ten years, and this one seems even better made."),
)
BLAME = (
    ("Not worth the money", "It already looks worn and I have hardly used it."),
    ("Disappointed", "The finish is poor. I had expected more at this price."),
    ("Only so so", "It works, but the instructions are a joke."),
)


def _bought_before(db: Database, draw: Draw, review: Review) -> tuple[Order, OrderLine]:
    """Return the order line with the product of a review that its author received."""
    orders = db.orders.where(customer_id=review.customer_id)
    return draw.one(
        (order, line)
        for order in orders
        for line in order.lines
        if order.status == "delivered"
        and db.variants.get(line.variant_id).product_id == review.product_id
    )


def _bought_now(db: Database, draw: Draw, has_come: bool) -> tuple[Order, OrderLine]:
    """Return a line of an order of some days ago that has come, or is on its way."""
    customer = _shopper(db, draw)
    goods = _goods(db, draw, draw.integer(1, 2), Decimal("200"))
    days = draw.integer(9, 25)
    order = _paid(db, draw, _checked_out(db, draw, customer, goods, [1, 1], days))
    parcel = _sent(db, draw, order, _all_lines(order), days if has_come else 0)
    if has_come:
        _arrived(db, draw, parcel, draw.one([-1, 0, 0, 1]))
    order = db.orders.get(order.order_id)
    line = draw.one(order.lines)
    reviews = db.reviews.where(product_id=db.variants.get(line.variant_id).product_id)
    draw.need(len(reviews) > 0)
    draw.need(all(review.customer_id != customer.customer_id for review in reviews))
    latest = draw.one(reviews)
    if has_come:
        latest = db.reviews.update(latest.review_id, written_on=db.today())
        draw.turn(latest, customer_id=customer.customer_id)
    return (order, line)


def review_it(db: Database, draw: Draw) -> Facts:
    """Somebody wants to review a thing that may not have come, or that they reviewed before."""
    stage = draw.one(["came", "came", "came", "again", "again", "again", "due", "due"])
    if stage == "again":
        order, line = _bought_before(db, draw, draw.row("reviews"))
    else:
        order, line = _bought_now(db, draw, stage == "came")
    customer = db.customers.get(order.customer_id)
    draw.need(customer.status == "active")
    stars = draw.integer(2, 5)
    title, body = draw.one(PRAISE if stars > 3 else BLAME)
    wavers = draw.chance(0.25)
    return facts(
        _me(customer),
        item=told(draw.name(line.item, among=_items_of(db, customer)), order, "lines.item"),
        stars=stars,
        title=title,
        body=body,
        agrees=not wavers,
        accepts=not wavers,
    )


def solve_review_it(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item")
    order, line = _bought(agent, customer, given.item)
    product = agent.get_product(agent.get_variant(line.variant_id).product_id)
    parcel = _parcel_of(agent, order, line)
    if parcel.status != "delivered":
        rating = agent.summarize_product_rating(product.product_id)
        return outcome("not_here_yet", day=parcel.promised_on, average=rating.average)
    reviews = agent.list_customer_reviews(customer.customer_id)
    old = maybe(review for review in reviews if review.product_id == product.product_id)
    agent.ask("stars", "title", "body")
    if old is None:
        return outcome("published", average=_written(agent, given, customer, product))
    if not agent.offer("replace_your_old_review", stars=old.rating, written_on=old.written_on):
        rating = agent.summarize_product_rating(product.product_id)
        return outcome("old_stays", day=old.written_on, average=rating.average)
    agent.delete_review(old.review_id)
    average = _written(agent, given, customer, product)
    return outcome("replaced", day=old.written_on, average=average)


def _written(agent: Agent, given: Given, customer: Customer, product: Product) -> float | None:
    """Publish what the customer dictates, and return the mean rating after that."""
    agent.write_review(
        customer.customer_id, product.product_id, given.stars, given.title, given.body
    )
    return agent.summarize_product_rating(product.product_id).average


def review_gone(db: Database, draw: Draw) -> Facts:
    """A review is to be deleted; it may be of somebody else, or the customer wavers."""
    review = draw.row("reviews")
    product = db.products.get(review.product_id)
    author = db.customers.get(review.customer_id)
    draw.need(author.status == "active")
    same = db.reviews.where(product_id=product.product_id)
    draw.need(len([one for one in same if one.rating == review.rating]) == 1)
    customer = author if draw.chance(0.65) else _shopper(db, draw)
    own = db.reviews.where(customer_id=customer.customer_id)
    draw.need(
        customer.customer_id == author.customer_id
        or all(one.product_id != product.product_id for one in own)
    )
    absent = [stars for stars in range(1, 6) if all(one.rating != stars for one in same)]
    draw.turn(review, rating=draw.one(absent))
    is_right = draw.chance(0.8)
    return facts(
        _me(customer),
        product=told(product.name, product, "name"),
        stars=told(review.rating, review, "rating") if is_right else draw.one(absent),
        agrees=not draw.chance(0.25),
    )


def solve_review_gone(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("product", "stars")
    reviews = agent.list_customer_reviews(customer.customer_id)
    own = maybe(
        one for one in reviews if (one.product_name, one.rating) == (given.product, given.stars)
    )
    if own is None:
        products = agent.search_products(query=given.product)
        product = only(one for one in products if one.name == given.product)
        theirs = maybe(agent.list_product_reviews(product.product_id, given.stars))
        rating = agent.summarize_product_rating(product.product_id)
        if theirs is None:
            return outcome("no_such_review", average=rating.average)
        return outcome("not_theirs", day=theirs.written_on, average=rating.average)
    if not agent.agreed(day=own.written_on):
        rating = agent.summarize_product_rating(own.product_id)
        return outcome("review_kept", day=own.written_on, average=rating.average)
    agent.delete_review(own.review_id)
    rating = agent.summarize_product_rating(own.product_id)
    if rating.average is None:
        return outcome("last_one_gone", day=own.written_on)
    return outcome("deleted", day=own.written_on, average=rating.average)
