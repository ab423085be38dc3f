"""Drafts the committed domains again from their recordings: ``make redraft``.

No model is asked. Every check of every answer is made again, and the result must be the committed
domain, byte for byte; the figures printed are those of the recorded drafts. With ``--write`` the
result becomes the committed domain.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path

from tools.committed import REPOSITORY
from toolworld.bundled import templates
from toolworld.draft import Brief, draft, open_draft
from toolworld.llm.backends.replay import Recording

RECORDINGS = REPOSITORY / "tests" / "draft" / "recordings"
DRAFTED = {
    "pet_care_centre": Brief("pet care", 50),
    "job_seeking": Brief("job seeking", 50),
    "second_hand_marketplace": Brief("second-hand marketplace", 50),
}


def redraft(name: str, folder: Path) -> Path:
    """Draft a domain again; return its folder."""
    brief = DRAFTED[name]
    open_draft(folder, brief, resume=False)
    recording = Recording(RECORDINGS / f"{name}.jsonl.gz")
    drafted = draft(folder, brief, recording, say=lambda text: print(f"  {text}", flush=True))
    print(json.dumps({"tools": drafted.tools, **drafted.figures}, indent=2))
    return drafted.folder


def texts(folder: Path) -> dict[str, bytes]:
    """Return the files of a domain."""
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.is_dir() else {}


def main() -> None:
    """Draft all domains, or those named, and fail if one differs from the committed one."""
    parser = argparse.ArgumentParser(prog="python -m tools.redraft", description=__doc__)
    parser.add_argument("names", nargs="*", default=[*DRAFTED])
    parser.add_argument("--write", action="store_true", help="make it the committed domain")
    asked = parser.parse_args()
    same = True
    for name in asked.names:
        print(f"{name} ...", flush=True)
        committed = templates() / "domains" / name
        with tempfile.TemporaryDirectory(prefix="toolworld-redraft-") as folder:
            made = redraft(name, Path(folder) / "draft")
            if asked.write:
                shutil.copytree(made, committed, dirs_exist_ok=True)
            is_same = texts(made) == texts(committed)
        print(f"{name}: {'the same' if is_same else 'DIFFERS from the committed domain'}")
        same &= is_same
    sys.exit(not same)


if __name__ == "__main__":
    main()
