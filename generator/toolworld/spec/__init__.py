"""What a domain is: its spec, read from a folder, checked, and written back."""

import typing

from toolworld import lazily

if typing.TYPE_CHECKING:
    from toolworld.spec.load import load_spec
    from toolworld.spec.model import Tool
    from toolworld.spec.save import save_spec
    from toolworld.spec.schema import tool_definition
    from toolworld.spec.spec import Spec
else:
    __getattr__ = lazily.opening(
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
