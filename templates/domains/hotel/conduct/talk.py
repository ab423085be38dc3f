"""What was said, called and seen."""

EXTENSION_DAYS = 30


def _noted_before(event: Event) -> str:
    """Return the wishes or preferences that a call replaces."""
    if event.tool == "set_special_wishes":
        return "".join(change.before.wishes or "" for change in event.changes).strip(" .")
    if event.tool == "set_guest_preferences":
        return "".join(change.before.preferences or "" for change in event.changes).strip(" .")
    return ""


def _told_so_far(past: Past) -> list[float | str]:
    """Return the values that the agent stated so far, agreed to or not."""
    return [value for message in past.messages for value in message.values("states")]


def _words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, without the signs around them."""
    return [word.strip(".,;:!?()'\"").lower() for word in text.split()]


def _is_wanted(past: Past, word: str) -> bool:
    """Return whether a word was said by the person, or agreed to."""
    return past.said_in_words(word) or past.agreed_in_words([word])


def _amount_in(text: str) -> str:
    """Return the number in a text as it is compared, so that "€1,000.00" is "1000"."""
    kept = "".join(one for one in text if one.isdigit() or one == ".").strip(".")
    return kept.rstrip("0").rstrip(".") if "." in kept else kept
