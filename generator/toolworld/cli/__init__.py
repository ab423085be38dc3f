"""The ``toolworld`` command: each subcommand parses, calls one library function, and prints.

Results go to stdout, everything else to stderr. Errors become exit codes in one place.
"""

from __future__ import annotations

import gc

# The help lists the commands in the order in which these modules name them.
# isort: off
from toolworld.cli import domains as domains
from toolworld.cli import tasks as tasks
from toolworld.cli import proving as proving
from toolworld.cli import drafting as drafting
from toolworld.cli import scaling as scaling

# isort: on
from toolworld.cli.commands import app
from toolworld.garbage import SELDOM

__all__ = ["app", "run"]


def run() -> None:
    """Run the command."""
    gc.set_threshold(*SELDOM)
    app(prog_name="toolworld")
