"""The edges that effects and types allow, before anything is run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from toolworld.graph.surface import Surface, ToolFacts

Label = Literal["data", "enables", "shared table"]
LABELS: tuple[Label, ...] = ("data", "enables", "shared table")


@dataclass(frozen=True)
class Candidate:
    """An edge that may exist.

    Attributes:
        argument: For a data edge, the path of the argument that is fed.
        outputs: For a data edge, the paths in the first tool's result that can feed it.
        entity: For a data edge, what the id names.
        column: The unique column by which it names it; empty for the key.
        via: Otherwise, the tables and columns the first tool changes and the second looks at.
    """

    source: str
    target: str
    label: Label
    argument: str = ""
    outputs: tuple[str, ...] = ()
    entity: str = ""
    via: tuple[str, ...] = ()
    column: str = ""

    @property
    def key(self) -> str:
        """A key that differs between edges of the same two tools."""
        return f"{self.label}:{self.argument}" if self.argument else self.label

    @property
    def fed(self) -> str:
        """What is fed, in words: ``Order id`` or ``Variant sku``."""
        return f"{self.entity} {self.column or 'id'}"


def candidates(surface: Surface) -> list[Candidate]:
    """Return every edge that effects and types allow, in the order of the tools."""
    tools = surface.tools.values()
    return [
        candidate
        for source in tools
        for target in tools
        for candidate in (*_data(source, target), *_effects(source, target))
    ]


def _data(source: ToolFacts, target: ToolFacts) -> Iterator[Candidate]:
    for parameter in target.parameters.values():
        for path, named in parameter.names.items():
            outputs = tuple(out for out, name in source.result_names.items() if name == named)
            if outputs:
                entity, _, column = named.partition(".")
                yield Candidate(
                    source.name, target.name, "data", path, outputs, entity, column=column
                )


def _effects(source: ToolFacts, target: ToolFacts) -> Iterator[Candidate]:
    via = tuple(sorted(meeting(source, target)))
    if not via:
        return
    if source is not target and (target.rejects or target.parameters):
        yield Candidate(source.name, target.name, "enables", via=via)
    if target.read_only:
        yield Candidate(source.name, target.name, "shared table", via=via)


def meeting(source: ToolFacts, target: ToolFacts) -> set[str]:
    """Return the columns that one tool changes and another reads.

    A column counts when both name it, or when the second returns whole rows of its table.
    """
    rows = source.creates | source.deletes
    shown = {name for name in source.writes if name.partition(".")[0] in target.read_tables}
    columns = shown if target.read_only else source.writes & target.reads
    return set(columns) | {table for table in rows if table in target.read_tables}
