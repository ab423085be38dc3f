"""The grade: whether an episode's changes, messages and conduct are what a task wants.

Rows added under minted keys are compared up to renaming those keys, and each column by its match
policy. Rules decide, never a model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from ..database.schema import TableSchema
from ..person.answers import LONGEST_ANSWER, WantedAnswer, is_told, similar
from .task import Change, Goal, JsonRow

Names = dict[tuple[str, str], str]
"""The episode's key that stands for each minted key of the goal, by table and key."""

SEARCH_BUDGET = 100_000
"""The most comparisons of two rows in one search: a bound on time that no task comes near."""


@dataclass(frozen=True, slots=True)
class GradePart:
    """One part of a grade.

    Attributes:
        passed: Whether nothing is wrong.
        reasons: What is wrong, in words.
        unseen: The numbers of the clauses that could not be checked; only of conduct.
    """

    passed: bool
    reasons: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()

    @classmethod
    def of(cls, reasons: Iterable[str], unseen: tuple[str, ...] = ()) -> GradePart:
        """Return a part with these reasons, which passes if there are none."""
        found = tuple(reasons)
        return cls(not found, found, unseen)


@dataclass(frozen=True, slots=True)
class Grade:
    """The grade of an episode.

    Attributes:
        reward: 1.0 when all three parts passed, else 0.0.
        score: The wanted changes and answers that are there, as a share of all wanted ones, stray
            changes and broken clauses: from 0.0 to 1.0, and 1.0 only with the reward.
        reasons: Those of the three parts.
        state: Whether exactly the wanted rows differ from the start.
        answers: Whether the person was told what was asked for.
        conduct: Whether no clause of the policy was broken on the way.
    """

    reward: float
    score: float
    reasons: tuple[str, ...]
    state: GradePart
    answers: GradePart
    conduct: GradePart


def grade(
    goal: Goal,
    changes: Sequence[Change],
    messages: Sequence[str],
    conduct: GradePart,
    schemas: Mapping[str, TableSchema],
) -> Grade:
    """Compare an episode's changes and messages with a goal.

    Args:
        goal: What must be true in the end.
        changes: The rows that differ from the start.
        messages: What the agent said; one of ``LONGEST_ANSWER`` characters or more tells nothing.
        conduct: The part that is judged by the policy.
        schemas: The schemas of the tables.
    """
    wanted = counting(goal.changes, schemas)
    # In most good episodes the changes are those wanted, and count alike.
    actual = wanted if goal.changes == tuple(changes) else counting(changes, schemas)
    pairs = paired(wanted, actual, schemas)
    missing = [change for index, change in enumerate(wanted) if index not in pairs]
    stray = [change for index, change in enumerate(actual) if index not in pairs.values()]
    unsaid = [answer for answer in goal.answers if not is_told(answer, messages)]
    state = GradePart.of(
        (
            *(f"Missing: {describe(change, stray, schemas)}." for change in missing),
            *(f"Not asked for: {describe(change, missing, schemas)}." for change in stray),
        )
    )
    answers = GradePart.of(unsaid_reasons(unsaid, messages))
    reasons = (*state.reasons, *answers.reasons, *conduct.reasons)
    total = len(wanted) + len(stray) + len(goal.answers) + len(conduct.reasons)
    achieved = len(wanted) - len(missing) + len(goal.answers) - len(unsaid)
    score = achieved / total if total else float(not reasons)
    return Grade(0.0 if reasons else 1.0, score, reasons, state, answers, conduct)


def unsaid_reasons(unsaid: Sequence[WantedAnswer], messages: Sequence[str]) -> Iterator[str]:
    """Yield why each answer that was not told counts as missing."""
    for wanted in unsaid:
        words = " or ".join(
            f'"{one}"' for one in (wanted if isinstance(wanted, tuple) else (wanted,))
        )
        yield f"The agent does not say {words}."
    if unsaid and any(len(message) >= LONGEST_ANSWER for message in messages):
        yield f"A message of {LONGEST_ANSWER} characters or more tells a person nothing."


def counting(changes: Sequence[Change], schemas: Mapping[str, TableSchema]) -> list[Change]:
    """Return the changes that count: all but those of exempt columns alone."""
    return [change for change in changes if _counts(change, schemas[change.table])]


def _counts(change: Change, schema: TableSchema) -> bool:
    if change.before is None or change.after is None:
        return True
    before, exempt = change.before, schema.exempt
    return any(
        value != before.get(column)
        for column, value in change.after.items()
        if column not in exempt
    )


def paired(
    wanted: Sequence[Change], actual: Sequence[Change], schemas: Mapping[str, TableSchema]
) -> dict[int, int]:
    """Return, for each wanted change, the change of the episode that matches it, by index."""
    if wanted == actual:
        # Each matches itself, as in most good episodes: no search is needed.
        return dict(enumerate(range(len(wanted))))
    return Matching(wanted, actual, schemas).best()


def describe(change: Change, others: Sequence[Change], schemas: Mapping[str, TableSchema]) -> str:
    """Return a change in words, naming the columns that differ.

    Args:
        change: The change.
        others: The changes it may be meant as; an added row is compared with the nearest one.
        schemas: The schemas of the tables.
    """
    where = f'{change.table} "{change.key}"'
    if change.after is None:
        return f"{where} removed"
    after = change.after
    if change.before is None:
        rows = [one.after for one in others if one.table == change.table and one.before is None]
        columns = min(
            (columns_apart(after, row, schemas[change.table]) for row in rows if row),
            key=len,
            default=[],
        )
        return f"{where} added" + (f" with {shown(after, columns)}" if columns else "")
    before = change.before
    return f"{where} changed: {shown(after, [n for n in after if after[n] != before.get(n)])}"


def columns_apart(row: JsonRow, other: JsonRow, schema: TableSchema) -> list[str]:
    """Return the columns in which two rows differ, without the key and exempt columns."""
    return [
        column
        for column, value in row.items()
        if column != schema.key and column not in schema.exempt and value != other.get(column)
    ]


def shown(row: JsonRow, columns: Iterable[str]) -> str:
    """Return columns of a row with their values, in words."""
    return ", ".join(f"{name} = {row[name]!r}" for name in columns)


class Matching:
    """Searches for the change of an episode that matches each wanted change.

    The candidates of a wanted change can only get fewer as minted keys are paired. So a change with
    one candidate is paired at once, one with none ends the branch, and a choice is made only when
    every change left has several.
    """

    def __init__(
        self,
        wanted: Sequence[Change],
        actual: Sequence[Change],
        schemas: Mapping[str, TableSchema],
    ) -> None:
        """Note the minted keys on either side, and the candidates of each wanted change."""
        self._wanted = wanted
        self._actual = actual
        self._schemas = schemas
        self._minted = {(c.table, c.key) for c in wanted if self._is_minted(c)}
        self._fresh = {(c.table, c.key) for c in actual if self._is_minted(c)}
        self._left = len(wanted) * len(actual)
        everything = range(len(actual))
        self._fitting = {
            index: [candidate for candidate, _ in self._candidates(index, {}, {}, everything)]
            for index in range(len(wanted))
        }
        self._left = SEARCH_BUDGET

    def best(self) -> dict[int, int]:
        """Return the pairs of a full matching, or of a greedy one when there is none."""
        if len(self._wanted) == len(self._actual):
            full = self._search({}, {})
            if full is not None:
                return full
        self._left = SEARCH_BUDGET
        return self._greedy()

    def _is_minted(self, change: Change) -> bool:
        return change.before is None and self._schemas[change.table].prefix is not None

    def _search(self, names: Names, pairs: dict[int, int]) -> dict[int, int] | None:
        if len(pairs) == len(self._wanted):
            return pairs
        index = self._next(names, pairs)
        for candidate, renamed in self._candidates(index, names, pairs, self._fitting[index]):
            found = self._search(renamed, pairs | {index: candidate})
            if found is not None or self._left <= 0:
                return found
        return None

    def _greedy(self) -> dict[int, int]:
        names: Names = {}
        pairs: dict[int, int] = {}
        lost: set[int] = set()
        while len(pairs) + len(lost) < len(self._wanted):
            index = self._next(names, {**pairs, **dict.fromkeys(lost, -1)})
            first = next(self._candidates(index, names, pairs, self._fitting[index]), None)
            if first is None:
                lost.add(index)
            else:
                pairs[index], names = first
        return pairs

    def _next(self, names: Names, done: Mapping[int, int]) -> int:
        """Return a wanted change with at most one candidate if there is one, else any."""
        left = [index for index in self._fitting if index not in done]
        left.sort(key=lambda index: len(self._fitting[index]))
        for index in left:
            candidates = self._candidates(index, names, done, self._fitting[index])
            if len(list(islice(candidates, 2))) < 2:
                return index
        return left[0]

    def _candidates(
        self, index: int, names: Names, pairs: Mapping[int, int], among: Iterable[int]
    ) -> Iterator[tuple[int, Names]]:
        wanted = self._wanted[index]
        taken = set(pairs.values())
        for candidate in among:
            actual = self._actual[candidate]
            if candidate not in taken and actual.table == wanted.table and self._left > 0:
                self._left -= 1
                renamed = self._unify(wanted, actual, dict(names))
                if renamed is not None:
                    yield candidate, renamed

    def _unify(self, wanted: Change, actual: Change, names: Names) -> Names | None:
        """Return the names extended so that two changes match, or None if they cannot."""
        if (wanted.before is None) != (actual.before is None):
            return None
        if not self._same_key(wanted.table, wanted.key, actual.key, names):
            return None
        if wanted.after is None or actual.after is None:
            return names if wanted.after is actual.after else None
        return names if self._same_row(wanted.table, wanted.after, actual.after, names) else None

    def _same_row(self, table: str, wanted: JsonRow, actual: JsonRow, names: Names) -> bool:
        schema = self._schemas[table]
        policies = schema.policies or {}
        targets: dict[str, dict[tuple[str, ...], str]] = {}
        for reference in schema.references:
            column, *rest = reference.path
            targets.setdefault(column, {})[tuple(rest)] = reference.table
        for column, value in wanted.items():
            policy = policies.get(column, "hard")
            if column == schema.key or policy == "exempt":
                continue
            if policy == "semantic":
                same = similar(value, actual.get(column))
            else:
                same = self._same_value(value, actual.get(column), targets.get(column, {}), names)
            if not same:
                return False
        return True

    def _same_value(
        self,
        wanted: object,
        actual: object,
        targets: Mapping[tuple[str, ...], str],
        names: Names,
    ) -> bool:
        if isinstance(wanted, list) and isinstance(actual, list):
            return len(wanted) == len(actual) and all(
                self._same_value(one, other, targets, names)
                for one, other in zip(wanted, actual, strict=True)
            )
        if isinstance(wanted, dict) and isinstance(actual, dict):
            return all(
                self._same_value(value, actual.get(name), _inside(targets, name), names)
                for name, value in wanted.items()
            )
        if () in targets and isinstance(wanted, str) and isinstance(actual, str):
            return self._same_key(targets[()], wanted, actual, names)
        return wanted == actual

    def _same_key(self, table: str, wanted: str, actual: str, names: Names) -> bool:
        if (table, wanted) not in self._minted:
            return wanted == actual
        known = names.get((table, wanted))
        if known is not None:
            return known == actual
        taken = any(name == actual for (other, _), name in names.items() if other == table)
        if taken or (table, actual) not in self._fresh:
            return False
        names[table, wanted] = actual
        return True


def _inside(targets: Mapping[tuple[str, ...], str], name: str) -> dict[tuple[str, ...], str]:
    return {path[1:]: table for path, table in targets.items() if path and path[0] == name}
