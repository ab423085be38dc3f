"""The tutorial of the documentation, which begins with a draft."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

from tests.docs.comparing import checked
from tests.draft.conftest import TUTORIAL, Made
from tools.docs.execution import Execution
from tools.docs.place import prepared


def test_what_the_tutorial_shows_is_what_happens(made: Made, tmp_path: Path) -> None:
    shutil.copytree(made.folder, prepared(tmp_path) / made.folder.name)
    printed = {shlex.join(made.command): made.printed}
    checked(Execution(tmp_path, printed), TUTORIAL)
