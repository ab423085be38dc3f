"""The folder that a page's commands run in: like the repository, which stays unchanged."""

from __future__ import annotations

import shutil
from pathlib import Path

from tools.committed import REPOSITORY

SHARED = ("examples", "tests", "templates")


def prepared(folder: Path) -> Path:
    """Fill a folder with the files that commands of the documentation name; return it.

    Packages are copied, as commands write into them.
    """
    for name in SHARED:
        (folder / name).symlink_to(REPOSITORY / name)
    shutil.copytree(
        REPOSITORY / "generated_servers",
        folder / "generated_servers",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    return folder
