"""What guests ask the house for."""

LEAST_FOR_A_BED = 3


def _request_line(db: Database, request: GuestRequest) -> GuestRequestLine:
    reservation = db.reservations.get(request.reservation_id)
    return GuestRequestLine(
        request_id=request.request_id,
        reservation_id=request.reservation_id,
        guest=_guest_name(db, reservation.guest_id),
        room=_room_number(db, _held_room(db, reservation)),
        kind=request.kind,
        details=request.details,
        wanted_on=request.wanted_on,
        status=request.status,
        made_at=request.made_at,
        employee_id=request.employee_id,
        employee=_employee_name(db, request.employee_id),
    )


def list_requests(
    db: Database,
    hotel_id: HotelId,
    status: WorkStatus | None = None,
    reservation_id: ReservationId | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[GuestRequestLine]:
    """List what guests of a hotel asked for, by number.

    Args:
        hotel_id: The hotel's code, such as "LISBON".
        status: Only requests in this status.
        reservation_id: Only requests of this reservation, such as "RES-00042".
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; 50 unless given.

    Raises:
        Rejected: The hotel or reservation is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.hotels.get(hotel_id)
    if reservation_id is not None:
        db.reservations.get(reservation_id)
    requests = [
        request
        for request in db.guest_requests.where(hotel_id=hotel_id)
        if (status is None or request.status == status)
        and (reservation_id is None or request.reservation_id == reservation_id)
    ]
    return page([_request_line(db, request) for request in requests], cursor, limit)


def _check_holds_a_bed(room_type: RoomType, way: str) -> None:
    if room_type.capacity < LEAST_FOR_A_BED:
        raise Rejected(
            "no_place_for_a_bed",
            f"{room_type.name} sleeps {room_type.capacity}; an extra bed goes only into a room "
            f"type that sleeps {LEAST_FOR_A_BED}, so {way}.",
            room_type=room_type.name,
            limit=room_type.capacity,
        )


def _beds_to_put_up(db: Database, reservation: Reservation) -> list[GuestRequest]:
    """Return the requests for an extra bed that are still to be seen to."""
    beds = db.guest_requests.where(reservation_id=reservation.reservation_id, kind="extra_bed")
    return [bed for bed in beds if bed.status in ("open", "in_progress")]


def _check_bed_fits(db: Database, reservation: Reservation, room_type: RoomType) -> None:
    """Refuse a room type that does not hold the extra bed still to be put up, if there is one."""
    for bed in _beds_to_put_up(db, reservation):
        _check_holds_a_bed(room_type, f"take request {bed.request_id} back first")


def _once_bed_is_back(db: Database, reservation: Reservation, room_type: RoomType) -> str:
    """Say which requests for an extra bed are in the way of a room type."""
    beds = _beds_to_put_up(db, reservation)
    if not beds or room_type.capacity >= LEAST_FOR_A_BED:
        return ""
    if len(beds) == 1:
        return f" once the extra bed, request {beds[0].request_id}, is taken back"
    ids = ", ".join(bed.request_id for bed in beds)
    return f" once the extra beds, requests {ids}, are taken back"


def _words(text: str) -> list[str]:
    """Return the words of a text in small letters, without signs around them or unseen ones."""
    seen = "".join(sign for sign in text if sign.isprintable() or sign.isspace())
    return [word.strip(".,;:!?").casefold() for word in seen.split()]


def create_request(
    db: Database,
    reservation_id: ReservationId,
    kind: RequestKind,
    details: str,
    wanted_on: date,
) -> GuestRequest:
    """Take down something a guest asks the house for.

    Args:
        reservation_id: The confirmation number, such as "RES-00042".
        kind: What is asked for.
        details: What exactly, in words.
        wanted_on: The day it is wanted, during the stay.

    Raises:
        Rejected: The reservation is unknown, or neither confirmed nor in the house.
        Rejected: The day of arrival is over, and the guest did not come.
        Rejected: The day is past or outside the stay.
        Rejected: An extra bed is wanted in a room type that sleeps fewer than three.
        Rejected: The details are empty or too long.
        Rejected: The same is noted for that day already, and still to be seen to.
    """
    reservation = db.reservations.get(reservation_id)
    _check_active(reservation)
    _check_not_missed(db, reservation)
    if not max(reservation.arrival, db.today()) <= wanted_on <= reservation.departure:
        raise Rejected(
            "outside_stay",
            f"Give a day of the stay, {reservation.arrival} to {reservation.departure}, not past.",
            first=max(reservation.arrival, db.today()),
            last=reservation.departure,
        )
    if kind == "extra_bed":
        room_type = db.room_types.get(reservation.room_type_id)
        _check_holds_a_bed(room_type, "take none down")
    words = _text(details, "details")
    for other in db.guest_requests.where(
        reservation_id=reservation_id, kind=kind, wanted_on=wanted_on
    ):
        if _words(other.details) == _words(words) and other.status in ("open", "in_progress"):
            raise Rejected(
                "duplicate",
                f"Request {other.request_id} is for that on {wanted_on} already, and still to be "
                "seen to.",
                request=other.request_id,
            )
    return db.guest_requests.add(
        reservation_id=reservation_id,
        hotel_id=reservation.hotel_id,
        kind=kind,
        details=words,
        wanted_on=wanted_on,
        status="open",
        made_at=db.now(),
    )


def _unfinished_request(db: Database, request_id: GuestRequestId) -> GuestRequest:
    request = db.guest_requests.get(request_id)
    if request.status not in ("open", "in_progress"):
        reservation = db.reservations.get(request.reservation_id)
        ended = reservation.status not in ACTIVE or _is_missed(db, reservation)
        way = "it is over" if ended else "take down a new one if there is more to do"
        raise Rejected(
            "request_over",
            f"Request {request_id} is {request.status}; {way}.",
            status=request.status,
        )
    return request


def assign_request(
    db: Database, request_id: GuestRequestId, employee_id: EmployeeId
) -> GuestRequest:
    """Give a guest's request to a member of staff, who sees to it.

    Args:
        request_id: The request, such as "REQ-00018".
        employee_id: A member of the hotel's staff, such as "EMP-00004".

    Raises:
        Rejected: The request or member of staff is unknown, or the request is over.
        Rejected: The day of arrival is over, and the guest did not come.
        Rejected: They work in another hotel or are off shift.
        Rejected: They have the request already.
    """
    request = _unfinished_request(db, request_id)
    _check_not_missed(db, db.reservations.get(request.reservation_id))
    employee = _employee(db, employee_id, request.hotel_id, "")
    if request.employee_id == employee_id:
        raise Rejected(
            "already_assigned",
            f"{employee.name} has request {request_id} already.",
            name=employee.name,
        )
    return db.guest_requests.update(request_id, employee_id=employee_id, status="in_progress")


def complete_request(db: Database, request_id: GuestRequestId) -> GuestRequest:
    """Record that a guest's request was met.

    Args:
        request_id: The request, such as "REQ-00018".

    Raises:
        Rejected: The request is unknown or over.
        Rejected: No member of staff was given it.
        Rejected: Its day is still to come, or the guest did not come on the day of arrival.
    """
    request = _unfinished_request(db, request_id)
    if request.wanted_on > db.today():
        raise Rejected(
            "too_early",
            f"Request {request_id} is for {request.wanted_on}; it is met then, and not before.",
            day=request.wanted_on,
        )
    _check_not_missed(db, db.reservations.get(request.reservation_id))
    if request.employee_id is None:
        raise Rejected("not_assigned", f"Nobody was given request {request_id}; assign it first.")
    return db.guest_requests.update(request_id, status="done")


def cancel_request(db: Database, request_id: GuestRequestId) -> GuestRequest:
    """Drop a guest's request that is not wanted any more.

    Args:
        request_id: The request, such as "REQ-00018".

    Raises:
        Rejected: The request is unknown or over.
    """
    _unfinished_request(db, request_id)
    return db.guest_requests.update(request_id, status="cancelled", employee_id=None)
