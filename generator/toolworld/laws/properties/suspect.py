"""Suspects: effects of an episode that look wrong, and may be meant."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from toolworld.graph.evidence import PlannedCall


@dataclass(frozen=True)
class Suspect:
    """What looks wrong.

    Attributes:
        tools: The tools that a property does not hold for; none if it is about rows.
        about: What differs, such as columns or the code of a rejection.
        says: What happened, in words.
        calls: The episode.
    """

    tools: tuple[str, ...]
    about: str
    says: str
    calls: tuple[PlannedCall, ...]

    @property
    def key(self) -> tuple[tuple[str, ...], str]:
        """A key that differs between different suspects."""
        return self.tools, self.about


def shortest(suspects: Iterable[Suspect]) -> list[Suspect]:
    """Return the suspect with the shortest episode of each kind, in order."""
    best: dict[tuple[tuple[str, ...], str], Suspect] = {}
    for one in suspects:
        if one.key not in best or len(one.calls) < len(best[one.key].calls):
            best[one.key] = one
    return [best[key] for key in sorted(best)]
