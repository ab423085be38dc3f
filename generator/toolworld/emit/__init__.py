"""A spec rendered into a standalone package and filled with data."""

import typing

from toolworld import lazy_imports

if typing.TYPE_CHECKING:
    from toolworld.emit.building import BuildReport, build, build_spec, stale
else:
    # Those who use a module beside it build none.
    __getattr__ = lazy_imports.imported_when_asked(
        __name__, dict.fromkeys(("BuildReport", "build", "build_spec", "stale"), "building")
    )

__all__ = ["BuildReport", "build", "build_spec", "stale"]
