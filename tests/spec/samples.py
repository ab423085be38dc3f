"""The library domain's texts, changed here and there, and what the checker says of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from textwrap import dedent, indent

from toolworld.errors import Problem
from toolworld.spec import Spec, Tool
from toolworld.spec.code import read_code
from toolworld.spec.findings import FileFindings
from toolworld.spec.load import check_texts, load_spec

LIBRARY = Path(__file__).parents[1] / "golden" / "spec" / "library"
DOMAINS = Path(__file__).parents[2] / "templates" / "domains"
FILES = ("domain.yaml", "tools.py", "seed.py", "policy.md", "phrases.yaml", "tasks.yaml")


def library() -> dict[str, str]:
    """Return the library's files."""
    return dict(_library())


@cache
def _library() -> dict[str, str]:
    return {name: (LIBRARY / name).read_text(encoding="utf-8") for name in FILES}


@cache
def spec_of(folder: Path) -> Spec:
    """Return the spec of a domain folder that no test changes."""
    return load_spec(folder)


def library_spec() -> Spec:
    """Return the library's spec."""
    return spec_of(LIBRARY)


def problems_after(file: str, old: str, new: str) -> list[Problem]:
    """Replace a text in one file of the library and return the problems of all files."""
    texts = library()
    assert old in texts[file]
    texts[file] = texts[file].replace(old, new, 1)
    return check_texts(texts)[1]


def problems_with(file: str, text: str) -> list[Problem]:
    """Return the problems of one file of the library, given another text."""
    beside = {"domain.yaml": ["tools.py", "seed.py"], "tools.py": ["domain.yaml"]}
    names = beside.get(file, ["domain.yaml", "tools.py"])
    texts = {name: library()[name] for name in names} | {file: text}
    return [problem for problem in check_texts(texts)[1] if problem.file == file]


def rules_after(file: str, old: str, new: str) -> set[str]:
    """Return the rules broken by a replacement."""
    return {problem.rule for problem in problems_after(file, old, new)}


def problems_of_code(code: str, *, seed: bool = False, lint: bool = False) -> list[Problem]:
    """Return what is wrong with more code at the end of tools.py or seed.py."""
    file = "seed.py" if seed else "tools.py"
    text = library()[file] + "\n\n" + dedent(code)
    if lint:
        return problems_with(file, text)
    findings = FileFindings(file)
    read_code({file: text}, library_spec().domain, None, {file: findings})
    return findings.problems


def rules_of_code(code: str, *, seed: bool = False, lint: bool = False) -> set[str]:
    """Return the rules that more code breaks."""
    return {problem.rule for problem in problems_of_code(code, seed=seed, lint=lint)}


def helper(body: str) -> str:
    """Return a helper function with a body; it sees a loan, a list, a text and a number."""
    head = "def _probe(db: Database, loan: Loan, rows: list[Loan], text: str, n: int) -> None:\n"
    return head + indent(dedent(body).strip("\n"), "    ") + "\n"


def rules_of(body: str) -> set[str]:
    """Return the rules that a helper's body breaks."""
    return rules_of_code(helper(body))


def tool_of(code: str) -> Tool:
    """Return the tool that more code at the end of tools.py makes."""
    texts = library()
    texts["tools.py"] += "\n\n" + dedent(code)
    name = code.strip().removeprefix("def ").split("(")[0]
    texts["phrases.yaml"] += f'  {name}: ["One way to ask.", "Another way to ask."]\n'
    spec, problems = check_texts(texts)
    assert spec is not None, problems
    return spec.tools[-1]
