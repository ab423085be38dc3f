"""The tool graph: tools, edges with evidence, what was refused, and where arguments come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import networkx as nx

from toolworld.graph.candidates import LABELS, Candidate
from toolworld.graph.evidence import Evidence
from toolworld.graph.gaps import Gap
from toolworld.graph.guard import Broken
from toolworld.graph.strength import STRENGTHS, Strength

Json = Any


@dataclass(frozen=True)
class Edge:
    """A candidate that running has confirmed.

    Attributes:
        strength: Whether a purpose leads along it, or it only happens to carry an id.
    """

    candidate: Candidate
    evidence: Evidence
    strength: Strength

    def as_json(self) -> dict[str, Json]:
        """Return it as JSON values."""
        said = {**_ends(self.candidate), "strength": self.strength}
        return {**said, "evidence": self.evidence.as_json()}


@dataclass(frozen=True)
class RefusedCandidate:
    """A candidate that running has not confirmed, and why."""

    candidate: Candidate
    reason: str

    def as_json(self) -> dict[str, Json]:
        """Return it as JSON values."""
        return {**_ends(self.candidate), "reason": self.reason}


def _ends(candidate: Candidate) -> dict[str, Json]:
    said: dict[str, Json] = {
        "source": candidate.source,
        "target": candidate.target,
        "label": candidate.label,
    }
    if candidate.label == "data":
        said |= {
            "argument": candidate.argument,
            "entity": candidate.entity,
            "column": candidate.column or None,
        }
    else:
        said["via"] = list(candidate.via)
    return said


@dataclass(frozen=True)
class ArgumentSource:
    """Where an argument of a tool can come from.

    Attributes:
        path: The argument, or the id inside it.
        entity: What the id names; empty if it is none.
        column: The unique column by which it names it; empty for the key.
        producers: The tools that were shown to give it.
        known: Why a person knows it; empty when only tools give it.
    """

    tool: str
    path: str
    required: bool
    entity: str
    producers: tuple[str, ...]
    known: str
    column: str = ""

    @property
    def unmet(self) -> bool:
        """Whether neither a person nor a tool gives it."""
        return self.required and not self.producers and not self.known

    def as_json(self) -> dict[str, Json]:
        """Return it as JSON values."""
        return {
            "tool": self.tool,
            "path": self.path,
            "required": self.required,
            "entity": self.entity or None,
            "column": self.column or None,
            "producers": list(self.producers),
            "known": self.known or None,
        }


@dataclass(frozen=True)
class ToolGraph:
    """What ``build_graph`` found.

    Attributes:
        tools: Title, home entity and whether it only reads, by tool.
        never: The tools for which no successful call was found.
        calls: How many calls were made to find all this.
        broken: The tools that do what no tool may, and what that is.
        gaps: What a person would know and no tool takes.
    """

    package: str
    seed: int
    tools: Mapping[str, Mapping[str, Json]]
    edges: Sequence[Edge]
    refused: Sequence[RefusedCandidate]
    arguments: Sequence[ArgumentSource]
    never: Sequence[str] = field(default_factory=tuple)
    calls: int = 0
    broken: Mapping[str, Broken] = field(default_factory=dict)
    gaps: Sequence[Gap] = field(default_factory=tuple)

    @property
    def strong(self) -> list[Edge]:
        """The edges that a purpose leads along."""
        return [edge for edge in self.edges if edge.strength == "strong"]

    def counts(self) -> dict[str, dict[str, int]]:
        """Return how many candidates there were and how many were kept, by label.

        Those that were kept are also counted by strength.
        """
        found = Counter((edge.candidate.label, edge.strength) for edge in self.edges)
        refused = Counter(one.candidate.label for one in self.refused)
        counts: dict[str, dict[str, int]] = {}
        for label in LABELS:
            of: dict[str, int] = {strength: found[label, strength] for strength in STRENGTHS}
            kept = sum(of.values())
            counts[label] = {"candidates": kept + refused[label], "kept": kept, **of}
        return counts

    def as_networkx(self) -> nx.MultiDiGraph[str]:
        """Return it as a networkx graph; each edge's key tells it from its parallels."""
        graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(package=self.package, seed=self.seed)
        for name, said in self.tools.items():
            graph.add_node(name, **said)
        for edge in self.edges:
            one = edge.candidate
            graph.add_edge(one.source, one.target, one.key, **edge.as_json())
        return graph

    def as_json(self) -> dict[str, Json]:
        """Return all of it as JSON values."""
        return {
            "package": self.package,
            "seed": self.seed,
            "calls": self.calls,
            "counts": self.counts(),
            "never_succeeded": list(self.never),
            "broken": {name: broken.as_json() for name, broken in self.broken.items()},
            "gaps": [gap.as_json() for gap in self.gaps],
            "tools": {name: dict(said) for name, said in self.tools.items()},
            "arguments": [argument.as_json() for argument in self.arguments],
            "edges": [edge.as_json() for edge in self.edges],
            "refused": [one.as_json() for one in self.refused],
        }

    def __str__(self) -> str:
        """A few lines for people."""
        strong = len(self.strong)
        lines = [
            f"{self.package}: {len(self.tools)} tools, {len(self.edges)} edges, "
            f"{strong} of them strong and {len(self.edges) - strong} incidental"
        ]
        lines += [
            f"  {label}: {count['kept']} kept of {count['candidates']} candidates, "
            f"{count['strong']} strong"
            for label, count in self.counts().items()
        ]
        unmet = [f"{one.tool}.{one.path}" for one in self.arguments if one.unmet]
        lines.append(f"  no tool gives: {', '.join(unmet) or 'none missing'}")
        lines.append(f"  no successful call of: {', '.join(self.never) or 'none'}")
        lines += [f"  broken: {name} {broken}" for name, broken in self.broken.items()]
        lines += [f"  gap: {gap}" for gap in self.gaps]
        return "\n".join(lines)
