"""What is found out about a state without going there is what an environment says of it."""

from __future__ import annotations

from toolworld.emit import Package
from toolworld.graph.arguments import ArgumentMaker
from toolworld.graph.knowledge import Knowledge
from toolworld.tasks.certificate.facts import Facts
from toolworld.tasks.chains.stage import rng_for
from toolworld.tasks.episodes import Episodes


def test_a_state_has_the_digest_that_an_environment_gives_it(library: Package) -> None:
    facts, episodes, rng = Facts(library), Episodes(library), rng_for("digests")
    maker = ArgumentMaker(facts.world, facts.clock, rng)
    writers = [tool for tool in facts.surface.tools.values() if not tool.read_only]
    digests = set[str]()
    for _ in range(10):
        episode, known = episodes.open(), Knowledge(facts.world)
        known.learn_rows(facts.world.around(rng, "Member"))
        for _ in range(20):
            tool = rng.choice(writers)
            episode.call(tool.name, maker.make(tool, known))
            digests.add(facts.digest_of(episode.now().rows))
            here = episodes.at(episode.now())
            assert facts.digest_of(episode.now().rows) == here.digest()
    assert len(digests) > 20
