"""The process a proof runs in: ``python -m toolworld.prove PACKAGE RESULT SETTINGS``.

What is done goes to stdout line by line, the report's content to the file RESULT.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from toolworld.emit.jobs import Limits, limit_memory
from toolworld.errors import ToolworldError
from toolworld.prove.report import content_of
from toolworld.prove.study import ProofSettings, Study

LARGEST = 8192
"""Megabytes for reading the package and keeping its cases."""


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main(package: str, result: str, settings: str) -> None:
    """Prove a package."""
    given = json.loads(settings)
    limits = Limits(**given.pop("limits"))
    # Nothing may be left in the package that is being proven.
    sys.dont_write_bytecode = True
    limit_memory(LARGEST)
    study = Study(Path(package), ProofSettings(**given, limits=limits), _say)
    content = content_of(study.bench, study.findings())
    Path(result).write_text(json.dumps(content), encoding="utf-8")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except ToolworldError as error:
        sys.exit(str(error))
