"""Python text of drafted parts: headers of tools, constants, whole functions.

A model writes only statements. The header, and so what an agent sees of a tool, follows from the
signature.
"""

from __future__ import annotations

import ast
import re
import textwrap

from toolworld.draft.answers import Constant, ToolPlan
from toolworld.draft.blueprint import Blueprint, result_of
from toolworld.spec.findings import FileFindings
from toolworld.spec.model import LIST_PREFIX, SCALARS
from toolworld.spec.source import parse_source

WIDTH = 100
INDENT = "    "
PYTHON = {
    "text": "str", "integer": "int", "number": "float", "money": "Money", "boolean": "bool",
}  # fmt: skip
PAGING = {
    "cursor": "Where to go on, from the page before.",
    "limit": "Rows on the page, 1 to 200.",
}
BAD_PAGE = "The cursor or limit is bad."


def python_type(name: str, blueprint: Blueprint) -> str:
    """Return the annotation for a type of a signature."""
    inner = name.removeprefix(LIST_PREFIX)
    if inner in SCALARS:
        text = PYTHON.get(inner, inner)
    else:
        text = f"{inner}Id" if inner in blueprint.kinds else inner
    return f"list[{text}]" if name.startswith(LIST_PREFIX) else text


def header(tool: ToolPlan, blueprint: Blueprint) -> str:
    """Return a tool's ``def`` line and docstring."""
    result, paged = result_of(tool)
    returned = f"Page[{result}]" if paged else result
    parameters = ["db: Database", *_parameters(tool, blueprint)]
    if paged:
        parameters += ["cursor: str | None = None", "limit: int = 50"]
    return f"def {tool.name}({', '.join(parameters)}) -> {returned}:\n{_docstring(tool, paged)}"


def _parameters(tool: ToolPlan, blueprint: Blueprint) -> list[str]:
    ordered = sorted(tool.arguments, key=lambda argument: argument.optional)
    texts = []
    for argument in ordered:
        text = f"{argument.name}: {python_type(argument.type, blueprint)}"
        texts.append(f"{text} | None = None" if argument.optional else text)
    return texts


def _docstring(tool: ToolPlan, paged: bool) -> str:
    said = {argument.name: sentence(argument.says) for argument in tool.arguments}
    said |= PAGING if paged else {}
    raised = [*refusals(tool), *([BAD_PAGE] if paged else [])]
    lines = [f'"""{_safe(sentence(tool.does))}']
    if said:
        lines += ["", "Args:"]
        lines += [line for name, text in said.items() for line in _entry(name, text)]
    if raised:
        lines += ["", "Raises:", *(line for text in raised for line in _entry("Rejected", text))]
    if len(lines) == 1:
        return f'{INDENT}{lines[0]}"""\n'
    return textwrap.indent("\n".join([*lines, '"""']), INDENT) + "\n"


def refusals(tool: ToolPlan) -> list[str]:
    """Return when a tool refuses a call, unknown ids included."""
    ids = [argument.name for argument in tool.arguments if argument.type[:1].isupper()]
    ids = [name for name in ids if name.endswith("_id")]
    unknown = [f"There is no such {name.removesuffix('_id').replace('_', ' ')}." for name in ids]
    return [*unknown, *(sentence(text) for text in tool.refuses)]


def _entry(name: str, text: str) -> list[str]:
    return textwrap.wrap(
        f"{name}: {_safe(text)}",
        WIDTH - len(INDENT),
        initial_indent=INDENT,
        subsequent_indent=2 * INDENT,
    )


def sentence(text: str) -> str:
    """Return a text on one line that ends like a sentence."""
    text = " ".join(text.split())
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _safe(text: str) -> str:
    """Return a text that cannot end a docstring or escape in one."""
    return text.replace("\\", "/").replace('"', "'").strip()


def body_of(text: str) -> str:
    """Return statements, indented once."""
    return textwrap.indent(textwrap.dedent(text.strip("\n")), INDENT).rstrip() + "\n"


def seed_function(table: str, body: str) -> str:
    """Return the function of a seed recipe."""
    says = _safe(sentence(f"Make {table.replace('_', ' ')}"))
    return (
        f"def seed_{table}(db: Database, fake: Fake, count: int) -> None:\n"
        f'{INDENT}"""{says}"""\n{body_of(body)}'
    )


def constant_line(constant: Constant) -> str:
    """Return a constant's definition."""
    return f"{constant.name} = {' '.join(constant.value.split())}"


def is_one_function(text: str, name: str) -> bool:
    """Return whether a text is one function of that name and nothing else."""
    source = parse_source(text, FileFindings("tools.py"))
    body = source.tree.body if source else []
    return len(body) == 1 and isinstance(body[0], ast.FunctionDef) and body[0].name == name


def renamed(text: str, names: dict[str, str]) -> str:
    """Return code with some names of its module changed."""
    if not names:
        return text
    pattern = re.compile(rf"(?<![\w.])({'|'.join(map(re.escape, names))})\b")
    return pattern.sub(lambda found: names[found[1]], text)
