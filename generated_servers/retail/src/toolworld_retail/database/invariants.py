"""The rules that every row of Online shop keeps after every call."""

from __future__ import annotations

from decimal import Decimal

from .models import (
    Cart,
    CaseMessage,
    Customer,
    Database,
    Exchange,
    GiftCard,
    Order,
    Payment,
    PaymentMethod,
    Product,
    ProductReturn,
    Promotion,
    Refund,
    Review,
    Shipment,
    SupportCase,
    Variant,
)
from .schema import Invariant


def customers_default_address_is_saved(db: Database, customer: Customer) -> bool:
    """The default address is one of the saved addresses, whose labels differ."""
    return bool(
        customer.default_address in [address.label for address in customer.addresses]
        and len(set(address.label for address in customer.addresses))
        == len(customer.addresses)
        <= 8
    )


def customers_email_in_lower_case(db: Database, customer: Customer) -> bool:
    """E-mail addresses are kept in lower case."""
    return bool(customer.email == customer.email.lower() and "@" in customer.email)


def customers_closed_with_nothing_under_way(db: Database, customer: Customer) -> bool:
    """A closed account has no order, return, exchange or case under way and no open cart."""
    return bool(
        customer.status == "active"
        or all(
            order.status in ("delivered", "cancelled")
            for order in db.orders.where(customer_id=customer.customer_id)
        )
        and all(
            back.status in ("refunded", "refused", "cancelled")
            for back in db.returns.where(customer_id=customer.customer_id)
        )
        and all(
            exchange.status != "requested"
            for exchange in db.exchanges.where(customer_id=customer.customer_id)
        )
        and all(
            case.status == "resolved" for case in db.cases.where(customer_id=customer.customer_id)
        )
        and all(cart.status != "open" for cart in db.carts.where(customer_id=customer.customer_id))
    )


def customers_joined_by_today(db: Database, customer: Customer) -> bool:
    """No account is opened in the future."""
    return bool(customer.joined_on <= db.today())


def payment_methods_cards_have_numbers(db: Database, payment_method: PaymentMethod) -> bool:
    """Cards, and only cards, have last digits and an expiry date."""
    return bool(
        (payment_method.kind == "paypal") == (payment_method.last_four is None)
        and (payment_method.last_four is None) == (payment_method.expires_on is None)
    )


def payment_methods_added_by_today(db: Database, payment_method: PaymentMethod) -> bool:
    """No payment method is saved in the future, nor after it expired."""
    return bool(
        payment_method.added_on <= db.today()
        and (
            payment_method.expires_on is None
            or payment_method.added_on <= payment_method.expires_on
        )
    )


def products_return_window_is_sane(db: Database, product: Product) -> bool:
    """The return window is 0 to 90 days."""
    return bool(0 <= product.return_days <= 90)


def products_released_by_today(db: Database, product: Product) -> bool:
    """Nothing is in the shop before it is released."""
    return bool(product.released_on <= db.today())


def variants_stock_not_negative(db: Database, variant: Variant) -> bool:
    """Stock is never below zero."""
    return bool(variant.stock >= 0)


def variants_price_in_bounds(db: Database, variant: Variant) -> bool:
    """A price is 1.00 to 10000.00."""
    return bool(1 <= variant.price <= 10000)


def variants_change_says_from_what(db: Database, variant: Variant) -> bool:
    """A price that was changed says when, not in the future, and from what."""
    return bool(
        (variant.priced_on is None) == (variant.price_before is None)
        and (variant.priced_on is None or variant.priced_on <= db.today())
    )


def promotions_value_fits_kind(db: Database, promotion: Promotion) -> bool:
    """Return whether a row keeps this rule.

    A percent promotion has a percentage of 1 to 80, an amount promotion an amount of at most half
    the minimum spend.
    """
    return bool(
        (promotion.kind == "percent") == (promotion.percent is not None)
        and (promotion.kind == "amount") == (promotion.amount is not None)
        and (promotion.percent is None or 1 <= promotion.percent <= 80)
        and (promotion.amount is None or 0 < promotion.amount * 2 <= promotion.minimum_spend)
    )


def promotions_dates_in_order(db: Database, promotion: Promotion) -> bool:
    """A promotion ends on or after the day it starts, and within a year of it."""
    return bool(
        promotion.starts_on <= promotion.ends_on
        and (promotion.ends_on.year - 1, promotion.ends_on.month, promotion.ends_on.day)
        <= (promotion.starts_on.year, promotion.starts_on.month, promotion.starts_on.day)
    )


def promotions_uses_within_limit(db: Database, promotion: Promotion) -> bool:
    """A promotion is used at most as often as allowed."""
    return bool(
        promotion.uses >= 0 and (promotion.max_uses is None or promotion.uses <= promotion.max_uses)
    )


def promotions_uses_are_orders(db: Database, promotion: Promotion) -> bool:
    """A promotion's uses are the orders with it that are not cancelled."""
    return bool(
        promotion.uses
        == sum(
            1
            for order in db.orders.where(promotion_id=promotion.promotion_id)
            if order.status != "cancelled"
        )
    )


def promotions_code_in_capitals(db: Database, promotion: Promotion) -> bool:
    """Promotion codes are kept in capitals."""
    return bool(promotion.code == promotion.code.upper())


def carts_one_open_cart(db: Database, cart: Cart) -> bool:
    """A customer has at most one open cart."""
    return bool(
        cart.status != "open"
        or sum(
            1 for other in db.carts.where(customer_id=cart.customer_id) if other.status == "open"
        )
        == 1
    )


def carts_lines_name_their_product(db: Database, cart: Cart) -> bool:
    """A line of a cart carries the name of its product."""
    return bool(
        all(
            line.item.startswith(db.products.get(db.variants.get(line.variant_id).product_id).name)
            for line in cart.lines
        )
    )


def carts_lines_in_bounds(db: Database, cart: Cart) -> bool:
    """A cart holds each variant once, 1 to 20 units of it."""
    return bool(
        all(1 <= line.quantity <= 20 for line in cart.lines)
        and len(set(line.variant_id for line in cart.lines)) == len(cart.lines)
    )


def carts_checked_out_has_order(db: Database, cart: Cart) -> bool:
    """A checked-out cart, and no other, names an order of the same customer."""
    return bool(
        (cart.status == "checked_out") == (cart.order_id is not None)
        and (cart.order_id is None or db.orders.get(cart.order_id).customer_id == cart.customer_id)
    )


def carts_open_carts_are_of_open_accounts(db: Database, cart: Cart) -> bool:
    """An open cart is of an open account."""
    return bool(cart.status != "open" or db.customers.get(cart.customer_id).status == "active")


def carts_cart_times_in_order(db: Database, cart: Cart) -> bool:
    """A cart changes after it is begun, and neither is in the future."""
    return bool(cart.created_at <= cart.updated_at <= db.now())


def orders_total_adds_up(db: Database, order: Order) -> bool:
    """An order's total is its subtotal less its discount plus shipping."""
    return bool(
        order.total == order.subtotal - order.discount + order.shipping_fee
        and order.shipping_fee >= 0
    )


def orders_lines_add_up(db: Database, order: Order) -> bool:
    """Subtotal and discount are the sums of the lines ordered that are not cancelled."""
    return bool(
        order.status == "cancelled"
        or (
            order.subtotal
            == sum(
                (
                    line.unit_price * line.quantity
                    for line in order.lines
                    if line.status != "cancelled" and line.replaces is None
                ),
                Decimal(0),
            )
            and order.discount
            == sum(
                (
                    line.discount
                    for line in order.lines
                    if line.status != "cancelled" and line.replaces is None
                ),
                Decimal(0),
            )
        )
    )


def orders_lines_are_sound(db: Database, order: Order) -> bool:
    """Return whether a row keeps this rule.

    Lines are numbered from 1; a discount is within the line's worth; only shipped units come back,
    and no more than were bought.
    """
    return bool(
        len(order.lines) >= 1
        and all(line.line_number == place for place, line in enumerate(order.lines, 1))
        and all(
            line.quantity >= 1 and 0 <= line.discount <= line.unit_price * line.quantity
            for line in order.lines
        )
        and all(
            line.returned >= 0
            and line.exchanged >= 0
            and line.returned + line.exchanged <= (line.quantity if line.status == "shipped" else 0)
            for line in order.lines
        )
    )


def orders_status_fits_lines(db: Database, order: Order) -> bool:
    """An order's status agrees with what of it has shipped."""
    return bool(
        (
            any(line.status == "open" for line in order.lines)
            == (order.status in ("pending", "paid", "part_shipped"))
        )
        and (
            any(line.status == "shipped" for line in order.lines)
            == (order.status in ("part_shipped", "shipped", "delivered"))
        )
    )


def orders_cancelled_says_when_and_why(db: Database, order: Order) -> bool:
    """A cancelled order, and no other, says when and why."""
    return bool(
        (order.status == "cancelled") == (order.cancelled_at is not None)
        and (order.cancelled_at is None) == (order.cancel_reason is None)
    )


def orders_paid_in_full_before_shipping(db: Database, order: Order) -> bool:
    """Return whether a row keeps this rule.

    A pending order still owes something and got nothing back; a paid or shipped one is paid to the
    cent, with the differences of its exchanges and less what went back for cancelled lines; of a
    cancelled one all money went back.
    """
    return bool(
        all(
            payment.refunded == payment.amount
            for payment in db.payments.where(order_id=order.order_id)
        )
        if order.status == "cancelled"
        else (
            sum(
                (payment.amount for payment in db.payments.where(order_id=order.order_id)),
                Decimal(0),
            )
            < order.total
            and all(payment.refunded == 0 for payment in db.payments.where(order_id=order.order_id))
            if order.status == "pending"
            else 0
            == sum(
                (payment.amount for payment in db.payments.where(order_id=order.order_id)),
                Decimal(0),
            )
            - sum(
                (
                    refund.amount
                    for refund in db.refunds.where(order_id=order.order_id)
                    if refund.line_number
                    in [
                        line.line_number
                        for line in order.lines
                        if line.status == "cancelled" and line.replaces is None
                    ]
                ),
                Decimal(0),
            )
            - order.total
            - sum(
                (
                    exchange.difference
                    for exchange in db.exchanges.where(order_id=order.order_id)
                    if exchange.status == "completed" and exchange.difference > 0
                ),
                Decimal(0),
            )
        )
    )


def orders_shipped_lines_are_in_one_parcel(db: Database, order: Order) -> bool:
    """Return whether a row keeps this rule.

    Each shipped line is in one parcel that is not lost, and every parcel of a delivered order has
    arrived.
    """
    return bool(
        all(
            [line.line_number for line in order.lines if line.status == "shipped"]
            == sorted(
                number
                for parcel in parcels
                if parcel.status != "lost"
                for number in parcel.line_numbers
            )
            and (
                order.status != "delivered"
                or all(parcel.status != "in_transit" for parcel in parcels)
            )
            for parcels in [db.shipments.where(order_id=order.order_id)]
        )
    )


def orders_units_coming_back_are_known(db: Database, order: Order) -> bool:
    """The units a line counts as returned or exchanged are those of its returns and exchanges."""
    return bool(
        all(
            line.returned
            == sum(
                part.quantity
                for back in returns
                if back.status not in ("cancelled", "refused")
                for part in back.lines
                if part.line_number == line.line_number and part.accepted is not False
            )
            and line.exchanged
            == sum(
                exchange.quantity
                for exchange in exchanges
                if exchange.status != "cancelled" and exchange.line_number == line.line_number
            )
            for returns in [db.returns.where(order_id=order.order_id)]
            for exchanges in [db.exchanges.where(order_id=order.order_id)]
            for line in order.lines
        )
    )


def orders_replacements_are_exchanges(db: Database, order: Order) -> bool:
    """A line that replaces another, and no other, came from a completed exchange."""
    return bool(
        [line.line_number for line in order.lines if line.replaces is not None]
        == sorted(
            exchange.new_line_number or 0
            for exchange in db.exchanges.where(order_id=order.order_id)
            if exchange.status == "completed"
        )
    )


def orders_refunds_within_lines(db: Database, order: Order) -> bool:
    """No more goes back for a line than was paid for it, but for what was taken off again."""
    return bool(
        all(
            sum(
                (
                    refund.amount - refund.taken_off
                    for refund in refunds
                    if refund.line_number == line.line_number
                ),
                Decimal(0),
            )
            <= line.unit_price * line.quantity - line.discount
            for refunds in [db.refunds.where(order_id=order.order_id)]
            for line in order.lines
        )
    )


def orders_promotion_counts_order(db: Database, order: Order) -> bool:
    """The promotion of an order counts it, unless it is cancelled."""
    return bool(
        order.promotion_id is None
        or db.promotions.get(order.promotion_id).uses
        == sum(
            1
            for other in db.orders.where(promotion_id=order.promotion_id)
            if other.status != "cancelled"
        )
    )


def orders_under_way_for_open_accounts(db: Database, order: Order) -> bool:
    """An order that is not delivered or cancelled yet is of an open account."""
    return bool(
        order.status in ("delivered", "cancelled")
        or db.customers.get(order.customer_id).status == "active"
    )


def orders_order_times_in_order(db: Database, order: Order) -> bool:
    """An order is placed before it is cancelled, and neither in the future."""
    return bool(
        order.placed_at <= db.now()
        and (order.cancelled_at is None or order.placed_at <= order.cancelled_at <= db.now())
    )


def payments_refunded_within_amount(db: Database, payment: Payment) -> bool:
    """No more is refunded than was paid, and the status says how much."""
    return bool(
        payment.amount > 0
        and 0 <= payment.refunded <= payment.amount
        and payment.status
        == (
            "captured"
            if payment.refunded == 0
            else "refunded"
            if payment.refunded == payment.amount
            else "part_refunded"
        )
    )


def payments_refunds_add_up(db: Database, payment: Payment) -> bool:
    """What a payment counts as refunded is the sum of its refunds."""
    return bool(
        payment.refunded
        == sum(
            (refund.amount for refund in db.refunds.where(payment_id=payment.payment_id)),
            Decimal(0),
        )
    )


def payments_one_source(db: Database, payment: Payment) -> bool:
    """A payment comes from one place, a saved method of the customer or a gift card."""
    return bool(
        (payment.payment_method_id is None) != (payment.gift_card_id is None)
        and (
            payment.payment_method_id is None
            or db.payment_methods.get(payment.payment_method_id).customer_id
            == db.orders.get(payment.order_id).customer_id
        )
    )


def payments_paid_after_order(db: Database, payment: Payment) -> bool:
    """A payment is taken after its order is placed, and not in the future."""
    return bool(db.orders.get(payment.order_id).placed_at <= payment.paid_at <= db.now())


def refunds_refund_fits_payment(db: Database, refund: Refund) -> bool:
    """Return whether a row keeps this rule.

    A refund is above zero, is for its payment's order, and is counted on the payment; no more is
    taken off again.
    """
    return bool(
        refund.amount > 0
        and 0 <= refund.taken_off <= refund.amount
        and db.payments.get(refund.payment_id).order_id == refund.order_id
        and db.payments.get(refund.payment_id).refunded
        == sum(
            (other.amount for other in db.refunds.where(payment_id=refund.payment_id)), Decimal(0)
        )
    )


def refunds_adjustments_name_a_line(db: Database, refund: Refund) -> bool:
    """Return whether a row keeps this rule.

    What is paid back for a line names one of its order; a return, an exchange or a late parcel
    names none.
    """
    return bool(
        (
            refund.line_number is not None
            or refund.reason
            in ("cancellation", "product_return", "exchange_difference", "late_delivery")
        )
        and (
            refund.line_number is None
            or refund.reason not in ("product_return", "exchange_difference", "late_delivery")
            and 1 <= refund.line_number <= len(db.orders.get(refund.order_id).lines)
        )
    )


def refunds_returns_are_named(db: Database, refund: Refund) -> bool:
    """A refund for a return, and no other, names a return of its order."""
    return bool(
        (refund.reason == "product_return") == (refund.return_id is not None)
        and (
            refund.return_id is None or db.returns.get(refund.return_id).order_id == refund.order_id
        )
    )


def refunds_refunded_after_payment(db: Database, refund: Refund) -> bool:
    """Money goes back after it was taken, and not in the future."""
    return bool(db.payments.get(refund.payment_id).paid_at <= refund.refunded_at <= db.now())


def gift_cards_balance_adds_up(db: Database, gift_card: GiftCard) -> bool:
    """Return whether a row keeps this rule.

    A gift card's balance is what was loaded or moved to it, less what was spent or moved to its
    replacement, plus what was refunded to it; never below zero.
    """
    return bool(
        gift_card.balance >= 0
        and gift_card.balance
        == gift_card.loaded
        + gift_card.carried_over
        - sum(
            (
                other.carried_over
                for other in db.gift_cards.where(replaces_card_id=gift_card.gift_card_id)
            ),
            Decimal(0),
        )
        - sum(
            (payment.amount for payment in db.payments.where(gift_card_id=gift_card.gift_card_id)),
            Decimal(0),
        )
        + sum(
            (refund.amount for refund in db.refunds.where(gift_card_id=gift_card.gift_card_id)),
            Decimal(0),
        )
    )


def gift_cards_loaded_in_bounds(db: Database, gift_card: GiftCard) -> bool:
    """A bought card holds 10 to 500 dollars, store credit starts from nothing."""
    return bool(
        (gift_card.loaded == 0) == (gift_card.payment_method_id is None)
        and (gift_card.loaded == 0 or 10 <= gift_card.loaded <= 500)
    )


def gift_cards_expiry_after_issue(db: Database, gift_card: GiftCard) -> bool:
    """A gift card is not issued in the future, and does not expire before it is issued."""
    return bool(gift_card.issued_on <= db.today() and gift_card.issued_on <= gift_card.expires_on)


def gift_cards_replaces_a_blocked_card(db: Database, gift_card: GiftCard) -> bool:
    """Return whether a row keeps this rule.

    A card that replaces another, and no other, takes over money, from a blocked card of the same
    owner.
    """
    return bool(
        (gift_card.replaces_card_id is None) == (gift_card.carried_over == 0)
        and gift_card.carried_over >= 0
        and (
            gift_card.replaces_card_id is None
            or db.gift_cards.get(gift_card.replaces_card_id).status == "blocked"
            and db.gift_cards.get(gift_card.replaces_card_id).customer_id == gift_card.customer_id
        )
    )


def shipments_delivered_says_when(db: Database, shipment: Shipment) -> bool:
    """A delivered parcel, and no other, says when it arrived."""
    return bool((shipment.status == "delivered") == (shipment.delivered_at is not None))


def shipments_parcel_holds_shipped_lines(db: Database, shipment: Shipment) -> bool:
    """Return whether a row keeps this rule.

    A parcel holds lines of its order that count as shipped; those of a lost one may be cancelled.
    """
    return bool(
        len(shipment.line_numbers) >= 1
        and all(
            number
            in [
                line.line_number
                for line in db.orders.get(shipment.order_id).lines
                if line.status == "shipped"
                or shipment.status == "lost"
                and line.status == "cancelled"
            ]
            for number in shipment.line_numbers
        )
    )


def shipments_parcel_names_its_items(db: Database, shipment: Shipment) -> bool:
    """A parcel names the item of each of its lines."""
    return bool(
        [
            (line.line_number, line.item)
            for line in db.orders.get(shipment.order_id).lines
            if line.line_number in shipment.line_numbers
        ]
        == list(zip(shipment.line_numbers, shipment.items, strict=False))
        and len(shipment.items) == len(shipment.line_numbers)
    )


def shipments_parcel_times_in_order(db: Database, shipment: Shipment) -> bool:
    """Return whether a row keeps this rule.

    A parcel leaves after its order is placed and arrives after it leaves, and neither in the
    future.
    """
    return bool(
        db.orders.get(shipment.order_id).placed_at <= shipment.shipped_at <= db.now()
        and (
            shipment.delivered_at is None
            or shipment.shipped_at <= shipment.delivered_at <= db.now()
        )
    )


def shipments_promised_after_leaving(db: Database, shipment: Shipment) -> bool:
    """A parcel is promised for the day it leaves or a later one."""
    return bool(shipment.promised_on >= shipment.shipped_at.date())


def returns_return_is_the_customers(db: Database, product_return: ProductReturn) -> bool:
    """A return is of an order of its own customer, and of an open account until it is finished."""
    return bool(
        db.orders.get(product_return.order_id).customer_id == product_return.customer_id
        and (
            product_return.status in ("refunded", "refused", "cancelled")
            or db.customers.get(product_return.customer_id).status == "active"
        )
    )


def returns_refund_adds_up(db: Database, product_return: ProductReturn) -> bool:
    """The refund is at most the lines less the fee, and is what was paid back for this return."""
    return bool(
        0
        <= product_return.refund_amount
        <= sum((line.refund for line in product_return.lines), Decimal(0)) - product_return.fee
        and product_return.fee >= 0
        and product_return.refund_amount
        == sum(
            (refund.amount for refund in db.refunds.where(return_id=product_return.return_id)),
            Decimal(0),
        )
    )


def returns_lines_name_their_items(db: Database, product_return: ProductReturn) -> bool:
    """A line of a return names the item of the order line it is of."""
    return bool(
        all(
            (part.line_number, part.item)
            in [
                (line.line_number, line.item)
                for line in db.orders.get(product_return.order_id).lines
            ]
            for part in product_return.lines
        )
    )


def returns_lines_fit_status(db: Database, product_return: ProductReturn) -> bool:
    """Lines are distinct by condition, of at least one unit, and inspected when the return is."""
    return bool(
        len(product_return.lines) >= 1
        and len(set((line.line_number, line.condition) for line in product_return.lines))
        == len(product_return.lines)
        and all(line.quantity >= 1 and line.refund >= 0 for line in product_return.lines)
        and all(
            (line.condition is not None) == (line.accepted is not None)
            for line in product_return.lines
        )
        and all(
            (line.accepted is not None)
            == (product_return.status in ("inspected", "refunded", "refused"))
            for line in product_return.lines
        )
    )


def returns_times_fit_status(db: Database, product_return: ProductReturn) -> bool:
    """A return past the door says when it was received, a finished one when it was closed."""
    return bool(
        (product_return.received_at is None)
        == (product_return.status in ("requested", "cancelled"))
        and (product_return.closed_at is not None)
        == (product_return.status in ("refunded", "refused", "cancelled"))
    )


def returns_return_times_in_order(db: Database, product_return: ProductReturn) -> bool:
    """Return whether a row keeps this rule.

    A return is asked for, received and closed in that order, and nothing of it in the future.
    """
    return bool(
        product_return.requested_at <= db.now()
        and (
            product_return.received_at is None
            or product_return.requested_at <= product_return.received_at <= db.now()
        )
        and (
            product_return.closed_at is None
            or (product_return.received_at or product_return.requested_at)
            <= product_return.closed_at
            <= db.now()
        )
    )


def exchanges_exchange_stays_with_the_product(db: Database, exchange: Exchange) -> bool:
    """An exchange is of an order of its customer, for another variant of the same product."""
    return bool(
        db.orders.get(exchange.order_id).customer_id == exchange.customer_id
        and exchange.quantity >= 1
        and all(
            line.variant_id != exchange.new_variant_id
            and db.variants.get(line.variant_id).product_id
            == db.variants.get(exchange.new_variant_id).product_id
            for line in db.orders.get(exchange.order_id).lines
            if line.line_number == exchange.line_number
        )
    )


def exchanges_items_are_named(db: Database, exchange: Exchange) -> bool:
    """An exchange names the item of its order line, and a new one of another kind."""
    return bool(
        exchange.item != exchange.new_item
        and all(
            line.item == exchange.item
            for line in db.orders.get(exchange.order_id).lines
            if line.line_number == exchange.line_number
        )
    )


def exchanges_difference_is_of_the_list_prices(db: Database, exchange: Exchange) -> bool:
    """The difference is that of the prices, or less is paid back if less was paid."""
    return bool(
        all(
            (exchange.unit_price - line.unit_price) * exchange.quantity
            <= exchange.difference
            <= max((exchange.unit_price - line.unit_price) * exchange.quantity, Decimal(0))
            for line in db.orders.get(exchange.order_id).lines
            if line.line_number == exchange.line_number
        )
    )


def exchanges_difference_can_be_charged(db: Database, exchange: Exchange) -> bool:
    """A difference above zero, and no other, has a payment method."""
    return bool((exchange.difference > 0) == (exchange.payment_method_id is not None))


def exchanges_closing_fits_status(db: Database, exchange: Exchange) -> bool:
    """Return whether a row keeps this rule.

    A completed exchange says how the old units came back and which line the new ones are, a
    finished one when.
    """
    return bool(
        (exchange.status == "requested") == (exchange.closed_at is None)
        and (exchange.status == "completed") == (exchange.condition is not None)
        and (exchange.status == "completed") == (exchange.new_line_number is not None)
    )


def exchanges_new_units_are_a_line(db: Database, exchange: Exchange) -> bool:
    """The new units of a completed exchange are a line of the order that replaces the old one."""
    return bool(
        exchange.new_line_number is None
        or (
            exchange.new_line_number,
            exchange.new_variant_id,
            exchange.quantity,
            exchange.line_number,
        )
        in [
            (line.line_number, line.variant_id, line.quantity, line.replaces)
            for line in db.orders.get(exchange.order_id).lines
        ]
    )


def exchanges_requested_by_open_accounts(db: Database, exchange: Exchange) -> bool:
    """An exchange under way is of an open account."""
    return bool(
        exchange.status != "requested" or db.customers.get(exchange.customer_id).status == "active"
    )


def exchanges_exchange_times_in_order(db: Database, exchange: Exchange) -> bool:
    """An exchange is asked for before it is closed, and neither in the future."""
    return bool(
        exchange.requested_at <= db.now()
        and (exchange.closed_at is None or exchange.requested_at <= exchange.closed_at <= db.now())
    )


def reviews_rating_in_bounds(db: Database, review: Review) -> bool:
    """A rating is 1 to 5 stars."""
    return bool(1 <= review.rating <= 5)


def reviews_review_names_its_product(db: Database, review: Review) -> bool:
    """A review carries the name of its product."""
    return bool(review.product_name == db.products.get(review.product_id).name)


def reviews_one_review_each(db: Database, review: Review) -> bool:
    """A customer reviews a product once."""
    return bool(
        sum(
            1
            for other in db.reviews.where(customer_id=review.customer_id)
            if other.product_id == review.product_id
        )
        == 1
    )


def reviews_written_by_today(db: Database, review: Review) -> bool:
    """No review is written in the future."""
    return bool(review.written_on <= db.today())


def cases_resolved_says_when(db: Database, support_case: SupportCase) -> bool:
    """A resolved case, and no other, says when."""
    return bool((support_case.status == "resolved") == (support_case.resolved_at is not None))


def cases_case_about_own_order(db: Database, support_case: SupportCase) -> bool:
    """A case is about an order of its own customer."""
    return bool(
        support_case.order_id is None
        or db.orders.get(support_case.order_id).customer_id == support_case.customer_id
    )


def cases_unresolved_for_open_accounts(db: Database, support_case: SupportCase) -> bool:
    """A case that is not resolved is of an open account."""
    return bool(
        support_case.status == "resolved"
        or db.customers.get(support_case.customer_id).status == "active"
    )


def cases_case_times_in_order(db: Database, support_case: SupportCase) -> bool:
    """A case is opened before it is resolved, and neither in the future."""
    return bool(
        support_case.opened_at <= db.now()
        and (
            support_case.resolved_at is None
            or support_case.opened_at <= support_case.resolved_at <= db.now()
        )
    )


def case_messages_message_within_case(db: Database, case_message: CaseMessage) -> bool:
    """A message says something, is not older than its case and not in the future."""
    return bool(
        len(case_message.text) >= 1
        and db.cases.get(case_message.case_id).opened_at <= case_message.sent_at <= db.now()
    )


INVARIANTS: dict[str, tuple[Invariant, ...]] = {
    "customers": (
        Invariant(
            "default_address_is_saved",
            "The default address is one of the saved addresses, whose labels differ.",
            customers_default_address_is_saved,
            columns=frozenset({"addresses", "default_address"}),
            tables=frozenset(),
        ),
        Invariant(
            "email_in_lower_case",
            "E-mail addresses are kept in lower case.",
            customers_email_in_lower_case,
            columns=frozenset({"email"}),
            tables=frozenset(),
        ),
        Invariant(
            "closed_with_nothing_under_way",
            ("A closed account has no order, return, exchange or case under way and no open cart."),
            customers_closed_with_nothing_under_way,
            columns=frozenset({"customer_id", "status"}),
            tables=frozenset({"carts", "cases", "exchanges", "orders", "returns"}),
        ),
        Invariant(
            "joined_by_today",
            "No account is opened in the future.",
            customers_joined_by_today,
            columns=frozenset({"joined_on"}),
            tables=frozenset(),
        ),
    ),
    "payment_methods": (
        Invariant(
            "cards_have_numbers",
            "Cards, and only cards, have last digits and an expiry date.",
            payment_methods_cards_have_numbers,
            columns=frozenset({"expires_on", "kind", "last_four"}),
            tables=frozenset(),
        ),
        Invariant(
            "added_by_today",
            "No payment method is saved in the future, nor after it expired.",
            payment_methods_added_by_today,
            columns=frozenset({"added_on", "expires_on"}),
            tables=frozenset(),
        ),
    ),
    "products": (
        Invariant(
            "return_window_is_sane",
            "The return window is 0 to 90 days.",
            products_return_window_is_sane,
            columns=frozenset({"return_days"}),
            tables=frozenset(),
        ),
        Invariant(
            "released_by_today",
            "Nothing is in the shop before it is released.",
            products_released_by_today,
            columns=frozenset({"released_on"}),
            tables=frozenset(),
        ),
    ),
    "variants": (
        Invariant(
            "stock_not_negative",
            "Stock is never below zero.",
            variants_stock_not_negative,
            columns=frozenset({"stock"}),
            tables=frozenset(),
        ),
        Invariant(
            "price_in_bounds",
            "A price is 1.00 to 10000.00.",
            variants_price_in_bounds,
            columns=frozenset({"price"}),
            tables=frozenset(),
        ),
        Invariant(
            "change_says_from_what",
            "A price that was changed says when, not in the future, and from what.",
            variants_change_says_from_what,
            columns=frozenset({"price_before", "priced_on"}),
            tables=frozenset(),
        ),
    ),
    "promotions": (
        Invariant(
            "value_fits_kind",
            (
                "A percent promotion has a percentage of 1 to 80, an amount promotion an "
                "amount of at most half the minimum spend."
            ),
            promotions_value_fits_kind,
            columns=frozenset({"amount", "kind", "minimum_spend", "percent"}),
            tables=frozenset(),
        ),
        Invariant(
            "dates_in_order",
            "A promotion ends on or after the day it starts, and within a year of it.",
            promotions_dates_in_order,
            columns=frozenset({"ends_on", "starts_on"}),
            tables=frozenset(),
        ),
        Invariant(
            "uses_within_limit",
            "A promotion is used at most as often as allowed.",
            promotions_uses_within_limit,
            columns=frozenset({"max_uses", "uses"}),
            tables=frozenset(),
        ),
        Invariant(
            "uses_are_orders",
            "A promotion's uses are the orders with it that are not cancelled.",
            promotions_uses_are_orders,
            columns=frozenset({"promotion_id", "uses"}),
            tables=frozenset({"orders"}),
        ),
        Invariant(
            "code_in_capitals",
            "Promotion codes are kept in capitals.",
            promotions_code_in_capitals,
            columns=frozenset({"code"}),
            tables=frozenset(),
        ),
    ),
    "carts": (
        Invariant(
            "one_open_cart",
            "A customer has at most one open cart.",
            carts_one_open_cart,
            columns=frozenset({"customer_id", "status"}),
            tables=frozenset({"carts"}),
        ),
        Invariant(
            "lines_name_their_product",
            "A line of a cart carries the name of its product.",
            carts_lines_name_their_product,
            columns=frozenset({"lines"}),
            tables=frozenset({"products", "variants"}),
        ),
        Invariant(
            "lines_in_bounds",
            "A cart holds each variant once, 1 to 20 units of it.",
            carts_lines_in_bounds,
            columns=frozenset({"lines"}),
            tables=frozenset(),
        ),
        Invariant(
            "checked_out_has_order",
            "A checked-out cart, and no other, names an order of the same customer.",
            carts_checked_out_has_order,
            columns=frozenset({"customer_id", "order_id", "status"}),
            tables=frozenset({"orders"}),
        ),
        Invariant(
            "open_carts_are_of_open_accounts",
            "An open cart is of an open account.",
            carts_open_carts_are_of_open_accounts,
            columns=frozenset({"customer_id", "status"}),
            tables=frozenset({"customers"}),
        ),
        Invariant(
            "cart_times_in_order",
            "A cart changes after it is begun, and neither is in the future.",
            carts_cart_times_in_order,
            columns=frozenset({"created_at", "updated_at"}),
            tables=frozenset(),
        ),
    ),
    "orders": (
        Invariant(
            "total_adds_up",
            "An order's total is its subtotal less its discount plus shipping.",
            orders_total_adds_up,
            columns=frozenset({"discount", "shipping_fee", "subtotal", "total"}),
            tables=frozenset(),
        ),
        Invariant(
            "lines_add_up",
            ("Subtotal and discount are the sums of the lines ordered that are not cancelled."),
            orders_lines_add_up,
            columns=frozenset({"discount", "lines", "status", "subtotal"}),
            tables=frozenset(),
        ),
        Invariant(
            "lines_are_sound",
            (
                "Lines are numbered from 1; a discount is within the line's worth; only "
                "shipped units come back, and no more than were bought."
            ),
            orders_lines_are_sound,
            columns=frozenset({"lines"}),
            tables=frozenset(),
        ),
        Invariant(
            "status_fits_lines",
            "An order's status agrees with what of it has shipped.",
            orders_status_fits_lines,
            columns=frozenset({"lines", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "cancelled_says_when_and_why",
            "A cancelled order, and no other, says when and why.",
            orders_cancelled_says_when_and_why,
            columns=frozenset({"cancel_reason", "cancelled_at", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "paid_in_full_before_shipping",
            (
                "A pending order still owes something and got nothing back; a paid or "
                "shipped one is paid to the cent, with the differences of its exchanges "
                "and less what went back for cancelled lines; of a cancelled one all money "
                "went back."
            ),
            orders_paid_in_full_before_shipping,
            columns=frozenset({"lines", "order_id", "status", "total"}),
            tables=frozenset({"exchanges", "payments", "refunds"}),
        ),
        Invariant(
            "shipped_lines_are_in_one_parcel",
            (
                "Each shipped line is in one parcel that is not lost, and every parcel of "
                "a delivered order has arrived."
            ),
            orders_shipped_lines_are_in_one_parcel,
            columns=frozenset({"lines", "order_id", "status"}),
            tables=frozenset({"shipments"}),
        ),
        Invariant(
            "units_coming_back_are_known",
            (
                "The units a line counts as returned or exchanged are those of its returns "
                "and exchanges."
            ),
            orders_units_coming_back_are_known,
            columns=frozenset({"lines", "order_id"}),
            tables=frozenset({"exchanges", "returns"}),
        ),
        Invariant(
            "replacements_are_exchanges",
            ("A line that replaces another, and no other, came from a completed exchange."),
            orders_replacements_are_exchanges,
            columns=frozenset({"lines", "order_id"}),
            tables=frozenset({"exchanges"}),
        ),
        Invariant(
            "refunds_within_lines",
            (
                "No more goes back for a line than was paid for it, but for what was taken "
                "off again."
            ),
            orders_refunds_within_lines,
            columns=frozenset({"lines", "order_id"}),
            tables=frozenset({"refunds"}),
        ),
        Invariant(
            "promotion_counts_order",
            "The promotion of an order counts it, unless it is cancelled.",
            orders_promotion_counts_order,
            columns=frozenset({"promotion_id"}),
            tables=frozenset({"orders", "promotions"}),
        ),
        Invariant(
            "under_way_for_open_accounts",
            "An order that is not delivered or cancelled yet is of an open account.",
            orders_under_way_for_open_accounts,
            columns=frozenset({"customer_id", "status"}),
            tables=frozenset({"customers"}),
        ),
        Invariant(
            "order_times_in_order",
            "An order is placed before it is cancelled, and neither in the future.",
            orders_order_times_in_order,
            columns=frozenset({"cancelled_at", "placed_at"}),
            tables=frozenset(),
        ),
    ),
    "payments": (
        Invariant(
            "refunded_within_amount",
            "No more is refunded than was paid, and the status says how much.",
            payments_refunded_within_amount,
            columns=frozenset({"amount", "refunded", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "refunds_add_up",
            "What a payment counts as refunded is the sum of its refunds.",
            payments_refunds_add_up,
            columns=frozenset({"payment_id", "refunded"}),
            tables=frozenset({"refunds"}),
        ),
        Invariant(
            "one_source",
            ("A payment comes from one place, a saved method of the customer or a gift card."),
            payments_one_source,
            columns=frozenset({"gift_card_id", "order_id", "payment_method_id"}),
            tables=frozenset({"orders", "payment_methods"}),
        ),
        Invariant(
            "paid_after_order",
            "A payment is taken after its order is placed, and not in the future.",
            payments_paid_after_order,
            columns=frozenset({"order_id", "paid_at"}),
            tables=frozenset({"orders"}),
        ),
    ),
    "refunds": (
        Invariant(
            "refund_fits_payment",
            (
                "A refund is above zero, is for its payment's order, and is counted on the "
                "payment; no more is taken off again."
            ),
            refunds_refund_fits_payment,
            columns=frozenset({"amount", "order_id", "payment_id", "taken_off"}),
            tables=frozenset({"payments", "refunds"}),
        ),
        Invariant(
            "adjustments_name_a_line",
            (
                "What is paid back for a line names one of its order; a return, an "
                "exchange or a late parcel names none."
            ),
            refunds_adjustments_name_a_line,
            columns=frozenset({"line_number", "order_id", "reason"}),
            tables=frozenset({"orders"}),
        ),
        Invariant(
            "returns_are_named",
            "A refund for a return, and no other, names a return of its order.",
            refunds_returns_are_named,
            columns=frozenset({"order_id", "reason", "return_id"}),
            tables=frozenset({"returns"}),
        ),
        Invariant(
            "refunded_after_payment",
            "Money goes back after it was taken, and not in the future.",
            refunds_refunded_after_payment,
            columns=frozenset({"payment_id", "refunded_at"}),
            tables=frozenset({"payments"}),
        ),
    ),
    "gift_cards": (
        Invariant(
            "balance_adds_up",
            (
                "A gift card's balance is what was loaded or moved to it, less what was "
                "spent or moved to its replacement, plus what was refunded to it; never "
                "below zero."
            ),
            gift_cards_balance_adds_up,
            columns=frozenset({"balance", "carried_over", "gift_card_id", "loaded"}),
            tables=frozenset({"gift_cards", "payments", "refunds"}),
        ),
        Invariant(
            "loaded_in_bounds",
            "A bought card holds 10 to 500 dollars, store credit starts from nothing.",
            gift_cards_loaded_in_bounds,
            columns=frozenset({"loaded", "payment_method_id"}),
            tables=frozenset(),
        ),
        Invariant(
            "expiry_after_issue",
            ("A gift card is not issued in the future, and does not expire before it is issued."),
            gift_cards_expiry_after_issue,
            columns=frozenset({"expires_on", "issued_on"}),
            tables=frozenset(),
        ),
        Invariant(
            "replaces_a_blocked_card",
            (
                "A card that replaces another, and no other, takes over money, from a "
                "blocked card of the same owner."
            ),
            gift_cards_replaces_a_blocked_card,
            columns=frozenset({"carried_over", "customer_id", "replaces_card_id"}),
            tables=frozenset({"gift_cards"}),
        ),
    ),
    "shipments": (
        Invariant(
            "delivered_says_when",
            "A delivered parcel, and no other, says when it arrived.",
            shipments_delivered_says_when,
            columns=frozenset({"delivered_at", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "parcel_holds_shipped_lines",
            (
                "A parcel holds lines of its order that count as shipped; those of a lost "
                "one may be cancelled."
            ),
            shipments_parcel_holds_shipped_lines,
            columns=frozenset({"line_numbers", "order_id", "status"}),
            tables=frozenset({"orders"}),
        ),
        Invariant(
            "parcel_names_its_items",
            "A parcel names the item of each of its lines.",
            shipments_parcel_names_its_items,
            columns=frozenset({"items", "line_numbers", "order_id"}),
            tables=frozenset({"orders"}),
        ),
        Invariant(
            "parcel_times_in_order",
            (
                "A parcel leaves after its order is placed and arrives after it leaves, "
                "and neither in the future."
            ),
            shipments_parcel_times_in_order,
            columns=frozenset({"delivered_at", "order_id", "shipped_at"}),
            tables=frozenset({"orders"}),
        ),
        Invariant(
            "promised_after_leaving",
            "A parcel is promised for the day it leaves or a later one.",
            shipments_promised_after_leaving,
            columns=frozenset({"promised_on", "shipped_at"}),
            tables=frozenset(),
        ),
    ),
    "returns": (
        Invariant(
            "return_is_the_customers",
            (
                "A return is of an order of its own customer, and of an open account until "
                "it is finished."
            ),
            returns_return_is_the_customers,
            columns=frozenset({"customer_id", "order_id", "status"}),
            tables=frozenset({"customers", "orders"}),
        ),
        Invariant(
            "refund_adds_up",
            (
                "The refund is at most the lines less the fee, and is what was paid back "
                "for this return."
            ),
            returns_refund_adds_up,
            columns=frozenset({"fee", "lines", "refund_amount", "return_id"}),
            tables=frozenset({"refunds"}),
        ),
        Invariant(
            "lines_name_their_items",
            "A line of a return names the item of the order line it is of.",
            returns_lines_name_their_items,
            columns=frozenset({"lines", "order_id"}),
            tables=frozenset({"orders"}),
        ),
        Invariant(
            "lines_fit_status",
            (
                "Lines are distinct by condition, of at least one unit, and inspected when "
                "the return is."
            ),
            returns_lines_fit_status,
            columns=frozenset({"lines", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "times_fit_status",
            (
                "A return past the door says when it was received, a finished one when it "
                "was closed."
            ),
            returns_times_fit_status,
            columns=frozenset({"closed_at", "received_at", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "return_times_in_order",
            (
                "A return is asked for, received and closed in that order, and nothing of "
                "it in the future."
            ),
            returns_return_times_in_order,
            columns=frozenset({"closed_at", "received_at", "requested_at"}),
            tables=frozenset(),
        ),
    ),
    "exchanges": (
        Invariant(
            "exchange_stays_with_the_product",
            (
                "An exchange is of an order of its customer, for another variant of the "
                "same product."
            ),
            exchanges_exchange_stays_with_the_product,
            columns=frozenset(
                {"customer_id", "line_number", "new_variant_id", "order_id", "quantity"}
            ),
            tables=frozenset({"orders", "variants"}),
        ),
        Invariant(
            "items_are_named",
            ("An exchange names the item of its order line, and a new one of another kind."),
            exchanges_items_are_named,
            columns=frozenset({"item", "line_number", "new_item", "order_id"}),
            tables=frozenset({"orders"}),
        ),
        Invariant(
            "difference_is_of_the_list_prices",
            ("The difference is that of the prices, or less is paid back if less was paid."),
            exchanges_difference_is_of_the_list_prices,
            columns=frozenset({"difference", "line_number", "order_id", "quantity", "unit_price"}),
            tables=frozenset({"orders"}),
        ),
        Invariant(
            "difference_can_be_charged",
            "A difference above zero, and no other, has a payment method.",
            exchanges_difference_can_be_charged,
            columns=frozenset({"difference", "payment_method_id"}),
            tables=frozenset(),
        ),
        Invariant(
            "closing_fits_status",
            (
                "A completed exchange says how the old units came back and which line the "
                "new ones are, a finished one when."
            ),
            exchanges_closing_fits_status,
            columns=frozenset({"closed_at", "condition", "new_line_number", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "new_units_are_a_line",
            (
                "The new units of a completed exchange are a line of the order that "
                "replaces the old one."
            ),
            exchanges_new_units_are_a_line,
            columns=frozenset(
                {"line_number", "new_line_number", "new_variant_id", "order_id", "quantity"}
            ),
            tables=frozenset({"orders"}),
        ),
        Invariant(
            "requested_by_open_accounts",
            "An exchange under way is of an open account.",
            exchanges_requested_by_open_accounts,
            columns=frozenset({"customer_id", "status"}),
            tables=frozenset({"customers"}),
        ),
        Invariant(
            "exchange_times_in_order",
            "An exchange is asked for before it is closed, and neither in the future.",
            exchanges_exchange_times_in_order,
            columns=frozenset({"closed_at", "requested_at"}),
            tables=frozenset(),
        ),
    ),
    "reviews": (
        Invariant(
            "rating_in_bounds",
            "A rating is 1 to 5 stars.",
            reviews_rating_in_bounds,
            columns=frozenset({"rating"}),
            tables=frozenset(),
        ),
        Invariant(
            "review_names_its_product",
            "A review carries the name of its product.",
            reviews_review_names_its_product,
            columns=frozenset({"product_id", "product_name"}),
            tables=frozenset({"products"}),
        ),
        Invariant(
            "one_review_each",
            "A customer reviews a product once.",
            reviews_one_review_each,
            columns=frozenset({"customer_id", "product_id"}),
            tables=frozenset({"reviews"}),
        ),
        Invariant(
            "written_by_today",
            "No review is written in the future.",
            reviews_written_by_today,
            columns=frozenset({"written_on"}),
            tables=frozenset(),
        ),
    ),
    "cases": (
        Invariant(
            "resolved_says_when",
            "A resolved case, and no other, says when.",
            cases_resolved_says_when,
            columns=frozenset({"resolved_at", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "case_about_own_order",
            "A case is about an order of its own customer.",
            cases_case_about_own_order,
            columns=frozenset({"customer_id", "order_id"}),
            tables=frozenset({"orders"}),
        ),
        Invariant(
            "unresolved_for_open_accounts",
            "A case that is not resolved is of an open account.",
            cases_unresolved_for_open_accounts,
            columns=frozenset({"customer_id", "status"}),
            tables=frozenset({"customers"}),
        ),
        Invariant(
            "case_times_in_order",
            "A case is opened before it is resolved, and neither in the future.",
            cases_case_times_in_order,
            columns=frozenset({"opened_at", "resolved_at"}),
            tables=frozenset(),
        ),
    ),
    "case_messages": (
        Invariant(
            "message_within_case",
            ("A message says something, is not older than its case and not in the future."),
            case_messages_message_within_case,
            columns=frozenset({"case_id", "sent_at", "text"}),
            tables=frozenset({"cases"}),
        ),
    ),
}
