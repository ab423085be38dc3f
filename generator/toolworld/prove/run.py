"""A proof started from outside: the package itself only ever runs in another process."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from toolworld.emit.load import find_module
from toolworld.errors import ToolworldError
from toolworld.prove.report import ProofReport
from toolworld.prove.study import Settings

Say = Callable[[str], None]


def prove(path: Path, settings: Settings | None = None, say: Say | None = None) -> ProofReport:
    """Prove a package: run cases on every tool and mutant, and report what they show.

    The same package and settings give the same report.

    Args:
        path: The package's folder.
        settings: How thoroughly.
        say: Told what is being done.

    Raises:
        PackageLoadError: The folder holds no package.
        ToolworldError: The package cannot be run at all.
    """
    find_module(path)
    options = json.dumps(asdict(settings or Settings()))
    with tempfile.TemporaryDirectory(prefix="toolworld-prove-") as folder:
        result, errors = Path(folder) / "result.json", Path(folder) / "errors.txt"
        command = [sys.executable, "-m", "toolworld.prove", str(path), str(result), options]
        with (
            errors.open("w", encoding="utf-8") as into,
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=into, text=True) as process,
        ):
            try:
                for line in process.stdout or ():
                    if say is not None:
                        say(line.rstrip("\n"))
            except BaseException:
                process.terminate()
                raise
        if process.returncode != 0 or not result.is_file():
            last = errors.read_text("utf-8").strip().splitlines()[-12:]
            raise ToolworldError(f"{path} cannot be proven: {chr(10).join(last)}")
        return ProofReport(json.loads(result.read_text("utf-8")))
