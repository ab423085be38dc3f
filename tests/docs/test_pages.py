"""Every command and every Python example of the documentation works, and prints what is shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.docs.comparing import checked
from tools.committed import REPOSITORY
from tools.docs.__main__ import rewritten
from tools.docs.execution import Execution, edit
from tools.docs.page import NOT_RUN, Page, PageError, matches
from tools.docs.place import prepared
from toolworld.cli import app

PATHS = [
    REPOSITORY / "README.md",
    REPOSITORY / "CONTRIBUTING.md",
    *sorted((REPOSITORY / "docs").rglob("*.md")),
]
PAGES = {path.relative_to(REPOSITORY).as_posix(): Page.read(path) for path in PATHS}
TUTORIAL = "docs/tutorial.md"
"""Run by ``tests/draft``, where what it begins with is made."""
BEFORE_OTHERS = {page.before.path for page in PAGES.values() if page.before}
RUN = [
    name
    for name, page in PAGES.items()
    if any(block.is_run for block in page.blocks)
    and page.path not in BEFORE_OTHERS
    and name != TUTORIAL
]

each_page = pytest.mark.parametrize("name", PAGES)


@pytest.mark.parametrize("name", RUN)
def test_what_a_page_shows_is_what_happens(name: str, tmp_path: Path) -> None:
    checked(Execution(prepared(tmp_path)), PAGES[name])


@each_page
def test_every_block_of_code_is_run_or_says_why_not(name: str) -> None:
    marks = [block.mark for block in PAGES[name].blocks if block.mark]
    assert all(mark in ("fails", "in the background") or len(mark) > len(NOT_RUN) for mark in marks)


def test_commands_that_are_not_run_exist_too() -> None:
    known = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "200"}).stdout
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    for page in PAGES.values():
        words = set(re.findall(r"^\W*toolworld (\w+)", page.text.replace("`", "\n"), re.MULTILINE))
        assert {word for word in words if f" {word} " not in known} == set(), page.path
        made = set(re.findall(r"(?:^|`)make ([a-z-]+)", page.text, re.MULTILINE))
        assert made <= targets, page.path


@each_page
def test_every_link_leads_somewhere(name: str) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", PAGES[name].text)
    folder = PAGES[name].path.parent
    assert [link for link in links if not (folder / link).exists()] == []


def test_the_readme_is_short() -> None:
    assert len(PAGES["README.md"].text.splitlines()) <= 150


def test_the_glossary_is_short_and_sorted() -> None:
    terms = re.findall(r"^\| ([a-z ]+) \|", PAGES["docs/glossary.md"].text, re.MULTILINE)
    assert terms == sorted(set(terms))
    assert len(terms) <= 40


def test_every_example_is_short_and_run_by_a_page() -> None:
    shown = "".join(block.text for page in PAGES.values() for block in page.blocks if block.is_run)
    examples = sorted((REPOSITORY / "examples").glob("*.py"))
    assert len(examples) == 3
    for path in examples:
        assert f"python examples/{path.name}" in shown
        assert len(path.read_text(encoding="utf-8").splitlines()) < 60


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("one\ntwo\n", "one  \ntwo\n", True),
        ("one ... three", "one two three", True),
        ("one ... three", "one\nthree", False),
        ("one\n...\nthree", "one\ntwo\ntwo\nthree", True),
        ("one\n...\nthree", "one\ntwo", False),
        ("a.c", "abc", False),
        ("", "something", False),
    ],
)
def test_an_output_is_compared(shown: str, printed: str, same: bool) -> None:
    assert matches(shown, printed) is same


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("```sh\ntoolworld check nowhere\n```\n", "page.md:1: toolworld check nowhere"),
        ("```sh\nfalse\n```\n", "ends with 1"),
        ("<!-- fails -->\n```sh\ntrue\n```\n", "ends with 0"),
        ("```python\n1 / 0\n```\n", "page.md:1: ZeroDivisionError"),
        ('```diff title="there"\n-three\n+two\n```\n', "holds this 0 times"),
        ("<!-- in the background -->\n```sh\ntoolworld serve nowhere\n```\n", "the server ended"),
    ],
)
def test_a_page_that_does_not_work_is_found_out(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "there").write_text("one\n")
    with pytest.raises(PageError, match=re.escape(said)):
        Execution(tmp_path).run(Page(tmp_path / "page.md", text))


def test_files_are_changed_as_a_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = '```sh title="a"\none\n```\n\n```diff title="a"\n-one\n+two\n```\n'
    for block in Page(tmp_path / "page.md", text).blocks:
        edit(block)
    assert (tmp_path / "a").read_text() == "two\n"


def test_outputs_that_have_changed_are_written_anew(tmp_path: Path) -> None:
    text = "```sh\necho one\n```\n\n```text\ntwo\n```\n\n```python\nprint(3)\n```\n"
    page = Page(tmp_path / "page.md", text)
    printed = Execution(tmp_path).run(page)
    wanted = text.replace("two", "one") + "\n```text\n3\n```\n"
    assert rewritten(page, printed) == wanted
    again = Page(page.path, wanted)
    assert rewritten(again, Execution(tmp_path).run(again)) == wanted
