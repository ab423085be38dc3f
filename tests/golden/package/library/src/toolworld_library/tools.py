"""The tools of Town library: what an agent can do, one function each.

Each runs in a transaction over the database it is given: on any error nothing is changed.
"""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from .database.models import (
    Book,
    BookId,
    Database,
    Fee,
    Hold,
    HoldId,
    Loan,
    LoanId,
    LoanStatus,
    Member,
    MemberId,
)
from .errors import Rejected
from .values import Page, contains, money, page

LOAN_DAYS = 21
MOST_OPEN_LOANS = 5
MOST_RENEWALS = 2
MOST_HOLD_DAYS = 180
LATE_FEE_A_DAY = Decimal("0.20")
LARGEST_FEE = Decimal("500.00")


def _open_loan(db: Database, loan_id: LoanId) -> Loan:
    loan = db.loans.get(loan_id)
    if loan.status != "open":
        raise Rejected(f"Loan {loan_id} is {loan.status}; only an open loan can be changed.")
    return loan


def _late_fee(loan: Loan, day: date) -> Decimal:
    return money(max(0, (day - loan.due_on).days) * LATE_FEE_A_DAY)


def find_member(db: Database, email: str) -> Member:
    """Find a member by e-mail address.

    Args:
        email: The address on the card, such as "ada.brook1@example.com".

    Raises:
        Rejected: No member has that address.
    """
    found = db.members.where(email=email.strip().lower())
    if not found:
        raise Rejected(f'No member has the address "{email}"; ask for the address on the card.')
    return found[0]


def search_books(
    db: Database, query: str, cursor: str | None = None, limit: int = 50
) -> Page[Book]:
    """Search the collection by title or author, in ISBN order.

    Args:
        query: Part of a title or of an author's name.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The query is empty.
        Rejected: The cursor or limit is bad.
    """
    if not query.strip():
        raise Rejected("The query is empty; give part of a title or an author's name.")
    books = [b for b in db.books.all() if contains(b.title, query) or contains(b.author, query)]
    return page(books, cursor, limit)


def list_member_loans(
    db: Database,
    member_id: MemberId,
    status: LoanStatus | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Loan]:
    """List a member's loans, oldest first.

    Args:
        member_id: The member, such as "MEM-00012".
        status: Only loans in this status.
        cursor: Where to go on, from the page before.
        limit: Rows on the page, 1 to 200.

    Raises:
        Rejected: The member is unknown.
        Rejected: The cursor or limit is bad.
    """
    db.members.get(member_id)
    loans = db.loans.where(member_id=member_id)
    return page([loan for loan in loans if status is None or loan.status == status], cursor, limit)


def lend_book(
    db: Database, member_id: MemberId, isbn: BookId, desk: str = "main", note: str | None = None
) -> Loan:
    """Lend a copy of a book to a member for three weeks.

    The member's own hold on the book, if there is one, is used up.

    Args:
        member_id: Who borrows, such as "MEM-00012".
        isbn: The book, such as "9780306406157".
        desk: The desk that hands out the copy.
        note: A remark about the copy, such as a torn page.

    Raises:
        Rejected: The member or the book is unknown.
        Rejected: The member is blocked or has too many open loans.
        Rejected: Every copy is out.
    """
    member = db.members.get(member_id)
    book = db.books.get(isbn)
    if member.blocked:
        raise Rejected(f"Member {member_id} is blocked; the fines must be settled first.")
    if len(db.loans.where(member_id=member_id, status="open")) >= MOST_OPEN_LOANS:
        raise Rejected(f"Member {member_id} has {MOST_OPEN_LOANS} open loans; one must come back.")
    if len(db.loans.where(isbn=isbn, status="open")) >= book.copies:
        raise Rejected(f'Every copy of "{book.title}" is out; place a hold instead.')
    for hold in db.holds.where(member_id=member_id, isbn=isbn):
        db.holds.remove(hold.hold_id)
    return db.loans.add(
        member_id=member_id,
        isbn=isbn,
        status="open",
        lent_at=db.now(),
        due_on=db.today() + timedelta(days=LOAN_DAYS),
        renewals=0,
        fees=[],
        fine=Decimal(0),
        desk=desk,
        note=note,
    )


def renew_loan(db: Database, loan_id: LoanId) -> Loan:
    """Extend an open loan by three weeks, counted from today.

    Args:
        loan_id: The loan, such as "LOA-00004".

    Raises:
        Rejected: The loan is unknown or not open.
        Rejected: The loan was extended twice already.
        Rejected: Somebody else waits for the book.
    """
    loan = _open_loan(db, loan_id)
    if loan.renewals >= MOST_RENEWALS:
        raise Rejected(f"Loan {loan_id} was extended {MOST_RENEWALS} times; it must come back.")
    if any(hold.member_id != loan.member_id for hold in db.holds.where(isbn=loan.isbn)):
        raise Rejected(f"Somebody waits for the book of loan {loan_id}; it must come back.")
    due_on = db.today() + timedelta(days=LOAN_DAYS)
    return db.loans.update(loan_id, due_on=due_on, renewals=loan.renewals + 1)


def return_loan(db: Database, loan_id: LoanId) -> Loan:
    """Take a copy back, charging a late fee for each day past the due date.

    Args:
        loan_id: The loan, such as "LOA-00004".

    Raises:
        Rejected: The loan is unknown or not open.
    """
    loan = _open_loan(db, loan_id)
    amount = _late_fee(loan, db.today())
    fees = list(loan.fees)
    if amount > 0:
        fees.append(Fee(reason="late", amount=amount, charged_on=db.today()))
    return db.loans.update(
        loan_id,
        status="returned",
        returned_at=db.now(),
        fees=fees,
        fine=money(loan.fine + amount),
    )


def charge_fee(db: Database, loan_id: LoanId, fee: Fee) -> Loan:
    """Charge a fee for a loan; a fee for a loss also closes the loan as lost.

    Args:
        loan_id: The loan, such as "LOA-00004".
        fee: What is charged, why, and on which day.

    Raises:
        Rejected: The loan is unknown.
        Rejected: The amount is not above zero, or too large.
        Rejected: The day is before the loan or in the future.
        Rejected: The fee is for a loss and the loan is not open.
    """
    loan = db.loans.get(loan_id)
    if not 0 < fee.amount <= LARGEST_FEE:
        raise Rejected(f"A fee is above 0 and at most {LARGEST_FEE}, not {fee.amount}.")
    if not loan.lent_at.date() <= fee.charged_on <= db.today():
        raise Rejected(f"A fee's day lies between {loan.lent_at.date()} and {db.today()}.")
    fees = [*loan.fees, fee]
    fine = money(loan.fine + fee.amount)
    if fee.reason != "lost":
        return db.loans.update(loan_id, fees=fees, fine=fine)
    _open_loan(db, loan_id)
    return db.loans.update(loan_id, fees=fees, fine=fine, status="lost")


def place_hold(db: Database, member_id: MemberId, isbn: BookId, needed_by: date) -> Hold:
    """Put a member in line for a book of which every copy is out.

    Args:
        member_id: Who waits, such as "MEM-00012".
        isbn: The book, such as "9780306406157".
        needed_by: The day after which the book is of no use.

    Raises:
        Rejected: The member or the book is unknown.
        Rejected: The day is past or more than half a year away.
        Rejected: A copy is on the shelf.
        Rejected: The member already has the book or waits for it.
    """
    db.members.get(member_id)
    book = db.books.get(isbn)
    if not db.today() <= needed_by <= db.today() + timedelta(days=MOST_HOLD_DAYS):
        raise Rejected(f"A hold is for a day within {MOST_HOLD_DAYS} days of {db.today()}.")
    if len(db.loans.where(isbn=isbn, status="open")) < book.copies:
        raise Rejected(f'A copy of "{book.title}" is on the shelf; it can be lent now.')
    if db.loans.where(member_id=member_id, isbn=isbn, status="open"):
        raise Rejected(f'Member {member_id} has "{book.title}" already; extend that loan instead.')
    if db.holds.where(member_id=member_id, isbn=isbn):
        raise Rejected(f'Member {member_id} already waits for "{book.title}".')
    return db.holds.add(member_id=member_id, isbn=isbn, placed_at=db.now(), needed_by=needed_by)


def cancel_hold(db: Database, hold_id: HoldId) -> Hold:
    """Take a member out of the line for a book.

    Args:
        hold_id: The hold, such as "HLD-00003".

    Raises:
        Rejected: The hold is unknown.
    """
    return db.holds.remove(hold_id)
