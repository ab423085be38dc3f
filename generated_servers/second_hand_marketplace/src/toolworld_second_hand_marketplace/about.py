"""How the server introduces itself."""

NAME = "toolworld-second-hand-marketplace"
VERSION = "0.1.0"
TITLE = "Second-hand marketplace"
SUMMARY = (
    "An online marketplace where private people sell used goods to each other: "
    "listings, offers, orders…"
)
