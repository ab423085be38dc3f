"""What the policy rules of sums, points, faults and rooms."""

RULED_POINTS = {"minor": 500, "serious": 2000, "severe": 5000}
URGENT_FAULTS = ("lock", "electrical")
POINTS_GIVEN = "points were given to make up for it"
VOID_REASONS = ("never taken by the guest", "charged twice by the house")
GRACE_DAYS = 90


def extended_by_the_rule(db: Database, past: Past, event: Event) -> bool:
    """A guest's voucher that ran out lately, no promotion, is extended by so much after a yes."""
    if event.tool != "extend_voucher" or past.role == "colleague":
        return True
    voucher = event.result
    old = min(change.before.expires_on for change in event.changes if change.table == "vouchers")
    lately = db.today() - timedelta(days=GRACE_DAYS) <= old < db.today()
    by_rule = voucher.expires_on == db.today() + timedelta(days=EXTENSION_DAYS)
    return past.agreed() and lately and by_rule and voucher.reason != "promotion"


def request_wanted(db: Database, past: Past, event: Event) -> bool:
    """A guest's request is what was asked for, by kind or in words, or agreed to, or is moved."""
    if event.tool != "create_request" or past.role == "colleague":
        return True
    words, kind = _words_of(event.argument("details")), event.argument("kind")
    is_asked = 2 * len([word for word in words if _is_wanted(past, word)]) >= len(words)
    is_moved = any(call.result.kind == kind for call in past.called("cancel_request"))
    return is_asked or is_moved or kind in past.told.values() or past.agreed()


def points_by_the_rule(db: Database, past: Past, event: Event) -> bool:
    """A guest gets as many points for a complaint as the policy says; for none it stays open."""
    if event.tool != "resolve_complaint" or past.role == "colleague":
        return True
    return event.result.points == RULED_POINTS[event.result.severity]


def fault_by_the_rule(db: Database, past: Past, event: Event) -> bool:
    """A fault that a guest reports has the priority of its kind, and blocks no room."""
    if event.tool != "report_fault" or past.role == "colleague":
        return True
    wanted = "urgent" if event.result.category in URGENT_FAULTS else "high"
    return event.result.priority == wanted and not event.result.blocks_room


def nothing_lost(db: Database, past: Past, event: Event) -> bool:
    """Wishes, preferences and companions that were noted stay so, but for who is not to come."""
    if event.tool in ("set_special_wishes", "set_guest_preferences"):
        text = event.argument("wishes") or event.argument("preferences")
        return set(_words_of(_noted_before(event))).issubset(_words_of(text))
    if event.tool != "name_companions":
        return True
    named = [one.name for one in event.result.companions]
    return all(
        one.name in named or past.said_in_words(one.name.split(" ")[0])
        for change in event.changes
        if change.before is not None
        for one in change.before.companions
    )


def made_up_once(db: Database, past: Past, event: Event) -> bool:
    """A guest gets points once for the same kind of complaint about one stay."""
    if event.tool != "resolve_complaint" or past.role == "colleague":
        return True
    made = event.result
    alike = [
        one
        for one in db.complaints.where(reservation_id=made.reservation_id)
        if one.category == made.category or one.details == made.details
    ]
    return len([one for one in alike if one.points > 0]) <= 1


def resolution_as_ruled(db: Database, past: Past, event: Event) -> bool:
    """What was done about a guest's complaint is written down in the words of the policy."""
    if event.tool != "resolve_complaint" or past.role == "colleague" or event.result.points == 0:
        return True
    return event.argument("resolution").strip(" .").lower() == POINTS_GIVEN


def own_error_mended(db: Database, past: Past, event: Event) -> bool:
    """No minibar line that was seen to stand twice on a bill is passed over when all is told.

    Who pays the bill as it stands has not asked about it.
    """
    if past.role == "colleague" or not event.does("closes") or event.does("refuses"):
        return True
    if len(past.called(PAYING)) > 0:
        return True
    seen = {line.charge_id for call in past.called("list_charges") for line in call.result}
    lines = [db.charges.get(charge_id) for charge_id in sorted(seen)]
    kept = [
        line
        for line in lines
        if line.kind == "minibar" and not line.voided
        if db.folios.get(line.folio_id).status == "open"
    ]
    entries = [_entry(line) for line in kept]
    told = [*event.values("states"), *_told_so_far(past)]
    return all(float(line.amount) in told or entries.count(_entry(line)) == 1 for line in kept)


def void_reason_as_ruled(db: Database, past: Past, event: Event) -> bool:
    """Why a guest's line is taken back is written down in the words of the policy."""
    if event.tool != "void_charge" or past.role == "colleague":
        return True
    return event.argument("reason").strip(" .").lower() in VOID_REASONS


def folio_read(db: Database, past: Past, event: Event) -> bool:
    """A colleague's guest is checked out once the lines of the folio were read."""
    if event.tool != "check_out" or past.role != "colleague":
        return True
    folios = db.folios.where(reservation_id=event.result.reservation_id)
    read = [call.argument("folio_id") for call in past.called("list_charges")]
    return all(folio.folio_id in read for folio in folios)


def colleague_fault_by_the_rule(db: Database, past: Past, event: Event) -> bool:
    """A fault that a colleague reports is urgent if it is electrical or a lock."""
    if event.tool != "report_fault" or past.role != "colleague":
        return True
    return event.result.priority == "urgent" or event.result.category not in URGENT_FAULTS


def set_aside_as_said(db: Database, past: Past, event: Event) -> bool:
    """A room is set aside on the floor named, as named, or for one named before; or after a yes."""
    if event.tool != "assign_room" or past.agreed():
        return True
    room, said = db.rooms.get(event.result.room_id), past.told.values()
    if past.told.get("floor") is not None:
        return _amount_in(str(past.told["floor"])) in ("", str(room.floor))
    old = [
        db.rooms.get(change.before.room_id).number
        for change in event.changes
        if change.before is not None and change.before.room_id is not None
    ]
    named = [one.number for one in db.rooms.where(hotel_id=room.hotel_id) if one.number in said]
    return len(named) == 0 or any(number in named for number in [room.number, *old])
