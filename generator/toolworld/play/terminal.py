"""The interface for people: commands typed in a terminal, answered in text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from toolworld.errors import PlayError
from toolworld.play.completion import completions
from toolworld.play.form import fill_in
from toolworld.play.line_input import Ask, reading_lines
from toolworld.play.outline import MOST_ITEMS
from toolworld.play.reading import read_arguments, spelled_call
from toolworld.play.rendering import (
    call_shown,
    changes_shown,
    facts_shown,
    gold_shown,
    grade_shown,
    step_shown,
    steps_shown,
    tool_shown,
    tools_shown,
)
from toolworld.play.session import PlaySession
from toolworld.play.steps import MadeCall

PROMPT = "> "

HELP = {
    "TOOL": "call a tool; asks for each argument",
    "TOOL name=value ...": "call it with these arguments; or TOOL {JSON}",
    "call TOOL ...": "the same, for a tool that is named like a command",
    "say TEXT": "tell the person something",
    "tools [WORD]": "list the tools, or those with a word in them",
    "show TOOL": "what a tool does, and its parameters",
    "policy": "what an agent must and must not do here",
    "known": "what a person who gives no replies would tell when asked",
    "last": "the last result, whole",
    "diff": "the rows changed so far",
    "log": "what happened so far",
    "undo": "take back the last step",
    "finish [TEXT]": "end the task, with a final answer, and grade it",
    "gold": "after that: what the task's own solution does",
    "quit": "leave; so does Ctrl-D",
}
"""What each command does, by how it is typed."""


def play_in_terminal(session: PlaySession, console: Console) -> None:
    """Play until the player leaves.

    Args:
        session: The episode.
        console: Where everything is shown.

    Raises:
        KeyboardInterrupt: The player pressed Ctrl-C.
    """
    with reading_lines() as ask:
        TerminalPlay(session, console, ask).run()


class TerminalPlay:
    """A session played by commands."""

    def __init__(self, session: PlaySession, console: Console, ask: Ask) -> None:
        """Take a session, the console to show things on, and a function that reads lines."""
        self._session, self._console, self._ask = session, console, ask
        self._commands: Mapping[str, Callable[[str], None]] = {
            "call": self._call,
            "say": self._say,
            "tools": self._tools,
            "show": self._show_tool,
            "policy": lambda _: self._show(Text(self._session.policy.rstrip())),
            "known": lambda _: self._show(facts_shown(self._session.known)),
            "last": self._last,
            "diff": lambda _: self._show(changes_shown(self._session.diff())),
            "log": lambda _: self._show(steps_shown(self._session.log)),
            "undo": self._undo,
            "finish": self._finish,
            "gold": lambda _: self._show(gold_shown(self._session.gold())),
            "help": self._help,
        }

    def run(self) -> None:
        """Show the opening, then follow commands until the player leaves."""
        self._open()
        while True:
            try:
                line = self._ask(PROMPT, self._words).strip()
            except EOFError:
                self._show("")
                return
            if line in ("quit", "exit"):
                return
            if line:
                self._follow(line)

    def _open(self) -> None:
        opening = self._session.opening
        self._show(
            f"{opening.title}: task {opening.task}, {opening.tools} tools. "
            "Type help for the commands, policy for the rules."
        )
        self._show("")
        self._person(opening.message)

    def _words(self, before: str) -> list[str]:
        tools = {tool["name"]: tool for tool in self._session.tools()}
        return completions(before, [*self._commands, "quit"], tools)

    def _follow(self, line: str) -> None:
        """Run the command on a line; show an error that it raises."""
        word, _, rest = line.partition(" ")
        command = self._commands.get(word)
        try:
            if command is not None:
                command(rest.strip())
            else:
                self._call(line)
        except PlayError as error:
            self._show(Text(str(error), style="red"))

    def _show(self, what: RenderableType) -> None:
        self._console.print(what, markup=False)

    def _person(self, text: str) -> None:
        role = self._session.opening.role or "person"
        self._show(Text.assemble((f"{role}: ", "bold"), text or "(says nothing)"))

    # ---- commands

    def _call(self, rest: str) -> None:
        name, _, written = rest.partition(" ")
        tools = [tool["name"] for tool in self._session.tools()]
        if name not in tools:
            raise PlayError(self._unknown(name, tools))
        tool = self._session.tool(name)
        asks = not written.strip() and bool(tool["inputSchema"].get("properties"))
        try:
            arguments = (
                fill_in(tool, self._ask, self._show) if asks else read_arguments(written, tool)
            )
        except EOFError:
            self._show("\nNot called.")
            return
        if asks:
            self._show(Text(spelled_call(name, arguments), style="dim"))
        self._show(call_shown(self._session.call(name, arguments), self._console.width))

    def _unknown(self, name: str, tools: list[str]) -> str:
        near = get_close_matches(name, [*tools, *self._commands], 1)
        hint = f'Did you mean "{near[0]}"?' if near else "help and tools list what there is."
        return f'There is no tool or command "{name:.80}". {hint}'

    def _say(self, text: str) -> None:
        if not text:
            raise PlayError("Say what? Type: say TEXT")
        self._person(self._session.say(text))

    def _tools(self, word: str) -> None:
        self._show(tools_shown(self._session.tools(word)))

    def _show_tool(self, name: str) -> None:
        self._show(tool_shown(self._session.tool(name)))

    def _last(self, _: str) -> None:
        calls = [step for step in self._session.log if isinstance(step, MadeCall)]
        if not calls:
            raise PlayError("No tool has been called yet.")
        if calls[-1].result is None:
            self._show(Text(calls[-1].text))
        else:
            self._console.print_json(data=calls[-1].result)

    def _undo(self, _: str) -> None:
        self._show(Text("Taken back: ").append(step_shown(self._session.undo())))

    def _finish(self, text: str) -> None:
        self._show(grade_shown(self._session.finish(text or None)))
        self._show("gold shows the task's own solution; undo goes on where you were; quit leaves.")

    def _help(self, _: str) -> None:
        table = Table.grid(padding=(0, 2))
        for usage, text in HELP.items():
            table.add_row(Text(usage, style="cyan"), text)
        self._show(table)
        self._show(
            "Values are plain text, 'text in quotes' or JSON; Tab completes. "
            f"Lists are shown to {MOST_ITEMS} items; last shows all."
        )
