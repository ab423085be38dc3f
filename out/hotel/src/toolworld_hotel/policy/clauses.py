"""The policy as agents read it, ``policy.md``, and its clauses and roles, ``policy.json``."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any, Literal, NamedTuple


class Clause(NamedTuple):
    """One numbered clause of the policy.

    Attributes:
        number: Such as ``4.2``.
        text: What an agent must or must not do.
        kept_by: Whether tools reject what it forbids, a predicate of ``conduct`` checks it, or no
            program can.
        names: The codes of those rejections, or the names of those predicates.
        talk: Whether it can be checked only if the agent talks to the person.
    """

    number: str
    text: str
    kept_by: Literal["tools", "conduct", "advice"]
    names: tuple[str, ...] = ()
    talk: bool = False


@cache
def policy_text() -> str:
    """Return the text of the policy, which an agent is given when it connects."""
    return (resources.files(__package__) / "policy.md").read_text("utf-8")


@cache
def _policy() -> dict[str, Any]:
    text = (resources.files(__package__) / "policy.json").read_text("utf-8")
    content: dict[str, Any] = json.loads(text)
    return content


@cache
def all_clauses() -> tuple[Clause, ...]:
    """Return the clauses in the order of the policy; none if they are not numbered."""
    return tuple(
        Clause(**{**clause, "names": tuple(clause["names"])}) for clause in _policy()["clauses"]
    )


def roles() -> dict[str, list[str]]:
    """Return the roles of the domain, each with the tools that only this role may ask for."""
    found: dict[str, list[str]] = _policy()["roles"]
    return found


@cache
def tools_of_others(role: str) -> frozenset[str]:
    """Return the tools that only other roles may ask for."""
    others = (tools for other, tools in roles().items() if other != role)
    return frozenset(tool for tools in others for tool in tools).difference(roles().get(role, ()))


@cache
def conduct_clauses() -> tuple[Clause, ...]:
    """Return the clauses that are kept by conduct."""
    return tuple(clause for clause in all_clauses() if clause.kept_by == "conduct")
