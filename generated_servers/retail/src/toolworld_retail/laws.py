"""Laws of Online shop: what holds at every moment, whatever was called before.

A law of a state is asked after each call that changed something, a law of a row for each row that
changed and those it refers to, and a law of an event at each such call.
"""

from __future__ import annotations

from decimal import Decimal

from .models import Database, Exchange, Order, OrderId, OrderLine, ProductReturn, Review, Shipment
from .past import Event, Past
from .values import money

ADJUSTING = ("late_delivery", "price_adjustment", "damaged_item", "goodwill")
SHOPS_FAULT = ("not_as_described", "defective", "wrong_item", "damaged_in_transit")
OF_CUSTOMERS = (
    "payment_methods", "carts", "orders", "returns", "exchanges", "reviews", "cases",
)  # fmt: skip


def _worth(line: OrderLine) -> Decimal:
    """Return what was paid for a line."""
    return line.unit_price * line.quantity - line.discount


def _back_for(db: Database, order: Order, line_number: int) -> Decimal:
    """Return what went back for a line by all routes."""
    by_line = [
        refund.amount
        for refund in db.refunds.where(order_id=order.order_id)
        if refund.line_number == line_number
    ]
    by_return = [
        part.refund
        for back in db.returns.where(order_id=order.order_id)
        for part in back.lines
        if back.status == "refunded" and part.line_number == line_number
    ]
    return sum([*by_line, *by_return], Decimal(0))


def _was_delivered(db: Database, order_id: OrderId, line_number: int) -> bool:
    return any(
        parcel.status == "delivered" and line_number in parcel.line_numbers
        for parcel in db.shipments.where(order_id=order_id)
    )


def no_line_pays_back_more_than_it_cost(db: Database, order: Order) -> bool:
    """What goes back for a line by all routes is at most what was paid for it (clause 5.1)."""
    return all(_back_for(db, order, line.line_number) <= _worth(line) for line in order.lines)


def adjustments_stay_under_half(db: Database, order: Order) -> bool:
    """Without a return at most half of what was ordered is paid back (clause 5.1)."""
    adjusted = [
        refund.amount
        for refund in db.refunds.where(order_id=order.order_id)
        if refund.reason in ADJUSTING
    ]
    ordered = sum((_worth(line) for line in order.lines if line.replaces is None), Decimal(0))
    return sum(adjusted, Decimal(0)) <= money((ordered + order.shipping_fee) / 2)


def refunds_are_within_payments(db: Database, order: Order) -> bool:
    """No order pays back more than it took."""
    back = sum((one.amount for one in db.refunds.where(order_id=order.order_id)), Decimal(0))
    return back <= sum(
        (one.amount for one in db.payments.where(order_id=order.order_id)), Decimal(0)
    )


def once_per_customer_is_once(db: Database, order: Order) -> bool:
    """A promotion that works once per customer is on one order of theirs (clause 2.3)."""
    if order.promotion_id is None or order.status == "cancelled":
        return True
    if not db.promotions.get(order.promotion_id).once_per_customer:
        return True
    using = [
        other.order_id
        for other in db.orders.where(promotion_id=order.promotion_id)
        if other.customer_id == order.customer_id and other.status != "cancelled"
    ]
    return len(using) == 1


def promotions_are_used_while_they_run(db: Database, order: Order) -> bool:
    """An order with a promotion is placed on a day that it runs (clause 2.2)."""
    if order.promotion_id is None:
        return True
    promotion = db.promotions.get(order.promotion_id)
    return promotion.starts_on <= order.placed_at.date() <= promotion.ends_on


def what_comes_back_was_delivered(db: Database, back: ProductReturn) -> bool:
    """A line of a return was delivered (clause 4.4)."""
    return all(_was_delivered(db, back.order_id, part.line_number) for part in back.lines)


def what_is_exchanged_was_delivered(db: Database, exchange: Exchange) -> bool:
    """What is exchanged was delivered (clause 4.4)."""
    return _was_delivered(db, exchange.order_id, exchange.line_number)


def _window(db: Database, line: OrderLine) -> int:
    """Return how many days after delivery a thing may come back; 0 is a final sale."""
    return db.products.get(db.variants.get(line.variant_id).product_id).return_days


def final_sales_come_back_for_a_fault(db: Database, back: ProductReturn) -> bool:
    """A final-sale item comes back only if the shop is at fault (clause 4.3)."""
    lines = db.orders.get(back.order_id).lines
    return all(
        part.reason in SHOPS_FAULT or _window(db, lines[part.line_number - 1]) > 0
        for part in back.lines
    )


def reviewers_got_the_thing(db: Database, review: Review) -> bool:
    """Whoever reviews a product received it (clause 6.4)."""
    return any(
        db.variants.get(line.variant_id).product_id == review.product_id
        and _was_delivered(db, order.order_id, line.line_number)
        for order in db.orders.where(customer_id=review.customer_id)
        for line in order.lines
    )


def a_lost_parcel_is_settled_once(db: Database, parcel: Shipment) -> bool:
    """What was in a lost parcel is sent again or paid back, never both (clause 3.3)."""
    if parcel.status != "lost":
        return True
    order = db.orders.get(parcel.order_id)
    again = [
        number
        for other in db.shipments.where(order_id=parcel.order_id)
        if other.status != "lost"
        for number in other.line_numbers
    ]
    return all(
        order.lines[number - 1].status != "cancelled" or number not in again
        for number in parcel.line_numbers
    )


def closed_accounts_get_nothing_new(db: Database, past: Past, event: Event) -> bool:
    """Nothing new is entered for a closed account (clause 6.2)."""
    return all(
        db.customers.get(change.after.customer_id).status == "active"
        for change in event.changes
        if change.table in OF_CUSTOMERS and change.before is None
    )


def dead_gift_cards_gain_nothing(db: Database, past: Past, event: Event) -> bool:
    """No money is put on a gift card that is blocked or has expired (clause 5.9)."""
    return all(
        change.after.balance <= change.before.balance
        or (change.before.status == "active" and change.before.expires_on >= db.today())
        for change in event.changes
        if change.table == "gift_cards" and change.before is not None and change.after is not None
    )


def dead_gift_cards_pay_nothing(db: Database, past: Past, event: Event) -> bool:
    """A blocked or expired gift card pays nothing (clause 5.9)."""
    return all(
        db.gift_cards.get(change.after.gift_card_id).status == "active"
        and db.gift_cards.get(change.after.gift_card_id).expires_on >= db.today()
        for change in event.changes
        if change.table == "payments"
        and change.before is None
        and change.after.gift_card_id is not None
    )


def expired_cards_pay_nothing(db: Database, past: Past, event: Event) -> bool:
    """A card that has expired pays nothing (clause 5.8)."""
    methods = [
        db.payment_methods.get(change.after.payment_method_id)
        for change in event.changes
        if change.table == "payments"
        and change.before is None
        and change.after.payment_method_id is not None
    ]
    return all(one.expires_on is None or one.expires_on >= db.today() for one in methods)


def cancelled_units_go_back_to_stock(db: Database, past: Past, event: Event) -> bool:
    """Units of lines that are cancelled before they ship can be sold again (clause 2.5)."""
    freed = sum(
        line.quantity
        for change in event.changes
        if change.table == "orders" and change.before is not None
        for place, line in enumerate(change.before.lines)
        if line.status == "open" and change.after.lines[place].status == "cancelled"
    )
    gained = sum(
        change.after.stock - change.before.stock
        for change in event.changes
        if change.table == "variants" and change.before is not None
    )
    return freed == 0 or gained == freed


def ordered_units_leave_the_stock(db: Database, past: Past, event: Event) -> bool:
    """What is ordered can be sold to nobody else."""
    taken = sum(
        line.quantity
        for change in event.changes
        if change.table == "orders" and change.before is None
        for line in change.after.lines
    )
    lost = sum(
        change.before.stock - change.after.stock
        for change in event.changes
        if change.table == "variants" and change.before is not None
    )
    return taken == 0 or lost == taken


def prices_move_by_half_at_most(db: Database, past: Past, event: Event) -> bool:
    """A price moves by at most half at a time (clause 7.1)."""
    return all(
        abs(change.after.price - change.before.price) <= change.before.price / 2
        for change in event.changes
        if change.table == "variants" and change.before is not None
    )
