"""Episodes that remember are as good as a plain environment, and make no call twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolworld.emit import Package, load_package
from toolworld.graph.arguments import ArgumentMaker
from toolworld.graph.knowledge import Knowledge, World
from toolworld.graph.surface import surface_of
from toolworld.tasks.chains.stage import rng_for
from toolworld.tasks.episodes import Episodes

LENT = {"member_id": "MEM-00002", "isbn": "9781000000000"}


@pytest.fixture(scope="module")
def package(golden_package: Path) -> Package:
    return load_package(golden_package)


def test_any_walk_is_as_in_an_environment(package: Package) -> None:
    environment, episodes = package.environment(), Episodes(package)
    episode = episodes.open()
    surface, rng = surface_of(package), rng_for("walk")
    world = World(surface, environment.state())
    maker = ArgumentMaker(world, package.module("seed").default_base().clock, rng)
    marks = [(environment.snapshot(), episode.now())]
    written = 0
    for _ in range(600):
        if rng.random() < 0.3:
            snapshot, moment = rng.choice(marks)
            environment.restore(snapshot)
            episode.go(moment)
        known = Knowledge(world)
        known.learn_rows(world.around(rng))
        tool = rng.choice([*surface.tools.values()])
        arguments = maker.make(tool, known)
        plain, given = environment.call(tool.name, arguments), episode.call(tool.name, arguments)
        assert (given.outcome, given.text) == (plain.outcome, plain.text)
        assert given.structured == plain.structured
        digest = episodes.at(episode.now()).digest()
        assert (digest, [*episode.diff()]) == (environment.digest(), environment.diff())
        seen = rng.choice(marks)[1]
        assert episode.is_as_at(seen) == (episodes.at(seen).digest() == digest)
        marks.append((environment.snapshot(), episode.now()))
        written += not tool.read_only and not given.is_error
    assert written > 30


def test_what_one_episode_has_seen_another_of_the_same_start_knows(package: Package) -> None:
    episodes = Episodes(package)
    one, other = episodes.open(), episodes.open({})
    assert one.call("lend_book", LENT) is other.call("lend_book", LENT)
    assert one.now() is other.now()


def test_a_look_up_is_known_where_other_tables_have_changed(package: Package) -> None:
    episodes = Episodes(package)
    one, other = episodes.open(), episodes.open()
    member = package.environment().state()["members"]["MEM-00002"]
    other.call("lend_book", LENT)
    look = ("find_member", {"email": member["email"]})
    assert one.call(*look) is other.call(*look)
    loans = ("list_member_loans", {"member_id": "MEM-00002"})
    assert one.call(*loans).text != other.call(*loans).text


def test_a_second_loan_mints_another_key(package: Package) -> None:
    episode = Episodes(package).open()
    first = episode.call("lend_book", LENT).structured["loan_id"]
    assert not episode.call("return_loan", {"loan_id": first}).is_error
    assert episode.call("lend_book", LENT).structured["loan_id"] != first


def test_peeking_leaves_the_episode_where_it_is(package: Package) -> None:
    episode = Episodes(package).open()
    assert episode.peek("lend_book", LENT).outcome == "ok"
    assert (episode.now(), episode.diff()) == (episode.start, ())


def test_an_episode_starts_from_its_patch(package: Package) -> None:
    episodes = Episodes(package)
    member = package.environment().state()["members"]["MEM-00002"]
    patched = episodes.open({"members": {"MEM-00002": {**member, "name": "Somebody Else"}}})
    look = ("find_member", {"email": member["email"]})
    assert patched.call(*look).structured["name"] == "Somebody Else"
    assert episodes.open().call(*look).structured["name"] == member["name"]


def test_a_patch_that_does_not_fit_is_refused_and_forgotten(package: Package) -> None:
    episodes = Episodes(package)
    before = episodes.open()
    with pytest.raises(package.module("errors").BadTask):
        episodes.open({"members": {"MEM-00002": {"member_id": "MEM-00002"}}})
    assert before.call("lend_book", LENT).outcome == "ok"
    assert episodes.at(episodes.open().now()).digest() == package.environment().digest()
