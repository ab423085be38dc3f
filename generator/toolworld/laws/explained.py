"""Explanations of suspects, written by people: why something that looks wrong is meant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from toolworld.laws.properties import Suspect
from toolworld.packages import Package
from toolworld.packages.files import read_json_if_there


@dataclass(frozen=True)
class Explained:
    """One entry of ``explained.yaml``."""

    property: str
    tools: tuple[str, ...]
    about: str
    because: str

    def fits(self, name: str, suspect: Suspect) -> bool:
        """Return whether it explains a suspect of a property."""
        same = (name, suspect.tools) == (self.property, self.tools)
        return same and self.about in suspect.about

    def __str__(self) -> str:
        """What it is about."""
        return " ".join([self.property, *self.tools, self.about]).strip()


def explanations_of(package: Package) -> list[Explained]:
    """Return a package's explanations of suspects."""
    return [
        Explained(one["property"], tuple(one["tools"]), one["about"], one["because"])
        for one in read_json_if_there(package.files.explained)
    ]


def reason_of(explanations: Iterable[Explained], name: str, suspect: Suspect) -> str | None:
    """Return why a suspect of a property is meant; None if nobody says."""
    fitting = (one.because for one in explanations if one.fits(name, suspect))
    return next(fitting, None)


def stale(
    explanations: Iterable[Explained], suspects: Mapping[str, Sequence[Suspect]]
) -> list[str]:
    """Return the explanations that fit no suspect.

    Args:
        explanations: The explanations.
        suspects: What was found, by property.
    """
    return [
        str(one)
        for one in explanations
        if not any(one.fits(one.property, found) for found in suspects.get(one.property, ()))
    ]
