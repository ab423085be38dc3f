"""One request for all rows of a listing, said once."""

from __future__ import annotations

from toolworld.tasks.outline import Every, Request
from toolworld.tasks.phrasing.english import plural
from toolworld.tasks.phrasing.naming import Names
from toolworld.tasks.phrasing.spoken import Choice
from toolworld.tasks.phrasing.telling_apart import clause
from toolworld.tasks.rows import Row


def loop_name(names: Names, request: Request) -> str:
    """Return the noun phrase for all rows, one by one: ``each of my 3 pending orders``."""
    every = _every(request)
    noun = names.catalogue.noun(every.entity)
    if every.count == 1:
        return f"{_owner(names, request)} only {_rows(names, every, noun, 'is')}"
    return f"each of {_owner(names, request)} {every.count} {_rows(names, every, plural(noun))}"


def the_same_for(names: Names, request: Request) -> str:
    """Return a sentence for all rows but the first, which has been spoken of."""
    every = _every(request)
    noun = _rows(names, every, plural(names.catalogue.noun(every.entity)))
    return f"Do the same for all {_owner(names, request)} other {noun}, {every.count} in all"


def _every(request: Request) -> Every:
    if request.every is None:
        raise ValueError("The request is for one row only.")
    return request.every


def _owner(names: Names, request: Request) -> str:
    """Return whose the rows are: of the one who speaks, unless the listing goes by other rows."""
    every = _every(request)
    leads = {column for column, _ in names.catalogue.references[every.entity].values()}
    shown: Row = every.filters
    if leads.isdisjoint(shown):
        shown = next((one.row for one in request.mentions if one.entity == every.entity), shown)
    return "my" if names.belongs(every.entity, shown) else "the"


def _rows(names: Names, every: Every, noun: str, verb: str = "are") -> str:
    before, after = [], []
    for name, value in every.filters.items():
        kind = names.catalogue.filter_type(every.entity, name)
        if value is None or (kind, value) == names.speaker:
            continue
        if kind in names.catalogue.entities:
            after.append(f"of {names.name_of(kind, value)}")
            continue
        said = names.views.value(kind, value)
        if isinstance(said, Choice) and " " not in str(said):
            before.append(str(said))
        else:
            after.append(clause(name, said, verb))
    return " ".join([*before, noun, " and ".join(after)]).strip()
