"""What calls in tool code give and whether their arguments fit: tables, objects, functions."""

from __future__ import annotations

import ast

from toolworld.spec.call_results import made_up, resolved, result_of_builtin, value_in_dict
from toolworld.spec.facts import FunctionFacts, HelperCall, code_of, message_of
from toolworld.spec.findings import FileFindings, suggest
from toolworld.spec.methods import FAKE_METHODS, MATH, METHODS, TABLE_METHODS, WRITE_METHODS
from toolworld.spec.model import snake
from toolworld.spec.shapes import (
    ANY,
    BOOLEAN,
    DATE,
    DATETIME,
    INTEGER,
    MONEY,
    NUMBER,
    TEXT,
    TIMEDELTA,
    Shape,
    accepts,
    list_of,
)
from toolworld.spec.world import ModuleNames

RESULTS = {
    "all": BOOLEAN,
    "any": BOOLEAN,
    "bool": BOOLEAN,
    "contains": BOOLEAN,
    "float": NUMBER,
    "int": INTEGER,
    "is_clear": BOOLEAN,
    "len": INTEGER,
    "letters_of": TEXT,
    "str": TEXT,
    "money": MONEY,
    "Decimal": MONEY,
    "date": DATE,
    "datetime": DATETIME,
    "timedelta": TIMEDELTA,
}
REJECTING = {"page": ("bad_limit", "bad_cursor"), "money": ("bad_amount",)}
"""The codes with which functions of the subset reject."""
SAID = {"any", "none", "text", "enum", "integer", "number", "money", "boolean", "date", "datetime"}
"""What a rejection may give as values."""
NAMING = {"update": "change", "alike": "compare"}
"""The methods that name at least one column, and what for."""


class Calls:
    """Shapes of calls; their effects on tables are noted as facts."""

    def __init__(
        self, world: ModuleNames, findings: FileFindings, parameters: frozenset[str]
    ) -> None:
        """Start with no facts; ``parameters`` are the function's, never assigned to."""
        self.world = world
        self.findings = findings
        self.parameters = parameters
        self.facts = FunctionFacts()

    def shape(self, node: ast.expr) -> Shape:
        """Return an expression's shape; the subclass knows all kinds of expression."""
        raise NotImplementedError

    def call(self, node: ast.Call) -> Shape:
        """Return the shape of a call's result."""
        function = node.func
        if isinstance(function, ast.Attribute):
            return self._method(node, function)
        if isinstance(function, ast.Name):
            return self._function(node, function.id)
        self._arguments(node)
        return ANY

    def _arguments(self, node: ast.Call) -> tuple[list[Shape], dict[str, Shape]]:
        given = [self.shape(argument) for argument in node.args]
        named = {word.arg or "": self.shape(word.value) for word in node.keywords}
        return given, named

    # Methods

    def _method(self, node: ast.Call, function: ast.Attribute) -> Shape:
        base = function.value
        if isinstance(base, ast.Name) and base.id == "math":
            self._arguments(node)
            return MATH.get(function.attr, ANY)
        if isinstance(base, ast.Name) and base.id in ("date", "datetime"):
            self._arguments(node)
            return RESULTS[base.id]
        owner = self.shape(base)
        if owner.name == "table":
            return self._table_call(node, function, owner.of)
        if owner.name == "object" and function.attr == "replace":
            self._fields(node, owner.of)
            return owner
        given, named = self._arguments(node)
        if owner.name == "database":
            return {"now": DATETIME, "today": DATE}.get(function.attr, ANY)
        if owner.name == "fake":
            return made_up(FAKE_METHODS.get(function.attr, ANY), given)
        return self._value_method(function, owner, given)

    def _value_method(self, function: ast.Attribute, owner: Shape, given: list[Shape]) -> Shape:
        result = self.attribute(function, owner)
        if owner.name in ("list", "set", "dict"):
            self._learn(function, owner, given)
        if result.name == "value":
            return value_in_dict(function.attr, owner, given)
        return result

    def attribute(self, node: ast.Attribute, owner: Shape) -> Shape:
        """Return the shape of an attribute of a value."""
        name = node.attr
        if owner.name == "row":
            return self._column(node, owner.of)
        if owner.name == "object":
            return self._field(node, owner.of)
        if owner.name == "database":
            return self._table(node)
        methods = METHODS.get(owner.name)
        if methods is None:
            return ANY
        if name not in methods:
            message = f"{str(owner).capitalize()} has no {name} here."
            self.findings.add(node, "unknown-attribute", message, suggest(name, methods))
            return ANY
        return resolved(methods[name], owner)

    def _table(self, node: ast.Attribute) -> Shape:
        entity = self.world.tables.get(node.attr)
        if entity is not None:
            return Shape("table", of=entity)
        if node.attr not in ("now", "today"):
            message = f"The domain has no table {node.attr}."
            self.findings.add(node, "unknown-table", message, suggest(node.attr, self.world.tables))
        return ANY

    def _column(self, node: ast.Attribute, entity: str) -> Shape:
        shape = self.world.column(entity, node.attr)
        if shape is None:
            self._unknown_column(node, entity, node.attr)
            return ANY
        self.facts.reads.add(f"{self.world.entity(entity).table}.{node.attr}")
        return shape

    def _field(self, node: ast.Attribute, name: str) -> Shape:
        shape = self.world.object_field(name, node.attr)
        if shape is None:
            self._unknown_field(node, name, node.attr)
            return ANY
        return shape

    def _learn(self, function: ast.Attribute, owner: Shape, given: list[Shape]) -> None:
        """Give a list that starts empty the shape of its first items."""

    # Tables

    def _table_call(self, node: ast.Call, function: ast.Attribute, entity: str) -> Shape:
        method, row = function.attr, Shape("row", of=entity)
        if method not in TABLE_METHODS:
            message = f"A table has no {method}."
            self.findings.add(function, "unknown-method", message, suggest(method, TABLE_METHODS))
            return ANY
        if method in WRITE_METHODS and not self.world.writable:
            self.findings.add(
                function, "write-in-rule", f"A rule cannot call {method}.", "A rule only looks."
            )
        self._check_places(node, method, entity)
        self._note(node, method, entity)
        if method in ("where", "alike", "all"):
            return list_of(row)
        return row.or_none() if method == "find" else row

    def _check_places(self, node: ast.Call, method: str, entity: str) -> None:
        """Check that the key and the columns are passed as the method wants them."""
        wanted = 1 if method in ("get", "find", "update", "remove") else 0
        if len(node.args) != wanted:
            what = "the row's id" if wanted else "no argument without a name"
            self.findings.add(
                node, "arguments", f"{method} takes {what}, and {len(node.args)} are given.",
                "Write db.table.get(id), .update(id, column=value) or .add(column=value).",
            )  # fmt: skip
        for argument in node.args[:1]:
            self._fit(argument, Shape("text", of=entity), f"the id of a {entity}")
        if method in ("where", "alike", "add", "update"):
            self._columns(node, method, entity)
        elif node.keywords:
            self.findings.add(
                node, "arguments", f"{method} takes no column.", "Leave the named arguments out."
            )

    def _columns(self, node: ast.Call, method: str, entity: str) -> None:
        key = self.world.entity(entity).key
        for word in node.keywords:
            shape = self.world.column(entity, word.arg or "")
            if shape is None:
                self.shape(word.value)
                self._unknown_column(word.value, entity, word.arg or "**")
                continue
            if method == "alike":
                self._check_text(word.value, shape, word.arg)
                shape = TEXT
            self._fit(word.value, shape, f"the column {word.arg}")
            if method == "update" and word.arg == key:
                self.findings.add(
                    word.value, "key-update", f"{key} is the key of {entity} and never changes.",
                    "Add a row with the new key, and remove the old one.",
                )  # fmt: skip
        given = {word.arg for word in node.keywords}
        missing = [name for name in self.world.required_columns(entity) if name not in given]
        if method == "add" and missing:
            self.findings.add(
                node, "missing-column", f"A new {entity} lacks {', '.join(missing)}.",
                "Give every column that is not nullable.",
            )  # fmt: skip
        if method in NAMING and not node.keywords:
            mend = f"Name the columns to {NAMING[method]}."
            self.findings.add(node, "arguments", f"{method} names no column.", mend)

    def _check_text(self, node: ast.expr, shape: Shape, column: str | None) -> None:
        if shape.name not in ("text", "any"):
            self.findings.add(
                node, "wrong-type", f"alike compares texts, and the column {column} is {shape}.",
                f"Write where({column}=...).",
            )  # fmt: skip

    def _note(self, node: ast.Call, method: str, entity: str) -> None:
        table = self.world.entity(entity).table
        columns = {f"{table}.{word.arg}" for word in node.keywords}
        if method == "add":
            self.facts.creates.add(table)
        elif method == "remove":
            self.facts.deletes.add(table)
        elif method == "update":
            self.facts.writes |= columns
        else:
            self.facts.reads |= {table, *columns}
        if method in ("get", "update", "remove"):
            self.facts.codes[f"unknown_{snake(entity)}"] = None
            for argument in node.args[:1]:
                if isinstance(argument, ast.Name) and argument.id in self.parameters:
                    self.facts.requires[argument.id, entity] = None

    def _unknown_column(self, node: ast.expr, entity: str, column: str) -> None:
        known = self.world.entity(entity).columns
        message = f"{entity} has no column {column}."
        self.findings.add(node, "unknown-column", message, suggest(column, known))

    def _unknown_field(self, node: ast.expr, name: str, field: str) -> None:
        known = self.world.domain.objects[name].fields
        self.findings.add(
            node, "unknown-field", f"{name} has no field {field}.", suggest(field, known)
        )

    # Functions

    def _function(self, node: ast.Call, name: str) -> Shape:
        if name in self.world.domain.objects:
            return self._construct(node, name)
        if name in self.world.functions:
            return self._helper(node, name)
        given, named = self._arguments(node)
        if name == "Rejected":
            self._reject(node, named)
        self.facts.codes.update(dict.fromkeys(REJECTING.get(name, ())))
        if name in RESULTS:
            return RESULTS[name]
        return result_of_builtin(name, given, named)

    def _reject(self, node: ast.Call, values: dict[str, Shape]) -> None:
        self.facts.codes[code_of(node)] = None
        self.facts.rejects.update(dict.fromkeys(map(message_of, node.args[-1:])))
        for word in node.keywords:
            shape = values[word.arg or ""]
            single = shape.element if shape.name == "list" else shape
            if single.name not in SAID:
                self.findings.add(
                    word.value, "rejection-value",
                    f"Here {shape} is given for {word.arg}, a value of a rejection.",
                    "Give a text, a number, money, a day, an id, or a list of these.",
                )  # fmt: skip

    def _construct(self, node: ast.Call, name: str) -> Shape:
        self._fields(node, name)
        given = {word.arg for word in node.keywords}
        missing = [field for field in self.world.required_fields(name) if field not in given]
        if missing:
            self.findings.add(
                node, "missing-field", f"The {name} lacks {', '.join(missing)}.",
                "Give every field that is not nullable.",
            )  # fmt: skip
        return Shape("object", of=name)

    def _fields(self, node: ast.Call, name: str) -> None:
        if node.args:
            self.findings.add(
                node, "arguments", f"The fields of {name} are given by name.",
                f"Write {name}(field=value, ...).",
            )  # fmt: skip
        for word in node.keywords:
            shape = self.world.object_field(name, word.arg or "")
            if shape is None:
                self.shape(word.value)
                self._unknown_field(word.value, name, word.arg or "**")
            else:
                self._fit(word.value, shape, f"the field {word.arg}")

    def _helper(self, node: ast.Call, name: str) -> Shape:
        slots = {slot.name: slot for slot in self.world.functions[name].slots}
        pairs = list(zip(slots, node.args, strict=False))
        pairs += [(word.arg or "", word.value) for word in node.keywords]
        passed = []
        for slot, value in pairs:
            if slot not in slots:
                self.shape(value)
                self.findings.add(
                    value, "arguments", f"{name} takes no {slot}.", suggest(slot, slots)
                )
                continue
            self._fit(value, slots[slot].shape, f"the parameter {slot} of {name}")
            if isinstance(value, ast.Name) and value.id in self.parameters:
                passed.append((slot, value.id))
        missing = [s.name for s in slots.values() if s.required and s.name not in dict(pairs)]
        if missing or len(node.args) > len(slots):
            self.findings.add(
                node, "arguments", f"{name} is called with the wrong number of arguments.",
                f"It takes {', '.join(slots) or 'none'}.",
            )  # fmt: skip
        self.facts.calls[HelperCall(name, tuple(passed))] = None
        return self.world.functions[name].result

    # Fitting

    def _fit(self, node: ast.expr, wanted: Shape, where: str) -> None:
        """Check that an expression fits a wanted shape."""
        self.fit(node, self.shape(node), wanted, where)

    def fit(self, node: ast.expr, given: Shape, wanted: Shape, where: str) -> None:
        """Check a shape against the one wanted; an unknown enum value has its own rule."""
        if not accepts(wanted, given):
            self.findings.add(
                node, "wrong-type", f"Here {given} is given for {where}, which is {wanted}.",
                _mend_type(wanted, given),
            )  # fmt: skip
            return
        self.check_enum(node, wanted, given)

    def check_enum(self, node: ast.expr, wanted: Shape, given: Shape) -> None:
        """Refuse texts that are no value of the enum they meet."""
        if wanted.name in ("list", "set") and given.items:
            self.check_enum(node, wanted.element, given.element)
        if wanted.name != "enum" or given.name != "text" or given.literals is None:
            return
        values = self.world.domain.enums[wanted.of].values
        for text in sorted(given.literals - set(values)):
            self.findings.add(
                node, "unknown-value", f'"{text}" is no {wanted.of}.',
                suggest(text, values, "Its values are"),
            )  # fmt: skip


def _mend_type(wanted: Shape, given: Shape) -> str:
    if wanted.name == "money":
        return 'Use money(...), Decimal(0) or Decimal("0.10").'
    if wanted.name == given.name == "text":
        return f"Give the id of a {wanted.of}."
    return f"Give {wanted}."
