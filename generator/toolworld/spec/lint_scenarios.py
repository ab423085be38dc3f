"""Rules for scenarios: situation, expert and words name the same facts, outcomes and tools."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Mapping

from toolworld.spec.dialect import AGENT_TALK
from toolworld.spec.findings import FileFindings, suggest
from toolworld.spec.lint_behaviours import lint_behaviours
from toolworld.spec.model import DomainFile, Tool
from toolworld.spec.reading import Notes
from toolworld.spec.scenario_code import ScenarioCode, calls_of
from toolworld.spec.scenarios import OutcomeWords, ScenarioWords
from toolworld.spec.shapes import TEXT
from toolworld.spec.template_check import TemplateCheck, parsed
from toolworld.spec.template_filters import FACTS
from toolworld.spec.tree_walk import walk
from toolworld.spec.yamltext import Path

SITUATION = (("db", "Database"), ("draw", "Draw"))
EXPERT = (("agent", "Agent"), ("given", "Given"))
TAKEN_FACTS = frozenset({"knows", "take"})
"""Names of what the facts given to an expert can do."""
ENTITY_ID = re.compile(r"\b[A-Z]{2,8}-\d")


def lint_code(
    code: ScenarioCode, words: Mapping[str, ScenarioWords], tools: Mapping[str, Tool]
) -> None:
    """Check situations and experts against each other, the words and the tools."""
    situations, findings = code.situations, code.findings
    for name, node in code.functions.items():
        if name.startswith("solve_"):
            _lint_expert(name.removeprefix("solve_"), node, code, words, tools)
        elif not name.startswith("_"):
            _lint_situation(name, node, code, words)
        if not name.startswith("solve_"):
            _lint_calls(node, tools, findings)
    for name in code.functions:
        wanted = name.removeprefix("solve_")
        if name.startswith("solve_") and wanted not in situations:
            findings.add(
                code.functions[name], "no-situation", f"There is no situation {wanted}.",
                f"Write `def {wanted}(db: Database, draw: Draw) -> Facts:`.",
            )  # fmt: skip


def _lint_situation(
    name: str, node: ast.FunctionDef, code: ScenarioCode, words: Mapping[str, ScenarioWords]
) -> None:
    findings = code.findings
    if _signature(node) != (SITUATION, "Facts"):
        findings.add(
            node, "situation", f"{name} is no situation.",
            "Write `def name(db: Database, draw: Draw) -> Facts:`; helpers begin with `_`.",
        )  # fmt: skip
    if not ast.get_docstring(node):
        findings.add(
            node, "no-docstring", f"{name} does not say what happens to whom.",
            "Say it in the first line of a docstring.",
        )  # fmt: skip
    if f"solve_{name}" not in code.functions:
        findings.add(
            node, "no-expert", f"Nobody solves {name}.",
            f"Write `def solve_{name}(agent: Agent, given: Given) -> Outcome:`.",
        )  # fmt: skip
    if name not in words:
        findings.add(
            node, "no-words", f"{name} has no words.", f"Add `{name}:` to the YAML file beside it."
        )
    if not code.facts_of(node):
        findings.add(
            node, "no-facts", f"{name} returns no facts.", "End it in `return facts(name=value)`."
        )
    for fact in TAKEN_FACTS.intersection(code.facts_of(node)):
        findings.add(node, "taken-fact", f"No fact may be called {fact}.", "Call it otherwise.")


def _lint_expert(
    name: str,
    node: ast.FunctionDef,
    code: ScenarioCode,
    words: Mapping[str, ScenarioWords],
    tools: Mapping[str, Tool],
) -> None:
    findings = code.findings
    if _signature(node) != (EXPERT, "Outcome"):
        findings.add(
            node, "expert", f"{node.name} is no expert: an agent is all it works by.",
            "Write `def solve_name(agent: Agent, given: Given) -> Outcome:`.",
        )  # fmt: skip
    _lint_calls(node, tools, findings)
    if name in code.situations:
        _lint_given(node, code.facts_of(code.situations[name]), findings)
    if name in words:
        _lint_outcomes(node, code, words[name], findings)


def _lint_calls(node: ast.FunctionDef, tools: Mapping[str, Tool], findings: FileFindings) -> None:
    """Check the calls of tools through ``agent`` and ``draw``."""
    for call in (inner for inner in walk(node) if isinstance(inner, ast.Call)):
        tool = _tool_called(call)
        if tool is None:
            continue
        if tool not in tools:
            findings.add(call, "unknown-tool", f"There is no tool {tool}.", suggest(tool, tools))
            continue
        names = [parameter.name for parameter in tools[tool].parameters]
        places = call.args[1:] if _is_draw_call(call) else call.args
        given = [*names[: len(places)], *(word.arg or "" for word in call.keywords)]
        for word in call.keywords:
            if word.arg not in names:
                findings.add(
                    call, "unknown-argument", f"{tool} takes no {word.arg}.",
                    suggest(word.arg or "", names, "It takes"),
                )  # fmt: skip
        for parameter in tools[tool].parameters:
            if parameter.required and parameter.name not in given:
                findings.add(
                    call, "missing-argument", f"{tool} needs {parameter.name}.", "Give it."
                )


def _lint_given(node: ast.FunctionDef, facts: Collection[str], findings: FileFindings) -> None:
    for inner in walk(node):
        if isinstance(inner, ast.Attribute) and _is_name(inner.value, "given"):
            _check_fact(inner, inner.attr, facts, findings)
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute):
            if _is_name(inner.func.value, "agent") and inner.func.attr in ("ask", "knows"):
                for argument in inner.args:
                    _check_fact(argument, ast.unparse(argument).strip("'"), facts, findings)


def _check_fact(node: ast.AST, name: str, facts: Collection[str], findings: FileFindings) -> None:
    if name not in facts:
        findings.add(
            node, "unknown-fact", f"The situation gives no fact {name}.",
            suggest(name, facts, "It gives"),
        )  # fmt: skip


def _lint_outcomes(
    node: ast.FunctionDef, code: ScenarioCode, words: ScenarioWords, findings: FileFindings
) -> None:
    used: set[str] = set()
    for function in code.with_helpers(node):
        for call in calls_of(function, "outcome"):
            first = call.args[0] if call.args else None
            name = ast.unparse(first).strip("'") if first is not None else ""
            if name not in words.outcomes:
                findings.add(
                    call, "unknown-outcome", f"The words declare no outcome {name}.",
                    suggest(name, words.outcomes, "They declare"),
                )  # fmt: skip
                continue
            used.add(name)
            given = {word.arg for word in call.keywords}
            for value in words.outcomes[name].tells:
                if value not in given:
                    findings.add(
                        call, "missing-value", f"The outcome {name} is to tell {value}.",
                        f"Write outcome({name!r}, {value}=...).",
                    )  # fmt: skip
    for name in words.outcomes:
        if name not in used:
            findings.add(
                node, "unused-outcome", f"{node.name} never ends in {name}.",
                "Return it, or take it out of the words.",
            )  # fmt: skip
    if len(words.outcomes) == 1:
        findings.add(
            node, "never-branches", f"{node.name} always ends the same.",
            "Let what is right depend on the data: refuse, cap or offer where the policy says so.",
        )  # fmt: skip


def lint_words(
    words: Mapping[str, ScenarioWords],
    code: ScenarioCode,
    domain: DomainFile,
    clauses: Mapping[str, str],
    tools: Collection[str],
    notes: Notes,
) -> None:
    """Check the words of one file of scenarios.

    Args:
        words: The words of each scenario.
        code: The functions of all scenarios.
        domain: The domain they are in.
        clauses: What keeps each clause of the policy, by its number.
        tools: The names of the tools.
        notes: Where problems go.
    """
    situations = code.situations
    for name, one in words.items():
        if name not in situations:
            notes.add(
                (name,), "no-situation", f"There is no situation {name}.",
                suggest(name, situations, "There are"),
            )  # fmt: skip
            continue
        lint = WordsLint(name, one, code.facts_of(situations[name]), tools, notes)
        lint.lint(domain, clauses, code)
        lint.lint_breaches(code, [one for one in clauses if clauses[one] == "conduct"])


class WordsLint:
    """The words of one scenario, and the place they stand at."""

    def __init__(
        self,
        name: str,
        words: ScenarioWords,
        facts: Collection[str],
        tools: Collection[str],
        notes: Notes,
    ) -> None:
        """Take the words, and the facts that the situation gives."""
        self.name, self.words, self.facts = name, words, facts
        self.tools, self.notes = tools, notes
        self.said: set[str] = set()

    def lint(self, domain: DomainFile, clauses: Collection[str], code: ScenarioCode) -> None:
        """Check everything in them but breaches."""
        words = self.words
        if words.role not in domain.roles:
            self._unknown(("role",), "role", words.role, domain.roles)
        tables = {entity.table: entity for entity in domain.entities.values()}
        for place, cell in enumerate(words.twins):
            table, _, column = cell.partition("=")[0].partition(".")
            if table not in tables or column not in tables[table].columns:
                known = [f"{name}.{key}" for name, found in tables.items() for key in found.columns]
                self._unknown(("twins", place), "column", cell, known)
        self._names("when", "outcome", words.when, words.outcomes)
        for part in ("gives", "topics", "ways"):
            self._names(part, "fact", getattr(words, part), self.facts)
        self._outcomes(clauses)
        self._messages()
        self._behaviours(code)

    def lint_breaches(self, code: ScenarioCode, clauses: Collection[str]) -> None:
        """Check that breaches of conduct are written as experts are."""
        for number, name in self.words.breaches.items():
            path: Path = ("breaches", number)
            if number not in clauses:
                self._unknown(path, "clause", number, clauses)
            if name not in code.functions:
                self._unknown(path, "function", name, code.functions)
            elif _signature(code.functions[name]) != (EXPERT, "Outcome"):
                self._add(
                    path, "breach", f"{name} is no breach: it works as an expert does.",
                    f"Write `def {name}(agent: Agent, given: Given) -> Outcome:`.",
                )  # fmt: skip

    def _names(self, part: str, what: str, names: Iterable[str], known: Collection[str]) -> None:
        """Check that the keys of a part of the words name existing facts or outcomes."""
        for name in names:
            if name not in known:
                self._unknown((part, name), what, name, known)

    def _outcomes(self, clauses: Collection[str]) -> None:
        for name, one in self.words.outcomes.items():
            if one.clause is not None and one.clause not in clauses:
                self._unknown(("outcomes", name, "clause"), "clause", one.clause, clauses)
            filled = self._template(("outcomes", name, "reply"), one.reply, one.tells)
            for value in one.tells:
                if value not in filled:
                    self._add(
                        ("outcomes", name, "reply"), "missing-value",
                        f"The reply does not tell {value}.", f"Write {{{{ {value} }}}} in it.",
                    )  # fmt: skip
            self._question(name, one)
            for value in one.alternatives:
                if value not in one.tells:
                    self._unknown(("outcomes", name, "alternatives"), "value", value, one.tells)

    def _question(self, name: str, one: OutcomeWords) -> None:
        if one.question is None:
            return
        path: Path = ("outcomes", name, "question")
        self._template((*path, "text"), one.question.text, self.facts)
        for number, value in enumerate(one.question.asks):
            if value not in one.tells:
                self._unknown((*path, "asks", number), "value", value, one.tells)
        if not one.question.asks:
            self._add(path, "asks-nothing", "The question asks for nothing.", "Fill in its asks.")

    def _messages(self) -> None:
        told = {value for one in self.words.outcomes.values() for value in one.tells}
        for place, saying in enumerate(self.words.says):
            self.said |= self._template(("says", place, "text"), saying.text, self.facts)
            for number, value in enumerate(saying.asks):
                if value not in told:
                    self._unknown(("says", place, "asks", number), "value", value, told)
        for fact, text in self.words.gives.items():
            self._template(("gives", fact), text, self.facts)
        for outcome, text in self.words.when.items():
            self._template(("when", outcome), text, self.facts)

    def _behaviours(self, code: ScenarioCode) -> None:
        """Check the person's behaviours against the facts in the messages."""
        expert = code.functions.get(f"solve_{self.name}")
        functions = code.with_helpers(expert) if expert is not None else []
        lint_behaviours(self.name, self.words, self.facts, self.said, functions, self.notes)
        for place, text in enumerate(self.words.wants_more):
            self._template(("wants_more", place), text, self.facts)
        if change := self.words.changes_mind:
            path: Path = ("changes_mind", "says")
            if change.fact not in self._template(path, change.says, self.facts):
                self._add(
                    path, "missing-value", f"The text does not say {change.fact}.",
                    f"Fill in {{{{ {change.fact} }}}}, as it is in the end.",
                )  # fmt: skip

    def _template(self, path: Path, text: str, known: Collection[str]) -> set[str]:
        """Check a text with holes; return the names that are filled in."""
        for tool in self.tools:
            if "_" in tool and tool in text:
                self._add(
                    path, "names-tool", f"The text names the tool {tool}.", "Say it as people do."
                )
        if ENTITY_ID.search(text):
            self._add(path, "internal-id", "The text holds an id.", "Fill in a fact instead.")

        def report(rule: str, message: str, mend: str) -> None:
            self._add(path, rule, message, mend)

        tree = parsed(text, report)
        if tree is None:
            return set()
        check = _FactsCheck(dict.fromkeys(known, TEXT), FACTS, report)
        check.check(tree)
        return check.filled

    def _unknown(self, path: Path, what: str, name: str, known: Collection[str]) -> None:
        self._add(
            path, f"unknown-{what.split()[0]}", f"There is no {what} {name} here.",
            suggest(name, known, "There are"),
        )  # fmt: skip

    def _add(self, path: Path, rule: str, message: str, mend: str) -> None:
        self.notes.add((self.name, *path), rule, message, mend)


class _FactsCheck(TemplateCheck):
    """A text with holes for facts or values; they are filled in as texts."""

    def unknown(self, name: str) -> None:
        """Report a name that is no fact."""
        self.report(
            "unknown-fact",
            f"There is no fact or value {name} here.",
            suggest(name, self.known, "There are"),
        )


def _signature(node: ast.FunctionDef) -> tuple[tuple[tuple[str, str], ...], str]:
    found = tuple(
        (argument.arg, ast.unparse(argument.annotation) if argument.annotation else "")
        for argument in node.args.args
    )
    return found, ast.unparse(node.returns) if node.returns is not None else ""


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_draw_call(call: ast.Call) -> bool:
    function = call.func
    return (
        isinstance(function, ast.Attribute)
        and function.attr == "call"
        and _is_name(function.value, "draw")
    )


def _tool_called(call: ast.Call) -> str | None:
    """Return the tool that a call through ``agent`` or ``draw`` names; None for other calls."""
    function = call.func
    if not isinstance(function, ast.Attribute):
        return None
    if _is_draw_call(call):
        first = call.args[0] if call.args else None
        return ast.unparse(first).strip("'") if first is not None else "(none)"
    base = function.value
    if isinstance(base, ast.Attribute) and base.attr == "attempt" and _is_name(base.value, "agent"):
        return function.attr
    if _is_name(base, "agent") and function.attr not in AGENT_TALK:
        return function.attr
    return None
