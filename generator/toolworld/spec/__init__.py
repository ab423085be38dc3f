"""What a domain is: its spec, read from a folder, checked, and written back."""

import typing

from toolworld import lazy_imports

if typing.TYPE_CHECKING:
    from toolworld.spec.load import load_spec
    from toolworld.spec.model import Tool
    from toolworld.spec.save import save_spec
    from toolworld.spec.schema import tool_definition
    from toolworld.spec.spec import Spec
else:
    __getattr__ = lazy_imports.imported_when_asked(
        __name__,
        {
            "Spec": "spec",
            "Tool": "model",
            "load_spec": "load",
            "save_spec": "save",
            "tool_definition": "schema",
        },
    )

__all__ = ["Spec", "Tool", "load_spec", "save_spec", "tool_definition"]
