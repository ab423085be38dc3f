"""The import lines that a domain's code needs in its module of a package.

A domain imports nothing: the names that it may use are known, and each comes from one module.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from toolworld.spec.model import DomainFile

LIBRARY = {
    "math": "import math",
    "date": "from datetime import date",
    "datetime": "from datetime import datetime",
    "timedelta": "from datetime import timedelta",
    "Decimal": "from decimal import Decimal",
    "Rejected": "from .errors import Rejected",
    "Money": "from .values import Money",
    "Page": "from .values import Page",
    "contains": "from .values import contains",
    "is_clear": "from .values import is_clear",
    "letters_of": "from .values import letters_of",
    "money": "from .values import money",
    "page": "from .values import page",
    "Database": "from .database.models import Database",
}
"""What any code of a domain may use, as a module at the root of the package imports it."""
EVENTS = {
    "Collection": "from collections.abc import Collection",
    "Event": "from .policy.past import Event",
    "Past": "from .policy.past import Past",
    "Written": "from .database.store import Written",
}
"""What predicates of conduct and laws may use as well."""
SCENARIOS = {
    "Agent": "from .making.agent import Agent",
    "Given": "from .making.agent import Given",
    "Draw": "from .making.draw import Draw",
    "Facts": "from .making.facts import Facts",
    "facts": "from .making.facts import facts",
    "told": "from .making.facts import told",
    "Outcome": "from .making.language import Outcome",
    "fits": "from .making.language import fits",
    "maybe": "from .making.language import maybe",
    "only": "from .making.language import only",
    "outcome": "from .making.language import outcome",
}
"""What situations and experts may use as well."""


def used_names(code: str) -> set[str]:
    """Return the names that code looks up."""
    return {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}


def imports(
    domain: DomainFile, used: Iterable[str], known: Mapping[str, str], room: str = ""
) -> list[str]:
    """Return an import line for each used name that a module must import.

    Args:
        domain: What the names are of.
        used: The names.
        known: The import line of each name that is not of the domain itself.
        room: The folder of the package that the module stands in; empty for the package's root.
    """
    models = {*domain.enums, *domain.objects, *domain.entities}
    models |= {f"{name}Id" for name in domain.entities}
    lines = {**known, **{name: f"from .database.models import {name}" for name in models}}
    return sorted(_placed(lines[name], room) for name in set(used) if name in lines)


def _placed(line: str, room: str) -> str:
    """Return an import line of the package's root as a module of one of its rooms has it."""
    if not room or not line.startswith("from ."):
        return line
    own = f"from .{room}."
    return line.replace(own, "from .", 1) if line.startswith(own) else f"from .{line[5:]}"
