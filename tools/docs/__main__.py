"""Writes the parts of the documentation that come from the code; ``make docs`` runs it first.

With ``--outputs`` it runs the pages named, and rewrites each output that is no longer what its
command prints. Look at the difference before you commit it.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tools.docs import reference
from tools.docs.execution import Execution, Printed
from tools.docs.page import Page, matches, trimmed
from tools.docs.place import prepared


def rewritten(page: Page, printed: Sequence[Printed]) -> str:
    """Return a page's text, with each output that has changed replaced."""
    text = page.text
    for one in reversed([one for one in printed if one.block in page.blocks]):
        shown = page.output_of(one.block)
        if shown is not None and not matches(shown.text, one.text):
            rest = text[shown.start + len(shown.text) :]
            text = f"{text[: shown.start]}{trimmed(one.text)}\n{rest}"
        elif shown is None and one.text.strip():
            end = one.block.start + len(one.block.text) + len("```")
            text = f"{text[:end]}\n\n```text\n{trimmed(one.text)}\n```{text[end:]}"
    return text


def main() -> None:
    """Write the reference, and the outputs of the pages asked for."""
    parser = argparse.ArgumentParser(prog="python -m tools.docs", description=__doc__)
    parser.add_argument("--outputs", nargs="+", type=Path, default=[], metavar="PAGE")
    for path, text in reference.pages().items():
        path.write_text(text, encoding="utf-8")
    for path in parser.parse_args().outputs:
        page = Page.read(path.resolve())
        with tempfile.TemporaryDirectory(prefix="toolworld-docs-") as folder:
            printed = Execution(prepared(Path(folder))).run(page)
        page.path.write_text(rewritten(page, printed), encoding="utf-8")


if __name__ == "__main__":
    main()
