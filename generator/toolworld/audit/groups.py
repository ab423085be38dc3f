"""Evidence divided into prompts of a bounded size."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from toolworld.llm.prompts import estimate

MOST_TOKENS = 4000
"""Of evidence in one prompt; questions and schema come on top."""
CUT = "\n... (cut)"

Text = Callable[[Sequence[str]], str]
"""The evidence about some names."""


def groups_of(names: Sequence[str], text: Text, most: int) -> list[list[str]]:
    """Return names in groups, each as many as fit into a prompt, and at most so many."""
    groups: list[list[str]] = []
    for name in names:
        fits = groups and len(groups[-1]) < most
        if fits and estimate(text([*groups[-1], name])) <= MOST_TOKENS:
            groups[-1].append(name)
        else:
            groups.append([name])
    return groups


def fitted(text: str) -> str:
    """Return text, cut to fit into a prompt."""
    if estimate(text) <= MOST_TOKENS:
        return text
    return text.encode()[: MOST_TOKENS * 4].decode("utf-8", "ignore") + CUT
