"""Whether words tell one row from another."""

from __future__ import annotations

from typing import Any

import pytest

from toolworld.emit import Package
from toolworld.tasks.certificate.facts import Facts
from toolworld.tasks.certificate.telling import Telling, by_name
from toolworld.tasks.certificate.words import Said

LOAN = {"loan_id": "LOA-00014", "lent_at": "2026-02-02T08:01:00Z", "status": "open", "renewals": 1}
OTHER = LOAN | {"loan_id": "LOA-00025", "lent_at": "2026-02-04T08:55:00Z", "renewals": 0}
BOOK, OTHER_BOOK = {"title": "Notes from the Orchard"}, {"title": "The Last Harbour"}


@pytest.fixture(scope="module")
def facts(library: Package) -> Facts:
    """The library."""
    return Facts(library)


def telling(facts: Facts, text: str, **known_info: Any) -> Telling:
    return Telling(
        facts,
        Said(facts, text, known_info),
        {"instruction": text, "known_info": known_info},
    )


def is_told_apart(telling: Telling) -> bool:
    """Whether the loan of a book is told from another loan, of another book."""
    told = telling.told([by_name(LOAN)], [by_name(BOOK)])
    return telling.apart(told, [by_name(OTHER), by_name(OTHER_BOOK)])


@pytest.mark.parametrize(
    "text",
    [
        "Take back the loan from 2 February.",
        "Take back LOA-00014.",
        "Take back Notes from the Orchard.",
        "Take back the open loan of Notes from the Orchard.",
    ],
)
def test_told_apart(facts: Facts, text: str) -> None:
    assert is_told_apart(telling(facts, text))


@pytest.mark.parametrize(
    "text",
    [
        "Take back my loan.",
        "Take back my open loan.",
        "Take back the open loan. Is Notes from the Orchard any good?",
        "I have a loan.",
    ],
)
def test_not_told_apart(facts: Facts, text: str) -> None:
    assert not is_told_apart(telling(facts, text))


def test_what_is_known_tells_rows_apart(facts: Facts) -> None:
    said = telling(facts, "Take back my loan.", slip="LOA-00014")
    assert is_told_apart(said)


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("Take back the oldest loan.", True),
        ("Extend my latest loan.", True),
        ("Take back the one lent first.", True),
        ("First, take back a loan. Next, pay. Last of all, go.", False),
        ("The card with the last digits 3391.", False),
        ("I have a request for the guest.", False),
        ("Tell me the highest fine among them.", False),
    ],
)
def test_a_ranking_is_no_connective(facts: Facts, text: str, ranks: bool) -> None:
    assert telling(facts, text).ranks is ranks


def test_the_highest_of_all_is_asked_for(facts: Facts) -> None:
    assert telling(facts, "Tell me the highest fine among them.").ranks_columns
