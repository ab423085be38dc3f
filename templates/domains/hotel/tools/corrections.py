"""Charges that were wrong: taken back, or moved to another folio."""


def _check_stands(charge: Charge) -> None:
    if charge.voided:
        raise Rejected("charge_voided", f"Charge {charge.charge_id} is voided already.")


def _is_fee(db: Database, charge: Charge) -> bool:
    """Say whether a charge is for what was called off, or for not coming, services included.

    A service that is still to come when its guest has left is one of these.
    """
    if charge.booking_id is None:
        return charge.kind in ("cancellation_fee", "no_show_fee")
    booking = db.service_bookings.get(charge.booking_id)
    reservation = db.reservations.get(booking.reservation_id)
    came = reservation.status in ("checked_in", "checked_out")
    left_before = reservation.status == "checked_out" and booking.starts_at > db.now()
    return booking.status == "cancelled" or not came or left_before


def _check_fee_is_too_much(db: Database, charge: Charge) -> None:
    """Refuse to take back a fee, unless one for the same that is no smaller stays."""
    if not _is_fee(db, charge):
        return
    others = [
        fee
        for fee in db.charges.where(folio_id=charge.folio_id, kind=charge.kind)
        if fee.booking_id == charge.booking_id
        and not fee.voided
        and fee.charge_id != charge.charge_id
    ]
    if all(fee.amount < charge.amount for fee in others):
        raise Rejected(
            "fee_stays",
            "What calling off, not coming or leaving before a service costs is kept, and not "
            "waived.",
        )


def void_charge(db: Database, charge_id: ChargeId, reason: str) -> Charge:
    """Take back a charge that was wrong.

    With the charge for a late check-out, a guest in the house loses the hours. A service completed
    before it begins is booked again as long as they are there.

    Args:
        charge_id: The charge, such as "CHG-00310".
        reason: Why it is taken back.

    Raises:
        Rejected: The charge is unknown or voided already, or its folio is closed.
        Rejected: It is a room night or city tax, or the only fee for what was called off.
        Rejected: It is for a service that is still to come, and its guest has left.
        Rejected: The reason is empty or too long.
        Rejected: A discount on the folio is larger than what would remain.
    """
    charge = db.charges.get(charge_id)
    why = _text(reason, "reason")
    _check_stands(charge)
    _check_fee_is_too_much(db, charge)
    if charge.night is not None:
        folio = db.folios.get(charge.folio_id)
        is_open = folio.status == "open" and folio.charged > 0
        way = "; a discount can be given instead" if is_open else ""
        raise Rejected(
            "not_voidable", f"Nights and city tax cannot be voided{way}.", kind=charge.kind
        )
    folio = _open_folio(db, charge.folio_id)
    _check_discount_fits(folio, charge.amount)
    for stay in db.stays.where(reservation_id=folio.reservation_id, status="in_house"):
        if charge.kind == "late_checkout":
            db.stays.update(stay.stay_id, late_checkout_hours=0)
        if charge.booking_id is not None and charge in _charged_ahead(db, stay):
            db.service_bookings.update(charge.booking_id, status="booked")
    return _void(db, charge, why)


def _check_was_had(db: Database, charge: Charge) -> None:
    """Refuse to move what nobody had or broke: nights, fees, discounts, services to come."""
    fixed = charge.night is not None or charge.kind in ("discount", "late_checkout")
    if fixed or _is_fee(db, charge):
        raise Rejected(
            "not_movable",
            f"Charge {charge.charge_id} cannot be moved; only what a guest had or broke can.",
            kind=charge.kind,
        )
    booking = None if charge.booking_id is None else db.service_bookings.get(charge.booking_id)
    if booking is not None and booking.starts_at > db.now():
        raise Rejected(
            "not_movable",
            f"Charge {charge.charge_id} is for a service that begins {_time(booking.starts_at)}; "
            "it stays with the guest who booked it.",
            kind=charge.kind,
        )


def transfer_charge(db: Database, charge_id: ChargeId, folio_id: FolioId) -> Charge:
    """Move a charge to the folio of another guest in the same hotel.

    Args:
        charge_id: The charge, such as "CHG-00310".
        folio_id: The folio that takes it over, such as "FOL-00042".

    Raises:
        Rejected: The charge or folio is unknown, or one of the folios is closed.
        Rejected: The guest of the other folio has not checked in.
        Rejected: The folios are the same or of different hotels.
        Rejected: The charge is voided, a night, city tax, a fee, a late check-out or a discount.
        Rejected: It is for a service that has not begun.
        Rejected: A discount on the folio is larger than what would remain.
    """
    charge = db.charges.get(charge_id)
    _check_stands(charge)
    _check_was_had(db, charge)
    folio, target = _open_folio(db, charge.folio_id), _chargeable(db, folio_id)
    if folio.folio_id == folio_id:
        raise Rejected(
            "nothing_to_change", f"Charge {charge_id} is on folio {folio_id}; choose another folio."
        )
    if folio.hotel_id != target.hotel_id:
        raise Rejected(
            "other_hotel",
            "A charge moves to another folio of the same hotel; choose such a folio.",
            hotel=target.hotel_id,
        )
    _check_discount_fits(folio, charge.amount)
    _post(db, folio.folio_id, -charge.amount, Decimal(0))
    _post(db, target.folio_id, charge.amount, Decimal(0))
    return db.charges.update(charge_id, folio_id=folio_id)
