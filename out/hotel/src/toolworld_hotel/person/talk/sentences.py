"""Splits a message into phrases, each with its words in one spelling.

Quoted lines are left out, and so are longer quotations, except for the values in them. An item
of a list knows the line that opens the list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...values import MAX_TEXT, fold
from .patterns import any_of, one_of
from .stated import values_in

LONGEST_NAME = 3
"""The most words in quotation marks that count as a name or an answer, such as "yes"."""

# ---- the text
BULLET = re.compile(r"^[ \t]*\*[ \t]", re.MULTILINE)
PLAIN = str.maketrans(
    {"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": ";", "…": ".", "|": ",", "`": "",
     "*": "", "\xa0": " "}
)  # fmt: skip
LINK = re.compile(r"https?://\S+")
QUOTATION = re.compile(r'(?<!\S)"(?=\S)([^"\n]+)(?<=\S)"(?!\w)')
ITEM = re.compile(r"(?:[-•+·]|\(?\d{1,2}[.)]|\(?[a-z]\)) +")
OPENS = re.compile(r":$|\b(?:following|these|below|either|both)\b")

# ---- sentences and phrases
SENTENCE_END = re.compile(r"[.!?]+[\"')\]]*(?= |$)")
ABBREVIATION = re.compile(
    r"(?:^|[ (])(?:e\.g|i\.e|mr|mrs|ms|dr|nr|approx|incl|vs|st|etc|[a-z]|jan|feb|mar|apr|jun|jul"
    r"|aug|sept?|oct|nov|dec|(?:order|ref|account|booking|customer|phone|tel|case) no)$"
)
INVERTED = (
    r"(?:can|could|may|might|would|will|shall|should|do|does|did|is|are|was|were|have|has)(?:n't)?"
    r" (?:you|i|we|it|this|that|there|these|those|they|the|your|my|one|any|all|everything)\b"
    r"(?! (?:have|need|require|wish|want) (?:any|to|more|further))"
)
WH_INVERTED = (
    r"(?:what|which|who|whose|when|where|how|why)"
    r"(?:'?s\b|'re\b| (?:is|are|was|were|do|does|did|don't|would|should|can|could|will)\b)"
    r"|how (?:many|much|long|about)\b|what about\b"
)
STARTS_ANEW = (
    rf"(?:(?:please|kindly|let me know|tell me) |{INVERTED}|{WH_INVERTED}|anything else\b"
    r"|(?:i|we)(?:'ll|'m|'d|'ve|'re| will| can| would| could| am| are)? |you(?: can| could|'ll|'d) "
    r"|(?:it|this|that)(?:'s| is| was| will| would| can| cannot| can't"
    r"| could| may| must| should| has| had| won't|'ll|'d) |want (?:it|me|that)\b)"
)
BREAK = re.compile(
    rf"; ?| -{{1,3}} |: (?={INVERTED})|, (?=(?:just|only) (?:your|the)\b)"
    rf"|,? (?=(?:but|however|though|although)\b)"
    rf"|(?:,|,? (?:and|so|then)|, or) (?={STARTS_ANEW})",
    re.IGNORECASE,
)
RELATIVE = re.compile(r"(?:which|who|whose|where|when) (?!(?:would|do|did|should) (?:you|i|we)\b)")
"""The beginning of a phrase that describes a word of the phrase before it."""
TAG = re.compile(
    r"(?:do|does|is|are|can|could|will|wo|would|did|have|has|was)(?:n't)?"
    r" (?:you|it|that|we|i|they|he|she)"
)
"""The end of a statement that makes it a question: "you have the number, don't you?"."""
OWN_PART = re.compile(r"(?:i|we)\b")
"""The beginning of a phrase that, after a question, says what the agent will do."""
GREETING = one_of("""
    ok / and / so / also / then / alright / all right / great / thanks / thank you / hi / hello
    hey
    perfect / sure / right / now / well / wait / yep / yeah / k / np / thx / ty / cool / got it
    sure can
    sure thing / of course / noted / understood / finally / lastly / first / just / good / last one
    one more thing / but / however / yes / no / hmm / or
""")
OPENING = re.compile(rf"(?:{GREETING}(?: (?:there|so much|very much|again|you))?\b[,!. ]*){{1,4}}")
QUESTION = re.compile(
    r"(?!what (?:is|are|was|were) [a-z]+ed (?:before|earlier|already|so far)\b)"
    rf"(?:{INVERTED}|{WH_INVERTED}|(?:which|what|whose) [a-z]+(?: [a-z]+)?$"
    r"|(?:which|what|whose) (?:[a-z]+ ){1,3}(?:do|did|does|would|should|can) (?:you|i|we)\b"
    r"|(?:which|what|whose) (?:[a-z]+ ){1,4}(?:should|shall|may|can|could) (?:be|pay|it|go)\b"
    r"|(?:would|does|will) (?:[a-z0-9]+ ){1,3}(?:work|suit|do|help|be (?:ok|fine|better))\b)"
)

# ---- spelling
SPELLINGS = tuple(
    (re.compile(pattern), word)
    for pattern, word in (
        (r"\b(order|booking|reservation|return|case) ?(?:no\.?|ids?|nr)(?![\w-])", r"\1 number"),
        (r"\b(order|booking|reservation|return|case) #(?!\w)", r"\1 number"),
        (r"\be ?-? ?mail(?: address(?:es)?| ids?)?\b", "email"),
        (r"\b(?:zip ?codes?|postal codes?|post ?codes?|zips?)\b", "zipcode"),
        (r"\b(product|item|article)(?:'s)? (?:name|title)\b", r"\1"),
        (r"\b(?:name|title) of (?:the |your |that )?(product|item|article)\b", r"\1"),
        (r"\b(?:tele|cell|mobile) ?phone\b|\bmobile number\b", "phone"),
        (r"\bu\b", "you"), (r"\bur\b", "your"), (r"\bpl[sz]\b", "please"), (r"\bok(?:ay)?\b", "ok"),
        (r"\b(what|that|who|where|it|there|how)s\b", r"\1's"), (r"\bim\b", "i'm"),
        (r"\b(ca|wo|do|does|did|is|are|was|were|would|could|should|has|have)nt\b", r"\1n't"),
        (r"\bi(?:ll|d) (?=need|just|like|be|also|have)", r"i'll "), (r"\byoure\b", "you're"),
        (r"\b(?:cannot|can not)\b", "can't"), (r"\bwill not\b", "won't"), (r"\bive\b", "i've"),
        (r"\b(did|do|does|is|are|was|were|has|have|could|should|would) not\b", r"\1n't"),
        (r"\bcancel(?:led|ed)\b", "canceled"), (r"\bcancelling\b", "canceling"),
        (r"\bwhy don't you\b", "please"),
        (r"\b(what|that|which|whatever) you name\b", r"\1 you say"),
    )
)  # fmt: skip

ANY_SPELLING = re.compile("|".join(pattern.pattern for pattern, _ in SPELLINGS))
"""All of them in one pattern: most phrases have none, and one search is quicker than many."""

# ---- regret
REGRETS = any_of("""
    sorry / unfortunately / afraid / regret / regrettably / apologi[sz]e / sadly / alas
    ^no(?:pe)?,
""")
SYMPATHY = any_of(r"""
    (?:sorry|apologi[sz]e|apologies|regret)(?: so much| again| once again)? (?:to hear
        |for (?!that)|about)
    (?:sorry|apologi[sz]e) (?:to (?:bother|keep|learn)|that (?:you|it|your|the|this)|you
        |this happened)
    sorry (?:that )?i (?:couldn't|can't) (?:do|be|help|offer|give you a)
""")


class Phrase(NamedTuple):
    """A part of a message that says one thing.

    Attributes:
        written: The words as they stand, for values.
        plain: The same words, folded and in one spelling, for patterns.
        is_question: Whether it asks, by its mark or by the order of its words.
        opener: For an item of a list, the plain line that opens the list; else empty.
        opens: Whether it opens a list.
        beside_question: Whether it is only a few words of a sentence that ends in a question mark.
        regretted: Whether its sentence, or a bare "I'm sorry." before it, voices a regret.
    """

    written: str
    plain: str
    is_question: bool
    opener: str = ""
    opens: bool = False
    regretted: bool = False
    beside_question: bool = False


def phrases_of(text: str) -> Iterator[Phrase]:
    """Yield the phrases of a message, in its order."""
    text = BULLET.sub("- ", text[:MAX_TEXT]).translate(PLAIN)
    text = QUOTATION.sub(_without_words, LINK.sub(" ", text))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith(">")]
    opener = ""
    for index, line in enumerate(lines):
        item = ITEM.match(line)
        if item is not None:
            yield from _of_item(line[item.end() :], opener)
            continue
        is_opener = bool(ITEM.match(" ".join(lines[index + 1 : index + 2])))
        opener = ""
        if is_opener and OPENS.search(line.lower()):
            *_, (opener, _) = _sentences(line)
        yield from _of_line(line.lstrip("# "), opens=bool(opener))


def _without_words(quotation: re.Match[str]) -> str:
    """Return the values of a quotation, or all of it if it is short."""
    quoted = quotation[1]
    if len(quoted.split()) <= LONGEST_NAME:
        return f" {quoted} "
    return ", ".join(quoted[stated.start : stated.end] for stated in values_in(quoted))


def _of_item(line: str, opener: str) -> Iterator[Phrase]:
    """Yield the phrases of a list's item; only the first one knows the list's opening line."""
    for index, phrase in enumerate(_of_line(line)):
        yield phrase if index else phrase._replace(opener=plain(opener))


def _of_line(line: str, opens: bool = False) -> Iterator[Phrase]:
    sentences = list(_sentences(line))
    regretted = False
    for index, (sentence, marked) in enumerate(sentences):
        is_last = index == len(sentences) - 1
        phrases = list(_of_sentence(sentence, marked))
        regretted = regretted or any(is_regret(phrase.plain) for phrase in phrases)
        for phrase in phrases:
            yield phrase._replace(regretted=regretted, opens=opens and is_last)
        regretted = regretted and len(sentence.split()) <= LONGEST_NAME


def _of_sentence(sentence: str, marked: bool) -> Iterator[Phrase]:
    """Yield the phrases of a sentence; its question mark belongs to the last if no other asks."""
    parts = [part for part in BREAK.split(sentence) if part]
    words = [plain(part) for part in parts]
    asks = [
        bool(QUESTION.match(bare(each))) and not (number and RELATIVE.match(each))
        for number, each in enumerate(words)
    ]
    if len(parts) > 1 and TAG.fullmatch(words[-1]):
        asks[-2:] = [True, False]
    elif marked and parts and not any(asks):
        asks[-2 if len(parts) > 1 and OWN_PART.match(words[-1]) else -1] = True
    for part, plain_words, is_question in zip(parts, words, asks, strict=True):
        few = marked and len(part.split()) <= LONGEST_NAME
        yield Phrase(part, plain_words, is_question, beside_question=few)


def _sentences(line: str) -> Iterator[tuple[str, bool]]:
    """Yield each sentence of a line, and whether it ends in a question mark."""
    start = 0
    for end in SENTENCE_END.finditer(line):
        before = line[max(start, end.start() - 12) : end.start()].lower()
        if not end[0].startswith(".") or not ABBREVIATION.search(before):
            yield line[start : end.start()].strip(), "?" in end[0]
            start = end.end()
    if line[start:].strip():
        yield line[start:].strip(), False


def is_regret(words: str) -> bool:
    """Return whether words regret the agent's own action, not an event."""
    return bool(REGRETS.search(words)) and not SYMPATHY.search(words)


def bare(words: str) -> str:
    """Return plain words without greetings and the like at their start."""
    opening = OPENING.match(words)
    return words[opening.end() :] if opening else words


def plain(text: str) -> str:
    """Return a text folded and in one spelling, so that one pattern fits all of them."""
    folded = fold(text)
    if ANY_SPELLING.search(folded):
        for pattern, word in SPELLINGS:
            folded = pattern.sub(word, folded)
    return folded
