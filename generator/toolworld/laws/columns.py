"""The plain types of columns, as the classes of rows have them."""

from __future__ import annotations

import types
from typing import Annotated, Any, Union, get_args, get_origin


def plain_type(annotation: Any) -> Any:
    """Return the type of a column's values without None and validators."""
    if get_origin(annotation) is Annotated:
        return plain_type(get_args(annotation)[0])
    if is_optional(annotation):
        return plain_type(next(one for one in get_args(annotation) if one is not type(None)))
    return annotation


def is_optional(annotation: Any) -> bool:
    """Return whether a column may be empty."""
    is_union = get_origin(annotation) in (Union, types.UnionType)
    return is_union and type(None) in get_args(annotation)
