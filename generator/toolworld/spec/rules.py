"""The subset's tables: the syntax, names, attributes and literals that tool code may use.

All of them are allow-lists. The refusals listed by node type only give common mistakes a
better message; a node type in neither table is refused all the same.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
import types
from typing import NamedTuple

from pydantic import BaseModel

from toolworld.spec.methods import ALWAYS_ATTRIBUTES

MOST_TEXT = 10_000
LARGEST_INTEGER = 10**15
MOST_DECIMALS = re.compile(r"-?\d{1,15}(\.\d{1,10})?")
NUMBER_FORMAT = re.compile(r"[<>=^]?[+ -]?,?0?\d{0,2}[,_]?(\.\d{1,2})?[dfsegx%]?")
DATE_FORMAT = re.compile(r"(%-?[YmdHMSBbAajyIp%]|[^%{}]){1,60}")

BUILTINS = frozenset({
    "abs", "all", "any", "bool", "dict", "enumerate", "float", "int", "len", "list", "max", "min",
    "range", "reversed", "round", "set", "sorted", "str", "sum", "tuple", "zip",
})  # fmt: skip
API = frozenset({
    "Rejected", "page", "money", "Decimal", "date", "datetime", "timedelta", "contains",
    "is_clear", "letters_of",
})  # fmt: skip
CALLABLE = BUILTINS | API
TYPE_NAMES = frozenset({"Database", "Fake", "Page", "Money"})
SUBSET_NAMES = CALLABLE | TYPE_NAMES | {"math", "db", "fake"}
CONSTANT_CALLS = frozenset({"Decimal", "date", "datetime", "timedelta"})
COPIERS = frozenset({
    "all", "any", "dict", "enumerate", "len", "list", "max", "min", "reversed", "set", "sorted",
    "sum", "tuple", "zip",
})  # fmt: skip
"""Functions that take things out of a constant without handing the constant on."""
CONSTANT_METHODS = frozenset({"get", "items", "keys", "values", "index", "count"})

RESERVED_TOOLS = frozenset({
    "reset", "step", "state", "close", "verify", "seed_session", "aggregate_metrics", "mcp",
    "get_reward", "submit",
})  # fmt: skip
RESERVED_TYPES = SUBSET_NAMES | frozenset(dir(builtins)) | {
    "Any", "Literal", "Annotated", "BaseModel", "Record", "Row", "Value", "Table", "Base", "Key",
    "Text", "Integer", "Number", "Boolean", "Date", "Datetime", "Environment", "Task", "Grade",
    "Change", "Snapshot", "Invariant", "Reference", "TableSchema", "Sequence", "Mapping",
    "PackageError", "InvalidArguments", "UnknownTool", "IntegrityError", "ToolResult",
}  # fmt: skip
"""Names that emitted modules import or define."""


def _dangerous() -> frozenset[str]:
    """Return the public attributes that lead to the interpreter's own objects."""
    owners: tuple[type, ...] = (
        types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType, types.FrameType,
        types.CodeType, types.TracebackType, type,
    )  # fmt: skip
    names = {name for owner in owners for name in dir(owner) if not name.startswith("_")}
    old = {"func_globals", "func_code", "im_func", "im_self", "im_class"}
    return frozenset(names | old) - {"close", "send"} - ALWAYS_ATTRIBUTES


DANGEROUS_ATTRIBUTES = _dangerous()
"""Never an attribute, column or field, although code never holds an object that has them."""
MODEL_ATTRIBUTES = frozenset(name for name in dir(BaseModel) if not name.startswith("_"))
"""What a column would hide in the emitted pydantic model."""
TABLE_ATTRIBUTES = frozenset({
    "now", "today", "mint", "write", "commit", "rollback", "check", "snapshot", "restore",
    "digest", "tables", "changes", "base", "clock", "diff", "state",
})  # fmt: skip
"""What a table would hide in the emitted database."""


class Refusal(NamedTuple):
    """What is said of a piece of syntax that is not allowed."""

    rule: str
    message: str
    mend: str


_LOOP = "Use `for` over a list, a table or range()."
_NESTED = "Make it a private function of the module, `_name(...)`."
REFUSED: dict[type[ast.AST], Refusal] = {
    ast.Import: Refusal("import", "Imports are not allowed.", "Use the names the subset gives."),
    ast.ImportFrom: Refusal(
        "import", "Imports are not allowed.", "Use the names the subset gives."
    ),
    ast.While: Refusal("while", "A while loop may never end.", _LOOP),
    ast.Try: Refusal("try", "try is not allowed.", "Check first, and raise Rejected."),
    ast.TryStar: Refusal("try", "try is not allowed.", "Check first, and raise Rejected."),
    ast.With: Refusal("with", "with is not allowed.", "Leave it out."),
    ast.AsyncWith: Refusal("async", "Asynchronous code is not allowed.", "Write plain code."),
    ast.AsyncFor: Refusal("async", "Asynchronous code is not allowed.", "Write plain code."),
    ast.Await: Refusal("async", "Asynchronous code is not allowed.", "Write plain code."),
    ast.AsyncFunctionDef: Refusal(
        "async", "Asynchronous code is not allowed.", "Write a plain `def`."
    ),
    ast.ClassDef: Refusal("class", "Classes are not allowed.", "Declare an object in domain.yaml."),
    ast.FunctionDef: Refusal("nested-function", "A function stands inside another.", _NESTED),
    ast.Yield: Refusal("yield", "Generators are not allowed.", "Return a list."),
    ast.YieldFrom: Refusal("yield", "Generators are not allowed.", "Return a list."),
    ast.Global: Refusal("global", "global is not allowed.", "Keep state in tables."),
    ast.Nonlocal: Refusal("global", "nonlocal is not allowed.", "Pass and return values."),
    ast.Delete: Refusal("del", "del is not allowed.", "Build a new list or dict without it."),
    ast.Assert: Refusal("assert", "assert is not allowed.", "Raise Rejected with a message."),
    ast.Match: Refusal("match", "match is not allowed.", "Use if and elif."),
    ast.NamedExpr: Refusal("walrus", "`:=` is not allowed.", "Assign on a line of its own."),
    ast.Pow: Refusal("power", "`**` is not allowed.", "Multiply, or use math.sqrt()."),
    ast.LShift: Refusal("shift", "`<<` is not allowed.", "Multiply instead."),
    ast.RShift: Refusal("shift", "`>>` is not allowed.", "Use // instead."),
    ast.MatMult: Refusal("operator", "`@` is not allowed.", "Leave it out."),
    ast.Invert: Refusal("operator", "`~` is not allowed.", "Use not."),
    ast.BitXor: Refusal("operator", "`^` is not allowed.", "Use != or symmetric_difference()."),
    ast.Starred: Refusal("star-arguments", "`*` is not allowed here.", "Write the values out."),
    ast.Lambda: Refusal(
        "lambda", "A lambda stands outside `key=`.", "Make it a private function of the module."
    ),
    ast.GeneratorExp: Refusal(
        "generator",
        "A generator stands outside a call.",
        "Use [...], or pass it to sum(), any()...",
    ),
}
STATEMENTS: frozenset[type[ast.AST]] = frozenset({
    ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For, ast.If, ast.Return, ast.Raise, ast.Expr,
    ast.Pass, ast.Break, ast.Continue,
})  # fmt: skip
EXPRESSIONS: frozenset[type[ast.AST]] = frozenset({
    ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.Dict, ast.Set, ast.List, ast.Tuple,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.Compare, ast.Call, ast.JoinedStr,
    ast.FormattedValue, ast.Constant, ast.Attribute, ast.Subscript, ast.Slice, ast.Name,
})  # fmt: skip
OPERATORS: frozenset[type[ast.AST]] = frozenset({
    ast.And, ast.Or, ast.Not, ast.UAdd, ast.USub, ast.Add, ast.Sub, ast.Mult, ast.Div,
    ast.FloorDiv, ast.Mod, ast.BitOr, ast.BitAnd, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt,
    ast.GtE, ast.Is, ast.IsNot, ast.In, ast.NotIn, ast.Load, ast.Store, ast.comprehension,
    ast.keyword, ast.arguments, ast.arg,
})  # fmt: skip
ALLOWED = STATEMENTS | EXPRESSIONS | OPERATORS


def refusal_of(node: ast.AST) -> Refusal:
    """Return the message for a node that is not allowed."""
    name = type(node).__name__
    return REFUSED.get(type(node), Refusal("syntax", f"{name} is not allowed.", "Leave it out."))


def is_keyword(name: str) -> bool:
    """Return whether Python keeps a name for itself."""
    return keyword.iskeyword(name) or name in ("None", "True", "False")
