"""Rules for what an agent asks for: the person's facts by their topics, or something else."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .patterns import any_of, one_of
from .sentences import Phrase
from .telling import AS_TIME, MOMENT
from .topics import Hit, Topics

POLITELY = r"(?: please| also| just| first| then| perhaps| all| still| so| really| [a-z]+ly){0,3}"
WH_WORD = any_of("what / which / where / when / how / who / whose / why")
CONFIRM = any_of(rf"""
    ^(?:re-?)?(?:confirm|verify) / ^double[- ]check
    (?:please|kindly|just|and|(?:can|could|would|will|need|ask|asking|want
        |like) you(?: to)?){POLITELY}
        (?:(?:re-?)?(?:confirm|verify)|double[- ]?check)
    (?:please|(?:can|could|would|will) you){POLITELY} check
""")
INFORM = one_of(r"""
    provide / give / share / tell / specify / state / supply / enter / clarify / describe / list
    indicate / remind / mention / type / submit / include / select / choose / explain / pick / spell
    let (?:me|us) know / reply with / respond with / start with / elaborate / rephrase / repeat
    pop
    drop / quote / key in / fill in / read
    leave(?= (?:me|us|an?|(?:your|the) (?:[a-z]+ )?(?:email|name|number|phone|details|address))\b)
    send(?= (?:me|us|over|through|in|your|across|the (?:order|email|name|number)))
""")
ELSEWHERE = (
    r"(?! ?: ?[^ ]| (?:you|him|her|them [a-z]|back|a refund"
    r"|the (?:items?|products?|package|parcel))\b)"
)
"""Rules out a heading, another person, or a thing to be sent back: nothing is asked for."""
INFORMS = re.compile(rf" ?(?:to )?{INFORM}\b")
REQUEST = any_of(rf"""
    ^{INFORM}{ELSEWHERE}(?: me| us)?(?: with)?
    (?:please|kindly|you|you to|able to|help me by|start by|ahead and|just){POLITELY}
        {INFORM}{ELSEWHERE}(?: me| us)?(?: with)?
    (?:mind|by) (?:providing|giving|sharing|telling|sending|confirming)(?: me| us)?
    (?:tell|give|send|show|remind) (?:me|us)
    (?:mind|would you mind){POLITELY} (?:providing|giving|sharing|telling|sending
        |confirming)(?: me| us)?
    let me have / let's start with / hit me with
    (?:once|when|if) (?:i|we) have(?= (?:your|an?|the|that|this)) / be more specific
    look (?:that|it|this|you|your [a-z]+) up (?:with|by|under|using) / help to have
    (?:may|can|could|might) (?:i|we){POLITELY} (?:have|get|ask|know|grab|take|see|bother you for)
    (?:i|we)(?:'ll| will|'d| would|'m going to| am going to| do)?(?: also| just| only| first
        | still){{0,2}}
        (?:(?:want|like|have|need) to (?:know|ask|have|verify|see|get|confirm)|need|require
        |must ask)
    ^(?:just |also |still |then |and |will )?need(?:ing)?
    (?:i|we)(?:'m|'re| am| are)? (?:still |just |only )?(?:missing|lacking|looking for)
    (?:i|we) (?:still |just )?(?:don't|haven't|didn't)(?: yet)? (?:see|have|get|catch|got
        |received?)(?= your)
    (?:can't|unable to|n't able to|not able to|won't be able to)\b.{{0,60}}
        (?:without (?:your|the|an?|knowing|having|that|this|it|more|further)
        |until (?:i|we|you) (?:have|get|verify|confirm|know|provide|give|share|tell))
    (?:do|would|can) you (?:happen to )?(?:have|know|remember|recall) / have you got
""")
NEGATED = re.compile(
    r"(?:n't|\bnot|\bno need(?: for you)?|\bnever|\bno longer|\bwithout)"
    r"(?: (?:need|have|to|you|i|even|ever|please|be|able|really|actually)){0,4} ?$"
)
TRAILING = any_of(r"""
    ,? please$ / (?:is|are) (?:also |still )?(?:needed|required|missing) / needed$ / required$
    (?:would|'d|will) (?:be (?:helpful|great|useful|good|appreciated|perfect|enough|nice|fine)
        |help|do)
    is (?:enough|fine|sufficient|all i need)
""")
IN_ITSELF = any_of("clarify / elaborate / explain / rephrase / repeat / specific")
ONLY_NAMED = re.compile(
    r"(?:^|: )(?:and |also |just |only )?your"
    r" (?!.*\b(?:is|are|was|were|has|have|will|can|must)\b)(?:[a-z]+ ?){1,4}$"
)
NOT_ASKED = re.compile(
    r"(?:$|thank|to (?!know|verify|confirm|identify)"
    r"|(?:an? |some |about |up to |only |just |one |few |couple of |[0-9]+ ){1,3}(?:[a-z]+ )?"
    r"(?:moment|minute|second|sec|min|day|hour|time|bit (?:of time|longer|to))s?"
    rf"{AS_TIME})"
)
BACK = re.compile(
    r"(?:how|what) you(?:'d| would) (?:like|want|prefer)"
    r" (?:me |us )?(?:to )?(?:proceed|go|continue|do)"
    r"|(?:(?:me|us) )?(?:with )?(?:that|those|these|this|it|them|all|the|this)\b(?: [a-z]+)?$"
)
CHECKS = re.compile(r"to (?:verify|confirm|check|authenticate|see|get)$")
WHO = any_of("identity / who (?:i|you|i'm) / (?:right|correct) person / really you / it's you")
PURPOSE = any_of(r"""
    ^(?:so|to|in order|for|because|as|since|then|i|we|once|that|before|if|the system|it)
""")
WITH_IT = re.compile(
    r"(?:what|why|how|when|where)\b.*\b(?:with|about|for|on|in|at|of|to) (?:the|your|this|that) $"
)
LACKED = any_of("n't (?:have|need|know|remember|recall) / n't got")
STOP = any_of(r"""
    so / to / for / from / on / in / with / of / that / which / who / used? / we / you
    associated
    linked / connected / attached / before / because / as / if / while / when / where / under
    at / by
    i / the / your / my / our / this / these / it / is / are / was / were / until / after
    need / needs
""")
CONJUNCT = re.compile(
    r",| and (?:also )?| or | plus | as well as | (?:along|together) with | & |[():/;]"
)
ASKS_BY = any_of(r"""
    what / which / who / whose / when / where / how / why / is / are / was / were / do / does
    did
    have / has
""")
IDLE = any_of(r"""
    how(?:'s| is| are) (?:you|your day|it going|things|everything) / make sense$ / guess what
    isn't it$
    does (?:that|this|it|all that) make sense / still (?:there|with me) / why not$ / you know what
""")
ABOUT_IT = any_of(r"""
    (?:is|are|was|were) (?:it|that|this|they|these)(?: the)?(?: definitely| really)?
        (?:right|correct|spelled|typed|accurate|exact|complete|the one)
    (?:another|a different|any other|some other) [a-z]+
    (?:double[- ]?check|check|verify|confirm|repeat|send|share|tell me|give me|provide|re-?send
        |spell|re-?enter|try) (?:it|that|this|them)
    (?:typo|mistake|misspelled|misspelt)
""")
FILLED = re.compile(r": ?\S|[0-9]|(?:\S+ ){7}")


def is_about_it(phrase: Phrase) -> bool:
    """Return whether a phrase asks back about something said: "is that spelled right?"."""
    words = phrase.plain
    return bool(ABOUT_IT.search(words)) and (phrase.is_question or bool(CONFIRM.search(words)))


def asked(phrase: Phrase, topics: Topics) -> list[str] | None:
    """Return the facts a phrase asks for; None if it asks nothing, empty if something else."""
    words = phrase.plain
    request = REQUEST.search(words) or CONFIRM.search(words)
    names = None if request is None else _requested(words, request, topics, phrase.is_question)
    if names or IDLE.search(words) or MOMENT.search(words):
        return names or None
    if request is not None:
        return names
    if phrase.is_question:
        by = ASKS_BY.search(words)
        return _names(words[by.start() if by else 0 :], topics) or _names(words, topics)
    if phrase.beside_question:
        return _names(words, topics) or None
    if ONLY_NAMED.search(words):
        return _names(words.rpartition(":")[2], topics) or None
    trailing = TRAILING.search(words)
    return (trailing and _names(words[: trailing.start()], topics)) or None


def _requested(
    words: str, request: re.Match[str], topics: Topics, is_question: bool
) -> list[str] | None:
    """Return the facts that a request names; None if it is no request after all."""
    wanted = words[request.end() :].strip(" ,")
    if is_negated(words, request.start()):
        return None
    if not wanted and (is_question or IN_ITSELF.search(request[0])):
        return []
    if NOT_ASKED.match(wanted):
        return None
    names = _names(wanted, topics)
    if not names and CHECKS.search(request[0]) and not WHO.search(wanted):
        return None
    return names


def goes_back(phrase: Phrase) -> bool:
    """Return whether a request is for something named before, or for who the person is."""
    words = phrase.plain
    request = REQUEST.search(words) or CONFIRM.search(words)
    wanted = words[request.end() :].strip() if request else ""
    return request is not None and bool(not wanted or BACK.match(wanted) or WHO.search(wanted))


def is_negated(words: str, start: int) -> bool:
    """Return whether the words before a place say that what starts there is not needed."""
    return bool(NEGATED.search(words[max(0, start - 60) : start]))


def asked_in_list(phrase: Phrase, topics: Topics) -> list[str] | None:
    """Return the facts that an item of a list asks for; None if it is no list of requests."""
    confirms = CONFIRM.search(phrase.opener)
    if phrase.is_question or not (confirms or REQUEST.search(phrase.opener)):
        return None
    names = _names(phrase.plain, topics)
    return None if confirms and (FILLED.search(phrase.plain) or not names) else names


def _names(words: str, topics: Topics) -> list[str]:
    """Return the facts that some words ask for, without those that only give a purpose."""
    return list(dict.fromkeys(hit.name for hit in _wanted(words, topics)))


def _wanted(words: str, topics: Topics) -> Iterator[Hit]:
    for number, part in enumerate(CONJUNCT.split(words)):
        part = part.strip()
        if not (number and PURPOSE.match(part)) and not LACKED.search(part):
            yield from _before_stop(part, topics.found(part))


def _before_stop(part: str, hits: list[Hit]) -> list[Hit]:
    """Return the hits before the first word that begins a description of a hit, such as "of".

    Return none if the question is about something with it: "what went wrong with the item".
    """
    if hits and WITH_IT.match(part[: hits[0].start]):
        return []
    stop = STOP.search(part, hits[0].end) if hits else None
    return [hit for hit in hits if stop is None or hit.start < stop.start()]
