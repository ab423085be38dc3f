"""A small draft by a real model on this machine: ``make local-model MODEL=smol|qwen``.

Installs an engine and weights under ``build/local-model``, serves them on loopback, and has
``toolworld new`` draft a bike rental of 6 tools with them. A weak model may well fail at a stage:
that is printed, and does not count as a failure. It exits with 1 if anything else fails: no server,
no answers, answers against the schema, or a command that breaks down.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time

from tools.committed import REPOSITORY
from tools.local_model.engine import EngineError, Probe, installed, probed, serving
from tools.local_model.outcome import outcomes, told, unfit
from tools.local_model.weights import MODELS, WeightsError, fetched

FOLDER = REPOSITORY / "build" / "local-model"
DRAFT = FOLDER / "draft"
WISH = ["bike rental", "--tools", "6", "--tasks", "5"]
REPORT = "report.json"
BREAKDOWN = "Traceback (most recent call last)"


def main() -> int:
    """Serve a model and draft with it; return the exit code."""
    name = sys.argv[1] if len(sys.argv) > 1 else "smol"
    if name not in MODELS:
        print(f'There is no model "{name}"; there are {", ".join(MODELS)}.')
        return 2
    try:
        return _try(name)
    except (EngineError, WeightsError) as error:
        print(error)
        return 1


def _try(name: str) -> int:
    weights = MODELS[name]
    print(f"Installing the engine and {weights.title} ...")
    python = installed(FOLDER / "venv")
    file = fetched(weights, name, python, FOLDER / "weights")
    log = FOLDER / "server.log"
    with serving(python, file, weights.context, weights.longest, log) as url:
        print(f"Serving {weights.title} at {url}.")
        works = _report(probed(url))
        said = _draft(name, url)
        probed(url)
    return 0 if _tell(said) and works else 1


def _report(probe: Probe) -> bool:
    """Print what a first answer showed; return whether it fits its schema."""
    print(f"It reads {probe.read:.1f} tokens a second and writes {probe.wrote:.1f}.")
    print("It keeps to a schema." if probe.fits else f"It breaks a schema: {probe.answer}")
    return probe.fits


def _draft(name: str, url: str) -> str:
    """Draft, one prompt at a time, since the server takes only one; return what was printed."""
    shutil.rmtree(DRAFT, ignore_errors=True)
    command = [sys.executable, "-m", "toolworld", "new", *WISH, "--model", name]
    command += ["--base-url", url, "--parallel", "1", "--out", str(DRAFT)]
    said = []
    start = time.monotonic()
    with subprocess.Popen(command, cwd=REPOSITORY, stderr=subprocess.PIPE, text=True) as process:
        for line in process.stderr or ():
            print(f"{time.monotonic() - start:6.0f} s  {line}", end="", flush=True)
            said.append(line)
    print(f"toolworld new ended with {process.returncode}.")
    return "".join(said)


def _tell(said: str) -> bool:
    """Print the outcome of the draft; return whether everything but the model worked."""
    found = outcomes(DRAFT)
    print(*told(found, (DRAFT / REPORT).is_file()), sep="\n")
    wrong = unfit(found.values())
    if wrong:
        print(f"The engine let answers through that break their schema: {', '.join(wrong)}.")
    if not found:
        print("No prompt was answered.")
    return bool(found) and not wrong and BREAKDOWN not in said


if __name__ == "__main__":
    sys.exit(main())
