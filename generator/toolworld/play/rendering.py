"""How tools, calls, changes and grades look in a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.highlighter import ReprHighlighter
from rich.table import Table
from rich.text import Text

from toolworld.jsonvalues import JsonObject, JsonValue
from toolworld.play.gold import GoldPlayed
from toolworld.play.outline import outline
from toolworld.play.reading import Schema, spelled_call
from toolworld.play.steps import Exchange, Finish, MadeCall, Step

MOST_CHANGES = 30

TYPES = {"string": "text", "date-time": "point in time"}
PARTS = ("state", "answers", "conduct")

_highlight = ReprHighlighter()


def call_shown(made: MadeCall, width: int) -> RenderableType:
    """Return the result and the changes of a call, or why it did nothing."""
    if made.outcome != "ok":
        code = f" ({made.code})" if made.code else ""
        return Text.assemble((f"{made.outcome}{code}: ", "red bold"), made.text)
    result = _highlight(Text(outline(made.result, width)))
    if not made.changes:
        return result
    return Group(result, Text("changed:", style="bold"), changes_shown(made.changes))


def changes_shown(changes: Sequence[Mapping[str, Any]]) -> RenderableType:
    """Return a line for each row that differs; for a changed row, only the columns that differ."""
    if not changes:
        return Text("Nothing is changed.")
    lines = [_change(change) for change in changes[:MOST_CHANGES]]
    left = len(changes) - MOST_CHANGES
    return Group(*lines, *([Text(f"  ... and {left} more rows")] if left > 0 else []))


def _change(change: Mapping[str, Any]) -> Text:
    before, after = change["before"], change["after"]
    head = f"{change['table']} {change['key']}"
    if before is None:
        return Text.assemble(("  + ", "green"), f"{head}: {_json(after)}")
    if after is None:
        return Text.assemble(("  - ", "red"), f"{head}: {_json(before)}")
    columns = ", ".join(
        f"{name} {_json(before.get(name))} -> {_json(value)}"
        for name, value in after.items()
        if before.get(name) != value
    )
    return Text.assemble(("  ~ ", "yellow"), f"{head}: {columns}")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def tools_shown(tools: Sequence[Mapping[str, Any]]) -> RenderableType:
    """Return a line for each tool: its name, and the first line of its description."""
    if not tools:
        return Text("No tool has that in its name or description.")
    table = _grid()
    for tool in tools:
        table.add_row(Text(tool["name"], style="cyan"), Text(_first_line(tool["description"])))
    return table


def _grid() -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    return grid


def _first_line(text: str) -> str:
    return text.partition("\n")[0]


def tool_shown(tool: Mapping[str, Any]) -> RenderableType:
    """Return a tool's description and parameters."""
    schema = tool["inputSchema"]
    head = Text.assemble((tool["name"], "cyan bold"), f"\n{tool['description']}")
    parameters = schema.get("properties", {})
    if not parameters:
        return Group(head, Text("\nIt takes no arguments."))
    lines = [
        parameter_shown(name, one, name in schema.get("required", ()))
        for name, one in parameters.items()
    ]
    return Group(head, Text(""), *lines)


def parameter_shown(name: str, schema: Schema, required: bool) -> Text:
    """Return a parameter on one line: name, type, whether it is needed, description."""
    use = "needed" if required else _default(schema)
    description = schema.get("description", "")
    return Text.assemble((name, "cyan"), f" ({type_of(schema)}; {use}) {description}".rstrip())


def _default(schema: Schema) -> str:
    default = schema.get("default")
    return "optional" if default is None else f"by default {_json(default)}"


def type_of(schema: Schema) -> str:
    """Return the type of a schema in words, such as ``open | returned`` or ``list of text``."""
    if "anyOf" in schema:
        return " or ".join(type_of(arm) for arm in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(str(value) for value in schema["enum"])
    kind = schema.get("type", "any")
    if kind == "array":
        return f"list of {type_of(schema.get('items', {}))}"
    word: str = schema.get("format", kind)
    return TYPES.get(word, word)


def step_shown(step: Step) -> Text:
    """Return a step on one line, or on two for a message and its reply."""
    if isinstance(step, Exchange):
        return Text.assemble(
            ("you: ", "bold"), step.message, "\n     ", ("person: ", "bold"), step.reply
        )
    if isinstance(step, Finish):
        return Text.assemble(("finish ", "bold"), step.answer or "")
    return Text.assemble(
        spelled_call(step.tool, step.arguments), " -> ", _outcome(step), _rows(step.changes)
    )


def _outcome(step: MadeCall) -> tuple[str, str]:
    if step.outcome == "ok":
        return "ok", "green"
    return f"{step.outcome}: {_first_line(step.text)}", "red"


def _rows(changes: Sequence[JsonObject]) -> str:
    rows = ", ".join(f"{change['table']} {change['key']}" for change in changes)
    return f", changed {rows}" if rows else ""


def steps_shown(steps: Sequence[Step]) -> RenderableType:
    """Return steps in order, with their numbers."""
    if not steps:
        return Text("Nothing has been done yet.")
    return Group(
        *(Text(f"{number:3}  ").append(step_shown(step)) for number, step in enumerate(steps, 1))
    )


def grade_shown(grade: Any) -> RenderableType:
    """Return a package's grade: each part with its reasons, then the reward and the score."""
    return Group(*_grade_lines(grade))


def _grade_lines(grade: Any) -> Iterator[Text]:
    for name in PARTS:
        part = getattr(grade, name)
        verdict = ("passed", "green") if part.passed else ("failed", "red")
        yield Text.assemble((f"{name:8}", "bold"), verdict)
        for reason in part.reasons:
            yield Text(f"  - {reason}")
        if part.unseen:
            yield Text(f"  not looked at: {', '.join(part.unseen)}")
    yield Text(f"reward  {grade.reward:g}\nscore   {grade.score:.2f}", style="bold")


def gold_shown(gold: GoldPlayed) -> RenderableType:
    """Return gold's steps, the rows it changes and its answers."""
    told = [f"  {_alternatives(answer)}" for answer in gold.answers]
    return Group(
        steps_shown(gold.steps),
        Text("the rows that are wanted:", style="bold"),
        changes_shown(gold.changes),
        *([Text("the answers that are wanted:", style="bold"), *map(Text, told)] if told else []),
    )


def _alternatives(answer: Any) -> str:
    return " or ".join(map(str, answer)) if isinstance(answer, tuple) else str(answer)


def facts_shown(facts: Mapping[str, JsonValue]) -> RenderableType:
    """Return the facts that the person would tell."""
    if not facts:
        return Text("The person knows nothing more.")
    return _highlight(Text("\n".join(f"{name}: {_json(value)}" for name, value in facts.items())))
