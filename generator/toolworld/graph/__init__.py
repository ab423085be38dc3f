"""The tool graph of a package: which tools feed, enable or show each other, with evidence."""

from toolworld.graph.build import TRIES, build_graph, rerun
from toolworld.graph.chains import chains_to, seed_chain, strong_edges
from toolworld.graph.evidence import Evidence
from toolworld.graph.exports import to_graphml, to_html, to_json, to_mermaid, write
from toolworld.graph.gaps import Gap, gaps_of
from toolworld.graph.kept import kept_graph
from toolworld.graph.model import ArgumentSource, Edge, RefusedCandidate, ToolGraph

__all__ = [
    "TRIES",
    "ArgumentSource",
    "Edge",
    "Evidence",
    "Gap",
    "RefusedCandidate",
    "ToolGraph",
    "build_graph",
    "chains_to",
    "gaps_of",
    "kept_graph",
    "rerun",
    "seed_chain",
    "strong_edges",
    "to_graphml",
    "to_html",
    "to_json",
    "to_mermaid",
    "write",
]
