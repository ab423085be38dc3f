"""What is written down when work, stays, folios, vouchers and complaints go on or end."""

TRADES = {"housekeeping_tasks": "housekeeper", "maintenance_tickets": "technician"}
FIXED_KINDS = (
    "room_night", "city_tax", "cancellation_fee", "no_show_fee", "discount", "late_checkout",
)  # fmt: skip


def work_is_given_to_who_can_do_it(db: Database, past: Past, event: Event) -> bool:
    """Work is given to staff on shift, of the trade and of the hotel (clause 8.3)."""
    return all(
        employee.on_shift
        and employee.hotel_id == change.after.hotel_id
        and employee.role == TRADES.get(table, employee.role)
        for table in WORK
        for change in _changed(event, table)
        if change.after.employee_id not in (None, change.before.employee_id)
        for employee in [db.employees.get(change.after.employee_id)]
    )


def work_that_is_done_was_given(db: Database, past: Past, event: Event) -> bool:
    """Work is recorded as done by somebody who had it (clause 8.4)."""
    ended = [change for table in WORK for change in _changed(event, table)]
    return all(
        change.before.employee_id is not None
        and change.after.employee_id == change.before.employee_id
        for change in ended
        if change.after.status == "done"
    )


def work_is_given_out_as_asked(db: Database, past: Past, event: Event) -> bool:
    """Whoever is named for a piece of work has it, and goes about it (clause 8.11)."""
    named = event.argument("employee_id")
    given = [change.after for table in WORK for change in _changed(event, table)]
    return named is None or all(
        work.employee_id == named and work.status == "in_progress" for work in given
    )


def work_that_ends_is_over(db: Database, past: Past, event: Event) -> bool:
    """Work that is said to be done or called off is over."""
    ending = event.tool.startswith(("complete_", "cancel_", "close_maintenance"))
    ended = [change.after.status for table in WORK for change in _changed(event, table)]
    is_moved_to = event.tool.startswith("cancel_reservation")
    return is_moved_to or not ending or all(status in ("done", "cancelled") for status in ended)


def guests_get_the_type_booked(db: Database, past: Past, event: Event) -> bool:
    """Who checks in, or has a room set aside, gets one of the type booked (clause 5.2)."""
    given = [
        change.after
        for change in _changed(event, "reservations")
        if change.after.room_id is not None
        and change.after.room_id != change.before.room_id
        and (change.before.status, change.after.status) != ("checked_in", "checked_in")
    ]
    return all(db.rooms.get(one.room_id).room_type_id == one.room_type_id for one in given)


def nobody_moves_to_less_than_booked(db: Database, past: Past, event: Event) -> bool:
    """Nobody is moved to a cheaper type than booked, or to another hotel (clause 5.3)."""
    return all(
        room.hotel_id == change.after.hotel_id
        and db.room_types.get(room.room_type_id).base_rate
        >= db.room_types.get(change.after.booked_type_id).base_rate
        for change in _moved(event)
        for room in [db.rooms.get(change.after.room_id)]
    )


def two_are_not_given_a_room(db: Database, past: Past, event: Event) -> bool:
    """Nobody gets a room on nights for which it is somebody else's (clauses 5.2 and 5.15)."""
    given = [
        change.after
        for change in event.changes
        if change.table == "reservations"
        and change.after.room_id is not None
        and _takes_a_room(db, change.after)
    ]
    return not any(
        other.reservation_id != booking.reservation_id
        and _takes_a_room(db, other)
        and other.arrival < booking.departure
        and booking.arrival < other.departure
        and db.today() < other.departure
        for booking in given
        for other in db.reservations.where(room_id=booking.room_id)
    )


def stays_and_bookings_have_one_room(db: Database, stay: Stay) -> bool:
    """Who is in the house lives in the room that their booking has."""
    booking = db.reservations.get(stay.reservation_id)
    return stay.status != "in_house" or (
        booking.room_id == stay.room_id
        and booking.status == "checked_in"
        and db.rooms.get(stay.room_id).room_type_id == booking.room_type_id
    )


def folios_close_when_all_is_over(db: Database, past: Past, event: Event) -> bool:
    """A folio is closed when the stay is over and it is even, at that moment (clause 6.10)."""
    closed = [
        change.after
        for change in _changed(event, "folios")
        if change.before.status == "open" and change.after.status == "closed"
    ]
    return all(
        folio.due == 0
        and folio.closed_at == db.now()
        and db.reservations.get(folio.reservation_id).status in OVER
        for folio in closed
    )


def folios_are_opened_and_closed_as_asked(db: Database, past: Past, event: Event) -> bool:
    """A folio that is opened again is open, and one that is closed is closed (clause 6.10)."""
    wanted = {"reopen_folio": "open", "close_folio": "closed", "check_out": "closed"}
    ended = [change.after.status for change in _changed(event, "folios")]
    return not event.ok or event.tool not in wanted or wanted[event.tool] in ended


def vouchers_have_what_was_not_spent(db: Database, voucher: Voucher) -> bool:
    """What is left on a voucher is its value less what was spent and not given back."""
    paid = db.payments.where(voucher_id=voucher.voucher_id)
    spent = sum((one.amount - one.refunded for one in paid), Decimal(0))
    is_known = len(paid) > 0 or voucher.issued_on == db.today()
    return not is_known or voucher.value - voucher.balance == spent


def only_what_can_be_spent_is(db: Database, past: Past, event: Event) -> bool:
    """A voucher that is used or void is not spent and not extended (clauses 6.5 and 6.6)."""
    return all(
        change.before.status == "active"
        for change in _changed(event, "vouchers")
        if change.after.balance < change.before.balance
        or change.after.expires_on != change.before.expires_on
        or change.after.status == "void"
    )


def what_went_back_is_noted(db: Database, payment: Payment) -> bool:
    """Of a payment as much is given back as its refunds come to, and no more (clause 6.4)."""
    back = sum((one.amount for one in db.refunds.where(payment_id=payment.payment_id)), Decimal(0))
    return payment.refunded == back <= payment.amount


def folios_add_up(db: Database, folio: Folio) -> bool:
    """A folio charges what its lines come to, and has paid what its payments do."""
    lines = db.charges.where(folio_id=folio.folio_id)
    paid = db.payments.where(folio_id=folio.folio_id)
    return (
        folio.charged == sum((one.amount for one in lines if not one.voided), Decimal(0))
        and folio.paid == sum((one.amount - one.refunded for one in paid), Decimal(0))
        and folio.due == folio.charged - folio.paid
    )


def only_what_was_had_moves(db: Database, past: Past, event: Event) -> bool:
    """Only what a guest had or broke moves to another folio of the hotel (clause 6.9)."""
    return all(
        change.before.kind not in FIXED_KINDS
        and not change.before.voided
        and db.folios.get(change.before.folio_id).hotel_id
        == db.folios.get(change.after.folio_id).hotel_id
        for change in _changed(event, "charges")
        if change.before.folio_id != change.after.folio_id
    )


def lines_are_taken_back_once(db: Database, past: Past, event: Event) -> bool:
    """A line that was taken back stays so, and nothing of it is changed (clause 6.9)."""
    return all(
        not change.before.voided and change.after.void_reason is not None
        for change in _changed(event, "charges")
        if change.after.voided or change.before.voided
    )


def complaints_are_closed_once(db: Database, past: Past, event: Event) -> bool:
    """A complaint that is resolved stays as it is, and one is resolved as asked (clause 7.6)."""
    return all(
        change.before.status == "open"
        and change.after.status == "resolved"
        and change.after.resolved_at == db.now()
        and change.after.points == (event.argument("points") or 0)
        for change in _changed(event, "complaints")
    )


def a_complaint_of_a_kind_is_open_once(db: Database, complaint: Complaint) -> bool:
    """A complaint of the same kind that is open is not taken down twice (clause 7.6)."""
    alike = db.complaints.where(
        reservation_id=complaint.reservation_id, category=complaint.category, status="open"
    )
    return len(alike) <= 1


def who_complains_stays_or_stayed(db: Database, past: Past, event: Event) -> bool:
    """Complain can who stays or has stayed (clause 7.6)."""
    return all(
        db.reservations.get(change.after.reservation_id).status in CAME
        for change in _new(event, "complaints")
    )


def bookings_end_as_asked(db: Database, past: Past, event: Event) -> bool:
    """What is cancelled, missed, checked in or checked out is so, from then on (clause 4.1)."""
    wanted = {
        "cancel_reservation": "cancelled", "mark_no_show": "no_show",
        "check_in": "checked_in", "check_out": "checked_out",
    }  # fmt: skip
    changed = [change.after for change in _changed(event, "reservations")]
    return (
        not event.ok
        or event.tool not in wanted
        or all(
            one.status == wanted[event.tool]
            and (one.status != "cancelled" or one.cancelled_at == db.now())
            for one in changed
        )
    )


def payments_are_numbered_in_their_order(db: Database, folio: Folio) -> bool:
    """The payment with the highest number is the latest one (clause 6.14)."""
    times = [payment.paid_at for payment in db.payments.where(folio_id=folio.folio_id)]
    return times == sorted(times)
