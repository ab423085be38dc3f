"""What a prompt for cases shows of a package's code, and whose a gap is."""

from __future__ import annotations

from pathlib import Path

from toolworld.draft.coverage import Module


def test_functions_are_shown_without_what_their_docstrings_say(golden_package: Path) -> None:
    module = Module.of(golden_package)
    text = module.functions["find_member"]
    assert text.startswith("def find_member(db: Database, email: str) -> Member:\n    found = ")
    assert "Args:" not in text
    assert text.endswith("return found[0]")


def test_a_helper_s_gap_is_of_the_first_tool_that_leads_to_it(golden_package: Path) -> None:
    module = Module.of(golden_package)
    tools = [name for name in module.functions if not name.startswith("_")]
    assert module.user_of("find_member", tools) == "find_member"
    assert "_open_loan(" in module.functions[module.user_of("_open_loan", tools)]
    assert module.user_of("nothing_like_it", tools) == ""
