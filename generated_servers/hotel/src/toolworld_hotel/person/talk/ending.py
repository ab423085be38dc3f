"""Rules for how an agent ends: it takes leave, or says that something has been done."""

from __future__ import annotations

from .patterns import any_of, one_of
from .sentences import Phrase

ENDS = any_of(r"""
    (?:anything|something|what|who|how) (?:else|more|further)
    any (?:other |more |further |additional )?(?:questions|concerns|requests|issues|help)
    (?:need|want) (?:any )?(?:more|further|additional|other) (?:help|assistance)
    (?:help|assist)(?: you)? (?:any )?further / need (?:anything|me)(?: again)?$
    have (?:an?|yourself an?)(?: [a-z]+){0,3}
        (?:day|one|evening|morning|afternoon|night|weekend|week|trip|flight|stay|time|holiday
        |rest)
    you're (?:very |most )?welcome(?! to) / see you(?: soon| then| there| tomorrow| on)
    (?:take care|good ?bye|bye|cheers|best wishes|good luck)$
    ^(?:good ?)?bye / (?:my|a) pleasure / enjoy (?:your|the) / hesitate to
    (?:glad|happy|pleased|pleasure|delighted)
        (?:(?:that )?(?:i|we|that) (?:could|was|were|got|helped|worked)|to have|that's)
    good luck / is that (?:it|all|everything)$ / all the best / (?:kind|best|warm) regards
    consider it done / wish(?:ing)? you an?
    you(?:'re| are|r) all (?:set|sorted|done|good)
    (?:thank you|thanks) for (?:choosing|shopping|flying|staying|being|your business)
    (?:reach out|contact (?:me|us)|get in touch|message (?:me|us)|write)(?: [a-z]+){0,2}
        (?:any ?time|again|if) / come (?:back )?any ?time
    safe (?:travels|trip|journey) / should you (?:have|need|require)
    (?:that|this)(?:'s| is| be) (?:all|everything)(?: from (?:me|us|my side))?$
    (?:help|assist)(?: you)? with (?:anything|something)
""")
NO_END = any_of(r"""
    (?:else|more|further)(?: .{0,60})?
        (?:should (?:i )?know|tell|share|remember|add|before|provide|know about|identify|verify
        |could be
        |might be|on the order|happened|wrong)
    no (?:further|more|other) / what more / any issues .{0,30}with
""")
DONE = one_of(r"""
    canceled / processed / refunded / updated / changed / submitted / booked / placed / sent / added
    removed / created / opened / scheduled / requested / completed / applied / issued / exchanged
    arranged / set(?: it)? up / made / registered / filed / renewed / extended / blocked / closed
    saved / rebooked / moved / swapped / started / initiated / switched / reserved / ordered
    raised / taken (?:(?:it|that|them|this|one) )?(?:back|off|out)
    recorded / transferred / modified / corrected / lifted / rescheduled / unblocked / reactivated
    credited / logged / escalated / put / signed / enrolled / taken care of / forwarded / marked
    passed (?:[a-z]+ ){1,3}on / paid / granted / waived / reset / deleted / assigned / shipped
    redirected / adjusted / emailed / mailed / noted / paused / taken down / upgraded / topped up
    withdrawn / published / approved / checked (?:you|them|him|her) (?:in|out)
""")
SOON = r"(?: (?:now|just|successfully|also|all|both|officially|gone ahead and|went ahead and)){0,3}"
I_DID = any_of(rf"""
    (?:i|we) (?:was|were) able to(?! (?:find|locate|see|pull|verify|confirm|check|look))
    (?:i|we)(?:'ve| have)?{SOON} {DONE}
    (?:i|we)(?:'ve| have)(?: [a-z]+){{1,5}} and(?: also)? {DONE}
    ^{DONE} (?:it|that|your|the|both|them|for)
    ^(?:[a-z]+ ){{1,2}}{DONE}$ / there you go
""")
IS_DONE = any_of(rf"""
    (?:has|have|it's|that's|they've){SOON} been{SOON} {DONE} / (?:has|have){SOON} gone through
    (?:is|are|it's|that's|they're|you're){SOON}
        (?:canceled|booked|done|completed?|all set|confirmed|set up|sorted|rescheduled|reserved
        |updated
        |changed|placed|renewed|refunded|in place|taken care of)
    ^(?:all )?(?:sorted|set|canceled|updated|booked|refunded|renewed|changed|sent)$
    ^(?:all )?done
    ^all (?:set|sorted) / went through / (?:was|were) (?:{DONE} )?successful(?:ly)?
""")
NOT_DONE = any_of(r"""
    already / if / once / when / after / until / before / would / can / could / never / not
    unless
    since / as soon as / because / originally / previously / as (?:it|you|i|we|they)
    confirmed as / that were / that was / which / let me
    see / ready to / yesterday / n't / will be / (?<!and )(?:nothing|no payment) (?:has|was|is)
""")


def ends(phrase: Phrase) -> bool:
    """Return whether a phrase takes leave, or asks if there is anything else."""
    return bool(ENDS.search(phrase.plain)) and not NO_END.search(phrase.plain)


def is_done(phrase: Phrase, after_refusal: bool) -> bool:
    """Return whether a phrase says that something has been done just now."""
    plain = phrase.plain
    if phrase.is_question or NOT_DONE.search(plain):
        return False
    return bool(I_DID.search(plain) or (IS_DONE.search(plain) and not after_refusal))
