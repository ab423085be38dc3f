"""Rules that span several parts of a domain; each file's rules are in a module of their own."""

from __future__ import annotations

from toolworld.spec.code import CodeParts
from toolworld.spec.lint_cases import lint_cases
from toolworld.spec.lint_domain import lint_domain
from toolworld.spec.lint_explained import lint_explained
from toolworld.spec.lint_laws import lint_laws
from toolworld.spec.lint_phrases import lint_phrases
from toolworld.spec.lint_policy import lint_clauses, lint_conduct, lint_roles
from toolworld.spec.lint_scenarios import lint_code, lint_words
from toolworld.spec.lint_survivors import lint_survivors
from toolworld.spec.lint_tasks import lint_tasks
from toolworld.spec.lint_tools import lint_seed, lint_tools
from toolworld.spec.model import DomainFile
from toolworld.spec.reading import Notes, Reading
from toolworld.spec.scenario_code import ScenarioCode

LEAST_POLICY = 40


def lint(reading: Reading) -> None:
    """Check how the parts of a domain fit together, as far as they could be read."""
    domain, code = reading.domain, reading.code
    if "policy.md" in reading.texts and len(reading.texts["policy.md"].strip()) < LEAST_POLICY:
        reading.notes["policy.md"].add(
            0, "empty", "The policy says next to nothing.",
            "Say what an agent must and must not do.",
        )  # fmt: skip
    if domain is None:
        return
    domain_notes = _notes(reading, "domain.yaml")
    lint_domain(domain, domain_notes)
    if code is None:
        return
    _lint_policy(reading, domain, code, domain_notes)
    _lint_scenarios(reading, domain, code)
    if "tools.py" in reading.texts:
        lint_tools(domain, code, reading.notes["tools.py"], domain_notes)
    if "seed.py" in reading.texts and code.seeds is not None:
        lint_seed(domain, code.seeds, reading.notes["seed.py"], domain_notes)
    _lint_lists(reading, domain, code)


def _lint_lists(reading: Reading, domain: DomainFile, code: CodeParts) -> None:
    """Check the files that belong to the tools, such as cases and phrases."""
    if reading.phrases is not None:
        lint_phrases(domain, code.tools, reading.phrases, _notes(reading, "phrases.yaml"))
    if reading.tasks is not None:
        lint_tasks(domain, code.tools, reading.tasks, _notes(reading, "tasks.yaml"))
    if reading.cases is not None:
        lint_cases(domain, code.tools, reading.cases, _notes(reading, "cases.yaml"))
    if reading.survivors is not None:
        lint_survivors(code.names, reading.survivors, _notes(reading, "survivors.yaml"))
    if reading.explained is not None:
        names = {tool.name for tool in code.tools}
        lint_explained(names, reading.explained, _notes(reading, "explained.yaml"))


def _lint_policy(
    reading: Reading, domain: DomainFile, code: CodeParts, domain_notes: Notes
) -> None:
    lint_roles(domain, {tool.name for tool in code.tools}, domain_notes)
    conduct = reading.conduct
    if "policy.md" in reading.texts:
        codes = {name for tool in code.tools for name in tool.effects.codes}
        functions = conduct.functions if conduct is not None else []
        predicates = {one.name for one in functions if not one.name.startswith("_")}
        lint_clauses(reading.clauses, codes, predicates, reading.notes["policy.md"])
    if conduct is not None:
        lint_conduct(conduct, reading.clauses, reading.notes["conduct.py"])
    if reading.laws is not None:
        numbers = {clause.number for clause in reading.clauses}
        lint_laws(reading.laws, domain.entities, numbers, reading.notes["laws.py"])


def _lint_scenarios(reading: Reading, domain: DomainFile, code: CodeParts) -> None:
    if reading.situations is None:
        return
    tools = {tool.name: tool for tool in code.tools}
    stories = ScenarioCode(reading.situations, reading.notes["scenarios.py"])
    words = {name: one for part in reading.words.values() for name, one in part.items()}
    clauses = {clause.number: clause.kept_by for clause in reading.clauses}
    lint_code(stories, words, tools)
    for file, part in reading.words.items():
        if file in reading.documents:
            lint_words(part, stories, domain, clauses, tools, _notes(reading, file))


def _notes(reading: Reading, name: str) -> Notes:
    return Notes(reading.documents[name], reading.notes[name])
