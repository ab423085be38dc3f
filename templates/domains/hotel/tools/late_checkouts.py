"""Late check-outs: hours past noon on the day of leaving."""

LATE_HOUR_PRICE = Decimal("20.00")
MOST_LATE_HOURS = 6
NOON = 12


def grant_late_checkout(db: Database, stay_id: StayId, hours: int) -> Stay:
    """Let a guest keep the room past noon on the day of leaving, in place of hours granted before.

    An hour costs 20 EUR; gold and platinum guests pay nothing. What was charged for hours granted
    before is taken back.

    Args:
        stay_id: The stay, such as "STY-00021".
        hours: Hours past noon, 1 to 6; 0 to give up those granted before.

    Raises:
        Rejected: The stay is unknown, or the guest has left.
        Rejected: The hours are not 0 to 6, as many as were granted already, or over by now.
        Rejected: The room is set aside for somebody who arrives that day.
        Rejected: A discount on the folio is larger than what would remain.
    """
    stay = _in_house(db, stay_id)
    if not 0 <= hours <= MOST_LATE_HOURS:
        raise Rejected(
            "hours_out_of_range",
            f"A late check-out is 1 to {MOST_LATE_HOURS} hours, not {hours}; 0 gives it up.",
            limit=MOST_LATE_HOURS,
        )
    if hours == stay.late_checkout_hours:
        raise Rejected(
            "nothing_to_change",
            f"{hours} hours are granted already; give another number.",
            hours=hours,
        )
    reservation = db.reservations.get(stay.reservation_id)
    day = reservation.departure
    if _at(db, day, NOON + hours) <= db.now():
        raise Rejected(
            "hours_out_of_range",
            f"Hours are granted or given up only to end later than now, and {NOON + hours}:00 of "
            f"{day} is past: it is {_time(db.now())}.",
            now=db.now(),
        )
    _check_nobody_arrives(db, db.rooms.get(stay.room_id), day, "offer to keep the luggage")
    is_free = db.guests.get(reservation.guest_id).tier in ("gold", "platinum")
    price = Decimal(0) if is_free else hours * LATE_HOUR_PRICE
    taken = _taken_off(db, stay, [], price)
    if hours > 0 and not is_free:
        folio_id = _folio(db, stay.reservation_id).folio_id
        line = f"Late check-out on {day}"
        _charge(db, folio_id, "late_checkout", line, hours, LATE_HOUR_PRICE, None, None)
    _take_off(db, stay, taken, "Other hours were granted." if hours else "The hours were given up.")
    return db.stays.update(stay_id, late_checkout_hours=hours)
