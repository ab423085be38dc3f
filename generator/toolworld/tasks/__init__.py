"""Certified tasks, made from a package and its tool graph."""

from toolworld.tasks.report import TasksReport
from toolworld.tasks.run import Order, make_tasks

__all__ = ["Order", "TasksReport", "make_tasks"]
