"""Domain folders that a model could write, or somebody who means harm, each checked and built.

The corpus is ``specs.yaml``: patches of the starter domain, in groups. A group names a file, a
text of it (``old``) and what takes its place (``put``), with ``{}`` for each of its cases; cases
are ``refused`` or ``fine``. A refused case must give a problem of a file and line, with a mend; a
fine one must build. What takes more than a patch is made by ``LARGE`` below. No case may end in
anything but problems, run anything, or take longer than five seconds. Whoever finds a text that
breaks something adds a case.
"""

from __future__ import annotations

import json
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tests.spec import starter
from toolworld import emit
from toolworld.errors import Problem, SpecError
from toolworld.spec.load import check_texts, load_spec

HERE = Path(__file__).parent
LONGEST = 5.0
BESIDE = {
    "domain.yaml": (),
    "tools.py": ("domain.yaml",),
    "seed.py": ("domain.yaml",),
    "conduct.py": ("domain.yaml",),
    "tasks.yaml": ("domain.yaml", "tools.py"),
}
"""What is checked with a file where not all files are: the others take the most time."""
WHOLE_FILE = {"too-large", "missing-file", "empty"}
"""Rules that are about no line."""


class Case(NamedTuple):
    """A patched domain, and what its corpus says of it."""

    text: str
    file: str
    texts: dict[str, str]


def cases(kind: str) -> Iterator[Case]:
    """Return the refused or the fine cases."""
    for group in yaml.safe_load((HERE / "specs.yaml").read_text("utf-8")):
        for text in group.get(kind, ()):
            yield _case(group, text)


def _case(group: dict[str, Any], text: str) -> Case:
    put = json.dumps(text) if group.get("quoted") else text
    put = textwrap.indent(textwrap.dedent(put), "    ") if group.get("indented") else put
    texts = starter.texts()
    file = group["file"]
    assert texts[file].count(group["old"]) == 1, group["old"]
    texts[file] = texts[file].replace(group["old"], group["put"].replace("{}", put))
    return Case(text, file, texts)


def problems_of(case: Case) -> list[Problem]:
    """Return the problems of a case in its own file."""
    beside = BESIDE.get(case.file, tuple(case.texts))
    texts = {name: text for name, text in case.texts.items() if name in (case.file, *beside)}
    start = time.monotonic()
    _, problems = check_texts(texts)
    assert time.monotonic() - start < LONGEST, case.text
    return [problem for problem in problems if problem.file == case.file]


def wrong_with(case: Case) -> str:
    """Return what is wrong with how a refused case is refused; empty if nothing is."""
    problems = problems_of(case)
    told = [problem for problem in problems if is_placed(problem)]
    return "" if told else f"{case.file}: {case.text!r} gives {problems}"


def is_placed(problem: Problem) -> bool:
    return bool(problem.line or problem.rule in WHOLE_FILE) and bool(problem.mend)


@pytest.mark.parametrize("file", [*BESIDE, "scenarios/rentals.py"])
def test_a_file_that_is_not_patched_has_no_problem(file: str) -> None:
    assert problems_of(Case("", file, starter.texts())) == []


def test_each_refused_case_gives_a_problem_with_file_line_and_mend() -> None:
    found = list(cases("refused"))
    assert len(found) >= 250
    assert [wrong for case in found if (wrong := wrong_with(case))] == []


def test_each_fine_case_passes_and_all_kinds_of_them_build(tmp_path: Path) -> None:
    last: dict[str, Case] = {}
    for case in cases("fine"):
        assert problems_of(case) == [], case.text
        last[case.file] = case
    for case in last.values():
        folder = tmp_path / case.file
        for name, text in case.texts.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, "utf-8")
        assert emit.build(folder, folder / "package").tools == 9


# What is large


def _functions(body: str, count: int) -> str:
    return "\n\n" + "\n\n".join(body.replace("{n}", str(n)) for n in range(count))


LARGE = {
    "open brackets": ("domain.yaml", "[" * 64_000),
    "open braces": ("domain.yaml", "{a: " * 16_000),
    "dashes": ("domain.yaml", "- " * 32_000),
    "question marks": ("domain.yaml", "? " * 32_000),
    "keys": ("domain.yaml", "".join(f"k{n}: 1\n" for n in range(8_000))),
    "the same key": ("domain.yaml", "a: 1\n" * 12_000),
    "one line of commas": ("domain.yaml", "{" + ",".join("a" * 32_000)),
    "anchors": ("domain.yaml", "".join(f"- &a{n} x\n" for n in range(6_000))),
    "doubled aliases": (
        "domain.yaml",
        "a: &b0 [x]\n" + "".join(f"b{n}: &b{n} [*b{n - 1}, *b{n - 1}]\n" for n in range(1, 2_000)),
    ),
    "quoted": ("domain.yaml", '"' + "a\n" * 32_000),
    "digits": ("domain.yaml", "a: " + "9" * 64_000),
    "tasks that are none": ("tasks.yaml", "- {id: 1}\n" * 6_000),
    "wrong tasks": (
        "tasks.yaml",
        "".join(
            f"- {{id: t{n}, persona: a, instruction: b, gold: [{{tool: no{n}}}]}}\n"
            for n in range(1_200)
        ),
    ),
    "wrong helpers": (
        "tools.py",
        _functions("def _wrong{n}(db: Database) -> int:\n    return db.no{n} + nope{n}\n", 600),
    ),
    "wrong tools": (
        "tools.py",
        _functions("def tool{n}(db: Database, x: No{n}) -> No{n}:\n    return 1\n", 600),
    ),
    "helpers that meet again": (
        "scenarios/rentals.py",
        "".join(
            f"\n\ndef _a{n}() -> Facts:\n    return facts(_a{n + 1}(), _a{n + 1}())\n"
            for n in range(60)
        )
        + "\n\ndef _a60() -> Facts:\n    return facts(x=1)\n"
        + '\n\ndef more(db: Database, draw: Draw) -> Facts:\n    """Meet."""\n'
        + "    return facts(_a0())\n",
    ),
    "sums": ("tools.py", "\n\nA = " + "1 + " * 20_000 + "1\n"),
    "brackets of code": ("tools.py", "\n\nA = " + "(" * 20_000),
    "fors": ("tools.py", "\n\nA = [a " + "for a in b " * 15_000 + "]\n"),
    "comparisons": (
        "tools.py",
        "\n\ndef _a(n: int) -> bool:\n    return " + "m < " * 8_000 + "n\n",
    ),
    "names of one list": (
        "tools.py",
        "\n\ndef _a(a0: list[int]) -> None:\n"
        + "".join(f"    a{n + 1} = a{n}\n" for n in range(5_000))
        + "    for one in a0:\n        a5000.append(one)\n",
    ),
    "markers": ("policy.md", "\n- 1.1 " + "[tools: " * 20_000),
}


@pytest.mark.parametrize("name", LARGE)
def test_what_is_large_is_refused_in_no_time(name: str) -> None:
    file, text = LARGE[name]
    texts = starter.texts()
    texts[file] = (texts[file] if file.endswith((".py", ".md")) else "") + text
    assert wrong_with(Case(name, file, texts)) == ""


def test_predicates_that_call_each_other_in_a_long_row_are_read_at_once() -> None:
    texts = starter.texts()
    row = (f"def _a{n}(past: Past) -> bool:\n    return _a{n + 1}(past)\n" for n in range(1_500))
    end = "def _a1500(past: Past) -> bool:\n    return bool(past.told)\n"
    texts["conduct.py"] += "\n\n" + "\n\n".join([*row, end])
    start = time.monotonic()
    assert check_texts(texts)[1] == []
    assert time.monotonic() - start < LONGEST


# Links


@pytest.mark.parametrize("name", ["policy.md", "scenarios/rentals.py", "scenarios", "tools"])
def test_a_link_that_leads_to_itself_is_a_problem(name: str, tmp_path: Path) -> None:
    for file, text in starter.texts().items():
        if not file.startswith(name):
            (tmp_path / file).parent.mkdir(exist_ok=True)
            (tmp_path / file).write_text(text, "utf-8")
    (tmp_path / name).symlink_to((tmp_path / name).name)
    with pytest.raises(SpecError) as caught:
        load_spec(tmp_path)
    assert name in {problem.file for problem in caught.value.problems}
