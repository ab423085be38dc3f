"""The library domain with its tools in a folder: three areas, two of which use the third."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

AREAS = {
    "desk": "What is done at the desk: finding, lending, extending and returning.",
    "fees": "Loans that are open, and what they cost.",
    "holds": "Members who wait for a book of which every copy is out.",
}
OTHERS = {
    "fees": ["LOAN_DAYS", "LATE_FEE_A_DAY", "LARGEST_FEE", "_open_loan", "_late_fee", "charge_fee"],
    "holds": ["MOST_HOLD_DAYS", "place_hold", "cancel_hold"],
}
"""What does not stand in ``desk``."""


def area_texts(code: str) -> dict[str, str]:
    """Return the files of the folder, by path, that hold a domain's tools."""
    lines = code.split("\n")
    parts: dict[str, list[str]] = {name: [f'"""{says}"""\n'] for name, says in AREAS.items()}
    for node in ast.parse(code).body:
        name = node.name if isinstance(node, ast.FunctionDef) else ast.unparse(node).split(" =")[0]
        area = next((area for area, names in OTHERS.items() if name in names), "desk")
        space = "\n\n" if isinstance(node, ast.FunctionDef) else ""
        parts[area].append(space + "\n".join(lines[node.lineno - 1 : node.end_lineno]))
    return {f"tools/{name}.py": "\n".join(texts) + "\n" for name, texts in parts.items()}


def split(spec: Path, target: Path) -> Path:
    """Copy a domain folder, and put its tools into a folder of three files."""
    folder = Path(shutil.copytree(spec, target))
    texts = area_texts((folder / "tools.py").read_text())
    (folder / "tools.py").unlink()
    (folder / "tools").mkdir()
    for name, text in texts.items():
        (folder / name).write_text(text)
    return folder
