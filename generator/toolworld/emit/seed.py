"""Seed data: a spec's recipe run against its emitted package.

Each function of the recipe fills a fresh episode; what it added becomes the base of the next
one, so look-ups into earlier tables stay indexed at any size.
"""

from __future__ import annotations

import ast
import builtins
import datetime
import decimal
import json
import math
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from toolworld.emit.fake import Fake
from toolworld.emit.limited import Doing
from toolworld.errors import BuildError, Problem, SpecError
from toolworld.packages import Package
from toolworld.spec import Spec
from toolworld.spec.areas import place_in
from toolworld.spec.rules import BUILTINS

OF_VALUES = ("Money", "Page", "contains", "is_clear", "letters_of", "money", "page")


def scaled(counts: Mapping[str, int], rows: int | None) -> dict[str, int]:
    """Return a recipe's row counts, scaled so that the largest is ``rows``."""
    if rows is None:
        return dict(counts)
    largest = max(counts.values())
    return {name: max(1, round(count * rows / largest)) for name, count in counts.items()}


def make_base(spec: Spec, package: Package, rows: int | None, seed: int, doing: Doing) -> Any:
    """Return the package's database, made by the spec's recipe and checked as a whole.

    Args:
        spec: The domain, with its recipe.
        package: The package emitted from it.
        rows: How many rows the recipe's largest table gets; None for the spec's own counts.
        seed: Varies the made-up values.
        doing: Told what is being run.

    Raises:
        SpecError: The recipe fails, or what it makes breaks a constraint.
    """
    tables, models = package.modules.base, package.modules.models
    errors = package.modules.errors
    functions = _functions(spec, package)
    base = tables.Base(
        spec.clock,
        {name: tables.BaseTable(schema, ()) for name, schema in models.SCHEMAS.items()},
    )
    fake = Fake(seed)
    for name, count in scaled(spec.domain.seed, rows).items():
        doing("seed.py", f"seed_{name}")
        database = models.Database(base, {})
        try:
            functions[f"seed_{name}"](database, fake, count)
            base = _frozen(tables, base, database)
        except MemoryError:
            raise
        except Exception as error:
            raise SpecError([_problem(spec, error)]) from error
    doing("domain.yaml", "an invariant, over the seed data,")
    try:
        package.modules.seed.check_base(base)
    except errors.IntegrityError as error:
        mend = "Mend the recipe, or the rule."
        raise SpecError([Problem("seed.py", 0, "seed-unsound", str(error), mend)]) from error
    except MemoryError:
        raise
    except Exception as error:
        raise SpecError([_rule_problem(error)]) from error
    return base


def _frozen(tables: Any, base: Any, database: Any) -> Any:
    filled = {
        name: tables.BaseTable(table.schema, table.all()) if table.changes else base.tables[name]
        for name, table in database.tables.items()
    }
    return tables.Base(base.clock, filled)


def _functions(spec: Spec, package: Package) -> dict[str, Any]:
    """Run the recipe's definitions, which the subset check has passed, and return them."""
    values = package.modules.values
    errors, models = package.modules.errors, package.modules.models
    names: dict[str, Any] = {
        "__builtins__": {name: getattr(builtins, name) for name in BUILTINS},
        "math": math,
        "date": datetime.date,
        "datetime": datetime.datetime,
        "timedelta": datetime.timedelta,
        "Decimal": decimal.Decimal,
        "Rejected": errors.Rejected,
        "Fake": Fake,
        **{name: getattr(values, name) for name in OF_VALUES},
        **{name: value for name, value in vars(models).items() if name[:1].isupper()},
    }
    tree = ast.parse(spec.seed_code, "seed.py")
    try:
        exec(compile(tree, "seed.py", "exec", dont_inherit=True), names)  # noqa: S102
    except MemoryError:
        raise
    except Exception as error:
        raise SpecError([_problem(spec, error)]) from error
    return names


def _problem(spec: Spec, error: Exception) -> Problem:
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno or 0 for frame in frames if frame.filename == "seed.py"]
    file, line = "seed.py", lines[-1] if lines else 0
    if spec.seed_files and line:
        file, line = place_in(spec.seed_files, line)
    return Problem(
        file,
        line,
        "seed-failed",
        f"The recipe fails: {type(error).__name__}: {error}",
        "Mend this line.",
    )


def _rule_problem(error: Exception) -> Problem:
    frames = traceback.extract_tb(error.__traceback__)
    rules = [frame.name for frame in frames if frame.filename.endswith("invariants.py")]
    what = f"The rule {rules[0]}" if rules else "A rule"
    return Problem(
        "domain.yaml",
        0,
        "rule-failed",
        f"{what} fails on the seed data: {type(error).__name__}: {error}.",
        "Let it be true or false for every row.",
    )


def seed_text(base: Any) -> str:
    """Return a database as the text of ``seed.json``: one row a line."""
    clock = base.clock.isoformat().replace("+00:00", "Z")
    tables = ",\n".join(
        f"{json.dumps(name)}: [{_rows(table.rows.values())}]" for name, table in base.tables.items()
    )
    return f'{{"clock": {json.dumps(clock)}, "tables": {{\n{tables}\n}}}}\n'


def _rows(rows: Any) -> str:
    lines = ",\n".join(row.model_dump_json(exclude_none=False) for row in rows)
    return f"\n{lines}\n" if lines else ""


def write_seed(path: Path, base: Any) -> None:
    """Write a database as the package's seed data.

    Raises:
        BuildError: The file cannot be written.
    """
    try:
        path.write_text(seed_text(base), encoding="utf-8")
    except OSError as error:
        raise BuildError(f"{path} cannot be written: {error.strerror}.") from error
