"""Rejections with codes and values: what programs read of them, and what agents do."""

from __future__ import annotations

import copy
import json
import pickle
import shutil
from pathlib import Path
from typing import Any

import pytest

from toolworld import emit
from toolworld.packages import Package, load_package

CODED = {
    'raise Rejected(f"Member {member_id} is blocked; the fines must be settled first.")': (
        'raise Rejected(\n            "blocked", f"Member {member_id} is blocked.", '
        "member_id=member_id, fines=[loan.fine for loan in db.loans.where(member_id=member_id)]\n"
        "        )"
    ),
    'raise Rejected(f"A fee is above 0 and at most {LARGEST_FEE}, not {fee.amount}.")': (
        'raise Rejected("bad_fee", "The fee is too large.", most=LARGEST_FEE, day=db.today(), '
        "at=db.now(), returned=loan.returned_at)"
    ),
}


@pytest.fixture(scope="module")
def coded(library_spec: Path, tmp_path_factory: pytest.TempPathFactory) -> Package:
    """The library's package, some of its rejections with codes and values."""
    folder = tmp_path_factory.mktemp("coded")
    spec = shutil.copytree(library_spec, folder / "spec")
    code = (spec / "tools.py").read_text()
    for old, new in CODED.items():
        assert code.count(old) == 1
        code = code.replace(old, new)
    (spec / "tools.py").write_text(code)
    emit.build(spec, folder / "library")
    return load_package(folder / "library")


def rejection(package: Package, tool: str, **arguments: object) -> Any:
    result = package.environment().call(tool, arguments)
    assert result.outcome == "rejected", result
    return result


def test_a_rejection_has_its_code_and_values_beside_its_message(coded: Package) -> None:
    fee = {"reason": "damaged", "amount": 600, "charged_on": "2026-03-02"}
    result = rejection(coded, "charge_fee", loan_id="LOA-00004", fee=fee)
    assert (result.code, result.text) == ("bad_fee", "The fee is too large.")
    assert result.values == {
        "most": 500.0,
        "day": "2026-03-02",
        "at": "2026-03-02T09:00:00Z",
        "returned": None,
    }


def test_values_are_json_values(coded: Package) -> None:
    result = rejection(coded, "lend_book", member_id="MEM-00009", isbn="9781000000002")
    assert result.code == "blocked"
    assert result.values["member_id"] == "MEM-00009"
    assert all(type(fine) is float for fine in result.values["fines"])
    assert json.loads(json.dumps(result.values)) == result.values
    assert result.structured == {}


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "values"),
    [
        ("cancel_hold", {"hold_id": "HLD-9"}, "unknown_hold", {"hold_id": "HLD-9"}),
        ("search_books", {"query": ""}, "rejected", {}),
        ("search_books", {"query": "a", "cursor": "-1"}, "bad_cursor", {}),
        ("search_books", {"query": "a", "limit": 0}, "bad_limit", {"least": 1, "most": 200}),
    ],
)
def test_what_the_store_and_the_pages_reject_has_codes(
    library: Package, tool: str, arguments: dict[str, Any], code: str, values: dict[str, Any]
) -> None:
    result = rejection(library, tool, **arguments)
    assert (result.code, result.values) == (code, values)


def test_an_amount_that_is_no_money_has_a_code(library: Package) -> None:
    with pytest.raises(library.module("errors").Rejected) as caught:
        library.module("values").money("a lot")
    assert getattr(caught.value, "code", None) == "bad_amount"


def test_a_key_that_no_row_has_is_cut_short(library: Package) -> None:
    result = rejection(library, "cancel_hold", hold_id="H" * 150)
    assert result.values == {"hold_id": "H" * 60}


def test_calls_that_are_not_rejected_have_no_code(library: Package) -> None:
    environment = library.environment()
    for result in (
        environment.call("search_books", {"query": "a"}),
        environment.call("search_books", {}),
    ):
        assert (result.code, result.values) == ("", {})


def test_a_rejection_survives_being_copied(library: Package) -> None:
    rejected = library.module("errors").Rejected("over", "It is over.", day=3, message="x")
    for other in (copy.deepcopy(rejected), pickle.loads(pickle.dumps(rejected))):  # noqa: S301
        assert (other.code, other.values, str(other)) == (
            "over",
            {"day": 3, "message": "x"},
            "It is over.",
        )


def test_effects_tell_the_codes(coded: Package) -> None:
    data = coded.path / "src" / coded.module_name / "calls" / "effects.json"
    tools = json.loads(data.read_text())["tools"]
    assert tools["lend_book"]["codes"] == [
        "unknown_member",
        "unknown_book",
        "blocked",
        "rejected",
        "unknown_hold",
    ]
    assert tools["charge_fee"]["codes"][:2] == ["unknown_loan", "bad_fee"]
