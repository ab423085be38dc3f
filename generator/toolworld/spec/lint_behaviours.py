"""Rules for the behaviours of a scenario's person: a corrected fact must be stated before."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable

from toolworld.spec.findings import suggest
from toolworld.spec.reading import Notes
from toolworld.spec.scenarios import ScenarioWords
from toolworld.spec.tree_walk import walk
from toolworld.spec.yamltext import Path

NAMED = frozenset({"insists", "impatient", "off_topic"})
DESCRIBED = {
    "wrong_first": "`wrong_first: [fact]`",
    "changes_mind": "`changes_mind: {fact: ..., instead_of: [...], says: ...}`",
    "wants_more": "`wants_more: [text]`",
}
"""Behaviours that need more than their name, as they are written beside ``behaviours``."""


def lint_behaviours(
    name: str,
    words: ScenarioWords,
    facts: Collection[str],
    said: Collection[str],
    expert: Iterable[ast.FunctionDef],
    notes: Notes,
) -> None:
    """Check the behaviours of a scenario.

    Args:
        name: The scenario.
        words: Its words.
        facts: The facts that its situation gives.
        said: What its messages fill in.
        expert: The functions of its expert.
        notes: Where problems go.
    """
    for place, behaviour in enumerate(words.behaviours):
        if behaviour not in NAMED:
            known = DESCRIBED.get(behaviour)
            mend = f"Write {known} beside it." if known else suggest(behaviour, NAMED, "There are")
            message = f"There is no behaviour {behaviour} here."
            path: Path = (name, "behaviours", place)
            notes.add(path, "unknown-behaviour", message, mend)
    for place, fact in enumerate(words.wrong_first):
        _lint_fact((name, "wrong_first", place), fact, facts, said, notes)
    if words.changes_mind is None:
        return
    _lint_fact((name, "changes_mind", "fact"), words.changes_mind.fact, facts, said, notes)
    if not any(_seeks_a_yes(function) for function in expert):
        notes.add(
            (name, "changes_mind"), "never-agreed", f"The expert of {name} never asks for a yes.",
            "Let it call agent.agreed(...) before it writes, or take changes_mind out.",
        )  # fmt: skip


def _lint_fact(
    path: Path, fact: str, facts: Collection[str], said: Collection[str], notes: Notes
) -> None:
    if fact not in facts:
        message = f"There is no fact {fact} here."
        notes.add(path, "unknown-fact", message, suggest(fact, facts, "There are"))
    elif fact not in said:
        notes.add(
            path, "never-said", f"No message says {fact}, so none can say it otherwise.",
            f"Fill {{{{ {fact} }}}} into a message of says, or name another fact.",
        )  # fmt: skip


def _seeks_a_yes(function: ast.FunctionDef) -> bool:
    return any(isinstance(node, ast.Attribute) and node.attr == "agreed" for node in walk(function))
