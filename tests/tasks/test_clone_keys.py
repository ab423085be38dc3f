"""A clone gets a key of its own even where all keys like those there are are used up."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from toolworld.tasks.growth.clones import Cloner
from toolworld.tasks.growth.start import Place


def cloner(keys: list[str]) -> Cloner:
    """Return one over a table whose keys nobody mints."""
    clock = datetime(2026, 3, 2, tzinfo=UTC)
    worlds: Any = SimpleNamespace(
        base=SimpleNamespace(clock=clock),
        schemas={"rentals": SimpleNamespace(prefix=None)},
    )
    start: Any = SimpleNamespace(row=lambda place: {} if place.key in keys else None)
    return Cloner(worlds, {}, start, random.Random(0))  # noqa: S311


@pytest.mark.parametrize("key", ["R0", "R1", "00"])
def test_keys_that_are_used_up_get_longer(key: str) -> None:
    taken = ["00", *(f"R{number}" for number in range(10))]
    made = cloner(taken)
    new = [made._new_key(Place("rentals", key)) for _ in range(5)]
    assert len({*new, *taken}) == len(new) + len(taken)
    assert all(other.startswith(f"{key}-") for other in new)


def test_a_key_like_the_others_comes_first() -> None:
    assert cloner(["R11"])._new_key(Place("rentals", "R11")) in {
        f"R{number}" for number in range(12, 100)
    }
