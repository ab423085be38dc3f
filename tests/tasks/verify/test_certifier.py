"""The certifier: the same verdict from the package's folder alone, and open to further claims."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.tasks.samples import call
from tests.tasks.verify.conftest import Write
from toolworld.packages import Package, load_package
from toolworld.tasks.verify import CLAIMS, CertifiedCase, Certifier, Claim, Flaw


def test_certifying_again_gives_the_same(library: Package) -> None:
    one, other = Certifier(library), Certifier(library)
    first = [one.certify(task) for task in library.tasks()]
    again = [other.certify(task) for task in reversed(library.tasks())]
    assert first == list(reversed(again))
    assert all(verdict.passed for verdict in first)


def test_the_id_makes_no_difference(library: Package) -> None:
    """Tasks are certified before they have one for good."""
    certifier = Certifier(library)
    for task in library.tasks():
        certificate = certifier.certify(task | {"id": "some-other-id"}).certificate
        assert certificate == certifier.certify(task).certificate


def test_the_packages_own_object_is_certified_like_its_json(library: Package) -> None:
    certifier, model = Certifier(library), library.module("tasks.task").Task
    for task in library.tasks():
        assert certifier.certify(model.model_validate(task)) == certifier.certify(task)


def test_a_write_tool_that_never_succeeds_changes_no_verdict(
    golden_package: Path, tmp_path: Path
) -> None:
    """It once made certifying refuse what making tasks had certified, which knew the tool."""
    path = shutil.copytree(golden_package, tmp_path / "library")
    tools = path / "src" / "toolworld_library" / "tools.py"
    text = tools.read_text("utf-8")
    assert text.count("    return db.holds.add(") == 1
    tools.write_text(
        text.replace(
            "    return db.holds.add(", '    raise Rejected("No.")\n    return db.holds.add('
        ),
        "utf-8",
    )
    package = load_package(path)
    tasks = [task for task in package.tasks() if task["id"] != "wait_for_a_book"]
    verdicts = [Certifier(package).certify(task) for task in tasks]
    assert [verdict.flaws for verdict in verdicts] == [()] * 5
    assert verdicts == [Certifier(load_package(path)).certify(task) for task in tasks]


def test_a_further_claim_has_the_same_shape(library: Package, write: Write) -> None:
    def is_short(case: CertifiedCase) -> Flaw | None:
        case.count("short.steps", len(case.run.steps))
        if len(case.run.steps) < 2:
            return None
        return Flaw("too_long", "Gold is long.", "Make it short.")

    certifier = Certifier(library, [*CLAIMS, Claim("short", is_short)])
    task = write("Take back LOA-00010.", call("return_loan", loan_id="LOA-00010"))
    verdict = certifier.certify(task)
    assert verdict.certificate is not None, verdict.flaws
    assert verdict.certificate["short"] == {"steps": 1}


def test_every_claim_speaks_unless_gold_fails(library: Package, write: Write) -> None:
    step = call("lend_book", member_id="MEM-00006", isbn="9781000000007", note="Of my own making.")
    loans = call("list_member_loans", member_id="MEM-00001", status="lost")
    task = write("Lend a book; you know to whom, MEM-00006.", loans, step)
    flaws = Certifier(library).certify(task).flaws
    assert [flaw.code for flaw in flaws] == ["unknowable_value"]
    task["gold"][0]["expect"] = "rejected"
    flaws = Certifier(library).certify(task).flaws
    assert [flaw.code for flaw in flaws] == ["unexpected_step"]


def test_a_clause_that_cannot_be_judged_is_a_flaw(
    library: Package, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise library.module("errors").BrokenClause("The predicate is odd.")

    task = write("Take back LOA-00010.", call("return_loan", loan_id="LOA-00010"))
    monkeypatch.setattr(library.module("environment"), "judge", broken)
    (flaw,) = Certifier(library).certify(task).flaws
    assert (flaw.code, flaw.message) == ("cannot_run", "The predicate is odd.")


def test_claims_have_names_of_their_own() -> None:
    names = [claim.name for claim in CLAIMS]
    assert len(set(names)) == len(names)
    assert [claim.name for claim in CLAIMS if claim.is_first] == names[:1] == ["gold"]


def test_a_flaw_reads_in_one_line() -> None:
    assert str(Flaw("x_y", "It is odd.", "Mend it.")) == "[x_y] It is odd. Mend it."
