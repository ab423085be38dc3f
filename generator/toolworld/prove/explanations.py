"""Explanations of survivors, written by people: matched to the mutants that did survive."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from toolworld.emit import Package

Json = dict[str, Any]


def explanations_of(package: Package, functions: Collection[str]) -> list[Json]:
    """Return a package's explanations of mutants of some functions and constants."""
    file = package.path / "src" / package.module_name / "data" / "survivors.json"
    found: list[Json] = json.loads(file.read_text("utf-8")) if file.is_file() else []
    return [one for one in found if one["function"] in functions]


def explained(survivors: Sequence[Json], explanations: Sequence[Json]) -> list[Json]:
    """Return survivors with why each survives as ``because``, None where nobody says."""
    reasons = {_place(one["line"], one): one["because"] for one in explanations}
    return [{**one, "because": reasons.get(_place(one["source"], one))} for one in survivors]


def stale(survivors: Sequence[Json], explanations: Sequence[Json]) -> list[Json]:
    """Return the explanations of what no longer survives, or is no longer there."""
    alive = {_place(one["source"], one) for one in survivors}
    return [one for one in explanations if _place(one["line"], one) not in alive]


def _place(line: str, one: Json) -> tuple[str, str, str]:
    """Return what names a mutant wherever its line has moved to."""
    return one["function"], line.strip(), one["change"]
