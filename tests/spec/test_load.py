"""Reading a domain folder: whole, broken in many places at once, and hostile."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from toolworld.errors import Problem, SpecError
from toolworld.spec import load_spec
from toolworld.spec.load import check_texts

from .samples import DOMAINS, LIBRARY, library, problems_after, problems_with, rules_after, spec_of

BUNDLED = sorted(path.parent for path in DOMAINS.glob("*/domain.yaml"))


def write(folder: Path, texts: dict[str, str]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def problems_of(folder: Path) -> tuple[Problem, ...]:
    with pytest.raises(SpecError) as caught:
        load_spec(folder)
    return caught.value.problems


def test_the_library_is_clean() -> None:
    spec = load_spec(LIBRARY)
    assert spec.name == "library"
    assert [tool.name for tool in spec.tools][:3] == [
        "find_member",
        "search_books",
        "list_member_loans",
    ]
    assert spec.clock.isoformat() == "2026-03-02T09:00:00+00:00"


@pytest.mark.parametrize("folder", BUNDLED, ids=lambda folder: folder.name)
def test_bundled_domains_are_clean(folder: Path) -> None:
    assert spec_of(folder).name == folder.name


def test_all_problems_of_all_files_come_at_once(tmp_path: Path) -> None:
    texts = library()
    texts["domain.yaml"] = texts["domain.yaml"].replace("type: Member,", "type: Membr,", 1)
    texts["tools.py"] = texts["tools.py"].replace("loan.renewals >=", "loan.renewal >=")
    texts["tools.py"] = texts["tools.py"].replace("found[0]", "found.__class__")
    texts["seed.py"] = texts["seed.py"].replace("def seed_holds", "def seed_hold")
    texts["phrases.yaml"] = texts["phrases.yaml"].replace("{{ email }}", "{{ emil }}")
    texts["tasks.yaml"] = texts["tasks.yaml"].replace("tool: renew_loan", "tool: renew_lon", 1)
    del texts["policy.md"]
    problems = problems_of(write(tmp_path / "bad", texts))
    found = {(problem.file, problem.rule) for problem in problems}
    assert found == {
        ("domain.yaml", "unknown-type"),
        ("domain.yaml", "seed"),
        ("tools.py", "unknown-column"),
        ("tools.py", "underscore"),
        ("seed.py", "seed"),
        ("phrases.yaml", "template"),
        ("tasks.yaml", "unknown-tool"),
        ("policy.md", "missing-file"),
    }
    assert list(problems) == sorted(problems)


def test_a_broken_domain_does_not_hide_problems_elsewhere() -> None:
    texts = library()
    texts["domain.yaml"] = texts["domain.yaml"].replace("table: loans", "tables: loans")
    texts["tools.py"] = texts["tools.py"].replace("found[0]", "eval('1')")
    texts["tasks.yaml"] = texts["tasks.yaml"].replace("persona:", "person:", 1)
    spec, problems = check_texts(texts)
    assert spec is None
    assert {(problem.file, problem.rule) for problem in problems} >= {
        ("domain.yaml", "unknown-key"),
        ("domain.yaml", "missing-key"),
        ("tools.py", "unknown-name"),
        ("tasks.yaml", "unknown-key"),
    }


def test_a_problem_says_where_what_and_how_to_mend_it() -> None:
    (problem,) = problems_after("tools.py", "loan.renewals >=", "loan.renewal >=")
    assert str(problem) == (
        'tools.py:133: [unknown-column] Loan has no column renewal. Did you mean "renewals"?'
    )


@pytest.mark.parametrize(
    ("old", "new", "rule", "message"),
    [
        ("title: Town", "titel: Town", "unknown-key", 'Did you mean "title"?'),
        ("    table: books", "    tabel: books", "unknown-key", 'Did you mean "table"?'),
        ("unique: true", "uniqe: true", "unknown-key", 'Did you mean "unique"?'),
        ("values: [late", "value: [late", "unknown-key", 'Did you mean "values"?'),
        ("prefix: MEM", "prefix: mem", "bad-value", "capitals"),
        ("name: library", "name: Library", "bad-value", "lower-case"),
        ("clock: 2026-03-02T09:00:00Z", "clock: 2026-03-02T09:00:00", "bad-value", "Z, for UTC"),
        ("clock: 2026-03-02T09:00:00Z", "clock: soon", "bad-value", "2026-03-02T09:00:00Z"),
        ("members: 12", "members: 0", "bad-value", ""),
        ("members: 12", "members: twelve", "bad-value", "whole number"),
        ("members: 12", "members: true", "bad-value", "whole number"),
        ("unique: true", 'unique: "yes"', "bad-value", "true or false"),
        ("values: [open, returned, lost]", "values: []", "bad-value", "at least one"),
        ("values: [open, returned, lost]", "values: [open, 3]", "bad-value", "quotes"),
        ("match: semantic", "match: fuzzy", "bad-value", "one of these"),
    ],
)
def test_a_wrong_shape_is_placed(old: str, new: str, rule: str, message: str) -> None:
    problems = problems_after("domain.yaml", old, new)
    lines = library()["domain.yaml"].replace(old, new, 1).splitlines()
    found = [problem for problem in problems if problem.rule == rule]
    assert any(message in problem.mend for problem in found)
    assert any(new.split(":")[0].strip() in lines[problem.line - 1] for problem in found)


def test_a_missing_key_is_placed_at_its_owner() -> None:
    problems = problems_after("domain.yaml", "    key: isbn\n", "")
    (problem,) = [problem for problem in problems if problem.rule == "missing-key"]
    assert problem.message == "entities.Book.key is missing."
    assert library()["domain.yaml"].splitlines()[problem.line - 1] == "  Book:"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("name: [", "yaml-syntax"),
        ("name: a\nname: b", "duplicate-key"),
        ("a: &x [1]\nb: *x", "yaml-alias"),
        ("a: *missing", "yaml-alias"),
        ("a: !!python/object/apply:os.system ['true']", "yaml-tag"),
        ("!!python/name:os.system", "yaml-tag"),
        ("a: !custom {b: 1}", "yaml-tag"),
        ("a: !!int x", "yaml-tag"),
        ("? [a, b]\n: 1", "yaml-key"),
        ("a: 1\n--- \nb: 2", "yaml-syntax"),
        ("a: 1e999", "number"),
        ('a: "\\0"', "odd-character"),
        ('a: "\\ud800"', "yaml-syntax"),
        ("a: \x01", "yaml-syntax"),
        ("[" * 5000, "yaml-too-much"),
        ("- " * 5000, "yaml-too-much"),
        ("", "empty"),
        ("just text", "bad-value"),
        ("- a\n- b", "bad-value"),
        ("3", "bad-value"),
    ],
)
@pytest.mark.parametrize("file", ["domain.yaml", "phrases.yaml", "tasks.yaml"])
def test_bad_yaml_is_a_problem(file: str, text: str, rule: str) -> None:
    problems = problems_with(file, text)
    assert rule in {problem.rule for problem in problems}


def test_an_alias_bomb_is_refused_at_once() -> None:
    lines = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 60)]
    rules = {problem.rule for problem in problems_with("tasks.yaml", "\n".join(lines))}
    assert "yaml-alias" in rules


def test_words_of_old_yaml_mean_what_they_say() -> None:
    values = "values: [on, off, yes, no, 12:30, 2026-03-01, 007, 1_000]"
    problems = problems_after("domain.yaml", "values: [late, damaged, lost]", values)
    assert {problem.rule for problem in problems} == {"unknown-value"}


def test_missing_files_are_each_named(tmp_path: Path) -> None:
    problems = problems_of(tmp_path)
    assert {problem.rule for problem in problems} == {"missing-file"}
    wanted = {"domain.yaml", "tools.py", "seed.py", "policy.md"}
    assert {problem.file for problem in problems} == wanted


def test_a_missing_folder_is_a_problem(tmp_path: Path) -> None:
    (problem,) = problems_of(tmp_path / "none")
    assert problem.rule == "no-folder"


def test_files_that_are_not_plain_files_are_refused(tmp_path: Path) -> None:
    folder = write(tmp_path / "bad", library())
    secret = tmp_path / "secret.yaml"
    secret.write_text("secret: 1", encoding="utf-8")
    for name in ("domain.yaml", "tools.py", "seed.py", "phrases.yaml", "policy.md", "tasks.yaml"):
        (folder / name).unlink()
    (folder / "domain.yaml").symlink_to(secret)
    (folder / "tools.py").mkdir()
    os.mkfifo(folder / "seed.py")
    (folder / "phrases.yaml").symlink_to(folder / "nowhere")
    (folder / "laws.py").symlink_to(folder / "laws.py")
    (folder / "policy.md").write_bytes(b"caf\xe9 \n")
    (folder / "tasks.yaml").write_bytes(b"x" * 4_000_001)
    found = {problem.file: problem.rule for problem in problems_of(folder)}
    assert found == {
        "domain.yaml": "outside",
        "tools.py": "not-a-file",
        "seed.py": "not-a-file",
        "phrases.yaml": "unreadable",
        "laws.py": "outside",
        "policy.md": "encoding",
        "tasks.yaml": "too-large",
    }


def test_line_ends_and_a_byte_order_mark_do_not_matter(tmp_path: Path) -> None:
    folder = tmp_path / "windows"
    folder.mkdir()
    for name, text in library().items():
        (folder / name).write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert load_spec(folder) == load_spec(LIBRARY)


def test_an_empty_policy_is_refused() -> None:
    texts = {**library(), "policy.md": "Be nice."}
    assert {problem.rule for problem in check_texts(texts)[1]} == {"empty"}


def test_a_rule_is_broken_where_the_invariant_stands() -> None:
    assert "unknown-table" in rules_after("domain.yaml", "db.books.get", "db.bookz.get")
