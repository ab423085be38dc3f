"""Runs gold: the result of each step, and the end with one thing changed."""

from toolworld.tasks.execute.comparison import StateComparison
from toolworld.tasks.execute.player import Player
from toolworld.tasks.execute.playthrough import Ending, Move, PlayedStep, Playthrough
from toolworld.tasks.execute.references import references

__all__ = ["Ending", "Move", "PlayedStep", "Player", "Playthrough", "StateComparison", "references"]
