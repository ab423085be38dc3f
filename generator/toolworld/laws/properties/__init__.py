"""Properties that need no author: they find suspects in any domain."""

from toolworld.laws.properties.find import PROPERTIES, find_suspects
from toolworld.laws.properties.suspect import Suspect

__all__ = ["PROPERTIES", "Suspect", "find_suspects"]
