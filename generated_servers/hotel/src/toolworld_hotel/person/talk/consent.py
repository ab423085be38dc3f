"""Rules for whether an agent seeks the person's agreement."""

from __future__ import annotations

import re

from .asking import CONFIRM, INFORMS, POLITELY, WH_WORD, is_negated
from .patterns import any_of
from .sentences import Phrase
from .topics import Topics

GO_ON = any_of(r"""
    go (?:ahead|on) / proceed / continue / move (?:forward|ahead) / carry on / confirm
""")
SEEKS = any_of(rf"""
    (?:shall|should) (?:i|we)(?! (?:know|expect|bother|call you|look for|use to))
    (?:may|can|could|will) (?:i|we)
        (?!{POLITELY} (?:have|get|ask|know|help|assist|do for|take your|grab|see|be of|bother
        |trouble
        |call you|expect|interest you|offer|suggest))
    (?:do|would|did|don't|wouldn't) you{POLITELY} (?:want|like|prefer|wish|rather)
    would you{POLITELY} be (?:ok|happy|fine|willing|interested|open|comfortable|good)
    would you mind if / ^(?:want|like) (?:me|us|to|it|that)
""")
WOULD_LIKE = any_of("(?:would|do|don't|wouldn't) you(?: [a-z]+)? (?:like|want|prefer|rather|care)")
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
    are you(?: absolutely| quite| really)? (?:sure|certain)(?:$| (?:you(?:'d| want| would| wish)
        |about))
    ^would (?:[a-z0-9]+ ){{1,4}}(?:work|suit|be (?:an option|all right|alright|ok|fine|acceptable
        |better|possible|good))
    ^(?:still |also )?(?:want|wanna|happy|ok|fine|ready|good|alright|interested|keen|comfortable
        |cool|up)
        (?:to|for|with|me)
    is (?:this|that|it) the .{{1,40}} you(?:'d| would| want| wish| mean)
    (?:have|did) i (?:got|get|understood|understand) (?:that|this|it|you|everything)
""")
AGREES = any_of(rf"""
    (?:do|will|would|can|could) you{POLITELY} (?:agree|accept|consent|approve|authori[sz]e
        |confirm$)
    (?:^|,) ?(?:is )?(?:sounds? good|ok|agreed|deal|correct|right|alright|all right|fair enough
        |yes)$
    ^(?:[a-z]+ )?(?:proceed|go ahead|confirm|good to go|ready|looks? good)(?: then| now)?$
    ^(?:you )?(?:ok|good|happy|fine|cool) (?:with|w) / yes or no / y/n / yes/no
    ^(?:so )?you(?:'d)?(?: still| really)? (?:want|like|wish)
""")
CONSENT = (
    r"(?:confirmation|approval|go-?ahead|consent|ok|permission|authori[sz]ation|agreement|yes)"
)
SAY_YES = any_of(rf"""
    (?:say|reply|respond|answer|type|write)(?: with)?(?: a| simple| clear)* \(?['"]?(?:yes
        |confirm|ok)
    (?:get|have|need|want) an? (?:[a-z]+ )?(?:yes|ok|go-?ahead)
    (?:like|love|appreciate) your {CONSENT}
    just say (?:the word|so) / yes or no / yes/no / ^i'll wait for your {CONSENT}
    (?:need|require|wait for|waiting for|await|awaiting|give me) (?:your|an?|the|explicit)
        (?:[a-z]+ ){{0,2}}{CONSENT}
    (?:have|want|get|with|upon|provide|give) your (?:[a-z]+ ){{0,2}}{CONSENT}
    let (?:me|us) know (?:if|whether)
        (?:you(?:'d|'re| would| are| want| wish| agree| accept| confirm)|i should|i may|we should
        |i can (?:go|proceed)|to (?:go|proceed)|(?:that|this|it|everything)(?:'s| is| works
        | sounds
        | looks))
    (?<!for )(?:once|if|when|as soon as|after) you
        (?:agree|approve|accept|say yes|give me (?:the|a) (?:go|green|ok|nod)|are (?:ok|happy
        |fine|ready))
    (?:once|if|when|as soon as|after) you(?:'ve)? confirm(?:ed)?(?! (?:which|what|your
        |the (?!above|details
        |cancellation|return|order is|exchange|booking|change)|that your|whether the))
    (?<!for )(?:once|if|when|as soon as|after) you're (?:ok|happy|fine|good|ready)
    (?:once|if|when) (?:that|this|it|everything)(?:'s| is| all|)
        (?:ok|fine|works|sounds|looks|correct|alright|acceptable|good)
    (?:once|if|when) i have your {CONSENT} / (?:tell|give) me (?:to (?:go|proceed)|the go)
""")
WISHES = re.compile(
    r"(?:that |if |whether )?you(?:'d| would| want| wish| agree| understand| accept| approve"
    r"|(?:'re| are) (?:ok|happy|sure|willing|ready|fine|comfortable|still))\b"
)
AGREED_TO = any_of(r"""
    ^(?:that |if |whether )?(?:this|that|these|those|it|everything|i|we|with|and|by|before|here|so
        |yes|or)
    ^(?:that |if |whether )?(?:the|your|all|all the|my)(?: [a-z]+){0,2}
        (?:details?|above|following|information|summary|cancellation|booking|return|exchange|order
        |purchase|request|change|refund|payment|reservation|appointment|choice|decision|transaction
        |upgrade|renewal|removal|plan|terms|fee|charge|amount|price|total|update|transfer|selection
        |item)s?
""")
"""Things that a person confirms with a yes, not by telling them."""
BELONGS = any_of("of / for / on / in / with / so / to / from / before / associated")
CHOICE = any_of(r"""
    or(?! (?:not|no|is there|was there|shall i (?:leave|keep)|something|anything
        |would you (?:rather|prefer) not)\b)
""")


def asks_yes(phrase: Phrase, topics: Topics) -> bool:
    """Return whether a phrase seeks the person's agreement, not one of the facts."""
    words = phrase.plain
    if SAY_YES.search(words):
        return True
    confirm = CONFIRM.search(words)
    if confirm is not None and not is_negated(words, confirm.start()):
        what = words[confirm.end() :].strip()
        if WH_WORD.match(what) or confirm[0].endswith("check"):
            return False
        if topics.found(BELONGS.split(what, maxsplit=1)[0]):
            return bool(WISHES.match(what))
        return not what or bool(WISHES.match(what) or AGREED_TO.match(what))
    if not phrase.is_question:
        return False
    seeks = SEEKS.search(words)
    if seeks and _is_open(words, seeks):
        return False
    return bool(seeks or IS_RIGHT.search(words) or AGREES.search(words))


def _is_open(words: str, seeks: re.Match[str]) -> bool:
    """Return whether a phrase seeks more than a yes or a no: a choice, or something told."""
    # "Shall I give you the points?" is answered by a yes: it is the agent who gives.
    informs = not seeks[0].endswith((" i", " we")) and INFORMS.match(words[seeks.end() :])
    if informs or WH_WORD.search(words[: seeks.start()]):
        return True
    return bool(CHOICE.search(words, seeks.end())) and not GO_ON.search(words)


def wishes(phrase: Phrase) -> bool:
    """Return whether a question asks if the person would like something."""
    likes = WOULD_LIKE.search(phrase.plain) if phrase.is_question else None
    return likes is not None and not WH_WORD.search(phrase.plain[: likes.start()])


def goes_on(phrase: Phrase) -> bool:
    """Return whether a phrase is about going ahead with something."""
    return bool(GO_ON.search(phrase.plain))
