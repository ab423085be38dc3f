"""Writes the reference from the code: tables of the domain format's models, and the commands.

A page marks their place with a pair of comments, ``<!-- keys of: MODEL -->`` or
``<!-- all commands -->``, and ``<!-- end -->``; the text between the two is replaced.
"""

from __future__ import annotations

import re
import types
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import typer.main
from pydantic import AwareDatetime, BaseModel
from pydantic.fields import FieldInfo
from typer.cli import get_docs_for_click

from tools.committed import REPOSITORY
from toolworld.cli import app
from toolworld.harness.calls import ExpectedCall
from toolworld.spec import drafts, model, scenarios

DOCS = REPOSITORY / "docs"
FORMAT = DOCS / "reference" / "domain-format.md"

MODELS: dict[str, type[BaseModel]] = {
    found.__name__: found
    for found in (
        model.DomainFile,
        model.Enum,
        model.ValueObject,
        model.ObjectField,
        model.Column,
        model.Entity,
        model.Invariant,
        model.Role,
        drafts.TaskDraft,
        drafts.GoldStep,
        drafts.CaseDraft,
        drafts.CaseExpected,
        drafts.Explanation,
        drafts.SuspectExplanation,
        drafts.Phrases,
        scenarios.ScenarioWords,
        scenarios.OutcomeWords,
        scenarios.Saying,
        scenarios.ChangeOfMind,
        ExpectedCall,
    )
}

_SECTION = re.compile(r"(<!-- (?:keys of: (\w+)|all commands) -->\n).*?(<!-- end -->)", re.DOTALL)
_ATTRIBUTE = re.compile(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", re.MULTILINE)
_NAMES: dict[Any, str] = {
    AwareDatetime: "datetime",
    str: "text",
    int: "integer",
    float: "number",
    bool: "boolean",
}


def pages() -> dict[Path, str]:
    """Return the text, by path, that each page with parts written from the code must have."""
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(DOCS.rglob("*.md"))}
    return {
        path: _SECTION.sub(_filled, text) for path, text in texts.items() if _SECTION.search(text)
    }


def commands() -> str:
    """Return a table of all commands, and what Typer writes about each."""
    group = typer.main.get_group(app)
    context = typer.Context(group, info_name="toolworld")
    rows = [
        f"| [`{name}`](#toolworld-{name}) | {command.get_short_help_str(limit=200)} |"
        for name, command in group.commands.items()
    ]
    parts = [
        get_docs_for_click(obj=command, ctx=context, indent=1, name=name, call_prefix="toolworld")
        for name, command in group.commands.items()
    ]
    return "\n".join(["| Command | What it does |", "|---|---|", *rows, "", *parts]).strip()


def keys_of(part: type[BaseModel]) -> str:
    """Return the table of a model's keys, with the descriptions of its docstring."""
    told = descriptions(part)
    rows = [
        f"| `{name}` | {kind_of(field.annotation)} | {_default(field)} | {told[name]} |"
        for name, field in part.model_fields.items()
    ]
    return "\n".join(["| Key | Type | If left out | What it holds |", "|---|---|---|---|", *rows])


def descriptions(part: type[BaseModel]) -> dict[str, str]:
    """Return what the docstrings of a model and its bases say about each key."""
    told = {name: "" for name in part.model_fields}
    for one in reversed(part.__mro__):
        for name, text in _ATTRIBUTE.findall(cleandoc(one.__doc__ or "")):
            if name in told:
                told[name] = _as_markdown(text)
    return told


def kind_of(annotation: Any) -> str:
    """Return in words what values a key takes."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return kind_of(inner[0])
    if origin is Literal:
        return ", ".join(f"`{value}`" for value in inner if value != "")
    if origin in (Union, types.UnionType):
        return " or ".join(_once(kind_of(one) for one in inner if one is not type(None)))
    if origin is tuple:
        return f"list of {kind_of(inner[0])}"
    if origin is dict:
        return f"{kind_of(inner[1])}, by name"
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation.__name__
    return _NAMES.get(annotation, "any value" if annotation is object else _plain(annotation))


def _plain(annotation: Any) -> str:
    return "any value" if annotation is Any else str(annotation.__name__).lower()


def _once(texts: Iterator[str]) -> list[str]:
    return list(dict.fromkeys(text for text in texts if text))


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True)
    return f"`{value}`".lower() if isinstance(value, str | bool) and value != "" else ""


def _as_markdown(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("``", "`").replace("|", r"\|").strip()


def _filled(found: re.Match[str]) -> str:
    part = keys_of(MODELS[found[2]]) if found[2] else commands()
    return f"{found[1]}\n{part}\n\n{found[3]}"
