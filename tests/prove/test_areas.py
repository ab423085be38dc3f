"""A package with several modules of tools is proven as one with a single module is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.several_files import split
from toolworld import emit
from toolworld.emit.jobs import Limits
from toolworld.graph import build_graph
from toolworld.packages import load_package
from toolworld.prove import ProofReport, ProofSettings, prove
from toolworld.prove.bench import Bench
from toolworld.prove.code import Code
from toolworld.prove.mutants import mutants_of


@pytest.fixture(scope="module")
def package(library_spec: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library's package, its tools in three modules."""
    folder = tmp_path_factory.mktemp("several")
    spec = split(library_spec, folder / "spec")
    holds = spec / "tools" / "holds.py"
    code = holds.read_text().replace("MOST_HOLD_DAYS = 180", "MOST_HOLD_DAYS = LOAN_DAYS * 8")
    holds.write_text(code)
    emit.build(spec, folder / "library")
    return folder / "library"


@pytest.fixture(scope="module")
def proof(package: Path) -> ProofReport:
    """Its proof without mutants, and with a seed that soon reaches everything."""
    return prove(package, ProofSettings(seed=4, calls=300, seek=1000, search=0, mutants=False))


@pytest.fixture(scope="module")
def bench(package: Path) -> Bench:
    return Bench(load_package(package), Limits())


def row(proof: ProofReport, name: str) -> dict[str, Any]:
    (found,) = (one for one in proof.content["by_tool"] if one["name"] == name)
    return dict(found)


def test_every_function_of_every_module_is_proven(proof: ProofReport) -> None:
    assert proof.content["tools"] == 9
    assert proof.content["failures"] == []
    assert proof.content["branches_covered"] == proof.content["branches"]
    assert proof.content["rejections_reached"] == proof.content["rejections"]


def test_a_mutant_of_a_helper_dies_by_calls_of_another_module(package: Path) -> None:
    only = prove(package, ProofSettings(only=["renew_loan"], calls=200, seek=0, search=0))
    helper = row(only, "_open_loan")
    assert helper["mutants"] == helper["killed"] > 0
    assert row(only, "LOAN_DAYS")["killed"] == 1
    assert row(only, "_open_loan")["branches_covered"] == 2


def test_a_mutated_constant_reaches_those_made_from_it_in_other_modules(bench: Bench) -> None:
    (mutant,) = mutants_of(bench.code, "LOAN_DAYS")
    made = bench.made(mutant)
    assert (made["LOAN_DAYS"], made["MOST_HOLD_DAYS"]) == (22, 176)
    modules = [bench.package.module(f"tools.{name}") for name in ("fees", "desk", "holds")]
    with bench.using(made):
        assert [module.LOAN_DAYS for module in modules] == [22, 22, 22]
        assert modules[2].MOST_HOLD_DAYS == 176
    assert [module.LOAN_DAYS for module in modules] == [21, 21, 21]
    assert modules[2].MOST_HOLD_DAYS == 168


def test_a_function_is_replaced_wherever_it_is_known(bench: Bench) -> None:
    def other(*_: object) -> None:
        return None

    fees, desk = bench.package.module("tools.fees"), bench.package.module("tools.desk")
    real, tool = fees._open_loan, desk.renew_loan
    with bench.using({"_open_loan": other, "renew_loan": other}):
        assert fees._open_loan is desk._open_loan is other
        assert bench.package.module("tools").renew_loan is desk.renew_loan is other
    assert fees._open_loan is desk._open_loan is real
    assert bench.package.module("tools").renew_loan is desk.renew_loan is tool


def test_what_is_left_is_told_with_file_and_line(package: Path) -> None:
    poor = prove(
        package, ProofSettings(only=["renew_loan", "place_hold"], calls=1, seek=0, search=0)
    )
    left = [*poor.content["uncovered"], *poor.content["survivors"]]
    assert {"tools/desk.py", "tools/holds.py"} <= {one["file"] for one in left}
    for one in poor.content["survivors"]:
        text = (package / "src/toolworld_library" / one["file"]).read_text().split("\n")
        assert text[one["line"] - 1].strip() == one["source"]


def test_places_are_told_apart_where_lines_are_alike() -> None:
    code = Code({"tools/a.py": "A = B + 1\n", "tools/b.py": "B = 2\n\ndef tool(db):\n    return A"})
    assert list(code.constants) == ["B", "A"]
    assert code.place(1) == ("tools/a.py", 1)
    assert code.place(code.functions["tool"].lineno) == ("tools/b.py", 3)
    assert (code.file_of("A"), code.file_of("tool")) == ("tools/a.py", "tools/b.py")
    assert code.lines[code.functions["tool"].lineno - 1] == "def tool(db):"


def test_a_broken_tool_is_named_with_its_file(package: Path, tmp_path: Path) -> None:
    copy = tmp_path / "library"
    for path in package.rglob("*"):
        if path.is_file():
            (copy / path.relative_to(package)).parent.mkdir(parents=True, exist_ok=True)
            (copy / path.relative_to(package)).write_bytes(path.read_bytes())
    file = copy / "src" / "toolworld_library" / "tools" / "holds.py"
    line = "    return db.holds.remove(hold_id)"
    text = file.read_text()
    file.write_text(text.replace(line, f"    1 // 0\n{line}"))
    number = text[: text.index(line)].count("\n") + 1
    graph = build_graph(copy, tries=40)
    assert graph.broken["cancel_hold"].reason.endswith(f" at line {number} of tools/holds.py")
