"""What ships with toolworld: the package templates, the bundled domains and the starter domain.

The one place that knows where these files stand, in a checkout and in an installed wheel.
"""

from __future__ import annotations

import re
from pathlib import Path

from toolworld.errors import ToolworldError
from toolworld.folders import replacing

SOURCES = (".py", ".yaml", ".md")
DOMAIN_NAME = re.compile(r"[a-z][a-z0-9_]{1,30}")


def templates() -> Path:
    """Return the folder that holds everything rendered or copied."""
    here = Path(__file__).resolve()
    shipped = here.with_name("_templates")
    return shipped if shipped.is_dir() else here.parents[2] / "templates"


def domains() -> dict[str, Path]:
    """Return the bundled domains' folders by name, in name order."""
    found = sorted(path.parent for path in templates().glob("domains/*/domain.yaml"))
    return {folder.name: folder for folder in found}


def domain_folder(name_or_path: str) -> Path:
    """Return the folder that a bundled domain's name, or a path, names.

    Raises:
        ToolworldError: There is no such domain and no such folder.
    """
    bundled = domains()
    if name_or_path in bundled:
        return bundled[name_or_path]
    folder = Path(name_or_path)
    try:
        is_folder, is_domain = folder.is_dir(), (folder / "domain.yaml").is_file()
    except OSError as error:
        raise ToolworldError(f"The domain folder cannot be read: {error.strerror}.") from error
    if is_domain:
        return folder
    if is_folder:
        raise ToolworldError(f"{folder} holds no domain.yaml; is it a domain folder?")
    known = ", ".join(bundled) or "none"
    raise ToolworldError(
        f"No bundled domain and no folder is called {name_or_path!r}. "
        f"Name one of these, or give a path: {known}. A new one: toolworld init NAME"
    )


def start_domain(name: str, out: Path) -> list[Path]:
    """Write the starter domain to a new folder, under a name of its own.

    Args:
        name: The new domain's name.
        out: The folder to make; it must not exist, or be empty.

    Returns:
        The files written.

    Raises:
        ToolworldError: The name is no domain name, or the folder is in use or cannot be written.
    """
    if not DOMAIN_NAME.fullmatch(name):
        raise ToolworldError(
            f"{name!r} cannot name a domain: use 2 to 31 lowercase letters, digits and "
            "underscores, a letter first."
        )
    starter = templates() / "starter"
    sources = sorted(path for path in starter.rglob("*") if path.suffix in SOURCES)
    inner = [source.relative_to(starter) for source in sources]
    try:
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise ToolworldError(f"{out} is already there; choose another name or folder.")
        with replacing(out) as made:
            for path in inner:
                _copy(starter / path, made / path, name)
    except OSError as error:
        raise ToolworldError(f"{out} cannot be written: {error.strerror}.") from error
    return [out / path for path in inner]


def _copy(source: Path, target: Path, name: str) -> None:
    text = source.read_text(encoding="utf-8")
    if source.name == "domain.yaml":
        text = text.replace("name: starter\n", f"name: {name}\n", 1)
    target.parent.mkdir(exist_ok=True)
    target.write_text(text, encoding="utf-8")
