"""The benchmark's own logic; what it measures is not asserted."""

from __future__ import annotations

import json
from pathlib import Path

import anyio
import pytest
from rich.console import Console

from tools.bench.__main__ import MEASUREMENTS, parse
from tools.bench.large import key_of
from tools.bench.rows import BenchRow, as_table, write_rows
from tools.bench.timing import Sample, async_race, prepared, race, repeated, turns

MET = BenchRow("read", ours=0.000003, baseline=0.000004, bar=1.5, note="json.dumps")
FAST = BenchRow("reset", ours=0.000002, baseline=0.04, bar=1 / 10_000)
MISSED = BenchRow("write", ours=0.00003, baseline=0.000006, bar=3.0)
LEAKED = BenchRow("episodes mixed up", ours=1, baseline=1000, bar=0, unit="episodes")


def scripted(name: str, seconds: list[float], log: list[str]) -> Sample:
    """A sample that takes what it is told, and says that it ran."""
    left = iter(seconds)

    def sample() -> float:
        log.append(name)
        return next(left)

    return sample


def test_a_ratio_is_ours_over_the_baseline_and_at_most_the_bar() -> None:
    assert MET.ratio == pytest.approx(0.75)
    assert [row.met for row in (MET, FAST, MISSED, LEAKED)] == [True, True, False, False]
    assert BenchRow("mixed up", ours=0, baseline=1000, bar=0).met


def test_rows_are_written_as_a_json_list(tmp_path: Path) -> None:
    write_rows(tmp_path / "bench.json", [MET, MISSED])
    met, missed = json.loads((tmp_path / "bench.json").read_text("utf-8"))
    assert set(met) == {"name", "ours", "baseline", "ratio", "bar", "note"}
    assert missed["ratio"] == pytest.approx(5)


def test_the_table_says_what_is_missed_in_units_for_people() -> None:
    console = Console(width=150)
    with console.capture() as captured:
        console.print(as_table([MET, FAST, MISSED, LEAKED]))
    lines = {
        line.split("│")[1].strip(): line for line in captured.get().splitlines() if "│" in line
    }
    assert "3 µs" in lines["read"]
    assert "0.75" in lines["read"]
    assert "at most 1.50" in lines["read"]
    assert "1/20,000" in lines["reset"]
    assert "at most 1/10,000" in lines["reset"]
    assert "missed" in lines["write"]
    assert "1 episodes" in lines["episodes mixed up"]


def test_both_run_once_a_round_and_take_turns_to_be_first() -> None:
    assert list(turns(3)) == [0, 1, 1, 0, 0, 1]


def test_the_fastest_round_counts_and_the_first_does_not() -> None:
    log: list[str] = []
    best = race(scripted("a", [1, 5, 3, 4], log), scripted("b", [9, 8, 7, 9], log), rounds=3)
    assert list(best) == [3, 7]
    assert "".join(log) == "ab" + "abbaab"


def test_coroutines_race_alike() -> None:
    log: list[str] = []
    ours, baseline = scripted("a", [1, 5, 3], log), scripted("b", [9, 8, 7], log)

    async def ours_sample() -> float:
        return ours()

    async def baseline_sample() -> float:
        return baseline()

    assert list(anyio.run(async_race, ours_sample, baseline_sample, 2)) == [3, 7]
    assert "".join(log) == "ab" + "abba"


def test_what_is_prepared_comes_before_each_call() -> None:
    log: list[str] = []
    sample = prepared(lambda: log.append("prepare"), lambda: log.append("call"))
    assert sample() >= 0
    assert log == ["prepare", "call"]


def test_repeated_calls_are_made() -> None:
    log: list[str] = []
    assert repeated(lambda: log.append("call"), 3)() >= 0
    assert len(log) == 3


def test_copies_of_a_row_have_keys_of_their_own() -> None:
    assert key_of("ORD-00042", "ORD", 0) == "ORD-00042"
    assert key_of("ORD-00042", "ORD", 3) == "ORD-30042"
    assert key_of("SPRING", None, 3) == "SPRING-3"


def test_every_measurement_can_be_asked_for_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in MEASUREMENTS:
        monkeypatch.setattr("sys.argv", ["bench", "--only", name, "--quick"])
        options = parse()
        assert (options.only, options.quick) == ([name], True)
