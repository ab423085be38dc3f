"""How the server introduces itself."""

NAME = "toolworld-hotel"
VERSION = "0.1.0"
TITLE = "Hotel group"
SUMMARY = (
    "A small group of city and seaside hotels: rooms and rates, guests and their loyalty points…"
)
