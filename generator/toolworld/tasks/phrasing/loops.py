"""One request for all rows of a listing, said once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolworld.tasks.outline import Every, Request
from toolworld.tasks.phrasing.english import plural, words
from toolworld.tasks.phrasing.naming import Names
from toolworld.tasks.phrasing.spoken import Choice


def loop_name(names: Names, request: Request) -> str:
    """Return the noun phrase for all rows, one by one: ``each of my 3 pending orders``."""
    every = _every(request)
    if every.count == 1:
        return f"{_owner(names, every)} only {_rows(names, every, names.catalogue.noun(every.entity))}"
    noun = _rows(names, every, plural(names.catalogue.noun(every.entity)))
    return f"each of {_owner(names, every)} {every.count} {noun}"


def the_same_for(names: Names, request: Request) -> str:
    """Return a sentence for all rows but the first, which has been spoken of."""
    every = _every(request)
    noun = _rows(names, every, plural(names.catalogue.noun(every.entity)))
    return f"Do the same for all {_owner(names, every)} other {noun}, {every.count} in all"


def _every(request: Request) -> Every:
    if request.every is None:
        raise ValueError("The request is for one row only.")
    return request.every


def _owner(names: Names, every: Every) -> str:
    references = names.catalogue.references(every.entity).items()
    people = {column for column, entity in references if names.catalogue.is_person(entity)}
    return "my" if people & set(every.filters) else "the"


def _rows(names: Names, every: Every, noun: str) -> str:
    before, after = [], []
    for name, value in every.filters.items():
        kind = names.catalogue.shapes[every.entity].get(name, {}).get("type", "")
        if kind in names.catalogue.entities or value is None:
            continue
        said = names.views.value(kind, value)
        if isinstance(said, Choice) and " " not in str(said):
            before.append(str(said))
        else:
            after.append(_clause(name, said))
    return " ".join([*before, noun, *_joined(after)])


def _clause(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return f"that are {'' if value else 'not '}{words(name).removesuffix(' only')}"
    if name in ("status", "condition"):
        return f"that are {value}"
    return f"with {words(name)} {value}"


def _joined(clauses: list[str]) -> Iterator[str]:
    if clauses:
        yield " and ".join(clauses)
