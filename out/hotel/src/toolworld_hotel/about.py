"""How the server introduces itself."""

NAME = "toolworld-hotel"
VERSION = "0.1.0"
TITLE = "Hotel group"
SUMMARY = (
    "A small group of city and seaside hotels, from a guest's first call to "
    "the last bill. Rooms and rates, guests and their loyalty points, "
    "reservations, stays, folios with charges and payments, housekeeping, "
    "maintenance, bookable services, vouchers, requests and complaints."
)
