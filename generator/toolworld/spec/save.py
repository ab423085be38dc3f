"""A ``Spec`` written as a domain folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from toolworld.spec.files import TOOLS, remove_other_code, write_files
from toolworld.spec.model import CodeFile
from toolworld.spec.spec import Spec
from toolworld.spec.yamltext import write_yaml


def save_spec(spec: Spec, folder: Path) -> None:
    """Write a spec so that loading it gives an equal one.

    The YAML files are written anew, in one order and without comments; code and policy are
    written as they are. Files of tools that the spec does not have are removed.
    """
    texts = texts_of(spec)
    write_files(folder, texts)
    remove_other_code(folder, texts)


def texts_of(spec: Spec) -> dict[str, str]:
    """Return the text of each file of a spec's folder."""
    texts = {
        "domain.yaml": write_yaml(_plain(spec.domain)),
        **_code(TOOLS, spec.tools_code, spec.tools_files),
        **_code("seed.py", spec.seed_code, spec.seed_files),
        "policy.md": spec.policy,
        **_scenarios(spec),
    }
    if spec.conduct_code:
        texts |= _code("conduct.py", spec.conduct_code, spec.conduct_files)
    if spec.laws_code:
        texts |= _code("laws.py", spec.laws_code, spec.laws_files)
    if spec.phrases is not None:
        texts["phrases.yaml"] = write_yaml(_plain(spec.phrases))
    if spec.tasks:
        texts["tasks.yaml"] = write_yaml([_plain(task) for task in spec.tasks])
    if spec.cases:
        texts["cases.yaml"] = write_yaml([_plain(case) for case in spec.cases])
    if spec.survivors:
        texts["survivors.yaml"] = write_yaml([_plain(one) for one in spec.survivors])
    if spec.explained:
        texts["explained.yaml"] = write_yaml([_plain(one) for one in spec.explained])
    return texts


def _code(file: str, code: str, files: Sequence[CodeFile]) -> dict[str, str]:
    """Return a module's one file, or the files of its folder."""
    return {one.file: one.text for one in files} or {file: code}


def _scenarios(spec: Spec) -> dict[str, str]:
    texts = {one.file: one.text for one in spec.scenario_files}
    words: dict[str, dict[str, Any]] = {}
    for scenario in spec.scenarios:
        words.setdefault(scenario.file, {})[scenario.name] = _plain(scenario.words)
    return texts | {f"scenarios/{name}.yaml": write_yaml(part) for name, part in words.items()}


def _plain(part: BaseModel) -> dict[str, Any]:
    return part.model_dump(mode="json", exclude_defaults=True)
