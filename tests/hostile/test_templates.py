"""Templates that a model could write, or somebody who means harm, each checked.

The corpus is four files of this folder, a template a line: ``phrases_*.txt`` for the texts of
``phrases.yaml``, checked for the tool of ``shop.yaml``, whose arguments are of every type;
``facts_*.txt`` for the words of scenarios, checked as messages of the starter domain. What is in
``*_refused.txt`` must be a problem of its file and line, and nothing of it may run. What is in
``*_fine.txt`` must pass, and say something of values of every kind without failing, be they
there, missing or very long. Whoever finds a template that breaks something adds a line.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.spec import starter
from toolworld import ToolworldError
from toolworld.chained.phrasing.lines import ENVIRONMENT, NothingToSay, line_of
from toolworld.chained.phrasing.spoken import Amount, Day, Moment, Number, SpokenChoice, Style
from toolworld.errors import Problem
from toolworld.spec.filling import MOST_FILLED
from toolworld.spec.load import check_texts
from toolworld.spec.template_filters import FACTS, PHRASES
from toolworld.tasks.wording.messages import fill
from toolworld.tasks.wording.values import FILTERS, Spoken

HERE = Path(__file__).parent
LONGEST_CHECK = 5.0
A_CHECK = 30
PEOPLE = "personas:\n" + "".join(f"  - {{name: p{n}, says: You ask.}}\n" for n in range(6))
VALUES = "values:\n  ask_lid.note:\n" + "".join(f"    - Note {n}.\n" for n in range(6))
MESSAGE = "  says:\n"


def corpus(name: str) -> list[str]:
    """Return the templates of a file."""
    return (HERE / f"{name}.txt").read_text("utf-8").splitlines()


def batches(templates: Sequence[str]) -> Iterator[Sequence[str]]:
    """Return templates as many at a time as one check takes, so that none is left untold."""
    for start in range(0, len(templates), A_CHECK):
        yield templates[start : start + A_CHECK]


def problems_of_phrases(templates: Sequence[str]) -> dict[int, list[Problem]]:
    """Return what is said of each template, as one of the phrases of a tool."""
    texts = dict(yaml.safe_load((HERE / "shop.yaml").read_text("utf-8")))
    head = f"{PEOPLE}{VALUES}tools:\n  ask_lid:\n"
    lines = [f"    - {json.dumps(template)}" for template in [*templates, "Once.", "Twice."]]
    texts["phrases.yaml"] = head + "\n".join(lines) + "\n"
    return told_of(texts, "phrases.yaml", head.count("\n"), len(templates))


def problems_of_facts(templates: Sequence[str]) -> dict[int, list[Problem]]:
    """Return what is said of each template, as a message of a person of the starter domain."""
    texts, file = starter.texts(), "scenarios/rentals.yaml"
    head, message, rest = texts[file].partition(MESSAGE)
    lines = [f"    - {{text: {json.dumps(one)}, asks: [price]}}\n" for one in templates]
    texts[file] = head + message + "".join(lines) + rest
    return told_of(texts, file, (head + message).count("\n"), len(templates))


def told_of(texts: dict[str, str], file: str, above: int, count: int) -> dict[int, list[Problem]]:
    """Return the problems of each of some lines, which must be all there are."""
    start = time.monotonic()
    _, problems = check_texts(texts)
    assert time.monotonic() - start < LONGEST_CHECK
    told: dict[int, list[Problem]] = {number: [] for number in range(count)}
    for problem in problems:
        assert problem.file == file
        assert problem.mend
        told[problem.line - above - 1].append(problem)
    return told


CHECKS = {"phrases": problems_of_phrases, "facts": problems_of_facts}


@pytest.mark.parametrize("kind", CHECKS)
def test_each_refused_template_is_a_problem_of_its_line(kind: str) -> None:
    passed = [
        templates[number]
        for templates in batches(corpus(f"{kind}_refused"))
        for number, problems in CHECKS[kind](templates).items()
        if not {problem.rule for problem in problems} & {"template", "unknown-fact"}
    ]
    assert passed == []


@pytest.mark.parametrize("kind", CHECKS)
def test_each_fine_template_passes(kind: str) -> None:
    for templates in batches(corpus(f"{kind}_fine")):
        assert [told for told in CHECKS[kind](templates).values() if told] == []


def test_the_filters_that_are_checked_are_those_that_there_are() -> None:
    assert PHRASES.keys() == ENVIRONMENT.filters.keys()
    assert FACTS.keys() == FILTERS.keys()


def spoken_values(length: int) -> dict[str, Any]:
    """Return a value of every kind for the holes of phrases, texts and lists of some length."""
    style, text = Style(), "a_" * length
    day, moment = Day("2026-03-02", style), Moment("2026-03-02T09:00:00Z", style)
    line = {"title": text, "count": 2, "tags": [text, "b"]}
    box = {
        "box_id": "the box", "email": text, "kind": SpokenChoice("tiny_thing"), "made_on": day,
        "sold_at": moment, "price": Amount(3), "weight": Number(1.5), "is_open": True,
        "lines": [line] * 3, "tags": [text] * 3,
    }  # fmt: skip
    return {
        "lid_id": "the lid", "lid": {"lid_id": "the lid", "box": box, "colour": text},
        "note": text, "count": 2, "kind": SpokenChoice("tiny_thing"), "amount": Amount(2.5),
        "share": Number(0.25), "is_new": False, "day": day, "moment": moment, "tags": [text] * 3,
        "lines": [line] * 3, "days": [day, day], "email": text, "most": 4, "others": [text],
    }  # fmt: skip


def nothing_where_it_may_be() -> dict[str, Any]:
    """Return values of which all are missing that may be."""
    values = spoken_values(1)
    empty: dict[str, Any] = {
        "tags": [],
        "lines": [],
        "days": [],
        "email": None,
        "most": None,
        "others": None,
    }
    return {**values, **empty, "lid": {**values["lid"], "box": None}}


@pytest.mark.parametrize("template", corpus("phrases_fine"))
def test_a_fine_phrase_says_something_or_that_there_is_nothing_to_say(template: str) -> None:
    line = line_of(template)
    assert line.say(spoken_values(1)).strip() or "{%" in template
    for values in (nothing_where_it_may_be(), spoken_values(9_999)):
        try:
            assert len(line.say(values)) <= MOST_FILLED + 1
        except NothingToSay:
            continue


def test_a_fine_message_of_a_scenario_is_filled_up_to_a_bound() -> None:
    facts = dict.fromkeys(("name", "model", "email"), Spoken.of("Ada", "EUR"))
    facts["days"] = Spoken.of(date(2026, 3, 2), "EUR")
    for template in corpus("facts_fine"):
        assert "{{" not in fill(template, facts)
    with pytest.raises(ToolworldError, match="longer than 20,000 characters"):
        fill("{{ name }}{{ name }}", {"name": Spoken.of("a" * 10_001, "EUR")})
