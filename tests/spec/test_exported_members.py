"""What ``toolworld.spec`` promises is what can be imported from it."""

from __future__ import annotations

from types import ModuleType

from toolworld import spec


def test_all_names_what_is_importable() -> None:
    for name in spec.__all__:
        assert getattr(spec, name)  # opened now, if it has not been
    public = {
        name
        for name, value in vars(spec).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert set(spec.__all__) == public
