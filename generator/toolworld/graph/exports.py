"""The graph as JSON, Mermaid, GraphML and one HTML page; the same graph gives the same text."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import networkx as nx
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from toolworld import bundled
from toolworld.artifacts import write_whole
from toolworld.errors import BuildError
from toolworld.graph.candidates import LABELS
from toolworld.graph.layout import layout
from toolworld.graph.model import ToolGraph
from toolworld.graph.strength import Strength

Json = Any

MOST_ARROWS = 450
"""Mermaid draws no diagram of 500 edges or more unless its host allows it."""

ENDS = ("source", "target")
ARROWS: dict[str, str] = {"enables": "==>", "data": "-->", "shared table": "-.->"}


def to_json(graph: ToolGraph) -> str:
    """Return the whole graph as JSON, refused candidates included."""
    return json.dumps(graph.as_json(), indent=1, ensure_ascii=False) + "\n"


def to_graphml(graph: ToolGraph) -> str:
    """Return the graph as GraphML; evidence is JSON in an attribute."""
    plain: nx.MultiDiGraph[str] = nx.MultiDiGraph(package=graph.package, seed=graph.seed)
    for name, said in graph.as_networkx().nodes(data=True):
        plain.add_node(name, **{key: _plain(value) for key, value in said.items()})
    for edge in graph.edges:
        one, said = edge.candidate, edge.as_json()
        attributes = {key: _plain(value) for key, value in said.items() if key not in ENDS}
        plain.add_edge(one.source, one.target, one.key, **attributes)
    return "\n".join(nx.generate_graphml(plain)) + "\n"


def _plain(value: Json) -> Json:
    scalar = isinstance(value, str | int | float)
    return value if scalar else json.dumps(value, ensure_ascii=False)


def to_mermaid(graph: ToolGraph, incidental: bool = False) -> str:
    """Return the graph as a Mermaid flowchart, as many of its arrows as Mermaid draws.

    Parallel edges of one label are one arrow. What enables comes first, then data.

    Args:
        graph: The graph.
        incidental: Whether to draw incidental edges too; strong ones come first.
    """
    lines = ["flowchart LR"]
    for entity in sorted({said["entity"] for said in graph.tools.values()}):
        inside = [name for name, said in graph.tools.items() if said["entity"] == entity]
        lines += [f"    subgraph {entity}", *(f"        {_node(name)}" for name in inside)]
        lines.append("    end")
    arrows = _arrows(graph, "strong")
    arrows += _arrows(graph, "incidental") if incidental else []
    lines += [f"    {arrow}" for arrow in arrows[:MOST_ARROWS]]
    left = len(arrows) - MOST_ARROWS
    if left > 0:
        lines.append(f"    %% {left} more edges are left out: Mermaid draws fewer than 500")
    return "\n".join(lines) + "\n"


def _node(name: str) -> str:
    return f't_{name}["{name}"]'  # a prefix, for "end" is a word of Mermaid's


def _arrows(graph: ToolGraph, strength: Strength) -> list[str]:
    """Return an arrow for each pair of tools and label, the most telling labels first."""
    told: dict[tuple[int, str, str, str], list[str]] = {}
    order = {label: place for place, label in enumerate(ARROWS)}
    for edge in graph.edges:
        if edge.strength != strength:
            continue
        one = edge.candidate
        place = (order[one.label], one.label, one.source, one.target)
        said = one.argument.replace(".*", "") if one.argument else ""
        told.setdefault(place, []).append(said)
    arrows = []
    for (_, label, source, target), fed in sorted(told.items()):
        text = f"|{', '.join(sorted(fed))}|" if any(fed) else ""
        arrows.append(f"t_{source} {ARROWS[label]}{text} t_{target}")
    return arrows


def to_html(graph: ToolGraph) -> str:
    """Return one page that shows the graph and needs no network."""
    environment = Environment(
        loader=FileSystemLoader(bundled.templates() / "graph"),
        undefined=StrictUndefined,
        autoescape=True,
        keep_trailing_newline=True,
    )
    said = graph.as_json()
    kept = ("tools", "counts", "edges", "arguments", "broken", "gaps")
    data = {
        "labels": list(LABELS),
        "cards": [{**asdict(card), "rows": card.rows} for card in layout(graph)],
        **{name: said[name] for name in kept},
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    # Inside a script element only "<" could end it or open another; JSON may write it so.
    safe = text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return environment.get_template("page.html.jinja").render(package=graph.package, data=safe)


def write(
    graph: ToolGraph,
    json: Path | None = None,
    mermaid: Path | None = None,
    graphml: Path | None = None,
    html: Path | None = None,
    incidental: bool = False,
) -> None:
    """Write a graph to files, one for each form asked for.

    Args:
        graph: The graph.
        json: Where to write all of it as JSON.
        mermaid: Where to write a Mermaid flowchart.
        graphml: Where to write all of it as GraphML.
        html: Where to write a page that shows it.
        incidental: Whether the flowchart has incidental edges too.

    Raises:
        BuildError: A file cannot be written.
    """
    drawn = partial(to_mermaid, incidental=incidental)
    forms = ((json, to_json), (mermaid, drawn), (graphml, to_graphml), (html, to_html))
    for path, form in forms:
        if path is not None:
            write_file(path, form(graph))


def write_file(path: Path, text: str) -> None:
    """Write a file, its folder made if need be.

    Raises:
        BuildError: It cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    except OSError as error:
        raise BuildError(f"{path} cannot be written: {error.strerror}.") from error
