"""Hooks of the site: pages at the repository's root become pages of the site.

The README is the front page. Links between those pages and ``docs/`` are adapted to the site; a
link to a file that is no page becomes plain text.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
AT_THE_ROOT = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "SECURITY.md": "SECURITY.md",
    "CHANGELOG.md": "CHANGELOG.md",
}
_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)#\s]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the repository's root."""
    for name, target in AT_THE_ROOT.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        files.append(File.generated(config, target, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Make the links of a page fit the site."""
    on_site = page.file.src_uri
    sources = {target: name for name, target in AT_THE_ROOT.items()}
    in_repository = sources.get(on_site, f"docs/{on_site}")

    def fitting(link: re.Match[str]) -> str:
        mark, text, target, anchor = link.groups()
        folder = posixpath.dirname(in_repository)
        meant = posixpath.normpath(posixpath.join(folder, target))
        found = AT_THE_ROOT.get(meant, meant.removeprefix("docs/"))
        if files.get_file_from_path(found) is None:
            return text if (ROOT / meant).exists() else link[0]
        to = posixpath.relpath(found, posixpath.dirname(on_site) or ".")
        return f"{mark}[{text}]({to}{anchor or ''})"

    return _LINK.sub(fitting, markdown)
