"""Made-up values: the same from the same seed, within their bounds, and nobody else's chance."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest

from toolworld.emit.fake import FAKER_METHODS, Fake

START, END = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 2, tzinfo=UTC)


def taste(fake: Fake) -> list[Any]:
    """Return a value of every kind."""
    return [
        *(getattr(fake, method)() for method in FAKER_METHODS),
        fake.pick("abc"), fake.picks(range(100), 5), fake.weighted({"a": 1, "b": 2}),
        fake.chance(0.5), fake.integer(0, 10**9), fake.number(0, 1), fake.money(0, 10**6),
        fake.moment(START, END), fake.day(date(2000, 1, 1), date(2026, 1, 1)),
    ]  # fmt: skip


def test_a_seed_decides_everything() -> None:
    assert taste(Fake(3)) == taste(Fake(3))
    assert taste(Fake(3)) != taste(Fake(4))


def test_two_sources_do_not_touch_each_other_nor_the_process() -> None:
    random.seed(1)
    state = random.getstate()
    one, other = Fake(3), Fake(4)
    mixed = [value for pair in zip(taste(one), taste(other), strict=True) for value in pair]
    assert mixed[::2] == taste(Fake(3)) and mixed[1::2] == taste(Fake(4))
    assert random.getstate() == state


@pytest.mark.parametrize("seed", range(5))
def test_values_keep_their_bounds(seed: int) -> None:
    fake = Fake(seed)
    for _ in range(200):
        assert Decimal("0.10") <= fake.money(Decimal("0.10"), Decimal("0.12")) <= Decimal("0.12")
        assert fake.money(1, 9).as_tuple().exponent in (0, -1, -2)
        assert START <= fake.moment(START, END) <= END
        assert fake.moment(START, END).microsecond == 0
        assert fake.day(START.date(), END.date()) in (START.date(), END.date())
        assert fake.integer(2, 3) in (2, 3)
        assert 0 <= fake.number(0, 1) <= 1
        assert len(set(fake.picks("abcdef", 4))) == 4
    assert fake.moment(END, START) == END and fake.day(END.date(), START.date()) == END.date()
    assert sorted(fake.picks("abc", 9)) == ["a", "b", "c"]
    assert not fake.chance(0) and fake.chance(1)
    assert fake.weighted({"never": 0, "always": 1}) == "always"
