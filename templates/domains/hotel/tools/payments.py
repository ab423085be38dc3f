"""Payments on folios, by money, voucher or points."""

POINTS_STEP = 500
CALLED_OFF = ("cancelled", "no_show")


def _payable(db: Database, folio: Folio, amount: Money) -> None:
    reservation = db.reservations.get(folio.reservation_id)
    owed = folio.charged
    if _is_missed(db, reservation):
        owed = owed + _cost_of_not_coming(db, reservation)
    elif reservation.status == "confirmed":
        owed = owed + reservation.total
    due = max(Decimal(0), owed - folio.paid)
    if amount > due:
        raise Rejected(
            "more_than_due",
            f"At most {due} EUR can be paid on folio {folio.folio_id}, not {amount}.",
            due=due,
        )


def _take(
    db: Database,
    folio: Folio,
    method: PaymentMethod,
    amount: Money,
    card_last4: str | None,
    voucher_id: str | None,
) -> Payment:
    """Take what is paid; with what is still due of a booking called off its folio is closed."""
    paid = _post(db, folio.folio_id, Decimal(0), amount)
    if paid.due == 0 and db.reservations.get(folio.reservation_id).status in CALLED_OFF:
        db.folios.update(folio.folio_id, status="closed", closed_at=db.now())
    return db.payments.add(
        folio_id=folio.folio_id,
        method=method,
        amount=money(amount),
        refunded=Decimal("0.00"),
        paid_at=db.now(),
        card_last4=card_last4,
        voucher_id=voucher_id,
    )


def list_payments(
    db: Database, folio_id: FolioId, cursor: str | None = None, limit: int = 50
) -> Page[Payment]:
    """List the payments of a folio, by number, with what went back of each.

    Args:
        folio_id: The folio, such as "FOL-00042".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The folio is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.folios.get(folio_id)
    return page(db.payments.where(folio_id=folio_id), cursor, limit)


def take_payment(
    db: Database,
    folio_id: FolioId,
    method: TillMethod,
    amount: Money,
    card_last4: str | None = None,
) -> Payment:
    """Take money for a folio: a deposit before arrival, or what is due.

    Before check-in up to the price of the stay can be paid; once the day of arrival is over, what
    a no-show costs. With the last of what calling off costs the folio is closed.

    Args:
        folio_id: The folio, such as "FOL-00042".
        method: How it is paid.
        amount: How much, in EUR.
        card_last4: The last four digits of the card, for a card only.

    Raises:
        Rejected: The folio is unknown or closed.
        Rejected: The amount is not above zero, or more than can be paid.
        Rejected: The card's digits are missing, malformed, or given without a card.
    """
    folio = _open_folio(db, folio_id)
    sum_paid = _amount(amount, "amount")
    if (method == "card") != (card_last4 is not None):
        raise Rejected(
            "bad_card_digits",
            "Give the card's last four digits for a card payment, and only for one.",
        )
    if card_last4 is not None and not (
        len(card_last4) == 4 and all(digit in "0123456789" for digit in card_last4)
    ):
        raise Rejected(
            "bad_card_digits",
            'The last four digits look like "4242"; ask the guest for them.',
            digits=card_last4[:20],
        )
    _payable(db, folio, sum_paid)
    return _take(db, folio, method, sum_paid, card_last4, None)


def pay_with_voucher(
    db: Database, folio_id: FolioId, voucher_id: VoucherId, amount: Money
) -> Payment:
    """Pay on a folio from its guest's voucher; what is left stays on the voucher.

    Args:
        folio_id: The folio, such as "FOL-00042".
        voucher_id: The voucher, such as "VCH-00007".
        amount: How much of it to spend, in EUR.

    Raises:
        Rejected: The folio or voucher is unknown, or the folio is closed.
        Rejected: The voucher is used, void or expired, or belongs to another guest.
        Rejected: The amount is not above zero, or more than is left or can be paid.
    """
    folio = _open_folio(db, folio_id)
    voucher = db.vouchers.get(voucher_id)
    spent = _amount(amount, "amount")
    if voucher.guest_id != db.reservations.get(folio.reservation_id).guest_id:
        raise Rejected(
            "other_guest",
            f"Voucher {voucher_id} is another guest's; list_guest_vouchers shows theirs.",
        )
    if voucher.status != "active":
        raise Rejected(
            "voucher_not_active",
            f"Voucher {voucher_id} is {voucher.status}; it cannot be spent.",
            status=voucher.status,
        )
    _payable(db, folio, spent)
    if spent > voucher.balance:
        raise Rejected(
            "balance_too_low",
            f"Only {voucher.balance} EUR is left on voucher {voucher_id}.",
            left=voucher.balance,
        )
    if voucher.expires_on < db.today():
        way = "it cannot be spent" if _is_beyond_use(db, voucher) else "it is to be extended first"
        raise Rejected(
            "voucher_expired",
            f"Voucher {voucher_id} was valid until {voucher.expires_on}; {way}.",
            day=voucher.expires_on,
        )
    left = money(voucher.balance - spent)
    db.vouchers.update(voucher_id, balance=left, status="active" if left > 0 else "used")
    return _take(db, folio, "voucher", spent, None, voucher_id)


def pay_with_points(db: Database, folio_id: FolioId, points: int) -> Payment:
    """Pay on a folio with its guest's loyalty points, 100 points for 1 EUR.

    Args:
        folio_id: The folio, such as "FOL-00042".
        points: How many points to redeem, in steps of 500.

    Raises:
        Rejected: The folio is unknown or closed.
        Rejected: The points are not a positive multiple of 500, or the guest has fewer.
        Rejected: They are worth more than can be paid.
    """
    folio = _open_folio(db, folio_id)
    reservation = db.reservations.get(folio.reservation_id)
    guest = db.guests.get(reservation.guest_id)
    if points < POINTS_STEP or points % POINTS_STEP != 0:
        raise Rejected(
            "bad_points",
            f"Points are redeemed in steps of {POINTS_STEP}, not {points}.",
            step=POINTS_STEP,
        )
    if points > guest.points:
        raise Rejected(
            "too_few_points",
            f"The guest has {guest.points} points only; so {guest.points // POINTS_STEP} steps of "
            f"{POINTS_STEP} can be redeemed.",
            left=guest.points,
        )
    amount = money(Decimal(points) / POINTS_A_EURO)
    _payable(db, folio, amount)
    _add_points(db, guest.guest_id, reservation.reservation_id, -points, "redeemed")
    return _take(db, folio, "points", amount, None, None)
