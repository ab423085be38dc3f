"""What a property is: something that holds in any domain, unless something else is meant."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

from toolworld.laws.properties.states import EpisodeState, EpisodeStates
from toolworld.laws.properties.suspect import Suspect
from toolworld.laws.properties.totals import Totals


class Property(ABC):
    """Something that holds in any domain, unless something else is meant."""

    def __init__(self, moments: EpisodeStates, totals: Totals) -> None:
        """Take where calls are played, and what counts."""
        self._moments, self._totals = moments, totals

    @abstractmethod
    def look(self, moment: EpisodeState) -> Iterator[Suspect]:
        """Yield what does not hold at a moment."""

    def end(self) -> Iterator[Suspect]:
        """Yield what shows only in all moments together."""
        yield from ()
