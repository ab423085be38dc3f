"""Customers: who they are, how to reach them and where they live."""

MAX_ADDRESSES = 8
FIRST_POSTCODE = "00501"
PHONE_DIGITS = 10
# With the District of Columbia, the territories and the posts of the armed forces.
STATES = (
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ "
    "NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC AS GU MP PR VI AA AE AP"
)


def _text(value: str, what: str, longest: int) -> str:
    text = value.strip()
    if len(text) > longest or not any(letter.isalnum() for letter in text):
        raise Rejected(
            "bad_text",
            f"The {what} must be 1 to {longest} characters long, with a letter or digit in it.",
            what=what,
            limit=longest,
        )
    return text


def _is_control(letter: str) -> bool:
    return letter < " " or "~" < letter < "\xa0"


def _lines_of(value: str, what: str, longest: int) -> str:
    text = _text(value, what, longest)
    if any(_is_control(letter) and letter not in "\n\r\t" for letter in text):
        raise Rejected(
            "bad_text", f"The {what} must have no control characters but line breaks.", what=what
        )
    return text


def _line_of(value: str, what: str, longest: int) -> str:
    text = _text(value, what, longest)
    is_broken = len(text.splitlines()) > 1
    if is_broken or any(_is_control(letter) for letter in text):
        raise Rejected(
            "bad_text", f"The {what} must be in one line, without control characters.", what=what
        )
    return text


def _check_clear(text: str, what: str) -> None:
    """Refuse a name that is not what it looks like, so that none looks like another's."""
    if not is_clear(text):
        raise Rejected(
            "bad_text", f"The {what} has letters that nobody sees, or of two scripts.", what=what
        )


def _name_of(value: str, what: str, longest: int) -> str:
    text = _line_of(value, what, longest)
    _check_clear(text, what)
    return text


def _capitals(value: str) -> str:
    # Codes are of plain letters; others stay, as there are some that become plain ones.
    text = value.strip()
    return text.upper() if text.isascii() else text


def _is_dotted(text: str, signs: list[str]) -> bool:
    """Return whether it is words of letters and digits with dots between, and such signs within."""
    return all(
        word != ""
        and word[0].isalnum()
        and word[-1].isalnum()
        and all(letter.isalnum() or letter in signs for letter in word)
        for word in text.split(".")
    )


def _email(value: str) -> str:
    text = _text(value, "e-mail address", 120)
    email = text.lower()
    parts = email.split("@")
    # Of plain letters before it is in lower case: there are others that become plain ones.
    if not (
        text.isascii()
        and len(parts) == 2
        and _is_dotted(parts[0], ["_", "+", "-", "'"])
        and _is_dotted(parts[1], ["-"])
        and "." in parts[1]
    ):
        raise Rejected(
            "bad_email", f'"{email}" is not an e-mail address. Ask for one like "ann@example.com".'
        )
    return email


def _digits(value: str, count: int) -> bool:
    return len(value) == count and all(letter in "0123456789" for letter in value)


def _without_extension(phone: str) -> str:
    return phone.lower().partition(" e")[0].partition("x")[0]


def _dialled(phone: str) -> str:
    """Return the digits of a number, without the country before it and an extension after it."""
    digits = "".join(sign for sign in _without_extension(phone) if sign.isdigit())
    return digits[1:] if len(digits) > PHONE_DIGITS and digits[0] == "1" else digits


def _phone(value: str) -> str:
    number = _line_of(value, "phone number", 30)
    is_plain = all(sign.isdigit() or sign in " +().-/" for sign in _without_extension(number))
    if not number.isascii() or not is_plain or len(_dialled(number)) != PHONE_DIGITS:
        raise Rejected(
            "bad_phone",
            'A phone number has plain digits, ten of them, such as "(503) 555-0199"; an extension '
            'comes after an "x".',
        )
    return number


def _label(address: Address) -> str:
    return " ".join(_name_of(address.label.lower(), "address label", 30).split())


def _postal(address: Address) -> Address:
    postcode = address.postcode.strip()
    state = _capitals(address.state)
    if not _digits(postcode, 5) or postcode < FIRST_POSTCODE:
        raise Rejected("bad_postcode", "The postcode must be a five-digit ZIP code.")
    if len(state) != 2 or state not in STATES:
        raise Rejected(
            "bad_state", 'The state must be one of the United States, in two letters such as "OR".'
        )
    return Address(
        label=_label(address),
        street=_line_of(address.street, "street", 120),
        city=_line_of(address.city, "city", 80),
        state=state,
        postcode=postcode,
    )


def _active_customer(db: Database, customer_id: CustomerId) -> Customer:
    customer = db.customers.get(customer_id)
    if customer.status != "active":
        raise Rejected(
            "account_closed",
            f"The account {customer_id} is closed. It cannot be changed or used to buy, and "
            "nothing is sent back, exchanged or paid back for it beyond what is under way.",
        )
    return customer


def _check_email_free(db: Database, email: str, is_new: bool) -> None:
    found = db.customers.where(email=email)
    if found:
        is_served = is_new and found[0].status == "active"
        advice = "Use that account." if is_served else "Ask for another address."
        raise Rejected("email_taken", f'There is already an account for "{email}". {advice}')


def _check_no_account(
    db: Database, first: str, last: str, phone: str, own: CustomerId | None = None
) -> None:
    for old in db.customers.alike(first_name=first, last_name=last):
        is_other = old.status == "active" and old.customer_id != own
        if is_other and _dialled(old.phone) == _dialled(phone):
            raise Rejected(
                "has_account",
                "An open account has that name and phone number. Ask for its e-mail address, or "
                "find it by name and postcode.",
            )


def _is_same(label: str, other: str) -> bool:
    return letters_of(label) == letters_of(other)


def _saved_address(customer: Customer, label: str | None) -> Address:
    wanted = customer.default_address if label is None else label.strip().lower()
    for address in customer.addresses:
        if _is_same(address.label, wanted):
            return address
    labels = ", ".join(address.label for address in customer.addresses)
    raise Rejected(
        "unknown_address",
        f'The customer has no address called "{wanted}". Saved are: {labels}.',
        saved=[address.label for address in customer.addresses],
    )


def find_customer_by_email(db: Database, email: str) -> Customer:
    """Find a customer by e-mail address.

    Args:
        email: The address of the account, in any case, such as "ann.lee3@example.com".

    Raises:
        Rejected: No account has that address.
    """
    wanted = email.strip()
    # As in _email: a letter that is not plain may become one.
    found = db.customers.where(email=wanted.lower()) if wanted.isascii() else []
    if not found:
        raise Rejected(
            "unknown_customer",
            "No account has that e-mail address. Ask for another, or name and postcode.",
        )
    return found[0]


def find_customer_by_name(db: Database, first_name: str, last_name: str, postcode: str) -> Customer:
    """Find a customer by full name and the postcode of any saved address.

    A closed account stands in the way of no open one.

    Args:
        first_name: First name, in any case.
        last_name: Last name, in any case.
        postcode: Five-digit ZIP code of one of the customer's addresses.

    Raises:
        Rejected: Nobody fits.
        Rejected: Several customers fit.
    """
    found = [
        customer
        for customer in db.customers.alike(first_name=first_name, last_name=last_name)
        if any(address.postcode == postcode.strip() for address in customer.addresses)
    ]
    if not found:
        raise Rejected(
            "unknown_customer",
            "No customer has that name and postcode. Ask for the e-mail address.",
        )
    fitting = [customer for customer in found if customer.status == "active"] or found
    if len(fitting) > 1:
        raise Rejected(
            "several_fit",
            "Several customers fit that name and postcode. Ask for the e-mail address.",
            count=len(fitting),
        )
    return fitting[0]


def get_customer(db: Database, customer_id: CustomerId) -> Customer:
    """Show a customer with addresses, contact details and tier.

    Args:
        customer_id: The customer, as an order, return or case names them.

    Raises:
        Rejected: The customer is unknown.
    """
    return db.customers.get(customer_id)


def create_customer(
    db: Database, first_name: str, last_name: str, email: str, phone: str, address: Address
) -> Customer:
    """Open an account with one address, which becomes the default.

    Who has an open one under the same name and phone number gets no second one.

    Args:
        first_name: First name.
        last_name: Last name.
        email: E-mail address; no other account may have it.
        phone: Telephone number of ten digits.
        address: The first address.

    Raises:
        Rejected: The e-mail address is badly formed or taken.
        Rejected: An open account has that name and phone number.
        Rejected: A name, the phone or the address is empty, too long or badly formed.
    """
    wanted = _email(email)
    _check_email_free(db, wanted, is_new=True)
    first, last = _name_of(first_name, "first name", 60), _name_of(last_name, "last name", 60)
    _check_clear(first + last, "whole name")
    number = _phone(phone)
    _check_no_account(db, first, last, number)
    home = _postal(address)
    return db.customers.add(
        first_name=first,
        last_name=last,
        email=wanted,
        phone=number,
        tier="standard",
        status="active",
        addresses=[home],
        default_address=home.label,
        marketing_opt_in=False,
        joined_on=db.today(),
    )


def update_customer_contact(
    db: Database,
    customer_id: CustomerId,
    email: str | None = None,
    phone: str | None = None,
    marketing_opt_in: bool | None = None,
) -> Customer:
    """Change a customer's e-mail address, phone number or newsletter choice.

    Args:
        customer_id: The customer.
        email: The new e-mail address; left out, it stays.
        phone: The new phone number; left out, it stays.
        marketing_opt_in: Whether to send the newsletter; left out, it stays.

    Raises:
        Rejected: The customer is unknown or the account closed.
        Rejected: Nothing is to change.
        Rejected: The e-mail address or phone number is badly formed, or the address taken.
        Rejected: Another open account has the customer's name and that phone number.
    """
    customer = _active_customer(db, customer_id)
    wanted = customer.email if email is None else _email(email)
    number = customer.phone if phone is None else _phone(phone)
    letters = customer.marketing_opt_in if marketing_opt_in is None else marketing_opt_in
    if (wanted, number, letters) == (customer.email, customer.phone, customer.marketing_opt_in):
        raise Rejected(
            "no_change", "Nothing would change. Give a new e-mail, phone or newsletter choice."
        )
    if wanted != customer.email:
        _check_email_free(db, wanted, is_new=False)
    if number != customer.phone:
        _check_no_account(db, customer.first_name, customer.last_name, number, customer_id)
    return db.customers.update(customer_id, email=wanted, phone=number, marketing_opt_in=letters)


def save_customer_address(
    db: Database, customer_id: CustomerId, address: Address, make_default: bool = False
) -> Customer:
    """Add an address to an account, or replace the one with the same label.

    Args:
        customer_id: The customer.
        address: The address; its label says which one it replaces, without regard to case, accents
            and doubled spaces.
        make_default: Whether orders go there unless another address is named; left out, no.

    Raises:
        Rejected: The customer is unknown or the account closed.
        Rejected: The account already has 8 addresses and none with that label.
        Rejected: The address is badly formed.
    """
    customer = _active_customer(db, customer_id)
    named = _label(address)
    known = [old.label for old in customer.addresses if _is_same(old.label, named)]
    if not known and len(customer.addresses) >= MAX_ADDRESSES:
        raise Rejected(
            "too_many_addresses",
            f"The account has {MAX_ADDRESSES} addresses. Replace one by its label.",
            limit=MAX_ADDRESSES,
        )
    label = known[0] if known else named
    new = _postal(address).replace(label=label)
    addresses = [new if old.label == label else old for old in customer.addresses]
    if not known:
        addresses = [*addresses, new]
    default = label if make_default else customer.default_address
    return db.customers.update(customer_id, addresses=addresses, default_address=default)
