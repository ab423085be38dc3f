"""Laws of Online shop: what holds at every moment, whatever was called before.

A law of a state is asked after each call that changed something, a law of a row for each row that
changed and those it refers to, and a law of an event at each such call.
"""

from __future__ import annotations

from decimal import Decimal

from .models import (
    CustomerId,
    Database,
    Exchange,
    GiftCard,
    Order,
    OrderId,
    OrderLine,
    PaymentMethodId,
    ProductReturn,
    ReturnLine,
    Review,
    Shipment,
)
from .past import Event, Past
from .trace import Written
from .values import money

ADJUSTING = ("late_delivery", "price_adjustment", "damaged_item", "goodwill")
SHOPS_FAULT = ("not_as_described", "defective", "wrong_item", "damaged_in_transit")
ADJUSTING_DAYS = 14
GOLD_EXTRA_DAYS = 15
FAULT_DAYS = 60
OF_CUSTOMERS = (
    "payment_methods", "carts", "orders", "returns", "exchanges", "reviews", "cases",
    "gift_cards",
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


def _of(event: Event, table: str) -> list[Written]:
    """Return what a call added to a table or changed in it."""
    return [
        change for change in event.changes if change.table == table and change.after is not None
    ]


def _new(event: Event, table: str) -> list[Written]:
    """Return what a call added to a table."""
    return [change for change in _of(event, table) if change.before is None]


def _changed(event: Event, table: str) -> list[Written]:
    """Return what a call changed of a table's rows that were there, and still are."""
    return [change for change in _of(event, table) if change.before is not None]


def _stock_gained(event: Event) -> int:
    """Return how many units more can be sold after a call, of all variants."""
    return sum(change.after.stock - change.before.stock for change in _changed(event, "variants"))


def _refunded(event: Event) -> Decimal:
    """Return what a call paid back."""
    return sum((change.after.amount for change in _of(event, "refunds")), Decimal(0))


def _can_pay(db: Database, payment_method_id: PaymentMethodId, customer_id: CustomerId) -> bool:
    """Return whether a saved method is a customer's and has not expired."""
    method = db.payment_methods.get(payment_method_id)
    in_time = method.expires_on is None or method.expires_on >= db.today()
    return method.customer_id == customer_id and in_time


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
        for change in _changed(event, "gift_cards")
    )


def dead_gift_cards_pay_nothing(db: Database, past: Past, event: Event) -> bool:
    """A blocked or expired gift card pays nothing (clause 5.9)."""
    return all(
        db.gift_cards.get(change.after.gift_card_id).status == "active"
        and db.gift_cards.get(change.after.gift_card_id).expires_on >= db.today()
        for change in _new(event, "payments")
        if change.after.gift_card_id is not None
    )


def expired_cards_pay_nothing(db: Database, past: Past, event: Event) -> bool:
    """A card that has expired pays nothing (clause 5.8)."""
    methods = [
        db.payment_methods.get(change.after.payment_method_id)
        for change in _new(event, "payments")
        if change.after.payment_method_id is not None
    ]
    return all(one.expires_on is None or one.expires_on >= db.today() for one in methods)


def cancelled_units_go_back_to_stock(db: Database, past: Past, event: Event) -> bool:
    """Units of lines that are cancelled before they ship can be sold again (clause 2.5)."""
    freed = sum(
        line.quantity
        for change in _changed(event, "orders")
        for place, line in enumerate(change.before.lines)
        if line.status == "open" and change.after.lines[place].status == "cancelled"
    )
    return freed == 0 or _stock_gained(event) == freed


def ordered_units_leave_the_stock(db: Database, past: Past, event: Event) -> bool:
    """What is ordered can be sold to nobody else."""
    taken = sum(line.quantity for change in _new(event, "orders") for line in change.after.lines)
    return taken == 0 or _stock_gained(event) == -taken


def prices_move_by_half_at_most(db: Database, past: Past, event: Event) -> bool:
    """A price moves by at most half at a time (clause 7.1)."""
    return all(
        abs(change.after.price - change.before.price) <= change.before.price / 2
        for change in _changed(event, "variants")
    )


def a_cart_is_ordered_once(db: Database, past: Past, event: Event) -> bool:
    """A cart that was checked out is closed."""
    return event.tool != "check_out_cart" or (
        db.carts.get(event.argument("cart_id")).status == "checked_out"
    )


def carts_tell_when_they_changed(db: Database, past: Past, event: Event) -> bool:
    """A cart that changes says that it changed now."""
    return all(change.after.updated_at == db.now() for change in _of(event, "carts"))


def what_comes_back_as_new_is_sold_again(db: Database, past: Past, event: Event) -> bool:
    """Units that an inspection finds as new go back to stock (clause 4.6)."""
    back = sum(
        part.quantity
        for change in _changed(event, "returns")
        if change.before.status == "received" and change.after.status in ("inspected", "refused")
        for part in change.after.lines
        if part.condition == "as_new" and part.accepted
    )
    return back == 0 or _stock_gained(event) >= back


def lateness_is_paid_for_late_parcels(db: Database, past: Past, event: Event) -> bool:
    """Nothing is paid back for lateness while no parcel is late (clause 3.6)."""
    return all(
        any(
            (db.today() if parcel.delivered_at is None else parcel.delivered_at.date())
            > parcel.promised_on
            for parcel in db.shipments.where(order_id=change.after.order_id)
        )
        for change in _of(event, "refunds")
        if change.after.reason == "late_delivery"
    )


def price_adjustments_come_within_two_weeks(db: Database, past: Past, event: Event) -> bool:
    """A price is adjusted within 14 days of the order (clause 5.2)."""
    return all(
        (db.today() - db.orders.get(change.after.order_id).placed_at.date()).days <= ADJUSTING_DAYS
        for change in _of(event, "refunds")
        if change.after.reason == "price_adjustment"
    )


def damage_is_paid_for_what_arrived(db: Database, past: Past, event: Event) -> bool:
    """A thing that has not arrived is not damaged (clause 5.3)."""
    return all(
        change.after.line_number is not None
        and _was_delivered(db, change.after.order_id, change.after.line_number)
        for change in _of(event, "refunds")
        if change.after.reason == "damaged_item"
    )


def a_resolved_case_says_what_was_done(db: Database, past: Past, event: Event) -> bool:
    """Whoever resolves a case says what was done (clause 6.8)."""
    resolved = [
        change.after.case_id
        for change in _changed(event, "cases")
        if change.before.status != "resolved" and change.after.status == "resolved"
    ]
    said = [change.after.case_id for change in _of(event, "case_messages")]
    return all(case_id in said for case_id in resolved)


def _days_to_return(db: Database, order: Order, part: ReturnLine) -> int:
    """Return how many days after delivery a line may come back."""
    days = _window(db, order.lines[part.line_number - 1])
    gold = db.customers.get(order.customer_id).tier == "gold"
    longer = days + GOLD_EXTRA_DAYS if gold and days > 0 else days
    return max(longer, FAULT_DAYS) if part.reason in SHOPS_FAULT else longer


def returns_begin_within_the_window(db: Database, past: Past, event: Event) -> bool:
    """What is sent back was delivered within its return window (clause 4.2)."""
    return all(
        any(
            parcel.delivered_at is not None
            and part.line_number in parcel.line_numbers
            and (db.today() - parcel.delivered_at.date()).days
            <= _days_to_return(db, db.orders.get(change.after.order_id), part)
            for parcel in db.shipments.where(order_id=change.after.order_id)
        )
        for change in _new(event, "returns")
        for part in change.after.lines
    )


def blocked_cards_stay_blocked(db: Database, past: Past, event: Event) -> bool:
    """A gift card is blocked for good (clause 5.10)."""
    return all(
        change.before is None
        or change.before.status == "active"
        or change.after.status == "blocked"
        for change in _of(event, "gift_cards")
    )


def discontinued_products_stay_as_they_are(db: Database, past: Past, event: Event) -> bool:
    """Neither stock nor prices of a discontinued product are changed by hand (clause 7.6)."""
    return event.tool not in ("restock_variant", "set_variant_price") or all(
        db.products.get(change.after.product_id).status == "active"
        for change in _of(event, "variants")
    )


def only_what_is_sold_is_ordered(db: Database, past: Past, event: Event) -> bool:
    """Only what is on sale is ordered or sent in exchange (clause 2.4)."""
    ordered = [line.variant_id for change in _new(event, "orders") for line in change.after.lines]
    swapped = [change.after.new_variant_id for change in _new(event, "exchanges")]
    return all(
        db.products.get(db.variants.get(variant_id).product_id).status == "active"
        for variant_id in [*ordered, *swapped]
    )


def finished_returns_stay_finished(db: Database, past: Past, event: Event) -> bool:
    """A return that is refunded, refused or called off does not go on (clause 4.6)."""
    return all(
        change.before is None
        or change.before.status in ("requested", "received", "inspected")
        or change.before.status == change.after.status
        for change in _of(event, "returns")
    )


def what_was_delivered_stays_so(db: Database, past: Past, event: Event) -> bool:
    """A delivery is recorded once, of a parcel on its way (clause 7.5)."""
    return all(
        change.before is None
        or change.before.status != "delivered"
        or change.after.delivered_at == change.before.delivered_at
        for change in _of(event, "shipments")
    )


def parcels_are_lost_after_their_day(db: Database, past: Past, event: Event) -> bool:
    """A parcel is written off only when its promised day is over (clause 3.2)."""
    return all(
        change.before is None
        or change.before.status == "lost"
        or change.after.status != "lost"
        or change.after.promised_on < db.today()
        for change in _of(event, "shipments")
    )


def closed_accounts_leave_no_money(db: Database, card: GiftCard) -> bool:
    """Nobody closes an account with money on a gift card (clause 6.1)."""
    return (
        card.balance == 0
        or card.expires_on < db.today()
        or db.customers.get(card.customer_id).status == "active"
    )


def closed_accounts_do_not_change(db: Database, past: Past, event: Event) -> bool:
    """A closed account cannot be changed (clause 6.2)."""
    return all(
        change.before is None or change.before.status == "active"
        for change in _of(event, "customers")
    )


def closed_accounts_get_no_adjustments(db: Database, past: Past, event: Event) -> bool:
    """A closed account gets no money back without a return (clause 6.2)."""
    return all(
        db.customers.get(db.orders.get(change.after.order_id).customer_id).status == "active"
        for change in _of(event, "refunds")
        if change.after.reason in ADJUSTING
    )


def adjustments_are_paid(db: Database, past: Past, event: Event) -> bool:
    """An adjustment pays back the sum that was named."""
    return event.tool != "refund_order" or float(_refunded(event)) == event.argument("amount")


def carts_hold_what_was_put_in(db: Database, past: Past, event: Event) -> bool:
    """What is put in a cart is in it afterwards, as often as was said."""
    if event.tool not in ("add_to_cart", "set_cart_quantity"):
        return True
    wanted, variant_id = event.argument("quantity"), event.argument("variant_id")
    there = [
        line.quantity
        for change in _of(event, "carts")
        for line in change.after.lines
        if line.variant_id == variant_id
    ]
    if event.tool == "set_cart_quantity":
        return sum(there) == wanted
    return sum(there) >= (1 if wanted is None else wanted)


def carts_have_the_code_that_was_put_on(db: Database, past: Past, event: Event) -> bool:
    """A code that is put on a cart is on it, and runs today (clause 2.2)."""
    if event.tool != "apply_promotion":
        return True
    code = event.argument("code")
    on = [change.after.promotion_id for change in _of(event, "carts")]
    if code is None:
        return on == [None]
    return all(
        promotion_id is not None
        and db.promotions.get(promotion_id).code == code.strip().upper()
        and db.promotions.get(promotion_id).starts_on
        <= db.today()
        <= db.promotions.get(promotion_id).ends_on
        for promotion_id in on
    )


def what_is_written_is_kept(db: Database, past: Past, event: Event) -> bool:
    """A case has each message that was written in it (clause 6.5)."""
    return event.tool not in ("open_case", "reply_to_case") or len(_of(event, "case_messages")) == 1


def a_case_is_resolved_once(db: Database, past: Past, event: Event) -> bool:
    """A case that is resolved is not resolved again."""
    return event.tool != "resolve_case" or all(
        change.before is None or change.before.status != "resolved"
        for change in _of(event, "cases")
    )


def contacts_are_as_they_were_given(db: Database, past: Past, event: Event) -> bool:
    """A new e-mail address, number or choice is the account's afterwards."""
    email, phone = event.argument("email"), event.argument("phone")
    letters = event.argument("marketing_opt_in")
    return event.tool != "update_customer_contact" or all(
        (email is None or change.after.email == email.strip().lower())
        and (letters is None or change.after.marketing_opt_in == letters)
        and (phone is None or change.before is None or _same_digits(change.after.phone, phone))
        for change in _of(event, "customers")
    )


def _same_digits(one: str, other: str) -> bool:
    """Return whether two numbers end in the same four digits."""
    digits = [letter for letter in one if letter in "0123456789"]
    others = [letter for letter in other if letter in "0123456789"]
    return digits[-4:] == others[-4:]


def the_default_is_the_one_named(db: Database, past: Past, event: Event) -> bool:
    """An address saved as the default is the default."""
    return (
        event.tool != "save_customer_address"
        or event.argument("make_default") is not True
        or all(
            change.before is None
            or change.after.default_address == event.argument("address")["label"].strip().lower()
            for change in _of(event, "customers")
        )
    )


def exchanges_can_be_paid(db: Database, past: Past, event: Event) -> bool:
    """What an exchange costs is charged to a method of the customer that can pay (clause 4.10)."""
    return all(
        change.after.payment_method_id is None
        or _can_pay(db, change.after.payment_method_id, change.after.customer_id)
        for change in _of(event, "exchanges")
        if change.before is None or change.after.status == "completed"
    )


def gift_cards_are_bought_by_their_owner(db: Database, past: Past, event: Event) -> bool:
    """A gift card is bought with a method of the buyer that can pay (clause 5.8)."""
    return all(
        change.after.payment_method_id is None
        or _can_pay(db, change.after.payment_method_id, change.after.customer_id)
        for change in _new(event, "gift_cards")
    )


def exchanged_units_are_set_aside(db: Database, past: Past, event: Event) -> bool:
    """The new units of an exchange leave the stock, and come back if it is called off."""
    if event.tool not in ("request_exchange", "cancel_exchange"):
        return True
    units = sum(change.after.quantity for change in _of(event, "exchanges"))
    return _stock_gained(event) == (units if event.tool == "cancel_exchange" else -units)


def exchanged_units_come_back(db: Database, past: Past, event: Event) -> bool:
    """Old units that are as new are sold again, and a lower price is paid back (clause 4.8)."""
    if event.tool != "complete_exchange":
        return True
    done = [change.after for change in _of(event, "exchanges")]
    units = sum(one.quantity for one in done if one.condition == "as_new")
    less = sum((one.difference for one in done if one.difference < 0), Decimal(0))
    return _stock_gained(event) == units and (less == 0 or _refunded(event) > 0)


def what_is_sent_again_leaves_the_stock(db: Database, past: Past, event: Event) -> bool:
    """What is sent in place of a lost parcel is taken from the stock (clause 3.3)."""
    if event.tool != "replace_lost_shipment":
        return True
    units = sum(
        db.orders.get(change.after.order_id).lines[number - 1].quantity
        for change in _new(event, "shipments")
        for number in change.after.line_numbers
    )
    return _stock_gained(event) == -units


def what_has_all_arrived_is_delivered(db: Database, order: Order) -> bool:
    """An order of which every parcel has arrived is delivered (clause 7.5)."""
    return order.status != "shipped" or any(
        parcel.status != "delivered" for parcel in db.shipments.where(order_id=order.order_id)
    )
