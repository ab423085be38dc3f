"""Divides evidence into prompts of a bounded size."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from toolworld.llm.prompts import estimate

MOST_TOKENS = 4000
"""The most tokens of evidence in one prompt; the question and the schema come on top."""
CUT = "\n... (cut)"

Text = Callable[[Sequence[str]], str]
"""Returns the evidence about some names."""


def groups_of(names: Sequence[str], text: Text, most: int) -> list[list[str]]:
    """Return names in groups, each with ``most`` names at most and small enough for a prompt."""
    groups: list[list[str]] = []
    for name in names:
        fits = groups and len(groups[-1]) < most
        if fits and estimate(text([*groups[-1], name])) <= MOST_TOKENS:
            groups[-1].append(name)
        else:
            groups.append([name])
    return groups


def fitted(text: str) -> str:
    """Return a text, cut off where it no longer fits into a prompt."""
    if estimate(text) <= MOST_TOKENS:
        return text
    return text.encode()[: MOST_TOKENS * 4].decode("utf-8", "ignore") + CUT
