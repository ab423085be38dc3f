"""How the server introduces itself."""

NAME = "toolworld-library"
VERSION = "0.1.0"
TITLE = "Town library"
SUMMARY = "Members of a town library borrow, renew, return and reserve books, and owe small fines."
