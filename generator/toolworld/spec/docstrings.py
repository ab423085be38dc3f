"""Google docstrings, taken apart: summary, details, ``Args`` and ``Raises``."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field

SECTION = re.compile(r"^(Args|Arguments|Raises|Returns|Yields|Note|Notes|Example|Examples):\s*$")
ENTRY = re.compile(r"^(\*{0,2}\w+)(?:\s*\([^)]*\))?:\s*(.*)$")


@dataclass
class Docstring:
    """A docstring's parts.

    Attributes:
        summary: The first paragraph, on one line.
        details: The paragraphs between the summary and the first section.
        arguments: The description of each parameter.
        raises: Name and text of each entry under ``Raises``.
        sections: The names of all sections, in order.
    """

    summary: str = ""
    details: str = ""
    arguments: dict[str, str] = field(default_factory=dict)
    raises: list[tuple[str, str]] = field(default_factory=list)
    sections: list[str] = field(default_factory=list)


def parse_docstring(text: str) -> Docstring:
    """Parse a Google docstring; unknown parts are left out."""
    parts = Docstring()
    body: dict[str, list[str]] = {"": []}
    section = ""
    for line in inspect.cleandoc(text).splitlines():
        heading = SECTION.match(line)
        if heading:
            section = heading.group(1)
            parts.sections.append(section)
            body.setdefault(section, [])
        else:
            body[section].append(line)
    parts.summary, parts.details = _opening(body[""])
    parts.arguments = dict(_entries(body.get("Args", [])))
    parts.raises = _entries(body.get("Raises", []))
    return parts


def _opening(lines: list[str]) -> tuple[str, str]:
    paragraphs = re.split(r"\n\s*\n", "\n".join(lines).strip())
    rest = (_joined(paragraph.splitlines()) for paragraph in paragraphs[1:])
    return _joined(paragraphs[0].splitlines()), "\n\n".join(rest)


def _entries(lines: list[str]) -> list[tuple[str, str]]:
    """Read ``name: text`` entries; deeper lines carry an entry on."""
    entries: list[tuple[str, list[str]]] = []
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    for line in lines:
        deeper = line[indent : indent + 1].isspace()
        match = None if deeper else ENTRY.match(line.strip())
        if match:
            entries.append((match.group(1), [match.group(2)]))
        elif line.strip() and entries:
            entries[-1][1].append(line)
    return [(name, _joined(text)) for name, text in entries]


def _joined(lines: list[str]) -> str:
    return " ".join(line.strip() for line in lines if line.strip())
