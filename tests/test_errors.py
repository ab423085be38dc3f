"""Errors as a person meets them."""

from __future__ import annotations

from toolworld.errors import DraftError, first_of


def test_the_first_of_errors_that_came_together_comes_out_of_its_groups() -> None:
    first = DraftError("No answer.")
    inner = ExceptionGroup("some of one task", [first, DraftError("No budget.")])
    assert first_of(ExceptionGroup("of all tasks", [inner, DraftError("Not now.")])) is first
    assert first_of(first) is first
