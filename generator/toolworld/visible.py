"""Untrusted text, made safe to show in a terminal."""

from __future__ import annotations

import unicodedata

KEPT = "\n\t"
UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Categories of characters that move the cursor, change direction or show nothing."""


def visible(text: str) -> str:
    """Return a text with its control characters written out, as Python writes them."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(one) for one in text)


def _shown(one: str) -> str:
    if one in KEPT or unicodedata.category(one) not in UNSEEN:
        return one
    return one.encode("unicode_escape", "surrogatepass").decode("ascii")
