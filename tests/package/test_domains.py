"""Every tool of every domain under made-up calls: no internal error, no broken row."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.fuzz.episode import Fuzzer
from toolworld import bundled
from toolworld.packages import Package

DOMAINS = ["library", *bundled.domains()]

each_domain = pytest.mark.parametrize("domain", DOMAINS)
Built = Callable[[str], Package]


@each_domain
def test_every_tool_takes_whatever_it_is_given(built: Built, domain: str) -> None:
    fuzzer = Fuzzer(built(domain))
    steps = [(tool, seed) for seed in range(8) for tool in fuzzer.tools]
    episode = fuzzer.run(steps)
    assert len(episode.calls) == len(steps)
    fine = {tool for tool, outcome in fuzzer.outcomes if outcome == "ok"}
    assert len(fine) > len(fuzzer.tools) / 2, "the calls are too wild to show anything"


@each_domain
def test_no_sequence_of_calls_breaks_anything(built: Built, domain: str) -> None:
    fuzzer = Fuzzer(built(domain))
    step = st.tuples(st.sampled_from(fuzzer.tools), st.integers(0, 2**32 - 1))

    @settings(max_examples=12)
    @given(st.lists(step, min_size=10, max_size=80))
    def run(steps: list[tuple[str, int]]) -> None:
        fuzzer.run(steps)

    run()
