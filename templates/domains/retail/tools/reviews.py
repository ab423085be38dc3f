"""Reviews of products by those who bought them."""


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
        limit: Rows on the page, 1 to 200; left out, 50.

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
    return page(sorted(reviews, key=lambda row: row.written_on)[::-1], cursor, limit)


def list_customer_reviews(
    db: Database, customer_id: CustomerId, cursor: str | None = None, limit: int = 50
) -> Page[Review]:
    """List the reviews a customer has written, newest first.

    Args:
        customer_id: The customer.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; left out, 50.

    Raises:
        Rejected: The customer is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.customers.get(customer_id)
    reviews = db.reviews.where(customer_id=customer_id)
    return page(sorted(reviews, key=lambda row: row.written_on)[::-1], cursor, limit)


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
        for line in order.lines
        if _delivered_on(db, order.order_id, line.line_number) is not None
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
        Rejected: The product was never delivered to the customer.
        Rejected: The customer has reviewed the product already.
        Rejected: The rating is out of bounds, or the title or body empty, too long or
            with control characters.
    """
    _active_customer(db, customer_id)
    product = db.products.get(product_id)
    if not _has_received(db, customer_id, product_id):
        raise Rejected(
            "never_delivered", "Only a product that was delivered to the customer can be reviewed."
        )
    written = db.reviews.where(customer_id=customer_id)
    if any(review.product_id == product_id for review in written):
        raise Rejected(
            "already_reviewed",
            "The customer has reviewed it already. To change that, delete the review first.",
        )
    if not 1 <= rating <= 5:
        raise Rejected("bad_rating", "A rating must be 1 to 5 stars.")
    return db.reviews.add(
        product_id=product_id,
        product_name=product.name,
        customer_id=customer_id,
        rating=rating,
        title=_line_of(title, "title", 100),
        body=_lines_of(body, "review", 2000),
        written_on=db.today(),
    )


def delete_review(db: Database, review_id: ReviewId) -> Review:
    """Delete a review for good.

    Args:
        review_id: The review.

    Raises:
        Rejected: The review is unknown, or the account of who wrote it closed.
    """
    _active_customer(db, db.reviews.get(review_id).customer_id)
    return db.reviews.remove(review_id)
