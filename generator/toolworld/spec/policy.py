"""Numbered clauses read from ``policy.md``, and what keeps each of them."""

from __future__ import annotations

import re
from typing import Literal

from toolworld.spec.findings import FileFindings
from toolworld.spec.model import SpecPart

KeptBy = Literal["tools", "conduct", "advice"]

CLAUSE = re.compile(r"^\s*(?:[-*] )?(\d{1,2}\.\d{1,2})\s+(\S.*)$")
NAMED_CLAUSE = re.compile(r"\s*\(clause (\d{1,2}\.\d{1,2})\)")
"""How the sentence of a law names the clause that it stands for."""
MARKER = re.compile(
    r"(?<!\s)\s*\[(tools|conduct|advice)(?::\s*([a-z0-9_]+(?:\s*,\s*[a-z0-9_]+)*))?\][ \t]*$",
    re.MULTILINE,
)
OTHER_BLOCK = re.compile(r"^\s*(#|$|[-*] )")


class PolicyClause(SpecPart):
    """One numbered clause of the policy.

    Attributes:
        number: Such as ``4.2``.
        text: What an agent must or must not do, without its marker.
        kept_by: Whether tools reject what it forbids, a predicate of ``conduct.py`` sees it, or
            no program can.
        names: The codes of those rejections, or the names of those predicates.
        line: Where it begins in ``policy.md``.
    """

    number: str
    text: str
    kept_by: KeptBy
    names: tuple[str, ...] = ()
    line: int


def read_clauses(policy: str, findings: FileFindings) -> tuple[PolicyClause, ...]:
    """Read the clauses of a policy; one without a marker is a finding."""
    clauses = []
    for line, text in _paragraphs(policy):
        begun = CLAUSE.match(text)
        if begun is not None:
            clause = _clause(begun.group(1), begun.group(2), line, findings)
            clauses += [clause] if clause else []
    return tuple(clauses)


def without_markers(policy: str) -> str:
    """Return the policy as agents read it, without the marks that say what keeps a clause."""
    return MARKER.sub("", policy)


def _paragraphs(policy: str) -> list[tuple[int, str]]:
    """Return each list item or paragraph as one line, with the line it begins in."""
    found: list[tuple[int, str]] = []
    for number, line in enumerate(policy.split("\n"), start=1):
        begins = CLAUSE.match(line) or OTHER_BLOCK.match(line) or not found
        if begins or not found[-1][1].strip():
            found.append((number, line))
        else:
            found[-1] = (found[-1][0], f"{found[-1][1].rstrip()} {line.strip()}")
    return found


def _clause(number: str, text: str, line: int, findings: FileFindings) -> PolicyClause | None:
    marker = MARKER.search(text)
    if marker is None:
        findings.add(
            line, "unkept-clause", f"Clause {number} does not say what keeps it.",
            "End it in [tools: code], [conduct: predicate] or [advice].",
        )  # fmt: skip
        return None
    kept_by, listed = marker.group(1), marker.group(2) or ""
    names = tuple(name.strip() for name in listed.split(",") if name.strip())
    if bool(names) == (kept_by == "advice"):
        findings.add(
            line, "unkept-clause", f"Clause {number} names {'no' if not names else 'a'} keeper.",
            "Write [tools: code], [conduct: predicate], or [advice] without a name.",
        )  # fmt: skip
        return None
    return PolicyClause.model_validate(
        {
            "number": number,
            "text": MARKER.sub("", text).strip(),
            "kept_by": kept_by,
            "names": names,
            "line": line,
        }
    )
