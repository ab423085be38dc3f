"""What strangers wrote reaches the terminal with its control characters written out."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from toolworld.console import VisibleConsole

NASTY = "\x1b]0;owned\x07 \x1b[2J \u202eevil\x9b"


def table() -> Table:
    grid = Table.grid()
    grid.add_row(Text(NASTY))
    return grid


@pytest.mark.parametrize("what", [NASTY, Text(NASTY), table()])
def test_no_control_character_reaches_the_terminal(what: RenderableType) -> None:
    file = StringIO()
    VisibleConsole(file=file, width=200, force_terminal=True, color_system=None).print(
        what, markup=False
    )
    shown = file.getvalue()
    assert not set("\x1b\x07\x9b\u202e") & set(shown)
    assert r"\x1b]0;owned" in shown
    assert r"\u202eevil\x9b" in "".join(line.rstrip() for line in shown.splitlines())


def test_a_carriage_return_hides_nothing() -> None:
    file = StringIO()
    VisibleConsole(file=file).print("error: it failed\rall is well")
    assert file.getvalue() == "error: it failed\\rall is well\n"


def test_its_own_colours_stay() -> None:
    file = StringIO()
    VisibleConsole(file=file, force_terminal=True, color_system="standard").print("[red]no[/]")
    assert file.getvalue() == "\x1b[31mno\x1b[0m\n"
