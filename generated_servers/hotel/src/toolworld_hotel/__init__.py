"""A stateful tool environment and MCP server: Hotel group.

Made by toolworld 0.1.0 from the domain spec with the digest 22953da72ca7ca06. Do not edit:
change the spec and build again.
"""

from .calls.results import ToolResult
from .environment import Environment
from .errors import PackageError, Rejected, UnknownTask, UnknownTool
from .tasks.grading import Grade
from .tasks.task import Change, Task, all_tasks

__all__ = [
    "Change",
    "Environment",
    "Grade",
    "PackageError",
    "Rejected",
    "Task",
    "ToolResult",
    "UnknownTask",
    "UnknownTool",
    "all_tasks",
]
