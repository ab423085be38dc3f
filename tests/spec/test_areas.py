"""Tools in a folder of files: read, checked as one namespace, and told with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.several_files import area_texts, split
from toolworld.errors import Problem, SpecError
from toolworld.spec import load_spec, save_spec
from toolworld.spec.load import check_texts

from .samples import LIBRARY, library, library_spec


def folder_texts(**more: str) -> dict[str, str]:
    """Return the library's files, its tools in a folder; ``more`` are texts to put at ends."""
    texts = library()
    texts |= area_texts(texts.pop("tools.py"))
    return texts | {f"tools/{name}.py": texts[f"tools/{name}.py"] + text
                    for name, text in more.items()}  # fmt: skip


def problems(**more: str) -> list[Problem]:
    return check_texts(folder_texts(**more))[1]


def problems_of(folder: Path) -> list[Problem]:
    with pytest.raises(SpecError) as caught:
        load_spec(folder)
    return list(caught.value.problems)


def found(folder: Path) -> set[tuple[str, str]]:
    return {(problem.file, problem.rule) for problem in problems_of(folder)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The library's folder, its tools in three files."""
    return split(LIBRARY, tmp_path / "library")


def test_a_folder_says_the_same_as_one_file(folder: Path) -> None:
    spec, whole = load_spec(folder), library_spec()
    assert [file.name for file in spec.tools_files] == ["desk", "fees", "holds"]
    assert {tool.name: tool.effects for tool in spec.tools} == {
        tool.name: tool.effects for tool in whole.tools
    }


def test_tools_come_by_file_and_then_by_place(folder: Path) -> None:
    names = [tool.name for tool in load_spec(folder).tools]
    assert names[:3] == ["find_member", "search_books", "list_member_loans"]
    assert names[-3:] == ["charge_fee", "place_hold", "cancel_hold"]


def test_each_file_knows_what_it_uses_of_others(folder: Path) -> None:
    desk, fees, holds = load_spec(folder).tools_files
    assert desk.uses == {"fees": ("LOAN_DAYS", "_late_fee", "_open_loan")}
    assert fees.uses == holds.uses == {}
    assert desk.docstring.startswith("What is done at the desk")
    assert desk.docstring not in desk.code
    assert desk.code.count("\n") == desk.text.count("\n")


def test_a_folder_is_saved_as_it_was(folder: Path, tmp_path: Path) -> None:
    spec = load_spec(folder)
    save_spec(spec, tmp_path / "saved")
    assert load_spec(tmp_path / "saved") == spec
    for file in (folder / "tools").iterdir():
        assert (tmp_path / "saved" / "tools" / file.name).read_bytes() == file.read_bytes()


def test_saving_leaves_no_tools_of_before(folder: Path) -> None:
    of_folder = load_spec(folder)
    save_spec(library_spec(), folder)
    assert load_spec(folder) == library_spec()
    assert not (folder / "tools").exists()
    save_spec(of_folder, folder)
    assert load_spec(folder) == of_folder
    fewer = of_folder.model_copy(update={"tools_files": of_folder.tools_files[1:]})
    save_spec(fewer, folder)
    assert sorted(path.name for path in (folder / "tools").iterdir()) == ["fees.py", "holds.py"]


# Problems of code are told where they are


@pytest.mark.parametrize("area", ["desk", "fees", "holds"])
def test_a_problem_is_told_with_its_file_and_line(area: str) -> None:
    bad = "\n\ndef _bad(loan: Loan) -> str:\n    return loan.nonsense\n"
    (problem,) = problems(**{area: bad})
    line = folder_texts(**{area: bad})[f"tools/{area}.py"].count("\n")
    assert (problem.file, problem.line) == (f"tools/{area}.py", line)
    assert str(problem).startswith(f"tools/{area}.py:{line}: [unknown-column] ")


def test_problems_of_several_files_are_told_at_once() -> None:
    bad = "\n\ndef _bad_{0}(db: Database) -> int:\n    return 2**9\n"
    places = {(one.file, one.rule) for one in problems(desk=bad.format(1), holds=bad.format(2))}
    assert places == {("tools/desk.py", "power"), ("tools/holds.py", "power")}


def test_a_file_that_is_no_python_is_told_by_itself() -> None:
    unclosed = "\n\nX = (1,\n"
    (problem,) = problems(fees=unclosed)
    assert (problem.file, problem.rule) == ("tools/fees.py", "syntax")
    assert problem.line >= folder_texts()["tools/fees.py"].count("\n")


def test_names_are_unique_over_all_files() -> None:
    twice = problems(holds="\n\ndef _open_loan(db: Database) -> int:\n    return 1\n")
    places = {(problem.file, problem.rule) for problem in twice}
    assert ("tools/holds.py", "duplicate-name") in places


def test_imports_are_refused_in_every_file() -> None:
    (problem,) = problems(holds="\n\nfrom .fees import LOAN_DAYS\n")
    assert (problem.file, problem.rule) == ("tools/holds.py", "import")


def test_a_constant_may_be_made_from_one_of_another_file() -> None:
    texts = folder_texts(holds="\nSHORTEST = MOST_RENEWALS + 1\n")
    spec, found = check_texts(texts)
    assert found == [] and spec is not None
    assert spec.tools_files[2].uses == {"desk": ("MOST_RENEWALS",)}


# What is checked of the files themselves


def test_a_use_that_comes_back_names_both_files() -> None:
    uses = "\n\ndef _count(db: Database) -> int:\n    return MOST_RENEWALS\n"
    (problem,) = problems(fees=uses)
    assert (problem.file, problem.rule) == ("tools/fees.py", "import-cycle")
    assert "MOST_RENEWALS of tools/desk.py" in problem.message
    assert "uses tools/fees.py" in problem.message
    assert problem.line == folder_texts(fees=uses)["tools/fees.py"].count("\n")


def test_a_use_that_comes_back_by_way_of_a_third_names_it() -> None:
    (problem,) = problems(
        fees="\n\ndef _days(db: Database) -> int:\n    return MOST_HOLD_DAYS\n",
        holds="\n\ndef _renewals(db: Database) -> int:\n    return MOST_RENEWALS\n",
    )
    assert (problem.file, problem.rule) == ("tools/holds.py", "import-cycle")
    assert "by way of tools/fees.py" in problem.message


def test_a_file_has_at_most_400_lines() -> None:
    (problem,) = problems(holds="# a remark\n" * 400)
    assert (problem.file, problem.line, problem.rule) == ("tools/holds.py", 401, "too-many-lines")


@pytest.mark.parametrize(
    ("docstring", "rule"),
    [
        ("", "no-docstring"),
        ("# Holds.", "no-docstring"),
        ('f"Holds."', "no-docstring"),
        ('b"Holds."', "no-docstring"),
        ('""""""', "summary"),
        ('"""Holds"""', "summary"),
        ('"""Holds.\n\nAnd more.\n"""', "summary"),
        (f'"""{"Holds " * 20}."""', "summary"),
        ('"""Holds."""; X = eval("1")', "summary"),
        ('"""Holds\\x00."""', "summary"),
    ],
)
def test_a_file_opens_with_a_line_of_what_it_is(docstring: str, rule: str) -> None:
    texts = folder_texts()
    _, _, rest = texts["tools/holds.py"].partition("\n")
    texts["tools/holds.py"] = f"{docstring}\n{rest}"
    found = {(problem.file, problem.rule) for problem in check_texts(texts)[1]}
    assert ("tools/holds.py", rule) in found


def test_a_file_is_not_called_as_a_function_is() -> None:
    texts = folder_texts()
    texts["tools/place_hold.py"] = texts.pop("tools/holds.py")
    (problem,) = check_texts(texts)[1]
    assert (problem.file, problem.rule) == ("tools/place_hold.py", "reserved-name")


def test_tools_stand_in_one_place(folder: Path) -> None:
    (folder / "tools.py").write_text("X = 1\n")
    assert found(folder) == {("tools.py", "two-places")}


def test_an_empty_folder_is_a_problem(folder: Path) -> None:
    for file in (folder / "tools").iterdir():
        file.unlink()
    assert found(folder) == {("tools", "no-code")}


def test_a_folder_without_a_tool_is_a_problem(folder: Path) -> None:
    for name in ("desk", "holds"):
        (folder / "tools" / f"{name}.py").unlink()
    code = '"""Nothing an agent can call."""\n\nLOAN_DAYS = 21\n'
    (folder / "tools" / "fees.py").write_text(code)
    assert ("tools", "no-tools") in found(folder)


@pytest.mark.parametrize("name", ["notes.txt", "__init__.py", "Big.py", "class.py", ".fees.py.tmp"])
def test_a_stranger_in_the_folder_is_a_problem(folder: Path, name: str) -> None:
    (folder / "tools" / name).write_text('"""A stranger."""\n')
    assert found(folder) == {(f"tools/{name}", "stranger")}


def test_caches_are_no_strangers(folder: Path) -> None:
    (folder / "tools" / "__pycache__").mkdir()
    assert load_spec(folder).tools_files


def test_files_of_the_folder_are_read_with_suspicion(folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.py"
    secret.write_text('"""A secret."""\n')
    for name in ("desk", "fees", "holds"):
        (folder / "tools" / f"{name}.py").unlink()
    (folder / "tools" / "desk.py").symlink_to(secret)
    (folder / "tools" / "fees.py").mkdir()
    (folder / "tools" / "holds.py").write_bytes(b"#" * 100_001)
    assert found(folder) == {
        ("tools/desk.py", "outside"),
        ("tools/fees.py", "not-a-file"),
        ("tools/holds.py", "too-large"),
    }


def test_a_folder_that_is_none_or_lies_elsewhere_is_refused(folder: Path, tmp_path: Path) -> None:
    elsewhere = (folder / "tools").rename(tmp_path / "elsewhere")
    (folder / "tools").symlink_to(elsewhere)
    assert found(folder) == {("tools", "outside")}
    (folder / "tools").unlink()
    (folder / "tools").write_text("X = 1\n")
    assert found(folder) == {("tools", "not-a-folder")}


def test_there_are_not_too_many_files(folder: Path) -> None:
    for number in range(80):
        (folder / "tools" / f"a{number}.py").write_text('"""An area."""\n')
    assert ("tools", "too-many-files") in found(folder)
