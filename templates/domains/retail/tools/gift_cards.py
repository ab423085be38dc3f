"""Gift cards and store credit."""

GIFT_CARD_DAYS = 1825


def _card_is_usable(db: Database, card: GiftCard) -> bool:
    return card.status == "active" and card.expires_on >= db.today()


def _store_credit(db: Database, customer_id: CustomerId, good_until: date) -> GiftCard:
    return db.gift_cards.add(
        customer_id=customer_id,
        status="active",
        loaded=Decimal(0),
        carried_over=Decimal(0),
        balance=Decimal(0),
        issued_on=db.today(),
        expires_on=good_until,
    )


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
        usable_only: Only active cards with a balance that have not expired; left out, all.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; left out, 50.

    Raises:
        Rejected: The customer is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.customers.get(customer_id)
    cards = [
        card
        for card in db.gift_cards.where(customer_id=customer_id)
        if not usable_only or (card.balance > 0 and _card_is_usable(db, card))
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
        raise Rejected(
            "amount_out_of_bounds", "A gift card holds 10.00 to 500.00.", lowest=10, limit=500
        )
    _usable_method(db, customer_id, payment_method_id)
    return db.gift_cards.add(
        customer_id=customer_id,
        status="active",
        loaded=amount,
        carried_over=Decimal(0),
        balance=amount,
        payment_method_id=payment_method_id,
        issued_on=db.today(),
        expires_on=db.today() + timedelta(days=GIFT_CARD_DAYS),
    )


def replace_gift_card(db: Database, gift_card_id: GiftCardId) -> GiftCard:
    """Move what is left on a blocked gift card to a new one for its owner, valid just as long.

    Args:
        gift_card_id: The number on the blocked card.

    Raises:
        Rejected: The gift card is unknown, or its owner's account closed.
        Rejected: The gift card is not blocked, has expired or is empty.
    """
    card = db.gift_cards.get(gift_card_id)
    _active_customer(db, card.customer_id)
    if card.expires_on < db.today():
        raise Rejected(
            "gift_card_expired",
            f"The gift card expired on {card.expires_on}, and what was on it with it.",
            day=card.expires_on,
        )
    if card.balance == 0:
        raise Rejected("gift_card_empty", "The gift card is empty. There is nothing to move.")
    if card.status != "blocked":
        raise Rejected(
            "not_blocked",
            "The gift card is not blocked. Use it; if it is lost or stolen, block it first.",
        )
    db.gift_cards.update(gift_card_id, balance=Decimal(0))
    return db.gift_cards.add(
        customer_id=card.customer_id,
        status="active",
        loaded=Decimal(0),
        carried_over=card.balance,
        balance=card.balance,
        replaces_card_id=gift_card_id,
        issued_on=db.today(),
        expires_on=card.expires_on,
    )


def block_gift_card(db: Database, gift_card_id: GiftCardId) -> GiftCard:
    """Block a lost or stolen gift card for good, so that nobody can pay with it any more.

    Args:
        gift_card_id: The number on the card.

    Raises:
        Rejected: The gift card is unknown or blocked already, or its owner's account closed.
    """
    card = db.gift_cards.get(gift_card_id)
    _active_customer(db, card.customer_id)
    if card.status == "blocked":
        raise Rejected("gift_card_blocked", "The gift card is blocked already.")
    return db.gift_cards.update(gift_card_id, status="blocked")
