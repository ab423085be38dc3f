"""A saved spec loads as it was, and saving it again gives the same bytes."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolworld.errors import SpecError
from toolworld.spec import load_spec, save_spec
from toolworld.spec.drafts import CaseCall, CaseDraft, Explanation, GoldStep, SuspectExplanation
from toolworld.spec.findings import FileFindings
from toolworld.spec.yamltext import read_yaml, write_yaml

from .samples import DOMAINS, LIBRARY, library_spec, spec_of

FOLDERS = [LIBRARY, DOMAINS / "pet_care_centre", DOMAINS / "hotel"]
"""A small spec, a drafted one, and the largest by hand."""


def content(folder: Path) -> dict[str, bytes]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_spec_round_trips(folder: Path, tmp_path: Path) -> None:
    spec = spec_of(folder)
    save_spec(spec, tmp_path / "one")
    again = load_spec(tmp_path / "one")
    assert again == spec
    save_spec(again, tmp_path / "two")
    assert content(tmp_path / "one") == content(tmp_path / "two")
    save_spec(again, tmp_path / "one")
    assert content(tmp_path / "one") == content(tmp_path / "two")


def test_cases_and_explanations_round_trip(tmp_path: Path) -> None:
    call = CaseCall(tool="cancel_hold", arguments={"hold_id": "HOL-00001"})
    why = Explanation(function="MOST", line="MOST = 5", change="5 became 6", because="It is moot.")
    meant = SuspectExplanation(
        property="either_order", tools=("lend_book",), because="It is meant."
    )
    parts = {
        "cases": (CaseDraft(name="a_case", call=call),),
        "survivors": (why,),
        "explained": (meant,),
    }
    spec = library_spec().model_copy(update=parts)
    save_spec(spec, tmp_path)
    with pytest.raises(SpecError, match="no function or constant MOST"):
        load_spec(tmp_path)
    known = why.model_copy(update={"function": "MOST_RENEWALS"})
    spec = spec.model_copy(update={"survivors": (known,)})
    save_spec(spec, tmp_path)
    assert load_spec(tmp_path) == spec


def test_a_failed_save_leaves_the_old_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_spec(library_spec(), tmp_path)
    before = content(tmp_path)
    wrote: list[Path] = []
    real = Path.write_bytes

    def fails_later(path: Path, data: bytes) -> int:
        if len(wrote) == 3:
            raise OSError("disk full")
        wrote.append(path)
        return real(path, data)

    monkeypatch.setattr(Path, "write_bytes", fails_later)
    changed = library_spec().model_copy(update={"policy": "Another policy."})
    with pytest.raises(OSError, match="disk full"):
        save_spec(changed, tmp_path)
    monkeypatch.undo()
    assert content(tmp_path) == before


TEXTS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n\t"), max_size=40
)
WORDS = st.sampled_from(
    ["on", "no", "Yes", "null", "~", "", "12:30", "2026-03-01", "007", "1e5", "0x1F", "1_000",
     "-", ": ", "# x", "a: b", "*a", "&a", "!x", "%", "@", "`", "{", "[", "|", ">", "'", '"',
     "true", ".5", "+1", "NaN", ".inf", "=", "<<", "- a", "?", " x ", "x\n", "\nx", "a\n\nb"]
)  # fmt: skip
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
    | WORDS
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3)
)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(TEXTS | WORDS, VALUES, min_size=1, max_size=4))
def test_any_value_comes_back_from_yaml(value: dict[str, object]) -> None:
    findings = FileFindings("x.yaml")
    document = read_yaml(write_yaml(value), findings)
    assert document is not None
    assert findings.problems == []
    assert document.value == value
    assert write_yaml(document.value) == write_yaml(value)


NAMES = st.from_regex(r"\A[a-z][a-z_]{0,8}\Z")


@settings(max_examples=25, deadline=None)
@given(
    TEXTS.filter(bool) | WORDS.filter(bool),
    st.dictionaries(TEXTS | WORDS, VALUES, max_size=3),
    st.dictionaries(NAMES, SCALARS, max_size=2),
)
def test_a_task_with_any_values_round_trips(
    text: str, known: dict[str, object], row: dict[str, object]
) -> None:
    base = library_spec()
    task = base.tasks[0].model_copy(
        update={
            "persona": text,
            "instruction": text,
            "known_info": known,
            "initial": {"loans": {text: row or None}},
            "gold": (GoldStep(tool="renew_loan", arguments={"loan_id": text, "more": known}),),
            "answers": (text,),
        }
    )
    with tempfile.TemporaryDirectory() as name:
        save_spec(base.model_copy(update={"tasks": (task,)}), Path(name))
        document = read_yaml((Path(name) / "tasks.yaml").read_text(), FileFindings("tasks.yaml"))
    assert document is not None
    (saved,) = document.value
    assert type(task).model_validate(saved) == task
