"""Every export parses, says what the graph says, and needs nothing but itself."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import networkx as nx
import pytest
from typer.testing import CliRunner

from toolworld.cli import app
from toolworld.errors import BuildError
from toolworld.graph import (
    Edge,
    Evidence,
    ToolGraph,
    to_graphml,
    to_html,
    to_json,
    to_mermaid,
    write,
)
from toolworld.graph.exports import ARROWS
from toolworld.graph.guard import Broken
from toolworld.graph.layout import LETTER, ROW, layout


def test_json_holds_everything(graph: ToolGraph) -> None:
    said = json.loads(to_json(graph))
    assert len(said["edges"]) == len(graph.edges)
    assert len(said["refused"]) == len(graph.refused)
    assert [Evidence.from_json(edge["evidence"]) for edge in said["edges"]][0].setup == ()
    assert said["counts"] == graph.counts()


def test_graphml_is_read_back_by_networkx(graph: ToolGraph) -> None:
    read = nx.parse_graphml(to_graphml(graph), force_multigraph=True)
    assert (len(read), read.number_of_edges()) == (len(graph.tools), len(graph.edges))
    evidence = read["return_loan"]["lend_book"]["enables"]["evidence"]
    assert json.loads(evidence)["before"]["outcome"] == "rejected"


def test_networkx_has_parallel_edges_by_label(graph: ToolGraph) -> None:
    keys = set(graph.as_networkx()["lend_book"]["return_loan"])
    assert keys == {"data:loan_id", "enables"}


ARROW = re.compile(r"    t_(\w+) (==>|-->|-\.->)(\|[a-z_., ]+\|)? t_(\w+)")


def arrows(text: str) -> list[tuple[str, str, str]]:
    """Return the arrows of a flowchart: both ends and the kind."""
    found = [match for line in text.splitlines() if (match := ARROW.fullmatch(line))]
    return [(match[1], match[2], match[4]) for match in found]


def pairs(edges: Iterable[Edge]) -> set[tuple[str, str, str]]:
    """Return the ends of edges, and their kind as an arrow."""
    ones = [edge.candidate for edge in edges]
    return {(one.source, ARROWS[one.label], one.target) for one in ones}


def test_mermaid_draws_the_strong_edges_and_names_only_its_own_nodes(graph: ToolGraph) -> None:
    text = to_mermaid(graph)
    assert text.startswith("flowchart LR\n")
    found = arrows(text)
    assert set(found) == pairs(graph.strong) and len(found) == len(set(found))
    assert {end for arrow in found for end in arrow[::2]} <= set(graph.tools)


def test_mermaid_draws_incidental_edges_when_asked_and_strong_ones_first(graph: ToolGraph) -> None:
    found = arrows(to_mermaid(graph, incidental=True))
    strong = len(pairs(graph.strong))
    assert set(found[:strong]) == pairs(graph.strong)
    assert set(found) == pairs(graph.edges)
    assert len(found) > strong


def test_every_export_tells_strong_from_incidental(graph: ToolGraph) -> None:
    strengths = [edge.strength for edge in graph.edges]
    assert set(strengths) == {"strong", "incidental"}
    assert [edge["strength"] for edge in json.loads(to_json(graph))["edges"]] == strengths
    read = nx.parse_graphml(to_graphml(graph), force_multigraph=True)
    assert sorted(said["strength"] for *_, said in read.edges(data=True)) == sorted(strengths)
    data = json.loads(Page(to_html(graph)).scripts[0])
    assert [edge["strength"] for edge in data["edges"]] == strengths


def test_the_counts_and_the_report_say_how_many_are_strong(graph: ToolGraph) -> None:
    counts = graph.counts()
    for count in counts.values():
        assert count["strong"] + count["incidental"] == count["kept"] <= count["candidates"]
    strong = sum(count["strong"] for count in counts.values())
    assert strong == len(graph.strong)
    incidental = len(graph.edges) - strong
    assert f"{strong} of them strong and {incidental} incidental" in str(graph)


class Page(HTMLParser):
    """What a page refers to, and its data."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.references: list[str] = []
        self.scripts: list[str] = []
        self._inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.references += [value or "" for name, value in attrs if name in ("src", "href")]
        self._inside = tag == "script"

    def handle_endtag(self, tag: str) -> None:
        self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.scripts.append(data)


def test_the_page_stands_alone(graph: ToolGraph) -> None:
    text = to_html(graph)
    page = Page(text)
    assert page.references == []
    assert "default-src 'none'" in text
    addresses = set(re.findall(r"\w+://[^\s\"')]+", text))
    assert addresses == {"http://www.w3.org/2000/svg"}  # a name, never fetched
    assert "fetch(" not in text and "import(" not in text
    data = json.loads(page.scripts[0])
    assert len(data["edges"]) == len(graph.edges)


def test_no_text_of_a_package_ends_the_page_s_script(graph: ToolGraph) -> None:
    first = graph.edges[0]
    nasty = "</script><script>alert(1)</script>"
    said = replace(first.evidence.source, message=nasty)
    edge = replace(first, evidence=replace(first.evidence, source=said))
    text = to_html(replace(graph, edges=[edge], package=nasty))
    assert nasty not in text
    data = json.loads(Page(text).scripts[0])
    assert data["edges"][0]["evidence"]["source"]["message"] == nasty


def test_no_text_of_a_package_becomes_markup(graph: ToolGraph) -> None:
    nasty = '"><img src=x onerror=alert(1)><!--<script>'
    tools = {name: {**tool, "title": nasty, "entity": nasty} for name, tool in graph.tools.items()}
    broken = {name: Broken(nasty, nasty) for name in graph.tools}
    text = to_html(replace(graph, package=nasty, tools=tools, broken=broken))
    assert "<img" not in text and "<!--" not in text
    page = Page(text)
    written = nasty.replace("<", "\\u003c").replace('"', '\\"')
    assert page.scripts[0].count(written) == 4 * len(tools) + 1  # the title of their one card
    data = json.loads(page.scripts[0])
    assert {tool["title"] for tool in data["tools"].values()} == {nasty}
    assert data["broken"]["lend_book"] == {"reason": nasty, "mend": nasty}


def test_the_page_s_own_code_makes_markup_of_no_text(graph: ToolGraph) -> None:
    code = Page(to_html(graph)).scripts[1]
    for way in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "srcdoc",
    ):
        assert way not in code
    assert code.count("textContent") >= 2


def test_every_part_the_page_s_code_asks_for_is_there(graph: ToolGraph) -> None:
    text = to_html(graph)
    wanted = set(re.findall(r'getElementById\("(\w+)"\)|querySelector\("#(\w+)"\)', text))
    assert wanted
    for one in wanted:
        assert f'id="{one[0] or one[1]}"' in text


def test_the_page_opens_on_the_strong_edges_and_has_a_switch_for_the_others(
    graph: ToolGraph,
) -> None:
    code = Page(to_html(graph)).scripts[1]
    assert 'const wanted = new Set([...graph.labels, "strong"]);' in code
    assert 'control("incidental", false' in code


def test_each_tool_has_a_row_on_its_entity_s_card_always_in_the_same_place(
    graph: ToolGraph,
) -> None:
    cards = layout(graph)
    assert cards == layout(graph)
    homes = {name: card.entity for card in cards for name in card.tools}
    assert homes == {name: said["entity"] for name, said in graph.tools.items()}
    for card in cards:
        rows = list(card.rows.values())
        assert all(card.y < row < card.y + card.height for row in rows)
        assert all(below - above == ROW for above, below in pairwise(rows))
        assert card.width >= max(len(name) for name in card.tools) * LETTER


@pytest.mark.parametrize("count", [1, 9, 50, 90])
def test_cards_never_overlap_however_many_tools_there_are(graph: ToolGraph, count: int) -> None:
    first, *_ = graph.tools.values()
    names = [f"tool_{number}_{'x' * (number * 7 % 25)}" for number in range(count)]
    tools = {name: {**first, "entity": f"E{len(name) % 13}"} for name in names}
    cards = layout(replace(graph, tools=tools, edges=[]))
    assert sum(len(card.tools) for card in cards) == count
    for number, card in enumerate(cards):
        for other in cards[:number]:
            beside = card.x + card.width < other.x or other.x + other.width < card.x
            assert beside or card.y + card.height < other.y or other.y + other.height < card.y


def test_the_command_writes_what_it_is_asked_for(golden_package: Path, tmp_path: Path) -> None:
    wanted = {"html": "<!doctype html>", "json": "{", "mermaid": "flowchart", "graphml": "<"}
    options = [part for form in wanted for part in (f"--{form}", str(tmp_path / "out" / form))]
    result = CliRunner().invoke(app, ["graph", str(golden_package), "--tries", "4", *options])
    assert result.exit_code == 0, result.output
    assert "9 tools" in result.stdout
    for form, start in wanted.items():
        assert (tmp_path / "out" / form).read_text(encoding="utf-8").startswith(start)


def test_a_file_that_cannot_be_written_is_named(graph: ToolGraph, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BuildError, match="cannot be written"):
        write(graph, json=tmp_path / "file" / "graph.json")
