"""The arguments of a tool: checked against its signature, with a message that says what to do."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from datetime import date, datetime
from functools import cache
from types import UnionType
from typing import Any, NotRequired, Union, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from .. import tools as tool_functions
from ..errors import InvalidArguments
from ..values import Boolean, Date, Datetime, Integer, Number, Text

PLAIN_TYPES: dict[object, object] = {
    str: Text,
    int: Integer,
    float: Number,
    bool: Boolean,
    date: Date,
    datetime: Datetime,
}


def strict(annotation: Any) -> Any:
    """Return an annotation with plain types replaced by the strict ones of ``values``."""
    if annotation in PLAIN_TYPES:
        return PLAIN_TYPES[annotation]
    origin = get_origin(annotation)
    if origin is list:
        return list[strict(get_args(annotation)[0])]  # type: ignore[misc]
    if origin in (Union, UnionType):
        return Union[tuple(strict(arm) for arm in get_args(annotation))]  # noqa: UP007
    return annotation


def dictionary_of(function: Callable[..., Any]) -> Any:
    """Return the type of a tool's arguments: its parameters after the first, the database.

    A dictionary rather than a model, so that a parameter may have any name.
    """
    hints = get_type_hints(function, include_extras=True)
    fields = {}
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        annotation = strict(hints[parameter.name])
        required = parameter.default is parameter.empty
        fields[parameter.name] = annotation if required else NotRequired[annotation]
    dictionary = TypedDict(f"{function.__name__}_arguments", fields)  # type: ignore[misc]
    return with_config(extra="forbid")(dictionary)


class Arguments:
    """A tool's parameters, ready to check calls against."""

    __slots__ = ("_defaults", "_name", "_validator")

    def __init__(self, function: Callable[..., Any]) -> None:
        """Read the parameters from a tool function's signature."""
        self._name = function.__name__
        self._defaults = {
            name: parameter.default
            for name, parameter in inspect.signature(function).parameters.items()
            if parameter.default is not parameter.empty
        }
        self._validator = TypeAdapter(dictionary_of(function)).validator

    def check(self, arguments: Mapping[str, object]) -> dict[str, Any]:
        """Return the arguments as the tool takes them; optional ones may be missing.

        Raises:
            InvalidArguments: One is missing, unknown or of the wrong type; the message says which.
        """
        try:
            return self._validator.validate_python(arguments)  # type: ignore[no-any-return]
        except ValidationError as error:
            raise InvalidArguments(self._explain(error)) from None

    def complete(self, arguments: Mapping[str, object]) -> dict[str, object]:
        """Return arguments together with the defaults of those left out."""
        return {**self._defaults, **arguments}

    def _explain(self, error: ValidationError) -> str:
        findings = error.errors(include_url=False, include_input=False, include_context=False)
        lines = [
            f"- {'.'.join(str(part)[:60] for part in finding['loc']) or 'arguments'}: "
            f"{finding['msg'].removeprefix('Value error, ')}."
            for finding in findings[:10]
        ]
        return f"The arguments of {self._name} are not valid:\n" + "\n".join(lines)


@cache
def arguments_of(name: str) -> Arguments:
    """Return the parameters of a tool, read from its function when first asked for."""
    return Arguments(getattr(tool_functions, name))
