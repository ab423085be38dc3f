"""What is typed in: texts, amounts and days that any tool may be given."""

MOST_DAYS_AHEAD = 500
LARGEST_AMOUNT = Decimal("20000.00")
LONGEST_TEXT = 1000


def _short(value: str, what: str) -> str:
    """Return a text that is neither empty nor too long, without the blanks around it."""
    if not value.strip():
        raise Rejected("empty_text", f"Empty {what}; say it in words.", what=what)
    if len(value) > LONGEST_TEXT:
        raise Rejected(
            "text_too_long",
            f"Too much text for the {what}; use at most {LONGEST_TEXT} characters.",
            what=what,
            limit=LONGEST_TEXT,
        )
    return value.strip()


def _has_letters(value: str) -> bool:
    """Say whether a text has a letter or a digit, so that something of it can be read."""
    return any(sign.isalnum() for sign in value)


def _text(value: str, what: str) -> str:
    if value.strip() and not _has_letters(value):
        raise Rejected(
            "empty_text", f"No letter or digit in the {what}; say it in words.", what=what
        )
    return _short(value, what)


def _check_clear(text: str, what: str) -> None:
    """Refuse a name that is not what it looks like, so that none looks like another's."""
    if not is_clear(text):
        raise Rejected(
            "bad_name", f"The {what} has letters that nobody sees, or of two scripts.", what=what
        )


def _name(value: str, what: str) -> str:
    text = _text(value, what)
    _check_clear(text, what)
    return text


def _amount(value: Money, what: str) -> Money:
    if not 0 < value <= LARGEST_AMOUNT:
        raise Rejected(
            "amount_out_of_range",
            f"The {what} is above 0 and at most {LARGEST_AMOUNT} at once, not {value}; a larger "
            "sum that is due goes in several.",
            limit=LARGEST_AMOUNT,
        )
    return money(value)


def _near(db: Database, day: date, most: int) -> date:
    if abs((day - db.today()).days) > most:
        raise Rejected(
            "too_far_away",
            f"{day} is more than {most} days from today, {db.today()}.",
            day=day,
            limit=most,
        )
    return day
