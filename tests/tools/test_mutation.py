"""Mistakes are made where a module does something, and a test that looks notices them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tools.committed import REPOSITORY
from tools.mutation.__main__ import SOURCES, Mistake, mistakes_in, passes

TEXT = '''"""Twice 1."""

LIMIT = 2


def most(amount: int) -> int:
    """Return 1 or less."""
    if amount > LIMIT:
        raise ValueError("more than 2")
    return amount + 1
'''


def test_mistakes_are_made_in_what_functions_do_and_not_in_what_they_say() -> None:
    made = list(mistakes_in(TEXT))
    assert {one.line for one in made} == {8, 10}
    assert len({one.text for one in made}) == len(made) >= 4
    assert all('"""Return 1 or less."""' in one.text for one in made)
    assert all("more than 2" in one.text for one in made if "dropped check" not in one.change)


@pytest.mark.parametrize(("change", "noticed"), [("# nothing", False), ("\n1 / 0", True)])
def test_a_mistake_is_noticed_if_a_test_fails(tmp_path: Path, change: str, noticed: bool) -> None:
    shutil.copytree(REPOSITORY / "generator", tmp_path / "generator")
    text = (REPOSITORY / SOURCES / "errors.py").read_text("utf-8")
    mistake = Mistake(1, "a line more", text + change)
    assert passes(tmp_path, "errors.py", mistake, ["tests/test_errors.py"]) is not noticed
