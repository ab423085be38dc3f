"""Saved cards and PayPal accounts."""

from __future__ import annotations

from datetime import date

from ..database.models import (
    CustomerId,
    Database,
    PaymentMethod,
    PaymentMethodId,
    PaymentMethodKind,
)
from ..errors import Rejected
from ..values import Page, page
from .customers import _active_customer, _digits


def _usable_method(
    db: Database,
    customer_id: CustomerId,
    payment_method_id: PaymentMethodId,
    advice: str = "Use another.",
) -> PaymentMethod:
    method = db.payment_methods.get(payment_method_id)
    if method.customer_id != customer_id:
        raise Rejected(
            "not_own_payment_method",
            f"{payment_method_id} is not saved by {customer_id}. Use one of their own.",
        )
    if method.expires_on is not None and method.expires_on < db.today():
        raise Rejected(
            "card_expired",
            f"The card {payment_method_id} expired on {method.expires_on}. {advice}",
            day=method.expires_on,
        )
    return method


def list_payment_methods(
    db: Database, customer_id: CustomerId, cursor: str | None = None, limit: int = 50
) -> Page[PaymentMethod]:
    """List a customer's saved cards and PayPal accounts, in id order, expired ones included.

    Args:
        customer_id: The customer.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; left out, 50.

    Raises:
        Rejected: The customer is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.customers.get(customer_id)
    return page(db.payment_methods.where(customer_id=customer_id), cursor, limit)


def add_payment_method(
    db: Database,
    customer_id: CustomerId,
    kind: PaymentMethodKind,
    last_four: str | None = None,
    expires_on: date | None = None,
) -> PaymentMethod:
    """Save a card or PayPal account for a customer.

    Args:
        customer_id: The customer.
        kind: Card brand or PayPal.
        last_four: The card's last four digits; left out for PayPal.
        expires_on: The card's last valid day; left out for PayPal.

    Raises:
        Rejected: The customer is unknown or the account closed.
        Rejected: A card comes without four digits or expiry date, or PayPal with them.
        Rejected: The card has expired.
        Rejected: The customer has saved the same one already.
    """
    _active_customer(db, customer_id)
    if kind == "paypal" and (last_four is not None or expires_on is not None):
        raise Rejected(
            "not_for_paypal", "PayPal has no card digits or expiry date. Leave both out."
        )
    if kind != "paypal" and (last_four is None or expires_on is None):
        raise Rejected(
            "card_details_missing", "A card needs its last four digits and its expiry date."
        )
    if last_four is not None and not _digits(last_four, 4):
        raise Rejected("bad_last_four", 'The last four digits must be four digits, such as "4242".')
    if expires_on is not None and expires_on < db.today():
        raise Rejected("card_expired", "The card has expired. Ask for another.", day=expires_on)
    saved = db.payment_methods.where(customer_id=customer_id)
    if any(
        (old.kind, old.last_four, old.expires_on) == (kind, last_four, expires_on) for old in saved
    ):
        which = "One PayPal account can be saved, and one" if kind == "paypal" else "That card"
        raise Rejected("already_saved", f"{which} is saved already. Use it.")
    return db.payment_methods.add(
        customer_id=customer_id,
        kind=kind,
        last_four=last_four,
        expires_on=expires_on,
        added_on=db.today(),
    )
