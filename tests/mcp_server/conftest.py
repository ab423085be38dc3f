"""What the tests of the server share."""

from __future__ import annotations

import pytest

from toolworld import bundled


@pytest.fixture(autouse=True)
def one_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bundle one small domain only: to list all of them takes seconds."""
    name = "pet_care_centre"
    folder = bundled.domains()[name]
    monkeypatch.setattr(bundled, "domains", lambda: {name: folder})
