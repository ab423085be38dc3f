"""Joins the scenarios of all areas, so that no two functions share a name."""

from __future__ import annotations

from collections.abc import Sequence

from toolworld.extend.drafting import AreaDraft
from toolworld.extend.views import functions_of
from toolworld.spec import Spec


def join_areas(spec: Spec, drafts: Sequence[AreaDraft]) -> dict[str, str]:
    """Return the files of all areas; where names clash, the later area gives way.

    Args:
        spec: The domain as it was.
        drafts: The draft of each area, tried without the others.
    """
    taken = {name for one in spec.scenario_files for name in functions_of(one.code)}
    files: dict[str, str] = {}
    for draft in drafts:
        draft.give_way(taken)
        files |= draft.files
        code = [text for name, text in draft.files.items() if name.endswith(".py")]
        taken |= {name for text in code for name in functions_of(text)}
    return files
