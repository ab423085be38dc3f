"""A small database to try the store on: teams, and people who name teams and each other."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from pydantic import create_model

from toolworld.packages import Package

Columns = dict[str, Any]
State = dict[str, dict[str, Columns]]

TEAM_SIZE = 3
CLOCK = datetime(2026, 3, 2, 9, tzinfo=UTC)
PEOPLE: Columns = {
    "team": None, "mail": None, "friends": (), "notes": (), "level": 1, "pay": Decimal(0),
}  # fmt: skip


class Schemas:
    """Teams with keys of their own; people with minted ones, who name teams and people."""

    def __init__(self, package: Package) -> None:
        values, schema = package.module("values"), package.module("database.schema")
        base, store = package.module("database.base"), package.module("database.store")
        self.errors = package.module("errors")
        self.row_digest = package.module("database.digest").row_digest
        text: Any = values.Text
        team = create_model("Team", __base__=values.Row, name=text, title=(text | None, None))
        note: Any = create_model("Note", __base__=values.Value, by=text, text=text)
        person = create_model(
            "Person",
            __base__=values.Row,
            person_id=text,
            team=(text | None, None),
            mail=(text | None, None),
            friends=tuple[text, ...],
            notes=tuple[note, ...],
            level=values.Integer,
            pay=values.Money,
        )
        reference = schema.Reference
        self.tables = {
            "teams": schema.TableSchema("teams", team, "name", "team", unique=("title",)),
            "people": schema.TableSchema(
                "people",
                person,
                "person_id",
                "person",
                prefix="PER",
                unique=("mail",),
                references=(
                    reference(("team",), "teams"),
                    reference(("friends",), "people"),
                    reference(("notes", "by"), "people"),
                ),
            ),
        }
        self.invariants = {
            "people": (
                schema.Invariant(
                    "paid",
                    "Nobody pays to work.",
                    lambda db, row: row.pay >= 0,
                    columns=frozenset({"pay"}),
                    tables=frozenset(),
                ),
                schema.Invariant(
                    "room",
                    "A team is small.",
                    lambda db, row: (
                        not row.team or len(db.people.where(team=row.team)) <= TEAM_SIZE
                    ),
                    columns=frozenset({"team"}),
                    tables=frozenset({"people"}),
                ),
            )
        }
        rows = {
            name: [self.row(name, row) for row in rows.values()] for name, rows in START.items()
        }
        self.base = base.Base(
            CLOCK, {name: base.BaseTable(self.tables[name], rows[name]) for name in rows}
        )
        self.database = store.Database

    def row(self, table: str, columns: Mapping[str, object]) -> Any:
        return self.tables[table].row.model_validate(columns)

    def open(self) -> Any:
        return self.database(self.base, self.invariants)


def person(key: str, **columns: object) -> Columns:
    return {"person_id": key, **PEOPLE, **columns}


START: State = {
    "teams": {
        name: {"name": name, "title": title} for name, title in (("red", "R"), ("blue", None))
    },
    "people": {
        "PER-00001": person("PER-00001", team="red", mail="a"),
        "PER-00002": person("PER-00002", team=None, friends=("PER-00001",), level=2),
        "PER-00004": person(
            "PER-00004", team="red", mail="b", notes=({"by": "PER-00002", "text": "hi"},)
        ),
    },
}
