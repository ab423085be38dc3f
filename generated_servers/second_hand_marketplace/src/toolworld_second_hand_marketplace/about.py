"""How the server introduces itself."""

NAME = "toolworld-second-hand-marketplace"
VERSION = "0.1.0"
TITLE = "Second-hand marketplace"
SUMMARY = (
    "An online marketplace where private people sell used goods to each other: "
    "listings, offers, orders with payment held until the buyer has the item, "
    "parcels or pickup, payouts and reviews. An agent helps buyers and sellers "
    "with their trades and helps support and trust-and-safety staff with "
    "disputes, refunds, reports and sanctions."
)
