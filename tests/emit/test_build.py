"""Builds: the same bytes twice, whole or not at all, at any size, and side by side."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.emit.contents import content, names_in, replace
from toolworld import emit
from toolworld.errors import BuildError, PackageLoadError, SpecError
from toolworld.packages import load_package

Break = Callable[[Path], None]


# The same again


def test_two_builds_are_alike(tmp_path: Path, library_spec: Path, library: Path) -> None:
    emit.build(library_spec, tmp_path / "again")
    assert content(tmp_path / "again") == content(library)


def test_nothing_but_the_domain_is_in_the_bytes(tmp_path: Path, spec: Path, library: Path) -> None:
    """Another process, folder, hash seed, locale and time zone give the same package."""
    out = tmp_path / "elsewhere"
    environment = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    command = [sys.executable, "-m", "toolworld", "build", str(spec), "--out", str(out)]
    subprocess.run(command, check=True, cwd=tmp_path, env=environment)
    assert content(out) == content(library)


def test_a_package_is_replaced_as_a_whole(library_spec: Path, library: Path, package: Path) -> None:
    (package / "src" / "toolworld_library" / "left_over.py").write_text("x = 1\n")
    report = emit.build(library_spec, package)
    assert content(package) == content(library)
    assert str(report).startswith("library: 9 tools, 4 entities, 60 rows, 6 tasks in ")
    assert names_in(package.parent) == ["library"]


def test_no_caches_are_left_in_a_package(library: Path) -> None:
    assert not [path for path in content(library) if "__pycache__" in path or "_cache" in path]


# Whole or not at all


def break_the_spec(spec: Path) -> None:
    replace(spec / "domain.yaml", "type: Member,", "type: Nobody,")


def break_the_recipe(spec: Path) -> None:
    replace(spec / "seed.py", "books = db.books.all()", "books = [db.books.all()[99999]]")


def make_unsound_data(spec: Path) -> None:
    replace(spec / "seed.py", "fine=sum(", "fine=1 + sum(")


def make_a_broken_reference(spec: Path) -> None:
    replace(
        spec / "seed.py", "isbn=book.isbn,\n            status", 'isbn="0",\n            status'
    )


def break_gold(spec: Path) -> None:
    replace(spec / "tasks.yaml", "      expect: rejected\n", "")


def make_a_write_needless(spec: Path) -> None:
    book = "isbn: '9781000000003', needed_by: '2026-03-09'"
    place = f"{{tool: place_hold, arguments: {{member_id: MEM-00010, {book}}}}}"
    cancel = "{tool: cancel_hold, arguments: {hold_id: {$step: 2, path: hold_id}}}"
    last = "    - tool: place_hold\n"
    replace(spec / "tasks.yaml", last, f"    - {place}\n    - {cancel}\n{last}")


def undo_what_gold_does(spec: Path) -> None:
    task = """
- id: change_of_mind
  persona: Jonas Ivanova, a retired postman, polite.
  instruction: Please put me in line for a book, and then take me out of it again.
  gold:
    - tool: place_hold
      arguments: {member_id: MEM-00010, isbn: '9781000000003', needed_by: '2026-03-09'}
    - {tool: cancel_hold, arguments: {hold_id: {$step: 0, path: hold_id}}}
"""
    path = spec / "tasks.yaml"
    path.write_text(path.read_text("utf-8") + task, "utf-8")


def lead_a_step_nowhere(spec: Path) -> None:
    replace(spec / "tasks.yaml", "items.1.loan_id", "items.77.loan_id")


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        (break_the_spec, "Nobody"),
        (break_the_recipe, r"seed\.py:\d+: \[seed-failed\]"),
        (make_unsound_data, "fine_is_sum_of_fees"),
        (make_a_broken_reference, "does not exist"),
        (break_gold, "return_what_cannot_be_renewed"),
        (make_a_write_needless, "can be dropped"),
        (undo_what_gold_does, "Doing nothing solves it"),
        (lead_a_step_nowhere, "leads nowhere"),
    ],
)
def test_a_failed_build_leaves_the_old_package(
    spec: Path, package: Path, broken: Break, says: str
) -> None:
    before = content(package)
    broken(spec)
    with pytest.raises(SpecError, match=says):
        emit.build(spec, package)
    assert content(package) == before
    assert names_in(package.parent) == ["library"]


def test_a_failed_first_build_leaves_nothing(tmp_path: Path, spec: Path) -> None:
    break_gold(spec)
    with pytest.raises(SpecError):
        emit.build(spec, tmp_path / "made" / "by" / "build")
    assert not (tmp_path / "made").exists()


def test_every_failing_task_is_named(spec: Path, tmp_path: Path) -> None:
    break_gold(spec)
    make_a_write_needless(spec)
    with pytest.raises(SpecError) as raised:
        emit.build(spec, tmp_path / "out")
    assert [problem.rule for problem in raised.value.problems] == ["gold-failed"] * 2


def test_a_failing_swap_where_folders_cannot_be_exchanged_puts_the_old_package_back(
    library_spec: Path, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, rename = content(package), Path.rename

    def failing(self: Path, target: Path) -> Path:
        if self.name == "new":
            raise KeyboardInterrupt
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", failing)
    monkeypatch.setattr("toolworld.folders.exchange", lambda one, other: False)
    with pytest.raises(KeyboardInterrupt):
        emit.build(library_spec, package)
    assert content(package) == before
    assert names_in(package.parent) == ["library"]


def test_a_link_to_a_package_stays_a_link(
    library_spec: Path, package: Path, tmp_path: Path
) -> None:
    link = tmp_path / "link"
    link.symlink_to(package)
    before = package.stat().st_ino
    emit.build(library_spec, link)
    assert link.is_symlink() and package.stat().st_ino != before
    assert names_in(package.parent) == ["library"]


def test_a_link_to_itself_is_refused(library_spec: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(link)
    with pytest.raises(BuildError, match="leads to itself"):
        emit.build(library_spec, link)


@pytest.mark.parametrize("already", [True, False])
def test_ctrl_c_in_a_build(
    tmp_path: Path, library: Path, library_spec: Path, already: bool
) -> None:
    """A real process, stopped while it makes its seed data."""
    out = tmp_path / "out" / "library"
    out.parent.mkdir()
    if already:
        shutil.copytree(library, out)
    before = content(tmp_path)
    command = [sys.executable, "-m", "toolworld", "build", str(library_spec), "--out", str(out)]
    environment = {**os.environ, "FORCE_COLOR": "1", "TERM": "xterm"}
    with subprocess.Popen(
        [*command, "--rows", "5000000"], stderr=subprocess.PIPE, env=environment
    ) as process:
        assert process.stderr is not None
        shown = b""
        while b"Running seed_" not in shown:
            piece = os.read(process.stderr.fileno(), 4096)
            assert piece, shown
            shown += piece
        process.send_signal(signal.SIGINT)
        shown += process.stderr.read()
    assert process.returncode == 130
    assert b"Interrupted." in shown and b"Traceback" not in shown
    assert content(tmp_path) == before
    assert names_in(out.parent) == (["library"] if already else [])


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_what_is_no_package_is_not_replaced(tmp_path: Path, library_spec: Path, kind: str) -> None:
    out = tmp_path / "mine"
    if kind == "folder":
        out.mkdir()
        (out / "thesis.txt").write_text("Years of work.")
    else:
        out.write_text("Years of work.")
    before = content(tmp_path)
    with pytest.raises(BuildError, match="choose"):
        emit.build(library_spec, out)
    assert content(tmp_path) == before


def test_an_empty_folder_is_filled(tmp_path: Path, library_spec: Path, library: Path) -> None:
    (tmp_path / "empty").mkdir()
    emit.build(library_spec, tmp_path / "empty")
    assert content(tmp_path / "empty") == content(library)


def test_a_folder_that_cannot_be_made_is_an_error_of_ours(
    tmp_path: Path, library_spec: Path
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BuildError, match="cannot be written"):
        emit.build(library_spec, tmp_path / "file" / "library")


# Stale


def test_stale_shows_what_would_change(spec: Path, package: Path, library: Path) -> None:
    assert emit.stale(spec, library) == ""
    before = content(package)
    shown = emit.stale(spec, package)
    assert "--- a/README.md" in shown and "-The old one." in shown and "+++ b/README.md" in shown
    assert content(package) == before
    replace(spec / "tools.py", "LOAN_DAYS = 21", "LOAN_DAYS = 22")
    assert "+LOAN_DAYS = 22" in emit.stale(spec, library)


def test_stale_sees_files_that_are_missing_or_too_many(spec: Path, package: Path) -> None:
    (package / "extra.txt").write_text("extra\n")
    (package / "LICENSE").unlink()
    (package / "src" / "toolworld_library" / "__pycache__").mkdir()
    (package / "src" / "toolworld_library" / "__pycache__" / "x.pyc").write_bytes(b"\xff")
    shown = emit.stale(spec, package)
    assert "-extra" in shown and "+++ b/LICENSE" in shown and "pycache" not in shown
    assert emit.stale(spec, package.parent / "nothing here").count("+++ b/") > 20


# Side by side


def test_two_builds_of_one_domain_do_not_mix(tmp_path: Path, spec: Path, library: Path) -> None:
    replace(spec / "tools.py", "LOAN_DAYS = 21", "LOAN_DAYS = 3")
    replace(spec / "domain.yaml", "12\n  books", "15\n  books")
    (spec / "tasks.yaml").write_text("[]\n")
    emit.build(spec, tmp_path / "changed")
    one, other = load_package(library), load_package(tmp_path / "changed")
    loan = {"member_id": "MEM-00002", "isbn": "9781000000002"}
    first, second = one.environment(), other.environment()
    assert first.call("lend_book", loan).structured["due_on"] == "2026-03-23"
    assert second.call("lend_book", loan).structured["due_on"] == "2026-03-05"
    assert (len(first.state()["members"]), len(second.state()["members"])) == (12, 15)
    assert (len(one.tasks()), len(other.tasks())) == (6, 0)
    with pytest.raises(other.module("errors").UnknownTool):
        second.call("nope")
    assert one.module("errors").UnknownTool is not other.module("errors").UnknownTool


def test_a_build_leaves_no_modules_behind(tmp_path: Path, library_spec: Path) -> None:
    before = {name for name in sys.modules if name.startswith("toolworld_")}
    emit.build(library_spec, tmp_path / "out")
    assert {name for name in sys.modules if name.startswith("toolworld_")} == before


@pytest.mark.parametrize("damage", ["nothing", "no module", "broken module"])
def test_what_is_no_package_cannot_be_loaded(tmp_path: Path, library: Path, damage: str) -> None:
    folder = tmp_path / "package"
    if damage != "nothing":
        shutil.copytree(library, folder)
        module = folder / "src" / "toolworld_library"
        if damage == "no module":
            shutil.rmtree(module)
        else:
            (module / "database" / "models.py").write_text("import nothing_like_this\n")
    before = set(sys.modules)
    with pytest.raises(PackageLoadError, match="[Bb]uild"):
        load_package(folder)
    assert not [name for name in set(sys.modules) - before if "library" in name]
