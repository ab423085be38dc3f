"""Rules for ``survivors.yaml``: each explains mutants of code there is, once.

Whether the mutants are there, and survive, is for a proof to say.
"""

from __future__ import annotations

from collections.abc import Collection

from toolworld.spec.drafts import Explanation
from toolworld.spec.findings import suggest
from toolworld.spec.reading import Notes


def lint_survivors(
    names: Collection[str], survivors: tuple[Explanation, ...], notes: Notes
) -> None:
    """Check every explanation against the functions and constants of the tools."""
    seen: set[tuple[str, str, str]] = set()
    for number, one in enumerate(survivors):
        if one.function not in names:
            notes.add(
                (number, "function"), "unknown-function",
                f"The tools have no function or constant {one.function}.",
                suggest(one.function, names, "They have"),
            )  # fmt: skip
        if one.mutant in seen:
            notes.add(
                (number,), "duplicate-name", f"The mutant {one.change} is explained twice.",
                "Drop one of them: an explanation holds for every such mutant of the line.",
            )  # fmt: skip
        seen.add(one.mutant)
