"""Rules for ``explained.yaml``: each explains suspects of tools there are, once.

Whether a suspect is there is for the search to say.
"""

from __future__ import annotations

from collections.abc import Collection

from toolworld.spec.drafts import SuspectExplanation
from toolworld.spec.findings import suggest
from toolworld.spec.reading import Notes


def lint_explained(
    tools: Collection[str], explained: tuple[SuspectExplanation, ...], notes: Notes
) -> None:
    """Check every explanation against the tools."""
    seen: set[tuple[str, tuple[str, ...], str]] = set()
    for number, one in enumerate(explained):
        for place, name in enumerate(one.tools):
            if name not in tools:
                notes.add(
                    (number, "tools", place), "unknown-tool",
                    f"There is no tool {name}.", suggest(name, tools, "There are"),
                )  # fmt: skip
        key = one.property, one.tools, one.about
        if key in seen:
            notes.add(
                (number,), "duplicate-name", "The same is explained twice.", "Drop one of them."
            )
        seen.add(key)
