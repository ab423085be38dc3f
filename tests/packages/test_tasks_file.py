"""The file of tasks: what is read of it, what is refused, and what is kept when it is written."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from pydantic import BaseModel

from toolworld.errors import PackageLoadError, ToolworldError
from toolworld.packages.tasks_file import checked_tasks, read_tasks, tasks_text, write_made

BY_HAND = {"id": "by_hand", "instruction": "Lend me a book."}
MADE = {"id": "made-1", "instruction": "Für José\u2028 – 5 €", "scenario": "lending"}


class Errand(BaseModel):
    """What a line must be."""

    id: str
    steps: list[dict[str, int]] = []
    due: date | None = None


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tasks.jsonl"


def test_tasks_come_back_as_they_were_written_whatever_letters_they_hold(path: Path) -> None:
    path.write_text(tasks_text([BY_HAND, MADE]), "utf-8")
    assert read_tasks(path) == [BY_HAND, MADE]
    text = path.read_bytes().decode("utf-8")
    assert "Für José\u2028 – 5 €" in text and text.count("\n") == 2


def test_empty_lines_are_passed_over_and_counted(path: Path) -> None:
    path.write_text('\n{"id": "a"}\n\n{"id": \n', "utf-8")
    with pytest.raises(PackageLoadError) as caught:
        read_tasks(path)
    assert str(caught.value) == f"{path}:4:8: this is no JSON: Expecting value."
    assert isinstance(caught.value.__cause__, json.JSONDecodeError)


def test_a_line_that_is_no_object_is_refused_with_its_place(path: Path) -> None:
    path.write_text('{"id": "a"}\n[]\n', "utf-8")
    with pytest.raises(PackageLoadError) as caught:
        read_tasks(path)
    assert str(caught.value) == f"{path}:2: a task is a JSON object."


@pytest.mark.parametrize("content", [None, b"\xff\n"], ids=["missing", "not UTF-8"])
def test_a_file_that_cannot_be_read_says_what_to_do(path: Path, content: bytes | None) -> None:
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(PackageLoadError, match="cannot be read: .*[.] Build the package again"):
        read_tasks(path)
    with pytest.raises(ToolworldError, match=f"{path} cannot be rewritten: "):
        write_made(path, [MADE])


def test_checked_tasks_have_the_values_of_the_type(path: Path) -> None:
    path.write_text('{"id": "a"}\n{"id": "b", "steps": [{"n": 1}], "due": "2026-06-15"}\n', "utf-8")
    assert checked_tasks(path, Errand) == [
        {"id": "a", "steps": [], "due": None},
        {"id": "b", "steps": [{"n": 1}], "due": "2026-06-15"},
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"id": "b", "steps": [{"n": "x"}]}', "this is no task: steps.0.n: Input should be"),
        ("[]", "this is no task: Input should be an object. Correct the line"),
        ("{", "this is no task: Invalid JSON"),
    ],
)
def test_what_is_no_task_is_refused_with_its_line_and_key(path: Path, line: str, said: str) -> None:
    path.write_text(f'{{"id": "a"}}\n{line}\n', "utf-8")
    with pytest.raises(PackageLoadError) as caught:
        checked_tasks(path, Errand)
    assert str(caught.value).startswith(f"{path}:2: {said}")
    assert "toolworld build DOMAIN --out DIR" in str(caught.value)


def test_made_tasks_take_the_place_of_made_ones_and_of_no_others(path: Path) -> None:
    path.write_text(tasks_text([BY_HAND]), "utf-8")
    assert write_made(path, [MADE]) == 0
    assert read_tasks(path) == [BY_HAND, MADE]
    other = {**MADE, "id": "made-2"}
    assert write_made(path, [other]) == 1
    assert read_tasks(path) == [BY_HAND, other]


def test_without_new_tasks_the_made_ones_stay(path: Path) -> None:
    path.write_text(tasks_text([BY_HAND, MADE]), "utf-8")
    assert write_made(path, []) == 0
    assert read_tasks(path) == [BY_HAND, MADE]
