"""One request in words: the phrase that says most of it, and clauses for what it leaves out."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from toolworld.chained.outline import Json, Mention, Place, Request
from toolworld.chained.phrasing.catalogue import Catalogue
from toolworld.chained.phrasing.english import sentence, variable, words
from toolworld.chained.phrasing.lines import NothingToSay, PhraseLine
from toolworld.chained.phrasing.naming import CANNOT_TELL_APART, Names
from toolworld.chained.phrasing.says import says
from toolworld.errors import Unsayable

NO_PHRASE = "no phrase fits"
UNSAID, CONFUSED, UNNAMED, REPEATED = 10, 5, 2, 1


@dataclass
class PhraseAttempt:
    """A phrase filled in, and what it leaves out or leaves open.

    Attributes:
        unsaid: Arguments it does not say.
        confused: Mentions that it leaves open, or whose key it does not say.
        named: The rows it speaks of.
    """

    line: PhraseLine
    text: str
    unsaid: list[str] = field(default_factory=list)
    confused: list[Mention] = field(default_factory=list)
    named: set[Place] = field(default_factory=set)
    penalty: int = 0


class Speaker:
    """Says requests of one task, one after the other."""

    def __init__(self, catalogue: Catalogue, names: Names, rng: random.Random) -> None:
        """Start with nothing said."""
        self.catalogue, self.names, self.rng = catalogue, names, rng

    def say(self, request: Request) -> str:
        """Return a request in words.

        Raises:
            Unsayable: No phrase fits, or it cannot be said which row is meant.
        """
        self.names.turn_to({(one.entity, one.key): one.now for one in request.mentions if one.now})
        best = self._best(request)
        clauses = [self._argument_clause(request, name) for name in best.unsaid]
        clauses += [self._mention_clause(mention) for mention in best.confused]
        self.names.said(best.named | {(one.entity, one.key) for one in best.confused})
        self._recognise(request, best.line)
        return " ".join(sentence(text) for text in [best.text, *clauses])

    def _recognise(self, request: Request, line: PhraseLine) -> None:
        """Keep in mind who speaks, after a phrase in which they say so."""
        if self.names.speaker is not None or "I'm {{" not in line.source:
            return
        for mention in request.mentions:
            if re.search(rf"\bI'm {{{{ {variable(mention.entity)}\.", line.source):
                self.names.speaker = mention.entity, mention.key
                return

    def _best(self, request: Request) -> PhraseAttempt:
        lines = list(self.catalogue.tools.get(request.tool, ()))
        self.rng.shuffle(lines)
        best: PhraseAttempt | None = None
        reason = NO_PHRASE
        for line in lines:
            try:
                attempt = self._attempt(request, line)
            except NothingToSay:
                continue
            except Unsayable as error:
                reason = error.reason
                continue
            if best is None or attempt.penalty < best.penalty:
                best = attempt
            if not best.penalty:
                break
        if best is None:
            raise Unsayable(reason)
        return best

    def _attempt(self, request: Request, line: PhraseLine) -> PhraseAttempt:
        self.names.named.clear()
        values = dict(self._variables(request))
        attempt = PhraseAttempt(line, line.say(values), named=set(self.names.named))
        for name, value in request.arguments.items():
            if not self._says_argument(request, attempt, name, value):
                attempt.unsaid.append(name)
        attempt.penalty = UNSAID * len(attempt.unsaid)
        for mention in request.mentions:
            self._weigh(request, mention, attempt, values)
        if request.role == "knows" and line.asks:
            attempt.penalty += UNNAMED
        return attempt

    def _says_argument(
        self, request: Request, attempt: PhraseAttempt, name: str, value: Json
    ) -> bool:
        paths = {one.path for one in request.mentions}
        if name in paths or self._entity(request.tool, name):
            return True
        literal = _without(value, name, paths)
        return attempt.line.names(name) and says(attempt.text, literal)

    def _entity(self, tool: str, name: str) -> str | None:
        kind = self.catalogue.surface.tools[tool].parameters[name].type
        return kind if kind in self.catalogue.entities else None

    def _weigh(
        self, request: Request, mention: Mention, attempt: PhraseAttempt, values: Mapping[str, Any]
    ) -> None:
        """Add what a phrase leaves open of a row, or says again, to an attempt."""
        place = mention.entity, mention.key
        by_name = place in attempt.named
        described = self._describes(attempt.line, mention)
        attempt.named |= {place} if described else set()
        if mention.known_by_key and place not in self.names.spoken:
            if not says(attempt.text, mention.key):
                self._leave_open(attempt, mention, UNSAID)
        elif place == self.names.speaker:
            attempt.penalty += REPEATED if by_name or described else 0
        elif by_name:
            return
        elif place in self.names.spoken and not self.catalogue.is_person(mention.entity):
            attempt.penalty += REPEATED if described else 0
        elif not described and not mention.among:
            attempt.penalty += 0 if self.names.belongs(mention.entity, mention.row) else UNNAMED
        elif any(self._as_other(attempt, mention, other, values) for other in mention.among):
            self._leave_open(attempt, mention, CONFUSED)

    def _leave_open(self, attempt: PhraseAttempt, mention: Mention, penalty: int) -> None:
        attempt.confused.append(mention)
        attempt.penalty += penalty

    def _describes(self, line: PhraseLine, mention: Mention) -> bool:
        """Return whether a phrase says columns of a row, rather than only whether there is one."""
        names = self._names_of(mention)
        return any(path[0] in names and len(path) > 1 for path in line.uses)

    def _as_other(
        self,
        attempt: PhraseAttempt,
        mention: Mention,
        other: Mapping[str, Any],
        values: Mapping[str, Any],
    ) -> bool:
        """Return whether the phrase would say the same of another row."""
        view = self.names.views.row(mention.entity, other)
        swapped = {**values, **{name: view for name in self._names_of(mention) if name in values}}
        try:
            return attempt.line.say(swapped) == attempt.text
        except NothingToSay:
            return False

    def _names_of(self, mention: Mention) -> tuple[str, ...]:
        last = mention.path.rpartition(".")[2]
        return (last, last.removesuffix("_id"), variable(mention.entity))

    def _variables(self, request: Request) -> Iterator[tuple[str, Any]]:
        views = self.names.views
        parameters = self.catalogue.surface.tools[request.tool].parameters
        rows = {one.path: one for one in request.mentions}
        for name, part in reversed(list(parameters.items())):
            value = request.arguments.get(name)
            yield name, views.value(part.type, value)
            if part.type in self.catalogue.entities:
                row = self._row(part.type, value, rows.get(name))
                own = name.removesuffix("_id")
                general = variable(part.type)
                # A reporter is a user, but not the user that "user_id" would name.
                names = {own} if f"{general}_id" in parameters else {own, general}
                for row_variable in names - {name}:
                    yield row_variable, row

    def _row(self, entity: str, key: Json, mention: Mention | None) -> Any:
        if key is None:
            return None
        row = self.names.views.lookup(entity, key) if mention is None else mention.row
        if row is None:
            raise Unsayable("a row is not known")
        return self.names.views.row(entity, row)

    def _argument_clause(self, request: Request, name: str) -> str:
        part = self.catalogue.surface.tools[request.tool].parameters[name]
        value = self.names.views.value(part.type, request.arguments[name])
        if isinstance(value, bool):
            return f"{words(name).capitalize()}: {'yes' if value else 'no'}"
        if part.type == "text":
            return f'The {words(name)} should be "{value}"'
        if isinstance(value, list) or not isinstance(value, str | int | float):
            raise Unsayable(NO_PHRASE)
        if name.endswith(("_on", "_at", "_from", "_to", "_until")):
            return f"{words(name).capitalize()} {value}"
        return f"The {words(name)} should be {value}"

    def _mention_clause(self, mention: Mention) -> str:
        form = self.rng.choice(("I mean {}", "It is about {}", "This is about {}"))
        text = form.format(self.names.name_of(mention.entity, mention.key))
        if mention.known_by_key and not says(text, mention.key):
            raise Unsayable(CANNOT_TELL_APART)
        return text


def _without(value: Json, path: str, left_out: Iterable[str]) -> Json:
    """Return a value without the parts that are ids of mentioned rows."""
    if path in left_out:
        return None
    if isinstance(value, Mapping):
        return {key: _without(part, f"{path}.{key}", left_out) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_without(part, f"{path}.{n}", left_out) for n, part in enumerate(value)]
    return value
