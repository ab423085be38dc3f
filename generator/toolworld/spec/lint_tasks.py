"""Rules for ``tasks.yaml``: gold steps fit the tools, and take values from earlier steps only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime

from toolworld.spec.drafts import GoldStep, TaskDraft
from toolworld.spec.findings import suggest
from toolworld.spec.model import LIST_PREFIX, DomainFile, ObjectField, Parameter, Tool
from toolworld.spec.reading import Notes
from toolworld.spec.yamltext import Path

MOST_STEPS = 12
STEP_KEYS = {"$step", "path"}
NUMBERS = (int, float)
WORDS = {
    "text": "a text", "integer": "a whole number", "number": "a number", "money": "a number",
    "boolean": "true or false", "date": 'a date such as "2026-03-01"',
    "datetime": 'a time such as "2026-03-01T10:00:00Z"',
}  # fmt: skip


def lint_tasks(
    domain: DomainFile, tools: tuple[Tool, ...], tasks: tuple[TaskDraft, ...], notes: Notes
) -> None:
    """Check every task against the domain and its tools."""
    by_name = {tool.name: tool for tool in tools}
    seen: set[str] = set()
    for number, task in enumerate(tasks):
        if task.id in seen:
            notes.add(
                (number, "id"), "duplicate-name", f"The task id {task.id} stands here twice.",
                "Rename one of them.",
            )  # fmt: skip
        seen.add(task.id)
        _Task(domain, by_name, task, (number,), notes).lint()


class _Task:
    """One task with the place it stands at."""

    def __init__(
        self,
        domain: DomainFile,
        tools: Mapping[str, Tool],
        task: TaskDraft,
        path: Path,
        notes: Notes,
    ) -> None:
        self.domain = domain
        self.tools = tools
        self.task = task
        self.path = path
        self.notes = notes

    def add(self, path: Path, rule: str, message: str, mend: str) -> None:
        self.notes.add((*self.path, *path), rule, message, mend)

    def lint(self) -> None:
        for name in sorted(self.tools):
            if "_" in name and re.search(rf"\b{name}\b", self.task.instruction):
                self.add(
                    ("instruction",), "names-tool", f"The instruction names the tool {name}.",
                    "Say it as a person does.",
                )  # fmt: skip
        if self.task.role and self.task.role not in self.domain.roles:
            self.add(
                ("role",), "unknown-role", f"There is no role {self.task.role}.",
                suggest(self.task.role, self.domain.roles, "There are"),
            )  # fmt: skip
        if len(self.task.gold) > MOST_STEPS:
            self.add(
                ("gold",), "steps", f"There are {len(self.task.gold)} steps.",
                f"Use at most {MOST_STEPS}.",
            )  # fmt: skip
        for number, step in enumerate(self.task.gold):
            self._step(number, step)
        self._answers()
        for table, rows in self.task.initial.items():
            self._initial(table, rows)

    def _answers(self) -> None:
        changing = (
            step.expect == "ok" and not self.tools[step.tool].effects.read_only
            for step in self.task.gold
            if step.tool in self.tools
        )
        if not self.task.answers and not any(changing):
            self.add(
                (), "no-answers", "Nothing is changed and no answer is asked for.",
                "Add `answers:`, or a step that changes something.",
            )  # fmt: skip
        if any(isinstance(answer, str) and not answer.strip() for answer in self.task.answers):
            self.add(("answers",), "no-answers", "An answer is empty.", "Write a text or number.")

    # Gold

    def _step(self, number: int, step: GoldStep) -> None:
        path: Path = ("gold", number)
        tool = self.tools.get(step.tool)
        if tool is None:
            self.add(
                (*path, "tool"), "unknown-tool", f"There is no tool {step.tool}.",
                suggest(step.tool, self.tools),
            )  # fmt: skip
            return
        parameters = {parameter.name: parameter for parameter in tool.parameters}
        for name, value in step.arguments.items():
            place = (*path, "arguments", name)
            if name not in parameters:
                self.add(
                    place, "unknown-argument", f"{tool.name} takes no {name}.",
                    suggest(name, parameters, "It takes"),
                )  # fmt: skip
            else:
                self._argument(number, parameters[name], value, place)
        for parameter in tool.parameters:
            if parameter.required and parameter.name not in step.arguments:
                self.add(
                    path, "missing-argument", f"{tool.name} needs {parameter.name}.", "Give it."
                )

    def _argument(self, number: int, parameter: Parameter, value: object, place: Path) -> None:
        if value is None and parameter.nullable:
            return
        self._value(number, parameter.type, value, place)

    def _value(self, number: int, type_name: str, value: object, place: Path) -> None:
        """Check a value against a type; ``number`` is the step it is in, or -1 for a row."""
        if isinstance(value, dict) and "$step" in value:
            self._reference(number, value, place)
        elif type_name.startswith(LIST_PREFIX):
            self._list(number, type_name.removeprefix(LIST_PREFIX), value, place)
        elif type_name in self.domain.objects:
            self._object(number, type_name, value, place)
        elif type_name in self.domain.enums:
            values = self.domain.enums[type_name].values
            if value not in values:
                mend = suggest(str(value), values, "Its values are")
                self.add(place, "unknown-value", f'"{value}" is no {type_name}.', mend)
        elif not _is_a(value, type_name):
            words = WORDS.get(type_name, "an id, a text")
            self.add(place, "wrong-type", f"{place[-1]} is not {words}.", f"Give {words}.")

    def _list(self, number: int, item: str, value: object, place: Path) -> None:
        if not isinstance(value, list):
            self.add(place, "wrong-type", f"{place[-1]} is not a list.", "Give a list.")
            return
        for index, element in enumerate(value):
            self._value(number, item, element, (*place, index))

    def _object(self, number: int, name: str, value: object, place: Path) -> None:
        fields = self.domain.objects[name].fields
        if not isinstance(value, dict):
            self.add(place, "wrong-type", f"{place[-1]} is no {name}.", f"Give a {name}'s fields.")
            return
        self._fields(number, fields, value, place, name)
        missing = [key for key, field in fields.items() if not field.nullable and key not in value]
        if missing:
            message = f"The {name} lacks {', '.join(missing)}."
            self.add(place, "missing-field", message, "Give every field that is not nullable.")

    def _fields(
        self,
        number: int,
        fields: Mapping[str, ObjectField],
        values: dict[str, object],
        place: Path,
        owner: str,
    ) -> None:
        for key, inner in values.items():
            field = fields.get(key)
            if field is None:
                message = f"{owner} has no {key}."
                self.add((*place, key), "unknown-field", message, suggest(key, fields))
            elif not (inner is None and field.nullable):
                self._value(number, field.type, inner, (*place, key))

    def _reference(self, number: int, value: dict[str, object], place: Path) -> None:
        step, path = value.get("$step"), value.get("path")
        whole = isinstance(step, int) and not isinstance(step, bool)
        if set(value) != STEP_KEYS or not whole or not isinstance(path, str) or not path:
            self.add(
                place, "step", "A reference to a step is not written rightly.",
                "Write {$step: 0, path: items.0.order_id}.",
            )  # fmt: skip
            return
        index = int(str(step))
        if not 0 <= index < number:
            self.add(
                place, "step", f"Step {index} does not come before step {number}.",
                "Refer to an earlier step, counted from 0.",
            )  # fmt: skip
        elif self.task.gold[index].expect == "rejected":
            self.add(
                place, "step", f"Step {index} is rejected and has no result.",
                "Refer to a step that is expected to be ok.",
            )  # fmt: skip
        elif self.task.gold[index].tool in self.tools:
            self._path(self.tools[self.task.gold[index].tool], path, place)

    def _path(self, tool: Tool, path: str, place: Path) -> None:
        parts = iter(path.split("."))
        if tool.paged:
            first, second = next(parts), next(parts, "0")
            if first in ("next_cursor", "total"):
                return
            if first != "items" or not second.isdigit():
                self.add(
                    place, "step", f"{tool.name} returns a page, which has no {first}.",
                    "Write items.0.column.",
                )  # fmt: skip
                return
        self._walk(parts, tool.result, place)

    def _walk(self, parts: Iterator[str], type_name: str, place: Path) -> None:
        row = True  # at the root, an entity's name stands for its rows
        for part in parts:
            if type_name.startswith(LIST_PREFIX) and part.isdigit():
                type_name = type_name.removeprefix(LIST_PREFIX)
                continue
            fields: Mapping[str, ObjectField] = {}
            if row and type_name in self.domain.entities:
                fields = self.domain.entities[type_name].columns
            elif type_name in self.domain.objects:
                fields = self.domain.objects[type_name].fields
            if part not in fields:
                message = f"The result of the step has no {part} there."
                self.add(place, "step", message, suggest(part, fields))
                return
            type_name, row = fields[part].type, False

    # Initial state

    def _initial(self, table: str, rows: Mapping[str, dict[str, object] | None]) -> None:
        path: Path = ("initial", table)
        entity = next((e for e in self.domain.entities.values() if e.table == table), None)
        if entity is None:
            tables = [e.table for e in self.domain.entities.values()]
            message = f"There is no table {table}."
            self.add(path, "unknown-table", message, suggest(table, tables))
            return
        for key, row in rows.items():
            if row is not None:
                self._fields(-1, entity.columns, row, (*path, key), table)
                if row.get(entity.key, key) != key:
                    self.add(
                        (*path, key), "key", f"The row's {entity.key} is not {key}.",
                        "Make them the same.",
                    )  # fmt: skip


def _is_a(value: object, type_name: str) -> bool:
    """Return whether a JSON value has a scalar type; ids are texts."""
    if type_name == "boolean":
        return isinstance(value, bool)
    if type_name in ("integer", "number", "money"):
        whole = type_name == "integer"
        return isinstance(value, int if whole else NUMBERS) and not isinstance(value, bool)
    if not isinstance(value, str):
        return False
    if type_name == "date":
        return bool(re.fullmatch(r"\d{4}-\d{2}-\d{2}", value)) and _is_day(value)
    if type_name == "datetime":
        return "T" in value and _is_moment(value)
    return True


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _is_moment(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False
