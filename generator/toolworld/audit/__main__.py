"""The process an audit's package runs in: ``python -m toolworld.audit PACKAGE WORK RESULT``.

WORK and RESULT are JSON files: ``{"seed": 0}`` asks for evidence, ``{"sequences": [...]}`` for
calls to be made.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from toolworld.audit.evidence import gather
from toolworld.audit.sequences import Steps, run_sequences
from toolworld.emit.jobs import Limits, limit_memory
from toolworld.errors import ToolworldError
from toolworld.packages import Package, load_package
from toolworld.prove.bench import Bench
from toolworld.prove.cases import CaseEnvironments

LARGEST = 8192
"""The megabytes for reading the package."""
LIMITS = Limits(job=60.0)


def main(package: str, work: str, result: str) -> None:
    """Do a piece of work on a package."""
    # Leave nothing in the package that is audited.
    sys.dont_write_bytecode = True
    limit_memory(LARGEST)
    done = _done(load_package(Path(package)), json.loads(Path(work).read_text("utf-8")))
    Path(result).write_text(json.dumps(done), encoding="utf-8")


def _done(package: Package, work: dict[str, Any]) -> Any:
    if "seed" in work:
        return gather(Bench(package, LIMITS), work["seed"])
    starts = {task["id"]: task["initial"] for task in package.tasks()}
    every = [Steps(**one) for one in work["sequences"]]
    return run_sequences(CaseEnvironments(package), every, starts, LIMITS)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except ToolworldError as error:
        sys.exit(str(error))
