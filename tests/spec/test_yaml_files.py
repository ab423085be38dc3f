"""A domain's YAML may go on in the files of a folder, and says the same as in one file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.spec.samples import library
from toolworld.spec import Spec, load_spec, save_spec
from toolworld.spec.load import check_texts
from toolworld.spec.overview import overview


def split(text: str, at: str) -> tuple[str, str]:
    """Cut a text before a line that stands in it once."""
    assert text.count(at) == 1
    head, tail = text.split(at)
    return head, at + tail


def in_files() -> dict[str, str]:
    """Return the library with its entities in files of a folder, and no file of phrases."""
    texts = library()
    head, entities = split(texts.pop("domain.yaml"), "\nentities:\n")
    books, loans = split(entities, "\n  Loan:\n")
    loans, seed = split(loans, "\nseed:\n")
    texts["domain.yaml"] = head + seed
    texts["domain/books.yaml"] = books.lstrip("\n") + "\n"
    texts["domain/loans.yaml"] = f"entities:\n{loans}"
    texts["phrases/all.yaml"] = texts.pop("phrases.yaml")
    return texts


def spec_of(texts: dict[str, str]) -> Spec:
    spec, problems = check_texts(texts)
    assert problems == [] and spec is not None
    return spec


def test_files_of_a_folder_say_the_same_as_one_file() -> None:
    several, one = spec_of(in_files()), spec_of(library())
    assert several.domain == one.domain and list(several.domain.entities) == list(
        one.domain.entities
    )
    assert several.phrases == one.phrases


@pytest.mark.parametrize(
    ("file", "old", "new", "place", "rule"),
    [
        ("domain/loans.yaml", "table: loans", "table: Loans", ("domain/loans.yaml", 4),
         "bad-value"),
        ("domain/loans.yaml", "table: loans", "table: [", ("domain/loans.yaml", 6), "yaml-syntax"),
        ("domain/books.yaml", "table: books", "table: loans", ("domain/loans.yaml", 4),
         "duplicate-name"),
        ("phrases/all.yaml", "tools:", "tolls:", ("phrases/all.yaml", 56), "unknown-key"),
    ],
)  # fmt: skip
def test_a_problem_has_its_own_file_and_line(
    file: str, old: str, new: str, place: tuple[str, int], rule: str
) -> None:
    texts = in_files()
    assert old in texts[file]
    texts[file] = texts[file].replace(old, new, 1)
    _, problems = check_texts(texts)
    assert (*place, rule) in {(one.file, one.line, one.rule) for one in problems}
    assert "domain.yaml" not in {one.file for one in problems}


def test_what_stands_in_two_files_is_refused() -> None:
    texts = in_files()
    texts["domain/more.yaml"] = "title: Another\nentities:\n  Book:\n    table: tomes\n"
    _, problems = check_texts(texts)
    found = {(one.file, one.line) for one in problems if one.rule == "said-twice"}
    assert found == {("domain/more.yaml", 1), ("domain/more.yaml", 4)}


def test_lists_are_joined_end_to_end() -> None:
    texts = library()
    case = (
        "- name: {name}\n  call:\n    tool: find_member\n"
        "    arguments: {email: nobody@example.com}\n  expect:\n    rejected: unknown_email\n"
    )
    texts["cases/first.yaml"] = case.replace("{name}", "nobody_has_the_address")
    texts["cases/second.yaml"] = case.replace("{name}", "nobody_has_it_at_all")
    spec, problems = check_texts(texts)
    if spec is not None:
        assert [one.name for one in spec.cases] == [
            "nobody_has_the_address",
            "nobody_has_it_at_all",
        ]
    wrong = {**texts, "cases/second.yaml": "- name: [\n"}
    _, problems = check_texts(wrong)
    assert {one.file for one in problems} == {"cases/second.yaml"}


def test_a_saved_domain_stands_in_one_file_again(tmp_path: Path) -> None:
    for name, text in in_files().items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    spec = load_spec(tmp_path)
    assert overview(tmp_path).entities == len(spec.domain.entities)
    save_spec(spec, tmp_path)
    assert not (tmp_path / "domain").exists() and not (tmp_path / "phrases").exists()
    assert load_spec(tmp_path).domain == spec.domain
