"""Certified tasks, made from a package and its tool graph."""

from toolworld.tasks.report import TasksReport
from toolworld.tasks.run import TaskOrder, make_tasks

__all__ = ["TaskOrder", "TasksReport", "make_tasks"]
