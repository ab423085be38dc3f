"""How the server introduces itself."""

NAME = "toolworld-retail"
VERSION = "0.1.0"
TITLE = "Online shop"
SUMMARY = (
    "An online shop for outdoor and home goods. Customers fill carts, pay "
    "orders by card or gift card, get parcels, send things back or exchange "
    "them, review what they bought and write to support."
)
