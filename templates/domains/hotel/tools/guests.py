"""Guests' accounts: who they are and how to reach them."""

FEWEST_DIGITS = 7
MOST_DIGITS = 20
# The countries' numbers of one and two digits; all others have three.
ONE_DIGIT = "1 7"
TWO_DIGITS = (
    "20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 "
    "65 66 81 82 84 86 90 91 92 93 94 95 98"
)


def _email(email: str) -> str:
    address = email.strip().lower()
    name, _, host = address.partition("@")
    # Before it is put in lower case: there are letters that become those of a keyboard.
    is_plain = all("!" <= sign <= "~" for sign in email.strip())
    is_one_word = is_plain and "@" not in host and len(address) <= 200
    parts = host.split(".")
    has_letters = all(_has_letters(part) for part in [name, *parts])
    if not is_one_word or len(parts) < 2 or not has_letters:
        raise Rejected(
            "bad_email",
            f'"{email[:80]}" is no e-mail address; ask for one like ada@example.com.',
            email=email[:80],
        )
    return address


def _country(country: str) -> str:
    code = _text(country, "country").upper()
    if len(code) != 2 or not code.isascii() or not code.isalpha():
        raise Rejected(
            "bad_country",
            f'"{country[:80]}" is no code of a country; give its two letters, such as "PT".',
            country=country[:80],
        )
    return code


def _address(address: Address) -> Address:
    return Address(
        street=_text(address.street, "street"),
        city=_text(address.city, "city"),
        postcode=_text(address.postcode, "postcode"),
        country=_country(address.country),
    )


def _guest_name(db: Database, guest_id: GuestId) -> str:
    guest = db.guests.get(guest_id)
    return f"{guest.first_name} {guest.last_name}"


def find_guest(db: Database, email: str) -> Guest:
    """Find a guest by e-mail address.

    Args:
        email: The address on the guest's account.

    Raises:
        Rejected: No guest has that address.
    """
    guests = db.guests.where(email=email.strip().lower())
    if not guests:
        raise Rejected(
            "unknown_guest",
            f'No guest has the address "{email[:80]}"; find_reservations takes name and arrival.',
            email=email[:80],
        )
    return guests[0]


def search_guests(
    db: Database, name: str, cursor: str | None = None, limit: int = 50
) -> Page[Guest]:
    """Search guests by part of their name.

    Args:
        name: Part of a first and last name, such as "ann mor".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The name is empty.
        Rejected: The cursor or limit is bad.
    """
    words = [word for word in _short(name, "name").split() if not contains("", word)]
    if not words:
        raise Rejected("empty_text", "The name has no letters; give a part of it.", what="name")
    guests = [
        guest
        for guest in db.guests.all()
        if all(
            contains(guest.first_name, word) or contains(guest.last_name, word) for word in words
        )
    ]
    return page(guests, cursor, limit)


def get_guest(db: Database, guest_id: GuestId) -> Guest:
    """Show a guest: contact details, tier, points and preferences.

    Args:
        guest_id: The guest, such as "GST-00012".

    Raises:
        Rejected: The guest is unknown.
    """
    return db.guests.get(guest_id)


def _check_not_banned(guest: Guest, way: str) -> None:
    if guest.banned:
        raise Rejected(
            "guest_banned", f"Guest {guest.guest_id} is banned from the group's hotels; {way}."
        )


def _check_unknown(db: Database, first: str, last: str, phone: str, but: str | None) -> None:
    """Refuse a second account to who is known by both names, in any order, and number."""
    in_order = db.guests.alike(first_name=first, last_name=last)
    for guest in [*in_order, *db.guests.alike(first_name=last, last_name=first)]:
        if guest.guest_id != but and _are_one_number([guest.phone, phone]):
            way = "ask for the e-mail address of it" if but is None else "no other account gets it"
            raise Rejected(
                "known_guest",
                f"{guest.guest_id} is the account of {_guest_name(db, guest.guest_id)} with that "
                f"telephone number; {way}.",
                guest=guest.guest_id,
            )


def _are_one_number(phones: list[str]) -> bool:
    """Return whether two telephone numbers are one, a 0 after the country and extensions aside."""
    shorter, longer = sorted([_dialled(phone) for phone in phones], key=len)
    return longer.startswith(shorter)


def _dialled(phone: str) -> str:
    """Return the digits of a number, without the 0 of "+44 (0)20" after its country."""
    digits = "".join(sign for sign in phone if sign.isdigit())
    place = 1 if digits[:1] in ONE_DIGIT else 2 if digits[:2] in TWO_DIGITS else 3
    return digits[:place] + digits[place:].lstrip("0")


def _phone(value: str) -> str:
    number = _short(value, "phone")
    has_letters = not number.isascii() or any(sign.isalpha() for sign in number)
    is_several = number.count("+") > 1 or any(sign in ",;/" for sign in number)
    # Of a number without its country nobody knows whether it is one that is noted already.
    has_country = number[0] == "+" and not _dialled(number).startswith("0")
    has_length = FEWEST_DIGITS <= len(_dialled(number)) <= MOST_DIGITS
    if has_letters or is_several or not has_country or not has_length:
        raise Rejected(
            "bad_phone",
            f'"{number[:40]}" is no telephone number with its country, such as "+351 289 555 01".',
        )
    return number


def register_guest(
    db: Database, first_name: str, last_name: str, email: str, phone: str, address: Address
) -> Guest:
    """Open an account for a new guest.

    Who has one under the same first and last name and telephone number gets no second one.

    Args:
        first_name: First name.
        last_name: Last name.
        email: E-mail address, not used by another guest.
        phone: Telephone number.
        address: Home address.

    Raises:
        Rejected: A name, the phone or a part of the address is empty or too long.
        Rejected: A name has letters that nobody sees, or of two scripts.
        Rejected: The phone is no number with its country, or has letters.
        Rejected: The country is no code of two letters.
        Rejected: The e-mail address is malformed or already in use.
        Rejected: A guest of that name with that telephone number has an account.
    """
    first, last = _name(first_name, "first name"), _name(last_name, "last name")
    _check_clear(first + last, "whole name")
    number, home, mail = _phone(phone), _address(address), _email(email)
    if db.guests.where(email=mail):
        raise Rejected(
            "email_taken",
            f"A guest with the address {mail} exists; find_guest shows the account.",
            email=mail,
        )
    _check_unknown(db, first, last, number, None)
    return db.guests.add(
        first_name=first,
        last_name=last,
        email=mail,
        phone=number,
        address=home,
        joined_on=db.today(),
        tier="classic",
        nights_stayed=0,
        points=0,
        banned=False,
    )


def update_guest_contact(
    db: Database,
    guest_id: GuestId,
    email: str | None = None,
    phone: str | None = None,
    address: Address | None = None,
) -> Guest:
    """Change how a guest can be reached; what is left out stays.

    Args:
        guest_id: The guest, such as "GST-00012".
        email: The new e-mail address, not used by another guest.
        phone: The new telephone number.
        address: The new home address, complete.

    Raises:
        Rejected: The guest is unknown.
        Rejected: Nothing is to be changed, or all is as it is to be; a value is empty or too long.
        Rejected: The phone is no number with its country, or has letters.
        Rejected: The guest is banned, or another of that name has an account with that number.
        Rejected: The country is no code of two letters.
        Rejected: The e-mail address is malformed or already in use.
    """
    guest = db.guests.get(guest_id)
    if email is None and phone is None and address is None:
        raise Rejected(
            "nothing_to_change", "Nothing to change; give a new email, phone or address."
        )
    mail = guest.email if email is None else _email(email)
    if any(other.guest_id != guest_id for other in db.guests.where(email=mail)):
        raise Rejected(
            "email_taken",
            f"Another guest uses the address {mail}; ask for a different one.",
            email=mail,
        )
    number = guest.phone if phone is None else _phone(phone)
    home = guest.address if address is None else _address(address)
    if (mail, number, home) == (guest.email, guest.phone, guest.address):
        raise Rejected("nothing_to_change", f"Guest {guest_id} is reached like that already.")
    _check_not_banned(guest, "change nothing")
    _check_unknown(db, guest.first_name, guest.last_name, number, guest_id)
    return db.guests.update(guest_id, email=mail, phone=number, address=home)


def set_guest_preferences(db: Database, guest_id: GuestId, preferences: str) -> Guest:
    """Note what a guest likes in a room, in place of what was noted before.

    Args:
        guest_id: The guest, such as "GST-00012".
        preferences: What they like, in their words.

    Raises:
        Rejected: The guest is unknown.
        Rejected: The text is empty or too long, or noted already.
    """
    guest, noted = db.guests.get(guest_id), _text(preferences, "preferences")
    if noted == guest.preferences:
        raise Rejected("nothing_to_change", f"That is noted of guest {guest_id} already.")
    return db.guests.update(guest_id, preferences=noted)
