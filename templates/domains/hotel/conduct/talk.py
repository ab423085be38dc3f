"""What was said, called and seen."""

EXTENSION_DAYS = 30
HOURS = (
    "twelve", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven",
)  # fmt: skip
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip


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


def _are_alike(one: str, other: str) -> bool:
    """Return whether two texts share half the words of the shorter one."""
    words, others = set(_words_of(one)), set(_words_of(other))
    return 2 * len(words & others) >= min(len(words), len(others))


def _is_wanted(past: Past, word: str) -> bool:
    """Return whether a word was said by the person, or agreed to."""
    return past.said_in_words(word) or past.agreed_in_words([word])


def _amount_in(text: str) -> str:
    """Return the number in a text as it is compared, so that "€1,000.00" is "1000"."""
    kept = "".join(one for one in text if one.isdigit() or one == ".").strip(".")
    return kept.rstrip("0").rstrip(".") if "." in kept else kept


def _plain_time(text: str) -> str:
    """Return a time without what may be left out, so that "05:00 p.m." is "5pm"."""
    return text.lower().replace(":00", "").replace(".", "").replace(" ", "").lstrip("0")


def _hours(at: datetime) -> list[str]:
    """Return how an hour may be written, such as 17, 5pm and 17h."""
    half = f"{at.hour % 12 or 12}{'am' if at.hour < 12 else 'pm'}"
    return [str(at.hour), half, f"{at.hour}h", *(["noon", "midday"] if at.hour == 12 else [])]


def _hour_in_words(at: datetime) -> list[str]:
    """Return how an hour may be said, such as 5 and five besides."""
    twelve = str(at.hour % 12 or 12)
    half = f"{twelve}{'a.m.' if at.hour < 12 else 'p.m.'}"
    return [*_hours(at), f"{at.hour:02d}", twelve, half, HOURS[at.hour % 12]]


def _is_day_said(past: Past, day: str) -> bool:
    """Return whether the person said the number and the month of a day, such as 12 September."""
    month, number = day[5:7], day[8:]
    if len(day) != 10 or not (month + number).isdecimal() or not 1 <= int(month) <= 12:
        return False
    name = MONTHS[int(month) - 1]
    return any(past.said_in_words(one) for one in (name, name[:3], name[:4])) and any(
        past.said_in_words(f"{int(number)}{end}") for end in ("", "st", "nd", "rd", "th")
    )
