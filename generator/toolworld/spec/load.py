"""A domain folder read into a ``Spec``, or refused with all its problems at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Protocol

from toolworld.errors import Problem, SpecError
from toolworld.spec.areas import Joined, join_files
from toolworld.spec.beside_tools import read_beside_tools
from toolworld.spec.code import read_code
from toolworld.spec.drafts import CaseDraft, Explanation, Phrases, SuspectExplanation, TaskDraft
from toolworld.spec.files import FOLDER, MODULES, SCENARIOS, TOOLS, read_files
from toolworld.spec.findings import FileFindings
from toolworld.spec.lint import lint
from toolworld.spec.lint_policy import talking
from toolworld.spec.model import CodeFile, DomainFile, SnakeName, Tool
from toolworld.spec.parts import PartT, read_part
from toolworld.spec.policy import read_clauses
from toolworld.spec.reading import Reading, Reads
from toolworld.spec.scenario_code import ScenarioCode
from toolworld.spec.scenarios import Scenario, ScenarioWords
from toolworld.spec.spec import Spec
from toolworld.spec.yaml_files import further_files, join_yaml
from toolworld.spec.yamltext import read_yaml


def _nobody(_: str) -> None:
    """Listen to nothing."""


def load_spec(folder: Path) -> Spec:
    """Read and check a domain folder.

    Raises:
        SpecError: It breaks rules; the error carries every problem of every file.
    """
    texts, problems = read_files(folder)
    spec, found = check_texts(texts)
    problems += found
    if problems or spec is None:
        raise SpecError(problems)
    return spec


def check_texts(
    texts: dict[str, str], unfinished: Collection[str] = (), reads: Reads = _nobody
) -> tuple[Spec | None, list[Problem]]:
    """Check the texts of a domain's files, by file name; files may be missing.

    Args:
        texts: The files.
        unfinished: Rules that a domain need not keep while it is being written.
        reads: Told which file is being looked at.

    Returns:
        The spec, or None unless all files are there and sound, and all problems.
    """
    given = texts
    joined, problems = _joined(texts, reads)
    texts = {**texts, **{f"{name}.py": one.text for name, one in joined.items()}}
    placing: dict[str, Placing] = {f"{name}.py": one for name, one in joined.items()}
    reading = Reading(texts, {name: FileFindings(name) for name in texts}, reads)
    reading.domain = _part(DomainFile, "domain.yaml", reading, placing)
    reading.phrases = _part(Phrases, "phrases.yaml", reading, placing)
    reading.tasks = _part(tuple[TaskDraft, ...], "tasks.yaml", reading)
    reading.cases = _part(tuple[CaseDraft, ...], "cases.yaml", reading, placing)
    reading.survivors = _part(tuple[Explanation, ...], "survivors.yaml", reading)
    reading.explained = _part(tuple[SuspectExplanation, ...], "explained.yaml", reading)
    for name in texts:
        if name.startswith(f"{SCENARIOS}/") and name.endswith(".yaml"):
            reading.words[name] = _part(dict[SnakeName, ScenarioWords], name, reading) or {}
    if "policy.md" in texts:
        reading.clauses = read_clauses(texts["policy.md"], reading.notes["policy.md"])
    document = reading.documents.get("domain.yaml")
    reads(TOOLS if TOOLS in given else FOLDER)
    reading.code = read_code(texts, reading.domain, document, reading.notes)
    reads("conduct.py" if "conduct.py" in given else SCENARIOS)
    read_beside_tools(reading)
    reads("domain.yaml")
    lint(reading)
    for notes in reading.notes.values():
        problems += _placed(notes, placing.get(notes.file))
    problems = [problem for problem in problems if problem.rule not in unfinished]
    return (None if problems else _assemble(reading, joined)), problems


class Placing(Protocol):
    """Text joined of several files: it knows the file and line of each of its own lines."""

    def placed(self, problem: Problem) -> Problem:
        """Return a problem with its own file and line."""


def _placed(notes: FileFindings, joined: Placing | None) -> list[Problem]:
    """Return the problems of a file; those of joined files get their own file and line."""
    if joined is None:
        return notes.told()
    return [joined.placed(problem) for problem in notes.told()]


def _joined(texts: dict[str, str], reads: Reads) -> tuple[dict[str, Joined], list[Problem]]:
    """Return the code of each folder as one module, and problems with the folder."""
    joined, problems = dict[str, Joined](), list[Problem]()
    for folder in (*MODULES, SCENARIOS):
        files = {
            name: text
            for name, text in texts.items()
            if name.startswith(f"{folder}/") and name.endswith(".py")
        }
        reads(folder)
        one, found = join_files(files) if files else (None, [])
        problems += found
        joined |= {folder: one} if one is not None else {}
    return joined, problems


def _part(
    kind: type[PartT], name: str, reading: Reading, placing: dict[str, Placing] | None = None
) -> PartT | None:
    """Return a part of the spec that stands in a YAML file.

    Args:
        kind: The part.
        name: The file.
        reading: The files, and what was found in them.
        placing: Takes the text joined of the file and those of its folder; None if it has none.
    """
    further = further_files(name, reading.texts) if placing is not None else []
    if name not in reading.texts and not further:
        return None
    reading.reads(name)
    notes = reading.notes.setdefault(name, FileFindings(name))
    if placing is None or not further:
        document = read_yaml(reading.texts[name], notes)
    else:
        document, placing[name] = join_yaml(name, reading.texts, reading.notes)
    if document is None:
        return None
    reading.documents[name] = document
    return read_part(kind, document, notes)


def _assemble(reading: Reading, joined: Mapping[str, Joined]) -> Spec | None:
    domain, texts, code = reading.domain, reading.texts, reading.code
    whole = "policy.md" in texts and "seed.py" in texts
    if domain is None or code is None or not whole:
        return None
    tools = joined.get(FOLDER)
    return Spec(
        domain=domain,
        tools=code.tools if tools is None else _by_file(code.tools, tools),
        tools_code=texts[TOOLS],
        tools_files=_by_name(_files(tools, texts, FOLDER)),
        seed_code=texts["seed.py"],
        seed_files=_files(joined.get("seed"), texts, "seed"),
        policy=texts["policy.md"],
        clauses=reading.clauses,
        conduct_code=texts.get("conduct.py", ""),
        conduct_files=_files(joined.get("conduct"), texts, "conduct"),
        talking=tuple(sorted(talking(reading.conduct))) if reading.conduct else (),
        laws_code=texts.get("laws.py", ""),
        laws_files=_files(joined.get("laws"), texts, "laws"),
        scenario_files=_by_name(_files(joined.get(SCENARIOS), texts, SCENARIOS)),
        scenarios=_scenarios(reading, joined.get(SCENARIOS)),
        phrases=reading.phrases,
        tasks=reading.tasks or (),
        cases=reading.cases or (),
        survivors=reading.survivors or (),
        explained=reading.explained or (),
    )


def _by_file(tools: tuple[Tool, ...], joined: Joined) -> tuple[Tool, ...]:
    """Return tools in the order of their files' names, then of their place in the file."""
    return tuple(sorted(tools, key=lambda tool: joined.place(tool.line)))


def _scenarios(reading: Reading, joined: Joined | None) -> tuple[Scenario, ...]:
    if reading.situations is None or joined is None:
        return ()
    code = ScenarioCode(reading.situations, FileFindings(SCENARIOS))
    situations = code.situations
    return tuple(
        Scenario(
            name=name,
            facts=code.facts_of(situations[name]),
            file=PurePosixPath(file).stem,
            words=words,
        )
        for file, scenarios in sorted(reading.words.items())
        for name, words in scenarios.items()
    )


def _files(joined: Joined | None, texts: dict[str, str], folder: str) -> tuple[CodeFile, ...]:
    """Return the files of a folder in order of use: a file comes after those it uses."""
    if joined is None:
        return ()
    names = {area.file: area.name for area in joined.areas}
    return tuple(
        CodeFile(
            folder=folder,
            name=area.name,
            text=texts[area.file],
            docstring=area.docstring,
            code=area.code,
            uses={names[file]: used for file, used in area.uses.items()},
        )
        for area in joined.areas
    )


def _by_name(files: Iterable[CodeFile]) -> tuple[CodeFile, ...]:
    return tuple(sorted(files, key=lambda one: one.name))
