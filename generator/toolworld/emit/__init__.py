"""A spec rendered into a standalone package, filled with data and loaded again."""

from toolworld.emit.build import BuildReport, build, build_spec, stale
from toolworld.emit.load import Package, load_package

__all__ = ["BuildReport", "Package", "build", "build_spec", "load_package", "stale"]
