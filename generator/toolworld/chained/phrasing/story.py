"""All requests of an outline in words, each after what the agent has to know for it."""

from __future__ import annotations

from toolworld.chained.outline import Request, TaskOutline
from toolworld.chained.phrasing.knowledge import Acquaintance, literals
from toolworld.chained.phrasing.requests import Speaker
from toolworld.chained.phrasing.says import says
from toolworld.chained.phrasing.voices import connected


class Story:
    """An outline being told."""

    def __init__(self, speaker: Speaker, outline: TaskOutline, acquaintance: Acquaintance) -> None:
        """Find out who speaks, and which rows can be told by what is known of them."""
        self._speaker, self._outline, self._acquaintance = speaker, outline, acquaintance
        self._texts: dict[int, str] = {}
        known = [request for request in outline.requests if request.role == "knows"]
        speaker.names.speaker = acquaintance.speaker(known)
        for request in known:
            place = acquaintance.identified(request)
            if place is not None:
                speaker.names.must_say[place] = literals(speaker.catalogue, request)

    def told(self) -> list[str]:
        """Return the texts in order, with words between them.

        Raises:
            Unsayable: A request cannot be said.
        """
        self._say_wishes()
        self._say_what_is_known()
        introduction = [
            self._texts[number] for number in self._texts if self._introduces(self._request(number))
        ]
        wishes = connected(self._groups(), self._outline.ordered, self._speaker.rng)
        return [*introduction, *wishes]

    def _request(self, number: int) -> Request:
        return self._outline.requests[number]

    def _introduces(self, request: Request) -> bool:
        """Return whether a request is who the person is, which is said first."""
        place = self._acquaintance.identified(request) if request.role == "knows" else None
        return place is not None and place == self._speaker.names.speaker

    def _say_wishes(self) -> None:
        for number, request in enumerate(self._outline.requests):
            if request.role != "knows":
                self._texts[number] = self._speaker.say(request)
                continue
            place = self._acquaintance.identified(request)
            names = self._speaker.names
            if place is None or place == names.speaker or names.can_be_told(place):
                continue
            self._texts[number] = self._speaker.say(request)
            names.said([place])

    def _say_what_is_known(self) -> None:
        """Say what is known and not part of any wish yet."""
        wishes = " ".join(self._texts.values())
        for number, request in enumerate(self._outline.requests):
            if number not in self._texts and not _is_said(request, wishes):
                self._texts[number] = self._speaker.say(request)

    def _groups(self) -> list[str]:
        """Return each wish after what is known for it."""
        groups: list[str] = []
        before: list[str] = []
        for number, request in enumerate(self._outline.requests):
            if number not in self._texts or self._introduces(request):
                continue
            before.append(self._texts[number])
            if request.role != "knows":
                groups.append(" ".join(before))
                before = []
        return [*groups, " ".join(before)] if before else groups


def _is_said(request: Request, text: str) -> bool:
    paths = {one.path for one in request.mentions}
    values = {name: value for name, value in request.arguments.items() if name not in paths}
    return says(text, values) and all(
        not one.among and (not one.known_by_key or says(text, one.key)) for one in request.mentions
    )
