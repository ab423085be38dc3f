"""The tools of Online shop: what an agent can do, one function each.

Each runs in a transaction over the database it is given: on any error nothing is changed.
"""

from .adjustments import refund_order
from .cancellations import (
    cancel_order,
    cancel_order_line,
    change_shipping_address,
    refund_lost_shipment,
)
from .carts import add_to_cart, apply_promotion, get_cart, quote_cart, set_cart_quantity
from .cases import get_case, list_case_messages, list_cases, open_case, reply_to_case, resolve_case
from .catalogue import (
    find_variant_by_sku,
    get_product,
    get_variant,
    list_product_variants,
    restock_variant,
    search_products,
    set_variant_price,
)
from .checkout import check_out_cart
from .closing import close_customer_account
from .customers import (
    create_customer,
    find_customer_by_email,
    find_customer_by_name,
    get_customer,
    save_customer_address,
    update_customer_contact,
)
from .exchanges import (
    cancel_exchange,
    complete_exchange,
    get_exchange,
    list_exchanges,
    quote_exchange,
    request_exchange,
)
from .gift_cards import (
    block_gift_card,
    get_gift_card,
    issue_gift_card,
    list_gift_cards,
    replace_gift_card,
)
from .inspections import inspect_return, receive_return, refund_return
from .orders import (
    get_order,
    list_customer_orders,
    search_orders,
    summarize_order,
    summarize_spending,
)
from .parcels import (
    list_order_shipments,
    record_delivery,
    replace_lost_shipment,
    ship_order,
    track_shipment,
)
from .payment_methods import add_payment_method, list_payment_methods
from .payments import pay_order, pay_order_with_gift_card
from .promotions import create_promotion, get_promotion, list_promotions
from .returns import cancel_return, get_return, list_returns, quote_return, request_return
from .reviews import (
    delete_review,
    list_customer_reviews,
    list_product_reviews,
    summarize_product_rating,
    write_review,
)
from .shop import get_shop_info

__all__ = [
    "refund_order",
    "cancel_order",
    "cancel_order_line",
    "refund_lost_shipment",
    "change_shipping_address",
    "get_cart",
    "quote_cart",
    "add_to_cart",
    "set_cart_quantity",
    "apply_promotion",
    "open_case",
    "get_case",
    "list_cases",
    "list_case_messages",
    "reply_to_case",
    "resolve_case",
    "search_products",
    "get_product",
    "list_product_variants",
    "find_variant_by_sku",
    "get_variant",
    "set_variant_price",
    "restock_variant",
    "check_out_cart",
    "close_customer_account",
    "find_customer_by_email",
    "find_customer_by_name",
    "get_customer",
    "create_customer",
    "update_customer_contact",
    "save_customer_address",
    "quote_exchange",
    "request_exchange",
    "get_exchange",
    "list_exchanges",
    "complete_exchange",
    "cancel_exchange",
    "get_gift_card",
    "list_gift_cards",
    "issue_gift_card",
    "replace_gift_card",
    "block_gift_card",
    "receive_return",
    "inspect_return",
    "refund_return",
    "get_order",
    "list_customer_orders",
    "search_orders",
    "summarize_order",
    "summarize_spending",
    "ship_order",
    "track_shipment",
    "list_order_shipments",
    "record_delivery",
    "replace_lost_shipment",
    "list_payment_methods",
    "add_payment_method",
    "pay_order",
    "pay_order_with_gift_card",
    "get_promotion",
    "list_promotions",
    "create_promotion",
    "quote_return",
    "request_return",
    "get_return",
    "list_returns",
    "cancel_return",
    "list_product_reviews",
    "list_customer_reviews",
    "summarize_product_rating",
    "write_review",
    "delete_review",
    "get_shop_info",
]
