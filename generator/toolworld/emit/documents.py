"""The content of a package's README, ``server.json`` and ``manifest.json``.

Pure functions of a spec: JSON is built here as data, and what the README template shows is
worked out here, so that the template only lays it out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import Any

from toolworld.emit.sample import WorkingCall
from toolworld.spec.model import Entity, ObjectField, Tool
from toolworld.spec.spec import Spec

SERVER_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
MANIFEST_VERSION = "0.4"
NAMESPACE = "io.github.toolworld"
LICENSE = "Apache-2.0"
PYTHON = ">=3.11"

SENTENCE_END = re.compile(r"[.!?](?= [^a-z])")
CLAUSE_END = re.compile(r"[:;] ")

SERVER_TEXT_LIMIT = 100
"""The longest title and description the registry takes."""
PYPI_TEXT_LIMIT = 512


@dataclass(frozen=True)
class Documents:
    """What the documents of one package are made from.

    Attributes:
        package: The module's name, such as ``toolworld_library``.
        distribution: The distribution and console script, such as ``toolworld-library``.
        definitions: The tools as clients see them: the content of ``tools.json``.
        sample: A call that the README shows.
    """

    spec: Spec
    package: str
    distribution: str
    version: str
    definitions: Sequence[Mapping[str, Any]]
    sample: WorkingCall | None = None

    @property
    def registry_name(self) -> str:
        """The server's name in the MCP registry."""
        return f"{NAMESPACE}/{self.distribution}"

    @property
    def summary(self) -> str:
        """The whole summary on one line."""
        return " ".join(self.spec.domain.summary.split())

    @property
    def short_summary(self) -> str:
        """As much of the summary as the registry takes and is whole, else the title."""
        title = self.spec.domain.title
        named = f"{title}, as an MCP server with {len(self.spec.tools)} tools."
        whole = opening(self.summary, SERVER_TEXT_LIMIT)
        return whole or (named if len(named) <= SERVER_TEXT_LIMIT else self.short_title)

    @property
    def short_title(self) -> str:
        """The title on one line, cut at a word to the registry's limit."""
        return shorten(self.spec.domain.title, SERVER_TEXT_LIMIT)

    @property
    def toml_summary(self) -> str:
        """As much of the summary as PyPI takes, as a TOML string; JSON's escapes are TOML's."""
        whole = opening(self.summary, PYPI_TEXT_LIMIT) or self.short_summary
        return json.dumps(whole, ensure_ascii=False)

    @property
    def clock(self) -> str:
        """The world clock's time as data shows it."""
        return self.spec.clock.astimezone(UTC).isoformat().replace("+00:00", "Z")

    @property
    def reading_table(self) -> str:
        """The tools that change nothing, as rows of a Markdown table."""
        return tool_rows(tool for tool in self.spec.tools if tool.effects.read_only)

    @property
    def writing_table(self) -> str:
        """The tools that change the state, as rows of a Markdown table."""
        return tool_rows(tool for tool in self.spec.tools if not tool.effects.read_only)

    @property
    def diagram(self) -> str:
        """The entities and their references as a Mermaid diagram."""
        return diagram(self.spec)

    @property
    def client_config(self) -> str:
        """The ``mcpServers`` JSON of Claude Desktop and Cursor."""
        return to_json({"mcpServers": {self.distribution: {"command": self.distribution}}})

    @property
    def vscode_config(self) -> str:
        """The content of ``.vscode/mcp.json``."""
        server = {"type": "stdio", "command": self.distribution}
        return to_json({"servers": {self.distribution: server}})

    @property
    def example_start(self) -> str:
        """JSON that opens an episode, at the sample's task if it has one."""
        task = self.sample.task if self.sample else ""
        return json.dumps({"task": task} if task else {})

    @property
    def example(self) -> str:
        """Python code that opens an episode, makes the sample's call and shows its result."""
        if self.sample is None:
            return 'print([tool["name"] for tool in Environment().tools])'
        tool, arguments, task = self.sample.tool, self.sample.arguments, self.sample.task
        grade = ", environment.grade()" if task else ""
        return (
            f"environment = Environment({f'task={task!r}' if task else ''})\n"
            f"result = environment.call({tool!r}, {arguments!r})\n"
            "print(result.outcome, result.text)\n"
            f"print(environment.diff(), environment.digest(){grade})\n"
            "environment.reset()"
        )


def server_json(documents: Documents) -> dict[str, Any]:
    """Return ``server.json``: how the MCP registry describes the package."""
    return {
        "$schema": SERVER_SCHEMA,
        "name": documents.registry_name,
        "title": documents.short_title,
        "description": documents.short_summary,
        "version": documents.version,
        "packages": [
            {
                "registryType": "pypi",
                "identifier": documents.distribution,
                "version": documents.version,
                "runtimeHint": "uvx",
                "transport": {"type": "stdio"},
            }
        ],
    }


def manifest(documents: Documents) -> dict[str, Any]:
    """Return ``manifest.json``: how an MCP bundle (mcpb) runs the package with uv."""
    return {
        "manifest_version": MANIFEST_VERSION,
        "name": documents.distribution,
        "display_name": documents.spec.domain.title,
        "version": documents.version,
        "description": documents.spec.domain.summary,
        "author": {"name": "toolworld"},
        "license": LICENSE,
        "server": {
            "type": "uv",
            "entry_point": f"src/{documents.package}/__main__.py",
            "mcp_config": {
                "command": "uv",
                "args": ["run", "--directory", "${__dirname}", documents.distribution],
            },
        },
        "tools": [
            {"name": tool.name, "description": tool.summary} for tool in documents.spec.tools
        ],
        "compatibility": {
            "platforms": ["darwin", "linux", "win32"],
            "runtimes": {"python": PYTHON},
        },
    }


def to_json(value: object) -> str:
    """Return JSON for people: indented, keys as given, ending in no newline."""
    return json.dumps(value, indent=2, ensure_ascii=False)


def opening(text: str, limit: int) -> str:
    """Return the first sentences of text that fit the limit, on one line.

    If the first is too long, it ends where a colon or a semicolon stands; if that is too long,
    too, nothing is left.
    """
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    ends = [found.end() for found in SENTENCE_END.finditer(line)]
    if kept := [end for end in ends if end <= limit]:
        return line[: kept[-1]]
    clauses = [found.start() for found in CLAUSE_END.finditer(line[:limit])]
    return f"{line[: clauses[-1]]}." if clauses else ""


def shorten(text: str, limit: int) -> str:
    """Return text on one line, to fit the limit: whole sentences, or else words and an ellipsis."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    sentences = line.rfind(". ", 0, limit + 1) + 1
    if sentences:
        return line[:sentences]
    return line[:limit].rsplit(" ", 1)[0].rstrip(",;:.")[: limit - 1] + "…"


def tool_rows(tools: Iterable[Tool]) -> str:
    """Return a Markdown table row for each tool: name, summary and what it touches."""
    return "\n".join(
        f"| `{tool.name}` | {_cell(tool.summary)} | {_cell(touches(tool))} |" for tool in tools
    )


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def touches(tool: Tool) -> str:
    """Say which tables a tool reads, adds to, changes and removes from."""
    effects = tool.effects
    groups = {
        "adds to": effects.creates,
        "changes": effects.writes,
        "removes from": effects.deletes,
        "reads": effects.reads,
    }
    return "; ".join(f"{verb} {_tables(names)}" for verb, names in groups.items() if names)


def _tables(names: Sequence[str]) -> str:
    return ", ".join(sorted({name.partition(".")[0] for name in names}))


def diagram(spec: Spec) -> str:
    """Return the entities and their references as a Mermaid ``erDiagram``."""
    lines = ["erDiagram"]
    for name, entity in spec.domain.entities.items():
        lines.append(f"    {name} {{")
        lines += [f"        {_attribute(spec, entity, key)}" for key in entity.columns]
        lines.append("    }")
    for name, entity in spec.domain.entities.items():
        lines += [f"    {relation}" for relation in _relations(spec, name, entity)]
    return "\n".join(lines)


def _attribute(spec: Spec, entity: Entity, key: str) -> str:
    column = entity.columns[key]
    reference = spec.domain.kind(column.item_type) == "reference"
    shown = ("text" if reference else column.item_type) + "[]" * column.is_list
    marks = {"PK": key == entity.key, "FK": reference, "UK": column.unique}
    return f"{shown} {key} {', '.join(mark for mark, has in marks.items() if has)}".rstrip()


def _relations(spec: Spec, name: str, entity: Entity) -> Iterator[str]:
    for key, column in entity.columns.items():
        for path, field in _references(spec, key, column):
            nested = path != key or column.is_list
            one = "}o" if nested else "|o" if column.nullable else "||"
            many = "o|" if column.unique else "o{"
            yield f'{field.item_type} {one}--{many} {name} : "{path}"'


def _references(spec: Spec, path: str, field: ObjectField) -> Iterator[tuple[str, ObjectField]]:
    kind = spec.domain.kind(field.item_type)
    if kind == "reference":
        yield path, field
    elif kind == "object":
        for key, inner in spec.domain.objects[field.item_type].fields.items():
            yield from _references(spec, f"{path}.{key}", inner)
