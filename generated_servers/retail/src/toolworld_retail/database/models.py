"""The rows, value objects and enums of Online shop, and its typed database."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ..values import Boolean, Date, Datetime, Integer, Key, Money, Number, Row, Text, Value
from . import store
from .schema import Reference, TableSchema
from .table import Table

CustomerStatus: TypeAlias = Literal["active", "closed"]
CustomerTier: TypeAlias = Literal["standard", "silver", "gold"]
PaymentMethodKind: TypeAlias = Literal["visa", "mastercard", "amex", "paypal"]
Category: TypeAlias = Literal[
    "footwear", "clothing", "camping", "cycling", "fitness", "kitchen", "home", "electronics"
]
ProductStatus: TypeAlias = Literal["active", "discontinued"]
PromotionKind: TypeAlias = Literal["percent", "amount", "free_shipping"]
CartStatus: TypeAlias = Literal["open", "checked_out", "abandoned"]
ShippingMethod: TypeAlias = Literal["standard", "express", "overnight"]
OrderStatus: TypeAlias = Literal[
    "pending", "paid", "part_shipped", "shipped", "delivered", "cancelled"
]
LineStatus: TypeAlias = Literal["open", "shipped", "cancelled"]
CancelReason: TypeAlias = Literal[
    "changed_mind",
    "ordered_by_mistake",
    "found_cheaper",
    "too_slow",
    "payment_trouble",
    "out_of_stock",
]
CancellationCause: TypeAlias = Literal[
    "changed_mind",
    "ordered_by_mistake",
    "found_cheaper",
    "too_slow",
    "payment_trouble",
    "out_of_stock",
    "lost_parcel",
]
PaymentStatus: TypeAlias = Literal["captured", "part_refunded", "refunded"]
RefundTarget: TypeAlias = Literal["original_payment", "gift_card"]
RefundReason: TypeAlias = Literal[
    "cancellation",
    "product_return",
    "exchange_difference",
    "late_delivery",
    "price_adjustment",
    "damaged_item",
    "goodwill",
]
AdjustmentReason: TypeAlias = Literal[
    "late_delivery", "price_adjustment", "damaged_item", "goodwill"
]
GiftCardStatus: TypeAlias = Literal["active", "blocked"]
Carrier: TypeAlias = Literal["ups", "fedex", "usps", "dhl"]
ShipmentStatus: TypeAlias = Literal["in_transit", "delivered", "lost"]
ReturnStatus: TypeAlias = Literal[
    "requested", "received", "inspected", "refunded", "refused", "cancelled"
]
ReturnReason: TypeAlias = Literal[
    "changed_mind",
    "wrong_size",
    "not_as_described",
    "defective",
    "wrong_item",
    "damaged_in_transit",
]
ItemCondition: TypeAlias = Literal["as_new", "opened", "worn", "broken", "missing"]
ExchangeStatus: TypeAlias = Literal["requested", "completed", "cancelled"]
CaseTopic: TypeAlias = Literal["delivery", "returns", "payment", "product", "account"]
CasePriority: TypeAlias = Literal["low", "normal", "high", "urgent"]
CaseStatus: TypeAlias = Literal["open", "waiting_for_customer", "resolved"]
MessageAuthor: TypeAlias = Literal["customer", "agent"]

CustomerId: TypeAlias = Key
PaymentMethodId: TypeAlias = Key
ProductId: TypeAlias = Key
VariantId: TypeAlias = Key
PromotionId: TypeAlias = Key
CartId: TypeAlias = Key
OrderId: TypeAlias = Key
PaymentId: TypeAlias = Key
RefundId: TypeAlias = Key
GiftCardId: TypeAlias = Key
ShipmentId: TypeAlias = Key
ProductReturnId: TypeAlias = Key
ExchangeId: TypeAlias = Key
ReviewId: TypeAlias = Key
SupportCaseId: TypeAlias = Key
CaseMessageId: TypeAlias = Key


class Address(Value):
    """A postal address in the United States.

    Attributes:
        label: What the customer calls it, such as "home"; one of a kind per customer.
        street: Street and number.
        city: City.
        state: Two-letter state, such as "OR".
        postcode: Five-digit ZIP code.
    """

    label: Text
    street: Text
    city: Text
    state: Text
    postcode: Text


class VariantOption(Value):
    """One choice that tells a variant from its siblings.

    Attributes:
        name: What is chosen, such as "color" or "size".
        value: The choice, such as "navy".
    """

    name: Text
    value: Text


class ShippingOption(Value):
    """One way to send an order.

    Attributes:
        method: The shipping method.
        fee: What it costs, if it is not free. In USD.
        days: Days until the parcel should arrive. In days.
    """

    method: ShippingMethod
    fee: Money
    days: Integer


class ShopInfo(Value):
    """What holds for the whole shop today.

    Attributes:
        today: Today's date in the shop.
        weekday: The day of the week, such as "Monday".
        opening_hours: When customer service can be reached.
        shipping: The shipping methods, slowest first.
        free_shipping_from: Worth of the goods, after discount, from which standard shipping is
            free. In USD.
        return_fee: Taken off the refund of a return, unless the shop is at fault or the customer is
            gold. In USD.
    """

    today: Date
    weekday: Text
    opening_hours: Text
    shipping: tuple[ShippingOption, ...]
    free_shipping_from: Money
    return_fee: Money


class CartLine(Value):
    """One variant in a cart.

    Attributes:
        variant_id: The variant.
        item: The product and its options in words.
        quantity: How many, 1 to 20.
    """

    variant_id: VariantId
    item: Text
    quantity: Integer


class OrderLine(Value):
    """One variant in an order, at the price agreed.

    Attributes:
        line_number: Its place in the order, from 1.
        variant_id: The variant bought.
        item: The product and its options in words.
        quantity: Units bought.
        unit_price: Price of one unit when ordered. In USD.
        discount: The line's share of the promotion. In USD.
        status: Where the line stands.
        returned: Units in a return that is under way or accepted.
        exchanged: Units in an exchange that is under way or completed.
        replaces: The line whose units were exchanged for these; none for what was ordered.
    """

    line_number: Integer
    variant_id: VariantId
    item: Text
    quantity: Integer
    unit_price: Money
    discount: Money
    status: LineStatus
    returned: Integer
    exchanged: Integer
    replaces: Integer | None = None


class ReturnItem(Value):
    """What a customer wants to send back from one order line.

    Attributes:
        line_number: The order line.
        quantity: Units, at least 1.
        reason: Why.
    """

    line_number: Integer
    quantity: Integer
    reason: ReturnReason


class ReturnLine(Value):
    """One order line within a return.

    Attributes:
        line_number: The order line.
        item: The product and its options in words.
        quantity: Units sent back.
        reason: Why.
        condition: What the inspection found.
        accepted: Whether the inspection accepted it.
        refund: What is paid back for it before the return fee. In USD.
    """

    line_number: Integer
    item: Text
    quantity: Integer
    reason: ReturnReason
    condition: ItemCondition | None = None
    accepted: Boolean | None = None
    refund: Money


class Finding(Value):
    """What the inspection found on one line of a return, or on some units of it.

    Attributes:
        line_number: The order line.
        condition: How it came back.
        units: How many came so, if not all; at least 1.
    """

    line_number: Integer
    condition: ItemCondition
    units: Integer | None = None


class QuoteLine(Value):
    """One priced line of a cart.

    Attributes:
        variant_id: The variant.
        item: The product and its options in words.
        quantity: Units.
        unit_price: Price of one unit now. In USD.
        discount: The line's share of the promotion. In USD.
        in_stock: Whether that many can be delivered now.
    """

    variant_id: VariantId
    item: Text
    quantity: Integer
    unit_price: Money
    discount: Money
    in_stock: Boolean


class CartQuote(Value):
    """What a cart would cost if checked out now.

    Attributes:
        cart_id: The cart.
        promotion_code: The promotion on the cart.
        lines: The priced lines.
        subtotal: Sum of the lines before the discount. In USD.
        discount: What the promotion takes off. In USD.
        shipping_method: The shipping method quoted.
        shipping_fee: Shipping. In USD.
        total: Subtotal less discount plus shipping. In USD.
    """

    cart_id: CartId
    promotion_code: Text | None = None
    lines: tuple[QuoteLine, ...]
    subtotal: Money
    discount: Money
    shipping_method: ShippingMethod
    shipping_fee: Money
    total: Money


class PaidPart(Value):
    """One payment of an order and what is left of it.

    Attributes:
        payment_id: The payment.
        paid_with: What it was paid with in words, such as "visa ending in 4242".
        payment_method_id: The saved method it was paid with.
        gift_card_id: The gift card it was paid with.
        amount: Amount paid. In USD.
        refunded: Amount paid back. In USD.
    """

    payment_id: PaymentId
    paid_with: Text
    payment_method_id: PaymentMethodId | None = None
    gift_card_id: GiftCardId | None = None
    amount: Money
    refunded: Money


class RefundPart(Value):
    """One refund of an order.

    Attributes:
        payment_id: The payment it took back from.
        line_number: The line it was paid for; none for a return, an exchange, a late parcel or an
            order cancelled as a whole.
        gift_card_id: The gift card it was put on; none when it went to the saved method.
        amount: Amount paid back. In USD.
        reason: Why.
        refunded_on: When.
    """

    payment_id: PaymentId
    line_number: Integer | None = None
    gift_card_id: GiftCardId | None = None
    amount: Money
    reason: RefundReason
    refunded_on: Date


class OrderSummary(Value):
    """The money and the progress of an order at a glance.

    Attributes:
        order_id: The order.
        status: Where it stands.
        units: Units bought in lines that are not cancelled; exchanges add none.
        total: The order's total. In USD.
        paid: All payments together. In USD.
        refunded: All refunds together. In USD.
        due: What is still to be paid. In USD.
        promotion_code: The promotion used.
        payments: The payments, in id order.
        refunds: The refunds, in id order.
        delivered_on: When the last parcel arrived.
        open_returns: Returns under way.
        open_exchanges: Exchanges under way.
    """

    order_id: OrderId
    status: OrderStatus
    units: Integer
    total: Money
    paid: Money
    refunded: Money
    due: Money
    promotion_code: Text | None = None
    payments: tuple[PaidPart, ...]
    refunds: tuple[RefundPart, ...]
    delivered_on: Date | None = None
    open_returns: Integer
    open_exchanges: Integer


class SpendingSummary(Value):
    """What a customer bought over a time.

    Attributes:
        customer_id: The customer.
        orders: Orders that were not cancelled.
        cancelled_orders: Orders that were cancelled.
        units: Units bought in lines that are not cancelled; exchanges add none.
        paid: All payments for those orders. In USD.
        refunded: All refunds for those orders. In USD.
        net: Paid less refunded. In USD.
    """

    customer_id: CustomerId
    orders: Integer
    cancelled_orders: Integer
    units: Integer
    paid: Money
    refunded: Money
    net: Money


class ReturnQuote(Value):
    """What sending back part of an order line would bring.

    Attributes:
        order_id: The order.
        line_number: The order line.
        item: The product and its options in words.
        quantity: Units.
        last_day: The last day to ask for the return.
        refund: Paid for these units and not paid back yet. In USD.
        fee: The return fee taken off, one for a whole return. In USD.
        net: Refund less fee, if it comes back as new. In USD.
    """

    order_id: OrderId
    line_number: Integer
    item: Text
    quantity: Integer
    last_day: Date
    refund: Money
    fee: Money
    net: Money


class ExchangeQuote(Value):
    """What swapping part of an order line would cost.

    Attributes:
        order_id: The order.
        line_number: The order line.
        item: What would be sent back in words.
        new_variant_id: What the customer would get instead.
        new_item: What the customer would get instead in words.
        quantity: Units.
        last_day: The last day to ask for the exchange.
        difference: Above zero is charged, below is refunded. In USD.
    """

    order_id: OrderId
    line_number: Integer
    item: Text
    new_variant_id: VariantId
    new_item: Text
    quantity: Integer
    last_day: Date
    difference: Money


class RatingSummary(Value):
    """How customers rate a product.

    Attributes:
        product_id: The product.
        name: The product's name.
        reviews: How many reviews.
        average: Mean rating to two decimals, 1 to 5.
        five_star: Reviews with five stars.
        one_star: Reviews with one star.
    """

    product_id: ProductId
    name: Text
    reviews: Integer
    average: Number | None = None
    five_star: Integer
    one_star: Integer


class Customer(Row):
    """A person with an account.

    Attributes:
        customer_id: The customer.
        first_name: First name.
        last_name: Last name.
        email: E-mail address, in lower case.
        phone: Telephone number.
        tier: Loyalty tier.
        status: Whether the account is open.
        addresses: Saved addresses, 1 to 8.
        default_address: The label of the address used unless another is named.
        marketing_opt_in: Whether the customer wants the newsletter.
        joined_on: When the account was opened.
    """

    customer_id: CustomerId
    first_name: Text
    last_name: Text
    email: Text
    phone: Text
    tier: CustomerTier
    status: CustomerStatus
    addresses: tuple[Address, ...]
    default_address: Text
    marketing_opt_in: Boolean
    joined_on: Date


class PaymentMethod(Row):
    """A card or PayPal account that a customer has saved.

    Attributes:
        payment_method_id: The payment method.
        customer_id: Whose it is.
        kind: Card brand or PayPal.
        last_four: The card's last four digits; none for PayPal.
        expires_on: The card's last valid day; none for PayPal.
        added_on: When it was saved.
    """

    payment_method_id: PaymentMethodId
    customer_id: CustomerId
    kind: PaymentMethodKind
    last_four: Text | None = None
    expires_on: Date | None = None
    added_on: Date


class Product(Row):
    """Something the shop sells, in one or more variants.

    Attributes:
        product_id: The product.
        name: Its name in the shop.
        brand: Who makes it.
        category: Its department.
        description: What it is.
        status: Whether it is sold.
        return_days: Days after delivery to send it back; 0 is a final sale. In days.
        released_on: Since when it is sold.
    """

    product_id: ProductId
    name: Text
    brand: Text
    category: Category
    description: Text
    status: ProductStatus
    return_days: Integer
    released_on: Date


class Variant(Row):
    """A product in one choice of options, with its own price and stock.

    Attributes:
        variant_id: The variant.
        product_id: The product.
        sku: The stock-keeping code on the label.
        options: What tells it from its siblings.
        price: Price of one unit, sales tax included. In USD.
        stock: Units free to sell; those in unshipped orders are already taken off.
        priced_on: The day its price was last changed.
        price_before: Its price at the start of that day. In USD.
    """

    variant_id: VariantId
    product_id: ProductId
    sku: Text
    options: tuple[VariantOption, ...]
    price: Money
    stock: Integer
    priced_on: Date | None = None
    price_before: Money | None = None


class Promotion(Row):
    """A code that takes something off a cart.

    Attributes:
        promotion_id: The promotion.
        code: The code customers type, in capitals, such as "SPRING10".
        title: What it offers.
        kind: What it takes off.
        percent: Taken off the lines, 1 to 80; only for percent. In percent.
        amount: Taken off the lines; only for amount. In USD.
        minimum_spend: What the lines it covers must be worth. In USD.
        category: The only department it covers; none for all.
        starts_on: First day.
        ends_on: Last day.
        max_uses: How many orders may use it; none for no limit.
        uses: Orders that use it and are not cancelled.
        once_per_customer: Whether a customer may use it on one order only.
    """

    promotion_id: PromotionId
    code: Text
    title: Text
    kind: PromotionKind
    percent: Integer | None = None
    amount: Money | None = None
    minimum_spend: Money
    category: Category | None = None
    starts_on: Date
    ends_on: Date
    max_uses: Integer | None = None
    uses: Integer
    once_per_customer: Boolean


class Cart(Row):
    """What a customer means to buy; one open cart per customer.

    Attributes:
        cart_id: The cart.
        customer_id: Whose it is.
        status: Where it stands.
        lines: What is in it, each variant once.
        promotion_id: The promotion put on it.
        order_id: The order it became.
        created_at: When it was begun.
        updated_at: When it last changed.
    """

    cart_id: CartId
    customer_id: CustomerId
    status: CartStatus
    lines: tuple[CartLine, ...]
    promotion_id: PromotionId | None = None
    order_id: OrderId | None = None
    created_at: Datetime
    updated_at: Datetime


class Order(Row):
    """What a customer bought.

    Its id is the order number on the confirmation.

    Attributes:
        order_id: The order number, as on the confirmation.
        customer_id: Who ordered.
        status: Where it stands.
        lines: What was bought, in line order.
        subtotal: Sum of the lines, without those cancelled or lost while others stayed. In USD.
        discount: What the promotion took off those lines. In USD.
        shipping_method: How it travels.
        shipping_fee: Shipping. In USD.
        total: Subtotal less discount plus shipping. In USD.
        ship_to: Where it goes.
        promotion_id: The promotion used.
        placed_at: When it was placed.
        cancelled_at: When it was cancelled.
        cancel_reason: Why it was cancelled.
    """

    order_id: OrderId
    customer_id: CustomerId
    status: OrderStatus
    lines: tuple[OrderLine, ...]
    subtotal: Money
    discount: Money
    shipping_method: ShippingMethod
    shipping_fee: Money
    total: Money
    ship_to: Address
    promotion_id: PromotionId | None = None
    placed_at: Datetime
    cancelled_at: Datetime | None = None
    cancel_reason: CancellationCause | None = None


class Payment(Row):
    """Money taken for an order.

    Attributes:
        payment_id: The payment.
        order_id: The order it is for.
        payment_method_id: The saved method used.
        gift_card_id: The gift card used.
        amount: Amount taken. In USD.
        refunded: Amount paid back so far. In USD.
        status: How much has gone back.
        paid_at: When it was taken.
    """

    payment_id: PaymentId
    order_id: OrderId
    payment_method_id: PaymentMethodId | None = None
    gift_card_id: GiftCardId | None = None
    amount: Money
    refunded: Money
    status: PaymentStatus
    paid_at: Datetime


class Refund(Row):
    """Money paid back from one payment.

    Attributes:
        refund_id: The refund.
        order_id: The order.
        payment_id: The payment it takes back from.
        line_number: The line it was paid for, or the one that came for its units in an exchange;
            none for a return, an exchange, a late parcel or an order cancelled as a whole.
        return_id: The return it pays for.
        gift_card_id: The gift card it was put on; none when it went to the saved method.
        amount: Amount. In USD.
        taken_off: How much of it was taken off what its line brought later. In USD.
        reason: Why.
        refunded_at: When.
    """

    refund_id: RefundId
    order_id: OrderId
    payment_id: PaymentId
    line_number: Integer | None = None
    return_id: ProductReturnId | None = None
    gift_card_id: GiftCardId | None = None
    amount: Money
    taken_off: Money
    reason: RefundReason
    refunded_at: Datetime


class GiftCard(Row):
    """A prepaid card or store credit.

    Its id is the number printed on it.

    Attributes:
        gift_card_id: The number on the card.
        customer_id: Who bought it or got it as credit.
        status: Whether it may be used.
        loaded: What was paid for it; 0 for store credit and replacements. In USD.
        carried_over: What was moved to it from the card it replaces. In USD.
        balance: What is left on it. In USD.
        replaces_card_id: The blocked card it replaces.
        payment_method_id: What it was bought with; none for store credit and replacements.
        issued_on: When it was issued.
        expires_on: Its last valid day.
    """

    gift_card_id: GiftCardId
    customer_id: CustomerId
    status: GiftCardStatus
    loaded: Money
    carried_over: Money
    balance: Money
    replaces_card_id: GiftCardId | None = None
    payment_method_id: PaymentMethodId | None = None
    issued_on: Date
    expires_on: Date


class Shipment(Row):
    """A parcel with one or more lines of an order.

    Attributes:
        shipment_id: The shipment.
        order_id: The order.
        carrier: Who carries it.
        tracking_number: The carrier's tracking number, in capitals.
        status: Where it stands.
        line_numbers: The order lines in it.
        items: What is in it in words, one for each line.
        shipped_at: When it left.
        promised_on: The day it should arrive by.
        delivered_at: When it arrived.
    """

    shipment_id: ShipmentId
    order_id: OrderId
    carrier: Carrier
    tracking_number: Text
    status: ShipmentStatus
    line_numbers: tuple[Integer, ...]
    items: tuple[Text, ...]
    shipped_at: Datetime
    promised_on: Date
    delivered_at: Datetime | None = None


class ProductReturn(Row):
    """Items of one order on their way back.

    Its id is the number on the return label.

    Attributes:
        return_id: The return number, as on the return label.
        order_id: The order.
        customer_id: Who sends it back.
        status: Where it stands.
        lines: What comes back.
        refund_to: Where the money goes.
        fee: The return fee taken off. In USD.
        refund_amount: What was paid back in all. In USD.
        requested_at: When it was asked for.
        received_at: When it reached the warehouse.
        closed_at: When it was refunded, refused or cancelled.
    """

    return_id: ProductReturnId
    order_id: OrderId
    customer_id: CustomerId
    status: ReturnStatus
    lines: tuple[ReturnLine, ...]
    refund_to: RefundTarget
    fee: Money
    refund_amount: Money
    requested_at: Datetime
    received_at: Datetime | None = None
    closed_at: Datetime | None = None


class Exchange(Row):
    """Units of an order line swapped for another variant of the same product.

    Attributes:
        exchange_id: The exchange.
        order_id: The order.
        customer_id: Who exchanges.
        line_number: The order line.
        quantity: Units swapped.
        item: What the customer sends back in words.
        new_variant_id: What the customer gets instead.
        new_item: What the customer gets instead in words.
        unit_price: Price of one new unit: that on the order line, with what the new one costs more
            or less. In USD.
        difference: What the new ones cost more than the old ones; above zero is charged, below is
            refunded. In USD.
        payment_method_id: What pays a difference above zero.
        status: Where it stands.
        condition: How the old units came back, of several the worst.
        new_line_number: The order line of the new units, once they are sent.
        requested_at: When it was asked for.
        closed_at: When it was completed or cancelled.
    """

    exchange_id: ExchangeId
    order_id: OrderId
    customer_id: CustomerId
    line_number: Integer
    quantity: Integer
    item: Text
    new_variant_id: VariantId
    new_item: Text
    unit_price: Money
    difference: Money
    payment_method_id: PaymentMethodId | None = None
    status: ExchangeStatus
    condition: ItemCondition | None = None
    new_line_number: Integer | None = None
    requested_at: Datetime
    closed_at: Datetime | None = None


class Review(Row):
    """What a customer says of a product they bought.

    Attributes:
        review_id: The review.
        product_id: The product.
        product_name: The product's name.
        customer_id: Who wrote it.
        rating: Stars, 1 to 5. In stars.
        title: Its headline.
        body: The review.
        written_on: When it was written.
    """

    review_id: ReviewId
    product_id: ProductId
    product_name: Text
    customer_id: CustomerId
    rating: Integer
    title: Text
    body: Text
    written_on: Date


class SupportCase(Row):
    """A customer's question or complaint until it is resolved.

    Attributes:
        case_id: The case number.
        customer_id: Who asks.
        order_id: The order it is about.
        topic: What it is about.
        priority: How soon it needs an answer.
        status: Where it stands.
        subject: What it is about in a line.
        opened_at: When it was opened.
        resolved_at: When it was resolved.
    """

    case_id: SupportCaseId
    customer_id: CustomerId
    order_id: OrderId | None = None
    topic: CaseTopic
    priority: CasePriority
    status: CaseStatus
    subject: Text
    opened_at: Datetime
    resolved_at: Datetime | None = None


class CaseMessage(Row):
    """One message of a support case.

    Attributes:
        message_id: The message.
        case_id: The case.
        author: Who wrote it.
        text: What it says.
        sent_at: When it was sent.
    """

    message_id: CaseMessageId
    case_id: SupportCaseId
    author: MessageAuthor
    text: Text
    sent_at: Datetime


SCHEMAS: dict[str, TableSchema] = {
    "customers": TableSchema(
        name="customers",
        row=Customer,
        key="customer_id",
        noun="customer",
        prefix="CUS",
        unique=("email",),
        policies={"customer_id": "exempt"},
    ),
    "payment_methods": TableSchema(
        name="payment_methods",
        row=PaymentMethod,
        key="payment_method_id",
        noun="payment method",
        prefix="PMT",
        references=(Reference(("customer_id",), "customers"),),
        policies={"payment_method_id": "exempt"},
    ),
    "products": TableSchema(
        name="products",
        row=Product,
        key="product_id",
        noun="product",
        prefix="PRD",
        policies={"product_id": "exempt", "description": "semantic"},
    ),
    "variants": TableSchema(
        name="variants",
        row=Variant,
        key="variant_id",
        noun="variant",
        prefix="VAR",
        unique=("sku",),
        references=(Reference(("product_id",), "products"),),
        policies={"variant_id": "exempt"},
    ),
    "promotions": TableSchema(
        name="promotions",
        row=Promotion,
        key="promotion_id",
        noun="promotion",
        prefix="PRO",
        unique=("code",),
        policies={"promotion_id": "exempt", "title": "semantic"},
    ),
    "carts": TableSchema(
        name="carts",
        row=Cart,
        key="cart_id",
        noun="cart",
        prefix="CRT",
        references=(
            Reference(("customer_id",), "customers"),
            Reference(("lines", "variant_id"), "variants"),
            Reference(("promotion_id",), "promotions"),
            Reference(("order_id",), "orders"),
        ),
        policies={"cart_id": "exempt"},
    ),
    "orders": TableSchema(
        name="orders",
        row=Order,
        key="order_id",
        noun="order",
        prefix="ORD",
        references=(
            Reference(("customer_id",), "customers"),
            Reference(("lines", "variant_id"), "variants"),
            Reference(("promotion_id",), "promotions"),
        ),
        policies={"order_id": "exempt"},
    ),
    "payments": TableSchema(
        name="payments",
        row=Payment,
        key="payment_id",
        noun="payment",
        prefix="PAY",
        references=(
            Reference(("order_id",), "orders"),
            Reference(("payment_method_id",), "payment_methods"),
            Reference(("gift_card_id",), "gift_cards"),
        ),
        policies={"payment_id": "exempt"},
    ),
    "refunds": TableSchema(
        name="refunds",
        row=Refund,
        key="refund_id",
        noun="refund",
        prefix="RFD",
        references=(
            Reference(("order_id",), "orders"),
            Reference(("payment_id",), "payments"),
            Reference(("return_id",), "returns"),
            Reference(("gift_card_id",), "gift_cards"),
        ),
        policies={"refund_id": "exempt"},
    ),
    "gift_cards": TableSchema(
        name="gift_cards",
        row=GiftCard,
        key="gift_card_id",
        noun="gift card",
        prefix="GFT",
        references=(
            Reference(("customer_id",), "customers"),
            Reference(("replaces_card_id",), "gift_cards"),
            Reference(("payment_method_id",), "payment_methods"),
        ),
        policies={"gift_card_id": "exempt"},
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
    "returns": TableSchema(
        name="returns",
        row=ProductReturn,
        key="return_id",
        noun="product return",
        prefix="RET",
        references=(
            Reference(("order_id",), "orders"),
            Reference(("customer_id",), "customers"),
        ),
        policies={"return_id": "exempt"},
    ),
    "exchanges": TableSchema(
        name="exchanges",
        row=Exchange,
        key="exchange_id",
        noun="exchange",
        prefix="EXC",
        references=(
            Reference(("order_id",), "orders"),
            Reference(("customer_id",), "customers"),
            Reference(("new_variant_id",), "variants"),
            Reference(("payment_method_id",), "payment_methods"),
        ),
        policies={"exchange_id": "exempt"},
    ),
    "reviews": TableSchema(
        name="reviews",
        row=Review,
        key="review_id",
        noun="review",
        prefix="REV",
        references=(
            Reference(("product_id",), "products"),
            Reference(("customer_id",), "customers"),
        ),
        policies={"review_id": "exempt", "title": "semantic", "body": "semantic"},
    ),
    "cases": TableSchema(
        name="cases",
        row=SupportCase,
        key="case_id",
        noun="support case",
        prefix="CAS",
        references=(
            Reference(("customer_id",), "customers"),
            Reference(("order_id",), "orders"),
        ),
        policies={"case_id": "exempt", "subject": "exempt"},
    ),
    "case_messages": TableSchema(
        name="case_messages",
        row=CaseMessage,
        key="message_id",
        noun="case message",
        prefix="MSG",
        references=(Reference(("case_id",), "cases"),),
        policies={"message_id": "exempt", "text": "semantic"},
    ),
}


class Database(store.Database):
    """The tables of Online shop."""

    customers: Table[Customer]
    payment_methods: Table[PaymentMethod]
    products: Table[Product]
    variants: Table[Variant]
    promotions: Table[Promotion]
    carts: Table[Cart]
    orders: Table[Order]
    payments: Table[Payment]
    refunds: Table[Refund]
    gift_cards: Table[GiftCard]
    shipments: Table[Shipment]
    returns: Table[ProductReturn]
    exchanges: Table[Exchange]
    reviews: Table[Review]
    cases: Table[SupportCase]
    case_messages: Table[CaseMessage]
