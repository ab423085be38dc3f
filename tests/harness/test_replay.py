"""Packages replayed over each transport: sound ones pass, and whatever is broken is found."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.harness.conftest import Library
from toolworld import PackageLoadError, ToolworldError
from toolworld.harness import Failure, Progress, Report, Timeouts, Transport, replay_packages

TRANSPORTS: tuple[Transport, ...] = ("inproc", "memory", "stdio", "http")
SERVERS: tuple[Transport, ...] = ("stdio", "http")

over_all = pytest.mark.parametrize("transport", TRANSPORTS)
over_servers = pytest.mark.parametrize("transport", SERVERS)

CALL = "    try:\n        result = episode.environment.call("
"""Where the server, and not the environment, can be made to fail."""


def replay(library: Library, transport: Transport = "inproc", timeout: float = 20) -> Report:
    return replay_packages([library.path], transport, timeouts=Timeouts(timeout, timeout))


def only_failure(report: Report) -> Failure:
    (failure,) = (failure for row in report.by_package for failure in row.failures)
    return failure


@over_all
def test_a_sound_package_passes(built_library: Path, transport: Transport) -> None:
    seen: list[Progress] = []
    report = replay_packages([built_library], transport, seen.append)
    (row,) = report.by_package
    assert row.failures == ()
    assert (row.name, row.path) == ("toolworld-library", str(built_library))
    assert report.tasks == report.passed == row.passed == 6
    assert report.failed == 0
    assert report.calls > 6
    assert [progress.done for progress in seen] == [0, 1, 2, 3, 4, 5, 6]
    assert {progress.total for progress in seen} == {6}


def test_every_transport_makes_the_same_calls(built_library: Path) -> None:
    over_stdio = replay_packages([built_library], "stdio")
    assert over_stdio.calls == replay_packages([built_library]).calls


@over_all
def test_whatever_is_wrong_with_a_task_is_caught(library: Library, transport: Transport) -> None:
    tasks = {task["id"]: task for task in library.tasks()}
    tasks["renew_all_loans"]["goal"]["changes"][0]["after"]["renewals"] = 7
    tasks["coffee_on_a_book"]["gold"][3]["arguments"]["fee"]["amount"] = -4.5
    tasks["next_due_date"]["goal"]["answers"] = []
    tasks["wait_for_a_book"]["initial"] = {"dragons": {"DRA-1": {}}}
    del tasks["another_book_instead"]["gold"]
    library.tasks_file.write_text("".join(json.dumps(task) + "\n" for task in tasks.values()))
    report = replay(library, transport)
    assert (report.tasks, report.passed, report.failed) == (6, 1, 5)
    reasons = {failure.task: failure.reason for failure in report.by_package[0].failures}
    assert reasons["renew_all_loans"].startswith("Gold does not reach the goal")
    assert reasons["coffee_on_a_book"].startswith("charge_fee: ok was expected")
    assert reasons["next_due_date"] == "Doing nothing already gets the reward."
    assert "dragons" in reasons["wait_for_a_book"]
    assert reasons["another_book_instead"] == "The task cannot be read."


def test_a_wrong_goal_is_caught(library: Library) -> None:
    with library.only("renew_all_loans") as task:
        task["goal"]["changes"][0]["after"]["renewals"] = 7
    failure = only_failure(replay(library))
    assert failure.task == "renew_all_loans"
    assert failure.reason.startswith("Gold does not reach the goal: its score is 0.")
    assert "renewals" in failure.detail
    assert "changed since the start:\n  loans LOA-" in failure.detail


def test_gold_that_is_rejected_is_caught(library: Library) -> None:
    with library.only("coffee_on_a_book") as task:
        task["gold"][3]["arguments"]["fee"]["amount"] = -4.5
    failure = only_failure(replay(library))
    assert failure.step == 3
    assert failure.reason == "charge_fee: ok was expected, but the outcome is rejected."
    assert "got: rejected: A fee is above 0" in failure.detail
    assert "status" in failure.detail.partition("changed since the start:")[2]


def test_an_unknown_tool_is_caught(library: Library) -> None:
    with library.only("renew_all_loans") as task:
        task["gold"][0]["tool"] = "find_friend"
    failure = only_failure(replay(library))
    assert (failure.step, failure.reason) == (
        0,
        "find_friend: ok was expected, but the outcome is error.",
    )


def test_a_task_that_is_done_before_it_begins_is_caught(library: Library) -> None:
    with library.only("next_due_date") as task:
        task["goal"]["answers"] = []
    assert only_failure(replay(library)).reason == ("Doing nothing already gets the reward.")


def test_a_needless_write_is_caught(library: Library) -> None:
    library.edit(
        "tools.py",
        "    loan = _open_loan(db, loan_id)\n    if loan.renewals >= MOST_RENEWALS:",
        "    loan = db.loans.get(loan_id)\n    if loan.due_on > db.today():\n"
        "        return loan\n    if loan.renewals >= MOST_RENEWALS:",
    )
    with library.only("renew_all_loans") as task:
        task["gold"].append(task["gold"][2])
    failure = only_failure(replay(library))
    assert failure.reason.endswith("can be dropped: gold gets the reward without it.")
    assert failure.reason.startswith("renew_loan")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"loan_id": {"$step": 1, "path": "items.9.loan_id"}}, "nothing at 'items.9.loan_id'"),
        ({"loan_id": {"$step": 7, "path": "loan_id"}}, "Step 7 has no result"),
        ({"loan_id": {"$step": 1, "at": "loan_id"}}, "is no reference"),
    ],
)
def test_an_argument_that_refers_to_nothing(
    library: Library, arguments: dict[str, Any], said: str
) -> None:
    with library.only("renew_all_loans") as task:
        task["gold"][2]["arguments"] = arguments
    failure = only_failure(replay(library))
    assert (failure.step, failure.reason) == (2, "renew_loan cannot be called.")
    assert said in failure.detail


def test_a_task_that_cannot_be_read(library: Library) -> None:
    with library.only("renew_all_loans") as task:
        del task["gold"]
        task["goal"] = "be nice"
    failure = only_failure(replay(library))
    assert failure.reason == "The task cannot be read."
    assert "gold: Field required" in failure.detail
    assert "goal: " in failure.detail


@pytest.mark.parametrize(
    ("line", "said"),
    [("{]", "tasks.jsonl:7:2: this is no JSON"), ("[]", "a task is a JSON object")],
)
def test_a_line_that_is_no_task(library: Library, line: str, said: str) -> None:
    with library.tasks_file.open("a") as tasks:
        tasks.write(line + "\n")
    assert said in only_failure(replay(library)).reason


def test_a_task_that_cannot_be_opened(library: Library) -> None:
    with library.only("renew_all_loans") as task:
        task["initial"] = {"dragons": {"DRA-1": {}}}
    assert "dragons" in only_failure(replay(library)).reason


@pytest.mark.parametrize("transport", ["memory", "stdio", "http"])
def test_a_server_that_answers_differently_is_caught(
    library: Library, transport: Transport
) -> None:
    library.edit("serving/server.py", "text_result(result.text,", "text_result(result.text + ' ',")
    with library.only("renew_all_loans"):
        pass
    failure = only_failure(replay(library, transport))
    assert (failure.step, failure.reason) == (
        0,
        "find_member gives another result than in process.",
    )
    assert "in process: ok: " in failure.detail


@pytest.mark.parametrize(
    ("tool", "step", "reason"),
    [
        ("find_member", 0, "find_member says it only reads, yet changed the state."),
        ("renew_loan", 2, "The state after renew_loan is not the one in process."),
    ],
)
@over_servers
def test_a_server_whose_state_drifts_is_caught(
    library: Library, transport: Transport, tool: str, step: int, reason: str
) -> None:
    library.edit(
        "serving/server.py",
        CALL,
        f"    if params.name == {tool!r}:\n"
        '        episode.environment._database.loans.update("LOA-00001", desk="attic")\n'
        "        episode.environment._database.commit()\n" + CALL,
    )
    with library.only("renew_all_loans"):
        pass
    failure = only_failure(replay(library, transport))
    assert (failure.step, failure.reason) == (step, reason)
    assert 'loans LOA-00001 changed: desk "main" -> "attic"' in failure.detail


@over_servers
def test_a_server_that_dies_fails_the_task_at_hand(library: Library, transport: Transport) -> None:
    library.edit(
        "serving/server.py",
        CALL,
        '    if params.name == "cancel_hold":\n'
        "        import os, sys\n"
        '        print("the shelf fell over", file=sys.stderr, flush=True)\n'
        "        os._exit(3)\n" + CALL,
    )
    report = replay(library, transport)
    assert (report.passed, report.failed) == (5, 1)
    failure = only_failure(report)
    assert (failure.task, failure.step) == ("another_book_instead", 1)
    assert failure.reason == "The server ended or closed the connection while cancel_hold ran."
    assert "the shelf fell over" in failure.detail


def test_a_server_that_keeps_dying_is_given_up(library: Library) -> None:
    library.edit("serving/server.py", CALL, "    raise SystemExit\n" + CALL)
    report = replay(library, "stdio")
    assert (report.tasks, report.passed, report.failed) == (6, 0, 6)
    reasons = [failure.reason for failure in report.by_package[0].failures]
    assert reasons[3:] == ["Not replayed: the server was lost 3 times."] * 3


@over_servers
def test_a_server_that_hangs_is_given_up(library: Library, transport: Transport) -> None:
    library.edit("serving/server.py", CALL, "    import time\n    time.sleep(3600)\n" + CALL)
    with library.only("renew_all_loans"):
        pass
    failure = only_failure(replay(library, transport, timeout=4))
    assert failure.reason == "The server did not answer in time while find_member ran."


def test_a_server_that_prints_to_standard_output_is_caught(
    library: Library, capfd: pytest.CaptureFixture[str]
) -> None:
    library.edit("serving/server.py", CALL, '    print("Hello!", flush=True)\n' + CALL)
    with library.only("renew_all_loans"):
        pass
    failure = only_failure(replay(library, "stdio"))
    assert failure.reason == "The server prints to standard output what is no JSON-RPC."
    assert "'Hello!'" in failure.detail
    assert capfd.readouterr().err == ""


@over_servers
def test_a_server_that_does_not_start_says_why(library: Library, transport: Transport) -> None:
    main = library.source / "__main__.py"
    main.write_text("raise SystemExit('closed for the day')\n")
    report = replay(library, transport)
    assert (report.tasks, report.passed, report.failed, report.calls) == (6, 0, 6, 0)
    first, *rest = report.by_package[0].failures
    assert first.reason.startswith("Not replayed: ")
    assert "closed for the day" in first.detail
    assert {failure.detail for failure in rest} == {""}


def test_a_broken_package_is_a_failure_beside_sound_ones(
    copy_library: Callable[[str], Library], tmp_path: Path
) -> None:
    broken = copy_library("broken")
    (broken.source / "environment.py").write_text("class Environment:\n    def\n")
    copy_library("sound")
    (tmp_path / "notes").mkdir()
    report = replay_packages([tmp_path])
    assert [row.failed for row in report.by_package] == [1, 0]
    assert (report.tasks, report.passed, report.failed) == (6, 6, 1)
    failure = only_failure(report)
    assert failure.task == ""
    assert failure.reason.startswith("The package cannot be loaded: ")
    assert "environment.py" in failure.reason + failure.detail


def test_a_package_without_tasks_is_a_failure(library: Library) -> None:
    library.tasks_file.write_text("")
    report = replay(library)
    assert report.failed == 1
    assert "no tasks" in only_failure(report).reason


def test_paths_that_hold_no_package(tmp_path: Path) -> None:
    with pytest.raises(PackageLoadError, match="nowhere is no folder"):
        replay_packages([tmp_path / "nowhere"])
    with pytest.raises(PackageLoadError, match="holds none"):
        replay_packages([tmp_path])


def test_an_unknown_transport(built_library: Path) -> None:
    with pytest.raises(ToolworldError, match="'pigeon'; there are inproc, memory, stdio, http"):
        replay_packages([built_library], "pigeon")  # type: ignore[arg-type]


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
@over_servers
def test_ctrl_c_leaves_no_server_behind(
    library: Library, transport: Transport, tmp_path: Path
) -> None:
    pid_file = tmp_path / "pid"
    library.edit(
        "serving/server.py",
        CALL,
        "    import os, pathlib, time\n"
        f"    pathlib.Path({str(pid_file)!r}).write_text(str(os.getpid()))\n"
        "    time.sleep(3600)\n" + CALL,
    )
    code = (
        "import sys, pathlib, signal, toolworld.harness as h;"
        "signal.signal(signal.SIGINT, signal.default_int_handler);"  # a shell may have it ignored
        "h.replay_packages([pathlib.Path(sys.argv[1])], sys.argv[2])"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, library.path, transport], stderr=subprocess.PIPE
    ) as harness:
        server = int(wait_for(lambda: pid_file.exists() and pid_file.read_text()))
        harness.send_signal(signal.SIGINT)
        assert harness.stderr is not None
        assert b"KeyboardInterrupt" in harness.stderr.read()
    wait_for(lambda: not is_running(server))


def wait_for(condition: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + 20
    while not (value := condition()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return value


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
