"""Accounts, gift cards, reviews and cases."""

LONGEST_LABEL = 30
MOST_CASES = 3
OF_CUSTOMERS = (
    "payment_methods", "carts", "orders", "returns", "exchanges", "reviews", "cases",
    "gift_cards",
)  # fmt: skip


def one_open_case_on_a_matter(db: Database, case: SupportCase) -> bool:
    """No two cases on the same topic and order are open at once (clause 6.6)."""
    return case.status == "resolved" or not any(
        other.status != "resolved"
        and other.case_id != case.case_id
        and (other.topic, other.order_id) == (case.topic, case.order_id)
        for other in db.cases.where(customer_id=case.customer_id)
    )


def three_cases_at_most_are_unresolved(db: Database, case: SupportCase) -> bool:
    """A customer has up to three cases that are not resolved (clause 6.10)."""
    cases = db.cases.where(customer_id=case.customer_id)
    return sum(1 for other in cases if other.status != "resolved") <= MOST_CASES


def accounts_are_named_in_plain_letters(db: Database, customer: Customer) -> bool:
    """No e-mail address has letters that no other is written with (clause 6.3)."""
    return (
        customer.email.isascii()
        and all(letter.isalnum() or letter in "@._+-'" for letter in customer.email)
        and all(len(address.label) <= LONGEST_LABEL for address in customer.addresses)
    )


def no_two_addresses_have_one_name(db: Database, customer: Customer) -> bool:
    """No two addresses of an account have names that look the same (clause 6.3)."""
    labels = [letters_of(address.label) for address in customer.addresses]
    return len(set(labels)) == len(labels)


def who_has_an_account_gets_no_other(db: Database, past: Past, event: Event) -> bool:
    """No account gets the name and phone number of another open one (clause 6.3)."""
    return not any(
        other.customer_id != change.after.customer_id and other.status == "active"
        for change in _of(event, "customers")
        if change.before is None or change.before.phone != change.after.phone
        for other in db.customers.alike(
            first_name=change.after.first_name, last_name=change.after.last_name
        )
        if _number(other.phone) == _number(change.after.phone)
    )


def _number(phone: str) -> str:
    """Return the ten digits of a phone number, without the country and an extension."""
    before, _, _ = phone.lower().partition("x")
    return "".join(sign for sign in before if sign in "0123456789")[-10:]


def phone_numbers_have_ten_digits(db: Database, customer: Customer) -> bool:
    """A phone number has ten digits, so that no two ways to write it are two numbers (6.3)."""
    before, _, _ = customer.phone.lower().partition("x")
    dialled = "".join(sign for sign in before if sign.isalnum())
    return dialled in (_number(customer.phone), "1" + _number(customer.phone)) and len(dialled) > 9


def names_are_what_they_look_like(db: Database, customer: Customer) -> bool:
    """No name has letters that nobody sees, or of two scripts, and looks like another (6.3)."""
    return is_clear(customer.first_name + customer.last_name)


def what_a_case_is_about_stands_in_a_line(db: Database, case: SupportCase) -> bool:
    """What a case is about is told in a line, without breaks."""
    return len(case.subject.splitlines()) == 1 and not any(
        letter < " " or letter == "\x7f" for letter in case.subject
    )


def reviewers_got_the_thing(db: Database, review: Review) -> bool:
    """Whoever reviews a product received it (clause 6.4)."""
    return any(
        db.variants.get(line.variant_id).product_id == review.product_id
        and _was_delivered(db, order.order_id, line.line_number)
        for order in db.orders.where(customer_id=review.customer_id)
        for line in order.lines
    )


def closed_accounts_get_nothing_new(db: Database, past: Past, event: Event) -> bool:
    """Nothing is entered for a closed account, and nothing of it deleted (clause 6.2)."""
    return all(
        db.customers.get((change.after or change.before).customer_id).status == "active"
        for change in event.changes
        if change.table in OF_CUSTOMERS and (change.before is None or change.after is None)
    )


def dead_gift_cards_stay_dead(db: Database, past: Past, event: Event) -> bool:
    """A gift card that is blocked or has expired gains no money and stays so (clause 5.9)."""
    return all(
        change.before.status == "active"
        and change.before.expires_on >= db.today()
        or change.after.balance <= change.before.balance
        and change.after.status in (change.before.status, "blocked")
        for change in _changed(event, "gift_cards")
    )


def dead_gift_cards_pay_nothing(db: Database, past: Past, event: Event) -> bool:
    """A blocked or expired gift card pays nothing (clause 5.9)."""
    numbers = [change.after.gift_card_id for change in _new(event, "payments")]
    cards = [db.gift_cards.get(number) for number in numbers if number is not None]
    return all(card.status == "active" and card.expires_on >= db.today() for card in cards)


def a_resolved_case_says_what_was_done(db: Database, past: Past, event: Event) -> bool:
    """Whoever resolves a case writes a message in it (clause 6.8)."""
    resolved = [
        change.after.case_id
        for change in _changed(event, "cases")
        if change.before.status != "resolved" and change.after.status == "resolved"
    ]
    said = [change.after.case_id for change in _of(event, "case_messages")]
    return all(case_id in said for case_id in resolved)


def closed_accounts_leave_no_money(db: Database, card: GiftCard) -> bool:
    """Nobody closes an account with money on a gift card (clause 6.1)."""
    return (
        card.balance == 0
        or card.expires_on < db.today()
        or db.customers.get(card.customer_id).status == "active"
    )


def closed_accounts_do_not_change(db: Database, past: Past, event: Event) -> bool:
    """A closed account cannot be changed (clause 6.2)."""
    return all(change.before.status == "active" for change in _changed(event, "customers"))


def what_is_written_is_kept(db: Database, past: Past, event: Event) -> bool:
    """A case has each message that was written in it (clause 6.5)."""
    return event.tool not in ("open_case", "reply_to_case") or len(_of(event, "case_messages")) == 1


def a_case_is_resolved_once(db: Database, past: Past, event: Event) -> bool:
    """A case that is resolved is not resolved again."""
    return event.tool != "resolve_case" or all(
        change.before.status != "resolved" for change in _changed(event, "cases")
    )


def contacts_are_as_they_were_given(db: Database, past: Past, event: Event) -> bool:
    """A new e-mail address, number or choice is the account's afterwards."""
    email, phone = event.argument("email"), event.argument("phone")
    letters = event.argument("marketing_opt_in")
    return event.tool != "update_customer_contact" or all(
        (email is None or change.after.email == email.strip().lower())
        and (letters is None or change.after.marketing_opt_in == letters)
        and (phone is None or change.before is None or _same_digits(change.after.phone, phone))
        for change in _of(event, "customers")
    )


def _same_digits(one: str, other: str) -> bool:
    """Return whether two numbers end in the same four digits."""
    digits = [[letter for letter in text if letter in "0123456789"] for text in (one, other)]
    return digits[0][-4:] == digits[1][-4:]


def the_default_is_the_one_named(db: Database, past: Past, event: Event) -> bool:
    """An address saved as the default is the default."""
    if event.tool != "save_customer_address" or event.argument("make_default") is not True:
        return True
    label = letters_of(event.argument("address")["label"])
    return all(
        letters_of(change.after.default_address) == label for change in _changed(event, "customers")
    )


def closed_customers_have_no_money(db: Database, customer: Customer) -> bool:
    """Who closes an account leaves no money on a gift card (clause 6.1)."""
    return customer.status == "active" or all(
        card.balance == 0 or card.expires_on < db.today()
        for card in db.gift_cards.where(customer_id=customer.customer_id)
    )


def a_gift_card_is_blocked_once(db: Database, past: Past, event: Event) -> bool:
    """Blocking a gift card that is blocked already does nothing, and is refused (clause 5.10)."""
    return event.tool != "block_gift_card" or bool(_changed(event, "gift_cards"))


def gift_cards_of_closed_accounts_stay(db: Database, past: Past, event: Event) -> bool:
    """Nothing changes on a gift card whose owner closed their account (clause 6.2)."""
    return all(
        db.customers.get(change.after.customer_id).status == "active"
        for change in _changed(event, "gift_cards")
    )


def gift_cards_pay_what_is_on_them(db: Database, payment: Payment) -> bool:
    """A gift card pays what was on it at that time (clause 5.9)."""
    number = payment.gift_card_id
    if number is None:
        return True
    card = db.gift_cards.get(number)
    back = [
        refund.amount
        for refund in db.refunds.where(gift_card_id=number)
        if refund.refunded_at <= payment.paid_at
    ]
    paid = [
        other.amount
        for other in db.payments.where(gift_card_id=number)
        if other.paid_at <= payment.paid_at
    ]
    return _total(paid) <= card.loaded + card.carried_over + _total(back)
