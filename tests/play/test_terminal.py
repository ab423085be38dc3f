"""The terminal face: scripted lines, standard input that is no terminal, and a real one."""

from __future__ import annotations

import io
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from tests.play.conftest import Open
from toolworld.cli import app
from toolworld.play import PlaySession, open_session
from toolworld.play.terminal import HELP, TerminalPlay


def typed(session: PlaySession, *lines: str) -> str:
    """Return what is shown when lines are typed; the prompts of a form included."""
    out = io.StringIO()
    left = iter(lines)

    def ask(prompt: str, _: object) -> str:
        out.write(prompt)
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    TerminalPlay(session, Console(file=out, width=80, soft_wrap=True), ask).run()
    return out.getvalue()


def test_the_opening_tells_the_message_and_nothing_that_is_hidden(library: Open) -> None:
    shown = typed(library())
    assert "Hello, I'm Greta Novak." in shown
    assert "Town library: task renew_all_loans, 9 tools." in shown
    assert "greta.novak7@example.com" not in shown
    assert "LOA-" not in shown


def test_a_call_on_one_line(library: Open) -> None:
    session = library()
    shown = typed(
        session,
        "find_member email=greta.novak7@example.com",
        'renew_loan {"loan_id": "LOA-00014"}',
        "call renew_loan loan_id='LOA-00025'",
    )
    assert 'member_id: "MEM-00007"' in shown
    assert '~ loans LOA-00014: due_on "2026-02-23" -> "2026-03-23", renewals 1 -> 2' in shown
    assert len(session.diff()) == 2


def test_a_form_asks_for_each_argument_until_it_fits(library: Open) -> None:
    session = library()
    shown = typed(session, "list_member_loans", "", "MEM-00007", "shut", "open", "", "many", "1")
    assert "member_id (text; needed) The member" in shown
    assert "status (open | returned | lost or null; optional)" in shown
    assert "limit (integer; by default 50)" in shown
    assert "It is needed." in shown
    assert "'many' is not of type 'integer'" in shown
    assert 'list_member_loans member_id="MEM-00007" status="open" limit=1' in shown
    assert 'next_cursor: "' in shown


def test_the_end_of_input_gives_up_a_form(library: Open) -> None:
    session = library()
    assert "Not called." in typed(session, "find_member")
    assert session.log == []


def test_a_rejection_is_shown_with_its_message(library: Open) -> None:
    shown = typed(library(), "find_member email=nobody@example.com", "last", "find_member mail=x")
    assert "rejected (" in shown
    assert shown.count("nobody@example.com") >= 1
    assert "invalid: The arguments of find_member are not valid" in shown


def test_a_long_list_is_shortened_and_shown_whole_on_request(library: Open) -> None:
    shown = typed(library("return_what_cannot_be_renewed"), "search_books query=e", "last")
    total = int(re.findall(r"total: (\d+)", shown)[0])
    assert total > 10
    assert f"... and {total - 10} more" in shown
    assert shown.count('"isbn"') == total


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("tools", "renew_loan"),
        ("tools zebra", "No tool has that"),
        ("show renew_loan", "Rejected when:"),
        ("show zebra", 'no tool "zebra"'),
        ("show", "no tool"),
        ("policy", "Twice at most, three weeks from today each time"),
        ("known", 'email: "greta.novak7@example.com"'),
        ("diff", "Nothing is changed."),
        ("log", "Nothing has been done yet."),
        ("undo", "Nothing has been done yet."),
        ("last", "No tool has been called yet."),
        ("gold", "once the task is finished"),
        ("say", "Say what?"),
        ("say Hello?", "nobody to talk to"),
        ("renew_lone", 'Did you mean "renew_loan"?'),
        ("xyzzy", "help and tools list"),
        ("renew_loan LOA-00014", "is no name=value"),
    ],
)
def test_commands(library: Open, line: str, told: str) -> None:
    assert told in typed(library(), line)


def test_help_tells_every_command(library: Open) -> None:
    shown = typed(library(), "help")
    assert all(usage in shown for usage in HELP)


def test_brackets_are_text_and_no_markup(library: Open) -> None:
    assert "[red]x[/red]" in typed(library(), "find_member email=[red]x[/red]", "xyz[bold]", "log")


def test_an_episode_to_its_end_and_back(library: Open) -> None:
    session = library()
    shown = typed(session, "renew_loan loan_id=LOA-00014", "finish Done.", "gold", "log", "undo")
    assert re.search(r"state +failed\n  - Missing: ", shown)
    assert re.search(r"answers +passed\nconduct +passed\n", shown)
    assert "reward  0\nscore   0.50" in shown
    assert "the rows that are wanted:" in shown
    assert "  2  finish Done." in shown
    assert "Taken back: finish Done." in shown
    assert not session.is_finished


def test_a_conversation_to_its_reward(bikes: Path, talking: dict[str, Any]) -> None:
    solved = open_session(bikes, talking["id"])
    solved.finish()
    lines = [
        f"say {step.message}"
        if hasattr(step, "message")
        else f"{step.tool} {json.dumps(step.arguments)}"
        for step in solved.gold().steps
    ]
    shown = typed(open_session(bikes, talking["id"]), *lines, "log", "finish", "gold")
    assert "customer: " + talking["person"]["facts"]["email"]["says"] in shown
    assert "person: " in shown
    assert "reward  1\nscore   1.00" in shown
    assert "the answers that are wanted:" in shown


# ---- the command


def run(*arguments: str | Path, typed: str = "") -> Result:
    return CliRunner().invoke(app, ["play", *map(str, arguments)], input=typed)


def test_lines_from_a_pipe_are_shown_behind_their_prompts(golden_package: Path) -> None:
    result = run(golden_package, typed="tools renew\nquit\ntools\n")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "> tools renew\nrenew_loan" in result.stdout
    assert result.stdout.endswith("> quit\n")


def test_the_list_of_tasks(golden_package: Path, bikes: Path) -> None:
    assert "renew_all_loans" in run(golden_package, "--list").stdout
    rows = json.loads(run(bikes, "--list", "--json").stdout)
    assert {"id", "scenario", "message"} == rows[0].keys()
    assert any(row["scenario"] == "rent_one" for row in rows)


@pytest.mark.parametrize(
    ("arguments", "message"), [(("atlantis",), "no task"), (("atlantis", "--json"), "no task")]
)
def test_an_unknown_task_is_one_line_and_1(
    golden_package: Path, arguments: tuple[str, ...], message: str
) -> None:
    result = run(golden_package, *arguments)
    assert (result.exit_code, result.stdout) == (1, "")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_missing_package_is_one_line_and_1(tmp_path: Path) -> None:
    result = run(tmp_path / "nowhere")
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)


@pytest.mark.parametrize("arguments", [(), ("package", "--seed", "many"), ("a", "b", "c")])
def test_wrong_arguments_are_2(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


# ---- a real terminal

pty = pytest.importorskip("pty")
PATIENCE = 60.0


class RealTerminal:
    """A process in a terminal of its own."""

    def __init__(self, process: subprocess.Popen[bytes], end: int) -> None:
        self.process, self._end, self._seen = process, end, b""

    def type(self, text: str) -> None:
        os.write(self._end, text.encode())

    def wait_for(self, text: str) -> str:
        """Return what was shown since the last wait, up to a text."""
        while text.encode() not in self._seen:
            assert self._read(), self.rest
        shown, _, self._seen = self._seen.partition(text.encode())
        return shown.decode(errors="replace") + text

    def leave(self) -> int:
        """Return the exit code, with what is still shown read."""
        while self._read():
            pass
        return self.process.wait(timeout=PATIENCE)

    def _read(self) -> bool:
        """Read what is shown; return whether the process still shows anything."""
        assert select.select([self._end], [], [], PATIENCE)[0], self.rest
        try:
            found = os.read(self._end, 65536)
        except OSError:  # how Linux says that the other side is closed
            return False
        self._seen += found
        return bool(found)

    @property
    def rest(self) -> str:
        return self._seen.decode(errors="replace")


@contextmanager
def terminal(*arguments: str | Path) -> Iterator[RealTerminal]:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "toolworld", "play", *map(str, arguments)]
    environment = {**os.environ, "TERM": "dumb", "COLUMNS": "100"}
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
    ) as process:
        os.close(theirs)
        try:
            yield RealTerminal(process, ours)
        finally:
            process.kill()
            os.close(ours)


def test_a_terminal_completes_names_and_leaves_on_ctrl_d(golden_package: Path) -> None:
    pytest.importorskip("readline")
    with terminal(golden_package) as shown:
        shown.wait_for("> ")
        shown.type("find_m\tem\tgreta.novak7@example.com\n")
        assert "find_member " in shown.wait_for('"MEM-00007"')
        shown.wait_for("> ")
        shown.type("\x04")
        assert shown.leave() == 0
        assert "Traceback" not in shown.rest


@pytest.mark.parametrize("line", ["", "half a li", "find_member\n"])
def test_ctrl_c_leaves_with_130(golden_package: Path, line: str) -> None:
    with terminal(golden_package) as shown:
        shown.wait_for("> ")
        shown.type(line)
        if line:
            shown.wait_for("email> " if line.endswith("\n") else line)
        time.sleep(0.2)  # readline misses a signal that comes just before it waits for a key
        shown.process.send_signal(signal.SIGINT)
        assert shown.leave() == 130
        assert "Traceback" not in shown.rest
