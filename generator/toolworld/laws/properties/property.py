"""What a property is: something that holds in any domain, unless something else is meant."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

from toolworld.laws.properties.states import EpisodeState, EpisodeStates
from toolworld.laws.properties.suspect import Suspect
from toolworld.laws.properties.totals import Totals


class Property(ABC):
    """Something that holds in any domain, unless something else is meant."""

    def __init__(self, states: EpisodeStates, totals: Totals) -> None:
        """Take where calls are played, and what counts."""
        self._states, self._totals = states, totals

    @abstractmethod
    def look(self, state: EpisodeState) -> Iterator[Suspect]:
        """Yield the suspects at one state."""

    def end(self) -> Iterator[Suspect]:
        """Yield the suspects that show only over all states."""
        yield from ()
