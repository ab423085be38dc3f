"""The bundled domains' phrases cover what their tools take and give."""

from __future__ import annotations

import pytest

from toolworld import bundled, emit
from toolworld.chained.phrasing import Phrasebook
from toolworld.chained.phrasing.catalogue import Catalogue
from toolworld.packages import load_package

PAGING = {"cursor", "limit"}


@pytest.fixture(scope="module", params=["job_seeking", "pet_care_centre"])
def catalogue(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Catalogue:
    """The phrases of one bundled domain."""
    path = tmp_path_factory.mktemp("bundled") / str(request.param)
    emit.build(bundled.domain_folder(str(request.param)), path)
    return Phrasebook.load(load_package(path)).catalogue


def test_every_entity_is_described_and_named_by_key(catalogue: Catalogue) -> None:
    for name, entity in catalogue.entities.items():
        with_key = [line for line in catalogue.rows[name] if f".{entity.key} " in line.source]
        assert len(with_key) == 1
        assert len(catalogue.rows[name]) >= 3


def test_one_phrase_of_each_tool_says_all_its_values(catalogue: Catalogue) -> None:
    for name, tool in catalogue.surface.tools.items():
        values = {
            key
            for key, part in tool.parameters.items()
            if part.type not in catalogue.entities and key not in PAGING
        }
        assert any(all(line.names(value) for value in values) for line in catalogue.tools[name]), (
            name
        )
