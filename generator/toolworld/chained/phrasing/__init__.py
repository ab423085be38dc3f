"""What a person asks for, put into words: natural, complete, and never naming a tool."""

from toolworld.chained.phrasing.book import Phrasebook, Said
from toolworld.chained.phrasing.says import says

__all__ = ["Phrasebook", "Said", "says"]
