"""The policy's clauses, the roles and conduct: what is read, and every finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.spec.starter import FILES, findings_after, rules_of, texts
from toolworld.errors import Problem
from toolworld.spec import load_spec
from toolworld.spec.findings import FileFindings
from toolworld.spec.load import check_texts
from toolworld.spec.policy import read_clauses, without_markers

POLICY, CONDUCT = "policy.md", "conduct.py"
PREDICATE = '''

def {name}(db: Database, past: Past, event: Event) -> bool:
    """Nothing is wrong."""
    {body}
'''


def clauses_of(text: str) -> list[tuple[str, str, str, tuple[str, ...]]]:
    found = read_clauses(text, FileFindings(POLICY))
    return [(one.number, one.text, one.kept_by, one.names) for one in found]


def with_predicate(body: str, name: str = "role_allows") -> list[Problem]:
    """Return the problems of conduct if one predicate has another body."""
    parts = texts()
    parts[CONDUCT] = "".join(
        PREDICATE.format(name=one, body=body if one == name else "return True")
        for one in ("identified_first", "own_rentals_only", "role_allows", "price_agreed")
    )
    return check_texts(parts)[1]


# Clauses


def test_clauses_are_list_items_or_paragraphs_that_begin_with_a_number() -> None:
    text = (
        "# Policy\n\nBe kind. [advice]\n\n- 1.1 One\n  and more. [advice]\n"
        "* 1.2 Two. [tools: a, b_2]\n\n10.12 Three,\nand more.\n[conduct: it]\n- No clause.\n"
    )
    assert clauses_of(text) == [
        ("1.1", "One and more.", "advice", ()),
        ("1.2", "Two.", "tools", ("a", "b_2")),
        ("10.12", "Three, and more.", "conduct", ("it",)),
    ]


def test_agents_do_not_read_the_markers() -> None:
    text = (
        "- 1.1 One.\n  [tools: a]\n\n- 1.2 Two [advice]\n- 1.3 Three [tools: a,\n  b]\n\n"
        "Text [with] brackets.\n"
    )
    assert without_markers(text) == (
        "- 1.1 One.\n\n- 1.2 Two\n- 1.3 Three\n\nText [with] brackets.\n"
    )


def test_the_bike_shop_has_its_clauses_with_their_keepers(starter_spec: Path) -> None:
    spec = load_spec(starter_spec)
    assert [(one.number, one.kept_by, one.names) for one in spec.clauses] == [
        ("1.1", "conduct", ("identified_first",)),
        ("1.2", "conduct", ("own_rentals_only",)),
        ("1.3", "conduct", ("role_allows",)),
        ("2.1", "tools", ("out_of_bounds",)),
        ("2.2", "conduct", ("price_agreed",)),
        ("2.3", "tools", ("not_free",)),
        ("3.1", "tools", ("back_already",)),
        ("3.2", "advice", ()),
    ]
    assert spec.talking == ("price_agreed",)
    lines = texts()[POLICY].split("\n")
    assert all(one.number in lines[one.line - 1] for one in spec.clauses)


FINDINGS = [
    (POLICY, "all. [advice]", "all.", "unkept-clause", "- 3.2", "does not say what keeps it"),
    (POLICY, "all. [advice]", "all. [advice: it]", "unkept-clause", "- 3.2", "names a keeper"),
    (POLICY, "[tools: not_free]", "[tools]", "unkept-clause", "- 2.3", "names no keeper"),
    (POLICY, "[tools: not_free]", "[tool: not_free]", "unkept-clause", "- 2.3", "does not say"),
    (POLICY, "- 2.2 Say", "- 2.1 Say", "duplicate-name", "- 2.1 Say", "two clauses 2.1"),
    (POLICY, "[tools: not_free]", "[tools: not_fre]", "unknown-keeper", "- 2.3",
     "No rejection has the code not_fre"),
    (POLICY, "[conduct: role_allows]", "[conduct: role_alows]", "unknown-keeper", "- 1.3",
     "No predicate is role_alows"),
    (CONDUCT, "def role_allows(db: Database, past: Past, event: Event) -> bool:",
     "def role_allows(db: Database, event: Event, past: Past) -> bool:", "predicate",
     "def role_allows", "no predicate of conduct"),
    (CONDUCT, "def role_allows(db: Database, past: Past, event: Event) -> bool:",
     "def role_allows(db: Database, past: Past, event: Event) -> int:", "predicate",
     "def role_allows", "no predicate of conduct"),
    (CONDUCT, '"""Nothing that only the owner may ask for is done because a customer asks."""',
     "len(past.calls)", "no-docstring", "def role_allows", "does not say what it looks for"),
    (POLICY, "[conduct: role_allows]", "[advice]", "unused-predicate", "def role_allows",
     "No clause of policy.md names role_allows"),
    ("domain.yaml", "tools: [repair_bike]", "tools: [repair_bikes]", "unknown-tool",
     "repair_bikes", "There is no tool repair_bikes"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "rule", "line", "says"), FINDINGS)
def test_a_finding_has_its_file_line_and_rule(
    file: str, old: str, new: str, rule: str, line: str, says: str
) -> None:
    found = [one for one in findings_after(file, old, new) if one.problem.rule == rule]
    assert says in " ".join(one.problem.message for one in found)
    assert line in found[-1].line
    assert all(one.problem.mend for one in found)


def test_a_mend_names_what_was_meant() -> None:
    (found,) = findings_after(POLICY, "[tools: not_free]", "[tools: not_fre]")
    assert "not_free" in found.problem.mend


def test_a_predicate_without_a_clause_is_found_in_conduct() -> None:
    (found,) = findings_after(POLICY, "[conduct: role_allows]", "[advice]")
    assert found.problem.file == CONDUCT


# What a predicate may do


@pytest.mark.parametrize(
    "body",
    [
        "return not event.is_call or past.may(event.tool)",
        "return past.saw(event.result.price) or past.agreed()",
        'return all(act in ("a", "b") for act in event.names("asks"))',
        'return len([one for one in past.calls if one.tool == "rent_bike"]) < 2',
        "return len(db.rentals.all()) > 0 and db.now() is not None",
        'return event.code != "not_free" and past.told.get("email") is not None',
    ],
)
def test_a_predicate_may_look_at_the_past_the_event_and_the_data(body: str) -> None:
    assert with_predicate(body) == []


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        ("import os\n    return True", "import"),
        ("while True:\n        return True", "while"),
        ("try:\n        return True\n    except ValueError:\n        return False", "try"),
        ("return open('x') is None", "unknown-name"),
        ("return past.secret", "attribute"),
        ("return past.add(event) is None", "attribute"),
        ("return event.recorded is None", "attribute"),
        ("return fake.first_name() != ''", "service"),
        ("rows = db.bikes\n    rows.remove('BIK-00001')\n    return True", None),
        ("return draw.chance(0.5)", "unknown-name"),
        ("return agent.find_bike('x') is None", "unknown-name"),
        ("raise Rejected('not_so', 'It is not so.')", "raise"),
        ("return db.bikes.update('BIK-00001', in_repair=True).in_repair", "write-in-predicate"),
        ("return db.rentals.add(price=1) is None", "write-in-predicate"),
        ("db.rentals.remove('REN-00001')\n    return True", "write-in-predicate"),
    ],
)
def test_a_predicate_only_looks(body: str, rule: str | None) -> None:
    problems = with_predicate(body)
    assert problems and {problem.file for problem in problems} == {CONDUCT}
    assert rule is None or rule in rules_of(problems)


def test_a_helper_begins_with_an_underscore() -> None:
    found = findings_after(CONDUCT, "_identified", "identified")
    assert {"predicate", "no-docstring", "unused-predicate"} <= {one.problem.rule for one in found}


def test_a_predicate_that_looks_at_talk_through_a_helper_is_told_apart() -> None:
    parts = texts()
    helper = "\n\ndef _said(past: Past) -> bool:\n    return len(past.messages) > 0\n"
    rule = "return not event.is_call or past.may(event.tool)"
    parts[CONDUCT] = parts[CONDUCT].replace(rule, f"{rule} or _said(past)") + helper
    spec, problems = check_texts(parts)
    assert problems == []
    assert spec is not None and spec.talking == ("_said", "price_agreed", "role_allows")


def test_policies_without_numbers_and_domains_without_conduct_are_sound() -> None:
    parts = {name: text for name, text in texts().items() if name not in (CONDUCT, "laws.py")}
    parts = {name: text for name, text in parts.items() if not name.startswith("scenarios/")}
    parts[POLICY] = "# Policy\n\nFind the customer by e-mail address before anything else.\n" * 3
    spec, problems = check_texts(parts)
    assert problems == []
    assert spec is not None and (spec.clauses, spec.conduct_code) == ((), "")
    assert set(FILES) >= parts.keys()
