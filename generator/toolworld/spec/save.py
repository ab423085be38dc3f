"""A ``Spec`` written as a domain folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel

from toolworld.spec.files import TOOLS, remove_other_code, write_files
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
        **_tools(spec),
        "seed.py": spec.seed_code,
        "policy.md": spec.policy,
        **_scenarios(spec),
    }
    if spec.conduct_code:
        texts["conduct.py"] = spec.conduct_code
    if spec.laws_code:
        texts["laws.py"] = spec.laws_code
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


def _tools(spec: Spec) -> dict[str, str]:
    if not spec.tools_files:
        return {TOOLS: spec.tools_code}
    return {one.file: one.text for one in spec.tools_files}


def _scenarios(spec: Spec) -> dict[str, str]:
    texts = {one.file: one.text for one in spec.scenario_files}
    words: dict[str, dict[str, Any]] = {}
    for scenario in spec.scenarios:
        words.setdefault(scenario.file, {})[scenario.name] = _plain(scenario.words)
    return texts | {f"scenarios/{name}.yaml": write_yaml(part) for name, part in words.items()}


def _plain(part: BaseModel) -> dict[str, Any]:
    return part.model_dump(mode="json", exclude_defaults=True)
