"""Templates that eat memory, reach for Python or make no sense are refused, and none is run.

Each line of ``templates.txt`` takes the place of a phrase of the library, whose tool has a
parameter ``email``.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.spec.samples import library, problems_with

TEMPLATES = (Path(__file__).parent / "templates.txt").read_text("utf-8").splitlines()
PHRASE = "{{ email }}"
SECONDS = 5

MADE = {
    "parentheses": "{{ " + "(" * 900 + "emial" + ")" * 900 + " }}",
    "and": "{{ email " + "and email " * 190 + "}}",
    "or": "{{ email " + "or email " * 190 + "}}",
    "not": "{{ " + "not " * 400 + "email }}",
    "minus": "{{ " + "-" * 1900 + "1 }}",
    "filters": "{{ email" + "|upper" * 300 + " }}",
    "attributes": "{{ email" + ".x" * 900 + " }}",
    "items": "{{ email" + "[0]" * 600 + " }}",
    "calls": "{{ email" + "()" * 900 + " }}",
    "either": "{{ " + "email if email else " * 90 + "email }}",
    "ifs": "{% if email %}" * 70 + "{% endif %}" * 70,
    "loops": "{% for x in email %}" * 50 + "{% endfor %}" * 50,
    "elifs": "{% if email %}" + "{% elif emial %}" * 100 + "{% endif %}",
    "compared": "{{ email " + "< emial " * 200 + "}}",
    "braces": "{{" * 900,
    "digits": "{{ " + "9" * 1900 + " * 9 }}",
    "lists": "{{ " + "[" * 900 + "]" * 900 + " }}",
    "dicts": "{{ " + "{1:" * 400 + "1" + "}" * 400 + " }}",
    "many": "{{ emial }}" * 170,
    "comments": "{#" * 900,
}
"""As long as a text may be."""


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_hostile_template_is_refused_with_its_line(template: str) -> None:
    refused(template)


@pytest.mark.parametrize("name", MADE)
def test_a_template_that_is_too_much_is_refused_soon(name: str) -> None:
    began = time.process_time()
    refused(MADE[name])
    assert time.process_time() - began < SECONDS


def refused(template: str) -> None:
    text = library()["phrases.yaml"]
    quoted = "'" + template.replace("'", "''") + "'"
    place = text.index(PHRASE)
    begun = text.rindex("\n", 0, place) + 1
    line = text[begun : text.index("\n", place)]
    indent = line[: len(line) - len(line.lstrip())]
    found = problems_with("phrases.yaml", text.replace(line, f"{indent}- {quoted}", 1))
    chosen = [problem for problem in found if problem.rule == "template"]
    assert chosen, [str(one) for one in found]
    assert all(problem.line > 0 for problem in chosen)
