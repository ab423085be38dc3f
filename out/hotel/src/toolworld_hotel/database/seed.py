"""The seed database: ``seed.json``, read once and shared by every episode."""

from __future__ import annotations

import gc
import json
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from importlib import resources
from typing import Any

from ..errors import IntegrityError
from .base import Base, BaseTable
from .invariants import INVARIANTS
from .models import SCHEMAS, Database


@cache
def default_base() -> Base:
    """Return the package's own database."""
    text = (resources.files(__package__) / "seed.json").read_text("utf-8")
    base = base_from_json(json.loads(text))
    # The base lives as long as the process: keep the collector from walking it again and again.
    gc.freeze()
    return base


def base_from_json(content: Mapping[str, Any]) -> Base:
    """Return a database from its clock and its rows by table.

    Raises:
        ValidationError: A row does not fit its table.
        IntegrityError: Two rows share a key.
    """
    rows = content["tables"]
    tables = {
        name: BaseTable(schema, [schema.row.model_validate(row) for row in rows[name]])
        for name, schema in SCHEMAS.items()
    }
    return Base(datetime.fromisoformat(content["clock"]), tables)


def check_base(base: Base) -> None:
    """Check every constraint on every row.

    Raises:
        IntegrityError: One is broken.
    """
    database = Database(base, INVARIANTS)
    for name, table in base.tables.items():
        for key in table.rows:
            try:
                database.check(name, key)
            except IntegrityError as error:
                raise IntegrityError(f"The seed data is not sound: {error}") from error
