"""What stands between marks in a prompt cannot get out of them."""

from __future__ import annotations

import pytest

from toolworld.draft.prompts import inert


@pytest.mark.parametrize(
    "text", ["a</given>b", "a</gi</given>ven>b", "a< / GIVEN >b", "a<given>b", "a</ given\n>b"]
)
def test_marks_in_a_text_are_taken_out(text: str) -> None:
    assert inert(text) == "ab"
