"""Explanations of survivors, written by people: matched to the mutants that did survive."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from toolworld.packages import Package
from toolworld.packages.files import read_json_if_there

Json = dict[str, Any]


def explanations_of(package: Package, functions: Collection[str]) -> list[Json]:
    """Return a package's explanations of mutants of some functions and constants."""
    found = read_json_if_there(package.files.survivors)
    return [one for one in found if one["function"] in functions]


def explained(survivors: Sequence[Json], explanations: Sequence[Json]) -> list[Json]:
    """Return survivors, each with its explanation as ``because``; None without one."""
    reasons = {_place(one["line"], one): one["because"] for one in explanations}
    return [{**one, "because": reasons.get(_place(one["source"], one))} for one in survivors]


def stale(survivors: Sequence[Json], explanations: Sequence[Json]) -> list[Json]:
    """Return the explanations of mutants that are killed or gone."""
    alive = {_place(one["source"], one) for one in survivors}
    return [one for one in explanations if _place(one["line"], one) not in alive]


def _place(line: str, one: Json) -> tuple[str, str, str]:
    """Return a key of a mutant that does not depend on its line number."""
    return one["function"], line.strip(), one["change"]
