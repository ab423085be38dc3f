"""One command over many packages gives each its end, in order, wherever it runs."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from toolworld.cli import app
from toolworld.client import Environment
from toolworld.errors import PackageLoadError, ToolworldError
from toolworld.fanout.engines import Engine, LocalEngine, RayEngine
from toolworld.fanout.jobs import Job, JobEnd
from toolworld.fanout.run import fan_out, jobs_of
from toolworld.packages import Package


@pytest.fixture(scope="module")
def packages(starter: Package, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sound package, one whose tasks are broken, and another sound one."""
    folder = tmp_path_factory.mktemp("packages")
    for name in ("a_sound", "b_broken", "c_sound"):
        shutil.copytree(starter.path, folder / name)
    tasks = folder / "b_broken" / "src" / "toolworld_starter" / "tasks" / "tasks.jsonl"
    tasks.write_text(tasks.read_text("utf-8").replace("Ada", "Eve", 1).replace("3}", "4}", 1))
    return folder


class Counting:
    """Counts the jobs that an engine runs."""

    def __init__(self, engine: Engine) -> None:
        """Run them there."""
        self.engine, self.run = engine, list[str]()

    def ends(self, jobs: list[Job]) -> Iterator[JobEnd]:
        """Yield how they end."""
        self.run += [job.name for job in jobs]
        yield from self.engine.ends(jobs)


def test_one_failure_loses_none_of_the_others(packages: Path) -> None:
    jobs = jobs_of("replay", [packages], ())
    found = fan_out(jobs, LocalEngine(2), None, lambda _: None)
    assert [job.name for job in found.jobs] == ["a_sound", "b_broken", "c_sound"]
    assert [end.passed for end in found.ends] == [True, False, True]
    assert "FAILED" in found.ends[1].said and found.ends[0].report["passed"] == 4


def test_what_is_done_is_not_done_again(packages: Path, tmp_path: Path) -> None:
    jobs, engine = jobs_of("replay", [packages], ()), Counting(LocalEngine(2))
    first = fan_out(jobs, engine, tmp_path / "out", lambda _: None)  # type: ignore[arg-type]
    again = fan_out(jobs, engine, tmp_path / "out", lambda _: None)  # type: ignore[arg-type]
    assert engine.run == ["a_sound", "b_broken", "c_sound", "b_broken"]
    assert [end.passed for end in first.ends] == [end.passed for end in again.ends]
    (tmp_path / "out" / "a_sound.json").write_text("{", "utf-8")
    fan_out(jobs, engine, tmp_path / "out", lambda _: None)  # type: ignore[arg-type]
    assert engine.run[4:] == ["a_sound", "b_broken"]


def test_the_command_line_gives_options_to_each(tmp_path: Path, starter_spec: Path) -> None:
    line = ["each", "build", str(starter_spec), "--options", f"--out {tmp_path}/{{name}}"]
    result = CliRunner().invoke(app, line)
    assert result.exit_code == 0, result.output
    assert (tmp_path / "starter" / "server.json").is_file()


@pytest.mark.parametrize(
    ("command", "error", "says"),
    [("fly", ToolworldError, "cannot be run over many"), ("prove", PackageLoadError, "no folder")],
)
def test_what_cannot_be_run_is_refused(
    tmp_path: Path, command: str, error: type[ToolworldError], says: str
) -> None:
    with pytest.raises(error, match=says):
        jobs_of(command, [tmp_path / "none"], ())


def test_two_packages_of_one_name_are_refused(packages: Path) -> None:
    with pytest.raises(ToolworldError, match="Two folders are called a_sound"):
        jobs_of("prove", [packages, packages / "a_sound"], ())


@pytest.mark.filterwarnings("ignore")
def test_two_nodes_of_a_cluster_give_the_same(
    packages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    cluster_utils = pytest.importorskip("ray.cluster_utils")
    import ray

    cluster = cluster_utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        node = cluster.add_node(num_cpus=1)
        jobs = jobs_of("replay", [packages], ())[:2]
        engine = RayEngine(cluster.address)
        here = fan_out(jobs, LocalEngine(2), None, lambda _: None)
        there = fan_out(jobs, engine, None, lambda _: None)
        assert [plain(end) for end in there.ends] == [plain(end) for end in here.ends]
        assert_an_actor_holds_a_host(packages / "a_sound")
        cluster.remove_node(node)
        left = fan_out(jobs, engine, None, lambda _: None)
        assert [end.passed for end in left.ends] == [True, False]
    finally:
        ray.shutdown()
        cluster.shutdown()


def plain(end: JobEnd) -> tuple[int, str]:
    """Return an end without what depends on the clock."""
    return end.status, re.sub(r'"seconds": [0-9.e-]+', "", json.dumps(end.report))


def assert_an_actor_holds_a_host(package: Path) -> None:
    import ray

    from toolworld.fanout import HostActor

    host: Any = ray.remote(HostActor).remote([str(package)])
    url, token = ray.get(host.address.remote())
    with Environment.remote(url, "starter", token=token) as environment:
        assert environment.call("list_bikes").outcome == "ok"
    ray.get(host.stop.remote())
