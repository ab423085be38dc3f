"""Steps of gold that do nothing: in the hotel a wish may be noted that stands there already."""

from __future__ import annotations

from typing import Any

from tools import committed
from toolworld.emit import load_package
from toolworld.tasks.certificate import Certifier, Reason

HOTEL = load_package(committed.SERVERS / "hotel")


def noted(*preferences: str) -> dict[str, Any]:
    """Return a task that notes preferences for the first guests, by id."""
    gold = [
        {
            "tool": "set_guest_preferences",
            "arguments": {"guest_id": f"GST-{number:05d}", "preferences": text},
            "expect": "ok",
        }
        for number, text in enumerate(preferences, 1)
    ]
    said = "; ".join(f'GST-{number:05d}: "{text}"' for number, text in enumerate(preferences, 1))
    task = {"id": "t", "instruction": f"Note {said}.", "initial": {}, "gold": gold, "tools": []}
    environment = HOTEL.environment(task)
    for step in gold:
        environment.call(step["tool"], step["arguments"])
    changes = [change.as_json() for change in environment.diff()]
    return {**task, "known_info": {}, "goal": {"changes": changes, "answers": []}}


def test_a_write_that_changes_nothing_is_refused_and_mended() -> None:
    certifier = Certifier(HOTEL)
    there = HOTEL.environment().state()["guests"]["GST-00001"]["preferences"]
    task = noted(there, "Two hard pillows and a lamp to read by.")
    verdict = certifier.certify(task)
    assert (verdict.reason, verdict.passed) == (Reason.NEEDLESS, False)
    assert "changes nothing" in verdict.detail
    mended = certifier.mend(task, verdict)
    assert mended is not None
    assert [step["arguments"]["guest_id"] for step in mended["gold"]] == ["GST-00002"]


def test_writes_that_change_something_pass() -> None:
    task = noted("A bowl of water for the dog.", "Two hard pillows and a lamp to read by.")
    verdict = Certifier(HOTEL).certify(task)
    assert verdict.passed, verdict
