"""Folios: what was charged, paid and given back."""

TILL: list[TillMethod] = ["card", "card", "cash", "card", "bank_transfer"]
EXTRAS: list[tuple[ExtraKind, str, Decimal]] = [
    ("minibar", "Minibar: still water", Decimal("3.50")),
    ("restaurant", "Terrace lunch", Decimal("27.00")),
    ("minibar", "Minibar: salted almonds", Decimal("5.00")),
    ("parking", "Garage, one day", Decimal("18.00")),
    ("laundry", "Laundry: shirt", Decimal("4.80")),
    ("restaurant", "Bar: glass of wine", Decimal("8.50")),
    ("damage", "Broken glass", Decimal("12.00")),
]


def _lines(
    db: Database, reservation: Reservation, plan: RatePlan, number: str, n: int
) -> list[tuple[ChargeKind, str, int, Money, datetime, date | None]]:
    came_at = _at(db, reservation.arrival, 13 if reservation.arrival == db.today() else 15, n % 60)
    if reservation.status in ("checked_in", "checked_out"):
        tax = db.hotels.get(reservation.hotel_id).city_tax
        lines: list[tuple[ChargeKind, str, int, Money, datetime, date | None]] = []
        for rate in reservation.nights:
            night = rate.night
            line = f"Room {number}, night of {night}"
            lines.append(("room_night", line, 1, rate.amount, came_at, night))
            line = f"City tax, night of {night}"
            lines.append(("city_tax", line, reservation.adults, tax, came_at, night))
        stayed = min(reservation.departure, db.today()) - reservation.arrival
        for k in range(n % 3 if stayed.days > 0 else 0):
            kind, line, price = EXTRAS[(n + k * 3) % len(EXTRAS)]
            day = reservation.arrival + timedelta(days=k % stayed.days)
            lines.append((kind, line, 1 + (n + k) % 2, price, _at(db, day, 20, n % 60), None))
        morning = _at(db, reservation.departure, 7, n % 60)
        if reservation.status == "checked_out" and n % 19 == 4:
            lines.append(("discount", "Apology for the noise", 1, Decimal("-25.00"), morning, None))
        if _leaves_late(db, reservation, n):
            line = f"Late check-out on {reservation.departure}"
            lines.append(("late_checkout", line, 2, Decimal("20.00"), morning, None))
        return lines
    fee = money(reservation.total * plan.late_cancel_percent / 100)
    line = f"Fee for reservation {reservation.reservation_id}"
    if reservation.status == "no_show":
        day = reservation.arrival + timedelta(days=1)
        return [("no_show_fee", line, 1, fee, _at(db, day, 10, n % 60), None)]
    if reservation.cancelled_at is not None:
        free_days = plan.free_cancel_days
        left = (reservation.arrival - reservation.cancelled_at.date()).days
        if free_days is None or left < free_days:
            return [("cancellation_fee", line, 1, fee, reservation.cancelled_at, None)]
    return []


def _pay(
    db: Database,
    folio_id: FolioId,
    method: PaymentMethod,
    amount: Money,
    refunded: Money,
    paid_at: datetime,
    n: int,
    voucher_id: str | None,
) -> Payment:
    return db.payments.add(
        folio_id=folio_id,
        method=method,
        amount=money(amount),
        refunded=money(refunded),
        paid_at=paid_at,
        card_last4=f"{(n * 3571 + 1009) % 10000:04d}" if method == "card" else None,
        voucher_id=voucher_id,
    )


def _give_back(db: Database, payment: Payment, reason: RefundReason, made_at: datetime) -> None:
    db.refunds.add(
        payment_id=payment.payment_id, amount=payment.refunded, reason=reason, made_at=made_at
    )


def _use_voucher(
    db: Database, reservation: Reservation, folio_id: FolioId, paid_at: datetime, n: int
) -> None:
    left = Decimal(n % 2 * 30)
    voucher = db.vouchers.add(
        guest_id=reservation.guest_id,
        reason="gift",
        value=left + 50,
        balance=left,
        status="active" if left else "used",
        issued_on=paid_at.date() - timedelta(days=120),
        expires_on=paid_at.date() + timedelta(days=245),
    )
    _pay(db, folio_id, "voucher", Decimal(50), Decimal(0), paid_at, n, voucher.voucher_id)


def _use_points(
    db: Database, reservation: Reservation, folio_id: FolioId, paid_at: datetime, n: int
) -> int:
    """Pay 5 EUR with points; every second time they are given back. Return the euros left."""
    back = n % 2 == 0
    refunded = Decimal(5 if back else 0)
    payment = _pay(db, folio_id, "points", Decimal(5), refunded, paid_at, n, None)
    reasons: list[PointsReason] = ["redeemed", "returned"] if back else ["redeemed"]
    for reason in reasons:
        db.points_entries.add(
            guest_id=reservation.guest_id,
            reservation_id=reservation.reservation_id,
            change=-500 if reason == "redeemed" else 500,
            reason=reason,
            made_at=paid_at,
        )
    if back:
        _give_back(db, payment, "overpayment", paid_at)
    return 0 if back else 5


def _settle(
    db: Database, reservation: Reservation, folio_id: FolioId, due: Money, paid_at: datetime, n: int
) -> int:
    """Pay what is due in one of several ways; return the points it cost."""
    spent = 0
    back = Decimal(24 if n % 13 == 8 else 0)
    first = paid_at - timedelta(minutes=4 if back > 0 else 0)
    if n % 17 == 3 and due > 60:
        _use_voucher(db, reservation, folio_id, first, n)
        due = due - 50
    if n % 29 == 12 and due > 20:
        spent = _use_points(db, reservation, folio_id, first, n)
        due = due - spent
    reasons: list[RefundReason] = ["billing_error", "overpayment", "service_failure"]
    reason = reasons[n // 13 % 3]
    if back > 0 and reason == "billing_error":
        came = reservation.status in ("checked_in", "checked_out")
        _void_line(db, folio_id, paid_at, came, money(back))
    payment = _pay(db, folio_id, TILL[n % len(TILL)], due + back, back, first, n, None)
    if back > 0:
        _give_back(db, payment, reason, paid_at)
    return -100 * spent


def _account(
    db: Database, reservation: Reservation, plan: RatePlan, number: str, scene: str, n: int
) -> int:
    lines = _lines(db, reservation, plan, number, n)
    charged = sum((quantity * price for _, _, quantity, price, _, _ in lines), Decimal(0))
    status = reservation.status
    unpaid = scene == "arriving" and n % 5 == 2 or scene == "confirmed" and n % 7 == 3
    deposit = Decimal(0) if unpaid else reservation.deposit_due
    settles = status == "checked_out" or scene == "leaving" and n % 2 == 0
    if status == "no_show" or status == "cancelled" and n % 4 != 1:
        settles = True
    over = max(Decimal(0), deposit - charged) if status in ("cancelled", "no_show") else Decimal(0)
    due = max(Decimal(0), charged - deposit) if settles else Decimal(0)
    ended_at = reservation.cancelled_at
    if status == "no_show":
        ended_at = _at(db, reservation.arrival + timedelta(days=1), 10, n % 60)
    if status == "checked_out":
        ended_at = _left_at(db, reservation, n)
    paid = money(deposit - over + due)
    closed = ended_at is not None and paid == charged
    folio = db.folios.add(
        reservation_id=reservation.reservation_id,
        hotel_id=reservation.hotel_id,
        status="closed" if closed else "open",
        opened_at=reservation.booked_at,
        closed_at=ended_at if closed else None,
        charged=money(charged),
        paid=paid,
        due=money(charged - paid),
    )
    for kind, line, quantity, price, posted_at, night in lines:
        db.charges.add(
            folio_id=folio.folio_id,
            kind=kind,
            description=line,
            quantity=quantity,
            unit_price=price,
            amount=money(quantity * price),
            posted_at=posted_at,
            night=night,
            voided=False,
        )
    if deposit > 0:
        method: PaymentMethod = "bank_transfer" if n % 6 == 5 else "card"
        booked_at = reservation.booked_at
        payment = _pay(db, folio.folio_id, method, deposit, over, booked_at, n, None)
        if over > 0 and ended_at is not None:
            _give_back(db, payment, "cancellation", ended_at)
    if due > 0:
        paid_at = db.now() - timedelta(hours=5) if ended_at is None else ended_at
        return _settle(db, reservation, folio.folio_id, due, paid_at, n)
    return 0
