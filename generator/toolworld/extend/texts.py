"""Answered scenarios as the files of a domain folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolworld.draft.pieces import is_one_function
from toolworld.emit.formatting import formatted
from toolworld.extend.answers import HelperAnswer, OutcomeAnswer, SayingAnswer, ScenarioAnswer
from toolworld.spec.files import SCENARIOS
from toolworld.spec.yamltext import write_yaml


def files_of(
    area: str, helpers: Mapping[str, HelperAnswer], scenarios: Sequence[ScenarioAnswer]
) -> dict[str, str]:
    """Return the two files of an area: its code, formatted, and its words.

    Args:
        area: The stem of the files.
        helpers: The functions that may be used; unused ones are left out.
        scenarios: The scenarios; without any there are no files.
    """
    if not scenarios:
        return {}
    functions = [code for one in scenarios for code in (one.situation, one.expert)]
    parts = [*used_helpers(functions, helpers).values(), *functions]
    title = f"What people ask around {area.removesuffix('_area').replace('_', ' ')}."
    code = "\n\n\n".join([f'"""{title}"""', *(part.strip() for part in parts)]) + "\n"
    name = f"{SCENARIOS}/{area}"
    shaped = formatted({"area.py": code}, "toolworld_extend")["area.py"]
    words = {one.name: words_of(one) for one in scenarios}
    return {f"{name}.py": shaped, f"{name}.yaml": write_yaml(words)}


def used_helpers(
    functions: Sequence[str], helpers: Mapping[str, HelperAnswer]
) -> dict[str, str]:  # fmt: skip
    """Return the code of the helpers that functions use, directly or not, by name."""
    texts, found = list(functions), dict[str, str]()
    for text in texts:
        for name, helper in helpers.items():
            if f"{name}(" in text and name not in found:
                found[name] = helper.code
                texts.append(helper.code)
    return {name: found[name] for name in helpers if name in found}


def words_of(scenario: ScenarioAnswer) -> dict[str, Any]:
    """Return a scenario's words in the form of the domain folder."""
    words = {
        "role": scenario.role,
        "outcomes": {one.name: _outcome(one) for one in scenario.outcomes},
        "says": [_message(one) for one in scenario.openings],
        "gives": {one.fact: one.gives for one in scenario.facts},
        "topics": {one.fact: list(one.topics) for one in scenario.facts},
        "when": {one.outcome: one.says for one in scenario.reactions},
        "behaviours": list(scenario.behaviours),
    }
    return {name: value for name, value in words.items() if value}


def _outcome(one: OutcomeAnswer) -> dict[str, Any]:
    words: dict[str, Any] = {"kind": one.kind, "clause": one.clause}
    words |= {"tells": list(one.tells), "reply": one.reply}
    return words | ({"question": _message(one.question)} if one.question is not None else {})


def _message(one: SayingAnswer) -> dict[str, Any]:
    return {"text": one.text, "asks": list(one.asks)}


def malformed(scenario: ScenarioAnswer) -> list[str]:
    """Return what is wrong with a scenario's functions, before any rule checks them."""
    situation = ("situation", scenario.situation, scenario.name)
    expert = ("expert", scenario.expert, f"solve_{scenario.name}")
    return [
        f"its {part} is not one function {name} that Python can read."
        for part, code, name in (situation, expert)
        if not is_one_function(code, name)
    ]
