"""Drafts the committed domains again from their recordings: ``make redraft``.

No model is asked. Every check of every answer is made again, and what comes out must be the
committed domain, byte for byte; the figures printed are those of the recorded drafts.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from tools.committed import REPOSITORY
from toolworld.bundled import domains
from toolworld.draft import Brief, draft, open_draft
from toolworld.draft.backends.replay import Recording

RECORDINGS = REPOSITORY / "tests" / "draft" / "recordings"
DRAFTED = {
    "pet_care": Brief("pet care", 50),
    "job_seeking": Brief("job seeking", 50),
    "secondhand_marketplace": Brief("second-hand marketplace", 50),
}


def redraft(name: str, folder: Path) -> bool:
    """Draft a domain again; return whether it is the committed one."""
    brief = DRAFTED[name]
    open_draft(folder, brief, resume=False)
    recording = Recording(RECORDINGS / f"{name}.jsonl.gz")
    drafted = draft(folder, brief, recording, say=lambda text: print(f"  {text}", flush=True))
    print(json.dumps({"tools": drafted.tools, **drafted.figures}, indent=2))
    committed = domains()[name]
    names = sorted(path.name for path in drafted.folder.iterdir())
    return names == sorted(path.name for path in committed.iterdir()) and all(
        (drafted.folder / one).read_bytes() == (committed / one).read_bytes() for one in names
    )


def main() -> None:
    """Draft them all, or those named, and fail if one comes out otherwise."""
    same = True
    for name in sys.argv[1:] or DRAFTED:
        print(f"{name} ...", flush=True)
        with tempfile.TemporaryDirectory(prefix="toolworld-redraft-") as folder:
            is_same = redraft(name, Path(folder) / "draft")
        print(f"{name}: {'the same' if is_same else 'DIFFERS from the committed domain'}")
        same &= is_same
    sys.exit(not same)


if __name__ == "__main__":
    main()
