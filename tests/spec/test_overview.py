"""The overview of a domain says what its spec would, in a fraction of the time."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.spec.samples import DOMAINS, spec_of
from toolworld.errors import SpecError
from toolworld.spec.overview import overview


@pytest.mark.parametrize("name", ["retail", "pet_care_centre"])  # tools in files, and in one
def test_it_counts_what_the_spec_has(name: str) -> None:
    found, spec = overview(DOMAINS / name), spec_of(DOMAINS / name)
    assert (found.name, found.title) == (spec.name, spec.domain.title)
    assert (found.tools, found.entities) == (len(spec.tools), len(spec.domain.entities))


def test_a_broken_domain_is_refused_with_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "domain.yaml").write_text("name: [", "utf-8")
    with pytest.raises(SpecError, match="domain.yaml"):
        overview(tmp_path)
