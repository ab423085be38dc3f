"""Reviews, and questions whose answer has to be compared or added up."""

BUDGETS = (-60, -30, -10, 10, 40, 80)
PRAISE = (
    ("Very happy with it", "In use almost every day since it came. No complaints."),
    ("Better than expected", "Looks good and does what it should."),
    ("Would buy it again", "Well made, and just what I was looking for."),
)
EARLY_PRAISE = (
    ("Just what I was looking for", "Exactly what I had in mind, and easy to order."),
    ("Good choice", "A good price for what it is. I would pick it again."),
)
EARLY_BLAME = (
    ("Not so happy with it", "I had hoped for a better deal at this price."),
    ("Could be better", "There should be more colors to choose from."),
)
BLAME = (
    ("Not worth the money", "Looks worn already, and I have hardly used it."),
    ("Disappointed", "The finish is poor. I had expected more at this price."),
    ("Only so so", "All right, but nothing special. I had hoped for a bit more."),
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
    # Who does not have it yet has never used it.
    praise, blame = (EARLY_PRAISE, EARLY_BLAME) if stage == "due" else (PRAISE, BLAME)
    title, body = draw.one(praise if stars > 3 else blame)
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
        return outcome("not_here_yet", day=parcel.promised_on)
    reviews = agent.list_customer_reviews(customer.customer_id)
    old = maybe(review for review in reviews if review.product_id == product.product_id)
    agent.ask("stars", "title", "body")
    if old is None:
        return outcome("published", average=_written(agent, given, customer, product))
    if not agent.offer("replace_your_old_review", stars=old.rating, written_on=old.written_on):
        return outcome("old_stays", day=old.written_on)
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
        product = _product_named(agent, given.product)
        theirs = maybe(agent.list_product_reviews(product.product_id, given.stars))
        if theirs is None:
            rating = agent.summarize_product_rating(product.product_id)
            return outcome("no_such_review", count=rating.reviews)
        return outcome("not_theirs", day=theirs.written_on)
    if not agent.agreed(day=own.written_on):
        return outcome("review_kept", day=own.written_on)
    agent.delete_review(own.review_id)
    rating = agent.summarize_product_rating(own.product_id)
    if rating.average is None:
        return outcome("last_one_gone", day=own.written_on)
    return outcome("deleted", day=own.written_on, average=rating.average)


def _mean_stars(db: Database, product: Product) -> Decimal:
    """Return the mean rating of a product; draws nothing if there is none."""
    stars = [review.rating for review in db.reviews.where(product_id=product.product_id)]
    return Decimal(sum(stars)) / len(stars) if stars else Decimal(0)


def better_of_two(db: Database, draw: Draw) -> Facts:
    """Of two things of one kind the better rated is wanted; it may be sold out in that size."""
    customer = _shopper(db, draw)
    first = draw.row("products", status="active")
    picked = [draw.row("products", status="active", category=first.category) for _ in range(24)]
    second = draw.one(
        one
        for one in picked
        if one.product_id != first.product_id
        and one.description.split(".")[0] == first.description.split(".")[0]
    )
    ratings = [_mean_stars(db, first), _mean_stars(db, second)]
    draw.need(min(ratings) > 0 and ratings[0] != ratings[1])
    better = first if ratings[0] > ratings[1] else second
    size = draw.one(_offered_sizes(db.variants.where(product_id=first.product_id)))
    draw.need(size in _offered_sizes(db.variants.where(product_id=second.product_id)))
    sold_out = draw.chance(0.45)
    both_out = sold_out and draw.chance(0.25)
    for product in [first, second]:
        for kind in db.variants.where(product_id=product.product_id):
            in_size = size in [option.value for option in kind.options]
            price = kind.price - draw.integer(0, 9)
            is_gone = in_size and (both_out or sold_out and product == better)
            stock = 0 if is_gone else max(kind.stock, 1) if in_size else kind.stock
            db.variants.update(kind.variant_id, price=price, stock=stock)
    for review in db.reviews.where(product_id=better.product_id):
        draw.turn(review, rating=1)
    wavers = draw.chance(0.25)
    return facts(
        _me(customer),
        first=told(first.name, first, "name"),
        second=told(second.name, second, "name"),
        size=size,
        agrees=not wavers,
        accepts=not wavers,
    )


def solve_better_of_two(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("first", "second", "size")
    one, two = _rated(agent, given.first), _rated(agent, given.second)
    better = max([one, two], key=lambda rating: rating.average or 0)
    other = min([one, two], key=lambda rating: rating.average or 0)
    chosen = _cheapest_of(agent, better, given.size)
    if chosen is not None:
        agent.add_to_cart(customer.customer_id, chosen.variant_id)
        return outcome("better_in_cart", average=better.average, price=chosen.price)
    second_best = _cheapest_of(agent, other, given.size)
    if second_best is None:
        return outcome("both_gone", average=better.average)
    if not agent.offer("take_the_other_one", price=second_best.price):
        return outcome("neither_taken", average=better.average, price=second_best.price)
    agent.add_to_cart(customer.customer_id, second_best.variant_id)
    return outcome("other_in_cart", average=other.average, price=second_best.price)


def _rated(agent: Agent, name: str) -> RatingSummary:
    """Return how customers rate a product."""
    return agent.summarize_product_rating(_product_named(agent, name).product_id)


def _cheapest_of(agent: Agent, rating: RatingSummary, size: str) -> Variant | None:
    """Return the cheapest variant in a size that is in stock; None if there is none."""
    kinds = [
        kind
        for kind in agent.list_product_variants(rating.product_id)
        if size in [option.value for option in kind.options] and kind.stock > 0
    ]
    if len(kinds) == 0:
        return None
    lowest = min(kind.price for kind in kinds)
    return only(kind for kind in kinds if kind.price == lowest)


def over_budget(db: Database, draw: Draw) -> Facts:
    """Somebody adds up what they spent; if it was too much, the newsletter has to go."""
    customer = _shopper(db, draw)
    since = db.today().replace(month=draw.one([1, 1, 3, 4]), day=1)
    if draw.chance(0.3):
        since = since.replace(year=since.year - 1)
    goods = _goods(db, draw, draw.integer(1, 2), Decimal("200"))
    order = _paid(db, draw, _checked_out(db, draw, customer, goods, [1, 1], draw.integer(3, 20)))
    if draw.chance(0.4):
        amount = money(order.total * draw.integer(1, 4) / 10)
        draw.call("refund_order", order_id=order.order_id, amount=amount, reason="goodwill")
    spent = draw.call("summarize_spending", customer_id=customer.customer_id, placed_from=since)
    budget = int(spent.net) // 10 * 10 + draw.one(BUDGETS)
    if spent.net % 1 > 0 and draw.chance(0.15):
        # What is left is just what was to be spent.
        draw.call("refund_order", order_id=order.order_id, amount=spent.net % 1, reason="goodwill")
        budget = int(spent.net)
    draw.need(budget > 0)
    draw.turn(customer, marketing_opt_in=not customer.marketing_opt_in)
    return facts(_me(customer), since=since, budget=budget)


def solve_over_budget(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("since", "budget")
    spent = agent.summarize_spending(customer.customer_id, given.since)
    if spent.net <= given.budget:
        return outcome("within", net=spent.net, refunded=spent.refunded)
    if not customer.marketing_opt_in:
        return outcome("over_and_off", net=spent.net, refunded=spent.refunded)
    agent.update_customer_contact(customer.customer_id, marketing_opt_in=False)
    return outcome("taken_off", net=spent.net, refunded=spent.refunded)


def where_is_it(db: Database, draw: Draw) -> Facts:
    """Somebody merely asks for a parcel, which the shop has brought too late."""
    customer = _shopper(db, draw)
    method = draw.one(ASKED_ABOUT)
    goods = _goods(db, draw, draw.integer(1, 2), Decimal("160"))
    draw.need(sum((variant.price for variant in goods), Decimal(0)) > 60)
    days = draw.integer(8, 20)
    order = _paid(db, draw, _checked_out(db, draw, customer, goods, [1, 1], days, method))
    parcel = _sent(db, draw, order, _all_lines(order), days - draw.integer(0, 2))
    stage = draw.one(["came", "came", "came", "came", "came", "overdue", "due"])
    if stage == "came":
        parcel = _arrived(db, draw, parcel, draw.one([-1, 0, 1, 2, 2, 3]))
        draw.turn(parcel, promised_on=_day(parcel.delivered_at))
        draw.turn(parcel, promised_on=_day(parcel.delivered_at) - timedelta(days=1))
    elif stage == "due":
        due = db.today() + timedelta(days=draw.one([0, 0, 1, 2]))
        parcel = db.shipments.update(parcel.shipment_id, promised_on=due)
        draw.turn(parcel, promised_on=db.today() - timedelta(days=1))
    else:
        draw.turn(parcel, promised_on=db.today())
    # What goes back out of goodwill is at most half of what was paid for the goods.
    fits_twice = order.total >= 4 * order.shipping_fee
    if order.shipping_fee > 0 and fits_twice and stage != "due" and draw.chance(0.2):
        draw.call(
            "refund_order", order_id=order.order_id, amount=order.shipping_fee,
            reason="goodwill" if stage == "came" and draw.chance(0.5) else "late_delivery",
        )  # fmt: skip
    _bought_since(db, draw, customer)
    line = draw.one(db.orders.get(order.order_id).lines)
    return facts(
        _me(customer),
        item=told(draw.name(line.item, among=_items_of(db, customer)), order, "lines.item"),
    )


def solve_where_is_it(agent: Agent, given: Given) -> Outcome:
    customer = _customer(agent, given)
    agent.ask("item")
    order, line = _bought(agent, customer, given.item)
    parcel = _parcel_of(agent, order, line)
    number, day = parcel.tracking_number, parcel.promised_on
    if parcel.status == "delivered":
        day = _day(parcel.delivered_at)
    elif agent.get_shop_info().today <= parcel.promised_on:
        return outcome("on_its_way", number=number, day=day)
    if day <= parcel.promised_on and parcel.status == "delivered":
        return outcome("there_in_time", number=number, day=day)
    summary = agent.summarize_order(order.order_id)
    is_settled = any(one.reason == "late_delivery" for one in summary.refunds)
    if order.shipping_fee == 0 or is_settled:
        return outcome("late_and_settled", number=number, day=day)
    agent.refund_order(order.order_id, order.shipping_fee, "late_delivery")
    return outcome("late_fee_back", number=number, day=day)
