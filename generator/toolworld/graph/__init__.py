"""The tool graph of a package: which tools feed, enable or show each other, with evidence."""

from toolworld.graph.build import build_graph, rerun
from toolworld.graph.evidence import Evidence
from toolworld.graph.model import Argument, Edge, Refused, ToolGraph

__all__ = ["Argument", "Edge", "Evidence", "Refused", "ToolGraph", "build_graph", "rerun"]
