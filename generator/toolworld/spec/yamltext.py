"""YAML read as plain data with the line of every part.

A small, safe YAML: no tags, anchors or aliases, no duplicate keys, bounded depth. Only
``true`` and ``false`` are booleans and dates stay texts, so ``on``, ``no`` and ``2026-03-02``
mean what they say.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Any

import yaml
from yaml.composer import Composer

from toolworld.spec.findings import FileFindings

DEEPEST = 30
TOO_DEEP = "The file is nested too deeply.", "Write fewer levels."
DEPTH_OF_READER = "exceeded maximum nesting depth"
"""What libyaml says of a text that is too deep for itself."""
MOST_NODES = 200_000
Path = tuple[str | int, ...]

NULL = re.compile(r"~|null|Null|NULL|")
BOOLEAN = re.compile(r"true|True|TRUE|false|False|FALSE")
INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,4000})")
FLOAT = re.compile(r"[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*([eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+))")
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
STANDARD = "tag:yaml.org,2002:"
RESOLVERS = (
    ("null", NULL, [*"~nN", ""]),
    ("bool", BOOLEAN, [*"tTfF"]),
    ("int", INTEGER, [*"-+0123456789"]),
    ("float", FLOAT, [*"-+.0123456789"]),
)


@dataclass
class Document:
    """A YAML file's content.

    Attributes:
        value: Dicts, lists, texts, numbers, booleans and None.
        lines: The line of each part, by its path.
    """

    value: Any
    lines: dict[Path, int] = field(default_factory=dict)

    def line(self, path: Path) -> int:
        """Return the line of a part, or of the nearest part around it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


class _TooMuch(yaml.YAMLError):
    """A file is nested more deeply, or holds more, than is read; that is reported already."""


class _Composer(Composer, yaml.CSafeLoader):
    """Composes nodes of libyaml's events; aliases are problems, not references."""

    findings: FileFindings
    depth = 0
    nodes = 0

    def __init__(self, text: str) -> None:
        yaml.CSafeLoader.__init__(self, text)
        Composer.__init__(self)

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        self.depth, self.nodes = self.depth + 1, self.nodes + 1
        event = self.peek_event()
        if event is not None:
            self._refuse_anchor(event)
        if self.depth > DEEPEST or self.nodes > MOST_NODES:
            self._refuse_more(event)
        node: yaml.Node | None
        if isinstance(event, yaml.AliasEvent):
            self.get_event()
            node = yaml.ScalarNode(STANDARD + "null", "")
            node.start_mark = event.start_mark
        else:
            node = super().compose_node(parent, index)
        self.depth -= 1
        return node

    def _refuse_more(self, event: yaml.Event | None) -> None:
        line = event.start_mark.line + 1 if event is not None and event.start_mark else 0
        if self.depth > DEEPEST:
            message, mend = TOO_DEEP
        else:
            message, mend = f"The file has more than {MOST_NODES:,} values.", "Write fewer."
        self.findings.add(line, "yaml-too-much", message, mend)
        raise _TooMuch

    def _refuse_anchor(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            line = event.start_mark.line + 1 if event.start_mark else 0
            self.findings.add(
                line, "yaml-alias", "Anchors and aliases are not used here.",
                "Write the value out.",
            )  # fmt: skip


_Composer.yaml_implicit_resolvers = {}
for _name, _pattern, _first in RESOLVERS:
    _Composer.add_implicit_resolver(
        STANDARD + _name, re.compile(f"(?:{_pattern.pattern})$"), _first
    )


def read_yaml(text: str, findings: FileFindings) -> Document | None:
    """Read a YAML text; an unreadable one is a finding and gives None."""
    try:
        loader = _Composer(text)
        loader.findings = findings
        try:
            node = loader.get_single_node()
        finally:
            loader.dispose()
    except _TooMuch:
        return None
    except yaml.YAMLError as error:
        _syntax(error, findings)
        return None
    document = Document(None)
    if node is not None:
        document.value = _plain(node, (), document, findings)
    return document


def _syntax(error: yaml.YAMLError, findings: FileFindings) -> None:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    line = mark.line + 1 if mark else 0
    reason = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
    if reason == DEPTH_OF_READER:
        findings.add(line, "yaml-too-much", *TOO_DEEP)
        return
    findings.add(
        line, "yaml-syntax", f"This is not valid YAML: {reason}.",
        "Check the indentation, and quote texts that hold `: ` or `#`, or start with a sign.",
    )  # fmt: skip


def _plain(node: yaml.Node, path: Path, document: Document, findings: FileFindings) -> Any:
    line = node.start_mark.line + 1
    document.lines.setdefault(path, line)
    if isinstance(node, yaml.MappingNode):
        _check_tag(node, "map", findings)
        return _mapping(node, path, document, findings)
    if isinstance(node, yaml.SequenceNode):
        _check_tag(node, "seq", findings)
        return [
            _plain(item, (*path, number), document, findings)
            for number, item in enumerate(node.value)
        ]
    return _scalar(node, line, findings)


def _mapping(
    node: yaml.MappingNode, path: Path, document: Document, findings: FileFindings
) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + 1
        if not isinstance(key_node, yaml.ScalarNode):
            findings.add(line, "yaml-key", "A key is not a plain name.", "Write `name: value`.")
            continue
        key = str(key_node.value)
        if CONTROL.search(key):
            findings.add(line, "yaml-key", "A key holds control characters.", "Leave them out.")
            continue
        if key in values:
            findings.add(
                line, "duplicate-key", f"The key {key} stands here twice.", "Keep one of them."
            )
            continue
        document.lines[(*path, key)] = line
        values[key] = _plain(value_node, (*path, key), document, findings)
    return values


def _check_tag(node: yaml.Node, kind: str, findings: FileFindings) -> None:
    if node.tag != STANDARD + kind:
        findings.add(
            node.start_mark.line + 1, "yaml-tag", f"The tag {node.tag} is not allowed.",
            "Leave the tag out.",
        )  # fmt: skip


def _scalar(node: yaml.Node, line: int, findings: FileFindings) -> Any:
    text = str(node.value)
    kind = node.tag.removeprefix(STANDARD)
    if kind not in ("str", "null", "bool", "int", "float"):
        _check_tag(node, "str", findings)
        return text
    if kind == "str":
        if CONTROL.search(text):
            findings.add(
                line, "odd-character", "A text holds control characters.", "Leave them out."
            )
            return CONTROL.sub("", text)
        return text
    return _converted(kind, text, line, findings)


def _converted(kind: str, text: str, line: int, findings: FileFindings) -> Any:
    pattern = {"null": NULL, "bool": BOOLEAN, "int": INTEGER, "float": FLOAT}[kind]
    if not pattern.fullmatch(text):  # an explicit tag on something else
        findings.add(line, "yaml-tag", f"{text!a} is no {kind}.", "Leave the tag out.")
        return text
    if kind == "null":
        return None
    if kind == "bool":
        return text.lower() == "true"
    if kind == "int":
        return int(text)
    number = float(text)
    if math.isinf(number):
        findings.add(line, "number", f"The number {text} is too large.", "Use a smaller one.")
        return 0.0
    return number


class _Dumper(yaml.SafeDumper):
    """Writes texts so that every YAML reader reads them back as texts."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


_Dumper.yaml_implicit_resolvers = {
    first: list(pairs) for first, pairs in yaml.SafeDumper.yaml_implicit_resolvers.items()
}
for _name, _pattern, _first in RESOLVERS:
    _Dumper.add_implicit_resolver(STANDARD + _name, re.compile(f"(?:{_pattern.pattern})$"), _first)


def write_yaml(value: Any) -> str:
    """Return a value as YAML; the same value always gives the same text."""
    text: str = yaml.dump(
        value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100,
        default_flow_style=False,
    )  # fmt: skip
    return text
