"""A spec rendered into a standalone package, filled with data and loaded again."""

import typing

from toolworld import lazy_imports
from toolworld.emit.load import Package, load_package

if typing.TYPE_CHECKING:
    from toolworld.emit.building import BuildReport, build, build_spec, stale
else:
    # Those who load a package and run it build none.
    __getattr__ = lazy_imports.imported_when_asked(
        __name__, dict.fromkeys(("BuildReport", "build", "build_spec", "stale"), "building")
    )

__all__ = ["BuildReport", "Package", "build", "build_spec", "load_package", "stale"]
