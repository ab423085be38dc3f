"""A domain's source text checked under limits, since a model may have written it.

The checks are meant to be linear in the text, and so they are fast. What they still do not bear
takes only a child along: a text that keeps the parser busy, eats memory or ends the process is a
problem of the file that was being read.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from toolworld.emit.limited import Doing, limited
from toolworld.errors import Problem, SpecError
from toolworld.spec import Spec
from toolworld.spec.files import read_files
from toolworld.spec.load import check_texts

SECONDS, MEGABYTES = 60.0, 1024
"""What a whole check may use: about twenty times what the largest bundled domain takes."""
MEND = "Make the file shorter and simpler."

Checked = tuple[Spec | None, list[Problem]]


def check_limited(texts: dict[str, str], unfinished: Collection[str] = ()) -> Checked:
    """Check the texts of a domain's files, as ``check_texts`` does.

    Args:
        texts: The files.
        unfinished: Rules that a domain need not keep while it is being written.
    """

    def work(doing: Doing) -> Checked:
        return check_texts(texts, unfinished, lambda file: doing(file, f"The check of {file}"))

    try:
        return limited(work, SECONDS, MEGABYTES, _silent, MEND)
    except SpecError as error:
        return None, list(error.problems)


def load_limited(folder: Path) -> Spec:
    """Read and check a domain folder, as ``load_spec`` does.

    Raises:
        SpecError: It breaks rules, all listed, or its check does not come back.
    """
    texts, problems = read_files(folder)
    spec, found = check_limited(texts)
    problems += found
    if problems or spec is None:
        raise SpecError(problems)
    return spec


def _silent(_: str) -> None:
    return
