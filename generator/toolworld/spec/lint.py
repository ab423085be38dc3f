"""Rules that span several parts of a domain; each file's rules are in a module of their own."""

from __future__ import annotations

from toolworld.spec.lint_cases import lint_cases
from toolworld.spec.lint_domain import lint_domain
from toolworld.spec.lint_phrases import lint_phrases
from toolworld.spec.lint_survivors import lint_survivors
from toolworld.spec.lint_tasks import lint_tasks
from toolworld.spec.lint_tools import lint_seed, lint_tools
from toolworld.spec.reading import Notes, Reading

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
    if "tools.py" in reading.texts:
        lint_tools(domain, code, reading.notes["tools.py"], domain_notes)
    if "seed.py" in reading.texts and code.seeds is not None:
        lint_seed(domain, code.seeds, reading.notes["seed.py"], domain_notes)
    if reading.phrases is not None:
        lint_phrases(domain, code.tools, reading.phrases, _notes(reading, "phrases.yaml"))
    if reading.tasks is not None:
        lint_tasks(domain, code.tools, reading.tasks, _notes(reading, "tasks.yaml"))
    if reading.cases is not None:
        lint_cases(domain, code.tools, reading.cases, _notes(reading, "cases.yaml"))
    if reading.survivors is not None:
        lint_survivors(code.names, reading.survivors, _notes(reading, "survivors.yaml"))


def _notes(reading: Reading, name: str) -> Notes:
    return Notes(reading.documents[name], reading.notes[name])
