"""Rules for what an agent tells: that it needs time or found nothing, a refusal, an offer."""

from __future__ import annotations

from .patterns import any_of, one_of
from .sentences import Phrase

# ---- a pause
AS_TIME = r"(?=[,.]|$| (?:while|to|and|please|so|for|as|here|now|if|i|before)\b)"
"""What follows a span of time; "a second choice" is none."""
MOMENT = any_of(rf"""
    (?<!in )(?<!in a )(?<!within )(?:one|a|this|few|couple of) (?:quick |short |brief 
        |few )?(?:moment|second|minute|sec|min|mo)s?{AS_TIME}
    bear with me / (?:hold|hang) on / please (?:wait|hold) / ^let me(?! know| have)
    (?:i'll|i'm going to|i will)(?: now| just| first| go| quickly)? (?:look|check|pull|see|find)
""")
GOES_AT_IT = any_of(r"""
    (?:i|we)(?:'ll| will|'m going to| am going to)(?! need| not| never| require)
    (?:i|we)(?:'m|'re| am| are)(?: now| currently| just)? [a-z]+ing / working on it
    right back / ^allow me to
    ^[a-z]+ing (?:now|that|this|it)
""")

# ---- nothing found
RECORD = (
    one_of("""
    account / customer / order / record / match / booking / result / profile / user / reservation
    member / guest / entry / information / trace / email / detail / name / number / purchase / item
    hit / appointment
""")
    + "(?:e?s)?"
)
NO_RESULT = any_of(r"""
    (?:n't|\bnot|\bunable to|\bnever)(?: (?:currently|actually|appear to|seem to|able to|be|even
        |yet|been|quite|exactly)){0,3}
        (?:find|finding|found|locate|locating|see|seeing|pull(?:ing)? up|bring(?:ing)? up|match
        |matching|recogni[sz]ed?|identify|verify|exist|getting|com(?:e|ing) up|appear|registered
        |on file|in (?:our|the|my) (?:system|records|database)|valid|a valid|associated|linked
        |connected|tied
        |show up|showing|return|returning|correspond|turn up)
""")
ABOUT_RECORDS = any_of(rf"""
    {RECORD} / anything / you / anyone / anybody / it / that / one / him / her
""")
NO_RECORD = any_of(rf"""
    (?:no|zero) (?:(?!longer)[a-z]+ ){{0,2}}{RECORD}(?: was| were| is| are| has been| that)?
        (?:found|match|matches|matching|exists?|under|with|for|associated|linked|on file|by|here
        |in (?:our|the|my)|comes?|came|registered|returned)
    (?:have|see|found|find|got|get|returns?|returned|there's|is|are) no(?: [a-z]+)? {RECORD}$
    n't (?:have|get|see|find|got) (?:any|an?) (?:[a-z]+ ){{0,2}}{RECORD}
    not found / no (?:match|results?|luck|record of) / c[oa]me up empty
    nothing (?:found|comes|came|under|matches|matched|shows|turns|turned|for (?:that|this))
    invalid (?:email|number|name|zipcode|order|code)
""")
NOT_MISSED = any_of(r"""
    (?:see|find|have|found|get) (?:any|a) (?:issue|problem|reason|fee|charge|difficulty
        |question)s?
    (?:have|get) (?:the |any |an? )?(?:authority|option|way|access|ability|permission|choice|tool
        |deal|discount|promotion|policy|stock|control|visibility|exact|other)
    see (?:why|how) / if / n't have to / get (?:a|any|the) refund
    return (?:it|the|this|that|your|an?)
    find (?:an?|any) (?:better|cheaper|other|way|option) / verify (?:that|whether|if)
    exact (?:match|date|time|amount)
""")

# ---- a refusal
UNABLE = any_of(r"""
    can't / unable to / not able to / impossible / no longer / ineligible / no exceptions
    no can do
    too late
    (?:is|are) (?:already |currently |completely )?(?:full(?! board)|fully booked|sold out)
    against (?:our|the|company|store|hotel|airline|my)
    (?:must|have to|has to|need to) (?:decline|refuse|deny|reject|say no) / hands are tied
    policy (?:strictly )?(?:prohibits|forbids|prevents|excludes)
    no (?:[a-z]+ ){1,3}(?:is|are|can be) (?:possible|allowed|available|accepted|permitted)
    ^(?:but )?only (?:[a-z]+ ){1,4}(?:can|may|is allowed|are allowed)
    we only (?:ship|deliver|accept|take|sell|offer|serve)
    (?:i|we) may not / nothing left to
    (?:i|we) (?:can|may) only(?! (?:see|find|guess|imagine|tell|confirm|offer|take a))
    (?:there are|are|have) no (?:[a-z-]+ ){1,3}(?:available|left|free|in stock)
    n't have (?:the |any )?(?:authority|permission|power|ability|access|means|option|way)
    (?:n't have|have no|there's no|are no|is no)(?: any)?(?: more)?
        (?:availability|stock|rooms?|tables?|openings?|slots?|seats?|copies|spaces?|vacanc(?:y
        |ies))
    no (?:way (?:to|for|i|we|around)|refunds?|returns|option to) / nothing (?:i|we|more i) can do
    won't
        (?:be able to|be possible|accept|refund|allow|honou?r|do|waive|approve|make|qualify
        |go through)
""")
NOT_POSSIBLE = any_of(r"""
    (?:n't|\bnot)(?: (?:currently|actually|really|be|been|usually|normally|able|going|to|something
        |anything|a thing|in a position|at liberty|we|i|that|us|me|even|longer)){0,3}
        (?:possible|eligible|allow(?:ed)?|permit(?:ted)?|qualify|returnable|able|feasible
        |accept(?:ed)?|offer(?:ed)?|provided?|issued?|supported|support|cover(?:ed)?
        |authori[sz]ed|an option|entitled|grant
        |waive|match|make (?:an |any )?exceptions?|approve|ship to|refund|exchange|cancel|change
        |let (?:me|us|you)|within (?:the|our|that|its)|do (?:that|this|it)|do$)
""")
OVER = any_of(r"""
    (?:window|period|deadline|term|promotion|offer|warranty)(?: .{0,40})?
        (?:closed|ended|expired|passed|(?:is|was) over|r[ua]n out|lapsed)
    (?:past|outside(?: of)?|beyond|missed) (?:the|our|your|its)(?: [a-z0-9-]+){0,3}
        (?:window|period|deadline|limit)
    (?:is|are|was|were|it's|marked|sold|bought|purchased)(?: as| on)?(?: an?)? final[ -]sale
    (?:falls|is|are) outside (?:of )?what
    (?:request|claim|application|appeal) (?:is|was|has been) (?:denied|declined|rejected)
""")
UNDONE = (
    "(?:change|cancel|charge|take|book|note|report|post|pay|write|add|refund|give|send|order|record"
    "|complete|remove|move|close|issue|register|ship|settle|clear|plan|save)"
)
NOTHING_DONE = any_of(rf"""
    (?:there's|there is|there are) (?:nothing|none)(?: left| more| else)? to {UNDONE}
    nothing(?: more| else| further)? is (?:possible|due|owed|left to pay)
    (?:i|we)(?:'ve| have)? (?:{UNDONE}(?:e?d|en|n)?|taken|wrote|written|paid|gave|sent) nothing
    (?:i|we)(?:'ve| have)? left (?:it|that|everything|all|them|the [a-z]+|your [a-z]+)
        (?:as|at|alone|unchanged|untouched)
    ^(?:so )?(?:i|we)(?: have| do| did)?n't (?:[a-z]+ )?{UNDONE}(?:e?d|en|n)?(?: .{{1,20}})?
        (?:again|twice|after all)
    (?:is|was) too early for (?:that|this|it)
""")
"""Says that everything is left as it is, without a word of refusal."""
REASON = any_of(r"""
    n't / not / past / passed / expired / closed / ended / is over / outside / already / last day
    deadline / only / final[ -]sale / sold out / out of stock / reached / exceeds? / exceeded
    must
    taken / gone / sold / full / (?:n't|not) refundable / unavailable
    non-?(?:returnable|refundable|transferable|changeable) / blocked / limited / fully booked
    no (?:option|exceptions?|way|more|availability|rooms?|seats?|stock)
""")
YET = any_of("without / until (?:i|we|you) / unless / before / if you (?:don't|can't)")
"""Words that follow a thing that cannot be done yet."""
NOT_REFUSED = any_of(r"""
    ^(?:until|before) (?:i|we|you) / ^(?:[a-z]+ ){0,2}if / ^(?:in the event|should) / in case
    whether / wonder / thank you enough / go wrong / no longer (?:than|have to|need) / promise
    guarantee / no problem / undone / undo (?:it|this|that) / afterwards / later on / after that
    n't (?:[a-z]+ )?(?:wait|worry|be any|need|have to|hesitate|mind|forget|catch|understand
        |follow|hear|get that
        |only|just)
    be (?:undone|reversed|reinstated|recovered|reverted|brought back)
    be (?:changed|switched|moved|turned|set) back
    can't (?:see|hear|read|guess|think|recall)
    (?:once|after) (?:i|you|we|this|that|canceled|canceling|confirming|registered|processed
        |confirmed)
    (?:once|after) (?:submitted|done|placed|completed|booked)
    (?:once|after)(?: [a-z']+){1,4}
        (?:registered|processed|confirmed|submitted|done|placed|canceled|completed|booked|changed
        |made)
    not (?:only|sure|just|yet|a problem|an issue) / password
""")

NOTHING_PAID = any_of("""
    nothing (?:has been|was|is|had been)(?: yet)? (?:paid|charged|taken)
    no payment (?:has been|was) (?:made|taken)
""")
"""Why no money goes back, which is no refusal of what money would go back for."""
CANNOT = any_of("can't / unable to / not able to / won't")
NOT_YET = any_of("n't (?:[a-z]+ )?yet")

# ---- an offer
PROPOSES = any_of(r"""
    alternative(?:ly|s)? / ^instead$ / (?:one|an)(?:other)? option (?:is|would)
    (?:an)?other (?:option|possibility|thing i can)s? / (?:as|be) an option
    (?:your|two|three|few|some|several|couple of) options / option (?:1|one|a)
    options (?:are|for you|available|include) / how about / (?:you would|would you) consider
    ^(?:maybe|perhaps) .{1,60}(?:would|could) / what about (?:a|an|the)
    ^(?:but |however,? )?what (?:i|we)(?: can|'m able to| could| am able to) (?:do|offer)
    (?:best|most|only thing|one thing) (?:i|we|that i)(?: can| could) (?:do|offer)
    (?:happy|glad|pleased|like|able) to (?:give you|throw in|send you an?|credit you|add an?)
    as an? (?:[a-z]+ )?(?:courtesy|gesture|one-time)
    (?:can|could|able to|happy to|like to|glad to|pleased to|may)(?: still| instead| also| only)?
        (?:offer|suggest|propose)
    (?:can|could|may) i (?:interest you|offer|suggest) / i(?:'d)? (?:suggest|recommend)
    ^if you(?:'d| would)? (?:like|prefer|want|wish)$
    ^if you(?:'d| would)? (?:like|prefer|want|wish|rather).{0,60} (?:i|we|you)(?: can| could
        |'d be)
    (?:i|we|you)(?: can|'d| could)[a-z0-9$.,' ]{2,80} if you(?:'d| would)? (?:like|prefer|want
        |wish)
""")
INSTEAD = any_of("instead")
POSSIBLE = any_of("""
    can / could / able / happy / would / might / may / possible / glad / option / available
    willing
    want / like / prefer / shall / should / only / i'd / we'd / you'd
""")
MAY_STILL = any_of(r"""
    (?:i|we|you)(?: can(?!'t)| could(?!n't)|'d be (?:able|happy|glad) to|'m (?:able|happy) to
        | are able to| may)
    you(?:'re| are) (?:welcome|free) to
""")
NO_OFFER = any_of(r"""
    can(?: still| only| also)? (?:confirm|see|tell|find|help|assist|look|check|understand|imagine
        |be)
""")


def waits(phrase: Phrase) -> bool:
    """Return whether an agent asks for time, or announces its next step."""
    return bool(MOMENT.search(phrase.plain) or GOES_AT_IT.search(phrase.plain))


def pauses(phrase: Phrase) -> bool:
    """Return whether an agent asks for time for a next step."""
    return bool(MOMENT.search(phrase.plain))


def finds_none(phrase: Phrase) -> bool:
    """Return whether a phrase says that nothing was found by what the person said."""
    plain = phrase.plain
    if NO_RECORD.search(plain):
        return True
    missed = NO_RESULT.search(plain) and ABOUT_RECORDS.search(plain)
    return bool(missed) and not NOT_MISSED.search(plain)


def refuses(phrase: Phrase) -> bool:
    """Return whether a statement refuses the person's wish."""
    plain = phrase.plain
    if phrase.is_question or NOT_REFUSED.search(plain):
        return False
    if NOTHING_PAID.search(plain) and not CANNOT.search(plain):
        return False
    if NOTHING_DONE.search(plain):
        return True
    if NOT_YET.search(plain) and not UNABLE.search(plain):
        return False
    unable = UNABLE.search(plain) or NOT_POSSIBLE.search(plain) or OVER.search(plain)
    if unable:
        return not YET.search(plain, unable.end())
    return phrase.regretted and bool(REASON.search(plain))


def gives_reason(phrase: Phrase) -> bool:
    """Return whether a statement could be the reason for a refusal: "It was paid already."."""
    return not phrase.is_question and bool(REASON.search(phrase.plain))


def offers(phrase: Phrase, after_refusal: bool) -> bool:
    """Return whether a phrase proposes an alternative to the person's wish."""
    plain = phrase.plain
    if PROPOSES.search(plain):
        return True
    if (
        INSTEAD.search(plain)
        and not plain.startswith("what ")
        and (phrase.is_question or POSSIBLE.search(plain))
    ):
        return True
    if not after_refusal or phrase.is_question:
        return False
    return bool(MAY_STILL.search(plain)) and not NO_OFFER.search(plain)
