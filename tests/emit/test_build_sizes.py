"""Packages of any size and seed, and builds that do not come back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.emit.contents import content, replace
from toolworld import emit
from toolworld.emit.seed import scaled
from toolworld.errors import SpecError
from toolworld.packages import load_package

Break = Callable[[Path], None]


# Size and seed


def rows_of(package: Path) -> dict[str, int]:
    seed = json.loads((package / "src/toolworld_library/database/seed.json").read_text("utf-8"))
    return {name: len(rows) for name, rows in seed["tables"].items()}


@pytest.mark.parametrize("rows", [1, 7, 2000])
def test_any_number_of_rows(tmp_path: Path, library_spec: Path, rows: int) -> None:
    report = emit.build(library_spec, tmp_path / "out", rows=rows)
    assert report.rows == rows_of(tmp_path / "out")
    assert report.rows["loans"] == rows
    assert report.tasks == 0
    environment = load_package(tmp_path / "out").environment()
    assert len(environment.state()["loans"]) == rows


def test_rows_are_in_proportion() -> None:
    counts = {"members": 12, "books": 16, "loans": 26, "holds": 6}
    assert scaled(counts, None) == counts
    assert scaled(counts, 2600) == {"members": 1200, "books": 1600, "loans": 2600, "holds": 600}
    assert scaled(counts, 1) == dict.fromkeys(counts, 1)


def test_a_seed_gives_other_data(tmp_path: Path, library_spec: Path, library: Path) -> None:
    for name in ("one", "same"):
        emit.build(library_spec, tmp_path / name, seed=1)
    one = content(tmp_path / "one")
    assert one == content(tmp_path / "same")
    differing = {path for path, data in content(library).items() if one[path] != data}
    # The README shows a call, whose arguments are of these rows.
    assert {Path(path).name for path in differing} == {"seed.json", "tasks.jsonl", "README.md"}


def test_cases_are_for_the_rows_they_name(tmp_path: Path, spec: Path) -> None:
    call = "{tool: renew_loan, arguments: {loan_id: LOA-00001}}"
    case = f"- {{name: one, call: {call}, expect: {{rejected: open}}}}\n"
    (spec / "cases.yaml").write_text(case, "utf-8")
    emit.build(spec, tmp_path / "own")
    emit.build(spec, tmp_path / "other", seed=1)
    name = "src/toolworld_library/proof/cases.json"
    assert [(tmp_path / path / name).exists() for path in ("own", "other")] == [True, False]


# What does not come back


ENDLESS = "sum(a * b for a in range(1_000_000) for b in range(1_000_000))"
HUGE = "sorted(range(len('a') * 1_000_000_000_000))"


@pytest.mark.parametrize(
    ("file", "before", "says"),
    [
        ("seed.py", "def seed_loans(", "seed.py: [out-of-limits] seed_loans"),
        ("tools.py", "def find_member(", "tasks.yaml: [out-of-limits] task"),
    ],
)
@pytest.mark.parametrize(("code", "how"), [(ENDLESS, "does not come back"), (HUGE, "eats memory")])
def test_what_hangs_or_eats_memory_is_named_and_the_old_package_kept(
    spec: Path, package: Path, file: str, before: str, says: str, code: str, how: str
) -> None:
    text = (spec / file).read_text()
    start = text.index('"""', text.index('"""', text.index(before)) + 3) + 3
    (spec / file).write_text(f"{text[:start]}\n    spent = {code}{text[start:]}")
    kept = content(package)
    with pytest.raises(SpecError) as caught:
        emit.build(spec, package, seconds=0.3)
    assert str(caught.value).startswith(says)
    assert str(caught.value).endswith(f"{how}. Bound its loops and lists.")
    assert content(package) == kept


def test_a_rule_that_fails_on_the_seed_data_is_named(tmp_path: Path, spec: Path) -> None:
    replace(spec / "domain.yaml", "loan.fine ==", "loan.fine / (loan.fine - loan.fine) ==")
    with pytest.raises(SpecError, match="loans_fine_is_sum_of_fees fails on the seed data: "):
        emit.build(spec, tmp_path / "out")


def test_gold_that_meets_an_error_is_named(tmp_path: Path, spec: Path) -> None:
    replace(
        spec / "tools.py",
        "    found = db.members",
        "    share = 1 // len('')\n    found = db.members",
    )
    with pytest.raises(SpecError, match=r"Step 0, find_member .* fails: ZeroDivisionError"):
        emit.build(spec, tmp_path / "out")


def test_progress_names_what_runs(tmp_path: Path, library_spec: Path) -> None:
    said: list[str] = []
    emit.build(library_spec, tmp_path / "library", on_progress=said.append)
    assert said[:2] == ["Reading the spec", "Rendering"]
    assert all(text.startswith("Running ") for text in said[2:])
