"""Extends a domain with a model: scenarios for tools that few or none use yet."""

from toolworld.extend.report import ExtendReport
from toolworld.extend.run import ExtendOrder, extend

__all__ = ["ExtendOrder", "ExtendReport", "extend"]
