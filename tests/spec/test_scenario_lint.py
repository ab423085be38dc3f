"""Scenarios: every finding about situations, experts and words, with file, line and rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.spec.starter import FILES, STARTER, found_in, texts
from toolworld.spec import load_spec, save_spec
from toolworld.spec.load import check_texts

CODE, WORDS = "scenarios/rentals.py", "scenarios/rentals.yaml"
EXPERT = "def solve_bring_back(agent: Agent, given: Given) -> Outcome:\n"
SITUATION = "def bring_back(db: Database, draw: Draw) -> Facts:\n"
SAYS = (
    '    """Somebody brings a bike back, sometimes late, and sometimes one that is back already."""'
)
RENT = "agent.rent_bike(customer.customer_id, bike.bike_id, given.days)"
LATE = 'return outcome("late", price=taken.price, more=taken.price - rental.price)'
BACK = "I'm back with the {{ model }}. What does it come to?"
TOPICS = "  topics: {model: [model, bike]}\n"

Finding = tuple[str, str, str, str, str]
"""What is replaced by what; the rule, what stands in the line named, and what is said."""

OF_CODE: list[Finding] = [
    (SITUATION, SITUATION.replace("draw: Draw", "chance: Draw"), "situation", "def bring_back",
     "bring_back is no situation"),
    (SITUATION, SITUATION.replace("Facts", "Outcome"), "situation", "def bring_back",
     "is no situation"),
    ("_me(customer), model=bike.model,", "_me(customer), take=bike.model,", "taken-fact",
     "def bring_back", "No fact may be called take"),
    (SAYS, "    today = db.today()\n    draw.need(today)", "no-docstring", "def bring_back",
     "does not say what happens"),
    ("def solve_bring_back(", "def _solve_bring_back(", "no-expert", "def bring_back",
     "Nobody solves bring_back"),
    ("def bring_back(", "def take_back(", "no-words", "def take_back", "take_back has no words"),
    ("def solve_bring_back(", "def solve_it(", "no-situation", "def solve_it",
     "There is no situation it"),
    (EXPERT, EXPERT.replace("given: Given", "given: Given, db: Database"), "expert",
     "def solve_bring_back", "solve_bring_back is no expert"),
    (EXPERT, EXPERT.replace("Outcome", "Facts"), "expert", "def solve_bring_back", "is no expert"),
    (RENT, RENT.replace("rent_bike", "rent_bikes"), "unknown-tool", "rent_bikes",
     "There is no tool rent_bikes"),
    ("agent.attempt.return_bike(", "agent.attempt.take_bike(", "unknown-tool", "take_bike",
     "There is no tool take_bike"),
    (RENT, RENT.replace("given.days", "day=given.days"), "unknown-argument", "day=given.days",
     "rent_bike takes no day"),
    (RENT, RENT.replace(", given.days", ""), "missing-argument", "agent.rent_bike",
     "rent_bike needs days"),
    ("return agent.find_customer(given.email)", "return agent.find_customer()", "missing-argument",
     "agent.find_customer()", "find_customer needs email"),
    ("given.days)\n    if quote", "given.day)\n    if quote", "unknown-fact", "given.day",
     "gives no fact day"),
    ('agent.ask("model", "days")', 'agent.ask("model", "colour")', "unknown-fact", '"colour"',
     "gives no fact colour"),
    (LATE, LATE.replace('"late"', '"too_late"'), "unknown-outcome", "too_late",
     "declare no outcome too_late"),
    (LATE, LATE.replace(", more=taken.price - rental.price", ""), "missing-value", '"late"',
     "The outcome late is to tell more"),
    (LATE, 'return outcome("in_time", price=taken.price)', "unused-outcome",
     "def solve_bring_back", "never ends in late"),
    ("    draw.turn(rental,", '    draw.call("lend_bike")\n    draw.turn(rental,', "unknown-tool",
     "lend_bike", "There is no tool lend_bike"),
    ("    draw.turn(rental,", '    draw.call("repair_bike")\n    draw.turn(rental,',
     "missing-argument", "repair_bike", "repair_bike needs bike_id"),
]  # fmt: skip

OF_WORDS: list[Finding] = [
    ("bring_back:", "brings_back:", "no-situation", "brings_back:", "no situation brings_back"),
    ("bring_back:\n  role: customer", "bring_back:\n  role: buyer", "unknown-role", "role: buyer",
     "no role buyer"),
    ("  topics: {model: [model, bike]}\n", "  topics: {wheel: [wheel]}\n", "unknown-fact", "wheel",
     "no fact wheel"),
    ("    model: \"It's the", "    wheel: \"It's the", "unknown-fact", "wheel", "no fact wheel"),
    ("  topics: {model: [model, bike]}\n", "  ways: {wheel: {a: [b]}}\n", "unknown-fact", "wheel",
     "no fact wheel"),
    ("  topics: {model: [model, bike]}\n", "  when: {broken: Oh.}\n", "unknown-outcome", "broken",
     "no outcome broken"),
    ("  topics: {model: [model, bike]}\n", "  twins: [rentals.colour]\n", "unknown-column",
     "rentals.colour", "no column rentals.colour"),
    ("  topics: {model: [model, bike]}\n", "  twins: [boats.model]\n", "unknown-column",
     "boats.model", "no column boats.model"),
    ("  topics: {model: [model, bike]}\n", '  breaches: {"2.2": _hasty}\n', "unknown-function",
     "_hasty", "no function _hasty"),
    ("  topics: {model: [model, bike]}\n", '  breaches: {"2.1": _customer}\n', "unknown-clause",
     "2.1", "no clause 2.1"),
    ("  topics: {model: [model, bike]}\n", '  breaches: {"2.2": _customer}\n', "breach",
     "_customer", "_customer is no breach"),
    ("  topics: {model: [model, bike]}\n", "  behaviours: [shouts]\n", "unknown-behaviour",
     "shouts", "no behaviour shouts"),
    (TOPICS, "  behaviours: [wrong_first]\n", "unknown-behaviour", "wrong_first",
     "no behaviour wrong_first"),
    (TOPICS, "  wrong_first: [wheel]\n", "unknown-fact", "wheel", "no fact wheel"),
    (TOPICS, "  changes_mind: {fact: wheel, instead_of: [b], says: No.}\n", "unknown-fact", "wheel",
     "no fact wheel"),
    (TOPICS, '  changes_mind: {fact: model, instead_of: [b], says: "The {{ model }}."}\n',
     "never-agreed", "changes_mind", "bring_back never asks for a yes"),
    (TOPICS, '  changes_mind: {fact: model, instead_of: [b], says: "The other."}\n',
     "missing-value", "The other.", "does not say model"),
    (TOPICS, "  changes_mind: {fact: model, says: No.}\n", "missing-key", "changes_mind",
     "instead_of is missing"),
    (TOPICS, '  wants_more: ["A {{ wheel }}?"]\n', "unknown-fact", "wheel",
     "no fact or value wheel"),
    ('clause: "3.1"', 'clause: "3.9"', "unknown-clause", "3.9", "no clause 3.9"),
    ("It comes to {{ price }} in all.", "It is back.", "missing-value", "It is back.",
     "does not tell price"),
    ("It comes to {{ price }} in all.", "It comes to {{ price }}{{ day }}.", "unknown-fact",
     "{{ day }}", "no fact or value day"),
    ('reply: "Thank you. It comes', 'alternatives: {most: [a]}, reply: "Thank you. It comes',
     "unknown-value", "alternatives", "no value most"),
    (BACK, BACK.replace("model", "wheel"), "unknown-fact", "{{ wheel }}", "no fact or value wheel"),
    ("asks: [price, more]", "asks: [price, weight]", "unknown-value", "weight",
     "no value weight"),
    ("It's the {{ model }}.", "It's the {{ wheel }}.", "unknown-fact", "wheel",
     "no fact or value wheel"),
    (BACK, f"Please return_bike. {BACK}", "names-tool", "return_bike", "the tool return_bike"),
    (BACK, f"It is BIK-00004. {BACK}", "internal-id", "BIK-00004", "The text holds an id"),
    (BACK, BACK.replace("}}", "}"), "template", "{{ model }.", "This is no template"),
    (BACK, BACK.replace("model", "model | upper"), "template", "upper", "cannot use upper"),
    (BACK, BACK.replace("model", "model.name"), "template", "model.name", "cannot use getattr"),
    (BACK, "{% for a in model %}a{% endfor %}", "template", "for a in", "cannot use for"),
]  # fmt: skip


def check(file: str, finding: Finding) -> None:
    old, new, rule, line, says = finding
    parts = texts()
    assert old in parts[file]
    place = parts[file].rindex(old)
    parts[file] = parts[file][:place] + new + parts[file][place + len(old) :]
    problems = [one for one in found_in(parts) if one.problem.rule == rule]
    found = [one for one in problems if says in one.problem.message]
    assert found, [str(one.problem) for one in found_in(parts)]
    assert found[0].problem.file == file
    assert line in found[0].line
    assert found[0].problem.mend


@pytest.mark.parametrize("finding", OF_CODE, ids=lambda one: f"{one[2]}-{one[4][:24]}")
def test_a_finding_in_code_has_its_file_and_line(finding: Finding) -> None:
    check(CODE, finding)


@pytest.mark.parametrize("finding", OF_WORDS, ids=lambda one: f"{one[2]}-{one[4][:24]}")
def test_a_finding_in_words_has_its_file_and_line(finding: Finding) -> None:
    check(WORDS, finding)


def test_what_no_message_says_is_not_said_wrongly() -> None:
    parts = texts()
    words = parts[WORDS].replace("I'm {{ name }}, {{ email }}.", "{{ email }}.")
    parts[WORDS] = words.replace(TOPICS, f"{TOPICS}  wrong_first: [email, name]\n")
    (found,) = found_in(parts)
    assert (found.problem.file, found.problem.rule) == (WORDS, "never-said")
    assert "No message says name" in found.problem.message
    assert "{{ name }}" in found.problem.mend
    assert "wrong_first" in found.line


def test_a_behaviour_that_needs_more_than_its_name_says_how_it_is_written() -> None:
    parts = texts()
    parts[WORDS] = parts[WORDS].replace(TOPICS, f"{TOPICS}  behaviours: [changes_mind]\n")
    (found,) = found_in(parts)
    assert found.problem.mend.startswith("Write `changes_mind: {fact: ")


def test_the_bike_shop_is_sound() -> None:
    assert found_in(texts()) == []


def test_an_expert_that_always_ends_the_same_is_a_finding() -> None:
    parts = texts()
    start = parts[CODE].index("    taken = ")
    parts[CODE] = parts[CODE][:start] + '    return outcome("in_time", price=rental.price)\n'
    words = parts[WORDS]
    start, end = words.index("    late:"), words.index("  says:", words.index("bring_back:"))
    parts[WORDS] = (words[:start] + words[end:]).replace("[price, more]", "[price]")
    (found,) = found_in(parts)
    assert (found.problem.file, found.problem.rule) == (CODE, "never-branches")
    assert "def solve_bring_back" in found.line


def test_a_situation_that_knows_nothing_is_a_finding() -> None:
    parts = texts()
    start, end = parts[CODE].index("    return facts(_me(customer)"), parts[CODE].index(EXPERT)
    parts[CODE] = f"{parts[CODE][:start]}    return _none()\n\n\n{parts[CODE][end:]}"
    parts[CODE] += "\n\ndef _none() -> Facts:\n    return facts()\n"
    found = [one for one in found_in(parts) if one.problem.rule == "no-facts"]
    assert [one.problem.file for one in found] == [CODE]
    assert "def bring_back" in found[0].line


def test_facts_and_outcomes_of_helpers_count() -> None:
    """``name`` and ``email`` are given by a helper; an outcome may be ended in by one."""
    parts = texts()
    helper = f"\n\ndef _late(taken: Rental, rental: Rental) -> Outcome:\n    {LATE}\n"
    parts[CODE] = parts[CODE].replace(LATE, "return _late(taken, rental)") + helper
    assert found_in(parts) == []


def test_problems_of_one_of_several_files_are_placed_in_it() -> None:
    parts = texts()
    start = parts[CODE].index(SITUATION)
    head = parts[CODE][: parts[CODE].index("def _me(")]
    parts["scenarios/back.py"] = head + parts[CODE][start:].replace("given.email", "given.mail")
    parts["scenarios/back.py"] = parts["scenarios/back.py"].replace(
        'agent.ask("model")', 'agent.ask("wheel")'
    )
    parts[CODE] = parts[CODE][:start]
    start = parts[WORDS].index("bring_back:")
    parts["scenarios/back.yaml"] = parts[WORDS][start:]
    parts[WORDS] = parts[WORDS][:start]
    (found,) = found_in(parts)
    assert (found.problem.file, found.problem.rule) == ("scenarios/back.py", "unknown-fact")
    assert 'agent.ask("wheel")' in found.line


# What situations and experts may use


def with_line(function: str, line: str) -> set[tuple[str, str]]:
    """Return what is wrong if a function begins with one more line."""
    parts = texts()
    docstring = "" if function == EXPERT else f"{SAYS}\n"
    assert function + docstring in parts[CODE]
    parts[CODE] = parts[CODE].replace(function + docstring, f"{function}{docstring}    {line}\n")
    return {(problem.file, problem.rule) for problem in check_texts(parts)[1]}


@pytest.mark.parametrize(
    "line",
    [
        'agent.tell(price=Decimal("3.00"))',
        "bikes = [bike for bike in agent.list_bikes() if fits(given.model, bike.model)]\n"
        "    agent.tell(bikes=len(bikes))",
        'if agent.knows("email"):\n        agent.list_bikes()',
        'for kind in ("city", "touring"):\n        agent.list_bikes(kind)',
    ],
)
def test_an_expert_may_talk_look_and_compare(line: str) -> None:
    assert with_line(EXPERT, line) == set()


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("import os", "import"),
        ("while True:\n        agent.list_bikes()", "while"),
        (
            "try:\n        agent.list_bikes()\n    except ValueError:\n        agent.list_bikes()",
            "try",
        ),
        ("agent.tell(**{})", "star-arguments"),
        ('open("x")', "unknown-name"),
        ("agent.tell(bikes=len(db.bikes.all()))", "service"),
        ("agent.tell(on=draw.chance(0.5))", "unknown-name"),
        ("agent.tell(model=given._facts)", "underscore"),
        ("agent._environment.reset()", "attribute"),
        ('raise Rejected("no", "No.")', None),
        ("global MOST", "global"),
        ("lambda: 1", None),
    ],
)
def test_an_expert_sees_nothing_but_the_agent_and_the_facts(line: str, rule: str | None) -> None:
    found = with_line(EXPERT, line)
    assert found and {file for file, _ in found} == {CODE}
    assert rule is None or (CODE, rule) in found


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("draw.need(draw.chance(0.5))", None),
        ('db.bikes.update("BIK-00001", in_repair=True)', None),
        ("import random", "import"),
        ("draw.seed(1)", "attribute"),
        ("draw.need(agent.list_bikes())", "unknown-name"),
        ("draw.need(draw.changes)", "service"),
        ("draw.need(given.model)", "service"),
        ("while draw.chance(0.5):\n        draw.need(True)", "while"),
    ],
)
def test_a_situation_draws_and_lays_rows(line: str, rule: str | None) -> None:
    found = with_line(SITUATION, line)
    assert found == set() if rule is None else (CODE, rule) in found


# Loading and saving


def test_scenarios_are_read_with_their_facts_and_words(starter_spec: Path) -> None:
    spec = load_spec(starter_spec)
    assert [(one.name, one.file, one.facts) for one in spec.scenarios] == [
        ("rent_one", "rentals", ("name", "email", "model", "days")),
        ("bring_back", "rentals", ("name", "email", "model", "since")),
    ]
    assert [one.expert for one in spec.scenarios] == ["solve_rent_one", "solve_bring_back"]
    assert spec.scenarios[1].words.outcomes["late"].tells == ("price", "more")


def test_a_spec_with_scenarios_round_trips(tmp_path: Path, starter_spec: Path) -> None:
    spec = load_spec(starter_spec)
    save_spec(spec, tmp_path / "one")
    again = load_spec(tmp_path / "one")
    assert again == spec
    save_spec(again, tmp_path / "two")
    for name in FILES:
        saved = (tmp_path / "one" / name).read_bytes()
        assert (tmp_path / "two" / name).read_bytes() == saved
        if name.endswith((".py", ".md")):
            assert saved == (STARTER / name).read_bytes()


def test_saving_leaves_no_scenarios_of_before(tmp_path: Path, starter_spec: Path) -> None:
    spec = load_spec(starter_spec)
    save_spec(spec, tmp_path)
    none = spec.model_copy(update={"scenarios": (), "scenario_files": ()})
    save_spec(none, tmp_path)
    assert not list(tmp_path.glob("scenarios/*"))
    assert load_spec(tmp_path) == none
