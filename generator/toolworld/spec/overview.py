"""A domain folder at a glance: its name and size, read without checking its code."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

from toolworld.errors import SpecError
from toolworld.spec.files import FOLDER, TOOLS, read_files
from toolworld.spec.findings import FileFindings
from toolworld.spec.model import DomainFile
from toolworld.spec.parts import read_part
from toolworld.spec.yaml_files import join_yaml

DOMAIN = "domain.yaml"


@dataclass(frozen=True)
class DomainOverview:
    """A domain's name, and how many tools and entities it has."""

    name: str
    title: str
    tools: int
    entities: int


def overview(folder: Path) -> DomainOverview:
    """Return the overview of a domain folder.

    Raises:
        SpecError: ``domain.yaml`` is missing or broken.
    """
    texts, problems = read_files(folder)
    notes = {name: FileFindings(name) for name in (*texts, DOMAIN)}
    document, files = join_yaml(DOMAIN, texts, notes)
    domain = None if document is None else read_part(DomainFile, document, notes[DOMAIN])
    if domain is None:
        found = [files.placed(one) for one in notes[DOMAIN].told()]
        raise SpecError([*problems, *found])
    code = (text for name, text in texts.items() if name == TOOLS or _is_area(name))
    return DomainOverview(
        domain.name, domain.title, sum(map(_count_tools, code)), len(domain.entities)
    )


def _is_area(name: str) -> bool:
    return name.startswith(f"{FOLDER}/") and name.endswith(".py")


def _count_tools(code: str) -> int:
    functions = [node for node in ast.parse(code).body if isinstance(node, ast.FunctionDef)]
    return sum(not function.name.startswith("_") for function in functions)
