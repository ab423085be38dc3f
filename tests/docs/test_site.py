"""The site is built without a warning, and needs nothing from a network."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools.committed import REPOSITORY

LOADED = re.compile(r'<(?:script|img|link|iframe)\b[^>]*(?:src|href)="((?:https?:)?//[^"]*)"')
FETCHED = re.compile(r"@import[^;]*//|url\([\"']?(?:https?:)?//")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=REPOSITORY,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    assert "WARNING" not in built.stderr
    return folder


def test_every_page_is_on_the_site_and_in_its_menu(site: Path) -> None:
    menu = (site / "index.html").read_text(encoding="utf-8")
    for path in sorted((REPOSITORY / "docs").rglob("*.md")):
        name = path.relative_to(REPOSITORY / "docs").with_suffix(".html").as_posix()
        assert (site / name).is_file()
        assert f'href="{name}"' in menu


def test_the_front_page_is_the_readme_with_links_that_fit(site: Path) -> None:
    page = (site / "index.html").read_text(encoding="utf-8")
    assert 'src="pipeline.svg"' in page and (site / "pipeline.svg").is_file()
    assert 'href="how-to/connect-a-client.html"' in page
    assert 'href="SECURITY.html"' in page
    assert 'href="LICENSE"' not in page


def test_nothing_is_loaded_from_a_network(site: Path) -> None:
    for path in sorted(site.rglob("*.html")):
        assert LOADED.findall(path.read_text(encoding="utf-8")) == [], path
    for path in sorted(site.rglob("*.css")):
        assert FETCHED.findall(path.read_text(encoding="utf-8")) == [], path


def test_code_is_shown_as_code(site: Path) -> None:
    for path in sorted(site.rglob("*.html")):
        assert "```" not in path.read_text(encoding="utf-8"), path
