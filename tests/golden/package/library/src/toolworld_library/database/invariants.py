"""The rules that every row of Town library keeps after every call."""

from __future__ import annotations

from decimal import Decimal

from .models import Book, Database, Hold, Loan
from .schema import Invariant


def books_book_copies_cover_loans(db: Database, book: Book) -> bool:
    """No more copies of a book are out than the library owns."""
    return bool(len(db.loans.where(isbn=book.isbn, status="open")) <= book.copies)


def loans_returned_loans_say_when(db: Database, loan: Loan) -> bool:
    """A returned loan, and only that, says when it came back."""
    return bool((loan.status == "returned") == (loan.returned_at is not None))


def loans_fine_is_sum_of_fees(db: Database, loan: Loan) -> bool:
    """The fine is the sum of the fees."""
    return bool(loan.fine == sum((fee.amount for fee in loan.fees), Decimal(0)))


def loans_loan_has_a_copy(db: Database, loan: Loan) -> bool:
    """No more copies of a book are out than the library owns."""
    return bool(
        len(db.loans.where(isbn=loan.isbn, status="open")) <= db.books.get(loan.isbn).copies
    )


def holds_one_hold_per_book(db: Database, hold: Hold) -> bool:
    """A member holds a book once."""
    return bool(len(db.holds.where(member_id=hold.member_id, isbn=hold.isbn)) == 1)


INVARIANTS: dict[str, tuple[Invariant, ...]] = {
    "books": (
        Invariant(
            "book_copies_cover_loans",
            "No more copies of a book are out than the library owns.",
            books_book_copies_cover_loans,
            columns=frozenset({"copies", "isbn"}),
            tables=frozenset({"loans"}),
        ),
    ),
    "loans": (
        Invariant(
            "returned_loans_say_when",
            "A returned loan, and only that, says when it came back.",
            loans_returned_loans_say_when,
            columns=frozenset({"returned_at", "status"}),
            tables=frozenset(),
        ),
        Invariant(
            "fine_is_sum_of_fees",
            "The fine is the sum of the fees.",
            loans_fine_is_sum_of_fees,
            columns=frozenset({"fees", "fine"}),
            tables=frozenset(),
        ),
        Invariant(
            "loan_has_a_copy",
            "No more copies of a book are out than the library owns.",
            loans_loan_has_a_copy,
            columns=frozenset({"isbn"}),
            tables=frozenset({"books", "loans"}),
        ),
    ),
    "holds": (
        Invariant(
            "one_hold_per_book",
            "A member holds a book once.",
            holds_one_hold_per_book,
            columns=frozenset({"isbn", "member_id"}),
            tables=frozenset({"holds"}),
        ),
    ),
}
