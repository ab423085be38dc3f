"""A tool that raises, hangs or eats memory is named, and the graph of the others is made."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from toolworld.cli import app
from toolworld.emit.jobs import Limits
from toolworld.graph import ToolGraph, build_graph, rerun, to_json
from toolworld.packages import load_package

TRIES = 40
SMALL = Limits(call=0.3, memory=128)
CANCELS = "    return db.holds.remove(hold_id)"

Break = Callable[[str, str], Path]


@pytest.fixture
def broken(golden_package: Path, tmp_path: Path) -> Break:
    """Puts code before a line of the library's tools, in a copy of the package."""

    def plant(line: str, code: str) -> Path:
        path = Path(shutil.copytree(golden_package, tmp_path / "library"))
        file = path / "src" / "toolworld_library" / "tools.py"
        text = file.read_text()
        assert text.count(line) == 1
        indent = line[: len(line) - len(line.lstrip())]
        file.write_text(text.replace(line, f"{indent}{code}\n{line}"))
        return path

    return plant


def ends(graph: ToolGraph) -> set[tuple[str, str, str]]:
    return {(e.candidate.source, e.candidate.target, e.candidate.key) for e in graph.edges}


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("1 // 0", "raises ZeroDivisionError: integer division or modulo by zero at line 252"),
        ("return db.holds.update(hold_id, isbn='x')", "raises IntegrityError: "),
        ("while True: pass", "does not come back: a call took more than 0.3 seconds"),
        ("10 ** 10 ** 9", "does not come back: a call took more than 0.3 seconds"),
        ("[*range(10 ** 9)]", "eats memory: a call took more than 128 megabytes"),
    ],
)
def test_a_tool_that_never_works_is_named_and_the_rest_is_kept(
    broken: Break, code: str, reason: str
) -> None:
    graph = build_graph(broken(CANCELS, code), tries=TRIES, limits=SMALL)
    assert list(graph.broken) == ["cancel_hold"]
    assert graph.broken["cancel_hold"].reason.startswith(reason)
    assert graph.broken["cancel_hold"].mend
    assert "cancel_hold" in graph.never
    assert not [pair for pair in ends(graph) if "cancel_hold" in pair[:2]]
    assert {
        ("lend_book", "return_loan", "data:loan_id"),
        ("return_loan", "lend_book", "enables"),
    } <= ends(graph)


def test_candidates_with_a_tool_that_hangs_say_so(broken: Break) -> None:
    graph = build_graph(broken(CANCELS, "while True: pass"), tries=TRIES, limits=SMALL)
    reasons = {
        one.reason
        for one in graph.refused
        if "cancel_hold" in (one.candidate.source, one.candidate.target)
    }
    assert reasons == {"cancel_hold does not come back: a call took more than 0.3 seconds"}


def test_a_tool_that_raises_at_times_keeps_what_it_was_shown_to_do(broken: Break) -> None:
    path = broken("    if loan.renewals >= MOST_RENEWALS:", "1 // (1 - loan.renewals)")
    graph = build_graph(path, limits=SMALL)
    assert list(graph.broken) == ["renew_loan"]
    assert ("list_member_loans", "renew_loan", "data:loan_id") in ends(graph)
    package = load_package(path)
    assert all(rerun(package, edge) for edge in graph.edges)


def test_what_is_broken_does_not_depend_on_how_many_work(broken: Break) -> None:
    path = broken(CANCELS, "while hold_id[-1] in '13579': pass")
    graphs = [build_graph(path, tries=TRIES, limits=SMALL, workers=n) for n in (1, 2)]
    assert list(graphs[0].broken) == ["cancel_hold"]
    assert to_json(graphs[0]) == to_json(graphs[1])


def test_a_sane_package_has_nothing_broken(graph: ToolGraph) -> None:
    assert graph.broken == {}
    assert "broken" not in str(graph)


def test_the_command_names_it_writes_the_rest_and_fails(broken: Break, tmp_path: Path) -> None:
    path, file = broken(CANCELS, "1 // 0"), tmp_path / "graph.json"
    result = CliRunner().invoke(app, ["graph", str(path), "--tries", "4", "--json", str(file)])
    assert result.exit_code == 1
    assert "broken: cancel_hold raises ZeroDivisionError" in result.stdout
    assert "cancel_hold raises ZeroDivisionError" in result.stderr
    said = json.loads(file.read_text())
    assert said["broken"]["cancel_hold"]["mend"]
    assert said["edges"]
