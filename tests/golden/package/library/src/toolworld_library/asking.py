"""Rules for what an agent asks: for a fact, or for a yes.

Each rule is a table of phrases in plain spelling (see ``sentences.plain``) and a small function
that reads one phrase by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .patterns import any_of
from .sentences import Phrase
from .telling import AS_TIME, MOMENT
from .topics import Hit, Topics

POLITELY = r"(?: please| also| just| first| then| perhaps| all| still| so| really| [a-z]+ly){0,3}"
WH_WORD = any_of("what / which / where / when / how / who / whose / why")

# ---- for a yes
GO_ON = any_of(r"""
    go (?:ahead|on) / proceed / continue / move (?:forward|ahead) / carry on / confirm
""")
SEEKS = any_of(rf"""
    (?:shall|should) (?:i|we)(?! (?:know|expect|bother|call you|look for|use to))
    (?:may|can|could|will) (?:i|we)
        (?!{POLITELY} (?:have|get|ask|know|help|assist|do for|take your|grab|see|be of|bother|trouble
        |call you|expect|interest you|offer|suggest))
    (?:do|would|did|don't|wouldn't) you{POLITELY} (?:want|like|prefer|wish|rather)
    would you{POLITELY} be (?:ok|happy|fine|willing|interested|open|comfortable|good)
    would you mind if / ^(?:want|like) (?:me|us|to|it|that)
""")
DETAILS = (
    r"(?:it|everything|(?:all|all of) (?:this|that|these)|(?:that|this|these|those)(?: [a-z]+)?"
    r"|(?:the|your|all the) [a-z]+(?: [a-z]+){0,3})"
)
IS_RIGHT = any_of(rf"""
    (?:is|are|will|would|does|do)(?:n't)? {DETAILS}(?: all| still| both| be){{0,2}}
        (?:ok|fine|alright|all right|correct|right|acceptable|good|accurate|suitable|what you|work
        |sound|suit|look)
    (?:are|would) you(?: be| still| all| both){{0,2}}
        (?:ok|happy|fine|comfortable|good|willing|ready|interested|alright|agreed|content|keen)
    are you(?: absolutely| quite| really)? (?:sure|certain)(?:$| (?:you(?:'d| want| would| wish)|about))
    ^would (?:[a-z0-9]+ ){{1,4}}(?:work|suit|be (?:an option|all right|alright|ok|fine|acceptable|better|possible|good))
    ^(?:still |also )?(?:want|wanna|happy|ok|fine|ready|good|alright|interested|keen|comfortable|cool|up)
        (?:to|for|with|me)
    (?:have|did) i (?:got|get|understood|understand) (?:that|this|it|you|everything)
""")
AGREES = any_of(rf"""
    (?:do|will|would|can|could) you{POLITELY} (?:agree|accept|consent|approve|authori[sz]e|confirm$)
    (?:^|,) ?(?:is )?(?:sounds? good|ok|agreed|deal|correct|right|alright|all right|fair enough|yes)$
    ^(?:[a-z]+ )?(?:proceed|go ahead|confirm|good to go|ready|looks? good)(?: then| now)?$
    yes or no / y/n / yes/no / ^(?:so )?you(?:'d)?(?: still| really)? (?:want|like|wish)
""")
CONSENT = (
    r"(?:confirmation|approval|go-?ahead|consent|ok|permission|authori[sz]ation|agreement|yes)"
)
SAY_YES = any_of(rf"""
    (?:say|reply|respond|answer|type|write)(?: with)?(?: a| simple| clear)* \(?['"]?(?:yes|confirm|ok)
    (?:get|have|need|want) an? (?:[a-z]+ )?(?:yes|ok|go-?ahead) / (?:like|love|appreciate) your {CONSENT}
    just say (?:the word|so) / yes or no / yes/no / ^i'll wait for your {CONSENT}
    (?:need|require|wait for|waiting for|await|awaiting|give me) (?:your|an?|the|explicit)
        (?:[a-z]+ ){{0,2}}{CONSENT}
    (?:have|want|get|with|upon|provide|give) your (?:[a-z]+ ){{0,2}}{CONSENT}
    let (?:me|us) know (?:if|whether)
        (?:you(?:'d|'re| would| are| want| wish| agree| accept| confirm)|i should|i may|we should
        |i can (?:go|proceed)|to (?:go|proceed)|(?:that|this|it|everything)(?:'s| is| works| sounds
        | looks))
    (?:once|if|when|as soon as|after) you
        (?:agree|approve|accept|say yes|give me (?:the|a) (?:go|green|ok|nod)|are (?:ok|happy|fine|ready))
    (?:once|if|when|as soon as|after) you(?:'ve)? confirm(?:ed)?(?! (?:which|what|your|the (?!above|details
        |cancellation|return|order is|exchange|booking|change)|that your|whether the))
    (?:once|if|when|as soon as|after) you're (?:ok|happy|fine|good|ready)
    (?:once|if|when) (?:that|this|it|everything)(?:'s| is| all|)
        (?:ok|fine|works|sounds|looks|correct|alright|acceptable|good)
    (?:once|if|when) i have your {CONSENT} / (?:tell|give) me (?:to (?:go|proceed)|the go)
""")
CONFIRM = any_of(rf"""
    ^(?:re-?)?(?:confirm|verify) / ^double[- ]check
    (?:please|kindly|just|and|(?:can|could|would|will|need|ask|asking|want|like) you(?: to)?){POLITELY}
        (?:(?:re-?)?(?:confirm|verify)|double[- ]?check)
    (?:please|(?:can|could|would|will) you){POLITELY} check
""")
WISHES = re.compile(
    r"(?:that |if |whether )?you(?:'d|'re| would| want| wish| agree| understand| accept| still| are"
    r"| approve)\b"
)
BELONGS = any_of("of / for / on / in / with / so / to / from / before / associated")
CHOICE = any_of(r"""
    or(?! (?:not|no|is there|was there|shall i (?:leave|keep)|something|anything|would you (?:rather|prefer) not)\b)
""")

# ---- for a fact
INFORM = (
    r"(?:provide|give|share|tell|specify|state|supply|enter|clarify|describe|list|indicate|remind"
    r"|mention|type|submit|include|select|choose|explain|pick|let (?:me|us) know|reply with"
    r"|respond with|start with|spell|elaborate|rephrase|repeat|pop|drop|leave|quote|key in|fill in|read|send(?= (?:me|us|over|through|in|your|across|the"
    r" (?:order|email|name|number))))"
)
ELSEWHERE = (
    r"(?! ?: ?[^ ]| (?:you|him|her|them|back|a refund|the (?:items?|products?|package|parcel))\b)"
)
INFORMS = re.compile(rf" ?(?:to )?{INFORM}\b")
REQUEST = any_of(rf"""
    ^{INFORM}{ELSEWHERE}(?: me| us)?(?: with)?
    (?:please|kindly|you|you to|able to|help me by|start by|ahead and|just){POLITELY}
        {INFORM}{ELSEWHERE}(?: me| us)?(?: with)?
    (?:mind|by) (?:providing|giving|sharing|telling|sending|confirming)(?: me| us)?
    (?:tell|give|send|show|remind) (?:me|us)
    (?:mind|would you mind){POLITELY} (?:providing|giving|sharing|telling|sending|confirming)(?: me| us)?
    let me have / let's start with / hit me with / (?:once|when|if) (?:i|we) have(?= (?:your|an?|the|that|this)) / be more specific
    look (?:that|it|this|you|your [a-z]+) up (?:with|by|under|using) / help to have
    (?:may|can|could|might) (?:i|we){POLITELY} (?:have|get|ask|know|grab|take|see|bother you for)
    (?:i|we)(?:'ll| will|'d| would|'m going to| am going to| do)?(?: also| just| only| first| still){{0,2}}
        (?:(?:want|like|have|need) to (?:know|ask|have|verify|see|get|confirm)|need|require|must ask)
    ^(?:just |also |still |then |and |will )?need(?:ing)?
    (?:i|we)(?:'m|'re| am| are)? (?:still |just |only )?(?:missing|lacking|looking for)
    (?:i|we) (?:still |just )?(?:don't|haven't|didn't)(?: yet)? (?:see|have|get|catch|got|received?)(?= your)
    (?:can't|unable to|n't able to|not able to|won't be able to)\b.{{0,60}}
        (?:without|until (?:i|we|you) (?:have|get|verify|confirm|know|provide|give|share|tell))
    (?:do|would|can) you (?:happen to )?(?:have|know|remember|recall) / have you got
""")
NEGATED = re.compile(
    r"(?:n't|\bnot|\bno need(?: for you)?|\bnever|\bno longer|\bwithout)"
    r"(?: (?:need|have|to|you|i|even|ever|please|be|able|really|actually)){0,4} ?$"
)
TRAILING = any_of(r"""
    ,? please$ / (?:is|are) (?:also |still )?(?:needed|required|missing) / needed$ / required$
    (?:would|'d|will) (?:be (?:helpful|great|useful|good|appreciated|perfect|enough|nice|fine)|help|do)
    is (?:enough|fine|sufficient|all i need)
""")
IN_ITSELF = any_of("clarify / elaborate / explain / rephrase / repeat / specific")
ONLY_NAMED = re.compile(
    r"(?:^|: )(?:and |also )?your (?!.*\b(?:is|are|was|were|has|have|will|can|must)\b)(?:[a-z]+ ?){1,4}$"
)
NOT_ASKED = re.compile(
    r"(?:$|thank|to (?!know|verify|confirm|identify)"
    r"|(?:an? |some |about |up to |only |just |one |few |couple of |[0-9]+ ){1,3}(?:[a-z]+ )?"
    r"(?:moment|minute|second|sec|min|day|hour|time|bit (?:of time|longer|to))s?"
    rf"{AS_TIME})"
)
BACK = re.compile(
    r"(?:how|what) you(?:'d| would) (?:like|want|prefer) (?:me |us )?(?:to )?(?:proceed|go|continue|do)"
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
    so / to / for / from / on / in / with / of / that / which / who / used? / we / you / associated
    linked / connected / attached / before / because / as / if / while / when / where / under / at / by
    i / the / your / my / our / this / these / it / is / are / was / were / until / after / need / needs
""")
CONJUNCT = re.compile(
    r",| and (?:also )?| or | plus | as well as | (?:along|together) with | & |[():/;]"
)
ASKS_BY = any_of(r"""
    what / which / who / whose / when / where / how / why / is / are / was / were / do / does / did
    have / has
""")
IDLE = any_of(r"""
    how(?:'s| is| are) (?:you|your day|it going|things|everything) / make sense$ / guess what / isn't it$
    does (?:that|this|it|all that) make sense / still (?:there|with me) / why not$ / you know what
""")
ABOUT_IT = any_of(r"""
    (?:is|are|was|were) (?:it|that|this|they|these)(?: the)?(?: definitely| really)?
        (?:right|correct|spelled|typed|accurate|exact|complete|the one)
    (?:another|a different|any other|some other) [a-z]+
    (?:double[- ]?check|check|verify|confirm|repeat|send|share|tell me|give me|provide|re-?send|spell|re-?enter|try) (?:it|that|this|them)
    (?:typo|mistake|misspelled|misspelt)
""")
FILLED = re.compile(r": ?\S|[0-9]|(?:\S+ ){7}")


def asks_yes(phrase: Phrase, topics: Topics) -> bool:
    """Return whether a phrase seeks the person's agreement, not one of the facts."""
    words = phrase.plain
    if SAY_YES.search(words):
        return True
    confirm = CONFIRM.search(words)
    if confirm is not None and not _is_negated(words, confirm.start()):
        what = words[confirm.end() :].strip()
        if WH_WORD.match(what) or confirm[0].endswith("check"):
            return False
        return bool(WISHES.match(what)) or not topics.found(BELONGS.split(what, maxsplit=1)[0])
    if not phrase.is_question:
        return False
    seeks = SEEKS.search(words)
    if seeks and _is_open(words, seeks):
        return False
    return bool(seeks or IS_RIGHT.search(words) or AGREES.search(words))


def _is_open(words: str, seeks: re.Match[str]) -> bool:
    """Return whether more than a yes or a no is sought: a choice, or a thing to be told."""
    if WH_WORD.search(words[: seeks.start()]) or INFORMS.match(words[seeks.end() :]):
        return True
    return bool(CHOICE.search(words, seeks.end())) and not GO_ON.search(words)


def goes_on(phrase: Phrase) -> bool:
    """Return whether a phrase is about going on with what was talked of."""
    return bool(GO_ON.search(phrase.plain))


def is_about_it(phrase: Phrase) -> bool:
    """Return whether a phrase asks back about what was spoken of: "is that spelled right?"."""
    words = phrase.plain
    return bool(ABOUT_IT.search(words)) and (phrase.is_question or bool(CONFIRM.search(words)))


def asked(phrase: Phrase, topics: Topics) -> list[str] | None:
    """Return the facts a phrase asks for; None if it asks for none, empty if for another thing."""
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
    """Return the facts that a request names; None if it is none, or only goes back to one."""
    wanted = words[request.end() :].strip(" ,")
    if _is_negated(words, request.start()):
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
    """Return whether a request is for what was named before, or for who the person is."""
    words = phrase.plain
    request = REQUEST.search(words) or CONFIRM.search(words)
    wanted = words[request.end() :].strip() if request else ""
    return request is not None and bool(not wanted or BACK.match(wanted) or WHO.search(wanted))


def _is_negated(words: str, start: int) -> bool:
    return bool(NEGATED.search(words[max(0, start - 60) : start]))


def asked_in_list(phrase: Phrase, topics: Topics) -> list[str] | None:
    """Return the facts that an item of a list asks for; None if the list is none of requests."""
    confirms = CONFIRM.search(phrase.opener)
    if phrase.is_question or not (confirms or REQUEST.search(phrase.opener)):
        return None
    names = _names(phrase.plain, topics)
    return None if confirms and (FILLED.search(phrase.plain) or not names) else names


def _names(words: str, topics: Topics) -> list[str]:
    """Return the facts that some words ask for: what stands for a purpose is left out."""
    return list(dict.fromkeys(hit.name for hit in _wanted(words, topics)))


def _wanted(words: str, topics: Topics) -> Iterator[Hit]:
    for number, part in enumerate(CONJUNCT.split(words)):
        part = part.strip()
        if not (number and PURPOSE.match(part)) and not LACKED.search(part):
            yield from _before_stop(part, topics.found(part))


def _before_stop(part: str, hits: list[Hit]) -> list[Hit]:
    """Return the hits before any word that goes on to what the first one belongs to.

    None where a question is about something with it: "what went wrong with the item".
    """
    if hits and WITH_IT.match(part[: hits[0].start]):
        return []
    stop = STOP.search(part, hits[0].end) if hits else None
    return [hit for hit in hits if stop is None or hit.start < stop.start()]
