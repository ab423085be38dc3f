"""A package's tool graph: candidates from its effects, kept when running shows them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from pathlib import Path

from toolworld.emit import Package, load_package
from toolworld.graph.candidates import candidates
from toolworld.graph.evidence import run_again, shows
from toolworld.graph.examples import Explorer
from toolworld.graph.model import Edge, Refused, ToolGraph
from toolworld.graph.probe import PairProbe
from toolworld.graph.sources import arguments_of
from toolworld.graph.surface import Surface

Progress = Callable[[str], None]

TRIES = 240


def _silent(_: str) -> None:
    return


def build_graph(
    path: Path, seed: int = 0, tries: int = TRIES, on_progress: Progress | None = None
) -> ToolGraph:
    """Find the tool graph of a package; the same package, seed and tries give the same graph.

    Args:
        path: The package's folder.
        seed: Varies which calls are tried.
        tries: How many calls are tried for each two tools.
        on_progress: Told what is being done.

    Raises:
        PackageLoadError: The folder holds no package, or an old one without effects.
    """
    return graph_of(load_package(path), seed, tries, on_progress or _silent)


def graph_of(package: Package, seed: int, tries: int, progress: Progress) -> ToolGraph:
    """Find the tool graph of a package that is loaded."""
    explorer = Explorer(package, seed)
    progress("Finding calls that succeed")
    explorer.explore()
    edges, refused = _probe(explorer, tries, progress)
    found = explorer.examples
    return ToolGraph(
        package=package.name,
        seed=seed,
        tools=_tools(explorer.surface),
        edges=edges,
        refused=refused,
        arguments=arguments_of(explorer.surface, edges),
        never=[name for name, examples in found.items() if not examples],
        calls=explorer.calls,
    )


def _probe(explorer: Explorer, tries: int, progress: Progress) -> tuple[list[Edge], list[Refused]]:
    edges: list[Edge] = []
    refused: list[Refused] = []
    everything = candidates(explorer.surface)
    for (source, target), found in groupby(everything, lambda one: (one.source, one.target)):
        progress(f"Trying {source}, then {target}")
        kept, others = PairProbe(explorer, list(found), tries).run()
        edges += kept
        refused += others
    return edges, refused


def _tools(surface: Surface) -> dict[str, dict[str, object]]:
    return {
        name: {
            "title": tool.title,
            "entity": surface.home(tool),
            "read_only": tool.read_only,
            "changes": sorted(tool.changed_tables),
        }
        for name, tool in surface.tools.items()
    }


def rerun(package: Package, edge: Edge) -> bool:
    """Make all calls of an edge's evidence again; return whether they give and show the same."""
    same = run_again(package.environment(), edge.evidence)
    return same and shows(edge.candidate.label, edge.evidence)
