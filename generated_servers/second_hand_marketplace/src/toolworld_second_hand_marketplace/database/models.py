"""The rows, value objects and enums of Second-hand marketplace, and its typed database."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ..values import Boolean, Date, Datetime, Integer, Key, Money, Number, Row, Text, Value
from . import store
from .schema import Reference, TableSchema
from .table import Table

UserStatus: TypeAlias = Literal["active", "suspended", "closed"]
TradeRole: TypeAlias = Literal["buyer", "seller"]
ItemCondition: TypeAlias = Literal["new", "like_new", "good", "fair", "for_parts"]
ListingStatus: TypeAlias = Literal[
    "draft", "active", "reserved", "sold", "expired", "withdrawn", "removed"
]
OfferStatus: TypeAlias = Literal["open", "countered", "accepted", "declined", "expired"]
DeliveryMethod: TypeAlias = Literal["parcel", "pickup"]
OrderStatus: TypeAlias = Literal[
    "placed", "paid", "shipped", "delivered", "disputed", "completed", "refunded", "cancelled"
]
CancelReason: TypeAlias = Literal[
    "buyer_changed_mind", "seller_unavailable", "item_damaged", "not_paid", "suspected_fraud"
]
PaymentMethod: TypeAlias = Literal["card", "bank_transfer", "wallet"]
PaymentStatus: TypeAlias = Literal["held", "released", "partly_refunded", "refunded"]
Carrier: TypeAlias = Literal["dhl", "ups", "gls", "dpd", "postal_service"]
ShipmentStatus: TypeAlias = Literal["in_transit", "delivered", "lost"]
DisputeReason: TypeAlias = Literal[
    "not_as_described", "damaged", "not_received", "counterfeit", "wrong_item"
]
DisputeStatus: TypeAlias = Literal["open", "answered", "settled"]
DisputeOutcome: TypeAlias = Literal["full_refund", "partial_refund", "no_refund"]
RefundReason: TypeAlias = Literal["dispute_settled", "parcel_lost", "order_cancelled", "goodwill"]
PayoutStatus: TypeAlias = Literal["pending", "held", "paid", "cancelled"]
ReviewStatus: TypeAlias = Literal["visible", "removed"]
ReportTarget: TypeAlias = Literal["listing", "user", "message", "review"]
ReportReason: TypeAlias = Literal[
    "counterfeit", "prohibited_item", "fraud", "harassment", "spam", "fake_review"
]
ReportStatus: TypeAlias = Literal["open", "upheld", "dismissed"]
SanctionKind: TypeAlias = Literal["warning", "suspension"]
SanctionStatus: TypeAlias = Literal["active", "lifted", "ended"]

UserId: TypeAlias = Key
AddressId: TypeAlias = Key
CategoryId: TypeAlias = Key
ListingId: TypeAlias = Key
WatchId: TypeAlias = Key
MessageId: TypeAlias = Key
OfferId: TypeAlias = Key
OrderId: TypeAlias = Key
PaymentId: TypeAlias = Key
ShipmentId: TypeAlias = Key
DisputeId: TypeAlias = Key
RefundId: TypeAlias = Key
PayoutId: TypeAlias = Key
ReviewId: TypeAlias = Key
ReportId: TypeAlias = Key
SanctionId: TypeAlias = Key


class SummarizeUserTasksResult(Value):
    """Sums up what a member has open: offers, orders, disputes and payouts.

    Attributes:
        user_id: The user.
        status: Status of the account.
        active_listings: How many active listings the user sells.
        offer_ids: Offers waiting for this user's answer: open ones on own listings, countered ones
            made by the user.
        pay_order_ids: Placed orders the user must pay as buyer.
        ship_order_ids: Paid parcel orders the user must ship as seller.
        receive_order_ids: Shipped or delivered orders the user must confirm as buyer.
        dispute_ids: Disputes not settled on orders the user bought or sold.
        pending_payouts: Sum of the user's pending payouts.
    """

    user_id: UserId
    status: UserStatus
    active_listings: Integer
    offer_ids: tuple[OfferId, ...]
    pay_order_ids: tuple[OrderId, ...]
    ship_order_ids: tuple[OrderId, ...]
    receive_order_ids: tuple[OrderId, ...]
    dispute_ids: tuple[DisputeId, ...]
    pending_payouts: Money


class User(Row):
    """A member who buys, sells or both, with contact data, account status and rating.

    Attributes:
        user_id: The user.
        name: Full name, e.g. Anna Keller.
        email: E-mail address in small letters.
        phone: Phone number with country code, e.g. +49 151 5550101.
        status: Whether the account may trade.
        verified: Whether the identity was checked, needed to sell in restricted categories.
        rating: Average of the visible reviews about the user, two decimals; null without any.
        joined_on: Day the account was opened.
    """

    user_id: UserId
    name: Text
    email: Text
    phone: Text
    status: UserStatus
    verified: Boolean
    rating: Number | None = None
    joined_on: Date


class Address(Row):
    """A delivery or pickup address of a user.

    Attributes:
        address_id: The address.
        user_id: Whose address.
        label: What the user calls it, e.g. Home or Office.
        recipient: Name on the door, e.g. Anna Keller.
        street: Street and number, e.g. Lindenstrasse 12.
        postal_code: Postal code, e.g. 10969.
        city: City, e.g. Berlin.
    """

    address_id: AddressId
    user_id: UserId
    label: Text
    recipient: Text
    street: Text
    postal_code: Text
    city: Text


class Category(Row):
    """A kind of goods with its fee rate and whether it is restricted.

    Attributes:
        category_id: The category.
        name: Name of the category, e.g. Bicycles.
        fee_rate: Share of the item price kept as fee, e.g. 0.08.
        shipping_price: What the buyer pays for a parcel, e.g. 5.49. In EUR.
        restricted: Whether only verified users may sell in it.
    """

    category_id: CategoryId
    name: Text
    fee_rate: Number
    shipping_price: Money
    restricted: Boolean


class Listing(Row):
    """One used item a seller offers, with price, condition and status from draft to sold.

    Attributes:
        listing_id: The listing.
        seller_id: Who sells it.
        category_id: Kind of goods.
        title: What it is, 5 to 80 characters, e.g. Oak bookshelf, 180 cm.
        condition: How worn it is.
        price: Asking price, 1.00 to 10000.00. In EUR.
        status: Where the listing stands.
        published_at: When it was last published; null if never.
        expires_on: Last day on the market, 30 days after publishing; null if never published.
    """

    listing_id: ListingId
    seller_id: UserId
    category_id: CategoryId
    title: Text
    condition: ItemCondition
    price: Money
    status: ListingStatus
    published_at: Datetime | None = None
    expires_on: Date | None = None


class Watch(Row):
    """A user's watch on a listing, to come back to it later.

    Attributes:
        watch_id: The watch.
        user_id: Who watches.
        listing_id: What is watched.
        watched_price: Asking price when the watch was set. In EUR.
        watched_at: When the watch was set.
    """

    watch_id: WatchId
    user_id: UserId
    listing_id: ListingId
    watched_price: Money
    watched_at: Datetime


class Message(Row):
    """A message from one user to another about a listing.

    Attributes:
        message_id: The message.
        sender_id: Who wrote it.
        recipient_id: Who got it.
        listing_id: What it is about.
        text: What was written, 1 to 1000 characters.
        sent_at: When it was sent.
        hidden: Whether a moderator took it down.
    """

    message_id: MessageId
    sender_id: UserId
    recipient_id: UserId
    listing_id: ListingId
    text: Text
    sent_at: Datetime
    hidden: Boolean


class Offer(Row):
    """A buyer's price proposal for a listing, with counter price, expiry and status.

    Attributes:
        offer_id: The offer.
        listing_id: What the offer is for.
        buyer_id: Who offers.
        amount: What the buyer offers. In EUR.
        counter_amount: What the seller asks instead; null without a counter offer. In EUR.
        agreed_price: Price agreed when the offer was accepted; null before. In EUR.
        status: Where the offer stands.
        made_at: When it was made.
        expires_at: Until when it can be answered.
    """

    offer_id: OfferId
    listing_id: ListingId
    buyer_id: UserId
    amount: Money
    counter_amount: Money | None = None
    agreed_price: Money | None = None
    status: OfferStatus
    made_at: Datetime
    expires_at: Datetime


class Order(Row):
    """The purchase of a listing by a buyer, from placed to completed or cancelled.

    Attributes:
        order_id: The order.
        listing_id: What is bought.
        buyer_id: Who buys.
        seller_id: Who sells, the listing's seller.
        offer_id: Accepted offer the price comes from; null at the asking price.
        delivery: How the item reaches the buyer.
        address_id: The buyer's address a parcel goes to; null for a pickup.
        item_price: Price of the item. In EUR.
        shipping_price: Price of the parcel; 0 for a pickup. In EUR.
        total: Item price plus shipping price. In EUR.
        status: Where the order stands.
        cancel_reason: Why it was cancelled; null unless cancelled.
        placed_at: When it was placed.
        completed_at: When it was completed; null before.
    """

    order_id: OrderId
    listing_id: ListingId
    buyer_id: UserId
    seller_id: UserId
    offer_id: OfferId | None = None
    delivery: DeliveryMethod
    address_id: AddressId | None = None
    item_price: Money
    shipping_price: Money
    total: Money
    status: OrderStatus
    cancel_reason: CancelReason | None = None
    placed_at: Datetime
    completed_at: Datetime | None = None


class Payment(Row):
    """The buyer's money for an order, held, released or refunded.

    Attributes:
        payment_id: The payment.
        order_id: What was paid.
        method: How the buyer paid.
        amount: What the buyer paid, the order's total. In EUR.
        refunded_amount: How much of it was given back so far. In EUR.
        status: Where the money is.
        paid_at: When it was paid.
    """

    payment_id: PaymentId
    order_id: OrderId
    method: PaymentMethod
    amount: Money
    refunded_amount: Money
    status: PaymentStatus
    paid_at: Datetime


class Shipment(Row):
    """The parcel of an order with carrier, tracking number and delivery status.

    Attributes:
        shipment_id: The shipment.
        order_id: What is in the parcel.
        carrier: Who carries it.
        tracking_number: Number on the label, 8 to 30 capitals and digits, e.g. DHL10002233.
        status: Where the parcel is.
        shipped_at: When the seller handed it over.
        delivered_at: When it was delivered; null otherwise.
    """

    shipment_id: ShipmentId
    order_id: OrderId
    carrier: Carrier
    tracking_number: Text
    status: ShipmentStatus
    shipped_at: Datetime
    delivered_at: Datetime | None = None


class Dispute(Row):
    """A buyer's complaint about an order, with reason, seller's response and outcome.

    Attributes:
        dispute_id: The dispute.
        order_id: What it is about.
        reason: What the buyer complains about.
        description: What happened, in the buyer's words.
        status: Where the dispute stands.
        response: What the seller says; null before.
        offered_refund: Refund the seller agrees to; null without an offer. In EUR.
        outcome: How it was settled; null before.
        opened_at: When it was opened.
        answered_at: When the seller responded; null before.
        settled_at: When it was settled; null before.
    """

    dispute_id: DisputeId
    order_id: OrderId
    reason: DisputeReason
    description: Text
    status: DisputeStatus
    response: Text | None = None
    offered_refund: Money | None = None
    outcome: DisputeOutcome | None = None
    opened_at: Datetime
    answered_at: Datetime | None = None
    settled_at: Datetime | None = None


class Refund(Row):
    """Money given back to the buyer out of a payment, with amount and reason.

    Attributes:
        refund_id: The refund.
        payment_id: Out of which payment it was given.
        order_id: The order of that payment.
        amount: What the buyer got back. In EUR.
        reason: Why it was given.
        refunded_at: When it was given.
    """

    refund_id: RefundId
    payment_id: PaymentId
    order_id: OrderId
    amount: Money
    reason: RefundReason
    refunded_at: Datetime


class Payout(Row):
    """What a seller gets for a completed order after the fee: pending, held or paid.

    Attributes:
        payout_id: The payout.
        order_id: Which order's money.
        seller_id: Who gets it.
        fee: What the marketplace keeps, item price times fee rate, to the cent. In EUR.
        amount: What the seller gets: payment less refunded amount less fee, at least 0. In EUR.
        status: Where the payout stands.
        created_at: When it was created.
        paid_at: When it was paid; null before.
    """

    payout_id: PayoutId
    order_id: OrderId
    seller_id: UserId
    fee: Money
    amount: Money
    status: PayoutStatus
    created_at: Datetime
    paid_at: Datetime | None = None


class Review(Row):
    """A rating with comment by one party of an order about the other.

    Attributes:
        review_id: The review.
        order_id: After which order.
        reviewer_id: Who wrote it, buyer or seller of the order.
        reviewee_id: Whom it is about, the other side.
        rating: 1 to 5.
        comment: What was written, 1 to 500 characters.
        status: Whether it is shown.
        created_at: When it was left.
        reply: What the other side replied; null before.
        replied_at: When they replied; null before.
    """

    review_id: ReviewId
    order_id: OrderId
    reviewer_id: UserId
    reviewee_id: UserId
    rating: Integer
    comment: Text
    status: ReviewStatus
    created_at: Datetime
    reply: Text | None = None
    replied_at: Datetime | None = None


class Report(Row):
    """A user's report about a listing, user, message or review, for moderators to decide.

    Attributes:
        report_id: The report.
        reporter_id: Who reported.
        reported_user_id: The reported user, or who posted the reported thing.
        target: Kind of the reported thing.
        reason: What is wrong with it.
        listing_id: The reported listing; null for another target.
        message_id: The reported message; null for another target.
        review_id: The reported review; null for another target.
        status: Where the report stands.
        note: Why it was decided so; null before.
        filed_at: When it was filed.
        decided_at: When it was decided; null before.
    """

    report_id: ReportId
    reporter_id: UserId
    reported_user_id: UserId
    target: ReportTarget
    reason: ReportReason
    listing_id: ListingId | None = None
    message_id: MessageId | None = None
    review_id: ReviewId | None = None
    status: ReportStatus
    note: Text | None = None
    filed_at: Datetime
    decided_at: Datetime | None = None


class Sanction(Row):
    """A warning or suspension put on a user by a moderator, with start, end and reason.

    Attributes:
        sanction_id: The sanction.
        user_id: Who is sanctioned.
        kind: Warning or suspension.
        reason: What for.
        status: Whether it still holds.
        starts_on: Day it was put on the user.
        ends_on: Last day of a suspension; null for a warning.
        lifted_at: When it was lifted; null otherwise.
        report_id: The upheld report behind it; null without one.
    """

    sanction_id: SanctionId
    user_id: UserId
    kind: SanctionKind
    reason: ReportReason
    status: SanctionStatus
    starts_on: Date
    ends_on: Date | None = None
    lifted_at: Datetime | None = None
    report_id: ReportId | None = None


SCHEMAS: dict[str, TableSchema] = {
    "users": TableSchema(
        name="users",
        row=User,
        key="user_id",
        noun="user",
        prefix="USR",
        unique=("email",),
        policies={"user_id": "exempt"},
    ),
    "addresses": TableSchema(
        name="addresses",
        row=Address,
        key="address_id",
        noun="address",
        prefix="ADR",
        references=(Reference(("user_id",), "users"),),
        policies={"address_id": "exempt"},
    ),
    "categories": TableSchema(
        name="categories",
        row=Category,
        key="category_id",
        noun="category",
        prefix="CAT",
        unique=("name",),
        policies={"category_id": "exempt"},
    ),
    "listings": TableSchema(
        name="listings",
        row=Listing,
        key="listing_id",
        noun="listing",
        prefix="LST",
        references=(
            Reference(("seller_id",), "users"),
            Reference(("category_id",), "categories"),
        ),
        policies={"listing_id": "exempt", "title": "semantic"},
    ),
    "watches": TableSchema(
        name="watches",
        row=Watch,
        key="watch_id",
        noun="watch",
        prefix="WAT",
        references=(
            Reference(("user_id",), "users"),
            Reference(("listing_id",), "listings"),
        ),
        policies={"watch_id": "exempt"},
    ),
    "messages": TableSchema(
        name="messages",
        row=Message,
        key="message_id",
        noun="message",
        prefix="MSG",
        references=(
            Reference(("sender_id",), "users"),
            Reference(("recipient_id",), "users"),
            Reference(("listing_id",), "listings"),
        ),
        policies={"message_id": "exempt", "text": "semantic"},
    ),
    "offers": TableSchema(
        name="offers",
        row=Offer,
        key="offer_id",
        noun="offer",
        prefix="OFR",
        references=(
            Reference(("listing_id",), "listings"),
            Reference(("buyer_id",), "users"),
        ),
        policies={"offer_id": "exempt"},
    ),
    "orders": TableSchema(
        name="orders",
        row=Order,
        key="order_id",
        noun="order",
        prefix="ORD",
        references=(
            Reference(("listing_id",), "listings"),
            Reference(("buyer_id",), "users"),
            Reference(("seller_id",), "users"),
            Reference(("offer_id",), "offers"),
            Reference(("address_id",), "addresses"),
        ),
        policies={"order_id": "exempt"},
    ),
    "payments": TableSchema(
        name="payments",
        row=Payment,
        key="payment_id",
        noun="payment",
        prefix="PAY",
        references=(Reference(("order_id",), "orders"),),
        policies={"payment_id": "exempt"},
    ),
    "shipments": TableSchema(
        name="shipments",
        row=Shipment,
        key="shipment_id",
        noun="shipment",
        prefix="SHP",
        unique=("tracking_number",),
        references=(Reference(("order_id",), "orders"),),
        policies={"shipment_id": "exempt"},
    ),
    "disputes": TableSchema(
        name="disputes",
        row=Dispute,
        key="dispute_id",
        noun="dispute",
        prefix="DSP",
        references=(Reference(("order_id",), "orders"),),
        policies={"dispute_id": "exempt", "description": "semantic", "response": "semantic"},
    ),
    "refunds": TableSchema(
        name="refunds",
        row=Refund,
        key="refund_id",
        noun="refund",
        prefix="RFD",
        references=(
            Reference(("payment_id",), "payments"),
            Reference(("order_id",), "orders"),
        ),
        policies={"refund_id": "exempt"},
    ),
    "payouts": TableSchema(
        name="payouts",
        row=Payout,
        key="payout_id",
        noun="payout",
        prefix="PYT",
        references=(
            Reference(("order_id",), "orders"),
            Reference(("seller_id",), "users"),
        ),
        policies={"payout_id": "exempt"},
    ),
    "reviews": TableSchema(
        name="reviews",
        row=Review,
        key="review_id",
        noun="review",
        prefix="REV",
        references=(
            Reference(("order_id",), "orders"),
            Reference(("reviewer_id",), "users"),
            Reference(("reviewee_id",), "users"),
        ),
        policies={"review_id": "exempt", "comment": "semantic", "reply": "semantic"},
    ),
    "reports": TableSchema(
        name="reports",
        row=Report,
        key="report_id",
        noun="report",
        prefix="RPT",
        references=(
            Reference(("reporter_id",), "users"),
            Reference(("reported_user_id",), "users"),
            Reference(("listing_id",), "listings"),
            Reference(("message_id",), "messages"),
            Reference(("review_id",), "reviews"),
        ),
        policies={"report_id": "exempt", "note": "semantic"},
    ),
    "sanctions": TableSchema(
        name="sanctions",
        row=Sanction,
        key="sanction_id",
        noun="sanction",
        prefix="SNC",
        references=(
            Reference(("user_id",), "users"),
            Reference(("report_id",), "reports"),
        ),
        policies={"sanction_id": "exempt"},
    ),
}


class Database(store.Database):
    """The tables of Second-hand marketplace."""

    users: Table[User]
    addresses: Table[Address]
    categories: Table[Category]
    listings: Table[Listing]
    watches: Table[Watch]
    messages: Table[Message]
    offers: Table[Offer]
    orders: Table[Order]
    payments: Table[Payment]
    shipments: Table[Shipment]
    disputes: Table[Dispute]
    refunds: Table[Refund]
    payouts: Table[Payout]
    reviews: Table[Review]
    reports: Table[Report]
    sanctions: Table[Sanction]
