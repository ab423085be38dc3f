"""A package's tool graph: candidates from its effects, kept when running shows them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from toolworld.emit.jobs import Limits
from toolworld.graph.evidence import run_again, shows
from toolworld.graph.gaps import gaps_of
from toolworld.graph.guard import Guarded, Watch
from toolworld.graph.model import Edge, ToolGraph
from toolworld.graph.sources import arguments_of
from toolworld.graph.surface import Surface
from toolworld.graph.survey import Survey
from toolworld.packages import Package, load_package

Progress = Callable[[str], None]

TRIES = 240


def _silent(_: str) -> None:
    return


def build_graph(
    path: Path,
    seed: int = 0,
    tries: int = TRIES,
    on_progress: Progress | None = None,
    workers: int = 1,
    limits: Limits | None = None,
) -> ToolGraph:
    """Find the tool graph of a package; the same package, seed and tries give the same graph.

    Args:
        path: The package's folder.
        seed: Varies which calls are tried.
        tries: How many calls are tried for each two tools.
        on_progress: Told what is being done.
        workers: How many processes at once; the graph does not depend on it.
        limits: What a process, and one call in it, may use before a tool is held to be broken.

    Raises:
        PackageLoadError: The folder holds no package, or an old one without effects.
    """
    package = load_package(path)
    return graph_of(package, seed, tries, on_progress or _silent, workers, limits)


def graph_of(
    package: Package,
    seed: int,
    tries: int,
    progress: Progress,
    workers: int = 1,
    limits: Limits | None = None,
) -> ToolGraph:
    """Find the tool graph of a package that is loaded."""
    survey = Survey(package, seed, tries, workers, limits or Limits())
    survey.run(progress)
    explorer = survey.explorer
    return ToolGraph(
        package=package.name,
        seed=seed,
        tools=_tools(explorer.surface),
        edges=survey.edges,
        refused=survey.refused,
        arguments=arguments_of(explorer.surface, survey.edges),
        never=[name for name, examples in explorer.examples.items() if not examples],
        calls=explorer.calls,
        broken={
            name: survey.broken[name] for name in explorer.surface.tools if name in survey.broken
        },
        gaps=gaps_of(explorer.surface, package),
    )


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
    same = run_again(Guarded(package.environment(), Watch()), edge.evidence)
    return same and shows(edge.candidate.label, edge.evidence)
