"""A text that names a row by a unique column, such as an e-mail address, is fed as an id is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from toolworld import emit
from toolworld.graph import ToolGraph, build_graph, rerun
from toolworld.graph.examples import Explorer
from toolworld.packages import load_package

TOOLS = '''

def get_member(db: Database, member_id: MemberId) -> Member:
    """Show a member.

    Args:
        member_id: The member, such as "MEM-00001".

    Raises:
        Rejected: The member is unknown.
    """
    return db.members.get(member_id)


def list_members(
    db: Database, name: str, cursor: str | None = None, limit: int = 50
) -> Page[Member]:
    """List the members of a name.

    Args:
        name: The whole name, such as "Ada Brook".
        cursor: Where to go on, from the page before.
        limit: Members on the page, 1 to 200.

    Raises:
        Rejected: The cursor or limit is bad.
    """
    return page(db.members.where(name=name), cursor, limit)


def block_members(db: Database, addresses: list[str]) -> Loan:
    """Block members by their addresses.

    Args:
        addresses: Their e-mail addresses.

    Raises:
        Rejected: There is no address, or no member has it.
    """
    found = [member for one in addresses for member in db.members.where(email=one.lower())]
    if not found or len(found) < len(addresses):
        raise Rejected("Some of the addresses are nobody's; find the members first.")
    for member in found:
        db.members.update(member.member_id, blocked=True)
    return db.loans.all()[0]
'''
PHRASES = "".join(
    f'  {name}:\n    - "Please do it."\n    - "Do it now, please."\n'
    for name in ("get_member", "list_members", "block_members")
)


@pytest.fixture(scope="module")
def package(library_spec: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library with tools that show members, and one that takes several addresses."""
    folder = tmp_path_factory.mktemp("unique")
    spec = Path(shutil.copytree(library_spec, folder / "spec"))
    for file, more in (("tools.py", TOOLS), ("phrases.yaml", PHRASES)):
        with (spec / file).open("a", encoding="utf-8") as opened:
            opened.write(more)
    emit.build(spec, folder / "package")
    return folder / "package"


@pytest.fixture(scope="module")
def found(package: Path) -> ToolGraph:
    return build_graph(package)


def test_a_result_feeds_the_text_that_another_tool_looks_up(
    found: ToolGraph, package: Path
) -> None:
    fed = {
        (edge.candidate.source, edge.candidate.target, edge.candidate.argument): edge
        for edge in found.edges
        if edge.candidate.column == "email"
    }
    assert set(fed) == {
        (source, *target)
        for source in ("get_member", "list_members")
        for target in (("find_member", "email"), ("block_members", "addresses.*"))
    }
    edge = fed["get_member", "find_member", "email"]
    assert edge.evidence.taken["value"] == edge.evidence.target.arguments["email"]
    assert rerun(load_package(package), edge)


def test_a_tool_that_was_given_the_text_does_not_feed_it(found: ToolGraph) -> None:
    (refused,) = (
        one
        for one in found.refused
        if one.candidate.column
        and (one.candidate.source, one.candidate.target) == ("find_member", "block_members")
    )
    assert refused.reason == "find_member only gives back the Member email it was given"


def test_people_know_the_text_and_tools_give_it(found: ToolGraph) -> None:
    (email,) = (one for one in found.arguments if (one.tool, one.path) == ("find_member", "email"))
    assert set(email.producers) == {"get_member", "list_members"}
    assert email.known and not email.unmet


def test_pages_with_nothing_on_them_come_last_and_are_few(package: Path) -> None:
    explorer = Explorer(load_package(package), seed=0)
    explorer.explore()
    pages = [example.empty for example in explorer.examples["list_members"]]
    assert pages == sorted(pages)
    assert pages.count(True) <= 2 < pages.count(False)
