"""Names that earlier stages have settled, enumerated in the schemas of later ones.

An answer's type says ``ThingName``; the names themselves are known only at run time. They go
into the JSON schema once, under ``$defs``, and into validation through its context. So a model
held to the schema cannot use a name that does not exist.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationInfo, WithJsonSchema

from toolworld.llm.schemas import without_names
from toolworld.spec.findings import suggest
from toolworld.spec.model import LIST_PREFIX, SCALARS

Names = Mapping[str, Sequence[str]]
"""The names that may be used, by kind: ``thing``, ``type``, ``result``, ``tool`` ..."""

PAGE_PREFIX = "page of "
PREFIXES = {"type": LIST_PREFIX, "result": PAGE_PREFIX}
"""The prefix that a name may have, by kind."""
LONGEST_NAME = 60
"""How many characters of an unknown name are shown."""
NAMES = "x-names"
"""Marks the schema of a name until the possible names are written out."""


class Answer(BaseModel):
    """A frozen piece of a model's answer; unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _among(kind: str) -> Callable[[str, ValidationInfo], str]:
    prefix = PREFIXES.get(kind, "")

    def check(value: str, info: ValidationInfo) -> str:
        names = (info.context or {}).get(kind, ())
        if value.removeprefix(prefix) not in names:
            shown = value[:LONGEST_NAME]
            raise ValueError(f'there is no {kind} "{shown}". {suggest(shown, names, "There are")}')
        return value

    return check


def _named(kind: str) -> Any:
    return WithJsonSchema({"type": "string", NAMES: kind})


ThingName = Annotated[str, AfterValidator(_among("thing")), _named("thing")]
TypeText = Annotated[str, AfterValidator(_among("type")), _named("type")]
ResultText = Annotated[str, AfterValidator(_among("result")), _named("result")]
ToolName = Annotated[str, AfterValidator(_among("tool")), _named("tool")]
TextArgument = Annotated[str, AfterValidator(_among("argument")), _named("argument")]
RoleName = Annotated[str, AfterValidator(_among("role")), _named("role")]
ClauseNumber = Annotated[str, AfterValidator(_among("clause")), _named("clause")]


def type_names(enums: Sequence[str], things: Sequence[str]) -> list[str]:
    """Return the types a column or parameter may have, apart from lists of them."""
    return [*SCALARS, *enums, *things]


def schema_of(kind: type[BaseModel], names: Names) -> dict[str, Any]:
    """Return the JSON schema of an answer, with the names that may be used written out."""
    schema = copy.deepcopy(kind.model_json_schema())
    used: set[str] = set()
    _tidy(schema, used)
    without_names(schema, [name for name in used if not names[name]])
    choices = {name: _choice(name, names[name]) for name in sorted(used) if names[name]}
    if choices:
        schema.setdefault("$defs", {}).update(choices)
    return schema


def _choice(kind: str, names: Sequence[str]) -> dict[str, Any]:
    prefix = PREFIXES.get(kind)
    if prefix is None:
        return {"type": "string", "enum": list(names)}
    return {"type": "string", "pattern": f"^({prefix})?({'|'.join(names)})$"}


def _tidy(node: Any, used: set[str]) -> None:
    """Replace marked schemas with references to the names, and remove what only costs tokens."""
    if isinstance(node, dict):
        if NAMES in node:
            kind = node.pop(NAMES)
            used.add(kind)
            node.clear()
            node["$ref"] = f"#/$defs/{kind}"
        for name in ("title", "description"):
            if isinstance(node.get(name), str):
                del node[name]
        if node.get("minLength") == 1:
            del node["minLength"]
        for part in node.values():
            _tidy(part, used)
    elif isinstance(node, list):
        for part in node:
            _tidy(part, used)
