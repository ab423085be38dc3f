"""Python text of a spec, parsed but never run.

The text may come from a model, so its size, depth and characters are bounded before and after
the parser sees it.
"""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from tokenize import COMMENT, TokenError, generate_tokens

from toolworld.spec.findings import FileFindings
from toolworld.spec.tree_walk import children, walk

MOST_CHARACTERS = 400_000
MOST_NODES = 100_000
DEEPEST = 60
MOST_FORS = 4
"""How many `for` a comprehension may have."""
COOKIE = re.compile(r"\A(?:[^\n]*\n)?[ \t]*#[^\n]*coding[:=]")
"""Python would read a file with this on its first lines otherwise than it is checked here."""


@dataclass(frozen=True)
class Source:
    """A module of the subset: its text and syntax tree."""

    file: str
    text: str
    tree: ast.Module

    @cached_property
    def functions(self) -> list[ast.FunctionDef]:
        """The functions of the module, in file order."""
        return [node for node in self.tree.body if isinstance(node, ast.FunctionDef)]

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the module's functions and constants."""
        stored = (node for node in self.tree.body if isinstance(node, ast.Assign | ast.AnnAssign))
        constants = (
            part.id
            for node in stored
            for part in walk(node)
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
        )
        return frozenset(constants) | {node.name for node in self.functions}


def parse_source(text: str, findings: FileFindings) -> Source | None:
    """Parse a module; problems that stop the parser are findings."""
    tree = _parse(text, "exec", findings, 0)
    return Source(findings.file, text, tree) if isinstance(tree, ast.Module) else None


def parse_rule(text: str, findings: FileFindings, line: int) -> ast.expr | None:
    """Parse one expression; all its nodes get the line it stands on in the spec."""
    if _has_comment(text):
        findings.add(
            line, "comment", "A comment stands in a rule.", "Say it in `says`, or in the YAML."
        )
        return None
    tree = _parse(text.strip(), "eval", findings, line)
    if not isinstance(tree, ast.Expression):
        return None
    for node in walk(tree):
        if isinstance(node, ast.expr):
            node.lineno = line
    return tree.body


def _has_comment(text: str) -> bool:
    if "#" not in text:
        return False
    try:
        tokens = list(generate_tokens(StringIO(text).readline))
    except (TokenError, SyntaxError):
        return False  # the parser says what is wrong
    return any(token.type == COMMENT for token in tokens)


def _parse(text: str, mode: str, findings: FileFindings, line: int) -> ast.AST | None:
    if len(text) > MOST_CHARACTERS:
        findings.add(
            line, "too-long", f"The code has {len(text)} characters.",
            f"Keep it under {MOST_CHARACTERS}.",
        )  # fmt: skip
        return None
    odd = _odd_character(text)
    if odd:
        findings.add(
            line or odd[0], "odd-character", f"The code holds the character {odd[1]!a}.",
            "Leave out control and invisible characters.",
        )  # fmt: skip
        return None
    if COOKIE.search(text):
        findings.add(
            line or 1, "encoding-cookie", "A comment names a character encoding.",
            "Remove it; the code is UTF-8.",
        )  # fmt: skip
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            tree = ast.parse(text, mode=mode)
    except (SyntaxError, ValueError) as error:
        at = getattr(error, "lineno", 0) or 0
        reason = getattr(error, "msg", str(error))
        findings.add(
            line or at, "syntax", f"This is not valid Python: {reason}.", "Correct the syntax."
        )
        return None
    except (RecursionError, MemoryError):
        at = line or _longest_line(text)
        findings.add(at, "too-deep", "The code is nested too deeply.", "Split it up.")
        return None
    return tree if _is_small(tree, findings, line) else None


def _longest_line(text: str) -> int:
    """Return the number of the longest line, as the place of an error without one."""
    lines = text.split("\n")
    return 1 + max(range(len(lines)), key=lambda number: len(lines[number]))


def _odd_character(text: str) -> tuple[int, str] | None:
    for number, content in enumerate(text.split("\n"), start=1):
        if content.isprintable():  # most are; to look at each character takes long
            continue
        for character in content:
            # Bidirectional marks make code read otherwise than it runs.
            if not character.isprintable() and character not in "\t\u00a0":
                return number, character
    return None


def _is_small(tree: ast.AST, findings: FileFindings, line: int) -> bool:
    """Bound the tree before anything walks it recursively."""
    level: list[ast.AST] = [tree]
    count = depth = 0
    while level:
        count, depth = count + len(level), depth + 1
        wide = [node for node in level if len(getattr(node, "generators", ())) > MOST_FORS]
        if wide or depth > DEEPEST or count > MOST_NODES:
            deep = bool(wide) or depth > DEEPEST
            at = next(
                (node.lineno for node in wide or level if isinstance(node, ast.expr | ast.stmt)), 0
            )
            findings.add(
                line or at, "too-deep" if deep else "too-long",
                "The code is nested too deeply." if deep else "The code is too long.",
                "Split it into smaller functions and expressions.",
            )  # fmt: skip
            return False
        level = [child for node in level for child in children(node)]
    return True
