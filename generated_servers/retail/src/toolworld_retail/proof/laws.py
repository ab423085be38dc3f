"""Laws of Online shop: what holds at every moment, whatever was called before.

A law of a state is asked after each call that changed something, a law of a row for each row that
changed and those it refers to, and a law of an event at each such call.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from decimal import Decimal

from ..database.models import (
    Cart,
    Customer,
    CustomerId,
    Database,
    Exchange,
    GiftCard,
    Order,
    OrderId,
    OrderLine,
    Payment,
    PaymentMethodId,
    ProductReturn,
    Refund,
    ReturnLine,
    Review,
    Shipment,
    SupportCase,
)
from ..database.store import Written
from ..policy.past import Event, Past
from ..values import is_clear, letters_of, money

FOR_LINES = ("price_adjustment", "damaged_item", "goodwill")
CENTS = Decimal("0.02")
GOLD_EXTRA_DAYS = 15
FAULT_DAYS = 60


def _worth(line: OrderLine) -> Decimal:
    """Return what was paid for a line."""
    return line.unit_price * line.quantity - line.discount


def _total(amounts: list[Decimal]) -> Decimal:
    return sum(amounts, Decimal(0))


def _went_back(
    db: Database, order: Order, numbers: Collection[int | None], reasons: Collection[str]
) -> Decimal:
    """Return what went back for lines, or for a whole order, for some reasons."""
    return _total(
        [
            refund.amount
            for refund in db.refunds.where(order_id=order.order_id)
            if refund.line_number in numbers and refund.reason in reasons
        ]
    )


def _settled(db: Database, order: Order, number: int) -> int:
    """Return how many units of a line came back for money or were swapped."""
    returned = [
        part.quantity
        for back in db.returns.where(order_id=order.order_id, status="refunded")
        for part in back.lines
        if part.line_number == number and part.accepted
    ]
    swaps = db.exchanges.where(order_id=order.order_id, status="completed")
    return sum([*returned, *[one.quantity for one in swaps if one.line_number == number]])


def _was_delivered(db: Database, order_id: OrderId, line_number: int) -> bool:
    return any(
        parcel.status == "delivered" and line_number in parcel.line_numbers
        for parcel in db.shipments.where(order_id=order_id)
    )


def _window(db: Database, line: OrderLine) -> int:
    """Return how many days after delivery a thing may come back; 0 is a final sale."""
    return db.products.get(db.variants.get(line.variant_id).product_id).return_days


def _days_for_a_fault(db: Database, order_id: OrderId, number: int) -> int:
    """Return how many days after delivery a line may come back for a fault of the shop."""
    order = db.orders.get(order_id)
    days = _window(db, order.lines[number - 1])
    gold = db.customers.get(order.customer_id).tier == "gold"
    return max(days + GOLD_EXTRA_DAYS if gold else days, FAULT_DAYS)


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
    return _total([change.after.amount for change in _new(event, "refunds")])


LONGEST_LABEL = 30
MOST_CASES = 3
OF_CUSTOMERS = (
    "payment_methods", "carts", "orders", "returns", "exchanges", "reviews", "cases",
    "gift_cards",
)  # fmt: skip


def one_open_case_on_a_matter(db: Database, case: SupportCase) -> bool:
    """No two cases on the same topic and order are open at once (clause 6.6)."""
    return case.status == "resolved" or not any(
        other.status != "resolved"
        and other.case_id != case.case_id
        and (other.topic, other.order_id) == (case.topic, case.order_id)
        for other in db.cases.where(customer_id=case.customer_id)
    )


def three_cases_at_most_are_unresolved(db: Database, case: SupportCase) -> bool:
    """A customer has up to three cases that are not resolved (clause 6.10)."""
    cases = db.cases.where(customer_id=case.customer_id)
    return sum(1 for other in cases if other.status != "resolved") <= MOST_CASES


def accounts_are_named_in_plain_letters(db: Database, customer: Customer) -> bool:
    """No e-mail address has letters that no other is written with (clause 6.3)."""
    return (
        customer.email.isascii()
        and all(letter.isalnum() or letter in "@._+-'" for letter in customer.email)
        and all(len(address.label) <= LONGEST_LABEL for address in customer.addresses)
    )


def no_two_addresses_have_one_name(db: Database, customer: Customer) -> bool:
    """No two addresses of an account have names that look the same (clause 6.3)."""
    labels = [letters_of(address.label) for address in customer.addresses]
    return len(set(labels)) == len(labels)


def who_has_an_account_gets_no_other(db: Database, past: Past, event: Event) -> bool:
    """No account gets the name and phone number of another open one (clause 6.3)."""
    return not any(
        other.customer_id != change.after.customer_id and other.status == "active"
        for change in _of(event, "customers")
        if change.before is None or change.before.phone != change.after.phone
        for other in db.customers.alike(
            first_name=change.after.first_name, last_name=change.after.last_name
        )
        if _number(other.phone) == _number(change.after.phone)
    )


def _number(phone: str) -> str:
    """Return the ten digits of a phone number, without the country and an extension."""
    before, _, _ = phone.lower().partition("x")
    return "".join(sign for sign in before if sign in "0123456789")[-10:]


def phone_numbers_have_ten_digits(db: Database, customer: Customer) -> bool:
    """A phone number has ten digits, so that no two ways to write it are two numbers (6.3)."""
    before, _, _ = customer.phone.lower().partition("x")
    dialled = "".join(sign for sign in before if sign.isalnum())
    return dialled in (_number(customer.phone), "1" + _number(customer.phone)) and len(dialled) > 9


def names_are_what_they_look_like(db: Database, customer: Customer) -> bool:
    """No name has letters that nobody sees, or of two scripts, and looks like another (6.3)."""
    return is_clear(customer.first_name + customer.last_name)


def what_a_case_is_about_stands_in_a_line(db: Database, case: SupportCase) -> bool:
    """What a case is about is told in a line, without breaks."""
    return len(case.subject.splitlines()) == 1 and not any(
        letter < " " or letter == "\x7f" for letter in case.subject
    )


def reviewers_got_the_thing(db: Database, review: Review) -> bool:
    """Whoever reviews a product received it (clause 6.4)."""
    return any(
        db.variants.get(line.variant_id).product_id == review.product_id
        and _was_delivered(db, order.order_id, line.line_number)
        for order in db.orders.where(customer_id=review.customer_id)
        for line in order.lines
    )


def closed_accounts_get_nothing_new(db: Database, past: Past, event: Event) -> bool:
    """Nothing is entered for a closed account, and nothing of it deleted (clause 6.2)."""
    return all(
        db.customers.get((change.after or change.before).customer_id).status == "active"
        for change in event.changes
        if change.table in OF_CUSTOMERS and (change.before is None or change.after is None)
    )


def dead_gift_cards_stay_dead(db: Database, past: Past, event: Event) -> bool:
    """A gift card that is blocked or has expired gains no money and stays so (clause 5.9)."""
    return all(
        change.before.status == "active"
        and change.before.expires_on >= db.today()
        or change.after.balance <= change.before.balance
        and change.after.status in (change.before.status, "blocked")
        for change in _changed(event, "gift_cards")
    )


def dead_gift_cards_pay_nothing(db: Database, past: Past, event: Event) -> bool:
    """A blocked or expired gift card pays nothing (clause 5.9)."""
    numbers = [change.after.gift_card_id for change in _new(event, "payments")]
    cards = [db.gift_cards.get(number) for number in numbers if number is not None]
    return all(card.status == "active" and card.expires_on >= db.today() for card in cards)


def a_resolved_case_says_what_was_done(db: Database, past: Past, event: Event) -> bool:
    """Whoever resolves a case writes a message in it (clause 6.8)."""
    resolved = [
        change.after.case_id
        for change in _changed(event, "cases")
        if change.before.status != "resolved" and change.after.status == "resolved"
    ]
    said = [change.after.case_id for change in _of(event, "case_messages")]
    return all(case_id in said for case_id in resolved)


def closed_accounts_leave_no_money(db: Database, card: GiftCard) -> bool:
    """Nobody closes an account with money on a gift card (clause 6.1)."""
    return (
        card.balance == 0
        or card.expires_on < db.today()
        or db.customers.get(card.customer_id).status == "active"
    )


def closed_accounts_do_not_change(db: Database, past: Past, event: Event) -> bool:
    """A closed account cannot be changed (clause 6.2)."""
    return all(change.before.status == "active" for change in _changed(event, "customers"))


def what_is_written_is_kept(db: Database, past: Past, event: Event) -> bool:
    """A case has each message that was written in it (clause 6.5)."""
    return event.tool not in ("open_case", "reply_to_case") or len(_of(event, "case_messages")) == 1


def a_case_is_resolved_once(db: Database, past: Past, event: Event) -> bool:
    """A case that is resolved is not resolved again."""
    return event.tool != "resolve_case" or all(
        change.before.status != "resolved" for change in _changed(event, "cases")
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
    digits = [[letter for letter in text if letter in "0123456789"] for text in (one, other)]
    return digits[0][-4:] == digits[1][-4:]


def the_default_is_the_one_named(db: Database, past: Past, event: Event) -> bool:
    """An address saved as the default is the default."""
    if event.tool != "save_customer_address" or event.argument("make_default") is not True:
        return True
    label = letters_of(event.argument("address")["label"])
    return all(
        letters_of(change.after.default_address) == label for change in _changed(event, "customers")
    )


def closed_customers_have_no_money(db: Database, customer: Customer) -> bool:
    """Who closes an account leaves no money on a gift card (clause 6.1)."""
    return customer.status == "active" or all(
        card.balance == 0 or card.expires_on < db.today()
        for card in db.gift_cards.where(customer_id=customer.customer_id)
    )


def a_gift_card_is_blocked_once(db: Database, past: Past, event: Event) -> bool:
    """Blocking a gift card that is blocked already does nothing, and is refused (clause 5.10)."""
    return event.tool != "block_gift_card" or bool(_changed(event, "gift_cards"))


def gift_cards_of_closed_accounts_stay(db: Database, past: Past, event: Event) -> bool:
    """Nothing changes on a gift card whose owner closed their account (clause 6.2)."""
    return all(
        db.customers.get(change.after.customer_id).status == "active"
        for change in _changed(event, "gift_cards")
    )


def gift_cards_pay_what_is_on_them(db: Database, payment: Payment) -> bool:
    """A gift card pays what was on it at that time (clause 5.9)."""
    number = payment.gift_card_id
    if number is None:
        return True
    card = db.gift_cards.get(number)
    back = [
        refund.amount
        for refund in db.refunds.where(gift_card_id=number)
        if refund.refunded_at <= payment.paid_at
    ]
    paid = [
        other.amount
        for other in db.payments.where(gift_card_id=number)
        if other.paid_at <= payment.paid_at
    ]
    return _total(paid) <= card.loaded + card.carried_over + _total(back)


ADJUSTING = ("late_delivery", "price_adjustment", "damaged_item", "goodwill")
ADJUSTING_DAYS = 14


def _back_for(db: Database, order: Order, number: int) -> Decimal:
    """Return what went back for a line by all routes."""
    return _went_back(db, order, [number], (*ADJUSTING, "cancellation")) + _total(
        [
            part.refund
            for back in db.returns.where(order_id=order.order_id, status="refunded")
            for part in back.lines
            if part.line_number == number
        ]
    )


def _can_pay(db: Database, payment_method_id: PaymentMethodId, customer_id: CustomerId) -> bool:
    """Return whether a saved method is a customer's and has not expired."""
    method = db.payment_methods.get(payment_method_id)
    in_time = method.expires_on is None or method.expires_on >= db.today()
    return method.customer_id == customer_id and in_time


def no_line_pays_back_more_than_it_cost(db: Database, order: Order) -> bool:
    """What goes back for a line by all routes is at most what was paid for it (clause 5.1)."""
    return all(_back_for(db, order, line.line_number) <= _worth(line) for line in order.lines)


def lateness_brings_the_shipping_fee(db: Database, order: Order) -> bool:
    """For lateness no more goes back than the shipping fee (clause 3.6)."""
    numbers = [None, *[line.line_number for line in order.lines]]
    return _went_back(db, order, numbers, ("late_delivery",)) <= order.shipping_fee


def _adjusting(event: Event, reasons: tuple[str, ...]) -> list[Refund]:
    """Return what a call paid back without a return, for some reasons."""
    rows = [change.after for change in _new(event, "refunds")]
    return [row for row in rows if row.reason in reasons]


def _is_late(db: Database, parcel: Shipment) -> bool:
    """Return whether a parcel is late, and was not paid back as lost."""
    lines = db.orders.get(parcel.order_id).lines
    arrived = db.today() if parcel.delivered_at is None else parcel.delivered_at.date()
    return arrived > parcel.promised_on and any(
        lines[number - 1].status != "cancelled" for number in parcel.line_numbers
    )


def lateness_is_paid_for_late_parcels(db: Database, past: Past, event: Event) -> bool:
    """Nothing is paid back for lateness while no parcel is late (clause 3.6)."""
    return all(
        any(_is_late(db, parcel) for parcel in db.shipments.where(order_id=refund.order_id))
        for refund in _adjusting(event, ("late_delivery",))
    )


def price_adjustments_come_within_two_weeks(db: Database, past: Past, event: Event) -> bool:
    """A price is adjusted within 14 days of the order (clause 5.2)."""
    return all(
        (db.today() - db.orders.get(refund.order_id).placed_at.date()).days <= ADJUSTING_DAYS
        for refund in _adjusting(event, ("price_adjustment",))
    )


def damage_is_paid_for_what_arrived(db: Database, past: Past, event: Event) -> bool:
    """A thing that has not arrived is not damaged (clause 5.3)."""
    return all(
        refund.line_number is not None and _was_delivered(db, refund.order_id, refund.line_number)
        for refund in _adjusting(event, ("damaged_item",))
    )


def damage_is_paid_while_the_thing_may_come_back(db: Database, past: Past, event: Event) -> bool:
    """Nothing goes back for damage once it is too late to send the thing back for it (5.3)."""
    return all(
        any(
            parcel.delivered_at is not None
            and refund.line_number in parcel.line_numbers
            and (db.today() - parcel.delivered_at.date()).days
            <= _days_for_a_fault(db, refund.order_id, refund.line_number)
            for parcel in db.shipments.where(order_id=refund.order_id)
        )
        for refund in _adjusting(event, ("damaged_item",))
    )


def what_an_inspection_refused_brings_nothing(db: Database, past: Past, event: Event) -> bool:
    """Nothing goes back for damage of a line of which an inspection refused units (clause 5.3)."""
    return not any(
        part.accepted is False
        and part.condition != "missing"
        and part.line_number == refund.line_number
        for refund in _adjusting(event, ("damaged_item",))
        for back in db.returns.where(order_id=refund.order_id)
        for part in back.lines
    )


def gift_cards_get_back_what_they_paid(db: Database, past: Past, event: Event) -> bool:
    """What a gift card paid that can still be used goes back to it (section 5)."""
    new = [change.after.gift_card_id for change in _new(event, "gift_cards")]
    for refund in [change.after for change in _new(event, "refunds")]:
        number = db.payments.get(refund.payment_id).gift_card_id
        if number is not None and number not in (*new, refund.gift_card_id):
            card = db.gift_cards.get(number)
            owner = db.customers.get(card.customer_id)
            is_usable = card.status == "active" and card.expires_on >= db.today()
            if is_usable and owner.status == "active":
                return False
    return True


def store_credit_is_good_as_long_as_what_paid(db: Database, past: Past, event: Event) -> bool:
    """No new card makes what a gift card paid good for longer, unless it expired (section 5)."""
    for refund in [change.after for change in _new(event, "refunds")]:
        paid_with = db.payments.get(refund.payment_id).gift_card_id
        if paid_with is not None and refund.gift_card_id is not None:
            old, new = db.gift_cards.get(paid_with), db.gift_cards.get(refund.gift_card_id)
            if db.today() <= old.expires_on != new.expires_on:
                return False
    return True


def damage_of_a_line_is_paid_once(db: Database, past: Past, event: Event) -> bool:
    """No money goes back for damage of a line for which it did before (clause 5.3)."""
    paid = _adjusting(event, ("damaged_item",))
    now = [refund.refund_id for refund in paid]
    return event.tool != "refund_order" or not any(
        row.refund_id not in now
        and row.reason == "damaged_item"
        and row.line_number == refund.line_number
        for refund in paid
        for row in db.refunds.where(order_id=refund.order_id)
    )


def closed_accounts_get_no_adjustments(db: Database, past: Past, event: Event) -> bool:
    """A closed account gets no money back without a return (clause 6.2)."""
    return all(
        db.customers.get(db.orders.get(refund.order_id).customer_id).status == "active"
        for refund in _adjusting(event, ADJUSTING)
    )


def adjustments_are_paid(db: Database, past: Past, event: Event) -> bool:
    """An adjustment pays back the sum that was named."""
    return event.tool != "refund_order" or float(_refunded(event)) == event.argument("amount")


def what_is_charged_can_pay(db: Database, past: Past, event: Event) -> bool:
    """Only a method of the customer that has not expired is charged (clause 5.8)."""
    orders = [
        (change.after.payment_method_id, db.orders.get(change.after.order_id).customer_id)
        for change in _new(event, "payments")
    ]
    others = [
        (change.after.payment_method_id, change.after.customer_id)
        for change in [*_new(event, "gift_cards"), *_new(event, "exchanges")]
    ]
    return all(
        method_id is None or _can_pay(db, method_id, customer_id)
        for method_id, customer_id in [*orders, *others]
    )


def _within_drop(db: Database, order: Order, number: int) -> bool:
    """Return whether what went back for a line is at most the drop of the price of units kept."""
    line = order.lines[number - 1]
    kept = line.quantity - line.returned - line.exchanged
    drop = _worth(line) * kept / line.quantity - db.variants.get(line.variant_id).price * kept
    back = _went_back(db, order, [number], FOR_LINES)
    return _settled(db, order, number) > 0 or back <= max(drop, Decimal(0)) + CENTS


def price_adjustments_are_for_units_kept(db: Database, past: Past, event: Event) -> bool:
    """With a price adjustment a line has brought at most the drop for units kept (clause 5.2)."""
    return all(
        _within_drop(db, db.orders.get(refund.order_id), refund.line_number)
        for refund in _adjusting(event, ("price_adjustment",))
        if refund.line_number is not None
    )


def adjusted_prices_have_fallen(db: Database, past: Past, event: Event) -> bool:
    """A price is adjusted only where today's is lower than what was paid (clause 5.2)."""
    return all(
        db.variants.get(line.variant_id).price < line.unit_price
        for change in _new(event, "refunds")
        if change.after.reason == "price_adjustment"
        for line in [db.orders.get(change.after.order_id).lines[change.after.line_number - 1]]
    )


def what_pays_has_not_expired(db: Database, past: Past, event: Event) -> bool:
    """A card that has expired cannot pay, nor be kept to pay with (clause 5.8)."""
    used = [change.after.payment_method_id for change in _new(event, "payments")]
    used += [change.after.payment_method_id for change in _new(event, "exchanges")]
    methods = [db.payment_methods.get(number) for number in used if number is not None]
    return all(one.expires_on is None or one.expires_on >= db.today() for one in methods)


def _back_before(db: Database, order: Order, number: int) -> Decimal:
    """Return what went back for a line without a return, and came off nothing since."""
    rows = db.refunds.where(order_id=order.order_id)
    return _total(
        [
            row.amount - row.taken_off
            for row in rows
            if row.line_number == number and row.reason in FOR_LINES
        ]
    )


def nothing_is_paid_for_units_under_way(db: Database, past: Past, event: Event) -> bool:
    """Nothing goes back for a line while units of it are in a return or exchange (clause 5.2)."""
    return event.tool != "refund_order" or all(
        _under_way(db, db.orders.get(refund.order_id), refund.line_number) == 0
        for refund in _adjusting(event, FOR_LINES)
        if refund.line_number is not None
    )


def store_credit_is_for_who_ordered(db: Database, past: Past, event: Event) -> bool:
    """A new gift card for money that goes back is of the customer who ordered (section 5)."""
    new = [change.after.gift_card_id for change in _new(event, "gift_cards")]
    return all(
        db.gift_cards.get(refund.gift_card_id).customer_id
        == db.orders.get(refund.order_id).customer_id
        for refund in [change.after for change in _new(event, "refunds")]
        if refund.gift_card_id in new
    )


def _under_way(db: Database, order: Order, number: int) -> int:
    """Return how many units of a line are in a return or an exchange that is not finished."""
    line = order.lines[number - 1]
    return line.returned + line.exchanged - _settled(db, order, number)


def _costs(order: Order) -> list[Decimal]:
    """Return what each line cost, and with it what its exchanges cost more or less."""
    costs: list[Decimal] = []
    for line in order.lines:
        if line.replaces is None:
            costs.append(_worth(line))
        else:
            old = order.lines[line.replaces - 1]
            same = costs[line.replaces - 1] * line.quantity / old.quantity
            more = (line.unit_price - old.unit_price) * line.quantity
            costs.append(max(same + more, Decimal(0)))
    return costs


def what_is_kept_costs_half_of_its_price(db: Database, order: Order) -> bool:
    """Of the price of what a customer keeps at least half stays with the shop (clause 5.1)."""
    costs = _costs(order)
    kept = [
        costs[place] * (line.quantity - _settled(db, order, line.line_number)) / line.quantity
        for place, line in enumerate(order.lines)
        if line.status != "cancelled"
    ]
    payments = db.payments.where(order_id=order.order_id)
    stays = _total([one.amount - one.refunded for one in payments])
    return order.status in ("pending", "cancelled") or stays >= _total(kept) / 2 - CENTS


def adjustments_stay_under_half(db: Database, order: Order) -> bool:
    """Without a return at most half of what was paid for a line is paid back (clause 5.1)."""
    for line, cost in zip(order.lines, _costs(order), strict=True):
        back = _back_before(db, order, line.line_number)
        if line.status == "cancelled" or back == 0:
            continue
        there = line.quantity - _settled(db, order, line.line_number)
        if back > cost * there / line.quantity / 2 + CENTS:
            return False
    return True


def what_was_paid_for_a_line_is_its_price(db: Database, order: Order) -> bool:
    """What was paid for a line that came in an exchange is its price (section 4)."""
    return all(
        abs(_worth(line) - cost) <= CENTS
        for line, cost in zip(order.lines, _costs(order), strict=True)
    )


def cancelled_lines_bring_what_is_left(db: Database, past: Past, event: Event) -> bool:
    """A line that is cancelled brings what was paid, less what went back for it (section 2)."""
    worth, before = Decimal(0), Decimal(0)
    for change in _changed(event, "orders"):
        if change.before.status == "pending" or change.after.status == "cancelled":
            continue
        for line, then in zip(change.after.lines, change.before.lines, strict=False):
            if line.status == "cancelled" != then.status:
                worth += _worth(line)
                before += _back_before(db, change.after, line.line_number)
    return worth == 0 or worth - before == _refunded(event)


def what_went_back_goes_along(db: Database, past: Past, event: Event) -> bool:
    """What went back for units that are exchanged counts for the new ones (section 5)."""
    return all(
        _goes_along(db, event, change.after, change.after.new_line_number)
        for change in _changed(event, "exchanges")
        if change.after.new_line_number is not None and change.after.status != change.before.status
    )


def _goes_along(db: Database, event: Event, swap: Exchange, new_number: int) -> bool:
    """Return whether what went back for a line is evenly on the units left and the new ones."""
    order = db.orders.get(swap.order_id)
    line = order.lines[swap.line_number - 1]
    kept = _back_before(db, order, swap.line_number)
    rows = _changed(event, "refunds")
    booked = _total([row.after.taken_off - row.before.taken_off for row in rows])
    gone = _back_before(db, order, new_number) + booked
    worth = _worth(line) * swap.quantity / line.quantity + swap.difference
    if abs(worth - booked - _worth(order.lines[new_number - 1])) > CENTS:
        return False
    left = line.quantity - _settled(db, order, line.line_number)
    return abs(kept * swap.quantity - gone * left) <= CENTS * (swap.quantity + left)


def what_a_good_gift_card_paid_lies_on_it(db: Database, refund: Refund) -> bool:
    """No other card has what goes back for a gift card that is good (section 5)."""
    number = db.payments.get(refund.payment_id).gift_card_id
    if number is None or number == refund.gift_card_id:
        return True
    card = db.gift_cards.get(number)
    is_good = card.status == "active" and card.expires_on >= refund.refunded_at.date()
    return not (is_good and db.customers.get(card.customer_id).status == "active")


FREE_SHIPPING = Decimal("75.00")
STANDARD_SHIPPING = Decimal("5.95")
OF_CODES = (
    "promotion_not_running",
    "promotion_used_up",
    "promotion_used_before",
    "nothing_covered",
    "below_minimum",
)


def once_per_customer_is_once(db: Database, order: Order) -> bool:
    """A promotion that works once per customer is on one order of theirs (clause 2.3)."""
    number = order.promotion_id
    if number is None or not db.promotions.get(number).once_per_customer:
        return True
    using = db.orders.where(promotion_id=number, customer_id=order.customer_id)
    return sum(1 for other in using if other.status != "cancelled") <= 1


def promotions_are_used_while_they_run(db: Database, order: Order) -> bool:
    """An order with a promotion is placed on a day that it runs (clause 2.2)."""
    return order.promotion_id is None or (
        db.promotions.get(order.promotion_id).starts_on
        <= order.placed_at.date()
        <= db.promotions.get(order.promotion_id).ends_on
    )


def a_lost_parcel_is_settled_once(db: Database, parcel: Shipment) -> bool:
    """What was in a lost parcel is sent again or paid back, never both (clause 3.3)."""
    lines = db.orders.get(parcel.order_id).lines
    again = [
        number
        for other in db.shipments.where(order_id=parcel.order_id)
        if other.status != "lost"
        for number in other.line_numbers
    ]
    return parcel.status != "lost" or all(
        lines[number - 1].status != "cancelled" or number not in again
        for number in parcel.line_numbers
    )


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


def a_cart_is_ordered_once(db: Database, past: Past, event: Event) -> bool:
    """A cart that was checked out is closed."""
    return event.tool != "check_out_cart" or (
        db.carts.get(event.argument("cart_id")).status == "checked_out"
    )


def carts_tell_when_they_changed(db: Database, past: Past, event: Event) -> bool:
    """A cart that changes says that it changed now."""
    return all(change.after.updated_at == db.now() for change in _of(event, "carts"))


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


def what_was_delivered_stays_so(db: Database, past: Past, event: Event) -> bool:
    """A delivery is recorded once, of a parcel on its way (clause 7.5)."""
    return all(
        change.before.status != "delivered"
        or change.after.delivered_at == change.before.delivered_at
        for change in _changed(event, "shipments")
    )


def parcels_are_lost_after_their_day(db: Database, past: Past, event: Event) -> bool:
    """A parcel is written off only when its promised day is over (clause 3.2)."""
    return all(
        change.before.status == "lost"
        or change.after.status != "lost"
        or change.after.promised_on < db.today()
        for change in _changed(event, "shipments")
    )


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


def _first_price(past: Past, change: Written) -> Decimal:
    """Return the price of a variant at the start of the day, of which every call is."""
    earlier = [other for call in past.calls for other in _changed(call, "variants")]
    variant_id = change.before.variant_id
    same = [other.before.price for other in earlier if other.before.variant_id == variant_id]
    return [*same, change.before.price][0]


def prices_move_by_half_in_a_day(db: Database, past: Past, event: Event) -> bool:
    """A price moves by at most half of what it was when the day began (clause 7.1)."""
    return all(
        abs(change.after.price - _first_price(past, change)) <= _first_price(past, change) / 2
        for change in _changed(event, "variants")
    )


def prices_are_refused_beyond_half(db: Database, past: Past, event: Event) -> bool:
    """Only what is more than half off the price of the morning is refused as too far (7.7)."""
    if event.code != "price_jump":
        return True
    variant = db.variants.get(event.argument("variant_id"))
    first = variant.price if variant.priced_on != db.today() else variant.price_before
    return first is not None and abs(money(event.argument("price")) - first) > first / 2


def codes_make_orders_cost_less(db: Database, past: Past, event: Event) -> bool:
    """An order with a code costs less than without it, shipping included (clause 2.3)."""
    return all(
        order.promotion_id is None or order.total < _without_code(db, order)
        for change in _new(event, "orders")
        for order in [change.after]
    )


def _without_code(db: Database, order: Order) -> Decimal:
    """Return what an order would have cost without a code."""
    worth = _total([line.unit_price * line.quantity for line in order.lines])
    is_free = worth >= FREE_SHIPPING or db.customers.get(order.customer_id).tier == "gold"
    standard = Decimal(0) if is_free else STANDARD_SHIPPING
    return worth + (standard if order.shipping_method == "standard" else order.shipping_fee)


def prices_are_as_they_were_set(db: Database, past: Past, event: Event) -> bool:
    """A price that is set is the variant's price afterwards."""
    if event.tool != "set_variant_price":
        return True
    price = money(event.argument("price"))
    return db.variants.get(event.argument("variant_id")).price == price


def carts_take_what_there_is(db: Database, past: Past, event: Event) -> bool:
    """No more of a thing is put in a cart than is in stock, nor over 20 of it (clause 2.4)."""
    if event.tool not in ("add_to_cart", "set_cart_quantity"):
        return True
    return all(
        line.quantity <= min(20, db.variants.get(line.variant_id).stock)
        for change in _of(event, "carts")
        for line in change.after.lines
        if line.variant_id == event.argument("variant_id")
    )


def promotions_begin_and_end_within_a_year(db: Database, past: Past, event: Event) -> bool:
    """A new promotion starts within a year from today, and ends within one of that (7.1)."""
    return all(
        change.after.starts_on - db.today() <= timedelta(days=366)
        and change.after.ends_on - change.after.starts_on <= timedelta(days=366)
        for change in _new(event, "promotions")
    )


def an_open_cart_is_the_only_one(db: Database, cart: Cart) -> bool:
    """Who has an open cart orders with that one, so all orders came before it (section 2)."""
    return cart.status != "open" or all(
        order.placed_at <= cart.created_at
        for order in db.orders.where(customer_id=cart.customer_id)
    )


def what_was_ordered_cost_its_price(db: Database, order: Order) -> bool:
    """What costs another price than when it was ordered was priced since (clause 7.1)."""
    for line in order.lines:
        priced_on = db.variants.get(line.variant_id).priced_on
        is_as_then = line.unit_price == db.variants.get(line.variant_id).price
        is_since = priced_on is not None and order.placed_at.date() <= priced_on
        if line.replaces is None and not (is_as_then or is_since):
            return False
    return True


def codes_are_refused_where_the_things_can_be_bought(
    db: Database, past: Past, event: Event
) -> bool:
    """What is sold out is told before what is wrong with a code (clause 2.4)."""
    if event.tool != "quote_cart" or event.code not in OF_CODES:
        return True
    carts = db.carts.where(customer_id=event.argument("customer_id"), status="open")
    return all(
        db.variants.get(line.variant_id).stock >= line.quantity
        for cart in carts
        for line in cart.lines
    )


SHOPS_FAULT = ("defective", "wrong_item", "damaged_in_transit")


def refused_units_stay_refused(db: Database, order: Order) -> bool:
    """What an inspection refused is not sent back or exchanged again (clause 4.5)."""
    refused = [
        part
        for back in db.returns.where(order_id=order.order_id)
        for part in back.lines
        if part.accepted is False and part.condition != "missing"
    ]
    return all(
        sum(part.quantity for part in refused if part.line_number == line.line_number)
        <= line.quantity - line.returned - line.exchanged
        for line in order.lines
    )


def what_is_exchanged_was_delivered(db: Database, exchange: Exchange) -> bool:
    """What is exchanged was delivered (clause 4.4)."""
    return _was_delivered(db, exchange.order_id, exchange.line_number)


def final_sales_come_back_for_a_fault(db: Database, back: ProductReturn) -> bool:
    """A final-sale item comes back only if the shop is at fault (clause 4.3)."""
    lines = db.orders.get(back.order_id).lines
    others = [part for part in back.lines if part.reason not in SHOPS_FAULT]
    return all(_window(db, lines[part.line_number - 1]) > 0 for part in others)


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


def finished_returns_stay_finished(db: Database, past: Past, event: Event) -> bool:
    """A return that is refunded, refused or called off does not go on (clause 4.6)."""
    return all(
        change.before.status in ("requested", "received", "inspected")
        or change.before.status == change.after.status
        for change in _changed(event, "returns")
    )


def exchanged_units_are_set_aside(db: Database, past: Past, event: Event) -> bool:
    """The new units of an exchange leave the stock, and come back if it is called off."""
    if event.tool not in ("request_exchange", "cancel_exchange"):
        return True
    units = sum(change.after.quantity for change in _of(event, "exchanges"))
    return _stock_gained(event) == (units if event.tool == "cancel_exchange" else -units)


def return_fees_come_off_what_brings_them(db: Database, back: ProductReturn) -> bool:
    """The fee comes off nothing that comes back for a fault of the shop (section 4)."""
    bring_fee = [part.refund for part in back.lines if part.reason not in SHOPS_FAULT]
    return back.fee <= _total(bring_fee)


def _brings(db: Database, order: Order, part: ReturnLine) -> Decimal:
    """Return what units of a line bring of which nothing came back before."""
    line = order.lines[part.line_number - 1]
    rate = "1" if part.reason in SHOPS_FAULT or part.condition != "opened" else "0.85"
    left = _worth(line) * Decimal(rate) - _went_back(db, order, [line.line_number], FOR_LINES)
    return max(left * part.quantity / line.quantity, Decimal(0)) if part.accepted else Decimal(0)


def returns_bring_what_is_left_of_the_price(db: Database, past: Past, event: Event) -> bool:
    """Units that come back bring what was paid for them, less what went back (clause 5.1)."""
    return event.tool != "refund_return" or all(
        abs(part.refund - _brings(db, db.orders.get(change.after.order_id), part)) <= CENTS
        for change in _changed(event, "returns")
        for part in change.after.lines
        if _settled(db, db.orders.get(change.after.order_id), part.line_number)
        == (part.quantity if part.accepted else 0)
    )


def _new_worth(db: Database, swap: Exchange) -> Decimal:
    """Return what was paid for the new units of an exchange, with what they cost more or less."""
    line = db.orders.get(swap.order_id).lines[swap.line_number - 1]
    more = (swap.unit_price - line.unit_price) * swap.quantity
    return max(_worth(line) * swap.quantity / line.quantity + more, Decimal(0))


def exchanges_leave_half_of_the_price(db: Database, past: Past, event: Event) -> bool:
    """What an exchange brings leaves half of what the new units cost with the shop (section 4)."""
    return all(
        -change.after.difference
        <= max(_left_for(db, change.after) - _new_worth(db, change.after) / 2, Decimal(0)) + CENTS
        for change in _new(event, "exchanges")
    )


def _left_for(db: Database, swap: Exchange) -> Decimal:
    """Return what was paid for the old units of an exchange, and has not gone back."""
    order = db.orders.get(swap.order_id)
    line = order.lines[swap.line_number - 1]
    there = line.quantity - _settled(db, order, line.line_number)
    back = _back_before(db, order, line.line_number) * swap.quantity / there
    return _worth(line) * swap.quantity / line.quantity - back


def exchanged_units_come_back(db: Database, past: Past, event: Event) -> bool:
    """Old units as new are sold again; what was paid is the difference (clause 4.9)."""
    if event.tool != "complete_exchange":
        return True
    done = [change.after for change in _of(event, "exchanges")]
    units = sum(one.quantity for one in done if one.condition == "as_new")
    refunds = [change.after for change in _new(event, "refunds")]
    back = _total([row.amount for row in refunds if row.reason == "exchange_difference"])
    settled = _total([change.after.amount for change in _new(event, "payments")]) - back
    return _stock_gained(event) == units and _total([one.difference for one in done]) == settled


def completed_exchanges_send_the_new_variant(db: Database, exchange: Exchange) -> bool:
    """Whoever exchanged a thing gets the new one."""
    return exchange.status != "completed" or any(
        line.variant_id == exchange.new_variant_id and line.replaces == exchange.line_number
        for line in db.orders.get(exchange.order_id).lines
    )


def units_on_their_way_back_are_counted(db: Database, order: Order) -> bool:
    """A line counts as sent back what its returns hold (clause 4.5)."""
    held = [
        part
        for back in db.returns.where(order_id=order.order_id)
        for part in back.lines
        if back.status != "cancelled" and part.accepted is not False
    ]
    return all(
        line.returned == sum(part.quantity for part in held if part.line_number == line.line_number)
        for line in order.lines
    )


def a_return_pays_its_lines_less_the_fee(db: Database, back: ProductReturn) -> bool:
    """What a return paid is what its lines brought, less the fee that it names."""
    brought = _total([part.refund for part in back.lines])
    return back.status != "refunded" or back.refund_amount == brought - back.fee


def exchanges_count_the_prices_of_the_day(db: Database, past: Past, event: Event) -> bool:
    """An exchange costs or brings the difference of today's prices, or less back (section 4)."""
    return all(
        -_drop_of_price(db, exchange) <= exchange.difference
        and max(exchange.difference, Decimal(0)) == max(-_drop_of_price(db, exchange), Decimal(0))
        for change in _new(event, "exchanges")
        for exchange in [change.after]
    )


def _drop_of_price(db: Database, exchange: Exchange) -> Decimal:
    """Return how much less the new units of an exchange cost today than the old ones."""
    line = db.orders.get(exchange.order_id).lines[exchange.line_number - 1]
    old, new = db.variants.get(line.variant_id), db.variants.get(exchange.new_variant_id)
    return (old.price - new.price) * exchange.quantity


def what_was_kept_for_money_is_not_exchanged(db: Database, past: Past, event: Event) -> bool:
    """A thing for whose damage money went back is kept or sent back (clause 5.3)."""
    return all(
        refund.reason != "damaged_item" or refund.line_number != change.after.line_number
        for change in _new(event, "exchanges")
        for refund in db.refunds.where(order_id=change.after.order_id)
    )
