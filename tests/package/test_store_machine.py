"""The store against plain dicts: whatever is done to both, they show the same rows."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from toolworld.packages import Package

from .people import PEOPLE, START, TEAM_SIZE, Columns, Schemas, State

teams = st.sampled_from(["red", "blue", "green", "a much longer name"])
people = st.sampled_from([f"PER-{n:05d}" for n in range(1, 9)])
mails = st.sampled_from(["a", "b", "c", "d", None, None])
known = st.sampled_from(["PER-00001", "PER-00002", "PER-00004", "PER-00006"])
then = st.booleans()
notes = st.fixed_dictionaries({"by": known, "text": st.sampled_from(["hi", "ho"])})
columns_of: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "teams": {"title": st.sampled_from(["R", "G", None])},
    "people": {
        "team": st.none() | st.sampled_from(["red", "blue"]) | teams,
        "mail": mails,
        "friends": st.just(()) | st.lists(known, max_size=2).map(tuple),
        "notes": st.just(()) | st.lists(notes, max_size=2).map(tuple),
        "level": st.integers(1, 2),
        "pay": st.sampled_from(
            [Decimal(0), Decimal("1.50"), Decimal("1.5"), Decimal(7), Decimal(-1)]
        ),
    },
}
keys_of = {"teams": teams, "people": people}
tables = st.sampled_from(["teams", "people"])


def in_order(rows: Mapping[str, Columns]) -> list[Columns]:
    return [rows[key] for key in sorted(rows, key=lambda key: (len(key), key))]


def plain(row: Any) -> Columns:
    """Return a row of the store as the model has it."""
    columns: Columns = row.model_dump()
    return columns


def broken(state: State) -> Iterator[str]:
    """Yield what is wrong with a state, found by looking at all of it."""
    members = [row["team"] for row in state["people"].values() if row["team"]]
    for name, column in (("teams", "title"), ("people", "mail")):
        held = [row[column] for row in state[name].values() if row[column] is not None]
        if len(set(held)) != len(held):
            yield f"{column} twice"
    for row in state["people"].values():
        if row["team"] is not None and row["team"] not in state["teams"]:
            yield "no such team"
        named = {*row["friends"], *(note["by"] for note in row["notes"])}
        if not named <= state["people"].keys():
            yield "no such person"
        if row["pay"] < 0:
            yield "pay"
        if row["team"] and members.count(row["team"]) > TEAM_SIZE:
            yield "team too big"


class Episode:
    """A database of the store, and the dicts it must agree with.

    Attributes:
        kept: The rows as of the last commit.
        now: The rows with what the open transaction did.
        number: The next minted number as of the last commit; ``next`` now.
    """

    def __init__(self, database: Any, kept: State, number: int) -> None:
        self.database = database
        self.keep(kept, number)

    def keep(self, state: State, number: int) -> None:
        self.kept, self.number = copy.deepcopy(state), number
        self.undo()

    def undo(self) -> None:
        self.now, self.next = copy.deepcopy(self.kept), self.number
        self.writing = False

    def mint(self) -> str:
        """Return the next key nobody has."""
        while (key := f"PER-{self.next:05d}") in self.now["people"]:
            self.next += 1
        self.next += 1
        return key


class StoreMachine(RuleBasedStateMachine):
    """A few episodes of one base, each with its model."""

    schemas: ClassVar[Schemas]

    @initialize()
    def open(self) -> None:
        database = self.schemas.open()
        self.episodes = [Episode(database, START, 5)]
        self.moments: list[tuple[Any, State, int]] = [(database.snapshot(), START, 5)]
        self.digest_of: dict[str, str] = {}
        self.state_of: dict[str, str] = {}
        self.current = 0

    @property
    def episode(self) -> Episode:
        return self.episodes[self.current]

    @property
    def database(self) -> Any:
        return self.episode.database

    def at_rest(self) -> bool:
        return not self.episode.writing

    # Writes

    @rule(data=st.data(), table=tables, then=then)
    def add(self, data: st.DataObject, table: str, then: bool) -> None:
        episode, name = self.episode, self.schemas.tables[table].key
        columns = data.draw(st.fixed_dictionaries(columns_of[table]))
        named = table == "teams" or data.draw(st.integers(0, 4)) == 0
        if named:
            key = columns[name] = data.draw(keys_of[table])
            if key in episode.now[table]:
                self.refused(lambda: self.database.tables[table].add(**columns))
                return
        row = self.database.tables[table].add(**columns)
        if not named:
            key = columns[name] = episode.mint()
        assert plain(row) == columns
        episode.now[table][key] = columns
        self.wrote(then)

    @rule(data=st.data(), table=tables, then=then)
    def update(self, data: st.DataObject, table: str, then: bool) -> None:
        key = data.draw(keys_of[table])
        columns = data.draw(st.fixed_dictionaries({}, optional=columns_of[table]))
        rows = self.episode.now[table]
        if key not in rows:
            self.rejected(lambda: self.database.tables[table].update(key, **columns))
            return
        rows[key] = rows[key] | columns
        assert plain(self.database.tables[table].update(key, **columns)) == rows[key]
        self.wrote(then)

    @rule(data=st.data(), table=tables, then=then)
    def remove(self, data: st.DataObject, table: str, then: bool) -> None:
        key = data.draw(keys_of[table])
        if key not in self.episode.now[table]:
            self.rejected(lambda: self.database.tables[table].remove(key))
            return
        gone = self.episode.now[table].pop(key)
        assert plain(self.database.tables[table].remove(key)) == gone
        self.wrote(then)

    def wrote(self, then: bool) -> None:
        """Note that a transaction is open; half of the time, end it."""
        self.episode.writing = True
        if then:
            self.commit()

    @rule(
        table=tables,
        columns=st.sampled_from(
            [{"level": "1"}, {"level": True}, {"pay": "1"}, {"nope": 1}, {"friends": None},
             {"friends": "PER-00001"}, {"notes": ({"by": "PER-00001"},)}, {"pay": Decimal("0.001")},
             {"person_id": "PER-00009", "name": "x"}, {"title": 7, "team": 7}]
        ),
    )  # fmt: skip
    def write_what_does_not_fit(self, table: str, columns: Columns) -> None:
        key = "red" if table == "teams" else "PER-00001"
        if key in self.episode.now[table]:
            self.refused(lambda: self.database.tables[table].update(key, **columns))

    def refused(self, write: Any) -> None:
        with pytest.raises(self.schemas.errors.IntegrityError):
            write()

    def rejected(self, write: Any) -> None:
        with pytest.raises(self.schemas.errors.Rejected):
            write()

    # Transactions

    @rule()
    def commit(self) -> None:
        problems = list(broken(self.episode.now))
        if problems:
            self.refused(self.database.commit)
            self.database.rollback()
            self.episode.undo()
        else:
            self.database.commit()
            self.episode.keep(self.episode.now, self.episode.next)
            self.snapshot()

    @rule()
    def rollback(self) -> None:
        self.database.rollback()
        self.episode.undo()

    @precondition(at_rest)
    @rule(adds=st.integers(0, 2), removes=people, updates=people)
    def a_failed_call_changes_nothing(self, adds: int, removes: str, updates: str) -> None:
        database, before = self.database, self.database.digest()
        table = database.people
        with pytest.raises(self.schemas.errors.PackageError):
            for _ in range(adds):
                table.add(**PEOPLE)
            table.update(updates, level=7)
            table.remove(removes)
            table.add(level="not a number")
        database.rollback()
        assert database.digest() == before

    # Moments and episodes

    def snapshot(self) -> None:
        """Keep the moment after each commit."""
        episode = self.episode
        self.moments.append((self.database.snapshot(), copy.deepcopy(episode.kept), episode.number))

    @precondition(at_rest)
    @rule(which=st.integers(0, 3))
    def restore(self, which: int) -> None:
        moment, state, number = self.moments[-1 - which % len(self.moments)]
        self.database.restore(moment)
        self.episode.keep(state, number)

    @precondition(lambda self: self.at_rest() and len(self.episodes) < 3)
    @rule()
    def fork(self) -> None:
        other = self.schemas.open()
        other.restore(self.database.snapshot())
        self.episodes.append(Episode(other, self.episode.kept, self.episode.number))

    @rule(which=st.integers(0, 2))
    def turn_to(self, which: int) -> None:
        self.current = which % len(self.episodes)

    # Looks

    @rule(data=st.data(), table=tables)
    def look_up(self, data: st.DataObject, table: str) -> None:
        rows, found = self.episode.now[table], self.database.tables[table]
        key = data.draw(keys_of[table])
        row = found.find(key)
        assert (None if row is None else plain(row)) == rows.get(key)
        if row is None:
            self.rejected(lambda: found.get(key))
        else:
            assert found.get(key) is row
        equal = data.draw(st.fixed_dictionaries({}, optional=columns_of[table]))
        wanted = [row for row in in_order(rows) if row | equal == row]
        assert [plain(row) for row in found.where(**equal)] == wanted

    @rule(mail=st.sampled_from(["a", " A", "á.", "B", "a b", "A  b", ""]))
    def look_up_alike(self, mail: str) -> None:
        def said(text: str) -> str:
            return text.lower().replace("á", "a").replace(" ", "").replace(".", "")

        rows = in_order(self.episode.now["people"])
        wanted = [r for r in rows if r["mail"] is not None and said(r["mail"]) == said(mail)]
        assert [plain(row) for row in self.database.people.alike(mail=mail)] == wanted

    @rule(key=people)
    def referring(self, key: str) -> None:
        rows = in_order(self.episode.now["people"])
        found = self.database.people
        for path, wanted in (
            (("friends",), [row for row in rows if key in row["friends"]]),
            (("notes", "by"), [row for row in rows if key in [n["by"] for n in row["notes"]]]),
        ):
            assert [plain(row) for row in found.referring(path, key)] == wanted

    # What always holds

    @invariant()
    def the_rows_are_the_models(self) -> None:
        for episode in getattr(self, "episodes", ()):
            for name, rows in episode.now.items():
                shown = [plain(row) for row in episode.database.tables[name].all()]
                assert shown == in_order(rows)

    @invariant()
    def moments_stay_as_they_were(self) -> None:
        for moment, state, _ in getattr(self, "moments", ())[-4:]:
            for name, rows in moment.changes.items():
                for key, row in rows.items():
                    assert (None if row is None else plain(row)) == state[name].get(key)

    @invariant()
    def digests_are_those_of_the_rows(self) -> None:
        for episode in getattr(self, "episodes", ()):
            if not episode.writing:
                self.check_digest(episode)

    def check_digest(self, episode: Episode) -> None:
        digest = episode.database.digest()
        schemas, state = self.schemas, episode.kept
        rows = [(name, row) for name in state for row in state[name].values()]
        total = sum(schemas.row_digest(name, schemas.row(name, row)) for name, row in rows)
        assert digest == f"{total % 2**128:032x}"
        text = json.dumps(state, sort_keys=True, default=lambda money: str(money.normalize()))
        assert self.digest_of.setdefault(text, digest) == digest
        assert self.state_of.setdefault(digest, text) == text


def test_the_store_agrees_with_dicts(library: Package) -> None:
    machine = type("Machine", (StoreMachine,), {"schemas": Schemas(library)})
    budget = settings(max_examples=75, stateful_step_count=40)
    run_state_machine_as_test(machine, settings=budget)
