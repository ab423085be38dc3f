"""The shop itself: its date, its opening hours and its fees."""

from __future__ import annotations

from ..database.models import Database, ShippingMethod, ShippingOption, ShopInfo
from .carts import FREE_SHIPPING_FROM, SHIPPING_FEES
from .parcels import SHIPPING_DAYS
from .returns import RETURN_FEE

SHIPPING_METHODS: list[ShippingMethod] = ["standard", "express", "overnight"]
OPENING_HOURS = "Monday to Friday 8:00 to 20:00, Saturday 9:00 to 17:00, closed on Sunday"


def get_shop_info(db: Database) -> ShopInfo:
    """Tell today's date, the opening hours of customer service, and what shipping costs."""
    return ShopInfo(
        today=db.today(),
        weekday=db.today().strftime("%A"),
        opening_hours=OPENING_HOURS,
        shipping=tuple(
            ShippingOption(method=method, fee=SHIPPING_FEES[method], days=SHIPPING_DAYS[method])
            for method in SHIPPING_METHODS
        ),
        free_shipping_from=FREE_SHIPPING_FROM,
        return_fee=RETURN_FEE,
    )
