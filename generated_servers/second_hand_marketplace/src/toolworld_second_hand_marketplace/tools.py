"""The tools of Second-hand marketplace: what an agent can do, one function each.

Each runs in a transaction over the database it is given: on any error nothing is changed.
"""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from .database.models import (
    Address,
    AddressId,
    CancelReason,
    Carrier,
    Category,
    CategoryId,
    Database,
    DeliveryMethod,
    Dispute,
    DisputeId,
    DisputeOutcome,
    DisputeReason,
    DisputeStatus,
    ItemCondition,
    Listing,
    ListingId,
    ListingStatus,
    Message,
    MessageId,
    Offer,
    OfferId,
    OfferStatus,
    Order,
    OrderId,
    OrderStatus,
    Payment,
    PaymentMethod,
    Payout,
    PayoutId,
    PayoutStatus,
    Refund,
    RefundReason,
    Report,
    ReportId,
    ReportReason,
    ReportStatus,
    ReportTarget,
    Review,
    ReviewId,
    ReviewStatus,
    Sanction,
    SanctionId,
    SanctionKind,
    SanctionStatus,
    Shipment,
    ShipmentId,
    ShipmentStatus,
    SummarizeUserTasksResult,
    TradeRole,
    User,
    UserId,
    Watch,
)
from .errors import Rejected
from .values import Money, Page, contains, money, page

MIN_PRICE = Decimal("1.00")
MAX_PRICE = Decimal("10000.00")
MIN_TITLE = 5
MAX_TITLE = 80
LISTING_DAYS = 30
LOWEST_PRICE = Decimal("1.00")
HIGHEST_PRICE = Decimal("10000.00")
MAX_MESSAGE = 1000
MIN_OFFER_SHARE = Decimal("0.5")
OFFER_DAYS = 2
COUNTER_DAYS = 2
MIN_TRACKING = 8
MAX_TRACKING = 30
DISPUTE_DAYS = 3
MIN_COMPLAINT = 10
MAX_COMPLAINT = 500
MIN_RESPONSE = 10
MAX_RESPONSE = 500
HEARING_DAYS = 3
REVIEW_DAYS = 30
MAX_COMMENT = 500
MAX_RATING = 5
MAX_NOTE = 300
MAX_SUSPENSION = 365


def find_user_by_email(db: Database, email: str) -> User:
    """Finds the member with an e-mail address, for anyone who has only that.

    Args:
        email: E-mail address, any case, e.g. anna.keller@example.com.

    Raises:
        Rejected: No user has this e-mail address.
    """
    users = db.users.where(email=email.strip().lower())
    if not users:
        raise Rejected(f"No user has the e-mail address {email}; check the spelling.")
    return users[0]


def get_user(db: Database, user_id: UserId) -> User:
    """Shows one member's contact data, status and rating.

    Args:
        user_id: The user, e.g. USR-0001.

    Raises:
        Rejected: There is no such user.
    """
    return db.users.get(user_id)


def list_addresses(
    db: Database, user_id: UserId, cursor: str | None = None, limit: int = 50
) -> Page[Address]:
    """Lists a member's addresses, to choose one for an order.

    Args:
        user_id: Whose addresses, e.g. USR-0001.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such user.
        Rejected: The cursor or limit is bad.
    """
    db.users.get(user_id)
    return page(db.addresses.where(user_id=user_id), cursor, limit)


def close_user_account(db: Database, user_id: UserId) -> User:
    """Closes a member's account when nothing is open any more.

    Args:
        user_id: The user who leaves, e.g. USR-0001.

    Raises:
        Rejected: There is no such user.
        Rejected: The account is closed already.
        Rejected: The user is suspended.
        Rejected: The user is buyer or seller of an order that is placed, paid, shipped, delivered
            or disputed.
        Rejected: The user has a pending or held payout.
        Rejected: The user sells a reserved listing or has an accepted offer that was not ordered.
    """
    user = db.users.get(user_id)
    if user.status == "closed":
        raise Rejected(f"The account of {user_id} is closed already.")
    if user.status == "suspended":
        raise Rejected(f"{user_id} is suspended; lift the suspension first.")
    over = ("completed", "refunded", "cancelled")
    if [order for order in _orders_of_user(db, user_id) if order.status not in over]:
        raise Rejected(f"{user_id} has open orders; complete or cancel them first.")
    payouts = db.payouts.where(seller_id=user_id)
    if [payout for payout in payouts if payout.status in ("pending", "held")]:
        raise Rejected(f"{user_id} has a pending or held payout; see to it first.")
    if _has_reserved_deal(db, user_id):
        raise Rejected(f"{user_id} has a reserved listing or an accepted offer open.")
    _decline_offers_of_leaver(db, user_id)
    for listing in db.listings.where(seller_id=user_id):
        if listing.status in ("draft", "active", "expired"):
            db.listings.update(listing.listing_id, status="withdrawn")
    for watch in db.watches.where(user_id=user_id):
        db.watches.remove(watch.watch_id)
    return db.users.update(user_id, status="closed")


def summarize_user_tasks(db: Database, user_id: UserId) -> SummarizeUserTasksResult:
    """Sums up what a member has open: offers, orders, disputes and payouts.

    Args:
        user_id: The user, e.g. USR-0001.

    Raises:
        Rejected: There is no such user.
    """
    user = db.users.get(user_id)
    active = db.listings.where(seller_id=user_id, status="active")
    to_pay = db.orders.where(buyer_id=user_id, status="placed")
    to_ship = db.orders.where(seller_id=user_id, status="paid", delivery="parcel")
    shipped = db.orders.where(buyer_id=user_id, status="shipped")
    to_receive = shipped + db.orders.where(buyer_id=user_id, status="delivered")
    payouts = db.payouts.where(seller_id=user_id, status="pending")
    disputes = _unsettled_disputes(db, user_id)
    return SummarizeUserTasksResult(
        user_id=user_id,
        status=user.status,
        active_listings=len(active),
        offer_ids=tuple(row.offer_id for row in _offers_to_answer(db, user_id)),
        pay_order_ids=tuple(order.order_id for order in to_pay),
        ship_order_ids=tuple(order.order_id for order in to_ship),
        receive_order_ids=tuple(order.order_id for order in to_receive),
        dispute_ids=tuple(row.dispute_id for row in disputes),
        pending_payouts=sum((payout.amount for payout in payouts), Decimal("0.00")),
    )


def _offers_to_answer(db: Database, user_id: UserId) -> list[Offer]:
    offers = db.offers.where(buyer_id=user_id, status="countered")
    for listing in db.listings.where(seller_id=user_id, status="active"):
        offers = offers + db.offers.where(listing_id=listing.listing_id, status="open")
    return offers


def _orders_of_user(db: Database, user_id: UserId) -> list[Order]:
    bought = db.orders.where(buyer_id=user_id)
    return bought + db.orders.where(seller_id=user_id)


def _unsettled_disputes(db: Database, user_id: UserId) -> list[Dispute]:
    order_ids = [order.order_id for order in _orders_of_user(db, user_id)]
    return [
        dispute
        for dispute in db.disputes.all()
        if dispute.status != "settled" and dispute.order_id in order_ids
    ]


def _has_reserved_deal(db: Database, user_id: UserId) -> bool:
    unordered = [
        offer
        for offer in db.offers.where(buyer_id=user_id, status="accepted")
        if not db.orders.where(offer_id=offer.offer_id)
    ]
    reserved = db.listings.where(seller_id=user_id, status="reserved")
    return len(unordered) + len(reserved) > 0


def _decline_offers_of_leaver(db: Database, user_id: UserId) -> None:
    for offer in db.offers.all():
        seller_id = db.listings.get(offer.listing_id).seller_id
        concerned = user_id in (offer.buyer_id, seller_id)
        if concerned and offer.status in ("open", "countered"):
            db.offers.update(offer.offer_id, status="declined")


def list_categories(
    db: Database, restricted: bool | None = None, cursor: str | None = None, limit: int = 50
) -> Page[Category]:
    """Lists the categories with their fee rates and whether they are restricted.

    Args:
        restricted: true for restricted categories only, false for the others only.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The cursor or limit is bad.
    """
    rows = db.categories.all()
    if restricted is not None:
        rows = db.categories.where(restricted=restricted)
    return page(rows, cursor, limit)


def search_listings(
    db: Database,
    text: str | None = None,
    category_id: CategoryId | None = None,
    max_price: Money | None = None,
    seller_id: UserId | None = None,
    status: ListingStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Listing]:
    """Searches listings by words, category, price and seller, for buyers and staff.

    Args:
        text: Words in the title, any case, e.g. mountain bike.
        category_id: Only this category, e.g. CAT-0001.
        max_price: Highest price, e.g. 150.00.
        seller_id: Only this seller's listings, e.g. USR-0001.
        status: Only this status; active when left out.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such category.
        Rejected: There is no such seller.
        Rejected: The cursor or limit is bad.
    """
    rows = db.listings.where(status=status or "active")
    if text is not None:
        rows = [row for row in rows if contains(row.title, text)]
    if category_id is not None:
        db.categories.get(category_id)
        rows = [row for row in rows if row.category_id == category_id]
    if max_price is not None:
        rows = [row for row in rows if row.price <= max_price]
    if seller_id is not None:
        db.users.get(seller_id)
        rows = [row for row in rows if row.seller_id == seller_id]
    return page(rows, cursor, limit)


def get_listing(db: Database, listing_id: ListingId) -> Listing:
    """Shows one listing with its price, condition and status.

    Args:
        listing_id: The listing, e.g. LST-0001.

    Raises:
        Rejected: There is no such listing.
    """
    return db.listings.get(listing_id)


def create_listing(
    db: Database,
    seller_id: UserId,
    category_id: CategoryId,
    title: str,
    condition: ItemCondition,
    price: Money,
) -> Listing:
    """Writes a draft listing for a seller, to be published later.

    Args:
        seller_id: Who sells, e.g. USR-0001.
        category_id: Kind of goods, e.g. CAT-0001.
        title: 5 to 80 characters, e.g. Oak bookshelf, 180 cm.
        condition: How worn it is, e.g. good.
        price: Asking price, 1.00 to 10000.00.

    Raises:
        Rejected: There is no such seller.
        Rejected: There is no such category.
        Rejected: The seller is not active.
        Rejected: The category is restricted and the seller is not verified.
        Rejected: The title is shorter than 5 or longer than 80 characters.
        Rejected: The price is below 1.00 or above 10000.00.
    """
    _check_may_sell(db, seller_id, category_id)
    if not MIN_TITLE <= len(title.strip()) <= len(title) <= MAX_TITLE:
        raise Rejected(f"The title must have {MIN_TITLE} to {MAX_TITLE} characters.")
    if not MIN_PRICE <= price <= MAX_PRICE:
        raise Rejected(f"The price must be {MIN_PRICE} to {MAX_PRICE}.")
    return db.listings.add(
        seller_id=seller_id,
        category_id=category_id,
        title=title,
        condition=condition,
        price=price,
        status="draft",
    )


def publish_listing(db: Database, listing_id: ListingId) -> Listing:
    """Publishes a draft, or relists an expired or withdrawn listing for 30 days.

    Args:
        listing_id: The draft, expired or withdrawn listing, e.g. LST-0001.

    Raises:
        Rejected: There is no such listing.
        Rejected: The listing is not draft, expired or withdrawn.
        Rejected: The seller is not active.
        Rejected: The category is restricted and the seller is not verified.
    """
    listing = db.listings.get(listing_id)
    if listing.status not in ("draft", "expired", "withdrawn"):
        raise Rejected(f"{listing_id} is {listing.status} and cannot be published.")
    _check_may_sell(db, listing.seller_id, listing.category_id)
    return db.listings.update(
        listing_id,
        status="active",
        published_at=db.now(),
        expires_on=db.today() + timedelta(days=LISTING_DAYS),
    )


def _check_may_sell(db: Database, seller_id: UserId, category_id: CategoryId) -> None:
    seller = db.users.get(seller_id)
    category = db.categories.get(category_id)
    if seller.status != "active":
        raise Rejected(f"{seller_id} is {seller.status} and may not sell.")
    if category.restricted and not seller.verified:
        raise Rejected(f"{category.name} is for verified sellers only.")


def change_listing_price(db: Database, listing_id: ListingId, price: Money) -> Listing:
    """Changes the asking price of a draft or active listing for its seller.

    Args:
        listing_id: The listing, e.g. LST-0001.
        price: New asking price, 1.00 to 10000.00.

    Raises:
        Rejected: There is no such listing.
        Rejected: The listing is neither draft nor active.
        Rejected: The price is below 1.00 or above 10000.00.
        Rejected: The price is what it is already.
        Rejected: An open or countered offer on it is at or above the new price.
    """
    listing = db.listings.get(listing_id)
    if listing.status not in ("draft", "active"):
        raise Rejected(f"{listing_id} is {listing.status}; its price stays as it is.")
    if not LOWEST_PRICE <= price <= HIGHEST_PRICE:
        raise Rejected(f"The price must be {LOWEST_PRICE} to {HIGHEST_PRICE}.")
    if price == listing.price:
        raise Rejected(f"The price of {listing_id} is {price} already.")
    for offer in db.offers.where(listing_id=listing_id):
        asked = offer.counter_amount or offer.amount
        if offer.status in ("open", "countered") and asked >= price:
            raise Rejected(f"{offer.offer_id} is at {asked}; answer that offer first.")
    return db.listings.update(listing_id, price=price)


def withdraw_listing(db: Database, listing_id: ListingId) -> Listing:
    """Takes a listing off the market for its seller.

    Args:
        listing_id: The listing, e.g. LST-0001.

    Raises:
        Rejected: There is no such listing.
        Rejected: The listing is not draft, active, reserved or expired.
        Rejected: The listing is reserved by an order that is placed.
    """
    listing = db.listings.get(listing_id)
    if listing.status not in ("draft", "active", "reserved", "expired"):
        raise Rejected(f"{listing_id} is {listing.status} and cannot be withdrawn.")
    if db.orders.where(listing_id=listing_id, status="placed"):
        raise Rejected(f"{listing_id} is reserved by an order; cancel that first.")
    for offer in db.offers.where(listing_id=listing_id):
        ordered = db.orders.where(offer_id=offer.offer_id)
        if offer.status in ("open", "countered", "accepted") and not ordered:
            db.offers.update(offer.offer_id, status="declined")
    return db.listings.update(listing_id, status="withdrawn")


def watch_listing(db: Database, user_id: UserId, listing_id: ListingId) -> Watch:
    """Puts a listing on a member's watch list.

    Args:
        user_id: Who watches, e.g. USR-0001.
        listing_id: The listing, e.g. LST-0001.

    Raises:
        Rejected: There is no such user.
        Rejected: There is no such listing.
        Rejected: The user is not active.
        Rejected: The user sells this listing.
        Rejected: The listing is neither active nor reserved.
        Rejected: The user watches this listing already.
    """
    user = db.users.get(user_id)
    listing = db.listings.get(listing_id)
    if user.status != "active":
        raise Rejected(f"{user_id} is {user.status} and may not watch listings.")
    if listing.seller_id == user_id:
        raise Rejected(f"{user_id} sells {listing_id}; nobody watches an own listing.")
    if listing.status not in ("active", "reserved"):
        raise Rejected(f"{listing_id} is {listing.status}; choose one on the market.")
    if db.watches.where(user_id=user_id, listing_id=listing_id):
        raise Rejected(f"{user_id} watches {listing_id} already.")
    return db.watches.add(
        user_id=user_id,
        listing_id=listing_id,
        watched_price=listing.price,
        watched_at=db.now(),
    )


def list_watches(
    db: Database,
    user_id: UserId | None = None,
    listing_id: ListingId | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Watch]:
    """Lists what a member watches, or who watches a listing.

    Args:
        user_id: Only this user's watches, e.g. USR-0001.
        listing_id: Only watches on this listing, e.g. LST-0001.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such user.
        Rejected: There is no such listing.
        Rejected: The cursor or limit is bad.
    """
    rows = db.watches.all()
    if user_id is not None:
        db.users.get(user_id)
        rows = [row for row in rows if row.user_id == user_id]
    if listing_id is not None:
        db.listings.get(listing_id)
        rows = [row for row in rows if row.listing_id == listing_id]
    return page(rows, cursor, limit)


def send_message(
    db: Database, sender_id: UserId, recipient_id: UserId, listing_id: ListingId, text: str
) -> Message:
    """Sends a message about a listing between its seller and another member.

    Args:
        sender_id: Who writes, e.g. USR-0001.
        recipient_id: Who gets it, e.g. USR-0002.
        listing_id: What it is about, e.g. LST-0001.
        text: 1 to 1000 characters, e.g. Is the frame scratched?

    Raises:
        Rejected: There is no such sender.
        Rejected: There is no such recipient.
        Rejected: There is no such listing.
        Rejected: The sender is not active.
        Rejected: The recipient's account is closed.
        Rejected: The sender and the recipient are the same user.
        Rejected: Neither of them sells the listing.
        Rejected: The listing is a draft or removed.
        Rejected: The text is empty or longer than 1000 characters.
    """
    sender = db.users.get(sender_id)
    recipient = db.users.get(recipient_id)
    listing = db.listings.get(listing_id)
    if sender.status != "active":
        raise Rejected(f"{sender_id} is {sender.status} and may not send messages.")
    if recipient.status == "closed":
        raise Rejected(f"The account of {recipient_id} is closed; choose another.")
    if sender_id == recipient_id:
        raise Rejected("The sender and the recipient must be two users.")
    if listing.seller_id not in (sender_id, recipient_id):
        raise Rejected(f"Neither of them sells {listing_id}; one of them must.")
    if listing.status in ("draft", "removed"):
        raise Rejected(f"{listing_id} is {listing.status}; choose another listing.")
    if not text.strip() or len(text) > MAX_MESSAGE:
        raise Rejected(f"The text must have 1 to {MAX_MESSAGE} characters.")
    return db.messages.add(
        sender_id=sender_id,
        recipient_id=recipient_id,
        listing_id=listing_id,
        text=text,
        sent_at=db.now(),
        hidden=False,
    )


def list_messages(
    db: Database,
    listing_id: ListingId | None = None,
    user_id: UserId | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Message]:
    """Lists messages about a listing or of a member, for them and for moderators.

    Args:
        listing_id: Only about this listing, e.g. LST-0001.
        user_id: Only messages this user sent or got, e.g. USR-0001.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such listing.
        Rejected: There is no such user.
        Rejected: The cursor or limit is bad.
    """
    rows = db.messages.all()
    if listing_id is not None:
        db.listings.get(listing_id)
        rows = [row for row in rows if row.listing_id == listing_id]
    if user_id is not None:
        db.users.get(user_id)
        rows = [row for row in rows if user_id in (row.sender_id, row.recipient_id)]
    return page(rows, cursor, limit)


def list_offers(
    db: Database,
    listing_id: ListingId | None = None,
    buyer_id: UserId | None = None,
    seller_id: UserId | None = None,
    status: OfferStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Offer]:
    """Lists offers by listing, buyer, seller or status.

    Args:
        listing_id: Only on this listing, e.g. LST-0001.
        buyer_id: Only made by this user, e.g. USR-0002.
        seller_id: Only on this user's listings, e.g. USR-0001.
        status: Only this status, e.g. open.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such listing.
        Rejected: There is no such buyer.
        Rejected: There is no such seller.
        Rejected: The cursor or limit is bad.
    """
    rows = db.offers.all()
    if listing_id is not None:
        db.listings.get(listing_id)
        rows = [row for row in rows if row.listing_id == listing_id]
    if buyer_id is not None:
        db.users.get(buyer_id)
        rows = [row for row in rows if row.buyer_id == buyer_id]
    if seller_id is not None:
        db.users.get(seller_id)
        rows = [row for row in rows if db.listings.get(row.listing_id).seller_id == seller_id]
    if status is not None:
        rows = [row for row in rows if row.status == status]
    return page(rows, cursor, limit)


def make_offer(db: Database, buyer_id: UserId, listing_id: ListingId, amount: Money) -> Offer:
    """Makes a buyer's offer below the asking price of an active listing.

    Args:
        buyer_id: Who offers, e.g. USR-0002.
        listing_id: The listing, e.g. LST-0001.
        amount: At least half of the asking price and below it, e.g. 85.00.

    Raises:
        Rejected: There is no such buyer.
        Rejected: There is no such listing.
        Rejected: The buyer is not active.
        Rejected: The buyer sells this listing.
        Rejected: The listing is not active.
        Rejected: The buyer has an open or countered offer on it already.
        Rejected: The amount is below half of the asking price.
        Rejected: The amount is not below the asking price.
    """
    buyer = db.users.get(buyer_id)
    listing = db.listings.get(listing_id)
    if buyer.status != "active":
        raise Rejected(f"{buyer_id} is {buyer.status} and may not make offers.")
    if listing.seller_id == buyer_id:
        raise Rejected(f"{buyer_id} sells {listing_id} and cannot buy it.")
    if listing.status != "active":
        raise Rejected(f"{listing_id} is {listing.status}; only active ones qualify.")
    for offer in db.offers.where(listing_id=listing_id, buyer_id=buyer_id):
        if offer.status in ("open", "countered"):
            raise Rejected(f"{buyer_id} has {offer.offer_id} on this listing already.")
    if amount < listing.price * MIN_OFFER_SHARE:
        raise Rejected(f"Offer at least half of the asking price {listing.price}.")
    if amount >= listing.price:
        raise Rejected(f"Offer less than {listing.price}, or order at that price.")
    return db.offers.add(
        listing_id=listing_id,
        buyer_id=buyer_id,
        amount=amount,
        status="open",
        made_at=db.now(),
        expires_at=db.now() + timedelta(days=OFFER_DAYS),
    )


def accept_offer(db: Database, offer_id: OfferId) -> Offer:
    """Accepts an open offer for the seller, or a countered one for the buyer.

    Args:
        offer_id: The open or countered offer, e.g. OFR-0001.

    Raises:
        Rejected: There is no such offer.
        Rejected: The offer is neither open nor countered.
        Rejected: The offer's expiry has passed.
        Rejected: The listing is not active.
        Rejected: The buyer or the seller is not active.
    """
    offer = db.offers.get(offer_id)
    if offer.status not in ("open", "countered"):
        raise Rejected(f"{offer_id} is {offer.status} and cannot be accepted.")
    _check_not_expired(db, offer)
    buyer = db.users.get(offer.buyer_id)
    seller = db.users.get(db.listings.get(offer.listing_id).seller_id)
    if buyer.status != "active" or seller.status != "active":
        raise Rejected("The buyer and the seller must both be active.")
    for other in db.offers.where(listing_id=offer.listing_id):
        if other.status in ("open", "countered") and other.offer_id != offer_id:
            db.offers.update(other.offer_id, status="declined")
    db.listings.update(offer.listing_id, status="reserved")
    return db.offers.update(
        offer_id,
        status="accepted",
        agreed_price=offer.counter_amount or offer.amount,
    )


def counter_offer(db: Database, offer_id: OfferId, amount: Money) -> Offer:
    """Answers an open offer with a higher price for the seller.

    Args:
        offer_id: The open offer, e.g. OFR-0001.
        amount: Above the offer and below the asking price, e.g. 92.00.

    Raises:
        Rejected: There is no such offer.
        Rejected: The offer is not open.
        Rejected: The offer's expiry has passed.
        Rejected: The seller is not active.
        Rejected: The amount is not above the offer.
        Rejected: The amount is not below the asking price.
    """
    offer = db.offers.get(offer_id)
    listing = db.listings.get(offer.listing_id)
    if offer.status != "open":
        raise Rejected(f"{offer_id} is {offer.status}; only open offers are countered.")
    _check_not_expired(db, offer)
    seller = db.users.get(listing.seller_id)
    if seller.status != "active":
        raise Rejected(f"The seller is {seller.status} and may not answer offers.")
    if amount <= offer.amount:
        raise Rejected(f"Ask more than the offer of {offer.amount}, or accept it.")
    if amount >= listing.price:
        raise Rejected(f"Ask less than the asking price {listing.price}, or decline.")
    return db.offers.update(
        offer_id,
        status="countered",
        counter_amount=amount,
        expires_at=db.now() + timedelta(days=COUNTER_DAYS),
    )


def decline_offer(db: Database, offer_id: OfferId) -> Offer:
    """Declines an offer, or backs out of an accepted one that was not ordered.

    Args:
        offer_id: The open, countered or accepted offer, e.g. OFR-0001.

    Raises:
        Rejected: There is no such offer.
        Rejected: The offer is declined or expired already.
        Rejected: The offer was accepted and an order uses it.
    """
    offer = db.offers.get(offer_id)
    if offer.status in ("declined", "expired"):
        raise Rejected(f"{offer_id} is {offer.status} already.")
    if offer.status == "accepted" and db.orders.where(offer_id=offer_id):
        raise Rejected(f"An order uses {offer_id}; cancel the order instead.")
    listing = db.listings.get(offer.listing_id)
    if offer.status == "accepted" and listing.status == "reserved":
        db.listings.update(offer.listing_id, status="active")
    return db.offers.update(offer_id, status="declined")


def _check_not_expired(db: Database, offer: Offer) -> None:
    if offer.expires_at < db.now():
        raise Rejected(f"{offer.offer_id} expired at {offer.expires_at}; offer anew.")


def get_order(db: Database, order_id: OrderId) -> Order:
    """Shows one order with its price, parties and status.

    Args:
        order_id: The order, e.g. ORD-0001.

    Raises:
        Rejected: There is no such order.
    """
    return db.orders.get(order_id)


def list_orders(
    db: Database,
    user_id: UserId | None = None,
    role: TradeRole | None = None,
    listing_id: ListingId | None = None,
    status: OrderStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Order]:
    """Lists orders by member, side, listing or status.

    Args:
        user_id: Only orders this user bought or sold, e.g. USR-0001.
        role: Only where the user is on this side; needs user_id.
        listing_id: Only of this listing, e.g. LST-0001.
        status: Only this status, e.g. paid.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such user.
        Rejected: There is no such listing.
        Rejected: The role is given without user_id.
        Rejected: The cursor or limit is bad.
    """
    if role is not None and user_id is None:
        raise Rejected("Give a user_id with the role, or leave the role out.")
    rows = db.orders.all()
    if user_id is not None:
        db.users.get(user_id)
        rows = [
            row
            for row in rows
            if (row.buyer_id == user_id and role != "seller")
            or (row.seller_id == user_id and role != "buyer")
        ]
    if listing_id is not None:
        db.listings.get(listing_id)
        rows = [row for row in rows if row.listing_id == listing_id]
    if status is not None:
        rows = [row for row in rows if row.status == status]
    return page(rows, cursor, limit)


def get_order_shipment(db: Database, order_id: OrderId) -> Shipment:
    """Shows the parcel of an order, for buyer, seller and support.

    Args:
        order_id: The order, e.g. ORD-0001.

    Raises:
        Rejected: There is no such order.
        Rejected: The order has no shipment.
    """
    db.orders.get(order_id)
    shipments = db.shipments.where(order_id=order_id)
    if not shipments:
        raise Rejected(f"{order_id} has no shipment; it was not sent as a parcel yet.")
    return shipments[0]


def find_shipment_by_tracking(db: Database, tracking_number: str) -> Shipment:
    """Finds a parcel by the number printed on its label.

    Args:
        tracking_number: Tracking number, any case, e.g. GLS10002233.

    Raises:
        Rejected: No shipment has this tracking number.
    """
    shipments = db.shipments.where(tracking_number=tracking_number.strip().upper())
    if not shipments:
        raise Rejected(f"No shipment has number {tracking_number}; check the label.")
    return shipments[0]


def place_order(
    db: Database,
    listing_id: ListingId,
    buyer_id: UserId,
    delivery: DeliveryMethod,
    address_id: AddressId | None = None,
    offer_id: OfferId | None = None,
) -> Order:
    """Orders a listing for a buyer, at the asking price or from an accepted offer.

    Args:
        listing_id: What is bought, e.g. LST-0001.
        buyer_id: Who buys, e.g. USR-0002.
        delivery: parcel or pickup.
        address_id: The buyer's address, needed for a parcel only, e.g. ADR-0002.
        offer_id: The buyer's accepted offer on it, e.g. OFR-0001.

    Raises:
        Rejected: There is no such listing.
        Rejected: There is no such buyer.
        Rejected: There is no such address.
        Rejected: There is no such offer.
        Rejected: The buyer or the seller is not active.
        Rejected: The buyer sells this listing.
        Rejected: Without an offer: the listing is not active.
        Rejected: With an offer: it is not this buyer's accepted offer on this reserved listing, or
            an order uses it already.
        Rejected: A parcel has no address, or a pickup has one.
        Rejected: The address is not the buyer's.
    """
    listing = db.listings.get(listing_id)
    buyer = db.users.get(buyer_id)
    seller = db.users.get(listing.seller_id)
    if buyer.status != "active" or seller.status != "active":
        raise Rejected("The buyer and the seller must both be active.")
    if listing.seller_id == buyer_id:
        raise Rejected(f"{buyer_id} sells {listing_id} and cannot buy it.")
    price = _price_for_buyer(db, listing, buyer_id, offer_id)
    _check_not_ordered(db, listing_id)
    _check_delivery(db, delivery, buyer_id, address_id)
    shipping = Decimal("0.00")
    if delivery == "parcel":
        shipping = db.categories.get(listing.category_id).shipping_price
    for offer in db.offers.where(listing_id=listing_id):
        if offer.status in ("open", "countered"):
            db.offers.update(offer.offer_id, status="declined")
    db.listings.update(listing_id, status="reserved")
    return db.orders.add(
        listing_id=listing_id,
        buyer_id=buyer_id,
        seller_id=listing.seller_id,
        offer_id=offer_id,
        delivery=delivery,
        address_id=address_id,
        item_price=price,
        shipping_price=shipping,
        total=price + shipping,
        status="placed",
        placed_at=db.now(),
    )


def pay_order(db: Database, order_id: OrderId, method: PaymentMethod) -> Payment:
    """Takes the buyer's payment for a placed order and holds it.

    Args:
        order_id: The placed order, e.g. ORD-0001.
        method: How the buyer pays, e.g. card.

    Raises:
        Rejected: There is no such order.
        Rejected: The order is not placed.
        Rejected: The buyer is not active.
    """
    order = db.orders.get(order_id)
    if order.status != "placed":
        raise Rejected(f"{order_id} is {order.status}; only placed orders are paid.")
    buyer = db.users.get(order.buyer_id)
    if buyer.status != "active":
        raise Rejected(f"The buyer is {buyer.status} and may not pay.")
    _check_payable(db, order)
    db.orders.update(order_id, status="paid")
    db.listings.update(order.listing_id, status="sold")
    return db.payments.add(
        order_id=order_id,
        method=method,
        amount=order.total,
        refunded_amount=Decimal("0.00"),
        status="held",
        paid_at=db.now(),
    )


def _price_for_buyer(
    db: Database, listing: Listing, buyer_id: UserId, offer_id: OfferId | None
) -> Decimal:
    if offer_id is None:
        if listing.status != "active":
            raise Rejected(f"{listing.listing_id} is {listing.status}, not active.")
        return listing.price
    offer = db.offers.get(offer_id)
    price = offer.agreed_price if offer.status == "accepted" else None
    theirs = offer.listing_id == listing.listing_id and offer.buyer_id == buyer_id
    used = len(db.orders.where(offer_id=offer_id)) > 0
    free = listing.status == "reserved" and not used
    if price is None or not theirs or not free:
        raise Rejected(f"{offer_id} is no unused accepted offer of this buyer on it.")
    return price


def _check_delivery(
    db: Database,
    delivery: DeliveryMethod,
    buyer_id: UserId,
    address_id: AddressId | None,
) -> None:
    if (delivery == "parcel") == (address_id is None):
        raise Rejected("Give an address_id for a parcel, and none for a pickup.")
    if address_id is not None:
        if db.addresses.get(address_id).user_id != buyer_id:
            raise Rejected(f"{address_id} is not an address of {buyer_id}.")


def _check_not_ordered(db: Database, listing_id: ListingId) -> None:
    for order in db.orders.where(listing_id=listing_id):
        if order.status != "cancelled":
            raise Rejected(f"{order.order_id} is on {listing_id} already.")


def _check_payable(db: Database, order: Order) -> None:
    listing = db.listings.get(order.listing_id)
    if listing.status != "reserved":
        raise Rejected(f"The listing is {listing.status}, not reserved; order again.")
    if db.payments.where(order_id=order.order_id):
        raise Rejected(f"{order.order_id} has a payment already.")


def change_order_address(db: Database, order_id: OrderId, address_id: AddressId) -> Order:
    """Changes where an order's parcel goes, before it ships.

    Args:
        order_id: The order, e.g. ORD-0001.
        address_id: Another address of the buyer, e.g. ADR-0003.

    Raises:
        Rejected: There is no such order.
        Rejected: There is no such address.
        Rejected: The order is neither placed nor paid.
        Rejected: The order is a pickup.
        Rejected: The address is not the buyer's.
        Rejected: The order goes to this address already.
    """
    order = db.orders.get(order_id)
    address = db.addresses.get(address_id)
    if order.status not in ("placed", "paid"):
        raise Rejected(f"{order_id} is {order.status}; its address cannot change.")
    if order.address_id is None:
        raise Rejected(f"{order_id} is a pickup and goes to no address.")
    if address.user_id != order.buyer_id:
        raise Rejected(f"{address_id} is not an address of {order.buyer_id}.")
    if order.address_id == address_id:
        raise Rejected(f"{order_id} goes to {address_id} already.")
    return db.orders.update(order_id, address_id=address_id)


def cancel_order(db: Database, order_id: OrderId, reason: CancelReason) -> Order:
    """Cancels an order before it ships, and gives the money back.

    Args:
        order_id: The placed or paid order, e.g. ORD-0001.
        reason: Why, e.g. buyer_changed_mind.

    Raises:
        Rejected: There is no such order.
        Rejected: The order is neither placed nor paid.
        Rejected: The reason is not_paid and the order is paid.
    """
    order = db.orders.get(order_id)
    if order.status not in ("placed", "paid"):
        raise Rejected(f"{order_id} is {order.status} and cannot be cancelled.")
    if reason == "not_paid" and order.status == "paid":
        raise Rejected(f"{order_id} is paid; give another reason.")
    seller = db.users.get(order.seller_id)
    gone = reason in ("seller_unavailable", "item_damaged", "suspected_fraud")
    if seller.status != "active":
        gone = True
    db.listings.update(order.listing_id, status="withdrawn" if gone else "active")
    for payment in db.payments.where(order_id=order_id):
        db.refunds.add(
            payment_id=payment.payment_id,
            order_id=order_id,
            amount=payment.amount - payment.refunded_amount,
            reason="order_cancelled",
            refunded_at=db.now(),
        )
        db.payments.update(payment.payment_id, status="refunded", refunded_amount=payment.amount)
    return db.orders.update(order_id, status="cancelled", cancel_reason=reason)


def ship_order(db: Database, order_id: OrderId, carrier: Carrier, tracking_number: str) -> Shipment:
    """Records for the seller that a paid order's parcel is on its way.

    Args:
        order_id: The paid order, e.g. ORD-0001.
        carrier: Who carries it, e.g. dhl.
        tracking_number: 8 to 30 letters and digits, e.g. DHL10002233.

    Raises:
        Rejected: There is no such order.
        Rejected: The order is not paid.
        Rejected: The order is a pickup.
        Rejected: The tracking number is not 8 to 30 letters and digits.
        Rejected: Another shipment has this tracking number.
    """
    order = db.orders.get(order_id)
    if order.status != "paid":
        raise Rejected(f"{order_id} is {order.status}; only paid orders are shipped.")
    if order.delivery == "pickup":
        raise Rejected(f"{order_id} is a pickup; the buyer confirms the receipt.")
    number = tracking_number.strip().upper()
    plain = number.isascii() and number.isalnum()
    if not plain or not MIN_TRACKING <= len(number) <= MAX_TRACKING:
        raise Rejected(f"Give {MIN_TRACKING} to {MAX_TRACKING} letters and digits.")
    if db.shipments.where(tracking_number=number):
        raise Rejected(f"Another shipment has the number {number}; check the label.")
    db.orders.update(order_id, status="shipped")
    return db.shipments.add(
        order_id=order_id,
        carrier=carrier,
        tracking_number=number,
        status="in_transit",
        shipped_at=db.now(),
    )


def update_shipment_status(
    db: Database, shipment_id: ShipmentId, status: ShipmentStatus
) -> Shipment:
    """Records that a parcel was delivered or lost.

    Args:
        shipment_id: The parcel in transit, e.g. SHP-0001.
        status: delivered or lost.

    Raises:
        Rejected: There is no such shipment.
        Rejected: The shipment is not in transit.
        Rejected: The new status is in_transit.
    """
    shipment = db.shipments.get(shipment_id)
    if shipment.status != "in_transit":
        raise Rejected(f"{shipment_id} is {shipment.status} already.")
    if status == "in_transit":
        raise Rejected("Give delivered or lost; the parcel is in transit already.")
    order = db.orders.get(shipment.order_id)
    if status == "delivered" and order.status == "shipped":
        db.orders.update(shipment.order_id, status="delivered")
    return db.shipments.update(
        shipment_id,
        status=status,
        delivered_at=db.now() if status == "delivered" else None,
    )


def confirm_receipt(db: Database, order_id: OrderId) -> Order:
    """Completes an order once the buyer has the item, and creates the payout.

    Args:
        order_id: The shipped or delivered order, or the paid pickup, e.g. ORD-0001.

    Raises:
        Rejected: There is no such order.
        Rejected: A parcel order is neither shipped nor delivered.
        Rejected: A pickup order is not paid.
        Rejected: The parcel is lost.
    """
    order = db.orders.get(order_id)
    _check_received(db, order)
    payments = db.payments.where(order_id=order_id)
    if not payments or db.payouts.where(order_id=order_id):
        raise Rejected(f"{order_id} has no payment, or a payout already; ask support.")
    payment = payments[0]
    if payment.status == "held":
        db.payments.update(payment.payment_id, status="released")
    for shipment in db.shipments.where(order_id=order_id, status="in_transit"):
        db.shipments.update(shipment.shipment_id, status="delivered", delivered_at=db.now())
    fee = _fee_of_order(db, order)
    left = payment.amount - payment.refunded_amount - fee
    db.payouts.add(
        order_id=order_id,
        seller_id=order.seller_id,
        fee=fee,
        amount=max(left, Decimal("0.00")),
        status="pending",
        created_at=db.now(),
    )
    return db.orders.update(order_id, status="completed", completed_at=db.now())


def _fee_of_order(db: Database, order: Order) -> Decimal:
    listing = db.listings.get(order.listing_id)
    rate = db.categories.get(listing.category_id).fee_rate
    return money(order.item_price * Decimal(str(rate)))


def _check_received(db: Database, order: Order) -> None:
    if order.delivery == "parcel" and order.status not in ("shipped", "delivered"):
        raise Rejected(f"{order.order_id} is {order.status}, not on its way.")
    if order.delivery == "pickup" and order.status != "paid":
        raise Rejected(f"{order.order_id} is {order.status}, not a paid pickup.")
    if db.shipments.where(order_id=order.order_id, status="lost"):
        raise Rejected(f"The parcel of {order.order_id} is lost; refund it instead.")


def get_order_payment(db: Database, order_id: OrderId) -> Payment:
    """Shows the payment of an order and how much of it was refunded.

    Args:
        order_id: The order, e.g. ORD-0001.

    Raises:
        Rejected: There is no such order.
        Rejected: The order has not been paid.
    """
    db.orders.get(order_id)
    payments = db.payments.where(order_id=order_id)
    if not payments:
        raise Rejected(f"{order_id} has not been paid.")
    return payments[0]


def list_disputes(
    db: Database,
    order_id: OrderId | None = None,
    user_id: UserId | None = None,
    status: DisputeStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Dispute]:
    """Lists disputes by order, member or status.

    Args:
        order_id: Only about this order, e.g. ORD-0001.
        user_id: Only on orders this user bought or sold, e.g. USR-0001.
        status: Only this status, e.g. open.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such order.
        Rejected: There is no such user.
        Rejected: The cursor or limit is bad.
    """
    rows = db.disputes.all()
    if order_id is not None:
        db.orders.get(order_id)
        rows = [row for row in rows if row.order_id == order_id]
    if user_id is not None:
        db.users.get(user_id)
        bought = db.orders.where(buyer_id=user_id)
        orders = bought + db.orders.where(seller_id=user_id)
        order_ids = [order.order_id for order in orders]
        rows = [row for row in rows if row.order_id in order_ids]
    if status is not None:
        rows = [row for row in rows if row.status == status]
    return page(rows, cursor, limit)


def list_refunds(
    db: Database,
    order_id: OrderId | None = None,
    reason: RefundReason | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Refund]:
    """Lists refunds by order or reason.

    Args:
        order_id: Only of this order, e.g. ORD-0001.
        reason: Only for this reason, e.g. goodwill.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such order.
        Rejected: The cursor or limit is bad.
    """
    rows = db.refunds.all()
    if order_id is not None:
        db.orders.get(order_id)
        rows = [row for row in rows if row.order_id == order_id]
    if reason is not None:
        rows = [row for row in rows if row.reason == reason]
    return page(rows, cursor, limit)


def list_payouts(
    db: Database,
    seller_id: UserId | None = None,
    order_id: OrderId | None = None,
    status: PayoutStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Payout]:
    """Lists payouts by seller, order or status.

    Args:
        seller_id: Only to this seller, e.g. USR-0001.
        order_id: Only of this order, e.g. ORD-0001.
        status: Only this status, e.g. pending.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such seller.
        Rejected: There is no such order.
        Rejected: The cursor or limit is bad.
    """
    rows = db.payouts.all()
    if seller_id is not None:
        db.users.get(seller_id)
        rows = [row for row in rows if row.seller_id == seller_id]
    if order_id is not None:
        db.orders.get(order_id)
        rows = [row for row in rows if row.order_id == order_id]
    if status is not None:
        rows = [row for row in rows if row.status == status]
    return page(rows, cursor, limit)


def open_dispute(
    db: Database, order_id: OrderId, reason: DisputeReason, description: str
) -> Dispute:
    """Opens a buyer's dispute about an order and holds back the payout.

    Args:
        order_id: The shipped, delivered or completed order, e.g. ORD-0001.
        reason: What is wrong, e.g. not_as_described.
        description: What happened, 10 to 500 characters, e.g. The screen has a crack.

    Raises:
        Rejected: There is no such order.
        Rejected: The order is not shipped, delivered or completed.
        Rejected: The order is only shipped and the reason is not not_received.
        Rejected: The order was completed more than 3 days ago.
        Rejected: The payout of the order was paid already.
        Rejected: The order has had a dispute already.
        Rejected: The description is shorter than 10 or longer than 500 characters.
    """
    order = db.orders.get(order_id)
    if order.status not in ("shipped", "delivered", "completed"):
        raise Rejected(f"{order_id} is {order.status} and cannot be disputed.")
    if order.status == "shipped" and reason != "not_received":
        raise Rejected(f"{order_id} has not arrived; the reason must be not_received.")
    since = db.now() - timedelta(days=DISPUTE_DAYS)
    if order.completed_at is not None and order.completed_at < since:
        raise Rejected(f"{order_id} was completed more than {DISPUTE_DAYS} days ago.")
    if db.payouts.where(order_id=order_id, status="paid"):
        raise Rejected(f"The seller of {order_id} was paid already.")
    if db.disputes.where(order_id=order_id):
        raise Rejected(f"{order_id} has had a dispute already.")
    if not MIN_COMPLAINT <= len(description.strip()) <= MAX_COMPLAINT:
        raise Rejected(f"Describe it in {MIN_COMPLAINT} to {MAX_COMPLAINT} characters.")
    for payout in db.payouts.where(order_id=order_id, status="pending"):
        db.payouts.update(payout.payout_id, status="held")
    db.orders.update(order_id, status="disputed")
    return db.disputes.add(
        order_id=order_id,
        reason=reason,
        description=description,
        status="open",
        opened_at=db.now(),
    )


def respond_to_dispute(
    db: Database, dispute_id: DisputeId, response: str, offered_refund: Money | None = None
) -> Dispute:
    """Records the seller's response to an open dispute.

    Args:
        dispute_id: The open dispute, e.g. DSP-0001.
        response: What the seller says, 10 to 500 characters, e.g. It was intact when I packed it.
        offered_refund: Refund the seller agrees to, above 0, e.g. 20.00.

    Raises:
        Rejected: There is no such dispute.
        Rejected: The dispute is not open.
        Rejected: The response is shorter than 10 or longer than 500 characters.
        Rejected: The offered refund is not above 0 or is more than what is left of the payment.
    """
    dispute = db.disputes.get(dispute_id)
    if dispute.status != "open":
        raise Rejected(f"{dispute_id} is {dispute.status}; it takes no response.")
    if not MIN_RESPONSE <= len(response.strip()) <= MAX_RESPONSE:
        raise Rejected(f"Respond in {MIN_RESPONSE} to {MAX_RESPONSE} characters.")
    left = _left_of_payment(db, dispute.order_id)
    if offered_refund is not None and not 0 < offered_refund <= left:
        raise Rejected(f"The offered refund must be above 0 and at most {left}.")
    return db.disputes.update(
        dispute_id,
        status="answered",
        response=response,
        offered_refund=offered_refund,
        answered_at=db.now(),
    )


def settle_dispute(
    db: Database, dispute_id: DisputeId, outcome: DisputeOutcome, refund_amount: Money | None = None
) -> Dispute:
    """Settles a dispute for support with a full, a partial or no refund.

    Args:
        dispute_id: The open or answered dispute, e.g. DSP-0001.
        outcome: How it ends, e.g. partial_refund.
        refund_amount: Only for partial_refund: above 0 and below what is left of the payment, e.g.
            30.00.

    Raises:
        Rejected: There is no such dispute.
        Rejected: The dispute is settled already.
        Rejected: The seller has not responded and the dispute was opened less than 3 days ago.
        Rejected: A partial refund has no amount, or another outcome has one.
        Rejected: The amount is not above 0 or not below what is left of the payment.
    """
    dispute = db.disputes.get(dispute_id)
    if dispute.outcome is not None:
        raise Rejected(f"{dispute_id} is settled already: {dispute.outcome}.")
    heard_by = dispute.opened_at + timedelta(days=HEARING_DAYS)
    if dispute.response is None and db.now() < heard_by:
        raise Rejected(f"Hear the seller first, or wait until {heard_by}.")
    if (outcome == "partial_refund") == (refund_amount is None):
        raise Rejected("Give a refund_amount for a partial_refund, and only for that.")
    order = db.orders.get(dispute.order_id)
    left = _left_of_payment(db, order.order_id)
    if refund_amount is not None and not 0 < refund_amount < left:
        raise Rejected(f"The amount must be above 0 and below {left}.")
    if outcome == "full_refund":
        _give_back(db, order.order_id, left, "dispute_settled")
        _refund_after_dispute(db, order)
    else:
        if refund_amount is not None:
            _give_back(db, order.order_id, refund_amount, "dispute_settled")
        _complete_after_dispute(db, order)
    return db.disputes.update(dispute_id, status="settled", outcome=outcome, settled_at=db.now())


def issue_refund(db: Database, order_id: OrderId, amount: Money, reason: RefundReason) -> Refund:
    """Refunds a buyer for a lost parcel or as goodwill, for support.

    Args:
        order_id: The paid order, e.g. ORD-0001.
        amount: Above 0, at most what is left of the payment, e.g. 15.00.
        reason: parcel_lost or goodwill.

    Raises:
        Rejected: There is no such order.
        Rejected: The order is not paid, shipped, delivered or completed.
        Rejected: The reason is neither parcel_lost nor goodwill.
        Rejected: The reason is parcel_lost and the parcel is not lost.
        Rejected: The reason is parcel_lost and the amount is not all that is left of the payment.
        Rejected: The amount is not above 0 or is more than what is left of the payment.
        Rejected: The payout of the order was paid already.
    """
    order = db.orders.get(order_id)
    if order.status not in ("paid", "shipped", "delivered", "completed"):
        raise Rejected(f"{order_id} is {order.status} and gets no refund here.")
    _check_refund_reason(db, order_id, amount, reason)
    if db.payouts.where(order_id=order_id, status="paid"):
        raise Rejected(f"The seller of {order_id} was paid already.")
    refund = _give_back(db, order_id, amount, reason)
    empty = _left_of_payment(db, order_id) == 0
    if empty:
        db.orders.update(order_id, status="refunded")
    due = _due_to_seller(db, order)
    for payout in db.payouts.where(order_id=order_id, status="pending"):
        if empty:
            db.payouts.update(payout.payout_id, status="cancelled")
        else:
            db.payouts.update(payout.payout_id, amount=due)
    return refund


def pay_payout(db: Database, payout_id: PayoutId) -> Payout:
    """Pays a pending payout to its seller.

    Args:
        payout_id: The pending payout, e.g. PYT-0001.

    Raises:
        Rejected: There is no such payout.
        Rejected: The payout is not pending.
        Rejected: The seller is suspended.
    """
    payout = db.payouts.get(payout_id)
    if payout.status != "pending":
        raise Rejected(f"{payout_id} is {payout.status}; only pending ones are paid.")
    seller = db.users.get(payout.seller_id)
    if seller.status == "suspended":
        raise Rejected(f"{payout.seller_id} is suspended; lift the suspension first.")
    return db.payouts.update(payout_id, status="paid", paid_at=db.now())


def _left_of_payment(db: Database, order_id: OrderId) -> Decimal:
    payment = db.payments.where(order_id=order_id)[0]
    return payment.amount - payment.refunded_amount


def _fee_kept(db: Database, order: Order) -> Decimal:
    listing = db.listings.get(order.listing_id)
    rate = db.categories.get(listing.category_id).fee_rate
    return money(order.item_price * Decimal(str(rate)))


def _due_to_seller(db: Database, order: Order) -> Decimal:
    left = _left_of_payment(db, order.order_id) - _fee_kept(db, order)
    return max(left, Decimal("0.00"))


def _give_back(db: Database, order_id: OrderId, amount: Decimal, reason: RefundReason) -> Refund:
    payment = db.payments.where(order_id=order_id)[0]
    refunded = payment.refunded_amount + amount
    full = refunded == payment.amount
    db.payments.update(
        payment.payment_id,
        refunded_amount=refunded,
        status="refunded" if full else "partly_refunded",
    )
    return db.refunds.add(
        payment_id=payment.payment_id,
        order_id=order_id,
        amount=amount,
        reason=reason,
        refunded_at=db.now(),
    )


def _complete_after_dispute(db: Database, order: Order) -> None:
    payment = db.payments.where(order_id=order.order_id)[0]
    if payment.status == "held":
        db.payments.update(payment.payment_id, status="released")
    due = _due_to_seller(db, order)
    payouts = db.payouts.where(order_id=order.order_id)
    for payout in payouts:
        db.payouts.update(payout.payout_id, status="pending", amount=due)
    if not payouts:
        db.payouts.add(
            order_id=order.order_id,
            seller_id=order.seller_id,
            fee=_fee_kept(db, order),
            amount=due,
            status="pending",
            created_at=db.now(),
        )
    db.orders.update(
        order.order_id,
        status="completed",
        completed_at=order.completed_at or db.now(),
    )


def _refund_after_dispute(db: Database, order: Order) -> None:
    for payout in db.payouts.where(order_id=order.order_id):
        db.payouts.update(payout.payout_id, status="cancelled")
    db.orders.update(order.order_id, status="refunded")


def _check_refund_reason(
    db: Database, order_id: OrderId, amount: Decimal, reason: RefundReason
) -> None:
    if reason not in ("parcel_lost", "goodwill"):
        raise Rejected("Give parcel_lost or goodwill as the reason.")
    lost = db.shipments.where(order_id=order_id, status="lost")
    if reason == "parcel_lost" and not lost:
        raise Rejected(f"The parcel of {order_id} is not lost.")
    left = _left_of_payment(db, order_id)
    if reason == "parcel_lost" and amount != left:
        raise Rejected(f"For a lost parcel refund all that is left, {left}.")
    if not 0 < amount <= left:
        raise Rejected(f"The amount must be above 0 and at most {left}.")


def list_reviews(
    db: Database,
    reviewee_id: UserId | None = None,
    order_id: OrderId | None = None,
    status: ReviewStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Review]:
    """Lists reviews by the member they are about, order or status.

    Args:
        reviewee_id: Only about this user, e.g. USR-0001.
        order_id: Only of this order, e.g. ORD-0001.
        status: Only this status, e.g. visible.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such reviewee.
        Rejected: There is no such order.
        Rejected: The cursor or limit is bad.
    """
    rows = db.reviews.all()
    if reviewee_id is not None:
        db.users.get(reviewee_id)
        rows = [row for row in rows if row.reviewee_id == reviewee_id]
    if order_id is not None:
        db.orders.get(order_id)
        rows = [row for row in rows if row.order_id == order_id]
    if status is not None:
        rows = [row for row in rows if row.status == status]
    return page(rows, cursor, limit)


def list_reports(
    db: Database,
    status: ReportStatus | None = None,
    target: ReportTarget | None = None,
    reported_user_id: UserId | None = None,
    listing_id: ListingId | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Report]:
    """Lists reports by status, kind of target or reported member, for moderators.

    Args:
        status: Only this status, e.g. open.
        target: Only about this kind, e.g. listing.
        reported_user_id: Only about this user or what they posted, e.g. USR-0001.
        listing_id: Only about this listing, e.g. LST-0001.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such reported user.
        Rejected: There is no such listing.
        Rejected: The cursor or limit is bad.
    """
    rows = db.reports.all()
    if status is not None:
        rows = [row for row in rows if row.status == status]
    if target is not None:
        rows = [row for row in rows if row.target == target]
    if reported_user_id is not None:
        db.users.get(reported_user_id)
        rows = [row for row in rows if row.reported_user_id == reported_user_id]
    if listing_id is not None:
        db.listings.get(listing_id)
        rows = [row for row in rows if row.listing_id == listing_id]
    return page(rows, cursor, limit)


def list_sanctions(
    db: Database,
    user_id: UserId | None = None,
    kind: SanctionKind | None = None,
    status: SanctionStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Sanction]:
    """Lists warnings and suspensions by member, kind or status.

    Args:
        user_id: Only on this user, e.g. USR-0001.
        kind: Only this kind, e.g. suspension.
        status: Only this status, e.g. active.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: There is no such user.
        Rejected: The cursor or limit is bad.
    """
    rows = db.sanctions.all()
    if user_id is not None:
        db.users.get(user_id)
        rows = [row for row in rows if row.user_id == user_id]
    if kind is not None:
        rows = [row for row in rows if row.kind == kind]
    if status is not None:
        rows = [row for row in rows if row.status == status]
    return page(rows, cursor, limit)


def leave_review(
    db: Database, order_id: OrderId, reviewer_id: UserId, rating: int, comment: str
) -> Review:
    """Leaves a review of the other side after a completed order.

    Args:
        order_id: The completed order, e.g. ORD-0001.
        reviewer_id: Its buyer or seller, e.g. USR-0002.
        rating: 1 to 5.
        comment: 1 to 500 characters, e.g. Fast and friendly.

    Raises:
        Rejected: There is no such order.
        Rejected: There is no such reviewer.
        Rejected: The order is not completed.
        Rejected: The reviewer is neither buyer nor seller of the order.
        Rejected: The order was completed more than 30 days ago.
        Rejected: The reviewer has reviewed this order already.
        Rejected: The rating is not from 1 to 5.
        Rejected: The comment is empty or longer than 500 characters.
    """
    order = db.orders.get(order_id)
    db.users.get(reviewer_id)
    if order.status != "completed" or order.completed_at is None:
        raise Rejected(f"{order_id} is {order.status}; review completed orders only.")
    if reviewer_id not in (order.buyer_id, order.seller_id):
        raise Rejected(f"{reviewer_id} neither bought nor sold in {order_id}.")
    if order.completed_at < db.now() - timedelta(days=REVIEW_DAYS):
        raise Rejected(f"{order_id} was completed over {REVIEW_DAYS} days ago.")
    if db.reviews.where(order_id=order_id, reviewer_id=reviewer_id):
        raise Rejected(f"{reviewer_id} has reviewed {order_id} already.")
    if not 1 <= rating <= MAX_RATING:
        raise Rejected(f"The rating must be from 1 to {MAX_RATING}.")
    if not comment.strip() or len(comment) > MAX_COMMENT:
        raise Rejected(f"The comment must have 1 to {MAX_COMMENT} characters.")
    by_buyer = reviewer_id == order.buyer_id
    review = db.reviews.add(
        order_id=order_id,
        reviewer_id=reviewer_id,
        reviewee_id=order.seller_id if by_buyer else order.buyer_id,
        rating=rating,
        comment=comment,
        status="visible",
        created_at=db.now(),
    )
    about = db.reviews.where(reviewee_id=review.reviewee_id, status="visible")
    average = sum(row.rating for row in about) / len(about)
    db.users.update(review.reviewee_id, rating=round(average, 2))
    return review


def reply_to_review(db: Database, review_id: ReviewId, reply: str) -> Review:
    """Adds the reviewed member's reply to a review.

    Args:
        review_id: The review, e.g. REV-0001.
        reply: 1 to 500 characters, e.g. Thank you, gladly again.

    Raises:
        Rejected: There is no such review.
        Rejected: The review is removed.
        Rejected: The review has a reply already.
        Rejected: The reply is empty or longer than 500 characters.
    """
    review = db.reviews.get(review_id)
    if review.status == "removed":
        raise Rejected(f"{review_id} is removed; it takes no reply.")
    if review.reply is not None:
        raise Rejected(f"{review_id} has a reply already.")
    if not reply.strip() or len(reply) > MAX_COMMENT:
        raise Rejected(f"The reply must have 1 to {MAX_COMMENT} characters.")
    return db.reviews.update(review_id, reply=reply, replied_at=db.now())


def file_report(
    db: Database,
    reporter_id: UserId,
    reason: ReportReason,
    listing_id: ListingId | None = None,
    user_id: UserId | None = None,
    message_id: MessageId | None = None,
    review_id: ReviewId | None = None,
) -> Report:
    """Files a member's report about a listing, user, message or review.

    Args:
        reporter_id: Who reports, e.g. USR-0002.
        reason: What is wrong, e.g. counterfeit.
        listing_id: The reported listing, e.g. LST-0001.
        user_id: The reported user, e.g. USR-0001.
        message_id: The reported message, e.g. MSG-0001.
        review_id: The reported review, e.g. REV-0001.

    Raises:
        Rejected: There is no such reporter.
        Rejected: There is no such listing.
        Rejected: There is no such user.
        Rejected: There is no such message.
        Rejected: There is no such review.
        Rejected: Not exactly one of listing_id, user_id, message_id and review_id is given.
        Rejected: The reporter's account is closed.
        Rejected: The reporter is the reported user, or posted the reported thing.
        Rejected: The reporter has an open report about the same thing.
    """
    reporter = db.users.get(reporter_id)
    found = _reported_users(db, listing_id, user_id, message_id, review_id)
    if len(found) != 1:
        raise Rejected("Give one of listing_id, user_id, message_id and review_id.")
    reported_id = found[0]
    if reporter.status == "closed":
        raise Rejected(f"The account of {reporter_id} is closed.")
    if reporter_id == reported_id:
        raise Rejected(f"{reporter_id} cannot report themselves or what they posted.")
    if _same_open_reports(db, reporter_id, reported_id, listing_id, message_id, review_id):
        raise Rejected(f"{reporter_id} has an open report about this already.")
    return db.reports.add(
        reporter_id=reporter_id,
        reported_user_id=reported_id,
        target=(
            "listing"
            if listing_id is not None
            else "message"
            if message_id is not None
            else "review"
            if review_id is not None
            else "user"
        ),
        reason=reason,
        listing_id=listing_id,
        message_id=message_id,
        review_id=review_id,
        status="open",
        filed_at=db.now(),
    )


def decide_report(db: Database, report_id: ReportId, decision: ReportStatus, note: str) -> Report:
    """Decides an open report for moderators and takes down what was upheld.

    Args:
        report_id: The open report, e.g. RPT-0001.
        decision: upheld or dismissed.
        note: Why, 1 to 300 characters, e.g. Logo is fake.

    Raises:
        Rejected: There is no such report.
        Rejected: The report is not open.
        Rejected: The decision is open.
        Rejected: The note is empty or longer than 300 characters.
        Rejected: Upheld about a listing with an order that is placed or paid; cancel that first.
    """
    report = db.reports.get(report_id)
    if report.decided_at is not None:
        raise Rejected(f"{report_id} is {report.status} already.")
    if decision == "open":
        raise Rejected("Decide upheld or dismissed.")
    if not note.strip() or len(note) > MAX_NOTE:
        raise Rejected(f"The note must have 1 to {MAX_NOTE} characters.")
    if decision == "upheld" and report.listing_id is not None:
        _check_no_running_order(db, report.listing_id)
    if decision == "upheld":
        _take_down(db, report)
    return db.reports.update(report_id, status=decision, note=note, decided_at=db.now())


def issue_sanction(
    db: Database,
    user_id: UserId,
    kind: SanctionKind,
    reason: ReportReason,
    days: int | None = None,
    report_id: ReportId | None = None,
) -> Sanction:
    """Warns or suspends a member for moderators.

    Args:
        user_id: Who is sanctioned, e.g. USR-0001.
        kind: warning or suspension.
        reason: What for, e.g. fraud.
        days: Only for a suspension: 1 to 365 days from today.
        report_id: The upheld report behind it, e.g. RPT-0001.

    Raises:
        Rejected: There is no such user.
        Rejected: There is no such report.
        Rejected: The user's account is closed.
        Rejected: A suspension has no days, or a warning has days.
        Rejected: The days are not from 1 to 365.
        Rejected: The user is suspended already and this is a suspension.
        Rejected: The report is not upheld or is about another user.
    """
    user = db.users.get(user_id)
    if user.status == "closed":
        raise Rejected(f"The account of {user_id} is closed.")
    if (kind == "suspension") == (days is None):
        raise Rejected("Give days for a suspension, and none for a warning.")
    if days is not None and not 1 <= days <= MAX_SUSPENSION:
        raise Rejected(f"The days must be from 1 to {MAX_SUSPENSION}.")
    if kind == "suspension" and user.status == "suspended":
        raise Rejected(f"{user_id} is suspended already; lift that first.")
    if report_id is not None:
        _check_report_behind(db, report_id, user_id)
    if kind == "suspension":
        _suspend_user(db, user_id)
    return db.sanctions.add(
        user_id=user_id,
        kind=kind,
        reason=reason,
        status="active",
        starts_on=db.today(),
        ends_on=None if days is None else db.today() + timedelta(days=days),
        report_id=report_id,
    )


def lift_sanction(db: Database, sanction_id: SanctionId) -> Sanction:
    """Lifts an active warning or suspension for moderators.

    Args:
        sanction_id: The active sanction, e.g. SNC-0001.

    Raises:
        Rejected: There is no such sanction.
        Rejected: The sanction is not active.
    """
    sanction = db.sanctions.get(sanction_id)
    if sanction.status != "active":
        raise Rejected(f"{sanction_id} is {sanction.status} already.")
    if sanction.kind == "suspension":
        db.users.update(sanction.user_id, status="active")
    return db.sanctions.update(sanction_id, status="lifted", lifted_at=db.now())


def _reported_users(
    db: Database,
    listing_id: ListingId | None,
    user_id: UserId | None,
    message_id: MessageId | None,
    review_id: ReviewId | None,
) -> list[UserId]:
    found: list[UserId] = []
    if listing_id is not None:
        found = found + [db.listings.get(listing_id).seller_id]
    if user_id is not None:
        found = found + [db.users.get(user_id).user_id]
    if message_id is not None:
        found = found + [db.messages.get(message_id).sender_id]
    if review_id is not None:
        found = found + [db.reviews.get(review_id).reviewer_id]
    return found


def _same_open_reports(
    db: Database,
    reporter_id: UserId,
    reported_user_id: UserId,
    listing_id: ListingId | None,
    message_id: MessageId | None,
    review_id: ReviewId | None,
) -> list[Report]:
    wanted = (listing_id, message_id, review_id)
    reports = db.reports.where(
        reporter_id=reporter_id, reported_user_id=reported_user_id, status="open"
    )
    return [row for row in reports if (row.listing_id, row.message_id, row.review_id) == wanted]


def _check_no_running_order(db: Database, listing_id: ListingId) -> None:
    for order in db.orders.where(listing_id=listing_id):
        if order.status in ("placed", "paid"):
            raise Rejected(f"Cancel {order.order_id} on {listing_id} first.")


def _remove_listing(db: Database, listing_id: ListingId) -> None:
    if db.listings.get(listing_id).status != "sold":
        db.listings.update(listing_id, status="removed")
    for offer in db.offers.where(listing_id=listing_id):
        ordered = db.orders.where(offer_id=offer.offer_id)
        if offer.status in ("open", "countered", "accepted") and not ordered:
            db.offers.update(offer.offer_id, status="declined")


def _remove_review(db: Database, review_id: ReviewId) -> None:
    user_id = db.reviews.update(review_id, status="removed").reviewee_id
    about = db.reviews.where(reviewee_id=user_id, status="visible")
    total = sum(row.rating for row in about)
    db.users.update(user_id, rating=round(total / len(about), 2) if about else None)


def _take_down(db: Database, report: Report) -> None:
    if report.listing_id is not None:
        _remove_listing(db, report.listing_id)
    if report.message_id is not None:
        db.messages.update(report.message_id, hidden=True)
    if report.review_id is not None:
        _remove_review(db, report.review_id)


def _suspend_user(db: Database, user_id: UserId) -> None:
    db.users.update(user_id, status="suspended")
    for listing in db.listings.where(seller_id=user_id, status="active"):
        db.listings.update(listing.listing_id, status="withdrawn")
    for offer in db.offers.all():
        seller_id = db.listings.get(offer.listing_id).seller_id
        concerned = user_id in (offer.buyer_id, seller_id)
        if concerned and offer.status in ("open", "countered"):
            db.offers.update(offer.offer_id, status="declined")


def _check_report_behind(db: Database, report_id: ReportId, user_id: UserId) -> None:
    report = db.reports.get(report_id)
    if report.status != "upheld" or report.reported_user_id != user_id:
        raise Rejected(f"{report_id} is not an upheld report about {user_id}.")
