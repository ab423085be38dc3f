"""Gold as it ran in process, which transports are compared with."""

from __future__ import annotations

from toolworld.emit import Package
from toolworld.tasks.certificate import Certifier


def test_it_is_what_a_fresh_environment_gives(library: Package) -> None:
    certifier = Certifier(library)
    for task in library.tasks():
        certifier.certify(task)
        gold = certifier.reference(task)
        environment = library.environment(task)
        assert environment.digest() == gold.expected.start
        given = [environment.call(call.tool, call.arguments) for call in gold.run.calls]
        assert [(one.is_error, one.text) for one in given] == list(gold.expected.said)
        assert environment.digest() == gold.expected.end
        assert environment.grade(gold.run.answer).reward == gold.expected.reward
