"""What a domain is: its spec, read from a folder, checked, and written back."""

from toolworld.spec.load import load_spec
from toolworld.spec.model import Tool
from toolworld.spec.save import save_spec
from toolworld.spec.schema import tool_definition
from toolworld.spec.spec import Spec

__all__ = ["Spec", "Tool", "load_spec", "save_spec", "tool_definition"]
