"""The Python parts of a domain, read: subset check, signatures, inference, effects."""

from __future__ import annotations

from dataclasses import dataclass

from toolworld.spec.dialect import CONDUCT, SCENARIOS, SEED, TOOLS, Dialect
from toolworld.spec.effects import with_effects
from toolworld.spec.facts import FunctionFacts
from toolworld.spec.findings import FileFindings
from toolworld.spec.infer import infer_module, infer_rule
from toolworld.spec.model import DomainFile, Tool
from toolworld.spec.signatures import Signature, read_signatures, read_tools
from toolworld.spec.source import Source, parse_rule, parse_source
from toolworld.spec.subset import Vocabulary, check_module, check_rule
from toolworld.spec.yamltext import Document


@dataclass(frozen=True)
class CodeParts:
    """What the code of a domain holds.

    Attributes:
        facts: What each function of the tools does by itself.
        names: The functions and constants of the tools.
        source: The tools, parsed.
        seeds: The functions of ``seed.py``; None if it cannot be read.
    """

    tools: tuple[Tool, ...]
    signatures: tuple[Signature, ...]
    facts: dict[str, FunctionFacts]
    names: frozenset[str]
    source: Source
    seeds: tuple[Signature, ...] | None


def read_code(
    texts: dict[str, str],
    domain: DomainFile | None,
    document: Document | None,
    notes: dict[str, FileFindings],
) -> CodeParts | None:
    """Read tools, seed and invariants; all their problems are findings."""
    words = Vocabulary.of(domain)
    tools = read_source("tools.py", texts, notes, words)
    seed = read_source("seed.py", texts, notes, words)
    if domain is None:
        return None
    if document is not None:
        _check_rules(domain, document, notes["domain.yaml"])
    seeds = _read_seed(seed, domain, notes)
    if tools is None:
        return None
    findings = notes["tools.py"]
    signatures = read_signatures(tools, domain, findings)
    facts = infer_module(tools, domain, signatures, findings)
    found = read_tools(signatures, domain, findings)
    for notes_of_file in notes.values():
        notes_of_file.drop_echoes()
    return CodeParts(
        with_effects(found, signatures, facts, domain),
        tuple(signatures),
        facts,
        tools.names,
        tools,
        seeds,
    )


DIALECTS: dict[str, Dialect] = {
    "tools.py": TOOLS, "seed.py": SEED, "conduct.py": CONDUCT, "laws.py": CONDUCT,
    "scenarios.py": SCENARIOS,
}  # fmt: skip


def read_source(
    name: str, texts: dict[str, str], notes: dict[str, FileFindings], words: Vocabulary
) -> Source | None:
    """Parse and check a module of a domain; None if it is absent or cannot be parsed."""
    source = parse_source(texts[name], notes[name]) if name in texts else None
    if source is not None:
        check_module(source, words, notes[name], DIALECTS[name])
    return source


def _read_seed(
    seed: Source | None, domain: DomainFile, notes: dict[str, FileFindings]
) -> tuple[Signature, ...] | None:
    if seed is None:
        return None
    findings = notes["seed.py"]
    signatures = read_signatures(seed, domain, findings)
    infer_module(seed, domain, signatures, findings)
    return tuple(signatures)


def _check_rules(domain: DomainFile, document: Document, findings: FileFindings) -> None:
    for name, entity in domain.entities.items():
        for number, invariant in enumerate(entity.invariants):
            line = document.line(("entities", name, "invariants", number, "rule"))
            rule = parse_rule(invariant.rule, findings, line)
            if rule is not None:
                check_rule(rule, name, Vocabulary.of(domain), findings)
                infer_rule(rule, name, domain, findings)
