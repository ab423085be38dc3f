"""What a person asks for, put into words: natural, complete, and never naming a tool."""

from toolworld.tasks.phrasing.book import Phrasebook, Said
from toolworld.tasks.phrasing.says import says

__all__ = ["Phrasebook", "Said", "says"]
