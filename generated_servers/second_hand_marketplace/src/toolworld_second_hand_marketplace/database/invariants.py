"""The rules that every row of Second-hand marketplace keeps after every call."""

from __future__ import annotations

from .models import (
    Category,
    Database,
    Dispute,
    Listing,
    Message,
    Offer,
    Order,
    Payment,
    Payout,
    Refund,
    Report,
    Review,
    Sanction,
    Shipment,
    User,
    Watch,
)
from .schema import Invariant


def users_rating_in_range(db: Database, user: User) -> bool:
    """A rating lies between 1 and 5."""
    return bool(user.rating is None or 1 <= user.rating <= 5)


def categories_fee_rate_in_range(db: Database, category: Category) -> bool:
    """The fee rate lies between 0 and 0.2."""
    return bool(0 <= category.fee_rate <= 0.2)


def categories_shipping_not_negative(db: Database, category: Category) -> bool:
    """The shipping price is not negative."""
    return bool(category.shipping_price >= 0)


def listings_price_in_range(db: Database, listing: Listing) -> bool:
    """The price lies between 1 and 10000."""
    return bool(1 <= listing.price <= 10000)


def listings_published_has_expiry(db: Database, listing: Listing) -> bool:
    """A listing has an expiry day exactly if it was published."""
    return bool((listing.published_at is None) == (listing.expires_on is None))


def listings_draft_not_published(db: Database, listing: Listing) -> bool:
    """A draft was never published; an active, reserved, sold or expired listing was."""
    return bool(
        (listing.published_at is None)
        if listing.status == "draft"
        else (listing.published_at is not None or listing.status in ("withdrawn", "removed"))
    )


def watches_watched_once(db: Database, watch: Watch) -> bool:
    """A user watches a listing once."""
    return bool(len(db.watches.where(user_id=watch.user_id, listing_id=watch.listing_id)) == 1)


def messages_not_to_oneself(db: Database, message: Message) -> bool:
    """Nobody writes to themselves."""
    return bool(message.sender_id != message.recipient_id)


def offers_counter_above_amount(db: Database, offer: Offer) -> bool:
    """A countered offer has a counter amount, and a counter amount is above the offer."""
    return bool(
        offer.counter_amount > offer.amount
        if offer.counter_amount is not None
        else offer.status != "countered"
    )


def offers_accepted_has_price(db: Database, offer: Offer) -> bool:
    """An accepted offer has an agreed price."""
    return bool(offer.status != "accepted" or offer.agreed_price is not None)


def offers_open_on_active_listing(db: Database, offer: Offer) -> bool:
    """Open and countered offers are on active listings."""
    return bool(
        offer.status not in ("open", "countered")
        or len(db.listings.where(listing_id=offer.listing_id, status="active")) == 1
    )


def orders_total_is_sum(db: Database, order: Order) -> bool:
    """The total is the item price plus the shipping price."""
    return bool(order.total == order.item_price + order.shipping_price)


def orders_parcel_has_address(db: Database, order: Order) -> bool:
    """A parcel has an address and a pickup has none."""
    return bool((order.delivery == "parcel") == (order.address_id is not None))


def orders_one_order_stands(db: Database, order: Order) -> bool:
    """A listing has one order at most that is not cancelled."""
    return bool(
        order.status == "cancelled"
        or len([o for o in db.orders.where(listing_id=order.listing_id) if o.status != "cancelled"])
        == 1
    )


def payments_refunded_within_amount(db: Database, payment: Payment) -> bool:
    """What was refunded is between nothing and the amount."""
    return bool(0 <= payment.refunded_amount <= payment.amount)


def payments_status_matches_refunded(db: Database, payment: Payment) -> bool:
    """Refunded means all was given back, partly_refunded some of it, held and released nothing."""
    return bool(
        payment.status
        == ("refunded" if payment.refunded_amount == payment.amount else "partly_refunded")
        if payment.refunded_amount > 0
        else payment.status in ("held", "released")
    )


def payments_one_payment_per_order(db: Database, payment: Payment) -> bool:
    """An order is paid once."""
    return bool(len(db.payments.where(order_id=payment.order_id)) == 1)


def shipments_delivered_has_time(db: Database, shipment: Shipment) -> bool:
    """A parcel has a delivery time exactly if it was delivered."""
    return bool((shipment.status == "delivered") == (shipment.delivered_at is not None))


def shipments_one_shipment_per_order(db: Database, shipment: Shipment) -> bool:
    """An order ships once."""
    return bool(len(db.shipments.where(order_id=shipment.order_id)) == 1)


def disputes_settled_has_outcome(db: Database, dispute: Dispute) -> bool:
    """A dispute has an outcome and a settlement time exactly if it is settled."""
    return bool(
        (dispute.status == "settled") == (dispute.outcome is not None)
        and (dispute.outcome is not None) == (dispute.settled_at is not None)
    )


def disputes_unsettled_order_disputed(db: Database, dispute: Dispute) -> bool:
    """The order is disputed exactly while the dispute is not settled."""
    return bool(
        (dispute.status != "settled")
        == (len(db.orders.where(order_id=dispute.order_id, status="disputed")) == 1)
    )


def disputes_one_dispute_per_order(db: Database, dispute: Dispute) -> bool:
    """An order is disputed once."""
    return bool(len(db.disputes.where(order_id=dispute.order_id)) == 1)


def refunds_amount_above_zero(db: Database, refund: Refund) -> bool:
    """A refund is more than nothing."""
    return bool(refund.amount > 0)


def refunds_refunds_sum_up(db: Database, refund: Refund) -> bool:
    """The refunds of a payment sum up to its refunded amount."""
    return bool(
        sum(r.amount for r in db.refunds.where(payment_id=refund.payment_id))
        == sum(p.refunded_amount for p in db.payments.where(payment_id=refund.payment_id))
    )


def payouts_paid_has_time(db: Database, payout: Payout) -> bool:
    """A payout has a payment time exactly if it was paid."""
    return bool((payout.status == "paid") == (payout.paid_at is not None))


def payouts_payout_not_negative(db: Database, payout: Payout) -> bool:
    """Amount and fee are not negative."""
    return bool(payout.amount >= 0 and payout.fee >= 0)


def payouts_one_payout_per_order(db: Database, payout: Payout) -> bool:
    """An order has one payout."""
    return bool(len(db.payouts.where(order_id=payout.order_id)) == 1)


def reviews_rating_one_to_five(db: Database, review: Review) -> bool:
    """The rating is from 1 to 5."""
    return bool(1 <= review.rating <= 5)


def reviews_reply_has_time(db: Database, review: Review) -> bool:
    """A review has a reply time exactly if it has a reply."""
    return bool((review.reply is None) == (review.replied_at is None))


def reviews_reviewed_once(db: Database, review: Review) -> bool:
    """A user reviews an order once, and never oneself."""
    return bool(
        review.reviewer_id != review.reviewee_id
        and len(db.reviews.where(order_id=review.order_id, reviewer_id=review.reviewer_id)) == 1
    )


def reports_decided_has_time(db: Database, report: Report) -> bool:
    """A report has a time and a note of the decision exactly if it is not open."""
    return bool(
        (report.status == "open") == (report.decided_at is None)
        and (report.decided_at is None) == (report.note is None)
    )


def reports_target_matches_id(db: Database, report: Report) -> bool:
    """Only the id of the target is set, none for a user."""
    return bool(
        (report.listing_id is not None) == (report.target == "listing")
        and (report.message_id is not None) == (report.target == "message")
        and (report.review_id is not None) == (report.target == "review")
    )


def reports_not_about_oneself(db: Database, report: Report) -> bool:
    """Nobody reports themselves."""
    return bool(report.reporter_id != report.reported_user_id)


def sanctions_suspension_has_end(db: Database, sanction: Sanction) -> bool:
    """A suspension has a last day after its start, a warning has none."""
    return bool(
        sanction.ends_on > sanction.starts_on
        if sanction.ends_on is not None
        else sanction.kind == "warning"
    )


def sanctions_lifted_has_time(db: Database, sanction: Sanction) -> bool:
    """A sanction has a lifting time exactly if it was lifted."""
    return bool((sanction.status == "lifted") == (sanction.lifted_at is not None))


def sanctions_suspension_suspends(db: Database, sanction: Sanction) -> bool:
    """A user with an active suspension is suspended, and has only one."""
    return bool(
        sanction.kind != "suspension"
        or sanction.status != "active"
        or (
            len(db.users.where(user_id=sanction.user_id, status="suspended")) == 1
            and len(
                db.sanctions.where(user_id=sanction.user_id, kind="suspension", status="active")
            )
            == 1
        )
    )


INVARIANTS: dict[str, tuple[Invariant, ...]] = {
    "users": (
        Invariant(
            "rating_in_range",
            "A rating lies between 1 and 5.",
            users_rating_in_range,
            columns=frozenset({"rating"}),
            tables=frozenset(),
        ),
    ),
    "categories": (
        Invariant(
            "fee_rate_in_range",
            "The fee rate lies between 0 and 0.2.",
            categories_fee_rate_in_range,
            columns=frozenset({"fee_rate"}),
            tables=frozenset(),
        ),
        Invariant(
            "shipping_not_negative",
            "The shipping price is not negative.",
            categories_shipping_not_negative,
            columns=frozenset({"shipping_price"}),
            tables=frozenset(),
        ),
    ),
    "listings": (
        Invariant(
            "price_in_range",
            "The price lies between 1 and 10000.",
            listings_price_in_range,
            columns=frozenset({"price"}),
            tables=frozenset(),
        ),
        Invariant(
            "published_has_expiry",
            "A listing has an expiry day exactly if it was published.",
            listings_published_has_expiry,
            columns=frozenset({"expires_on", "published_at"}),
            tables=frozenset(),
        ),
        Invariant(
            "draft_not_published",
            ("A draft was never published; an active, reserved, sold or expired listing was."),
            listings_draft_not_published,
            columns=frozenset({"published_at", "status"}),
            tables=frozenset(),
        ),
    ),
    "watches": (
        Invariant(
            "watched_once",
            "A user watches a listing once.",
            watches_watched_once,
            columns=frozenset({"listing_id", "user_id"}),
            tables=frozenset({"watches"}),
        ),
    ),
    "messages": (
        Invariant(
            "not_to_oneself",
            "Nobody writes to themselves.",
            messages_not_to_oneself,
            columns=frozenset({"recipient_id", "sender_id"}),
            tables=frozenset(),
        ),
    ),
    "offers": (
        Invariant(
            "counter_above_amount",
            ("A countered offer has a counter amount, and a counter amount is above the offer."),
            offers_counter_above_amount,
            columns=frozenset({"amount", "counter_amount", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "accepted_has_price",
            "An accepted offer has an agreed price.",
            offers_accepted_has_price,
            columns=frozenset({"agreed_price", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "open_on_active_listing",
            "Open and countered offers are on active listings.",
            offers_open_on_active_listing,
            columns=frozenset({"listing_id", "status"}),
            tables=frozenset({"listings"}),
        ),
    ),
    "orders": (
        Invariant(
            "total_is_sum",
            "The total is the item price plus the shipping price.",
            orders_total_is_sum,
            columns=frozenset({"item_price", "shipping_price", "total"}),
            tables=frozenset(),
        ),
        Invariant(
            "parcel_has_address",
            "A parcel has an address and a pickup has none.",
            orders_parcel_has_address,
            columns=frozenset({"address_id", "delivery"}),
            tables=frozenset(),
        ),
        Invariant(
            "one_order_stands",
            "A listing has one order at most that is not cancelled.",
            orders_one_order_stands,
            columns=frozenset({"listing_id", "status"}),
            tables=frozenset({"orders"}),
        ),
    ),
    "payments": (
        Invariant(
            "refunded_within_amount",
            "What was refunded is between nothing and the amount.",
            payments_refunded_within_amount,
            columns=frozenset({"amount", "refunded_amount"}),
            tables=frozenset(),
        ),
        Invariant(
            "status_matches_refunded",
            (
                "refunded means all was given back, partly_refunded some of it, held and "
                "released nothing."
            ),
            payments_status_matches_refunded,
            columns=frozenset({"amount", "refunded_amount", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "one_payment_per_order",
            "An order is paid once.",
            payments_one_payment_per_order,
            columns=frozenset({"order_id"}),
            tables=frozenset({"payments"}),
        ),
    ),
    "shipments": (
        Invariant(
            "delivered_has_time",
            "A parcel has a delivery time exactly if it was delivered.",
            shipments_delivered_has_time,
            columns=frozenset({"delivered_at", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "one_shipment_per_order",
            "An order ships once.",
            shipments_one_shipment_per_order,
            columns=frozenset({"order_id"}),
            tables=frozenset({"shipments"}),
        ),
    ),
    "disputes": (
        Invariant(
            "settled_has_outcome",
            "A dispute has an outcome and a settlement time exactly if it is settled.",
            disputes_settled_has_outcome,
            columns=frozenset({"outcome", "settled_at", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "unsettled_order_disputed",
            "The order is disputed exactly while the dispute is not settled.",
            disputes_unsettled_order_disputed,
            columns=frozenset({"order_id", "status"}),
            tables=frozenset({"orders"}),
        ),
        Invariant(
            "one_dispute_per_order",
            "An order is disputed once.",
            disputes_one_dispute_per_order,
            columns=frozenset({"order_id"}),
            tables=frozenset({"disputes"}),
        ),
    ),
    "refunds": (
        Invariant(
            "amount_above_zero",
            "A refund is more than nothing.",
            refunds_amount_above_zero,
            columns=frozenset({"amount"}),
            tables=frozenset(),
        ),
        Invariant(
            "refunds_sum_up",
            "The refunds of a payment sum up to its refunded amount.",
            refunds_refunds_sum_up,
            columns=frozenset({"payment_id"}),
            tables=frozenset({"payments", "refunds"}),
        ),
    ),
    "payouts": (
        Invariant(
            "paid_has_time",
            "A payout has a payment time exactly if it was paid.",
            payouts_paid_has_time,
            columns=frozenset({"paid_at", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "payout_not_negative",
            "Amount and fee are not negative.",
            payouts_payout_not_negative,
            columns=frozenset({"amount", "fee"}),
            tables=frozenset(),
        ),
        Invariant(
            "one_payout_per_order",
            "An order has one payout.",
            payouts_one_payout_per_order,
            columns=frozenset({"order_id"}),
            tables=frozenset({"payouts"}),
        ),
    ),
    "reviews": (
        Invariant(
            "rating_one_to_five",
            "The rating is from 1 to 5.",
            reviews_rating_one_to_five,
            columns=frozenset({"rating"}),
            tables=frozenset(),
        ),
        Invariant(
            "reply_has_time",
            "A review has a reply time exactly if it has a reply.",
            reviews_reply_has_time,
            columns=frozenset({"replied_at", "reply"}),
            tables=frozenset(),
        ),
        Invariant(
            "reviewed_once",
            "A user reviews an order once, and never oneself.",
            reviews_reviewed_once,
            columns=frozenset({"order_id", "reviewee_id", "reviewer_id"}),
            tables=frozenset({"reviews"}),
        ),
    ),
    "reports": (
        Invariant(
            "decided_has_time",
            "A report has a time and a note of the decision exactly if it is not open.",
            reports_decided_has_time,
            columns=frozenset({"decided_at", "note", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "target_matches_id",
            "Only the id of the target is set, none for a user.",
            reports_target_matches_id,
            columns=frozenset({"listing_id", "message_id", "review_id", "target"}),
            tables=frozenset(),
        ),
        Invariant(
            "not_about_oneself",
            "Nobody reports themselves.",
            reports_not_about_oneself,
            columns=frozenset({"reported_user_id", "reporter_id"}),
            tables=frozenset(),
        ),
    ),
    "sanctions": (
        Invariant(
            "suspension_has_end",
            "A suspension has a last day after its start, a warning has none.",
            sanctions_suspension_has_end,
            columns=frozenset({"ends_on", "kind", "starts_on"}),
            tables=frozenset(),
        ),
        Invariant(
            "lifted_has_time",
            "A sanction has a lifting time exactly if it was lifted.",
            sanctions_lifted_has_time,
            columns=frozenset({"lifted_at", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "suspension_suspends",
            "A user with an active suspension is suspended, and has only one.",
            sanctions_suspension_suspends,
            columns=frozenset({"kind", "status", "user_id"}),
            tables=frozenset({"sanctions", "users"}),
        ),
    ),
}
