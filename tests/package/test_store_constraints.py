"""What the store refuses at the end of a transaction, and what it says of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from toolworld.packages import Package

from .people import CLOCK, PEOPLE, START, Schemas, person


@pytest.fixture(scope="module")
def schemas(library: Package) -> Schemas:
    return Schemas(library)


@pytest.fixture
def db(schemas: Schemas) -> Any:
    return schemas.open()


Write = Callable[[Any], object]


@pytest.mark.parametrize(
    ("write", "says"),
    [
        (lambda db: db.people.update("PER-00001", team="nope"), 'team names the team "nope"'),
        (lambda db: db.people.update("PER-00001", friends=("x",)), 'friends names the person "x"'),
        (
            lambda db: db.people.update("PER-00001", notes=({"by": "x", "text": ""},)),
            'notes.by names the person "x"',
        ),
        (lambda db: db.people.update("PER-00002", mail="a"), 'another row has the mail "a"'),
        (lambda db: db.teams.update("blue", title="R"), 'another row has the title "R"'),
        (lambda db: db.people.update("PER-00001", pay=-1), "breaks the rule paid: Nobody pays"),
        (
            lambda db: [db.people.add(**PEOPLE | {"team": "red"}) for _ in range(2)],
            "breaks the rule room: A team is small.",
        ),
        (lambda db: db.teams.remove("red"), 'teams "red" is gone, but people still names it'),
        (lambda db: db.people.remove("PER-00001"), '"PER-00001" is gone, but people still'),
        (lambda db: db.people.remove("PER-00002"), '"PER-00002" is gone, but people still'),
    ],
)
def test_a_broken_constraint_is_refused(schemas: Schemas, db: Any, write: Write, says: str) -> None:
    before = db.digest()
    write(db)
    with pytest.raises(schemas.errors.IntegrityError) as refused:
        db.commit()
    assert says in str(refused.value)
    db.rollback()
    assert db.digest() == before
    db.commit()


@pytest.mark.parametrize(
    "write",
    [
        lambda db: (db.teams.remove("red"), db.teams.add(name="red", title="R")),
        lambda db: (db.people.update("PER-00001", mail="b"),
                    db.people.update("PER-00004", mail="a")),
        lambda db: (db.people.update("PER-00001", pay=-1), db.people.update("PER-00001", pay=1)),
        lambda db: (db.people.add(**person("PER-00009", friends=("PER-00010",))),
                    db.people.add(**person("PER-00010", friends=("PER-00009",)))),
        lambda db: (db.people.remove("PER-00004"), db.people.update("PER-00002", friends=()),
                    db.people.remove("PER-00001"), db.teams.remove("red")),
    ],
)  # fmt: skip
def test_what_is_whole_in_the_end_is_kept(db: Any, write: Write) -> None:
    """Constraints hold after a call, not after each of its steps."""
    write(db)
    db.commit()


def test_a_rule_that_cannot_be_worked_out_is_broken(schemas: Schemas, library: Package) -> None:
    """A rule that looks for a row that is not there is a defect, and no rejection of the call."""
    invariant = library.module("database.schema").Invariant
    looks = invariant(
        "looks",
        "The mail is a team.",
        lambda db, row: db.teams.get(row.mail),
        columns=frozenset({"mail"}),
        tables=frozenset({"teams"}),
    )
    db = schemas.database(schemas.base, {"people": (looks,)})
    db.people.update("PER-00001", mail="nope")
    with pytest.raises(schemas.errors.IntegrityError, match="looks"):
        db.commit()


def test_a_base_holds_each_key_once(schemas: Schemas, library: Package) -> None:
    table = library.module("database.base").BaseTable
    row = schemas.row("teams", START["teams"]["red"])
    with pytest.raises(schemas.errors.IntegrityError, match="share a name"):
        table(schemas.tables["teams"], [row, row])


def test_the_clock_stands_still(db: Any) -> None:
    assert db.now() == db.now() == CLOCK
    assert db.today() == CLOCK.date()


@pytest.mark.parametrize(
    ("keys", "minted"),
    [
        ([], "PER-00001"),
        (["PER-00007"], "PER-00008"),
        (["PER-99999"], "PER-100000"),
        (["PER-99999999"], "PER-100000000"),
        (["other", "PER-x", "PERS-00009", "PER-"], "PER-00001"),
    ],
)
def test_new_keys_follow_the_highest(
    schemas: Schemas, library: Package, keys: list[str], minted: str
) -> None:
    module = library.module("database.base")
    people = [schemas.row("people", person(key)) for key in keys]
    base = module.Base(
        CLOCK,
        {
            "teams": module.BaseTable(schemas.tables["teams"], []),
            "people": module.BaseTable(schemas.tables["people"], people),
        },
    )
    db = schemas.database(base, {})
    assert db.people.add(**PEOPLE).person_id == minted
    assert db.people.get(minted).team is None and len(db.people.all()) == len(keys) + 1


def test_keys_are_in_the_order_they_were_minted_in(schemas: Schemas, db: Any) -> None:
    for key in ("PER-100000", "PER-99999", "PER-100001"):
        db.people.add(**person(key))
    keys = [row.person_id for row in db.people.all()][-3:]
    assert keys == ["PER-99999", "PER-100000", "PER-100001"]
    assert [row.person_id for row in db.people.where(level=1)][-3:] == keys
