"""What stands around a task's gold: near misses in the data, the tools an agent may use."""

from toolworld.tasks.context.difficulty import LEVELS, Difficulty, Figures, Level
from toolworld.tasks.context.distractors import Distractors, Meant, merged, rows_added
from toolworld.tasks.context.settings import SubsetSettings
from toolworld.tasks.context.subset import ToolSubset

__all__ = [
    "LEVELS",
    "Difficulty",
    "Distractors",
    "Figures",
    "Level",
    "Meant",
    "SubsetSettings",
    "ToolSubset",
    "merged",
    "rows_added",
]
