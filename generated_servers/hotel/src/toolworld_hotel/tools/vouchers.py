"""Vouchers: issuing, extending and voiding them."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from ..database.models import Database, GuestId, Voucher, VoucherId, VoucherReason, VoucherStatus
from ..errors import Rejected
from ..values import Money, Page, money, page
from .guests import _check_not_banned
from .inputs import MOST_DAYS_AHEAD, _near

MOST_GOODWILL = Decimal(200)
GOODWILL_DAYS = 30
GRACE_DAYS = 90


def _is_beyond_use(db: Database, voucher: Voucher) -> bool:
    """Say whether a voucher is not extended: a promotion, or one that ran out too long ago."""
    over = db.today() - voucher.expires_on > timedelta(days=GRACE_DAYS)
    return over or voucher.reason == "promotion"


def get_voucher(db: Database, voucher_id: VoucherId) -> Voucher:
    """Show a voucher: what is left on it and until when it can be spent.

    Args:
        voucher_id: The voucher as printed on it, such as "VCH-00007".

    Raises:
        Rejected: The voucher is unknown.
    """
    return db.vouchers.get(voucher_id)


def list_guest_vouchers(
    db: Database,
    guest_id: GuestId,
    status: VoucherStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Voucher]:
    """List a guest's vouchers, by number.

    Args:
        guest_id: The guest, such as "GST-00012".
        status: Only vouchers in this status.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The guest is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.guests.get(guest_id)
    vouchers = [
        voucher
        for voucher in db.vouchers.where(guest_id=guest_id)
        if status is None or voucher.status == status
    ]
    return page(vouchers, cursor, limit)


def _goodwill_left(db: Database, guest_id: GuestId) -> Money:
    """Return what a guest can still be given as goodwill, counting the vouchers of a month."""
    since = db.today() - timedelta(days=GOODWILL_DAYS)
    given = [
        voucher.value
        for voucher in db.vouchers.where(guest_id=guest_id, reason="goodwill")
        if voucher.status != "void" and voucher.issued_on > since
    ]
    return MOST_GOODWILL - sum(given, Decimal(0))


def issue_voucher(
    db: Database, guest_id: GuestId, value: Money, reason: VoucherReason, expires_on: date
) -> Voucher:
    """Issue a voucher to a guest.

    Args:
        guest_id: Who gets it, such as "GST-00012".
        value: What it is worth, 10 to 1000 EUR; as goodwill, a guest gets at most 200 EUR in 30
            days.
        reason: Why it is issued.
        expires_on: The last day it can be spent, 30 to 500 days from today.

    Raises:
        Rejected: The guest is unknown or banned.
        Rejected: The value is out of range, or no goodwill is left for the guest.
        Rejected: The last day is out of range.
    """
    guest = db.guests.get(guest_id)
    _check_not_banned(guest, "issue no voucher")
    most = _goodwill_left(db, guest_id) if reason == "goodwill" else Decimal(1000)
    if most < 10:
        raise Rejected(
            "goodwill_given",
            f"Guest {guest_id} got goodwill vouchers of {MOST_GOODWILL - most} EUR within "
            f"{GOODWILL_DAYS} days; issue no more.",
            given=MOST_GOODWILL - most,
        )
    if not 10 <= value <= most:
        raise Rejected(
            "amount_out_of_range",
            f"A {reason} voucher for this guest is worth 10 to {most} EUR now, not {value}.",
            least=10,
            limit=most,
        )
    if not 30 <= (expires_on - db.today()).days <= MOST_DAYS_AHEAD:
        raise Rejected(
            "day_out_of_range",
            f"A voucher is valid for 30 to {MOST_DAYS_AHEAD} days from {db.today()}.",
            first=db.today() + timedelta(days=30),
            last=db.today() + timedelta(days=MOST_DAYS_AHEAD),
        )
    return db.vouchers.add(
        guest_id=guest_id,
        reason=reason,
        value=money(value),
        balance=money(value),
        status="active",
        issued_on=db.today(),
        expires_on=expires_on,
    )


def extend_voucher(db: Database, voucher_id: VoucherId, expires_on: date) -> Voucher:
    """Let a voucher be spent for longer, also one that ran out within 90 days.

    Args:
        voucher_id: The voucher as printed on it, such as "VCH-00007".
        expires_on: The new last day, within 500 days from today.

    Raises:
        Rejected: The voucher is unknown, used or void.
        Rejected: It was a promotion, or ran out more than 90 days ago.
        Rejected: The new day is past, not later than the old one, or too far away.
    """
    voucher = db.vouchers.get(voucher_id)
    if voucher.status != "active":
        raise Rejected(
            "voucher_not_active",
            f"Voucher {voucher_id} is {voucher.status}; only an active one is extended.",
            status=voucher.status,
        )
    if _is_beyond_use(db, voucher):
        raise Rejected(
            "not_extended",
            f"Voucher {voucher_id} is a promotion, which stays as it is."
            if voucher.reason == "promotion"
            else f"Voucher {voucher_id} ran out on {voucher.expires_on}, more than {GRACE_DAYS} "
            "days ago; it stays as it is.",
            day=voucher.expires_on,
        )
    last = db.today() + timedelta(days=MOST_DAYS_AHEAD)
    if voucher.expires_on >= last:
        raise Rejected(
            "not_later",
            f"Voucher {voucher_id} is valid until {voucher.expires_on}, and no later day than "
            f"{last} can be given today; leave it as it is.",
            day=voucher.expires_on,
        )
    if expires_on <= max(voucher.expires_on, db.today()):
        raise Rejected(
            "not_later",
            f"Give a day after {max(voucher.expires_on, db.today())}, up to {last}.",
            day=max(voucher.expires_on, db.today()),
        )
    return db.vouchers.update(voucher_id, expires_on=_near(db, expires_on, MOST_DAYS_AHEAD))


def void_voucher(db: Database, voucher_id: VoucherId) -> Voucher:
    """Make a voucher void that was issued by mistake and of which nothing is spent.

    Args:
        voucher_id: The voucher as printed on it, such as "VCH-00007".

    Raises:
        Rejected: The voucher is unknown, used or void already.
        Rejected: Something was spent from it and did not come back.
    """
    voucher = db.vouchers.get(voucher_id)
    if voucher.status != "active":
        raise Rejected(
            "voucher_not_active",
            f"Voucher {voucher_id} is {voucher.status}; it cannot be made void.",
            status=voucher.status,
        )
    if voucher.balance != voucher.value:
        raise Rejected(
            "partly_spent",
            f"{voucher.value - voucher.balance} EUR was spent from it; leave it as it is.",
            spent=voucher.value - voucher.balance,
        )
    return db.vouchers.update(voucher_id, status="void")
