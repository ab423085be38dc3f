"""Support cases and their messages."""

MAX_MESSAGE = 4000
MAX_UNRESOLVED = 3


def _unresolved(db: Database, customer_id: CustomerId) -> list[SupportCase]:
    return [case for case in db.cases.where(customer_id=customer_id) if case.status != "resolved"]


def _check_is_no_other(
    unresolved: list[SupportCase], topic: CaseTopic, order_id: OrderId | None
) -> None:
    for case in unresolved:
        if (case.topic, case.order_id) == (topic, order_id):
            raise Rejected(
                "case_open_already",
                f"{case.case_id} is on the same topic and order and not resolved. Write to it.",
                case_id=case.case_id,
            )


def _check_is_no_fourth(unresolved: list[SupportCase]) -> None:
    if len(unresolved) >= MAX_UNRESOLVED:
        oldest = min(unresolved, key=lambda case: case.opened_at)
        raise Rejected(
            "too_many_cases",
            f"The customer has {MAX_UNRESOLVED} cases that are not resolved; the oldest is "
            f"{oldest.case_id} of {oldest.opened_at.date()}. One must be resolved first.",
            case_id=oldest.case_id,
            day=oldest.opened_at.date(),
        )


def open_case(
    db: Database,
    customer_id: CustomerId,
    topic: CaseTopic,
    subject: str,
    text: str,
    order_id: OrderId | None = None,
    priority: CasePriority = "normal",
) -> SupportCase:
    """Open a support case with the customer's first message.

    Args:
        customer_id: Who asks.
        topic: What it is about.
        subject: What it is about in a line, up to 120 characters.
        text: The customer's message, up to 4000 characters.
        order_id: The order it is about, if any.
        priority: How soon it needs an answer; left out, normal.

    Raises:
        Rejected: The customer or order is unknown, or the account closed.
        Rejected: The order is someone else's.
        Rejected: The customer has an unresolved case on the same topic and order, or three
            unresolved cases.
        Rejected: The subject or text is empty, too long or has control characters.
    """
    _active_customer(db, customer_id)
    if order_id is not None and db.orders.get(order_id).customer_id != customer_id:
        raise Rejected("not_own_order", f"{order_id} is not an order of {customer_id}.")
    unresolved = _unresolved(db, customer_id)
    _check_is_no_other(unresolved, topic, order_id)
    _check_is_no_fourth(unresolved)
    message = _lines_of(text, "message", MAX_MESSAGE)
    case = db.cases.add(
        customer_id=customer_id,
        order_id=order_id,
        topic=topic,
        priority=priority,
        status="open",
        subject=_line_of(subject, "subject", 120),
        opened_at=db.now(),
    )
    _post(db, case.case_id, "customer", message)
    return case


def _post(db: Database, case_id: SupportCaseId, author: MessageAuthor, text: str) -> None:
    db.case_messages.add(case_id=case_id, author=author, text=text, sent_at=db.now())


def get_case(db: Database, case_id: SupportCaseId) -> SupportCase:
    """Show a support case: its topic, subject and where it stands.

    Args:
        case_id: The case number, such as "CAS-00042".

    Raises:
        Rejected: The case is unknown.
    """
    return db.cases.get(case_id)


def list_cases(
    db: Database,
    customer_id: CustomerId | None = None,
    status: CaseStatus | None = None,
    topic: CaseTopic | None = None,
    priority: CasePriority | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[SupportCase]:
    """List support cases, oldest first.

    Args:
        customer_id: Only this customer's.
        status: Only cases in this status.
        topic: Only cases on this topic.
        priority: Only cases with this priority.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; left out, 50.

    Raises:
        Rejected: The customer is unknown.
        Rejected: The cursor or limit is bad.
    """
    if customer_id is not None:
        db.customers.get(customer_id)
        rows = db.cases.where(customer_id=customer_id)
    elif status is not None:
        rows = db.cases.where(status=status)
    elif topic is not None:
        rows = db.cases.where(topic=topic)
    else:
        rows = db.cases.all()
    found = [
        row
        for row in rows
        if status in (None, row.status)
        and topic in (None, row.topic)
        and priority in (None, row.priority)
    ]
    return page(sorted(found, key=lambda row: row.opened_at), cursor, limit)


def list_case_messages(
    db: Database, case_id: SupportCaseId, cursor: str | None = None, limit: int = 50
) -> Page[CaseMessage]:
    """List the messages of a support case, oldest first.

    Args:
        case_id: The case number.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200; left out, 50.

    Raises:
        Rejected: The case is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.cases.get(case_id)
    messages = db.case_messages.where(case_id=case_id)
    return page(sorted(messages, key=lambda row: row.sent_at), cursor, limit)


def _check_may_reopen(db: Database, case: SupportCase, author: MessageAuthor) -> None:
    unresolved = _unresolved(db, case.customer_id)
    _check_is_no_other(unresolved, case.topic, case.order_id)
    if author == "agent":
        raise Rejected("case_resolved", "The case is resolved; only the customer can reopen it.")
    _check_is_no_fourth(unresolved)


def reply_to_case(
    db: Database, case_id: SupportCaseId, author: MessageAuthor, text: str
) -> SupportCase:
    """Add a message to a case; it then waits for the other side, and a customer reopens it.

    Args:
        case_id: The case number.
        author: Who writes.
        text: The message, up to 4000 characters.

    Raises:
        Rejected: The case is unknown, or the customer's account closed.
        Rejected: The case is resolved, and the customer has another unresolved one on the same
            topic and order, or three unresolved ones, or an agent writes.
        Rejected: The text is empty, too long or has control characters.
    """
    case = db.cases.get(case_id)
    _active_customer(db, case.customer_id)
    if case.status == "resolved":
        _check_may_reopen(db, case, author)
    _post(db, case_id, author, _lines_of(text, "message", MAX_MESSAGE))
    status: CaseStatus = "waiting_for_customer" if author == "agent" else "open"
    return db.cases.update(case_id, status=status, resolved_at=None)


def resolve_case(db: Database, case_id: SupportCaseId, resolution: str) -> SupportCase:
    """Close a case with a last message that says what was done.

    Args:
        case_id: The case number.
        resolution: What was done, up to 4000 characters.

    Raises:
        Rejected: The case is unknown or resolved already.
        Rejected: The resolution is empty, too long or has control characters.
    """
    if db.cases.get(case_id).status == "resolved":
        raise Rejected("case_resolved", "The case is resolved already.")
    _post(db, case_id, "agent", _lines_of(resolution, "resolution", MAX_MESSAGE))
    return db.cases.update(case_id, status="resolved", resolved_at=db.now())
