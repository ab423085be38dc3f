"""What ``laws.py`` may hold, and every finding about it."""

from __future__ import annotations

import pytest

from tests.spec.starter import findings_after, found_in, texts
from toolworld.spec.load import check_texts
from toolworld.spec.save import texts_of

LAWS = "laws.py"
LAW = '\n\ndef law{signature} -> bool:\n    """Something holds{clause}."""\n    {body}\n'


def rules_with(
    signature: str = "(db: Database, bike: Bike)",
    body: str = "return bike.day_rate > 0 and db.today() is not None",
    clause: str = "",
) -> list[tuple[str, str]]:
    """Return the file and rule of each problem if the shop has one more law."""
    parts = texts()
    parts[LAWS] += LAW.format(signature=signature, body=body, clause=clause)
    return [(one.problem.file, one.problem.rule) for one in found_in(parts)]


@pytest.mark.parametrize(
    ("signature", "body"),
    [
        ("(db: Database)", "return len(db.bikes.all()) > 0"),
        ("(db: Database, one: Rental)", "return one.price >= 0"),
        ("(db: Database, past: Past, event: Event)", "return event.tool != 'rent_bike'"),
        ("(db: Database, past: Past, event: Event)", "return len(past.calls) < 900"),
    ],
)
def test_a_law_is_about_the_state_a_row_or_an_event(signature: str, body: str) -> None:
    assert rules_with(signature, body) == []


@pytest.mark.parametrize(
    ("signature", "body", "rule"),
    [
        ("(bike: Bike)", "return bike.day_rate > 0", "law"),
        ("(db: Database, bike: Bike, other: Bike)", "return bike != other", "law"),
        ("(db: Database, kind: BikeKind)", "return kind != 'city'", "law"),
        ("(db: Database)", "return 1 < 2", "idle-law"),
        ("(db: Database)", "return db.bikes.add(day_rate=1) is None", "write-in-predicate"),
        ("(db: Database)", "raise Rejected('not_so', 'It is not so.')", "raise"),
        ("(db: Database)", "return open('x') is None", "unknown-name"),
        ("(db: Database)", "while db.bikes.all():\n        return True", "while"),
    ],
)
def test_what_is_no_law_is_named_with_its_line(signature: str, body: str, rule: str) -> None:
    found = rules_with(signature, body)
    assert found and {file for file, _ in found} == {LAWS}
    assert rule in [one for _, one in found]


def test_a_law_stands_for_a_clause_of_the_policy() -> None:
    assert rules_with(clause=" (clause 2.1)") == []
    assert rules_with(clause=" (clause 9.9)") == [(LAWS, "unknown-clause")]


def test_a_law_without_a_sentence_is_a_finding() -> None:
    sentence = '    """A bike in the workshop is not out (clause 2.3)."""\n'
    found = findings_after(LAWS, sentence, "")
    assert [(one.problem.rule, one.line.split("(")[0]) for one in found] == [
        ("no-docstring", "def no_bike_is_out_and_in_repair")
    ]


def test_laws_are_saved_and_may_be_left_out() -> None:
    spec, problems = check_texts(texts())
    assert problems == [] and spec is not None
    assert texts_of(spec)[LAWS] == texts()[LAWS]
    spec, problems = check_texts({name: text for name, text in texts().items() if name != LAWS})
    assert problems == [] and spec is not None
    assert LAWS not in texts_of(spec)
