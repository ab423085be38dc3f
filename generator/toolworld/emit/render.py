"""A spec rendered into the texts of its package's files, except those that need it to run.

Seed data, tasks and the README, which shows a call that works, are made with the package.

Templates mirror the package's tree: ``PACKAGE`` in a path stands for the module's name and
``AREA`` for each file of the tools' folder; a file that ends in ``.jinja`` is rendered, any other
is copied as it is.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import metadata
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from toolworld import bundled
from toolworld.emit import context
from toolworld.emit.docstrings import heading, literal
from toolworld.emit.documents import Documents, manifest, server_json, to_json
from toolworld.emit.effects import effects_json
from toolworld.emit.formatting import formatted
from toolworld.emit.phrases import phrases_json
from toolworld.emit.sample import WorkingCall
from toolworld.emit.stories import policy_json, scenarios_json
from toolworld.packages.files import (
    CASES,
    EFFECTS,
    EXPLAINED,
    PHRASES,
    POLICY,
    SCENARIOS,
    SOURCE,
    SURVIVORS,
    TOOLS,
)
from toolworld.spec import Spec, tool_definition
from toolworld.spec.policy import without_markers

ONE_FILE, SEVERAL_FILES = "src/PACKAGE/tools.py.jinja", "src/PACKAGE/tools/"
"""The templates of the tools in one file, and of those in several."""
MAKING = "src/PACKAGE/making/"
"""The templates of what makes tasks, for domains with scenarios."""
LAWS = "src/PACKAGE/proof/laws.py.jinja"
"""The template of the laws, for domains that have some."""
TOOLS_AREA, MAKING_AREA = f"{SEVERAL_FILES}AREA.py.jinja", f"{MAKING}AREA.py.jinja"
"""The templates that are rendered once for each file of a folder."""

README = "README.md"

Files = dict[str, str]
"""Texts by path, relative to the package's folder, with forward slashes."""


FOLDERS = ("seed_files", "conduct_files", "laws_files")
"""The files of code that is in a spec as a whole, too."""
STORIES = ("clauses", "conduct_code", "talking", "laws_code", "scenario_files", "scenarios")
"""The parts of a spec that a domain may lack, beside those of its tools."""


def module_name(spec: Spec) -> str:
    """Return the name of the package's module."""
    return f"toolworld_{spec.name}"


def distribution_name(spec: Spec) -> str:
    """Return the name of the package's distribution and of its console script."""
    return module_name(spec).replace("_", "-")


def spec_digest(spec: Spec) -> str:
    """Return a digest of a domain folder's content, 16 hexadecimal digits."""
    without = {"tools"}  # they follow from the code
    without |= {
        name
        for name in ("cases", "survivors", "explained", "tools_files", *FOLDERS, *STORIES)
        if not getattr(spec, name)
    }
    content = spec.model_dump_json(exclude=without)
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def render(spec: Spec) -> Files:
    """Return the text of every file but the README that follows from the spec alone, in path order.

    Raises:
        BuildError: The formatter is missing or refuses the code.
    """
    root = bundled.templates() / "package"
    documents = documents_of(spec)
    files = _from_templates(root, spec, documents)
    module = f"{SOURCE}/{documents.package}"
    files[f"{module}/{TOOLS}"] = to_json(list(documents.definitions)) + "\n"
    files[f"{module}/{EFFECTS}"] = to_json(effects_json(spec)) + "\n"
    files[f"{module}/{POLICY}"] = to_json(policy_json(spec)) + "\n"
    if spec.phrases is not None:
        files[f"{module}/{PHRASES}"] = to_json(phrases_json(spec, spec.phrases)) + "\n"
    if spec.scenarios:
        files[f"{module}/{SCENARIOS}"] = to_json(scenarios_json(spec)) + "\n"
    for name, parts in (
        (CASES, spec.cases), (SURVIVORS, spec.survivors), (EXPLAINED, spec.explained)
    ):  # fmt: skip
        if parts:
            content = [part.model_dump(mode="json", exclude_none=False) for part in parts]
            files[f"{module}/{name}"] = to_json(content) + "\n"
    files["server.json"] = to_json(server_json(documents)) + "\n"
    files["manifest.json"] = to_json(manifest(documents)) + "\n"
    return formatted(dict(sorted(files.items())), documents.package)


def render_readme(spec: Spec, sample: WorkingCall | None) -> str:
    """Return the text of the README, with a call of the package that works.

    Raises:
        BuildError: The formatter is missing or refuses the code.
    """
    root = bundled.templates() / "package"
    values = {"spec": spec, "documents": documents_of(spec, sample)}
    text = _environment(root).get_template(f"{README}.jinja").render(values)
    return formatted({README: text}, module_name(spec))[README]


def documents_of(spec: Spec, sample: WorkingCall | None = None) -> Documents:
    """Return the content for the documents of a spec's package."""
    return Documents(
        spec=spec,
        package=module_name(spec),
        distribution=distribution_name(spec),
        version=metadata.version("toolworld"),
        definitions=[tool_definition(spec, tool) for tool in spec.tools],
        sample=sample,
    )


def _from_templates(root: Path, spec: Spec, documents: Documents) -> Files:
    environment = _environment(root)
    areas = context.areas(spec)
    values = {
        "spec": spec,
        "documents": documents,
        "digest": spec_digest(spec),
        "objects": context.objects(spec.domain),
        "entities": context.entities(spec.domain),
        "tool_imports": context.tool_imports(spec),
        "invariant_imports": context.invariant_imports(spec),
        "tools_code": context.without_docstring(spec.tools_code),
        "areas": areas,
        "policy": without_markers(spec.policy),
        "conduct_imports": context.predicate_imports(spec, spec.conduct_code, "policy"),
        "conduct_code": context.without_docstring(spec.conduct_code).strip(),
        "laws_imports": context.predicate_imports(spec, spec.laws_code, "proof"),
        "laws_code": context.without_docstring(spec.laws_code).strip(),
    }
    left_out = [ONE_FILE if areas else SEVERAL_FILES]
    left_out += [] if spec.scenarios else [MAKING]
    left_out += [] if spec.laws_code else [LAWS]
    by_folder = {TOOLS_AREA: areas, MAKING_AREA: context.scenario_areas(spec)}
    files: Files = {}
    for source in sorted(path for path in root.rglob("*") if _ships(path)):
        template = source.relative_to(root).as_posix()
        if template.startswith(tuple(left_out)):
            continue
        target = template.replace("PACKAGE", documents.package).removesuffix(".jinja")
        if not template.endswith(".jinja"):
            files[target] = source.read_text(encoding="utf-8")
            continue
        for area in by_folder.get(template, [None]):
            path = target.replace("AREA", area.name) if area else target
            files[path] = environment.get_template(template).render(values, area=area)
    return files


def _ships(path: Path) -> bool:
    own = path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc"
    return own and path.name != f"{README}.jinja"


@cache
def _environment(root: Path) -> Environment:
    # The output is Python, Markdown and TOML, not HTML; what goes into code goes through repr.
    environment = Environment(  # noqa: S701
        loader=FileSystemLoader(root),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["repr"] = repr
    environment.filters["literal"] = literal
    environment.filters["heading"] = heading
    return environment
